//! Tests that run the wasm in the engines themselves: `wasm-pack test`, in each installed engine.

use std::collections::VecDeque;
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use serde_json::json;

use super::attempt::Attempt;
use super::units::{Nature, Units};
use crate::engines::{CHROMIUM, Engines};
use crate::process::shown;
use crate::repo::{Repo, WASM_TARGET, write};
use crate::setup::{Part, path_with, program, set_up};

/// The tests that run in a page, each with its file.
const TARGETS: [(&str, &str); 3] =
    [("card_frame", "tests/card_frame/main.rs"), ("fetch", "tests/fetch.rs"), ("js", "tests/js.rs")];
/// `tests/js.rs` needs it. All use it, so that the crate is built once.
const FEATURES: [&str; 2] = ["--features", "js"];
const SERVER_THREADS: usize = 4;
const TURN: Duration = Duration::from_millis(100);

pub(super) fn run<'c>(repo: &'c Repo, units: &mut Units<'c>) -> anyhow::Result<()> {
    for engine in Engines::set_up(repo)?.all() {
        for (target, file) in TARGETS {
            let name = units.test_name();
            units.unit(&format!("{file} in {engine}"), Nature::Timed, move || {
                // Building has no limit.
                let build = ["build", "--tests", "--package", "remitkit", "--target", WASM_TARGET];
                shown(repo.cargo().args(build).args(FEATURES))?;
                let mut wasm_pack = wasm_pack(repo, engine)?;
                wasm_pack.args(FEATURES).args(["--test", target]);
                if let Some(name) = name {
                    wasm_pack.args(["--", name]);
                }
                in_page(&mut wasm_pack)
            })?;
        }
    }
    Ok(())
}

fn wasm_pack(repo: &Repo, engine: &str) -> anyhow::Result<Command> {
    let engines = Engines::set_up(repo)?;
    let mut wasm_pack = engines.command(repo, program(repo, Part::WasmPack)?);
    wasm_pack.args(["test", "--headless"]).env("PATH", path_with(&program(repo, Part::WasmBindgen)?)?);
    match engine {
        CHROMIUM => {
            // Tells the driver which browser to use.
            let file = repo.tools().join("webdriver.json");
            let options = json!({ "goog:chromeOptions": { "binary": engines.program(CHROMIUM)? } });
            write(&file, options.to_string())?;
            wasm_pack.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
            let chromedriver = set_up(repo, Part::Chromedriver)?.pop().context("Chromium has no driver")?;
            wasm_pack.args(["--chrome", "--chromedriver"]).arg(&chromedriver)
        }
        "firefox" => wasm_pack.args(["--firefox", "--geckodriver"]).arg(engines.program(engine)?),
        _ => wasm_pack.args(["--safari", "--safaridriver"]).arg(engines.program(engine)?),
    };
    wasm_pack.arg("--");
    Ok(wasm_pack)
}

/// Runs the tests of a page: `wasm-pack test`, while idle connections come to its server and go.
///
/// That server has four threads and more on demand. It counts a thread as free that it has woken for another
/// connection, so of several at once one may wait until some other connection ends. Each idle connection that
/// ends frees a thread, which answers one that waits: none waits much longer than a `TURN`, where up to five
/// seconds were measured beside idle connections that stay.
fn in_page(wasm_pack: &mut Command) -> anyhow::Result<Attempt> {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut idle = VecDeque::new();
            while !is_done.load(Ordering::Relaxed) {
                idle.extend(TcpStream::connect(address));
                if idle.len() > SERVER_THREADS {
                    idle.pop_front();
                }
                thread::sleep(TURN);
            }
        });
        let attempt = Attempt::of_cargo(wasm_pack.env("WASM_BINDGEN_TEST_ADDRESS", address.to_string()));
        is_done.store(true, Ordering::Relaxed);
        Ok(attempt)
    })
}
