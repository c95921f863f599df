//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::prelude::*;

use crate::bench;
use crate::chaos;
use crate::forge;
use crate::fuzz;
use crate::simulate;
use crate::size;
use crate::test::LayerName;

pub(crate) const HELP: &str = "\
cargo xtask <command>

  demo              build everything, start sandbox, backend and shop, print the address
  demo --check      the same, driven once through a headless browser until a transfer is recorded
  test [layer…]     every layer of tests but matrix, or these: sdk, sandbox, clients, xtask, javascript, browser, package, size, frontends, matrix, bench, simulate, chaos, forge, fuzz, shop
  package-test      the layers package, frontends and matrix, test by test: the tarball in every bundler, framework, runner and runtime
  chaos             transfers by real pages while network, service and tabs fail: each happens once
  forge             messages that the card form did not send, in every engine that is there: none is believed
  fuzz              hostile values, interleavings and mounts against the packed tarball: nothing breaks it
  simulate          every history that could happen to transfers, natively and in virtual time: no page is told a false word
  bench             the SDK against what a shop would write by hand, in every engine; the sandbox under load
  coverage          how much of the interface the tests reached; runs those whose traffic is missing
  check             format, lints, layers, licences, docs, what must not be in a tracked file
  pack              the npm package: target/package/remitkit and its tarball
  pack --sandbox    and the sandbox's npm packages for this platform: target/package-sandbox
  docs              the API reference, for JavaScript and for Rust: target/docs
  release           everything but publishing: checks, tests, advisories, the same bytes twice, bill of materials
  size              bytes of wasm and JavaScript, whose they are, whether they are within their budget, what others come to
  sandbox [args…]   the sandbox in the foreground (`cargo xtask sandbox --help` for its options)
  help              this text

  --json FILE       with every command that comes to an end: write the results there as JSON
  --transfers N     with chaos: how many (300)
  --count N         with forge: how many forged messages in each engine (300)
  --inputs N        with fuzz: how many hostile values (20000; at least 1000), and a hundredth of that of the rest
  --histories N     with simulate: how many (20000; with --without at most 100000)
  --without NAME    with simulate: this safeguard is left out of the client, which must be found; `all` for each in turn
  --rounds N        with bench: how often everything is measured (15)
  --requests N      with bench: how many requests the sandbox's memory is watched through (200000; at least 1000)
  --record          with bench: later runs are held to these figures; also draws www/screenshots/bench.svg
  --seed S          with bench, simulate, chaos, forge and fuzz: what happens when, as a line of an earlier run says it; else any
  --weakness NAME   with chaos: journal, reconciliation or resend is left out of the SDK, which must be found
  --weakness CHECK  with forge: isTrusted, origin or source is left out, which must be found
  --record          with size: what is measured becomes the budget, tests/size/budget.json
  --functions       with size: also the forty biggest functions of the wasm
  --no-peers        with size: without what others come to, which takes an npm install

Each command first sets up what it lacks, and says what it needs where it cannot.
  REMITKIT_CHROMIUM, REMITKIT_CHROMEDRIVER   a browser and driver other than those on PATH
";

/// How the guard process is called; see `guard`.
pub(crate) const GUARD: &str = "__guard";

pub(crate) struct Invocation {
    pub(crate) action: Action,
    pub(crate) json: Option<PathBuf>,
}

pub(crate) enum Action {
    Help,
    Demo { check: bool },
    Test { layers: Vec<LayerName> },
    PackageTest,
    Bench(bench::Options),
    Chaos(chaos::Options),
    Forge(forge::Options),
    Fuzz(fuzz::Options),
    Simulate(simulate::Options),
    Coverage,
    Check,
    Pack { sandbox: bool },
    Docs,
    Release,
    Size(size::Options),
    Sandbox { args: Vec<OsString> },
    Guard,
}

impl Action {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Action::Help => "help",
            Action::Demo { check: false } => "demo",
            Action::Demo { check: true } => "demo --check",
            Action::Test { .. } => "test",
            Action::PackageTest => "package-test",
            Action::Bench(_) => "bench",
            Action::Chaos(_) => "chaos",
            Action::Forge(_) => "forge",
            Action::Fuzz(_) => "fuzz",
            Action::Simulate(_) => "simulate",
            Action::Coverage => "coverage",
            Action::Check => "check",
            Action::Pack { sandbox: false } => "pack",
            Action::Pack { sandbox: true } => "pack --sandbox",
            Action::Docs => "docs",
            Action::Release => "release",
            Action::Size(_) => "size",
            Action::Sandbox { .. } => "sandbox",
            Action::Guard => GUARD,
        }
    }

    fn yields_results(&self) -> bool {
        matches!(
            self,
            Action::Demo { check: true }
                | Action::Test { .. }
                | Action::PackageTest
                | Action::Bench(_)
                | Action::Chaos(_)
                | Action::Forge(_)
                | Action::Fuzz(_)
                | Action::Simulate(_)
                | Action::Coverage
                | Action::Check
                | Action::Pack { .. }
                | Action::Docs
                | Action::Release
                | Action::Size(_)
        )
    }
}

