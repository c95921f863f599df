//! `demo`: sandbox, backend and shop, running; and `demo --check`, which goes through them once.

mod recorded;

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::command;
use crate::pack::{self, Core};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox::{self, Options, Sandbox};
use crate::say;
use crate::server::Server;
use crate::setup::{self, Browser, NodeModules};
use crate::shop;
use crate::steps::Steps;
use recorded::Transfer;

const POLL: Duration = Duration::from_millis(500);
/// How long the walk through the shop and its moments may take on a slow machine.
const CHECK_LIMIT: Duration = Duration::from_secs(600);

/// Sandbox and backend while they run. The backend goes first.
pub(crate) struct Demo {
    pub(crate) backend: Server,
    pub(crate) sandbox: Sandbox,
}

impl Demo {
    pub(crate) fn start(repo: &Repo, options: &Options<'_>, logs: &std::path::Path) -> anyhow::Result<Demo> {
        let sandbox = Sandbox::start(repo, options, &logs.join("sandbox.log"))?;
        let backend = shop::start_backend(repo, &sandbox, &logs.join("backend.log"))?;
        Ok(Demo { backend, sandbox })
    }

    /// What the end-to-end scripts read.
    pub(crate) fn script_env(
        &self,
        chromium: PathBuf,
        output: PathBuf,
    ) -> anyhow::Result<[(&'static str, PathBuf); 5]> {
        Ok([
            ("SHOP_URL", self.backend.ready("url")?.into()),
            ("SANDBOX_BASE_URL", self.sandbox.base_url()?.into()),
            ("SANDBOX_CARD_URL", self.sandbox.card_url()?.into()),
            ("CHROMIUM", chromium),
            ("OUTPUT_DIR", output),
        ])
    }

    fn still_runs(&mut self) -> anyhow::Result<()> {
        self.sandbox.still_runs()?;
        self.backend.still_runs()
    }
}

const BUILD_STEPS: usize = pack::SET_UP_STEPS
    + shop::SET_UP_STEPS
    + pack::BUILD_STEPS
    + 1 // the sandbox
    + shop::BUILD_STEPS;

pub(crate) fn show(repo: &Repo) -> anyhow::Result<()> {
    let mut steps = repo.steps(BUILD_STEPS);
    let lock = repo.lock()?;
    build(repo, &mut steps)?;
    drop(lock);
    let logs = repo.target.join("demo");
    let mut demo = Demo::start(repo, &Options::default(), &logs)?;
    say::say("");
    say::result(&format!("The shop:      {}", demo.backend.ready("url")?));
    say::result(&format!("The sandbox:   {}", demo.sandbox.base_url()?));
    say::result(&format!("The card form: {}", demo.sandbox.card_url()?));
    say::say(&format!(
        "\nPay with card 4111 1111 1111 1111, any future date, any code. Nothing here is real money.\n\
         Logs are in {}. Stop with Ctrl-C.",
        logs.display()
    ));
    loop {
        demo.still_runs()?;
        sleep(POLL);
    }
}

pub(crate) fn check(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let mut steps = repo.steps(BUILD_STEPS + 3);
    let lock = repo.lock()?;
    let chromium = setup::set_up_program(repo, &mut steps, &Browser { with_driver: false })?;
    setup::set_up(repo, &mut steps, &NodeModules::of("tests/e2e"))?;
    build(repo, &mut steps)?;
    drop(lock);

    let folder = repo.target.join("demo-check");
    fresh_folder(&folder)?;
    let database = folder.join("sandbox.db");
    let options = Options { database: Some(&database), ..Options::default() };
    let demo = Demo::start(repo, &options, &folder)?;
    say::say("the checkout, in headless Chromium:");
    let pictures = folder.join("output");
    let (text, outcome) = command::run_shown(
        repo.command("node")
            .arg("tests/e2e/demo-check.mjs")
            .envs(demo.script_env(chromium, pictures.clone())?),
        Some(CHECK_LIMIT),
    )?;
    outcome?;
    let shown = Transfer::last_shown(&text)?;
    shown.must_be_recorded(demo.sandbox.base_url()?)?;
    demo.backend.stop()?;
    demo.sandbox.stop()?;

    // What a server says while it runs may be in its memory alone: another one reads the same file.
    steps.run("the database, read again", |_| {
        let again = Sandbox::start(repo, &options, &folder.join("sandbox-again.log"))?;
        shown.must_be_recorded(again.base_url()?)?;
        again.stop()
    })?;
    report.set("transferId", json!(shown.id));
    report.set("confirmationNumber", json!(shown.confirmation));
    report.set("database", json!(database));
    report.set("pictures", json!(pictures));
    say::say(&format!("the database: {}", database.display()));
    say::say(&format!("the pictures: {} (moments/ beside the steps)", pictures.display()));
    say::result(&format!("demo: transfer {} recorded, confirmation {}", shown.id, shown.confirmation));
    Ok(())
}

fn build(repo: &Repo, steps: &mut Steps) -> anyhow::Result<()> {
    let wasm_bindgen = pack::set_up(repo, steps)?;
    shop::set_up(repo, steps)?;
    let package = pack::build(repo, steps, &wasm_bindgen, Core::Real)?;
    sandbox::build(repo, steps)?;
    shop::build(repo, steps, &package)
}
