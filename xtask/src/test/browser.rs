//! Tests that run the wasm in the engines themselves: `wasm-pack test`, in each installed engine.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::json;

use super::node::passed_in_cargo;
use crate::engines::{CHROMIUM, Engines};
use crate::process::{run_shown, shown};
use crate::repo::{Repo, WASM_TARGET, write};
use crate::say::say;
use crate::setup::{Part, path_with, program, set_up};

/// The tests that run in a page, and how long that page may take, loading included.
const TARGETS: [(&str, Duration); 2] =
    [("card_frame", Duration::from_secs(240)), ("fetch", Duration::from_secs(90))];
/// How often a page is opened at most.
const LOADS: usize = 5;

pub(super) fn run(repo: &Repo) -> anyhow::Result<usize> {
    let engines = Engines::set_up(repo)?;
    let chromedriver = set_up(repo, Part::Chromedriver)?.pop().context("Chromium has no driver")?;
    // Building has no limit.
    shown(repo.cargo().args(["build", "--tests", "--package", "remitkit", "--target", WASM_TARGET]))?;
    let mut passed = 0;
    for engine in engines.all() {
        say(&format!("\nin {engine}:"));
        let wasm_pack = || -> anyhow::Result<Command> {
            let mut wasm_pack = engines.command(repo, program(repo, Part::WasmPack)?);
            wasm_pack
                .args(["test", "--headless"])
                .env("PATH", path_with(&program(repo, Part::WasmBindgen)?)?);
            match engine {
                CHROMIUM => {
                    // Tells the driver which browser to use.
                    let file = repo.tools().join("webdriver.json");
                    let options = json!({ "goog:chromeOptions": { "binary": engines.program(CHROMIUM)? } });
                    write(&file, options.to_string())?;
                    wasm_pack.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
                    wasm_pack.args(["--chrome", "--chromedriver"]).arg(&chromedriver)
                }
                "firefox" => wasm_pack.args(["--firefox", "--geckodriver"]).arg(engines.program(engine)?),
                _ => wasm_pack.args(["--safari", "--safaridriver"]).arg(engines.program(engine)?),
            };
            wasm_pack.arg("--");
            Ok(wasm_pack)
        };
        for (target, limit) in TARGETS {
            let count = passed_in_cargo(&loaded(wasm_pack()?.args(["--test", target]), limit)?);
            ensure!(count > 0, "no test of {target} was run in {engine}");
            passed += count;
        }
    }
    Ok(passed)
}

/// Runs the tests of a page, and again where it did not load: the server of wasm-bindgen's runner leaves one of
/// several connections at once without an answer, time and again.
fn loaded(wasm_pack: &mut Command, limit: Duration) -> anyhow::Result<String> {
    for _ in 1..LOADS {
        let (text, outcome) = run_shown(wasm_pack, limit)?;
        if outcome.is_ok() || text.contains("running ") {
            return outcome.map(|()| text);
        }
        say("the page with the tests did not load; it is opened again");
    }
    shown(wasm_pack)
}
