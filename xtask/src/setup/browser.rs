//! Chromium, and for the browser tests its WebDriver.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;

use super::{Found, Part, apt, is_program, on_path, version_numbers};
use crate::command::output;
use crate::repo::Repo;
use crate::steps::Step;

const BROWSERS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const MAC_BROWSERS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const ADVICE: &str = "install Chromium with its chromedriver (Debian: `apt-get install chromium \
    chromium-driver`, Fedora: `dnf install chromium chromedriver`, macOS: `brew install --cask \
    chromium chromedriver`), or name yours in REMITKIT_CHROMIUM and REMITKIT_CHROMEDRIVER";

/// Found: the browser, then the driver if wanted.
pub(crate) struct Browser {
    pub(crate) with_driver: bool,
}

impl Part for Browser {
    fn title(&self) -> String {
        if self.with_driver { "Chromium and its driver".to_owned() } else { "Chromium".to_owned() }
    }

    fn found(&self, _: &Repo) -> anyhow::Result<Option<Found>> {
        let Some(browser) = find("REMITKIT_CHROMIUM", &BROWSERS)? else {
            return Ok(None);
        };
        if !self.with_driver {
            return Ok(Some(vec![browser]));
        }
        let Some(driver) = find("REMITKIT_CHROMEDRIVER", &["chromedriver"])? else {
            return Ok(None);
        };
        let (ours, its) = (version(&browser)?, version(&driver)?);
        if ours != its {
            bail!("{} is version {ours}, but {} is for {its}: {ADVICE}", browser.display(), driver.display());
        }
        Ok(Some(vec![browser, driver]))
    }

    fn make(&self, _: &Repo, step: &Step) -> anyhow::Result<()> {
        let packages: &[&str] =
            if self.with_driver { &["chromium", "chromium-driver"] } else { &["chromium"] };
        apt::install(step, packages, "Chromium", ADVICE)
    }
}

/// What the variable names, else the first of the names on PATH that starts.
fn find(variable: &str, names: &[&str]) -> anyhow::Result<Option<PathBuf>> {
    if let Some(named) = std::env::var_os(variable).filter(|value| !value.is_empty()) {
        let program = PathBuf::from(named);
        if !is_program(&program) {
            bail!("{variable} names {}, which is no program", program.display());
        }
        return Ok(Some(program));
    }
    // Some systems have a placeholder of that name which only tells how to install the real one.
    Ok(names
        .iter()
        .filter_map(|name| on_path(name))
        .chain(mac_browsers(names))
        .find(|program| version(program).is_ok()))
}

fn mac_browsers(names: &[&str]) -> impl Iterator<Item = PathBuf> + use<> {
    let wanted = names.contains(&"chromium");
    MAC_BROWSERS.iter().map(PathBuf::from).filter(move |program| wanted && is_program(program))
}

/// The major version; browser and driver must agree in it.
fn version(program: &Path) -> anyhow::Result<u32> {
    let [major, _] = version_numbers(&output(Command::new(program).arg("--version"))?)?;
    Ok(major)
}
