//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::bench;
use crate::chaos;
use crate::forge;
use crate::fuzz;
use crate::simulate;
use crate::size;
use crate::test::LayerName;
use crate::walks;

/// Each command first sets up what it lacks, and says what it needs where it cannot.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "\
REMITKIT_CHROMIUM and REMITKIT_CHROMEDRIVER name a browser and driver other than those on PATH."
)]
pub(crate) struct Invocation {
    #[command(subcommand)]
    pub(crate) action: Action,
    /// Writes the results there as JSON, with every command that comes to an end
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// The command's name.
    #[arg(skip)]
    pub(crate) name: String,
}

#[derive(Subcommand)]
pub(crate) enum Action {
    /// Builds everything, starts sandbox, backend and shop, prints the address
    Demo {
        /// Drives it once through a headless browser instead, until a transfer is recorded
        #[arg(long)]
        check: bool,
    },
    /// Every layer of tests but matrix, screens and safeguards, or those that are named
    Test { layers: Vec<LayerName> },
    /// The layers package, frontends and matrix: the tarball in every bundler, framework, runner and runtime
    PackageTest,
    /// Every history that could happen to transfers, in virtual time: no page is told a false word
    Simulate(simulate::Options),
    /// Transfers by real pages while network, service and tabs fail: each happens once
    Chaos(chaos::Options),
    /// Messages that the card form did not send, in every engine that is there: none is believed
    Forge(forge::Options),
    /// Hostile values, interleavings and mounts against the packed tarball: nothing breaks it
    Fuzz(fuzz::Options),
    /// Customers who do anything at all at the demo shop: nothing is sent twice, no claim of a page is false
    Walks(walks::Options),
    /// The SDK against what a shop would write by hand, in every engine; the sandbox under load
    Bench(bench::Options),
    /// How much of the interface the tests reached; runs those whose traffic is missing
    Coverage,
    /// Format, lints, layers, licences, docs, what must not be in a tracked file
    Check,
    /// The npm package: target/package/remitkit and its tarball
    Pack {
        /// Also the sandbox's npm packages for this platform: target/package-sandbox
        #[arg(long)]
        sandbox: bool,
    },
    /// The API reference, for JavaScript and for Rust: target/docs
    Docs,
    /// Everything but publishing: checks, tests with screens and safeguards,
    /// advisories, the same bytes twice, bill of materials
    Release,
    /// Bytes of wasm and JavaScript, whose they are, whether they are within their budget
    Size(size::Options),
    /// The sandbox in the foreground; `cargo xtask sandbox --help` for its options
    Sandbox { args: Vec<OsString> },
}

/// Reads the arguments, the program's own name first.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Invocation, clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    if let [_, command, rest @ ..] = args.as_slice()
        && command == "sandbox"
    {
        // All that follows belongs to the sandbox, its --json and --help too.
        let action = Action::Sandbox { args: rest.to_vec() };
        return Ok(Invocation { action, json: None, name: "sandbox".to_owned() });
    }
    let mut command = Invocation::command();
    let matches = command.try_get_matches_from_mut(args)?;
    let mut invocation = Invocation::from_arg_matches(&matches)?;
    invocation.name = matches.subcommand_name().unwrap_or_default().to_owned();
    match invocation.action {
        Action::Demo { check: true } => invocation.name += " --check",
        Action::Pack { sandbox: true } => invocation.name += " --sandbox",
        Action::Demo { check: false } if invocation.json.is_some() => {
            let kind = clap::error::ErrorKind::ArgumentConflict;
            return Err(command.error(kind, "`demo` has no results for --json but with --check"));
        }
        _ => (),
    }
    Ok(invocation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    fn parsed(line: &str) -> Result<Invocation, String> {
        let args = std::iter::once("xtask").chain(line.split_whitespace()).map(OsString::from);
        parse(args).map_err(|error| error.to_string())
    }

    #[test]
    fn definition_is_sound() {
        Invocation::command().debug_assert();
    }

    #[test]
    fn sandbox_gets_all_that_follows() {
        let invocation = parsed("sandbox --json --port 0 --help").unwrap();
        assert!(invocation.json.is_none());
        let Action::Sandbox { args } = invocation.action else {
            panic!("not the sandbox");
        };
        assert_eq!(args, ["--json", "--port", "0", "--help"]);
    }

    #[test]
    fn layers_are_known_by_name_and_weaknesses_are_those_that_the_sdk_can_lack() {
        for layer in LayerName::value_variants() {
            let invocation = parsed(&format!("test {}", layer.name())).unwrap();
            assert!(matches!(invocation.action, Action::Test { layers } if layers == [*layer]));
        }
        assert!(parsed("chaos --weakness journal").is_ok() && parsed("forge --weakness isTrusted").is_ok());
        for line in ["chaos --weakness origin", "test nothing", "fuzz --record", "size --json"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }

    #[test]
    fn results_go_to_the_file_named() {
        let invocation = parsed("size --json out.json").unwrap();
        assert_eq!((invocation.json, invocation.name.as_str()), (Some(PathBuf::from("out.json")), "size"));
        assert_eq!(parsed("demo --check --json out.json").unwrap().name, "demo --check");
        assert!(parsed("demo --json out.json").is_err_and(|error| error.contains("no results")));
    }
}
