//! `check`: what can be judged without running anything. All checks run, so that all problems are seen at
//! once.

mod package_layers;
mod page_reads;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};
use serde_json::Value;
use spdx::Expression;

use crate::process::output;
use crate::repo::{Repo, WASM_TARGET, read_text};
use crate::report::{self, Report};
use crate::say::{say, seconds};
use crate::steps::Step;
use crate::{pack, safeguards, setup, shop};

/// Fails with one problem a line, or reports problems in the step's log.
type Check = fn(&Repo, &Step) -> anyhow::Result<()>;

/// What takes no more than three minutes where nothing was built before.
const GATE: [(&str, Check); 13] = [
    ("format", format),
    ("layers of the crate", layers),
    ("layers of the package", package_layers),
    ("circles of imports", circles),
    ("single reads of a page", single_reads),
    ("machine paths and registry hosts in tracked files", machine_traces),
    ("npm lock files without addresses", lock_addresses),
    ("scripts", scripts),
    ("licenses of dependencies", licenses),
    ("lints, native", |repo, step| clippy(repo, step, &["--workspace", "--all-targets"])),
    ("lints, wasm", |repo, step| clippy(repo, step, &[&WASM[..], &["--all-targets"]].concat())),
    ("lints, simulation", simulation),
    ("types of the shop", types),
];

const DOCS: [(&str, Check); 2] = [
    ("docs, native", |repo, step| docs(repo, step, &["--package", "remitkit", "--features", "testing"])),
    // The browser's layers exist for wasm alone.
    ("docs, wasm", |repo, step| docs(repo, step, &WASM)),
];

const WASM: [&str; 6] = ["--package", "remitkit", "--features", "js", "--target", WASM_TARGET];
const SIMULATION: [&str; 4] = ["--package", "remitkit", "--test", "simulate"];

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    all(repo, &[&GATE[..], &DOCS].concat(), report)
}

/// What must hold before any test runs: everything has its format, compiles, parses, and imports only what it
/// may.
pub(crate) fn gate(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let start = Instant::now();
    all(repo, &GATE, report).context("the gate, before any test")?;
    say(&format!("the gate took {}", seconds(start.elapsed())));
    Ok(())
}

