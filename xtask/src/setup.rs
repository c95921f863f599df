//! Sets up what a command needs. Each part is looked for first, and installed only where it is missing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, anyhow};

use crate::process::output;
use crate::repo::{Repo, fresh_folder, locked_version, read, read_text};
use crate::stamp::Stamp;
use crate::steps::Step;

/// In the order of set-up: first what the person may have to install, then what takes long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Chromium,
    /// Chromium without the browser's own interface. A page takes a fifth of the processor time.
    HeadlessShell,
    /// Programs: the browser, then its driver.
    Chromedriver,
    /// Program: the driver, which finds the browser.
    Firefox,
    /// Programs: the driver, which brings its own browser, then the virtual screen.
    WebKit,
    /// Shared by several backends in the package's tests.
    Redis,
    /// At the version that Cargo.lock names, with its test runner and the splitter of modules.
    WasmBindgen,
    WasmPack,
    CargoDeny,
    CargoCyclonedx,
    /// The Python packages of tests/standard-clients, in their own environment.
    Python,
    /// The npm packages that a folder's lock file pins.
    Npm(&'static str),
}

pub(crate) type Programs = Vec<PathBuf>;

/// The parts that this process has set up, or why it could not.
static KNOWN: Mutex<BTreeMap<Part, Result<Programs, String>>> = Mutex::new(BTreeMap::new());

/// Sets up a part that a command can do without; returns the reason of a failure.
pub(crate) fn try_set_up(repo: &Repo, part: Part) -> Result<Programs, String> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let set_up = || {
        let programs = repo.step(&part.title(), |step| {
            if let Some(programs) = part.find(repo)? {
                step.is_up_to_date();
                return Ok(programs);
            }
            part.install(repo, step)?;
            part.find(repo)?.context("it is still missing after it was installed")
        });
        programs.map_err(|error| format!("{error:#}"))
    };
    known.entry(part).or_insert_with(set_up).clone()
}

pub(crate) fn set_up(repo: &Repo, part: Part) -> anyhow::Result<Programs> {
    try_set_up(repo, part).map_err(|reason| anyhow!(reason))
}

pub(crate) fn program(repo: &Repo, part: Part) -> anyhow::Result<PathBuf> {
    set_up(repo, part)?.into_iter().next().with_context(|| format!("{} has no program", part.title()))
}

/// Returns the browser for tests that open many pages: the one in REMITKIT_CHROMIUM, else the headless shell,
/// else Chromium.
pub(crate) fn headless_chromium(repo: &Repo) -> anyhow::Result<PathBuf> {
    let is_named = std::env::var_os(CHROMIUM.0).is_some_and(|value| !value.is_empty());
    let has_shell = !is_named && try_set_up(repo, Part::HeadlessShell).is_ok();
    program(repo, if has_shell { Part::HeadlessShell } else { Part::Chromium })
}

