//! The tests that run the wasm in the engines themselves: `wasm-pack test`, in each engine that is there.

use anyhow::{Context, ensure};
use serde_json::json;

use super::node::passed_in_cargo;
use crate::command::run_shown;
use crate::engines::{CHROMIUM, Engines};
use crate::repo::{Repo, write};
use crate::say::say;
use crate::setup::{Part, program, set_up};

/// Runs them in each engine; returns how many have passed in all of them together.
pub(super) fn run(repo: &Repo) -> anyhow::Result<usize> {
    let engines = Engines::set_up(repo)?;
    let wasm_bindgen = program(repo, Part::WasmBindgen)?;
    let folder = wasm_bindgen.parent().context("wasm-bindgen lies in no folder")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([folder.to_owned()].into_iter().chain(std::env::split_paths(&path)))?;
    let chromedriver = set_up(repo, Part::Chromedriver)?.pop().context("Chromium has no driver")?;
    let mut passed = 0;
    for engine in engines.all() {
        say(&format!("\nin {engine}:"));
        let mut wasm_pack = engines.command(repo, program(repo, Part::WasmPack)?);
        wasm_pack.args(["test", "--headless"]).env("PATH", &path);
        match engine {
            CHROMIUM => {
                // Tells the driver which browser to use.
                let file = repo.tools().join("webdriver.json");
                let capabilities = json!({ "goog:chromeOptions": { "binary": engines.program(CHROMIUM)? } });
                write(&file, capabilities.to_string())?;
                wasm_pack.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
                wasm_pack.args(["--chrome", "--chromedriver"]).arg(&chromedriver)
            }
            "firefox" => wasm_pack.args(["--firefox", "--geckodriver"]).arg(engines.program(engine)?),
            _ => wasm_pack.args(["--safari", "--safaridriver"]).arg(engines.program(engine)?),
        };
        let (text, outcome) = run_shown(&mut wasm_pack, None)?;
        outcome?;
        let count = passed_in_cargo(&text);
        ensure!(count > 0, "no test was run in {engine}");
        passed += count;
    }
    Ok(passed)
}
