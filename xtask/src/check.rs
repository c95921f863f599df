//! `check`: what needs no run to be judged. All checks run, so that all that is wrong is seen at once.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};
use serde_json::Value;
use spdx::Expression;

use crate::command::output;
use crate::repo::{Repo, WASM_TARGET, read_text};
use crate::report::{self, Report};
use crate::say::say;
use crate::setup::{Part, set_up};
use crate::steps::Step;

/// Fails with what is wrong, a line each, or says it in the step's log.
type Check = fn(&Repo, &Step) -> anyhow::Result<()>;

const CHECKS: [(&str, Check); 10] = [
    ("format", format),
    ("lints, native", |repo, step| clippy(repo, step, &["--workspace"])),
    ("lints, wasm", |repo, step| clippy(repo, step, &WASM)),
    ("docs, native", |repo, step| docs(repo, step, &["--package", "remitkit"])),
    // The layers that only a browser has are documented for wasm alone.
    ("docs, wasm", |repo, step| docs(repo, step, &WASM)),
    ("layers of the crate", layers),
    ("circles of imports", circles),
    ("licences of dependencies", licences),
    ("machine paths and registry hosts in tracked files", machine_traces),
    ("npm lock files without addresses", lock_addresses),
];

const WASM: [&str; 6] = ["--package", "remitkit", "--features", "js", "--target", WASM_TARGET];

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    set_up(repo, Part::Rust)?;
    drop(lock);
    let mut entries: Vec<Value> = Vec::new();
    let mut failed: Vec<&str> = Vec::new();
    for (name, check) in CHECKS {
        let start = Instant::now();
        let outcome = repo.step(name, |step| check(repo, step));
        entries.push(report::part(name, outcome.as_ref().err(), start.elapsed()).into());
        if let Err(error) = outcome {
            say(&error.root_cause().to_string());
            failed.push(name);
        }
    }
    report.set("checks", entries);
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join("; ")) }
}

fn format(repo: &Repo, step: &Step) -> anyhow::Result<()> {
    step.run(repo.cargo().args(["fmt", "--all", "--check", "--", "--color=never"]))?;
    // Neither is of the workspace.
    for manifest in ["xtask/wasm-bindgen-tools/Cargo.toml", "examples/leptos/Cargo.toml"] {
        step.run(repo.cargo().args(["fmt", "--check", "--manifest-path", manifest]))?;
    }
    Ok(())
}

fn clippy(repo: &Repo, step: &Step, what: &[&str]) -> anyhow::Result<()> {
    step.run(repo.cargo().arg("clippy").args(what).args(["--all-targets", "--", "-D", "warnings"]))
}

fn docs(repo: &Repo, step: &Step, what: &[&str]) -> anyhow::Result<()> {
    step.run(repo.cargo().args(["doc", "--no-deps"]).args(what).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The layers of the crate, `api` and `card` ← `client` ← `browser` ← `js`, each with what it must not name.
/// `card` may take the errors of `api`, its neighbour; never the other way round.
const UPWARD: [(&str, &str); 4] = [
    ("src/api", "card|client|browser|js"),
    ("src/card", "client|browser|js"),
    ("src/client", "browser|js"),
    ("src/browser", "js"),
];
const OF_THE_BROWSER: &str = "(wasm_bindgen|serde_wasm_bindgen|js_sys|web_sys|gloo)";

/// Reads lines and not Rust: what rustfmt leaves is enough.
fn layers(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    // A comment may name anything.
    let code = "^(([^/]|/[^/])*[^[:alnum:]_/])?";
    let mut problems = String::new();
    for (layer, upward) in UPWARD {
        let import = format!("{code}(crate|super)::({upward})([^[:alnum:]_]|$)");
        problems += &found(repo, &import, &[layer])?;
    }
    problems += &found(repo, &format!("{code}{OF_THE_BROWSER}"), &["src/api", "src/card", "src/client"])?;
    // Each layer is named, not the crate as a whole, and each file is in one.
    problems += &found(repo, &format!("{code}crate::[{{*[:upper:]]"), &["src", ":!src/lib.rs"])?;
    let outside =
        ["src/*.rs", ":!src/lib.rs", ":!src/api", ":!src/card", ":!src/client", ":!src/browser", ":!src/js"];
    problems += &found(repo, "", &outside)?;
    must_be_none(&problems)
}

/// Files of one crate that import each other. What a `mod.rs` hands on is not looked through.
fn circles(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for line in found(repo, "", &["src/*.rs", "sandbox/src/*.rs", "xtask/src/*.rs"])?.lines() {
        let Some((file, text)) = line.split_once(".rs:") else { continue };
        let code = files.entry(file.to_owned()).or_default();
        // A test may name anything, too.
        if !code.ends_with("mod tests {") {
            let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':').trim_start();
            *code += text.split("//").next().unwrap_or_default();
        }
    }
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, code) in &files {
        let paths = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        let paths = paths.filter(|path| path.contains("::") && !path.ends_with("::")).map(str::to_owned);
        let trees = ["crate::{", "super::{"].into_iter().flat_map(|root| {
            let trees = code.split(root).skip(1).filter_map(|rest| rest.split('}').next());
            trees.flat_map(|tree| tree.split(',')).map(|name| root.replace('{', name.trim()))
        });
        let to = paths.chain(trees).filter_map(|path| imported(&files, file, &path)).filter(|to| to != file);
        imports.insert(file, to.collect());
    }
    while let Some(free) = imports.iter().find_map(|(file, to)| {
        let is_end = !to.iter().any(|to| imports.contains_key(to));
        (is_end || !imports.values().any(|to| to.contains(file))).then_some(*file)
    }) {
        imports.remove(free);
    }
    must_be_none(&imports.into_keys().map(|file| format!("{file}.rs is in a circle\n")).collect::<String>())
}

