//! What a shop's bundler makes of an import: minified scripts, and of which files they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::bytes::Bytes;
use crate::repo::{Repo, fresh_folder, read, read_text};
use crate::steps::Step;

/// The same for our package and for what it is held against. What a page asks for later (`import()`) becomes a script of its own.
const FLAGS: [&str; 8] = [
    "--bundle",
    "--minify",
    "--splitting",
    "--format=esm",
    "--target=es2022",
    "--preserve-symlinks",
    "--legal-comments=none",
    "--log-level=warning",
];

pub(super) struct Bundler<'a> {
    pub(super) repo: &'a Repo,
    pub(super) step: &'a Step,
    /// Where the modules of npm are found from.
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
}

impl Bundler<'_> {
    /// Bundles a script of one line.
    pub(super) fn bundle(&self, name: &str, source: &str, flags: &[&str]) -> anyhow::Result<Bundle> {
        let file = self.from.join(format!("{name}.js"));
        fs::write(&file, source).with_context(|| format!("cannot write {}", file.display()))?;
        self.bundle_file(name, &file, flags)
    }

    pub(super) fn bundle_file(&self, name: &str, entry: &Path, flags: &[&str]) -> anyhow::Result<Bundle> {
        let folder = self.to.join(name);
        fresh_folder(&folder)?;
        let metafile = folder.join("metafile.json");
        let option = |name: &str, value: &Path| {
            let mut option = std::ffi::OsString::from(name);
            option.push(value);
            option
        };
        self.step.run(
            self.repo
                .command(self.repo.path("xtask/node-tools/node_modules/.bin/esbuild"))
                .current_dir(&self.from)
                .arg(entry)
                .args(FLAGS)
                .args(flags)
                .arg(option("--outdir=", &folder))
                .arg(option("--metafile=", &metafile)),
        )?;
        let outputs = outputs(&read_text(&metafile)?, entry.strip_prefix(&self.from)?)
            .context("reading what esbuild says of its output")?;
        let mut bundle = Bundle { at_once: Vec::new(), later: Vec::new() };
        for output in outputs {
            let bytes = Bytes::of(&read(&self.from.join(&output.file))?)?;
            let side = if output.at_once { &mut bundle.at_once } else { &mut bundle.later };
            side.push(Script { name: output.file, bytes, files: output.files, imports: output.imports });
        }
        Ok(bundle)
    }
}

pub(super) struct Bundle {
    /// What a page loads before the import is there.
    at_once: Vec<Script>,
    /// What it may ask for afterwards.
    later: Vec<Script>,
}

struct Script {
    name: String,
    bytes: Bytes,
    /// Of which files, and how much each came to.
    files: BTreeMap<String, usize>,
    /// The scripts that it cannot run without.
    imports: Vec<String>,
}

impl Bundle {
    /// Each script is compressed by itself, as it is served.
    pub(super) fn bytes(&self) -> Bytes {
        self.at_once.iter().fold(Bytes::default(), |sum, script| sum.plus(script.bytes))
    }

    pub(super) fn files(&self) -> BTreeMap<&str, usize> {
        let mut files = BTreeMap::new();
        for (name, bytes) in self.at_once.iter().flat_map(|script| &script.files) {
            *files.entry(name.as_str()).or_default() += bytes;
        }
        files
    }

    /// The script with that file that is asked for afterwards, if there is one.
    pub(super) fn later_with(&self, file: &str) -> Option<Bytes> {
        self.later.iter().find(|script| script.files.contains_key(file)).map(|script| script.bytes)
    }

