//! The npm package: the wasm core, the files of pkg-template around it, and the tarball.
//!
//! The same sources give the same bytes: no path of the machine gets into the module, and the
//! tarball carries no times.

mod names;
mod notices;
pub(crate) mod sandbox;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use sha2::{Digest, Sha256, Sha384};

use crate::repo::{Repo, WASM_TARGET, fresh_folder, read, read_text};
use crate::report::Report;
use crate::say;
use crate::setup::{self, Node, NodeModules, RustSource, RustTarget, WasmBindgen};
use crate::stamp::Stamp;
use crate::steps::{Step, Steps};

const CORE: &str = "remitkit_core";
/// What wasm-bindgen calls the module it writes.
pub(crate) const MODULE: &str = "remitkit_core_bg.wasm";
const TEMPLATE: &str = "pkg-template";

/// What the module may use: all of it is in every browser since 2021 (Safari 15).
const WASM_OPT: [&str; 10] = [
    "-Oz",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// The module's standard library is built with it, for small size and without the words of panics, which nobody would see: one ends the
/// module, and the package says so (`pkg-template/crash.js`). That takes a tenth off the module. The compiler is the stable one;
/// what it is told counts as unstable, so it is asked for by name.
const LEAN_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
const LEAN_FLAGS: [&str; 4] =
    ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zfmt-debug=none", "-Zlocation-detail=none"];

pub(crate) struct Package {
    /// Unpacked, as it is published.
    pub(crate) folder: PathBuf,
    pub(crate) tarball: PathBuf,
    /// The names of the module's functions by their numbers, which it no longer has itself: a line `7:name` each.
    pub(crate) symbols: PathBuf,
}

/// Which core a package is built around.
#[derive(Clone, Copy)]
pub(crate) enum Core {
    /// The one that is published.
    Real,
    /// One that can be told to leave a safeguard out. `chaos` and `forge` show that they find out.
    Weakened,
}

impl Core {
    fn features(self) -> &'static str {
        match self {
            Core::Real => "js",
            Core::Weakened => "js,weakened",
        }
    }

    /// In the target folder, so that one is never taken for the other.
    fn folder(self) -> &'static str {
        match self {
            Core::Real => "package",
            Core::Weakened => "package-weakened",
        }
    }

    fn titles(self) -> [&'static str; 2] {
        match self {
            Core::Real => ["wasm core", "npm package"],
            Core::Weakened => ["weakened wasm core", "weakened npm package"],
        }
    }
}

/// How many steps `set_up` and `build` take.
pub(crate) const SET_UP_STEPS: usize = 5;
pub(crate) const BUILD_STEPS: usize = 2;

