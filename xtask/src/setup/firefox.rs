//! Firefox and its WebDriver.

use std::process::Command;

use super::cargo_tool::CargoTool;
use super::{Found, Part, apt, on_path};
use crate::command::output;
use crate::repo::Repo;
use crate::steps::Step;

const ADVICE: &str = "install Firefox (Debian: `apt-get install firefox-esr`)";
const GECKODRIVER: CargoTool =
    CargoTool { name: "geckodriver", version: "0.37.1", version_args: &["--version"] };

/// Found: the driver, which finds the browser itself.
pub(crate) struct Firefox;

impl Part for Firefox {
    fn title(&self) -> String {
        "Firefox and its driver".to_owned()
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        Ok(has_firefox().then(|| GECKODRIVER.found(repo)).flatten().map(|driver| vec![driver]))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        if !has_firefox() {
            apt::install(step, &["firefox-esr"], "Firefox", ADVICE)?;
        }
        GECKODRIVER.make(repo, step)
    }
}

fn has_firefox() -> bool {
    ["firefox", "firefox-esr"]
        .iter()
        .filter_map(|name| on_path(name))
        .any(|program| output(Command::new(program).arg("--version")).is_ok())
}