    /// What a page has loaded that asked for these files too, each by `import()`.
    pub(super) fn bytes_with(&self, files: &[String]) -> anyhow::Result<Bytes> {
        let mut asked: Vec<&Script> = Vec::new();
        for file in files {
            let script = self.later.iter().find(|script| script.files.contains_key(file));
            asked.push(script.with_context(|| format!("{file} is not asked for by itself"))?);
        }
        let mut loaded: BTreeMap<&str, Bytes> = BTreeMap::new();
        while let Some(script) = asked.pop() {
            if loaded.insert(&script.name, script.bytes).is_none() {
                asked.extend(self.later.iter().filter(|other| script.imports.contains(&other.name)));
            }
        }
        Ok(loaded.values().fold(self.bytes(), |sum, bytes| sum.plus(*bytes)))
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Output {
    file: String,
    at_once: bool,
    files: BTreeMap<String, usize>,
    imports: Vec<String>,
}

/// The scripts in esbuild's account. At once comes the entry, and what it imports other than by `import()`.
fn outputs(metafile: &str, entry: &Path) -> anyhow::Result<Vec<Output>> {
    let metafile: Value = serde_json::from_str(metafile)?;
    let outputs = metafile.get("outputs").and_then(Value::as_object).context("it names no outputs")?;
    let (first, _) = outputs
        .iter()
        .find(|(_, output)| output.get("entryPoint").and_then(Value::as_str).map(Path::new) == Some(entry))
        .with_context(|| format!("it has no script for {}", entry.display()))?;
    let imports_of = |file: &str| -> Vec<&str> {
        let imports = outputs.get(file).and_then(|output| output.get("imports")).and_then(Value::as_array);
        let text = |import: &'_ Value, key: &str| import.get(key).and_then(Value::as_str).map(str::to_owned);
        let is_static = |import: &&Value| text(import, "kind").as_deref() == Some("import-statement");
        let paths = imports.into_iter().flatten().filter(is_static).filter_map(|import| text(import, "path"));
        paths.filter_map(|path| outputs.get_key_value(&path).map(|(path, _)| path.as_str())).collect()
    };
    let mut at_once = vec![first.as_str()];
    let mut next = 0;
    while let Some(file) = at_once.get(next) {
        for path in imports_of(file) {
            if !at_once.contains(&path) {
                at_once.push(path);
            }
        }
        next += 1;
    }
    Ok(outputs
        .iter()
        .filter(|(file, _)| file.ends_with(".js"))
        .map(|(file, output)| Output {
            file: file.clone(),
            at_once: at_once.contains(&file.as_str()),
            files: contributions(output),
            imports: imports_of(file).into_iter().map(str::to_owned).collect(),
        })
        .collect())
}

/// The files of a script that left bytes in it.
fn contributions(output: &Value) -> BTreeMap<String, usize> {
    let inputs = output.get("inputs").and_then(Value::as_object);
    inputs
        .into_iter()
        .flatten()
        .filter_map(|(file, input)| {
            let bytes = usize::try_from(input.get("bytesInOutput")?.as_u64()?).ok()?;
            (bytes > 0).then(|| (file.clone(), bytes))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const METAFILE: &str = r#"{
        "inputs": {},
        "outputs": {
            "../out/later.js": {
                "entryPoint": "node_modules/kit/later.js",
                "imports": [],
                "inputs": { "node_modules/kit/later.js": { "bytesInOutput": 30 } }
            },
            "../out/chunk.js": {
                "imports": [{ "path": "react", "kind": "import-statement", "external": true }],
                "inputs": { "node_modules/kit/shared.js": { "bytesInOutput": 20 } }
            },
            "../out/page.js": {
                "entryPoint": "page.js",
                "imports": [
                    { "path": "../out/chunk.js", "kind": "import-statement" },
                    { "path": "../out/later.js", "kind": "dynamic-import" }
                ],
                "inputs": { "page.js": { "bytesInOutput": 10 }, "node_modules/kit/unused.js": { "bytesInOutput": 0 } }
            }
        }
    }"#;

    #[test]
    fn a_script_that_is_asked_for_later_is_not_loaded_at_once() {
        let outputs = outputs(METAFILE, Path::new("page.js")).unwrap();
        let at_once: Vec<(&str, bool)> =
            outputs.iter().map(|output| (output.file.as_str(), output.at_once)).collect();
        assert_eq!(
            at_once,
            [("../out/later.js", false), ("../out/chunk.js", true), ("../out/page.js", true)]
        );
        assert_eq!(outputs[2].files, BTreeMap::from([("page.js".to_owned(), 10)]));
    }

    #[test]
    fn an_entry_that_esbuild_does_not_name_is_an_error() {
        let error = outputs(METAFILE, Path::new("other.js")).unwrap_err().to_string();
        assert!(error.contains("other.js"), "{error}");
        assert!(outputs("{}", Path::new("page.js")).is_err());
    }

    #[test]
    fn files_of_several_scripts_add_up() {
        let script = |bytes: usize| Script {
            name: format!("{bytes}.js"),
            bytes: Bytes { raw: bytes, gzip: bytes, brotli: bytes },
            files: BTreeMap::from([("a.js".to_owned(), bytes)]),
            imports: Vec::new(),
        };
        let bundle = Bundle { at_once: vec![script(3), script(4)], later: vec![script(5)] };
        assert_eq!(bundle.bytes().raw, 7);
        assert_eq!(bundle.files(), BTreeMap::from([("a.js", 7)]));
        assert_eq!(bundle.later_with("a.js").map(|bytes| bytes.raw), Some(5));
        assert_eq!(bundle.later_with("b.js"), None);
    }

    #[test]
    fn what_is_asked_for_later_brings_what_it_imports_once() {
        let script = |name: &str, raw: usize, imports: &[&str]| Script {
            name: name.to_owned(),
            bytes: Bytes { raw, gzip: raw, brotli: raw },
            files: BTreeMap::from([(format!("node_modules/kit/{name}"), raw)]),
            imports: imports.iter().map(|name| (*name).to_owned()).collect(),
        };
        let later = vec![
            script("card.js", 10, &["shared.js", "page.js"]),
            script("form.js", 20, &["shared.js"]),
            script("shared.js", 4, &[]),
        ];
        let bundle = Bundle { at_once: vec![script("page.js", 1, &[])], later };
        let with = |names: &[&str]| {
            let files: Vec<String> = names.iter().map(|name| format!("node_modules/kit/{name}")).collect();
            bundle.bytes_with(&files).map(|bytes| bytes.raw)
        };
        assert_eq!(with(&[]).unwrap(), 1);
        assert_eq!(with(&["card.js"]).unwrap(), 15);
        assert_eq!(with(&["card.js", "form.js"]).unwrap(), 35);
        assert!(with(&["page.js"]).is_err());
    }
}
