//! What only the person can install or change. All of it is looked up before anything is downloaded or
//! built, and all that is missing is reported at once.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, ensure};

use crate::process::output;

/// What a command and its parts require of the machine.
#[derive(Default)]
pub(crate) struct Needs {
    /// The version of Rust, and what it lacks of rust-toolchain.toml.
    pub(crate) rust: String,
    pub(crate) rust_parts: Vec<String>,
    pub(crate) has_rustup: bool,
    pub(crate) npm: bool,
    pub(crate) python: bool,
    /// Debian's packages that are to be installed, with advice for other systems.
    pub(crate) packages: Vec<(String, &'static str)>,
    /// Folders to be written to, the megabytes that they take, and which variable names another one.
    pub(crate) folders: Vec<(PathBuf, u64, &'static str)>,
}

/// Where programs are looked for.
pub(crate) struct Machine {
    pub(crate) path: OsString,
    pub(crate) folder: PathBuf,
}

/// Returns a sentence for each thing that is missing.
type LookUp = fn(&Machine, &Needs) -> Vec<String>;

const TABLE: [LookUp; 8] = [rust, rust_parts, c_compiler, node, npm, python, packages, folders];

pub(crate) fn check(machine: &Machine, needs: &Needs) -> anyhow::Result<()> {
    let missing: Vec<String> = TABLE.iter().flat_map(|look_up| look_up(machine, needs)).collect();
    let list = missing.iter().map(|sentence| format!("\n- {sentence}")).collect::<String>();
    ensure!(missing.is_empty(), "set-up requires what it cannot install:{list}");
    Ok(())
}

fn rust(machine: &Machine, needs: &Needs) -> Vec<String> {
    let found = machine.version("rustc");
    let advice = "Install it through https://rustup.rs, which takes the version from rust-toolchain.toml, and \
        run cargo without `+toolchain` or RUSTUP_TOOLCHAIN.";
    unless(found.as_deref() == Some(&needs.rust), &format!("Rust {}", needs.rust), found, advice)
}

fn rust_parts(machine: &Machine, needs: &Needs) -> Vec<String> {
    // Of another version they would be of no use.
    let is_right = machine.version("rustc").as_deref() == Some(&needs.rust);
    let list = needs.rust_parts.join(", ");
    let advice = "rustup would add this, but did not install this Rust. Install Rust through \
        https://rustup.rs, or add this as you installed Rust.";
    unless(!is_right || needs.has_rustup || list.is_empty(), &format!("Rust's {list}"), None, advice)
}

fn c_compiler(machine: &Machine, _: &Needs) -> Vec<String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let advice = "SQLite is built from source. Install one (Debian: `apt-get install build-essential`, \
        Fedora: `dnf install gcc`, macOS: `xcode-select --install`), or name yours in CC.";
    unless(machine.output(&compiler, &["--version"]).is_ok(), "a C compiler", None, advice)
}

fn node(machine: &Machine, needs: &Needs) -> Vec<String> {
    let found = machine.version("node");
    // As Vite requires it.
    let is_new = is_at_least(found.as_deref(), (20, 19));
    let advice = "Install it from https://nodejs.org, with a version manager or from your system's packages.";
    unless(!needs.npm || is_new, "Node.js 20.19 or newer", found, advice)
}

fn npm(machine: &Machine, needs: &Needs) -> Vec<String> {
    let advice = "It comes with Node.js, except with Debian's (`apt-get install npm`).";
    unless(!needs.npm || machine.version("npm").is_some(), "npm", None, advice)
}

fn python(machine: &Machine, needs: &Needs) -> Vec<String> {
    let found = machine.version("python3");
    let is_new = is_at_least(found.as_deref(), (3, 10));
    let is_whole = is_new && machine.output("python3", &["-c", "import ensurepip, venv"]).is_ok();
    let advice = "The layer `clients` requires it. Install it (Debian: `apt-get install python3-venv`).";
    let found = found.map(|found| if is_new { format!("{found} without them") } else { found });
    let what = "Python 3.10 or newer with its modules venv and ensurepip";
    unless(!needs.python || is_whole, what, found, advice)
}

fn packages(machine: &Machine, needs: &Needs) -> Vec<String> {
    let is_root = || machine.output("id", &["-u"]).is_ok_and(|id| id.trim() == "0");
    let may_install = || is_root() || machine.output("sudo", &["-n", "true"]).is_ok();
    let reason = match machine.output("apt-get", &["--version"]) {
        _ if needs.packages.is_empty() => return Vec::new(),
        Ok(_) if may_install() => return Vec::new(),
        Ok(_) => "apt-get requires root, or a `sudo` without a password",
        Err(_) => "There is no apt-get",
    };
    let line = |(packages, advice): &(String, &str)| {
        unless(
            false,
            packages,
            None,
            &format!("{reason}: {advice} (Debian: `sudo apt-get install {packages}`)."),
        )
    };
    needs.packages.iter().flat_map(line).collect()
}

fn folders(machine: &Machine, needs: &Needs) -> Vec<String> {
    let problem = |(folder, megabytes, variable): &(PathBuf, u64, &str)| {
        let reason = machine.must_hold(folder, *megabytes).err()?;
        let folder = folder.display();
        Some(format!("room in {folder}: {reason}. Make room, or name another folder in {variable}."))
    };
    needs.folders.iter().filter_map(problem).collect()
}

fn unless(is_there: bool, what: &str, found: Option<String>, advice: &str) -> Vec<String> {
    let found = found.map(|found| format!(" (found: {found})")).unwrap_or_default();
    if is_there { Vec::new() } else { vec![format!("{what}{found}. {advice}")] }
}

fn is_at_least(version: Option<&str>, least: (u32, u32)) -> bool {
    let numbers: Option<Vec<u32>> =
        version.map(|version| version.split('.').map_while(|part| part.parse().ok()).collect());
    matches!(numbers.as_deref(), Some([major, minor, ..]) if (*major, *minor) >= least)
}

impl Machine {
    fn output(&self, program: &str, args: &[&str]) -> anyhow::Result<String> {
        output(Command::new(program).args(args).env("PATH", &self.path).current_dir(&self.folder))
    }