/// The optimised sandbox takes minutes, so it is packed only where that is asked for.
pub(crate) fn run(repo: &Repo, with_sandbox: bool, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let sandbox_steps = if with_sandbox { sandbox::BUILD_STEPS } else { 0 };
    let mut steps = Steps::new(repo.tools().join("logs"), SET_UP_STEPS + BUILD_STEPS + sandbox_steps);
    let wasm_bindgen = set_up(repo, &mut steps)?;
    let package = build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    let content = read(&package.tarball)?;
    let (bytes, sha256) = (content.len(), hex(&Sha256::digest(&content)));
    report.set("tarball", json!(package.tarball));
    report.set("bytes", json!(bytes));
    report.set("sha256", json!(sha256));
    say::result(&format!("{} ({bytes} bytes)\nsha256 {sha256}", package.tarball.display()));
    if with_sandbox {
        let sandbox = sandbox::build(repo, &mut steps)?;
        let mut packed = Vec::new();
        for tarball in &sandbox.tarballs {
            let bytes = read(tarball)?.len();
            packed.push(json!({ "tarball": tarball, "bytes": bytes }));
            say::result(&format!("{} ({bytes} bytes)", tarball.display()));
        }
        let program = fs::metadata(&sandbox.program)?.len();
        report.set("sandbox", json!({ "packages": packed, "programBytes": program }));
    }
    Ok(())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Sees to the tools of `build`, and returns where wasm-bindgen is.
pub(crate) fn set_up(repo: &Repo, steps: &mut Steps) -> anyhow::Result<PathBuf> {
    setup::set_up(repo, steps, &Node)?;
    setup::set_up(repo, steps, &RustTarget)?;
    setup::set_up(repo, steps, &RustSource)?;
    let found = setup::set_up(repo, steps, &WasmBindgen::new(repo)?)?;
    setup::set_up(repo, steps, &NodeModules::TOOLS)?;
    found.into_iter().next().context("wasm-bindgen was not found")
}

pub(crate) fn build(
    repo: &Repo,
    steps: &mut Steps,
    wasm_bindgen: &Path,
    core: Core,
) -> anyhow::Result<Package> {
    let place = repo.target.join(core.folder());
    let bound = place.join("core");
    let [core_title, package_title] = core.titles();
    steps.run(core_title, |step| {
        let module = compile(repo, step, core)?;
        bind(repo, step, wasm_bindgen, &module, &bound)
    })?;
    steps.run(package_title, |step| {
        let folder = place.join("remitkit");
        let given = ["--target", WASM_TARGET, "--features", Core::Real.features()];
        let notices = notices::of(repo, step, "remitkit", &given)?;
        let files = assemble(repo, &bound, &notices, &folder)?;
        let tarball = tarball(step, &folder, &files, &place)?;
        Ok(Package { folder, tarball, symbols: symbols(&bound) })
    })
}

fn compile(repo: &Repo, step: &Step, core: Core) -> anyhow::Result<PathBuf> {
    let mut flags = remapped_paths(repo)?;
    flags.extend(LEAN_FLAGS.map(str::to_owned));
    step.run(
        repo.cargo()
            .args(["build", "--package", "remitkit", "--lib", "--features", core.features()])
            .args(["--profile", "wasm", "--target", WASM_TARGET])
            .args(LEAN_STD)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_ENCODED_RUSTFLAGS", encoded(&flags))
            .env_remove("RUSTFLAGS"),
    )?;
    Ok(repo.target.join(WASM_TARGET).join("wasm/remitkit.wasm"))
}

/// Flags that keep this machine's folders out of what is compiled.
fn remapped_paths(repo: &Repo) -> anyhow::Result<Vec<String>> {
    let cargo_home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => {
            std::env::home_dir().context("there is no home folder, and CARGO_HOME is not set")?.join(".cargo")
        }
    };
    // Where the component rust-src is installed, std names its sources there and not by the compiler's commit.
    let sysroot = crate::command::output(repo.rustc().args(["--print", "sysroot"]))?;
    let version = crate::command::output(repo.rustc().arg("-vV"))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let std = PathBuf::from(sysroot.trim()).join("lib/rustlib/src/rust");
    let folders = [
        (cargo_home.as_path(), "/cargo".to_owned()),
        (repo.root.as_path(), "/remitkit".to_owned()),
        (std.as_path(), format!("/rustc/{commit}")),
    ];
    Ok(folders.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).into())
}

/// As cargo takes them in CARGO_ENCODED_RUSTFLAGS.
fn encoded(flags: &[String]) -> String {
    flags.join("\u{1f}")
}

/// Makes the glue and the optimised module in `core`, unless that is done for this very module.
fn bind(repo: &Repo, step: &Step, wasm_bindgen: &Path, module: &Path, core: &Path) -> anyhow::Result<()> {
    let wasm_opt = repo.path("xtask/node-tools/node_modules/binaryen/bin/wasm-opt");
    let tools = read(&repo.path("xtask/node-tools/package-lock.json"))?;
    let binder = crate::command::output(Command::new(wasm_bindgen).arg("--version"))?;
    let compiled = read(module)?;
    // How it is made counts as an input too.
    let recipe = [include_str!("pack.rs"), include_str!("pack/names.rs")].concat();
    let stamp = Stamp::new(
        core.with_extension("stamp"),
        [compiled.as_slice(), &tools, binder.as_bytes(), recipe.as_bytes()],
    );
    if stamp.holds() && core.join(MODULE).exists() && symbols(core).exists() {
        return Ok(());
    }
    fresh_folder(core)?;
    stamp.clear()?;
    step.run(
        repo.command(wasm_bindgen)
            .args(["--target", "web", "--no-typescript", "--experimental-reset-state-function"])
            .args(["--out-name", CORE, "--out-dir"])
            .arg(core)
            .arg(module),
    )?;
    adapt(&core.join(format!("{CORE}.js")))?;
    let bound = core.join(MODULE);
    let optimised = core.join("optimised.wasm");
    // After all passes, so that the numbers are those of the module that is written.
    let mut symbol_map = OsString::from("--symbolmap=");
    symbol_map.push(symbols(core));
    let mapping = step.read(
        repo.command("node")
            .arg(wasm_opt)
            .args(WASM_OPT)
            .arg("--minify-imports-and-exports-and-modules")
            .arg(symbol_map)
            .arg(&bound)
            .arg("--output")
            .arg(&optimised),
    )?;
    let glue = core.join(format!("{CORE}.js"));
    fs::write(&glue, names::shortened(&read_text(&glue)?, &mapping)?)
        .with_context(|| format!("cannot write {}", glue.display()))?;
    fs::rename(&optimised, &bound).with_context(|| format!("cannot write {}", bound.display()))?;
    stamp.set()
}

