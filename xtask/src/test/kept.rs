//! What passed in earlier runs, so that `--resume` repeats only what failed or changed.
//!
//! A result is valid for everything that git sees in this folder, all browsers and tools, and all settings.
//! The exceptions are few: what describes the work in words alone, and the test files of other units, which
//! nothing reads but the unit itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::{Map, Value, json};

use super::layer_name::LayerName;
use crate::process::output;
use crate::repo::{Repo, read, read_json, sha256, write};

const TEST_FILE: &str = ".test.mjs";
/// No test reads these. All other documents are part of a package or of a page.
const IN_WORDS: [&str; 2] = ["docs/", "CONTRIBUTING.md"];
/// What the tests start and no lock file pins.
const PROGRAMS: [&str; 14] = [
    "cargo",
    "chromedriver",
    "chromium",
    "chromium-headless-shell",
    "firefox",
    "firefox-esr",
    "node",
    "npm",
    "python3",
    "redis-server",
    "rustc",
    "WebKitWebDriver",
    "Xvfb",
    "xvfb-run",
];

/// A hash of what all results depend on, and of each test file.
#[derive(PartialEq, Eq)]
struct Inputs {
    common: String,
    test_files: BTreeMap<String, String>,
}

pub(super) struct Kept {
    folder: PathBuf,
    inputs: Inputs,
    is_used: bool,
}

impl Kept {
    /// `is_used` says whether results of earlier runs count.
    pub(super) fn of(repo: &Repo, is_used: bool) -> anyhow::Result<Kept> {
        let folder = repo.target.join("test/results");
        fs::create_dir_all(&folder)?;
        Ok(Kept { folder, inputs: Inputs::of(repo)?, is_used })
    }

    /// Returns how many tests of a unit passed with the same inputs, if that counts.
    pub(super) fn passed(&self, layer: LayerName, unit: &str) -> Option<usize> {
        let results = self.is_used.then(|| read_json(&self.file(layer)).ok())??;
        let result = results.get(unit)?;
        let passed = usize::try_from(result["passed"].as_u64()?).ok()?;
        (result["inputs"] == self.inputs.of_unit(unit)).then_some(passed)
    }

    /// Forgets what no longer counts, before a layer runs: also if this run is interrupted.
    pub(super) fn begin(&self, layer: LayerName) {
        if !self.is_used {
            let _ = fs::remove_file(self.file(layer));
        }
    }

    /// Keeps the units of a layer that passed, unless the inputs have changed while they ran.
    pub(super) fn save(
        &self,
        repo: &Repo,
        layer: LayerName,
        clean: &[(String, usize)],
    ) -> anyhow::Result<()> {
        if clean.is_empty() || Inputs::of(repo)? != self.inputs {
            return Ok(());
        }
        let known = self.is_used.then(|| read_json(&self.file(layer)).ok()).flatten();
        let mut results: Map<String, Value> =
            known.and_then(|known| known.as_object().cloned()).unwrap_or_default();
        for (unit, passed) in clean {
            let result = json!({ "inputs": self.inputs.of_unit(unit), "passed": passed });
            results.insert(unit.clone(), result);
        }
        write(&self.file(layer), serde_json::to_string_pretty(&results)?)
    }

    fn file(&self, layer: LayerName) -> PathBuf {
        self.folder.join(format!("{}.json", layer.name()))
    }
}

impl Inputs {
    fn of(repo: &Repo) -> anyhow::Result<Inputs> {
        let mut common = machine(repo)?;
        let mut test_files = BTreeMap::new();
        let mut git = repo.command("git");
        let listed = output(git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
        let names = listed.split_terminator('\0').filter(|name| !is_in_words(name));
        for name in names {
            let file = repo.path(name);
            let content = match fs::read_link(&file) {
                Ok(link) => format!("link {}", link.display()),
                // One that was deleted is still listed.
                Err(_) if !file.is_file() => "none".to_owned(),
                Err(_) => format!("{} {}", mode(&file)?, sha256(&read(&file)?)),
            };
            if name.ends_with(TEST_FILE) {
                test_files.insert(name.to_owned(), content);
            } else {
                common += &format!("{name} {content}\n");
            }
        }
        Ok(Inputs { common: sha256(common.as_bytes()), test_files })
    }

    fn of_unit(&self, unit: &str) -> String {
        let own = self.test_files.get(unit).map_or("", String::as_str);
        sha256(format!("{} {own}", self.common).as_bytes())
    }
}

fn is_in_words(name: &str) -> bool {
    IN_WORDS.iter().any(|words| name == *words || words.ends_with('/') && name.starts_with(words))
}

fn mode(file: &Path) -> anyhow::Result<u32> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(file)?.permissions().mode())
}

