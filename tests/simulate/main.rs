//! The simulation: the client against the sandbox in one process, in virtual time, through any number
//! of histories. What every page was told is compared with what the services did.
//! `cargo xtask simulate` builds and runs it.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod engine;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use engine::{Finding, Simulator, generate, shrink};
use serde_json::{Value, json};

/// How many broken rules are shrunk and shown.
const SHOWN: usize = 20;

struct Options {
    histories: u64,
    /// The seed of the first history; each next one has the next seed.
    seed: u64,
    /// The safeguard that the client lacks: the run ends at the first finding.
    without: Option<String>,
    folder: Option<PathBuf>,
}

/// A rule that was broken.
struct Broken {
    /// The seeds of the histories that broke it, in order.
    seeds: BTreeSet<u64>,
    /// The finding of the first one.
    finding: Finding,
}

fn main() -> ExitCode {
    match options().and_then(|options| report(&options)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("simulate: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the histories and reports what broke a rule; returns the number of findings.
fn report(options: &Options) -> Result<u64, String> {
    let started = Instant::now();
    let (done, broken) = run(options);
    let rate = done as f64 / started.elapsed().as_secs_f64().max(0.001);

    let mut rows: Vec<Value> = Vec::new();
    let simulator = Simulator::open();
    for (at, (rule, Broken { seeds, finding })) in broken.iter().enumerate() {
        let Some(seed) = seeds.first() else { continue };
        println!("\n{rule}: in the histories {seeds:?}; in the first one: {}", finding.detail);
        let mut row = json!({ "rule": rule, "seeds": seeds, "detail": finding.detail });
        if at < SHOWN {
            let fails = |history: &_| simulator.run(history).iter().any(|found| found.rule == *rule);
            let shortest = shrink(&generate(*seed), fails);
            let test = shortest.as_test(rule);
            println!("{test}");
            simulator.trace(&shortest).iter().for_each(|line| println!("{line}"));
            row["test"] = test.into();
        }
        rows.push(row);
    }
    let found = broken.values().map(|broken| broken.seeds.len() as u64).sum::<u64>();
    let first = broken.values().filter_map(|broken| broken.seeds.first()).min();
    let first = first.map(|seed| seed - options.seed + 1);
    if let Some(folder) = &options.folder {
        let figures = json!({
            "histories": done,
            "seed": options.seed,
            "findings": found,
            "rules": rows,
            "perSecond": rate.round(),
            "without": options.without,
            "foundAfter": first,
        });
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(folder.join("figures.json"), format!("{figures:#}\n")))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let without = options.without.as_ref().map_or(String::new(), |safeguard| format!(" without {safeguard}"));
    let outcome = match first {
        Some(first) if options.without.is_some() => format!("found after {first}"),
        _ => format!("{found} findings"),
    };
    println!("simulate: {done} histories{without}, {outcome}, {rate:.0} a second, seed {}", options.seed);
    Ok(found)
}

/// Runs the histories on all cores; without a safeguard, up to the first finding.
fn run(options: &Options) -> (u64, BTreeMap<&'static str, Broken>) {
    let next = AtomicU64::new(0);
    let end = AtomicU64::new(options.histories);
    let broken: Mutex<BTreeMap<&'static str, Broken>> = Mutex::default();
    let work = || {
        let simulator = Simulator::open();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= end.load(Ordering::Relaxed) {
                return;
            }
            let seed = options.seed.wrapping_add(at);
            let mut findings = simulator.run(&generate(seed));
            if options.without.is_some() && !findings.is_empty() {
                end.fetch_min(at + 1, Ordering::Relaxed);
            }
            findings.sort_by_key(|finding| finding.rule);
            findings.dedup_by_key(|finding| finding.rule);
            let mut broken = broken.lock().unwrap();
            for finding in findings {
                let known = broken
                    .entry(finding.rule)
                    .or_insert_with(|| Broken { seeds: BTreeSet::new(), finding: finding.clone() });
                known.seeds.insert(seed);
                if known.seeds.first() == Some(&seed) {
                    known.finding = finding;
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let end = end.into_inner();
    let mut broken = broken.into_inner().unwrap();
    // Drop what another thread met after the first finding.
    broken.values_mut().for_each(|broken| broken.seeds.retain(|seed| seed - options.seed < end));
    broken.retain(|_, broken| !broken.seeds.is_empty());
    (end, broken)
}

fn options() -> Result<Options, String> {
    let mut options = Options { histories: 20_000, seed: 1, without: None, folder: None };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|error| format!("{name} {value}: {error}"));
        match name.as_str() {
            "--histories" => options.histories = number()?,
            "--seed" => options.seed = number()?,
            "--folder" => options.folder = Some(PathBuf::from(value)),
            "--without" => options.without = Some(value),
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(options)
}