/// Beside the folder, all of whose files go into the package.
fn symbols(core: &Path) -> PathBuf {
    core.with_extension("symbols")
}

/// Lets the glue hand its exports to the package's crash.js. A trap in a future that a microtask polls reaches no caller, so
/// only who stands at the exports can tell that the module has crashed. And takes the glue's own address of the wasm out: the
/// package's create.js has it, so that bundlers find it once, and not at all with `remitkit/inline`.
fn adapt(glue: &Path) -> anyhow::Result<()> {
    let mut text = read_text(glue)?;
    for (found, adapted) in [
        ("wasm = instance.exports;".to_owned(), "wasm = watchExports(instance.exports);".to_owned()),
        ("wasm = wasmInstance.exports;".to_owned(), "wasm = watchExports(wasmInstance.exports);".to_owned()),
        (
            format!(
                "    if (module_or_path === undefined) {{\n        module_or_path = new URL('{MODULE}', import.meta.url);\n    }}\n"
            ),
            String::new(),
        ),
    ] {
        ensure!(
            text.matches(&found).count() == 1,
            "wasm-bindgen's glue has changed: `{found}` is not there once"
        );
        text = text.replace(&found, &adapted);
    }
    fs::write(glue, format!("import {{ watchExports }} from \"./crash.js\";\n{text}"))
        .with_context(|| format!("cannot write {}", glue.display()))
}

/// Lays the package out in `folder`; returns its files, relative and sorted.
fn assemble(
    repo: &Repo,
    core: &Path,
    third_party_notices: &str,
    folder: &Path,
) -> anyhow::Result<BTreeSet<String>> {
    let template = repo.path(TEMPLATE);
    let manifest = template.join("package.json");
    let text = versioned(&read_text(&manifest)?, &repo.version)
        .with_context(|| format!("{}", manifest.display()))?;
    fresh_folder(folder)?;
    let mut files = BTreeSet::new();
    copy_all(&template, folder, "", &mut files)?;
    copy_all(core, folder, "", &mut files)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&repo.path(licence), &folder.join(licence))?;
        files.insert(licence.to_owned());
    }
    fs::write(folder.join("package.json"), text)?;
    // Of the crate's own table, so that both speak the same Spanish.
    let spanish = read_text(&repo.path("src/api/messages_es.json"))?;
    fs::write(folder.join("messages-es.js"), format!("export default {};\n", spanish.trim_end()))?;
    files.insert("messages-es.js".to_owned());
    fs::write(folder.join(notices::FILE), third_party_notices)?;
    files.insert(notices::FILE.to_owned());
    let module = BASE64.encode(read(&core.join(MODULE))?);
    fs::write(folder.join("inline-wasm.js"), format!("export default \"{module}\";\n"))?;
    files.insert("inline-wasm.js".to_owned());
    fs::write(folder.join("integrity.json"), integrity(folder, &files)?)?;
    files.insert("integrity.json".to_owned());
    Ok(files)
}

/// Each script and the module with its hash, as the attribute `integrity` and import maps take it.
fn integrity(folder: &Path, files: &BTreeSet<String>) -> anyhow::Result<String> {
    let mut hashes = serde_json::Map::new();
    for name in files.iter().filter(|name| name.ends_with(".js") || name.ends_with(".wasm")) {
        let hash = BASE64.encode(Sha384::digest(read(&folder.join(name))?));
        hashes.insert(name.clone(), json!(format!("sha384-{hash}")));
    }
    Ok(serde_json::to_string_pretty(&hashes)? + "\n")
}

