//! `demo`: sandbox, backend and shop, running; `demo --check` drives one checkout through them.

use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::process::{output, replace_this_process, run_shown};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::setup::{Part, program};
use crate::{sandbox, say, shop};

/// How long the checkout and its animations may take on a slow machine.
const CHECK_LIMIT: Duration = Duration::from_secs(600);

pub(crate) fn show(repo: &Repo) -> anyhow::Result<()> {
    shop::build_all(repo, &[])?;
    replace_this_process(repo.command("node").arg("www/demo.mjs").arg(sandbox::program(repo)))
}

pub(crate) fn check(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    shop::build_all(repo, &[Part::Chromium, Part::Npm("tests/e2e")])?;
    check_built(repo, report)
}

/// Drives the checkout of a shop that is built.
pub(crate) fn check_built(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let chromium = program(repo, Part::Chromium)?;

    let folder = repo.target.join("demo-check");
    fresh_folder(&folder)?;
    let database = folder.join("sandbox.db");
    say::say("the checkout, in headless Chromium:");
    let pictures = folder.join("output");
    let mut node = repo.command("node");
    node.arg("tests/e2e/demo-check.mjs").env("CHROMIUM", chromium).env("OUTPUT_DIR", &pictures);
    node.env("SANDBOX", sandbox::program(repo)).env("DATABASE", &database);
    let (text, outcome) = run_shown(&mut node, CHECK_LIMIT)?;
    outcome?;
    let shown: Option<Value> = text.lines().rev().find_map(|line| serde_json::from_str(line).ok());
    let shown = shown.context("the check printed no recorded transfer")?;

    // From the file: the process may have kept the transfer in memory alone.
    let mut list = repo.command(sandbox::program(repo));
    let listed = output(list.arg("--db").arg(&database).arg("--list-transfers"))?;
    let (id, confirmation) = (&shown["transferId"], &shown["confirmationNumber"]);
    ensure!(is_recorded_once(id, &listed), "the shop showed transfer {id}, recorded is\n{listed}");
    report.set("transferId", id.clone());
    report.set("confirmationNumber", confirmation.clone());
    report.set("database", json!(database));
    report.set("pictures", json!(pictures));
    say::say(&format!("the database: {}", database.display()));
    say::say(&format!("the pictures: {} (moments/ beside the steps)", pictures.display()));
    let [id, confirmation] = [id, confirmation].map(|text| text.as_str().unwrap_or_default());
    say::result(&format!("demo: transfer {id} recorded, confirmation {confirmation}"));
    Ok(())
}

/// Whether the sandbox's list of transfers, a line of JSON for each, has the transfer exactly once.
fn is_recorded_once(id: &Value, listed: &str) -> bool {
    let records = listed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    id.is_string() && records.filter(|record| record["transferId"] == *id).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_must_be_recorded_exactly_once() {
        let listed = "{\"transferId\":\"a\"}\n{\"transferId\":\"b\"}\n{\"transferId\":\"b\"}\n{}\n";
        let are_once = ["a", "b", "c"].map(|id| is_recorded_once(&json!(id), listed));
        assert_eq!(are_once, [true, false, false]);
        assert!(!is_recorded_once(&Value::Null, listed));
    }
}
