//! Programs of the system: found on PATH, or installed with apt-get.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, anyhow};

use crate::process::output;
use crate::steps::Step;

/// A variable of the environment that names a program, or else the names that PATH may have it by.
type Program = (&'static str, &'static [&'static str]);

#[derive(Clone, Copy)]
pub(super) struct System {
    programs: &'static [Program],
    /// Debian's packages of them.
    pub(super) packages: &'static [&'static str],
    /// For other systems.
    pub(super) advice: &'static str,
}

pub(super) const CHROMIUM_VARIABLE: &str = "REMITKIT_CHROMIUM";
const CHROMIUM_PROGRAM: Program = (
    CHROMIUM_VARIABLE,
    &[
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ],
);
const CHROMIUM_ADVICE: &str = "install Chromium with its chromedriver (Fedora: `dnf install chromium \
    chromedriver`, macOS: `brew install --cask chromium chromedriver`), or name yours in REMITKIT_CHROMIUM \
    and REMITKIT_CHROMEDRIVER";

pub(super) const CHROMIUM: System =
    System { programs: &[CHROMIUM_PROGRAM], packages: &["chromium"], advice: CHROMIUM_ADVICE };
pub(super) const CHROMEDRIVER: System = System {
    programs: &[CHROMIUM_PROGRAM, ("REMITKIT_CHROMEDRIVER", &["chromedriver", "chromium.chromedriver"])],
    packages: &["chromium", "chromium-driver"],
    advice: CHROMIUM_ADVICE,
};
pub(super) const HEADLESS_SHELL: System = System {
    programs: &[("", &["chromium-headless-shell"])],
    packages: &["chromium-headless-shell"],
    advice: "install Chromium's headless shell",
};
pub(super) const FIREFOX: System = System {
    programs: &[("", &["firefox", "firefox-esr"])],
    packages: &["firefox-esr"],
    advice: "install Firefox",
};
pub(super) const WEBKIT: System = System {
    programs: &[("", &["WebKitWebDriver"]), ("", &["xvfb-run"])],
    packages: &["webkit2gtk-driver", "xvfb", "xauth"],
    advice: "install WebKitGTK's driver and a virtual screen",
};
/// Files of scripts, in place of programs.
pub(super) const PAGE_LIBRARIES: System = System {
    programs: &[
        ("REMITKIT_PROTOTYPE", &["/usr/share/javascript/prototype/prototype.js"]),
        ("REMITKIT_MOOTOOLS", &["/usr/share/javascript/mootools/mootools-core-nc.js"]),
    ],
    packages: &["libjs-prototype", "libjs-mootools"],
    advice: "install Debian's libjs-prototype and libjs-mootools",
};
pub(super) const REDIS: System = System {
    programs: &[("", &["redis-server"])],
    packages: &["redis-server"],
    advice: "install Redis (Fedora: `dnf install redis`, macOS: `brew install redis`)",
};

impl System {
    pub(super) fn find(self) -> Option<Vec<PathBuf>> {
        self.programs.iter().map(find).collect()
    }

    /// Installs Debian's packages, where that needs no password.
    pub(super) fn install(self, step: &Step) -> anyhow::Result<()> {
        static UPDATED: OnceLock<Result<(), String>> = OnceLock::new();
        let updated =
            UPDATED.get_or_init(|| apt_get(step, &["update"]).map_err(|error| format!("{error:#}")));
        let install = [&["install", "--yes", "--no-install-recommends"], self.packages].concat();
        let installed =
            updated.clone().map_err(|reason| anyhow!(reason)).and_then(|()| apt_get(step, &install));
        installed.with_context(|| {
            format!("{} (Debian: `apt-get install {}`)", self.advice, self.packages.join(" "))
        })
    }
}

fn apt_get(step: &Step, args: &[&str]) -> anyhow::Result<()> {
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let mut command = Command::new(if is_root { "env" } else { "sudo" });
    command.args(["-n", "env"].iter().filter(|_| !is_root));
    step.run(command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(args))
}

/// Returns the program; of several names the first that starts counts, as some systems have a placeholder by
/// such a name, which only says how to install the program.
fn find((variable, names): &Program) -> Option<PathBuf> {
    let named = std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let is_right = |program: &PathBuf| names.len() == 1 || starts(program);
    named.or_else(|| names.iter().filter_map(|name| on_path(name)).find(is_right))
}

pub(super) fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

pub(super) fn starts(program: &Path) -> bool {
    output(Command::new(program).arg("--version")).is_ok()
}