/// A variable of the environment that names a program, or else the names that PATH may have it by.
type SystemProgram = (&'static str, &'static [&'static str]);

const CHROMIUM: SystemProgram = (
    "REMITKIT_CHROMIUM",
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
const CHROMEDRIVER: SystemProgram = ("REMITKIT_CHROMEDRIVER", &["chromedriver", "chromium.chromedriver"]);
const CHROMIUM_ADVICE: &str = "install Chromium with its chromedriver (Fedora: `dnf install chromium \
    chromedriver`, macOS: `brew install --cask chromium chromedriver`), or name yours in REMITKIT_CHROMIUM \
    and REMITKIT_CHROMEDRIVER";
const CLIENTS: &str = "tests/standard-clients";
const WASM_BINDGEN: &str = "xtask/wasm-bindgen-tools";

impl Part {
    fn title(self) -> String {
        match self {
            Part::Chromium => "Chromium".to_owned(),
            Part::HeadlessShell => "Chromium's headless shell".to_owned(),
            Part::Chromedriver => "Chromium and its driver".to_owned(),
            Part::Firefox => "Firefox and its driver".to_owned(),
            Part::WebKit => "WebKit and its driver".to_owned(),
            Part::Redis => "Redis".to_owned(),
            Part::WasmBindgen => "wasm-bindgen".to_owned(),
            Part::WasmPack | Part::CargoDeny | Part::CargoCyclonedx => {
                self.cargo_tool().map(|(name, version)| format!("{name} {version}")).unwrap_or_default()
            }
            Part::Python => format!("Python packages of {CLIENTS}"),
            Part::Npm(folder) => format!("npm packages of {folder}"),
        }
    }

    /// Returns what the system's package manager installs: programs, Debian's packages, and advice for the
    /// rest.
    fn system(self) -> (&'static [SystemProgram], &'static [&'static str], &'static str) {
        match self {
            Part::Chromium => (&[CHROMIUM], &["chromium"], CHROMIUM_ADVICE),
            Part::Chromedriver => {
                (&[CHROMIUM, CHROMEDRIVER], &["chromium", "chromium-driver"], CHROMIUM_ADVICE)
            }
            Part::HeadlessShell => (
                &[("", &["chromium-headless-shell"])],
                &["chromium-headless-shell"],
                "install Chromium's headless shell",
            ),
            Part::Firefox => (&[("", &["firefox", "firefox-esr"])], &["firefox-esr"], "install Firefox"),
            Part::WebKit => (
                &[("", &["WebKitWebDriver"]), ("", &["xvfb-run"])],
                &["webkit2gtk-driver", "xvfb", "xauth"],
                "install WebKitGTK's driver and a virtual screen",
            ),
            Part::Redis => (
                &[("", &["redis-server"])],
                &["redis-server"],
                "install Redis (Fedora: `dnf install redis`, macOS: `brew install redis`)",
            ),
            _ => (&[], &[], ""),
        }
    }

    fn system_programs(self) -> Option<Programs> {
        self.system().0.iter().map(find_system_program).collect()
    }

    /// Returns the name and version of what `cargo install` builds from crates.io.
    fn cargo_tool(self) -> Option<(&'static str, &'static str)> {
        match self {
            Part::Firefox => Some(("geckodriver", "0.37.1")),
            Part::WasmPack => Some(("wasm-pack", "0.15.1")),
            Part::CargoDeny => Some(("cargo-deny", "0.20.2")),
            Part::CargoCyclonedx => Some(("cargo-cyclonedx", "0.5.9")),
            _ => None,
        }
    }

    /// Looks for the part; returns `None` where it must be installed.
    fn find(self, repo: &Repo) -> anyhow::Result<Option<Programs>> {
        let Some(programs) = self.system_programs() else { return Ok(None) };
        if let Some((name, version)) = self.cargo_tool() {
            return Ok(of_version(repo, &[name], version));
        }
        Ok(match self {
            Part::WasmBindgen => {
                let version = locked_version(&read_text(&repo.path("Cargo.lock"))?, "wasm-bindgen")?;
                of_version(repo, &["wasm-bindgen", "wasm-bindgen-test-runner", "wasm-split"], &version)
            }
            Part::Python => {
                let python = python_environment(repo).join("bin/python");
                // The Python that the environment was made with may be gone.
                (python_stamp(repo)?.holds() && starts(&python)).then(|| vec![python])
            }
            Part::Npm(folder) => npm_stamp(repo, folder)?.holds().then(Programs::new),
            _ => Some(programs),
        })
    }

    /// Installs the part, or says what the person must install.
    fn install(self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        if self.system_programs().is_none() {
            let (_, packages, advice) = self.system();
            apt_get(step, packages, advice)?;
        }
        if let Some((name, version)) = self.cargo_tool() {
            return cargo_install(repo, step, &[name, "--version", version]);
        }
        match self {
            Part::WasmBindgen => cargo_install(repo, step, &["--path", WASM_BINDGEN]),
            Part::Npm(folder) => {
                // No scripts: an installed package runs only when we run it.
                let mut npm = repo.command("npm");
                npm.current_dir(repo.path(folder));
                step.run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
                npm_stamp(repo, folder)?.set()
            }
            Part::Python => {
                let advice = "install Python 3.10 or newer with its module venv";
                let environment = python_environment(repo);
                fresh_folder(&environment)?;
                step.run(repo.command("python3").args(["-m", "venv"]).arg(&environment)).context(advice)?;
                // No dependencies: the file pins all of them.
                let mut pip = repo.command(environment.join("bin/python"));
                pip.args(["-m", "pip", "install", "--no-deps", "--no-input", "--disable-pip-version-check"]);
                step.run(pip.arg("--requirement").arg(repo.path(CLIENTS).join("requirements.txt")))?;
                python_stamp(repo)?.set()
            }
            _ => Ok(()),
        }
    }
}

/// Returns the program; of several names the first that starts counts, as some systems have a placeholder by
/// such a name, which only says how to install the program.
fn find_system_program((variable, names): &SystemProgram) -> Option<PathBuf> {
    let named = std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let is_right = |program: &PathBuf| names.len() == 1 || starts(program);
    named.or_else(|| names.iter().filter_map(|name| on_path(name)).find(is_right))
}

/// In node_modules, so that the stamp is removed with what it stands for.
fn npm_stamp(repo: &Repo, folder: &str) -> anyhow::Result<Stamp> {
    let folder = repo.path(folder);
    let inputs = [read(&folder.join("package-lock.json"))?, read(&folder.join("package.json"))?];
    Ok(Stamp::new(folder.join("node_modules/.xtask-stamp"), &inputs.each_ref().map(Vec::as_slice)))
}

fn python_environment(repo: &Repo) -> PathBuf {
    repo.tools().join("python")
}

fn python_stamp(repo: &Repo) -> anyhow::Result<Stamp> {
    let requirements = read(&repo.path(CLIENTS).join("requirements.txt"))?;
    Ok(Stamp::new(python_environment(repo).join("xtask-stamp"), &[&requirements]))
}

/// Builds programs into the tools folder. Unoptimised: they only start others, or run for a second.
fn cargo_install(repo: &Repo, step: &Step, what: &[&str]) -> anyhow::Result<()> {
    let build = repo.tools().join("build");
    let mut cargo = repo.cargo();
    cargo.arg("install").args(what).args(["--locked", "--debug", "--force", "--root"]).arg(repo.tools());
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env_remove("CARGO_BUILD_TARGET");
    step.run(cargo.arg("--target-dir").arg(&build))?;
    fresh_folder(&build)
}

/// Returns programs of one version in one folder, that of this clone's tools or one of PATH: wasm-pack looks
/// for the test runner beside wasm-bindgen.
fn of_version(repo: &Repo, names: &[&str], version: &str) -> Option<Programs> {
    let first = names.first()?;
    let on_path = on_path(first).and_then(|program| Some(program.parent()?.to_owned()));
    [repo.tools().join("bin")].into_iter().chain(on_path).find_map(|folder| {
        let programs: Programs = names.iter().map(|name| folder.join(name)).collect();
        let is_right = |program: &PathBuf| {
            let mut command = Command::new(program);
            command.args(first.strip_prefix("cargo-")).arg("--version");
            output(&mut command).is_ok_and(|text| text.split_whitespace().nth(1) == Some(version))
        };
        programs.iter().all(is_right).then_some(programs)
    })
}

/// Installs packages of a Debian-like system, where that needs no password.
fn apt_get(step: &Step, packages: &[&str], advice: &str) -> anyhow::Result<()> {
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let run = |args: &[&str]| {
        let mut command = Command::new(if is_root { "env" } else { "sudo" });
        command.args(["-n", "env"].iter().filter(|_| !is_root));
        step.run(command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(args))
    };
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    run(&["update"])
        .and_then(|()| run(&install))
        .with_context(|| format!("{advice} (Debian: `apt-get install {}`)", packages.join(" ")))
}

/// Returns PATH with the folder of a program in front, so that the tools beside it are found first.
pub(crate) fn path_with(program: &Path) -> anyhow::Result<OsString> {
    let folder = program.parent().map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(folder.into_iter().chain(std::env::split_paths(&path)))?)
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn starts(program: &Path) -> bool {
    output(Command::new(program).arg("--version")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cargo keeps the two lock files apart, so each states the version.
    #[test]
    fn both_lock_files_have_the_same_wasm_bindgen() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let outer = read_text(&root.join("Cargo.lock")).unwrap();
        let tools = read_text(&root.join(WASM_BINDGEN).join("Cargo.lock")).unwrap();
        let version = locked_version(&outer, "wasm-bindgen").unwrap();
        assert_eq!(version, locked_version(&tools, "wasm-bindgen-cli").unwrap());
        assert!(locked_version(&outer, "bindgen").is_err());
    }
}