/// The file that a path of a file's code leads to.
fn imported<'a>(files: &'a BTreeMap<String, String>, file: &str, path: &str) -> Option<&'a str> {
    let (mut base, mut rest) = (file.trim_end_matches("/mod"), path);
    if let Some(from_root) = rest.strip_prefix("crate::") {
        (base, rest) = (file.get(..file.find("src/")? + 3)?, from_root);
    }
    while let Some(from_parent) = rest.strip_prefix("super::") {
        (base, rest) = (base.rsplit_once('/')?.0, from_parent);
    }
    let mut place = format!("{base}/{}", rest.replace("::", "/"));
    while !files.contains_key(&place) {
        place.truncate(place.rfind('/')?);
    }
    files.get_key_value(&place).map(|(file, _)| file.as_str())
}

/// Returns the lines in which the pattern is found, of the files that git tracks or would track.
fn found(repo: &Repo, pattern: &str, files: &[&str]) -> anyhow::Result<String> {
    let mut git = repo.command("git");
    git.args(["grep", "--untracked", "-I", "--line-number", "--extended-regexp", "-e", pattern, "--"]);
    let answer = git.args(files).output()?;
    match answer.status.code() {
        Some(0 | 1) => Ok(String::from_utf8_lossy(&answer.stdout).into_owned()),
        _ => bail!("git grep: {}", String::from_utf8_lossy(&answer.stderr)),
    }
}

fn must_be_none(problems: &str) -> anyhow::Result<()> {
    if problems.is_empty() { Ok(()) } else { bail!("{}", problems.trim_end()) }
}

/// Where people's folders begin, and the hosts of registries: this machine's, and any. Not the rest of a
/// longer path or name. Brackets keep this file from being found.
fn machine_traces(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let known = [
        "/[r]oot/",
        "/[h]ome/",
        "/[U]sers/",
        r"C:\\\\?[U]sers\\",
        r"registry\.([n]pmjs|[y]arnpkg)\.",
        r"(static|index)\.[c]rates\.io",
    ];
    let own = std::env::home_dir().into_iter().chain([repo.root.clone()]);
    // Too short a folder means nothing.
    let own =
        own.filter(|folder| folder.components().count() > 2).map(|folder| format!("{}/", folder.display()));
    let registry = output(Command::new("npm").args(["config", "get", "registry"])).unwrap_or_default();
    let host =
        registry.split("://").nth(1).and_then(|rest| rest.trim().split('/').next()?.rsplit('@').next());
    let literal = |text: String| {
        text.chars().map(|c| if c.is_alphanumeric() { c.to_string() } else { format!("[{c}]") }).collect()
    };
    let own: Vec<String> = own.chain(host.map(str::to_owned)).map(literal).collect();
    let traces = [known.join("|"), own.join("|")].join("|");
    must_be_none(&found(repo, &format!("(^|[^]}})[:alnum:]_.*-])({traces})"), &[])?)
}