/// Reads the arguments, the program's own name first.
pub(crate) fn parse(
    args: impl IntoIterator<Item = OsString, IntoIter: 'static>,
) -> Result<Invocation, lexopt::Error> {
    let mut parser = lexopt::Parser::from_iter(args);
    let mut action = match parser.next()? {
        None => return Err("which command?".into()),
        Some(Short('h') | Long("help")) => Action::Help,
        Some(Value(name)) => match name.string()?.as_str() {
            "help" => Action::Help,
            "demo" => Action::Demo { check: false },
            "test" => Action::Test { layers: Vec::new() },
            "package-test" => Action::PackageTest,
            "bench" => Action::Bench(bench::Options::default()),
            "chaos" => Action::Chaos(chaos::Options::default()),
            "forge" => Action::Forge(forge::Options::default()),
            "fuzz" => Action::Fuzz(fuzz::Options::default()),
            "simulate" => Action::Simulate(simulate::Options::DEFAULT),
            "coverage" => Action::Coverage,
            "check" => Action::Check,
            "pack" => Action::Pack { sandbox: false },
            "docs" => Action::Docs,
            "release" => Action::Release,
            "size" => Action::Size(size::Options::default()),
            "sandbox" => {
                // All that follows belongs to the sandbox, its --json too.
                let args = parser.raw_args()?.collect();
                return Ok(Invocation { action: Action::Sandbox { args }, json: None });
            }
            GUARD => Action::Guard,
            other => return Err(format!("there is no command `{other}`").into()),
        },
        Some(other) => return Err(other.unexpected()),
    };
    let mut json = None;
    while let Some(argument) = parser.next()? {
        match (argument, &mut action) {
            (Short('h') | Long("help"), _) => {
                return Ok(Invocation { action: Action::Help, json: None });
            }
            (Long("json"), _) => json = Some(PathBuf::from(parser.value()?)),
            (Long("check"), Action::Demo { check }) => *check = true,
            (Long("sandbox"), Action::Pack { sandbox }) => *sandbox = true,
            (Value(layer), Action::Test { layers }) => layers.push(layer.parse()?),
            (Long("rounds"), Action::Bench(options)) => options.rounds = parser.value()?.parse()?,
            (Long("requests"), Action::Bench(options)) => options.requests = parser.value()?.parse()?,
            (Long("seed"), Action::Bench(options)) => options.seed = Some(parser.value()?.parse()?),
            (Long("record"), Action::Bench(options)) => options.record = true,
            (Long("transfers"), Action::Chaos(options)) => options.transfers = parser.value()?.parse()?,
            (Long("seed"), Action::Chaos(options)) => options.seed = Some(parser.value()?.parse()?),
            (Long("weakness"), Action::Chaos(options)) => options.weakness = Some(parser.value()?.parse()?),
            (Long("count"), Action::Forge(options)) => options.count = parser.value()?.parse()?,
            (Long("seed"), Action::Forge(options)) => options.seed = Some(parser.value()?.parse()?),
            (Long("weakness"), Action::Forge(options)) => options.weakness = Some(parser.value()?.parse()?),
            (Long("inputs"), Action::Fuzz(options)) => options.inputs = parser.value()?.parse()?,
            (Long("seed"), Action::Fuzz(options)) => options.seed = Some(parser.value()?.parse()?),
            (Long("histories"), Action::Simulate(options)) => {
                options.histories = Some(parser.value()?.parse()?);
            }
            (Long("seed"), Action::Simulate(options)) => options.seed = Some(parser.value()?.parse()?),
            (Long("without"), Action::Simulate(options)) => options.without = Some(parser.value()?.string()?),
            (Long("record"), Action::Size(options)) => options.record = true,
            (Long("functions"), Action::Size(options)) => options.functions = true,
            (Long("no-peers"), Action::Size(options)) => options.no_peers = true,
            (other, _) => return Err(other.unexpected()),
        }
    }
    if json.is_some() && !action.yields_results() {
        return Err(format!("`{}` has no results for --json", action.name()).into());
    }
    Ok(Invocation { action, json })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chaos::Weakness;
    use crate::forge::Check;

    fn parsed(line: &str) -> Result<Invocation, String> {
        let args: Vec<OsString> =
            std::iter::once("xtask").chain(line.split_whitespace()).map(OsString::from).collect();
        parse(args).map_err(|error| error.to_string())
    }

    fn refusal(line: &str) -> String {
        parsed(line).err().unwrap_or_else(|| panic!("`{line}` should be refused"))
    }

    #[test]
    fn every_command_of_the_help_is_known() {
        for line in HELP.lines().filter(|line| line.starts_with("  ")) {
            let name = line.split_whitespace().next().unwrap_or_default();
            if name.starts_with('-') || name.starts_with("REMITKIT") {
                continue;
            }
            assert_eq!(parsed(name).unwrap().action.name(), name);
        }
    }

    #[test]
    fn every_layer_of_the_help_is_known() {
        let line = HELP.lines().find(|line| line.contains("every layer of tests"));
        let layers = line.and_then(|line| line.split(": ").nth(1)).unwrap();
        let named: Vec<&str> = layers.split(", ").collect();
        let known: Vec<&str> = LayerName::ALL.iter().map(|layer| layer.name()).collect();
        assert_eq!(named, known);
    }

    #[test]
    fn the_sandbox_gets_all_that_follows() {
        let invocation = parsed("sandbox --port 0 --json --help").unwrap();
        assert!(invocation.json.is_none());
        let Action::Sandbox { args } = invocation.action else {
            panic!("not the sandbox");
        };
        assert_eq!(args, ["--port", "0", "--json", "--help"]);
    }

    #[test]
    fn bench_takes_what_the_help_says() {
        let Action::Bench(options) = parsed("bench").unwrap().action else {
            panic!("not bench");
        };
        assert_eq!(
            (options.rounds, options.requests, options.seed, options.record),
            (15, 200_000, None, false)
        );
        let line = "bench --rounds 3 --requests 1000000 --seed 7 --record";
        let Action::Bench(options) = parsed(line).unwrap().action else {
            panic!("not bench");
        };
        assert_eq!(
            (options.rounds, options.requests, options.seed, options.record),
            (3, 1_000_000, Some(7), true)
        );
        assert!(refusal("bench --count 3").contains("--count"));
        assert!(refusal("fuzz --record").contains("--record"));
    }

    #[test]
    fn chaos_takes_what_the_help_says() {
        let Action::Chaos(options) = parsed("chaos").unwrap().action else {
            panic!("not chaos");
        };
        assert_eq!((options.transfers, options.seed, options.weakness), (300, None, None));
        for weakness in Weakness::ALL {
            let line = format!("chaos --transfers 60 --seed 7 --weakness {}", weakness.name());
            let Action::Chaos(options) = parsed(&line).unwrap().action else {
                panic!("not chaos");
            };
            assert_eq!((options.transfers, options.seed, options.weakness), (60, Some(7), Some(weakness)));
            assert!(HELP.contains(weakness.name()));
        }
        assert!(refusal("chaos --weakness none").contains("none"));
        assert!(refusal("chaos --transfers few").contains("few"));
        assert!(refusal("chaos 300").contains("300"));
        assert!(refusal("test --seed 7").contains("--seed"));
    }

    #[test]
    fn forge_takes_what_the_help_says() {
        let Action::Forge(options) = parsed("forge").unwrap().action else {
            panic!("not forge");
        };
        assert_eq!((options.count, options.seed, options.weakness), (300, None, None));
        for check in Check::ALL {
            let line = format!("forge --count 1000 --seed 42 --weakness {}", check.name());
            let Action::Forge(options) = parsed(&line).unwrap().action else {
                panic!("not forge");
            };
            assert_eq!((options.count, options.seed, options.weakness), (1000, Some(42), Some(check)));
            assert!(HELP.contains(check.name()));
        }
        assert!(refusal("forge --weakness journal").contains("journal"));
        assert!(refusal("forge --transfers 3").contains("--transfers"));
    }

    #[test]
    fn fuzz_takes_what_the_help_says() {
        let Action::Fuzz(options) = parsed("fuzz").unwrap().action else {
            panic!("not fuzz");
        };
        assert_eq!((options.inputs, options.seed), (20_000, None));
        let Action::Fuzz(options) = parsed("fuzz --inputs 1000000 --seed 7").unwrap().action else {
            panic!("not fuzz");
        };
        assert_eq!((options.inputs, options.seed), (1_000_000, Some(7)));
        assert!(refusal("fuzz --transfers 7").contains("--transfers"));
    }

    #[test]
    fn simulate_takes_what_the_help_says() {
        let options = |line: &str| match parsed(line).unwrap().action {
            Action::Simulate(options) => (options.histories, options.seed, options.without),
            _ => panic!("not simulate"),
        };
        assert_eq!(options("simulate"), (None, None, None));
        let without = Some("lock".to_owned());
        assert_eq!(
            options("simulate --histories 1000000 --seed 7 --without lock"),
            (Some(1_000_000), Some(7), without)
        );
        assert!(refusal("simulate --histories many").contains("many"));
    }

    #[test]
    fn size_takes_what_the_help_says() {
        let options = |line: &str| match parsed(line).unwrap().action {
            Action::Size(options) => (options.record, options.functions, options.no_peers),
            _ => panic!("not size"),
        };
        assert_eq!(options("size"), (false, false, false));
        assert_eq!(options("size --record --functions --no-peers"), (true, true, true));
        assert!(refusal("pack --record").contains("--record"));
    }

    #[test]
    fn results_go_to_the_file_named() {
        let invocation = parsed("size --json out.json").unwrap();
        assert_eq!(invocation.json, Some(PathBuf::from("out.json")));
        assert!(refusal("demo --json out.json").contains("no results"));
        assert!(refusal("size --json").contains("missing argument"));
    }

    #[test]
    fn what_is_unknown_is_refused() {
        assert!(refusal("").contains("which command"));
        assert!(refusal("dmeo").contains("`dmeo`"));
        assert!(refusal("pack --check").contains("--check"));
        assert!(refusal("test nothing").contains("nothing"));
        assert!(refusal("check everything").contains("everything"));
    }
}