    /// Returns the version in what a program prints: `rustc 1.95.0 (…)`, `v20.19.2`, `Python 3.11.2`.
    fn version(&self, program: &str) -> Option<String> {
        let text = self.output(program, &["--version"]).ok()?;
        let numbers = |word: &str| word.trim_start_matches('v').to_owned();
        text.split_whitespace().map(numbers).find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Fails where a folder, or the one that it will be made in, takes no files or not as many bytes.
    fn must_hold(&self, folder: &Path, megabytes: u64) -> anyhow::Result<()> {
        let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(folder);
        let file = existing.join(format!(".xtask-{}", std::process::id()));
        fs::write(&file, "x")?;
        fs::remove_file(&file)?;
        let table = self.output("df", &["-Pk", &existing.to_string_lossy()])?;
        let free = table.lines().nth(1).and_then(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok());
        match free.map(|kilobytes| kilobytes / 1024) {
            Some(free) if free < megabytes => bail!("{free} MB are free, and {megabytes} MB are needed"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;
    use std::os::unix::fs::PermissionsExt;

    const ALL: [(&str, &str); 8] = [
        ("rustc", "echo 'rustc 1.95.0 (59807616e 2026-04-14)'"),
        ("cc", "echo cc"),
        ("node", "echo v20.19.0"),
        ("npm", "echo 10.2.3"),
        ("python3", "echo Python 3.10.1"),
        ("apt-get", "echo apt 2.6.1"),
        ("id", "echo 0"),
        ("df", "printf 'Filesystem\\n/dev/x 900 100 5000000 9%% /\\n'"),
    ];

    /// Checks a machine on which `changed` programs are others or, without a script, not there.
    fn missing(name: &str, changed: &[(&str, &str)], change: impl FnOnce(&mut Needs)) -> Vec<String> {
        let folder = scratch(name);
        for (program, script) in ALL.iter().chain(changed) {
            let file = folder.join(program);
            fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
            if script.is_empty() {
                fs::remove_file(&file).unwrap();
            }
        }
        let mut needs = Needs {
            rust: "1.95.0".to_owned(),
            npm: true,
            python: true,
            folders: vec![(folder.join("cache/deep"), 4000, "CARGO_HOME")],
            ..Needs::default()
        };
        change(&mut needs);
        let machine = Machine { path: folder.clone().into(), folder };
        let text = check(&machine, &needs).err().map_or(String::new(), |error| error.to_string());
        text.lines().skip(1).map(|line| line.trim_start_matches("- ").to_owned()).collect()
    }

    #[test]
    fn a_whole_machine_lacks_nothing() {
        let chromium = |needs: &mut Needs| needs.packages = vec![("chromium".to_owned(), "install Chromium")];
        assert_eq!(missing("whole", &[], chromium), [""; 0]);
    }

    #[test]
    fn each_missing_thing_is_named_with_what_to_do() {
        let script = "case $1 in -c) exit 1;; esac; echo Python 3.11.2";
        for (program, script, start) in [
            ("rustc", "", "Rust 1.95.0. Install it through https://rustup.rs"),
            ("rustc", "echo rustc 1.85.0", "Rust 1.95.0 (found: 1.85.0). Install it through"),
            ("cc", "", "a C compiler. SQLite is built from source. Install one (Debian"),
            ("node", "", "Node.js 20.19 or newer. Install it"),
            ("node", "echo v20.18.3", "Node.js 20.19 or newer (found: 20.18.3). Install it"),
            ("node", "echo v9.11.2", "Node.js 20.19 or newer (found: 9.11.2). Install it"),
            ("npm", "", "npm. It comes with Node.js"),
            ("python3", "", "Python 3.10 or newer with its modules venv and ensurepip. The layer"),
            (
                "python3",
                "echo Python 3.9.2",
                "Python 3.10 or newer with its modules venv and ensurepip (found: 3.9.2)",
            ),
            (
                "python3",
                script,
                "Python 3.10 or newer with its modules venv and ensurepip (found: 3.11.2 without them)",
            ),
            ("df", "printf '\\n/dev/x 900 100 10240 9%% /\\n'", "room in "),
        ] {
            let sentences = missing("one", &[(program, script)], |_| ());
            assert!(
                matches!(&sentences[..], [one] if one.starts_with(start)),
                "{program} {script}: {sentences:?}"
            );
        }
        for version in ["v20.19.0", "v22.12.0", "v100.1.0"] {
            assert_eq!(missing("new", &[("node", &format!("echo {version}"))], |_| ()), [""; 0]);
        }
    }

    #[test]
    fn what_is_not_needed_may_be_missing() {
        let none = [("node", ""), ("npm", ""), ("python3", ""), ("apt-get", ""), ("id", "")];
        assert_eq!(missing("unneeded", &none, |needs| (needs.npm, needs.python) = (false, false)), [""; 0]);
    }

    #[test]
    fn all_that_is_missing_is_reported_at_once() {
        let none = [("cc", ""), ("node", ""), ("npm", ""), ("python3", "")];
        assert_eq!(missing("all", &none, |_| ()).len(), 4);
    }

    #[test]
    fn components_are_missing_only_without_rustup() {
        let lacks = |has_rustup| {
            move |needs: &mut Needs| {
                (needs.rust_parts, needs.has_rustup) =
                    (vec!["rust-src".to_owned(), "clippy".to_owned()], has_rustup);
            }
        };
        assert_eq!(missing("rustup", &[], lacks(true)), [""; 0]);
        let start = "Rust's rust-src, clippy. rustup would add this, but did not install this Rust.";
        let sentences = missing("distribution", &[], lacks(false));
        assert!(matches!(&sentences[..], [one] if one.starts_with(start)), "{sentences:?}");
        // Another version is reported alone.
        assert_eq!(missing("old", &[("rustc", "echo rustc 1.85.0")], lacks(false)).len(), 1);
    }

    #[test]
    fn packages_take_apt_get_and_root_or_sudo() {
        let chromium = |needs: &mut Needs| needs.packages = vec![("chromium".to_owned(), "install Chromium")];
        let sentence = |reason: &str| {
            format!("chromium. {reason}: install Chromium (Debian: `sudo apt-get install chromium`).")
        };
        let user = ("id", "echo 1000");
        let no_root = "apt-get requires root, or a `sudo` without a password";
        assert_eq!(missing("no-apt", &[("apt-get", "")], chromium), [sentence("There is no apt-get")]);
        assert_eq!(missing("user", &[user], chromium), [sentence(no_root)]);
        assert_eq!(missing("password", &[user, ("sudo", "exit 1")], chromium), [sentence(no_root)]);
        assert_eq!(missing("sudo", &[user, ("sudo", "true")], chromium), [""; 0]);
    }

    #[test]
    fn a_folder_that_takes_no_files_is_named() {
        // Not by permissions, which root ignores.
        let sentences =
            missing("folder", &[], |needs| needs.folders = vec![("/proc/none".into(), 1, "CARGO_HOME")]);
        let [sentence] = &sentences[..] else { panic!("{sentences:?}") };
        assert!(sentence.starts_with("room in /proc/none: "), "{sentence}");
        assert!(sentence.ends_with(". Make room, or name another folder in CARGO_HOME."), "{sentence}");
    }
}