fn all(repo: &Repo, checks: &[(&str, Check)], report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    setup::prepare(repo, &[shop::WWW])?;
    let mut entries: Vec<Value> = Vec::new();
    let mut failed: Vec<&str> = Vec::new();
    for (name, check) in checks {
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
    // These are not in the workspace.
    for manifest in ["xtask/wasm-bindgen-tools/Cargo.toml", "examples/leptos/Cargo.toml"] {
        step.run(repo.cargo().args(["fmt", "--check", "--manifest-path", manifest]))?;
    }
    Ok(())
}

fn clippy(repo: &Repo, step: &Step, what: &[&str]) -> anyhow::Result<()> {
    step.run(repo.cargo().arg("clippy").args(what).args(["--", "-D", "warnings"]))
}

/// The simulation, which is no part of `--all-targets`, and what it is without a safeguard.
fn simulation(repo: &Repo, step: &Step) -> anyhow::Result<()> {
    clippy(repo, step, &SIMULATION)?;
    step.run(safeguards::cargo(repo)?.arg("check").args(SIMULATION))
}

/// Whether every script can be parsed, in whichever language.
fn scripts(repo: &Repo, step: &Step) -> anyhow::Result<()> {
    let mut node = repo.command("node");
    node.args(["--experimental-vm-modules", "--no-warnings", "xtask/src/check/scripts.mjs"]);
    step.run(&mut node)?;
    for name in [".ci/bare", ".ci/run"] {
        step.run(repo.command("bash").args(["-n", name]))?;
    }
    let parse = "import ast, sys\nast.parse(open(sys.argv[1]).read(), sys.argv[1])";
    step.run(repo.command("python3").args(["-c", parse, "tests/standard-clients/run.py"]))
}

/// The shop's types against those of the package, which need no wasm.
fn types(repo: &Repo, step: &Step) -> anyhow::Result<()> {
    let config = pack::types::config(repo, step)?;
    let tsc = repo.path("www/node_modules/typescript/bin/tsc");
    step.run(repo.command("node").arg(tsc).args(["--noEmit", "--project"]).arg(config))
}

fn docs(repo: &Repo, step: &Step, what: &[&str]) -> anyhow::Result<()> {
    step.run(repo.cargo().args(["doc", "--no-deps"]).args(what).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The layers of the crate, `api` and `card` ← `client` ← `browser` ← `js`, each with the ones that it must
/// not import. `card` may import the errors of `api`, but not the other way round.
const UPWARD: [(&str, &str); 5] = [
    ("src/api", "card|client|browser|js|testing"),
    ("src/card", "client|browser|js|testing"),
    ("src/client", "browser|js|testing"),
    ("src/browser", "js|testing"),
    ("src/testing", "card|browser|js"),
];
const BROWSER_CRATES: &str = "(wasm_bindgen|serde_wasm_bindgen|js_sys|web_sys|gloo)";

/// Matches lines, not syntax: in the form that rustfmt gives them, this is enough.
fn layers(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    // The part of a line before the match, which must not be in a comment.
    let code = "^(([^/]|/[^/])*[^[:alnum:]_/])?";
    let mut problems = String::new();
    for (layer, upward) in UPWARD {
        let import = format!("{code}(crate|super)::({upward})([^[:alnum:]_]|$)");
        problems += &grep(repo, &import, &[layer])?;
    }
    problems += &grep(repo, &format!("{code}{BROWSER_CRATES}"), &["src/api", "src/card", "src/client"])?;
    // Imports name a layer, not the whole crate, and each file is in a layer.
    problems += &grep(repo, &format!("{code}crate::[{{*[:upper:]]"), &["src", ":!src/lib.rs"])?;
    let outside = ["src/*.rs", ":!src/lib.rs", ":!src/api", ":!src/card", ":!src/client", ":!src/browser"];
    problems += &grep(repo, "", &[&outside[..], &[":!src/js", ":!src/testing"]].concat())?;
    must_be_empty(&problems)
}

/// Finds imports of the package's scripts and types that go up or sideways.
fn package_layers(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let import = r#"(^|[^[:alnum:]_])(from|import)[ (]*"\.\.?/"#;
    let lines = grep(repo, import, &["pkg-template/*.js", "pkg-template/*.ts"])?;
    let upward = lines.lines().filter(|line| package_layers::is_upward(line)).collect::<Vec<_>>();
    must_be_empty(&upward.join("\n"))
}

/// Finds files of one crate that import each other. Re-exports of a `mod.rs` are not followed.
fn circles(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for line in grep(repo, "", &["src/*.rs", "sandbox/src/*.rs", "xtask/src/*.rs"])?.lines() {
        let Some((file, text)) = line.split_once(".rs:") else { continue };
        let code = files.entry(file.to_owned()).or_default();
        // Tests may import anything.
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
    // Removes files that import none of the rest, or that none of the rest imports.
    while let Some(free) = imports.iter().find_map(|(file, to)| {
        let is_leaf = !to.iter().any(|to| imports.contains_key(to));
        (is_leaf || !imports.values().any(|to| to.contains(file))).then_some(*file)
    }) {
        imports.remove(free);
    }
    must_be_empty(&imports.into_keys().map(|file| format!("{file}.rs is in a circle\n")).collect::<String>())
}

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

/// Finds reads of a page that a slower machine makes too early.
fn single_reads(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let all = grep(repo, "", &["tests/e2e/*.test.mjs", "tests/package/*.test.mjs"])?;
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in all.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(file), Some(_), Some(text)) = (parts.next(), parts.next(), parts.next()) else { continue };
        files.entry(file).or_default().push(text);
    }
    let found = files.iter().flat_map(|(file, lines)| {
        let numbers = page_reads::single_reads(lines).into_iter();
        numbers.map(move |at| format!("{file}:{}:{}\n", at + 1, lines.get(at).unwrap_or(&"").trim()))
    });
    must_be_empty(&found.collect::<String>())
        .context("wait with tests/e2e/support/shown.mjs, or say above the line `// settled: why`")
}

/// Returns the matching lines of all files that git tracks or would track.
fn grep(repo: &Repo, pattern: &str, files: &[&str]) -> anyhow::Result<String> {
    let mut git = repo.command("git");
    git.args(["grep", "--untracked", "-I", "--line-number", "--extended-regexp", "-e", pattern, "--"]);
    let answer = git.args(files).output()?;
    match answer.status.code() {
        Some(0 | 1) => Ok(String::from_utf8_lossy(&answer.stdout).into_owned()),
        _ => bail!("git grep: {}", String::from_utf8_lossy(&answer.stderr)),
    }
}

fn must_be_empty(problems: &str) -> anyhow::Result<()> {
    if problems.is_empty() { Ok(()) } else { bail!("{}", problems.trim_end()) }
}

/// Finds paths of home folders and hosts of registries, this machine's and common ones, unless they are part
/// of a longer path or name. The brackets keep this file from being found.
fn machine_traces(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let common = [
        "/[r]oot/",
        "/[h]ome/",
        "/[U]sers/",
        r"C:\\\\?[U]sers\\",
        r"registry\.([n]pmjs|[y]arnpkg)\.",
        r"(static|index)\.[c]rates\.io",
    ];
    let own = std::env::home_dir().into_iter().chain([repo.root.clone()]);
    // A shorter folder, such as `/srv`, identifies no machine.
    let own =
        own.filter(|folder| folder.components().count() > 2).map(|folder| format!("{}/", folder.display()));
    let registry = output(Command::new("npm").args(["config", "get", "registry"])).unwrap_or_default();
    let host =
        registry.split("://").nth(1).and_then(|rest| rest.trim().split('/').next()?.rsplit('@').next());
    let literal = |text: String| {
        text.chars().map(|c| if c.is_alphanumeric() { c.to_string() } else { format!("[{c}]") }).collect()
    };
    let own: Vec<String> = own.chain(host.map(str::to_owned)).map(literal).collect();
    let traces = [common.join("|"), own.join("|")].join("|");
    must_be_empty(&grep(repo, &format!("(^|[^]}})[:alnum:]_.*-])({traces})"), &[])?)
}

fn lock_addresses(repo: &Repo, _: &Step) -> anyhow::Result<()> {
    let addresses = grep(repo, r#""resolved": "http"#, &["*package-lock.json"])?;
    must_be_empty(&addresses).context("write it with `npm install --omit-lockfile-registry-resolved`")
}

fn licenses(repo: &Repo, step: &Step) -> anyhow::Result<()> {
    let deny = read_text(&repo.path("deny.toml"))?;
    let (_, list) = deny.split_once("allow = [").context("deny.toml allows no license")?;
    let allowed: Vec<&str> = list.split(']').next().into_iter().flat_map(|list| list.split('"')).collect();
    let host = output(repo.rustc().args(["--print", "host-tuple"]))?;
    let mut problems = Vec::new();
    for manifest in ["Cargo.toml", "xtask/wasm-bindgen-tools/Cargo.toml"] {
        let mut cargo = repo.cargo();
        cargo.args(["metadata", "--all-features", "--format-version", "1", "--manifest-path", manifest]);
        cargo.args(["--filter-platform", host.trim(), "--filter-platform", WASM_TARGET]);
        let metadata: Value = serde_json::from_str(&step.read(&mut cargo)?)?;
        for package in metadata["packages"].as_array().context("cargo metadata lists no packages")? {
            let license = package["license"].as_str().unwrap_or_default();
            if !is_allowed(license, &allowed) {
                problems.push(format!("{} {} is under `{license}`", package["name"], package["version"]));
            }
        }
    }
    must_be_empty(&problems.join("\n"))
}

/// Whether the expression can be satisfied with allowed licenses alone.
fn is_allowed(license: &str, allowed: &[&str]) -> bool {
    // Old crates write a slash for `OR`.
    Expression::parse(&license.replace('/', " OR ")).is_ok_and(|expression| {
        expression.evaluate(|requirement| allowed.contains(&requirement.to_string().as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;
    use std::fs;

    fn problems(name: &str, files: &[(&str, &str)], check: Check) -> String {
        let root = scratch(name);
        output(Command::new("git").arg("init").current_dir(&root)).unwrap();
        for (file, text) in files {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        let repo = Repo { target: root.join(".git"), root, ..Repo::default() };
        let outcome = repo.step(name, |step| check(&repo, step));
        outcome.err().map_or(String::new(), |error| error.root_cause().to_string())
    }

    #[test]
    fn upward_imports_are_found() {
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
            assert_eq!(problems("upward", &[(file, code)], layers), format!("{file}:1:{code}"));
        }
        let core = "use crate::api::Quote;\nfn f() -> crate::browser::Clock { wasm_bindgen::x() }";
        for (file, code) in [
            ("src/js/core.rs", core),
            ("src/card/theme.rs", "use super::super::api::Quote; // not crate::client"),
            ("src/card/theme.rs", "//! See [`crate::client::Client`]. Built on web_sys."),
            ("src/lib.rs", "pub mod api;\npub use crate::js::Core;"),
        ] {
            assert_eq!(problems("downward", &[(file, code)], layers), "");
        }
    }

    #[test]
    fn upward_imports_of_the_package_are_found() {
        for (file, code) in [
            ("errors/errors.js", r#"import { toJson } from "../input/plain.js";"#),
            ("card/card-form.js", r#"} from "../transfer/transfer-part.js";"#),
            ("module/parts.js", r#"const later = () => import("../card/card-form.js");"#),
            ("jsx/vue.d.ts", r#"type Both = import("../fields.js").One & import("../react.js").Other;"#),
            ("element.js", r#"export { define } from "./fields.js";"#),
            ("server/token.js", r#"import "../other/unknown.js";"#),
            ("other/unknown.js", r#"import "../errors/errors.js";"#),
        ] {
            let file = format!("pkg-template/{file}");
            assert_eq!(problems("package-up", &[(&file, code)], package_layers), format!("{file}:1:{code}"));
        }
        for (file, code) in [
            ("card/card-form.js", r#"import { EventLog } from "./event-log.js";"#),
            ("fields/amount/define-amount.js", r#"import { texts } from "../texts.js";"#),
            ("fields/amount/define-amount.js", r#"import { failure } from "../../errors/errors.js";"#),
            ("element.js", r#"export { define } from "./element/define.js";"#),
            ("react/provider.js", r#"const load = () => import("remitkit");"#),
        ] {
            let file = format!("pkg-template/{file}");
            assert_eq!(problems("package-down", &[(&file, code)], package_layers), "");
        }
    }

    #[test]
    fn files_that_import_each_other_are_found() {
        let problems = |quote: &str| {
            let files = [
                ("src/a/mod.rs", "pub use quote::Quote;"),
                ("src/a/quote.rs", quote),
                ("src/a/fields.rs", "use super::{money, record::Record};"),
                ("src/a/record.rs", "use crate::a::quote;\n#[cfg(test)]\nmod tests {\nuse super::fields;"),
            ];
            problems("circles", &files, circles)
        };
        assert_eq!(problems("use super::Money; // not fields::F"), "");
        let circle = ["fields", "quote", "record"].map(|file| format!("src/a/{file}.rs is in a circle"));
        assert_eq!(problems("fn f() -> super::fields::F {}"), circle.join("\n"));
    }

    #[test]
    fn single_reads_of_tests_are_found_with_their_place() {
        let text = "await page.goto(url);\nassert.equal(await total.innerText(), text);";
        let found = |file| problems("reads", &[(file, text)], single_reads);
        for file in ["tests/e2e/saved.test.mjs", "tests/package/fields.test.mjs"] {
            assert_eq!(found(file), format!("{file}:2:assert.equal(await total.innerText(), text);"));
        }
        assert_eq!(found("tests/e2e/support/shown.mjs"), "");
    }

    #[test]
    fn traces_of_a_machine_are_found() {
        let is_found = |text: &str| {
            let text = text.replace("HOME", "home/").replace("NPM", "npmjs");
            !problems("traces", &[("a.md", &text)], machine_traces).is_empty()
        };
        for text in ["see /HOMEana/x", "\"/HOMEx\"", "file:///HOMEx", "https://registry.NPM.org/vite"] {
            assert!(is_found(text), "{text}");
        }
        for text in ["https://example.com/HOMEabout", "src/HOMEmod.rs", "my-registry.NPM.org"] {
            assert!(!is_found(text), "{text}");
        }
        let lock = [("a/package-lock.json", "{ \"resolved\": \"https://x\" }")];
        assert!(!problems("lock", &lock, lock_addresses).is_empty());
    }

    #[test]
    fn every_part_of_a_license_must_be_allowed() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"];
        for license in ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR 0BSD) AND Unicode-3.0"] {
            assert!(is_allowed(license, &allowed), "{license}");
        }
        for license in ["GPL-3.0-only", "MIT AND LGPL-2.1-only", "MIT WITH Classpath-exception-2.0", ""] {
            assert!(!is_allowed(license, &allowed), "{license}");
        }
    }
}
