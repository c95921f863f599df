//! `size` (`tests/size`): what a checkout page downloads, by origin, against its budget, and what competing
//! packages weigh.

use anyhow::{Context, bail};
use serde_json::Value;

use crate::pack::{self, Core, Package};
use crate::repo::{Repo, read_json};
use crate::report::Report;
use crate::say;
use crate::setup::{Part, try_set_up};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Makes the measured figures the budget, tests/size/budget.json
    #[arg(long)]
    record: bool,
    /// Leaves out competing packages, which take an npm install
    #[arg(long)]
    no_peers: bool,
    /// Lists the forty biggest functions of the module
    #[arg(long)]
    functions: bool,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let package = pack::build(repo, Core::Published)?;
    let mut flags = Vec::new();
    if !options.no_peers {
        match try_set_up(repo, Part::Npm("tests/size")) {
            Ok(_) => flags.push("--peers"),
            Err(reason) => {
                say::say(&format!("without competing packages: {reason}"));
                report.set("peersMissing", reason);
            }
        }
    }
    flags.extend(options.record.then_some("--record"));
    flags.extend(options.functions.then_some("--functions"));
    let (tables, weighed) = weigh(repo, &package, &flags)?;
    say::result(&tables);
    for (name, figure) in weighed["figures"].as_object().context("no figures")? {
        report.set(name, figure.clone());
    }
    judge(&weighed, say::result)
}

/// Fails where the package exceeds its budget, or a page downloads what it did not ask for. Returns the
/// number of figures compared.
pub(crate) fn check(repo: &Repo, package: &Package) -> anyhow::Result<usize> {
    let (_, weighed) = weigh(repo, package, &[])?;
    judge(&weighed, say::say)?;
    Ok(usize::try_from(weighed["weighed"].as_u64().unwrap_or(0))?)
}

/// Returns the tables, and what `weigh.mjs` writes to a file: `{ figures, problems, line, weighed }`.
fn weigh(repo: &Repo, package: &Package, flags: &[&str]) -> anyhow::Result<(String, Value)> {
    let folder = repo.target.join("size");
    std::fs::create_dir_all(&folder)?;
    let figures = folder.join("figures.json");
    let tables = repo.step("bundle and compress", |step| {
        let mut node = repo.command("node");
        node.arg("tests/size/weigh.mjs").args(flags);
        node.arg("--package").arg(&package.folder).arg("--linked").arg(&package.linked);
        step.read(node.arg("--folder").arg(&folder).arg("--figures").arg(&figures))
    })?;
    Ok((tables, read_json(&figures)?))
}

fn judge(weighed: &Value, print: fn(&str)) -> anyhow::Result<()> {
    print(weighed["line"].as_str().context("no line of figures")?);
    let problems = weighed["problems"].as_array().context("no list of problems")?;
    if problems.is_empty() {
        return Ok(());
    }
    let problems: Vec<&str> = problems.iter().filter_map(Value::as_str).collect();
    let problems = problems.join("; ");
    bail!("{problems}.\nIf it is worth its bytes: `cargo xtask size --record`, and the commit says why")
}
