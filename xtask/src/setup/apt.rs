//! Packages of a Debian-like system, where they may be installed without asking for a password.

use std::process::Command;

use anyhow::bail;

use super::on_path;
use crate::command::output;
use crate::steps::Step;

/// Installs packages, or says what the person must do.
pub(super) fn install(step: &Step, packages: &[&str], missing: &str, advice: &str) -> anyhow::Result<()> {
    let Some(root) = Root::find().filter(|_| on_path("apt-get").is_some()) else {
        bail!("no {missing}, and no right to install it: {advice}");
    };
    step.run(root.command().arg("update"))?;
    step.run(root.command().args(["install", "--yes", "--no-install-recommends"]).args(packages))
        .map_err(|error| error.context(advice.to_owned()))
}

#[derive(Clone, Copy)]
enum Root {
    Already,
    Sudo,
}

impl Root {
    fn find() -> Option<Root> {
        if nix::unistd::geteuid().is_root() {
            return Some(Root::Already);
        }
        let allowed = output(Command::new("sudo").args(["-n", "true"])).is_ok();
        allowed.then_some(Root::Sudo)
    }

    fn command(self) -> Command {
        let mut command = match self {
            Root::Already => Command::new("apt-get"),
            Root::Sudo => {
                let mut sudo = Command::new("sudo");
                sudo.args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
                sudo
            }
        };
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    }
}
