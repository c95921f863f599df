//! `size`: what a checkout page downloads, whose bytes these are, whether they are within their budget, and what others come to.

mod budget;
mod bundle;
mod bytes;
mod module;
mod owner;
mod package;
mod peers;
mod table;

use serde_json::{Value, json};

use crate::pack::{self, Core, Package};
use crate::repo::{Repo, read, read_text};
use crate::report::Report;
use crate::say;
use crate::setup;
use crate::steps::Steps;
use budget::{Budget, PROMISES};
use module::Module;
use package::Figures;
use peers::Weighed;
use table::{Table, grouped};

/// How many of the module's functions are told.
const TOLD: usize = 40;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Makes what is measured the budget, tests/size/budget.json
    #[arg(long)]
    pub(crate) record: bool,
    /// Leaves out what others come to, which takes an npm install
    #[arg(long)]
    pub(crate) no_peers: bool,
    /// Tells the forty biggest functions of the module
    #[arg(long)]
    pub(crate) functions: bool,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let peer_steps = if options.no_peers { 0 } else { 2 };
    let total = pack::SET_UP_STEPS + pack::BUILD_STEPS + 2 + peer_steps;
    let mut steps = repo.steps(total);
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    let package = pack::build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    let figures = weigh(repo, &mut steps, &package)?;
    let module = steps.run("whose bytes they are", |_| module(&package))?;

    say::result(&told_load(&figures));
    report.set("wasm", figures.wasm.entry());
    report.set("js", figures.js.entry());
    report.set("moments", figures.moments_entry());
    report.set("added", figures.added_entry());
    say::result(&told_contributors(&figures, &module));
    report.set(
        "contributors",
        json!({
            "wasm": module.groups_entry(),
            "functions": module.functions_entry(TOLD),
            "js": figures.files_entry(),
        }),
    );
    if options.functions {
        say::result(&told_functions(&module));
    }
    if !options.no_peers {
        tell_peers(repo, &mut steps, report)?;
    }
    let mut budget = Budget::of(repo)?;
    if options.record {
        budget.record(&figures.weighed())?;
    }
    report.set("budget", budget.entry());
    let promises =
        PROMISES.iter().map(|promise| (promise.moment.to_owned(), json!([promise.most, promise.aim])));
    report.set("promises", Value::Object(promises.collect()));
    let outcome = judged(&budget, &figures);
    say::result(&last_line(&figures));
    outcome
}

/// Fails where the package is over its budget or makes everybody pay for what some use. Returns how many figures were held
/// against theirs.
pub(crate) fn check(repo: &Repo, package: &Package) -> anyhow::Result<usize> {
    let mut steps = repo.steps(1);
    let figures = weigh(repo, &mut steps, package)?;
    let outcome = judged(&Budget::of(repo)?, &figures);
    say::say(&last_line(&figures));
    outcome.map(|()| figures.weighed().len())
}

fn weigh(repo: &Repo, steps: &mut Steps, package: &Package) -> anyhow::Result<Figures> {
    steps.run("bundle and compress", |step| Figures::of(repo, step, package))
}

fn module(package: &Package) -> anyhow::Result<Module> {
    Module::of(&read(&package.folder.join(pack::MODULE))?, &read_text(&package.symbols)?)
}

fn judged(budget: &Budget, figures: &Figures) -> anyhow::Result<()> {
    let weighed = figures.weighed();
    for line in budget.shrunk(&weighed) {
        say::say(&format!("{line}: `cargo xtask size --record` keeps it so"));
    }
    budget.must_hold(&weighed)
}

fn told_load(figures: &Figures) -> String {
    let load = [("wasm", figures.wasm), ("JavaScript of all of `remitkit`", figures.js)];
    let moments = figures.moments.iter().map(|(name, bytes)| (*name, *bytes));
    let added = figures.added.iter().map(|(name, bytes)| (*name, *bytes));
    format!(
        "\nWhat a page downloads at once\n{}\n\nWhat one with `createRemitKit` alone has downloaded by then, the module with it\n{}\n\n\
         What these add to a page, where a shop uses them; the first load has nothing of them\n{}",
        Table::of_bytes("bytes", load).text(),
        Table::of_bytes("bytes", moments).text(),
        Table::of_bytes("bytes", added).text()
    )
}

fn told_contributors(figures: &Figures, module: &Module) -> String {
    let mut wasm = Table::new(&["bytes of the wasm", "functions", "raw", "by itself"]);
    for group in &module.groups {
        wasm.row(&group.name, &[group.functions, group.raw, group.brotli]);
    }
    let mut js = Table::new(&["bytes of the JavaScript, minified", "raw"]);
    for (name, bytes) in &figures.files {
        js.row(name, &[*bytes]);
    }
    format!(
        "\nWhose bytes they are; by itself: what brotli makes of that part alone\n{}\n\n{}",
        wasm.text(),
        js.text()
    )
}

fn told_functions(module: &Module) -> String {
    let mut lines = vec![format!("\nThe {TOLD} biggest functions")];
    for function in module.functions.iter().take(TOLD) {
        lines.push(format!("{:>10}  {}", grouped(function.raw), function.name));
    }
    lines.join("\n")
}

/// Where npm cannot give them, ours are told without.
fn tell_peers(repo: &Repo, steps: &mut Steps, report: &mut Report) -> anyhow::Result<()> {
    if let Err(reason) = setup::set_up_if_possible(repo, steps, &peers::MODULES)? {
        say::say(&format!("without what others come to: {reason}"));
        report.set("peersMissing", json!(reason));
        return Ok(());
    }
    let weighed = steps.run("what others come to", |step| peers::weigh(repo, step))?;
    let rows: Vec<_> = weighed.iter().map(Weighed::row).collect();
    let table = Table::of_bytes("bytes", rows.iter().map(|(name, bytes)| (name.as_str(), *bytes)));
    say::result(&format!(
        "\nWhat others come to, bundled with the same flags; what runs in a provider's frame is in no figure\n{}",
        table.text()
    ));
    report.set("peers", weighed.iter().map(Weighed::entry).collect::<Value>());
    Ok(())
}

fn last_line(figures: &Figures) -> String {
    let bytes_of = |moment: &str| {
        figures.moments.iter().find(|(name, _)| *name == moment).map(|(_, bytes)| bytes.brotli)
    };
    let told = PROMISES.iter().filter_map(|promise| {
        let bytes = bytes_of(promise.moment)?;
        let kept = if bytes <= promise.aim {
            "as aimed at".to_owned()
        } else if bytes <= promise.most {
            "as promised".to_owned()
        } else {
            format!("{} more than promised", grouped(bytes - promise.most))
        };
        Some(format!("{} {} ({kept})", promise.moment, grouped(bytes)))
    });
    format!("\nsize: bytes of brotli by moment: {}", told.collect::<Vec<_>>().join(", "))
}
