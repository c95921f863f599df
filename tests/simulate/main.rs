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

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use engine::history::as_test;
use engine::{Finding, Theatre, Weakness, generate, name_of, shrink};
use serde_json::{Value, json};

/// How many findings are shrunk and shown.
const SHOWN: usize = 20;

struct Options {
    histories: u64,
    /// The histories have this seed and those that follow.
    seed: u64,
    without: Option<Weakness>,
    folder: Option<PathBuf>,
}

/// A rule that was broken.
struct Broken {
    times: u64,
    /// The seed of the first history that broke it.
    seed: u64,
    finding: Finding,
}

fn main() -> ExitCode {
    let options = match request() {
        Ok(Request::Run(options)) => options,
        Ok(Request::Safeguards) => {
            Weakness::ALL.iter().copied().for_each(|weakness| println!("{}", name_of(weakness)));
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("simulate: {error}");
            return ExitCode::from(2);
        }
    };
    let started = Instant::now();
    let (done, broken) = run(&options);
    let elapsed = started.elapsed();
    let rate = done as f64 / elapsed.as_secs_f64().max(0.001);

    let mut rows: Vec<Value> = Vec::new();
    let theatre = Theatre::open();
    for (at, (rule, Broken { times, seed, finding })) in broken.iter().enumerate() {
        println!("\n{rule}: in {times} histories, first in that of seed {seed}: {}", finding.detail);
        let mut row = json!({ "rule": rule, "histories": times, "seed": seed, "detail": finding.detail });
        if at < SHOWN {
            let fails =
                |history: &_| theatre.run(history, options.without).iter().any(|found| found.rule == *rule);
            let shortest = shrink(&generate(*seed), fails);
            let test = as_test(&shortest, rule);
            println!("{test}");
            theatre.course(&shortest, options.without).iter().for_each(|line| println!("{line}"));
            row["test"] = test.into();
        }
        rows.push(row);
    }
    let found = broken.values().map(|broken| broken.times).sum::<u64>();
    let first = broken.values().map(|broken| broken.seed - options.seed + 1).min();
    if let Some(folder) = &options.folder {
        let figures = json!({
            "histories": done,
            "seed": options.seed,
            "findings": found,
            "rules": rows,
            "perSecond": rate.round(),
            "without": options.without.map(name_of),
            "foundAfter": first,
        });
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(folder.join("figures.json"), format!("{figures:#}\n")));
        if let Err(error) = written {
            eprintln!("simulate: {}: {error}", folder.display());
            return ExitCode::from(2);
        }
    }
    let without = options.without.map_or(String::new(), |weakness| format!(" without {}", name_of(weakness)));
    let outcome = match first {
        Some(first) if options.without.is_some() => format!("found after {first}"),
        _ => format!("{found} findings"),
    };
    println!("simulate: {done} histories{without}, {outcome}, {rate:.0} a second, seed {}", options.seed);
    match found {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Runs the histories on all cores. Without a safeguard, as far as the first finding.
fn run(options: &Options) -> (u64, BTreeMap<&'static str, Broken>) {
    let next = AtomicU64::new(0);
    let end = AtomicU64::new(options.histories);
    let broken: Mutex<BTreeMap<&'static str, Broken>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let theatre = Theatre::open();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= end.load(Ordering::Relaxed) {
                        return;
                    }
                    let seed = options.seed.wrapping_add(at);
                    let findings = theatre.run(&generate(seed), options.without);
                    // What the whole client does too is no word on a missing safeguard.
                    if findings.is_empty()
                        || options.without.is_some() && !theatre.run(&generate(seed), None).is_empty()
                    {
                        continue;
                    }
                    if options.without.is_some() {
                        end.fetch_min(at + 1, Ordering::Relaxed);
                    }
                    let mut broken = broken.lock().unwrap();
                    let mut rules: Vec<&str> = Vec::new();
                    for finding in findings {
                        if rules.contains(&finding.rule) {
                            continue;
                        }
                        rules.push(finding.rule);
                        let known = broken.entry(finding.rule).or_insert_with(|| Broken {
                            times: 0,
                            seed,
                            finding: finding.clone(),
                        });
                        known.times += 1;
                        if seed < known.seed {
                            (known.seed, known.finding) = (seed, finding);
                        }
                    }
                }
            });
        }
    });
    let end = end.into_inner();
    let mut broken = broken.into_inner().unwrap();
    // What another thread met later than the first finding.
    broken.retain(|_, broken| broken.seed - options.seed < end);
    (end, broken)
}

/// What the arguments ask for.
enum Request {
    Run(Options),
    /// The names of the safeguards that a run can do without.
    Safeguards,
}

fn request() -> Result<Request, String> {
    let mut options = Options { histories: 20_000, seed: 1, without: None, folder: None };
    let mut args = std::env::args().skip(1).peekable();
    if args.next_if_eq("--safeguards").is_some() {
        return Ok(Request::Safeguards);
    }
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|error| format!("{name} {value}: {error}"));
        match name.as_str() {
            "--histories" => options.histories = number()?,
            "--seed" => options.seed = number()?,
            "--folder" => options.folder = Some(PathBuf::from(value)),
            "--without" => {
                let weakness = Weakness::ALL.iter().copied().find(|weakness| name_of(*weakness) == value);
                options.without = Some(weakness.ok_or_else(|| {
                    let known: Vec<String> = Weakness::ALL.iter().copied().map(name_of).collect();
                    format!("there is no safeguard `{value}`, but {}", known.join(", "))
                })?);
            }
            _ => return Err(format!("there is no option {name}")),
        }
    }
    Ok(Request::Run(options))
}
