//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{bench, chaos, forge, forms, fuzz, simulate, size, test, walks};

/// Each command first sets up what it requires, and says what it needs where it cannot.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "\
REMITKIT_CHROMIUM and REMITKIT_CHROMEDRIVER name a browser and driver other than those on PATH."
)]
pub(crate) struct Invocation {
    #[command(subcommand)]
    pub(crate) action: Action,
    /// Writes the results to a file as JSON
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
        /// Drives one checkout through a headless browser instead, until a transfer is recorded
        #[arg(long)]
        check: bool,
    },
    /// Runs the named layers of tests; or a gate, and then all but set-up, matrix, screens and safeguards
    Test(test::Options),
    /// Runs the layers package, frontends and matrix: the tarball in every bundler, framework, runner and
    /// runtime
    PackageTest,
    /// Proves in virtual time that no page is told anything false, in any history of transfers
    Simulate(simulate::Options),
    /// Proves that each transfer happens once while network, service and tabs of real pages fail
    Chaos(chaos::Options),
    /// Proves that no forged message of the card form is accepted, in every installed engine
    Forge(forge::Options),
    /// Proves that hostile values, interleavings and mounts don't break the packed tarball
    Fuzz(fuzz::Options),
    /// Proves that what customers see of the forms is what is sent, in every installed engine
    Forms(forms::Options),
    /// Proves that the demo shop sends nothing twice and claims nothing false, whatever customers do
    Walks(walks::Options),
    /// Compares the SDK with hand-written code in every engine, and puts the sandbox under load
    Bench(bench::Options),
    /// Runs the layers sdk, sandbox and shop, and measures how much of the interface they reached
    Coverage,
    /// Checks format, lints, layers, licenses, docs, and what must not be in a tracked file
    Check,
    /// Packs the npm package: target/package/remitkit and its tarball
    Pack {
        /// Also packs the sandbox's npm packages for this platform: target/package-sandbox
        #[arg(long)]
        sandbox: bool,
    },
    /// Writes the API reference for JavaScript and Rust: target/docs
    Docs,
    /// Does everything but publishing: checks, tests with screens and safeguards, advisories,
    /// reproducibility, bill of materials
    Release,
    /// Measures the bytes of wasm and JavaScript, by origin, against their budget
    Size(size::Options),
    /// Runs the sandbox in the foreground; `cargo xtask sandbox --help` lists its options
    Sandbox { args: Vec<OsString> },
}

/// Parses the arguments; the first is the program's own name.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Invocation, clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    if let [_, command, rest @ ..] = args.as_slice()
        && command == "sandbox"
    {
        // All arguments are the sandbox's, including --json and --help.
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
            return Err(command.error(kind, "`demo` has results for --json only with --check"));
        }
        _ => (),
    }
    Ok(invocation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Invocation, String> {
        let args = std::iter::once("xtask").chain(line.split_whitespace()).map(OsString::from);
        parse(args).map_err(|error| error.to_string())
    }

    #[test]
    fn the_sandbox_receives_all_of_its_arguments() {
        Invocation::command().debug_assert();
        let invocation = parsed("sandbox --json --port 0 --help").unwrap();
        assert!(invocation.json.is_none());
        let Action::Sandbox { args } = invocation.action else { panic!("not the sandbox") };
        assert_eq!(args, ["--json", "--port", "0", "--help"]);
    }

    #[test]
    fn one_test_is_chosen_within_a_layer_and_not_resumed() {
        assert!(parsed("test shop --file tests/e2e/saved.test.mjs --name account").is_ok());
        assert!(parsed("test --resume").is_ok() && parsed("test shop --resume").is_ok());
        assert!(
            parsed("test --file tests/e2e/saved.test.mjs").is_err_and(|error| error.contains("<LAYERS>"))
        );
        assert!(parsed("test shop --name account --resume").is_err());
    }

    #[test]
    fn results_go_to_the_named_file_under_the_commands_name() {
        let invocation = parsed("size --json out.json").unwrap();
        assert_eq!((invocation.json, invocation.name.as_str()), (Some(PathBuf::from("out.json")), "size"));
        assert_eq!(parsed("demo --check --json out.json").unwrap().name, "demo --check");
        assert!(parsed("demo --json out.json").is_err_and(|error| error.contains("--check")));
        assert!(parsed("size --json").is_err());
    }
}
