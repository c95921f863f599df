//! Tests that run the wasm in the engines themselves: `wasm-pack test`, in each installed engine.

use anyhow::{Context, ensure};
use serde_json::json;

use super::node::passed_in_cargo;
use crate::engines::{CHROMIUM, Engines};
use crate::process::shown;
use crate::repo::{Repo, write};
use crate::say::say;
use crate::setup::{Part, path_with, program, set_up};

pub(super) fn run(repo: &Repo) -> anyhow::Result<usize> {
    let engines = Engines::set_up(repo)?;
    let chromedriver = set_up(repo, Part::Chromedriver)?.pop().context("Chromium has no driver")?;
    let mut passed = 0;
    for engine in engines.all() {
        say(&format!("\nin {engine}:"));
        let mut wasm_pack = engines.command(repo, program(repo, Part::WasmPack)?);
        wasm_pack.args(["test", "--headless"]).env("PATH", path_with(&program(repo, Part::WasmBindgen)?)?);
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
        let count = passed_in_cargo(&shown(&mut wasm_pack)?);
        ensure!(count > 0, "no test was run in {engine}");
        passed += count;
    }
    Ok(passed)
}