fn lock_addresses(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let addresses = found(repo, r#""resolved": "http"#, &["*package-lock.json"])?;
    must_be_none(&addresses).context("write it with `npm install --omit-lockfile-registry-resolved`")
}

/// Licences that ask for no more than their text being kept, as `deny.toml` lists them for what is released.
fn licences(repo: &Repo, step: &Step) -> anyhow::Result<()> {
    let deny = read_text(&repo.path("deny.toml"))?;
    let (_, list) = deny.split_once("allow = [").context("deny.toml allows no licence")?;
    let allowed: Vec<&str> = list.split(']').next().into_iter().flat_map(|list| list.split('"')).collect();
    let host = output(repo.rustc().args(["--print", "host-tuple"]))?;
    let mut problems = Vec::new();
    for manifest in ["Cargo.toml", "xtask/wasm-bindgen-tools/Cargo.toml"] {
        let mut cargo = repo.cargo();
        cargo.args(["metadata", "--all-features", "--format-version", "1", "--manifest-path", manifest]);
        cargo.args(["--filter-platform", host.trim(), "--filter-platform", WASM_TARGET]);
        let metadata: Value = serde_json::from_str(&step.read(&mut cargo)?)?;
        for package in metadata["packages"].as_array().context("cargo metadata lists no packages")? {
            let licence = package["license"].as_str().unwrap_or_default();
            if !is_allowed(licence, &allowed) {
                problems.push(format!("{} {} is under `{licence}`", package["name"], package["version"]));
            }
        }
    }
    must_be_none(&problems.join("\n"))
}

/// Whether the expression can be met with allowed licences alone.
fn is_allowed(licence: &str, allowed: &[&str]) -> bool {
    // Old crates write a slash where `OR` is meant.
    Expression::parse(&licence.replace('/', " OR ")).is_ok_and(|expression| {
        expression.evaluate(|requirement| allowed.contains(&requirement.to_string().as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;
    use std::fs;

    /// Runs a check on a repository with this file in it.
    fn problems(name: &str, file: &str, text: &str, check: Check) -> String {
        let root = scratch(name);
        output(Command::new("git").arg("init").current_dir(&root)).unwrap();
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), text).unwrap();
        let repo = Repo { target: root.join(".git"), root, ..Repo::default() };
        repo.step(name, |step| check(&repo, step))
            .err()
            .map_or(String::new(), |error| error.root_cause().to_string())
    }

    #[test]
    fn imports_go_downward_only() {
        for (file, code) in [
            ("src/api/quote.rs", "use crate::client::Retry;"),
            ("src/api/quote.rs", "use super::super::client;"),
            ("src/api/quote.rs", "pub(in crate::client) fn f() {}"),
            ("src/api/quote.rs", "macro_rules! m { () => { $crate::client::now() } }"),
            ("src/card/theme.rs", "use crate::{api, client::Retry};"),
            ("src/card/theme.rs", "use crate::Client;"),
            ("src/client/retry.rs", "fn f(x: js_sys::Promise) {}"),
            ("src/browser/clock.rs", "use crate::js;"),
            ("src/util.rs", "fn f() {}"),
        ] {
            assert_eq!(problems("upward", file, code, layers), format!("{file}:1:{code}"));
        }
        for (file, code) in [
            (
                "src/js/core.rs",
                "use crate::api::Quote;\nfn f() -> crate::browser::Clock { wasm_bindgen::x() }",
            ),
            ("src/card/theme.rs", "use super::super::api::Quote; // not crate::client"),
            ("src/card/theme.rs", "//! See [`crate::client::Client`]. Built on web_sys."),
            ("src/lib.rs", "pub mod api;\npub use crate::js::Core;"),
        ] {
            assert_eq!(problems("downward", file, code, layers), "");
        }
    }

    #[test]
    fn files_that_import_each_other_are_found() {
        let root = scratch("circles");
        output(Command::new("git").arg("init").current_dir(&root)).unwrap();
        fs::create_dir_all(root.join("src/a")).unwrap();
        let repo = Repo { target: root.join(".git"), root, ..Repo::default() };
        let problems = |quote: &str| {
            for (file, text) in [
                ("mod", "pub use quote::Quote;"),
                ("quote", quote),
                ("fields", "use super::{money, record::Record};"),
                ("record", "use crate::a::quote;\n#[cfg(test)]\nmod tests {\nuse super::fields;"),
            ] {
                fs::write(repo.path(&format!("src/a/{file}.rs")), text).unwrap();
            }
            repo.step("circles", |step| circles(&repo, step))
                .err()
                .map(|error| error.root_cause().to_string())
        };
        assert_eq!(problems("use super::Money; // not fields::F"), None);
        let circle = ["fields", "quote", "record"].map(|file| format!("src/a/{file}.rs is in a circle"));
        assert_eq!(problems("fn f() -> super::fields::F {}"), Some(circle.join("\n")));
    }

    #[test]
    fn traces_of_a_machine_are_found() {
        let trace = |text: String| !problems("traces", "a.md", &text, machine_traces).is_empty();
        for text in ["see /HOMEana/x", "\"/HOMEx\"", "file:///HOMEx", "https://registry.NPM.org/vite"] {
            assert!(trace(text.replace("HOME", "home/").replace("NPM", "npmjs")), "{text}");
        }
        for text in ["https://example.com/HOMEabout", "src/HOMEmod.rs", "my-registry.NPM.org"] {
            assert!(!trace(text.replace("HOME", "home/").replace("NPM", "npmjs")), "{text}");
        }
        let lock = "{ \"resolved\": \"https://x\" }";
        assert!(!problems("lock", "a/package-lock.json", lock, lock_addresses).is_empty());
    }

    #[test]
    fn every_part_of_a_licence_must_be_allowed() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"];
        for licence in ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"]
        {
            assert!(is_allowed(licence, &allowed), "{licence}");
        }
        for licence in ["GPL-3.0-only", "MIT AND LGPL-2.1-only", "MIT WITH Classpath-exception-2.0", ""] {
            assert!(!is_allowed(licence, &allowed), "{licence}");
        }
    }
}