/// The package's manifest with the crate's version, the keys in their order.
fn versioned(manifest: &str, version: &str) -> anyhow::Result<String> {
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let slot = manifest.get_mut("version").context("has no `version` to be replaced by the crate's")?;
    *slot = json!(version);
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// What of the template is for its developers and not for the package.
fn is_left_out(name: &str) -> bool {
    name.starts_with('.')
        || ["test", "tests", "node_modules", "package-lock.json"].contains(&name)
        || name.contains(".test.")
}

fn copy_all(from: &Path, to: &Path, prefix: &str, files: &mut BTreeSet<String>) -> anyhow::Result<()> {
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .with_context(|| format!("{} has a name that is no text", path.display()))?;
        if is_left_out(name) {
            continue;
        }
        let relative = format!("{prefix}{name}");
        let target = to.join(name);
        if path.is_dir() {
            fs::create_dir_all(&target)?;
            copy_all(&path, &target, &format!("{relative}/"), files)?;
        } else {
            copy(&path, &target)?;
            if !files.insert(relative.clone()) {
                bail!("two files of the package have the name {relative}");
            }
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

/// Makes the tarball, and refuses one that lacks a file: its `files` list and its folder must agree.
fn tarball(
    step: &Step,
    folder: &Path,
    files: &BTreeSet<String>,
    destination: &Path,
) -> anyhow::Result<PathBuf> {
    let answer = step.read(
        Command::new("npm")
            .current_dir(folder)
            .args(["pack", "--json", "--ignore-scripts", "--pack-destination"])
            .arg(destination),
    )?;
    let (name, packed) = packed(&answer).context("reading what npm pack answered")?;
    let missing: Vec<&str> = files.difference(&packed).map(String::as_str).collect();
    if !missing.is_empty() {
        bail!("the tarball {name} lacks {}: add it to `files` in its package.json", missing.join(", "));
    }
    Ok(destination.join(name))
}

/// The tarball's name and its files. npm 10 and 11 answer with a list, npm 12 with an object by name.
fn packed(answer: &str) -> anyhow::Result<(String, BTreeSet<String>)> {
    let answer: Value = serde_json::from_str(answer)?;
    let package = match &answer {
        Value::Array(packages) => packages.first(),
        Value::Object(packages) => packages.values().next(),
        _ => None,
    }
    .context("names no package")?;
    let name = package.get("filename").and_then(Value::as_str).context("names no file")?;
    let files = package
        .get("files")
        .and_then(Value::as_array)
        .context("lists no files")?
        .iter()
        .filter_map(|file| file.get("path")?.as_str().map(str::to_owned))
        .collect();
    Ok((name.to_owned(), files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    #[test]
    fn the_version_is_replaced_and_nothing_else() {
        let manifest = r#"{"name":"remitkit","version":"0.0.0","exports":{"./z":"./z.js","./a":"./a.js"}}"#;
        let text = versioned(manifest, "1.2.3").unwrap();
        assert_eq!(
            text,
            "{\n  \"name\": \"remitkit\",\n  \"version\": \"1.2.3\",\n  \"exports\": {\n    \
             \"./z\": \"./z.js\",\n    \"./a\": \"./a.js\"\n  }\n}\n"
        );
        assert!(versioned("{}", "1.2.3").is_err());
    }

    #[test]
    fn tests_of_the_template_stay_behind() {
        let from = scratch("template");
        for folder in ["test", "types", "node_modules/x"] {
            fs::create_dir_all(from.join(folder)).unwrap();
        }
        for file in ["index.js", "money.test.mjs", "test/a.js", "types/a.d.ts", ".npmrc"] {
            fs::write(from.join(file), file).unwrap();
        }
        let to = scratch("assembled");
        let mut files = BTreeSet::new();
        copy_all(&from, &to, "", &mut files).unwrap();
        let found: Vec<&str> = files.iter().map(String::as_str).collect();
        assert_eq!(found, ["index.js", "types/a.d.ts"]);
        assert_eq!(read_text(&to.join("types/a.d.ts")).unwrap(), "types/a.d.ts");
    }

    #[test]
    fn a_name_taken_twice_is_refused() {
        let from = scratch("twice");
        fs::write(from.join("remitkit_core.js"), "").unwrap();
        let to = scratch("twice-to");
        let mut files = BTreeSet::new();
        copy_all(&from, &to, "", &mut files).unwrap();
        assert!(copy_all(&from, &to, "", &mut files).is_err());
    }

    #[test]
    fn npm_is_understood_in_both_its_forms() {
        let package = r#"{"filename":"remitkit-0.1.0.tgz","files":[{"path":"index.js","size":1}]}"#;
        for answer in [format!("[{package}]"), format!("{{\"remitkit\":{package}}}")] {
            let (name, files) = packed(&answer).unwrap();
            assert_eq!(name, "remitkit-0.1.0.tgz");
            assert_eq!(files, BTreeSet::from(["index.js".to_owned()]));
        }
        assert!(packed("[]").is_err());
    }
}
