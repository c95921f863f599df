//! The sandbox binary: building it, starting it for other commands, and running it in the foreground.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::process::cannot_start;
use crate::repo::Repo;
use crate::server::Server;

const PROGRAM: &str = "remitkit-sandbox";

/// Replaces this process by the sandbox, so that its stdin, stdout and signals are the person's.
pub(crate) fn run(repo: &Repo, args: &[OsString]) -> anyhow::Result<()> {
    ensure!(cargo_build(repo).status()?.success(), "the sandbox does not build");
    let mut sandbox = Command::new(program(repo));
    let error = sandbox.args(args).exec();
    Err(cannot_start(&sandbox, &error))
}

pub(crate) fn build(repo: &Repo) -> anyhow::Result<()> {
    repo.step("sandbox", |step| step.run(&mut cargo_build(repo)))
}

fn cargo_build(repo: &Repo) -> Command {
    let mut cargo = repo.cargo();
    cargo.args(["build", "--package", PROGRAM, "--bin", PROGRAM]);
    cargo
}

pub(crate) fn program(repo: &Repo) -> PathBuf {
    repo.target.join("debug").join(PROGRAM)
}

/// How a sandbox is started; its ports are any free ones.
#[derive(Default)]
pub(crate) struct Options<'a> {
    /// The database file; without one the database is in memory.
    pub(crate) database: Option<&'a Path>,
    /// Whether exchanges are validated against the interface's document.
    pub(crate) contract: bool,
    pub(crate) traffic: Option<&'a Path>,
}

pub(crate) struct Sandbox(pub(crate) Server);

impl Sandbox {
    pub(crate) fn start(repo: &Repo, options: &Options<'_>, log: &Path) -> anyhow::Result<Sandbox> {
        let mut command = repo.command(program(repo));
        command.args(["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"]);
        // The shop and its workbench are pages of this machine, at ports not yet known.
        for origin in ["http://127.0.0.1:*", "http://localhost:*"] {
            command.args(["--control-origin", origin]);
        }
        for (option, file) in [("--db", options.database), ("--traffic", options.traffic)] {
            if let Some(file) = file {
                command.arg(option).arg(file);
            }
        }
        command.args(options.contract.then_some("--contract"));
        Server::start("the sandbox", &mut command, log).map(Sandbox)
    }

    pub(crate) fn base_url(&self) -> anyhow::Result<&str> {
        self.0.ready("baseUrl")
    }

    pub(crate) fn card_url(&self) -> anyhow::Result<&str> {
        self.0.ready("cardUrl")
    }

    pub(crate) fn backend_env(&self) -> anyhow::Result<[(&'static str, &str); 5]> {
        Ok([
            ("REMITKIT_BASE_URL", self.base_url()?),
            ("REMITKIT_CARD_URL", self.card_url()?),
            ("REMITKIT_CLIENT_ID", self.0.ready("clientId")?),
            ("REMITKIT_CLIENT_SECRET", self.0.ready("clientSecret")?),
            ("REMITKIT_SENDER_ID", self.0.ready("senderId")?),
        ])
    }

    pub(crate) fn must_have_kept_its_contract(&self) -> anyhow::Result<()> {
        let contract = self.get("/sandbox/contract")?;
        match (contract["checked"].as_u64(), contract["total"].as_u64()) {
            (Some(1..), Some(0)) => Ok(()),
            _ => bail!("exchanges deviate from the interface's document: {contract:#}"),
        }
    }

    pub(crate) fn get(&self, path: &str) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.base_url()?);
        let get = || {
            let reply = minreq::get(&url).with_timeout(10).send()?;
            let text = reply.as_str()?;
            ensure!(reply.status_code == 200, "status {}: {text}", reply.status_code);
            Ok(serde_json::from_str(text)?)
        };
        get().with_context(|| format!("GET {url}"))
    }
}