/// Returns one line for each setting and each program that results depend on.
fn machine(repo: &Repo) -> anyhow::Result<String> {
    let mut lines = output(repo.rustc().arg("-vV"))?;
    let mut settings: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| (name.display().to_string(), value.display().to_string()))
        .filter(|(name, _)| ["REMITKIT_", "RUST", "CARGO", "NODE_"].iter().any(|own| name.starts_with(own)))
        // Cargo tells each command which crate it runs.
        .filter(|(name, _)| !name.starts_with("CARGO_PKG_") && !name.starts_with("CARGO_MANIFEST_"))
        .collect();
    settings.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = PROGRAMS
        .iter()
        .filter_map(|program| folders.iter().map(|folder| folder.join(program)).find(|file| file.is_file()));
    let named = settings.iter().map(|(_, value)| PathBuf::from(value)).filter(|file| file.is_file());
    for file in found.chain(named) {
        let (at, about) = (fs::canonicalize(&file)?, fs::metadata(&file)?);
        let changed = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        lines += &format!("{} {} {} {changed:?}\n", file.display(), at.display(), about.len());
    }
    for (name, value) in settings {
        lines += &format!("{name}={value}\n");
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;
    use std::process::Command;

    fn repo(name: &str) -> Repo {
        let root = scratch(name);
        let repo = Repo { target: root.join("target"), root, ..Repo::default() };
        output(Command::new("git").arg("init").current_dir(&repo.root)).unwrap();
        for (file, text) in
            [("src.rs", "1"), ("a.test.mjs", "1"), ("b.test.mjs", "1"), (".gitignore", "target")]
        {
            write(&repo.path(file), text).unwrap();
        }
        repo
    }

    const LAYER: LayerName = LayerName::Shop;

    fn passed(repo: &Repo) -> [Option<usize>; 3] {
        let kept = Kept::of(repo, true).unwrap();
        ["a.test.mjs", "b.test.mjs", "walks"].map(|unit| kept.passed(LAYER, unit))
    }

    #[test]
    fn a_result_is_kept_until_something_changes_that_it_depends_on() {
        let repo = repo("kept");
        let clean = [("a.test.mjs".to_owned(), 2), ("walks".to_owned(), 1)];
        let save = || Kept::of(&repo, false).unwrap().save(&repo, LAYER, &clean).unwrap();
        let change = |file: &str, text: &str| write(&repo.path(file), text).unwrap();
        save();
        assert_eq!(passed(&repo), [Some(2), None, Some(1)]);
        assert_eq!(Kept::of(&repo, false).unwrap().passed(LAYER, "walks"), None);
        change("CONTRIBUTING.md", "words");
        change("b.test.mjs", "2");
        assert_eq!(passed(&repo), [Some(2), None, Some(1)]);
        change("a.test.mjs", "2");
        assert_eq!(passed(&repo), [None, None, Some(1)]);
        save();
        for (file, text) in [("src.rs", "2"), ("new.mjs", ""), ("README.md", "")] {
            save();
            assert_eq!(passed(&repo), [Some(2), None, Some(1)]);
            change(file, text);
            assert_eq!(passed(&repo), [None; 3], "{file}");
        }
        save();
        fs::remove_file(repo.path("src.rs")).unwrap();
        assert_eq!(passed(&repo), [None; 3]);
    }

    #[test]
    fn what_changed_while_it_was_tested_is_not_kept() {
        let repo = repo("changed");
        let kept = Kept::of(&repo, false).unwrap();
        write(&repo.path("src.rs"), "2").unwrap();
        kept.save(&repo, LAYER, &[("walks".to_owned(), 1)]).unwrap();
        assert_eq!(passed(&repo), [None; 3]);
    }

    #[test]
    fn a_resumed_run_adds_to_what_is_kept_and_a_whole_one_forgets_it() {
        let repo = repo("resumed");
        Kept::of(&repo, false).unwrap().save(&repo, LAYER, &[("a.test.mjs".to_owned(), 2)]).unwrap();
        let resumed = Kept::of(&repo, true).unwrap();
        resumed.begin(LAYER);
        resumed.save(&repo, LAYER, &[("walks".to_owned(), 1)]).unwrap();
        assert_eq!(passed(&repo), [Some(2), None, Some(1)]);
        Kept::of(&repo, false).unwrap().begin(LAYER);
        assert_eq!(passed(&repo), [None; 3]);
    }

    /// Otherwise a change of one could make another one fail, which would not be repeated.
    #[test]
    fn no_file_reads_a_test_file() {
        let repo = Repo::find().unwrap();
        let mut git = repo.command("git");
        git.args([
            "grep",
            "-nE",
            r#"(from|import) ?\(?["'][^"']*\.test\.mjs["']"#,
            "--",
            "*.mjs",
            "*.js",
            "*.ts",
        ]);
        let found = git.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&found.stdout), "");
    }
}
