//! `demo`: sandbox, backend and shop, running; `demo --check` drives one checkout through them.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::process::run_shown;
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox::{Options, Sandbox};
use crate::server::Server;
use crate::setup::{Part, program, set_up};
use crate::{say, shop};

const POLL: Duration = Duration::from_millis(500);
/// How long the checkout and its animations may take on a slow machine.
const CHECK_LIMIT: Duration = Duration::from_secs(600);

/// Sandbox and backend while they run. The backend is dropped first.
pub(crate) struct Demo {
    backend: Server,
    pub(crate) sandbox: Sandbox,
}

impl Demo {
    pub(crate) fn start(repo: &Repo, options: &Options<'_>, logs: &Path) -> anyhow::Result<Demo> {
        let sandbox = Sandbox::start(repo, options, &logs.join("sandbox.log"))?;
        let backend = shop::start_backend(repo, &sandbox, &logs.join("backend.log"))?;
        Ok(Demo { backend, sandbox })
    }

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

    pub(crate) fn stop(self) -> anyhow::Result<()> {
        self.backend.stop()?;
        self.sandbox.0.stop()
    }
}

pub(crate) fn show(repo: &Repo) -> anyhow::Result<()> {
    shop::build_all(repo)?;
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
        demo.sandbox.0.still_runs()?;
        demo.backend.still_runs()?;
        sleep(POLL);
    }
}

pub(crate) fn check(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let chromium = program(repo, Part::Chromium)?;
    set_up(repo, Part::Npm("tests/e2e"))?;
    shop::build_all(repo)?;

    let folder = repo.target.join("demo-check");
    fresh_folder(&folder)?;
    let database = folder.join("sandbox.db");
    let options = Options { database: Some(&database), ..Options::default() };
    let demo = Demo::start(repo, &options, &folder)?;
    say::say("the checkout, in headless Chromium:");
    let pictures = folder.join("output");
    let mut node = repo.command("node");
    node.arg("tests/e2e/demo-check.mjs").envs(demo.script_env(chromium, pictures.clone())?);
    let (text, outcome) = run_shown(&mut node, CHECK_LIMIT)?;
    outcome?;
    let shown = Transfer::last_in(&text)?;
    shown.must_be_among(&demo.sandbox.get("/sandbox/transfers")?)?;
    demo.stop()?;

    // Another process reads the same file: the first one may have kept the transfer in memory alone.
    repo.step("the database, read again", |_| {
        let sandbox = Sandbox::start(repo, &options, &folder.join("sandbox-again.log"))?;
        shown.must_be_among(&sandbox.get("/sandbox/transfers")?)?;
        sandbox.0.stop()
    })?;
    report.set("transferId", shown.id.as_str());
    report.set("confirmationNumber", shown.confirmation.as_str());
    report.set("database", json!(database));
    report.set("pictures", json!(pictures));
    say::say(&format!("the database: {}", database.display()));
    say::say(&format!("the pictures: {} (moments/ beside the steps)", pictures.display()));
    say::result(&format!("demo: transfer {} recorded, confirmation {}", shown.id, shown.confirmation));
    Ok(())
}

#[derive(Debug, PartialEq)]
struct Transfer {
    id: String,
    confirmation: String,
}

impl Transfer {
    fn of(record: &Value) -> Option<Transfer> {
        let text = |key: &str| match record.get(key)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        Some(Transfer { id: text("transferId")?, confirmation: text("confirmationNumber")? })
    }

    /// Reads the last line of a script's output that is JSON.
    fn last_in(output: &str) -> anyhow::Result<Transfer> {
        let line: Option<Value> = output.lines().rev().find_map(|line| serde_json::from_str(line).ok());
        line.and_then(|line| Transfer::of(&line)).context("the check printed no recorded transfer")
    }

    /// Fails unless the records have it exactly once, with the same confirmation number.
    fn must_be_among(&self, records: &Value) -> anyhow::Result<()> {
        let records = records.as_array().into_iter().flatten().filter_map(Transfer::of);
        let same: Vec<Transfer> = records.filter(|record| record.id == self.id).collect();
        ensure!(matches!(&*same, [one] if one == self), "the shop showed {self:?}, recorded is {same:?}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_json_line_must_be_recorded_exactly_once() {
        let line = |id: &str, number: Value| json!({ "transferId": id, "confirmationNumber": number });
        let output = format!("step 1\n{}\nstep 2\n{}\nbye\n", line("a", json!(1)), line("b", json!(9)));
        let shown = Transfer::last_in(&output).unwrap();
        let (record, other) = (line("b", json!("9")), line("a", json!("1")));
        shown.must_be_among(&json!([other, record])).unwrap();
        for records in [json!([other]), json!([record, record]), json!([line("b", json!("7"))]), json!({})] {
            assert!(shown.must_be_among(&records).is_err(), "{records}");
        }
        assert!(Transfer::last_in("done\n").is_err());
        assert!(Transfer::last_in(&line("", json!("1")).to_string()).is_err());
    }
}
