//! The sandbox binary: building it, starting it for other commands, and handing over to it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::Value;

use crate::command;
use crate::repo::Repo;
use crate::server::Server;
use crate::steps::Steps;

const PROGRAM: &str = "remitkit-sandbox";

/// `cargo xtask sandbox`: becomes the sandbox, so that its stdin, stdout and signals are the person's.
pub(crate) fn run(repo: &Repo, args: &[OsString]) -> anyhow::Result<()> {
    let status = repo.cargo().args(["build", "--package", PROGRAM, "--bins"]).status()?;
    if !status.success() {
        bail!("the sandbox does not build");
    }
    let mut sandbox = std::process::Command::new(program(repo));
    let error = sandbox.args(args).exec();
    Err(crate::command::cannot_start(&sandbox, &error))
}

pub(crate) fn build(repo: &Repo, steps: &mut Steps) -> anyhow::Result<()> {
    steps.run("sandbox", |step| step.run(repo.cargo().args(["build", "--package", PROGRAM, "--bins"])))
}

/// What the interface consists of, as the sandbox says it: JSON.
pub(crate) fn interface(repo: &Repo) -> anyhow::Result<String> {
    command::output(repo.command(program(repo)).arg("--interface"))
}

pub(crate) fn program(repo: &Repo) -> PathBuf {
    repo.target.join("debug").join(PROGRAM)
}

/// A running sandbox and what it says of itself.
pub(crate) struct Sandbox {
    server: Server,
}

/// How it is started, at any free ports; no database file is a database in memory.
#[derive(Default)]
pub(crate) struct Options<'a> {
    pub(crate) database: Option<&'a Path>,
    /// Whether exchanges are held against the interface's document.
    pub(crate) contract: bool,
    /// Where the traffic is recorded.
    pub(crate) traffic: Option<&'a Path>,
}

impl Sandbox {
    pub(crate) fn start(repo: &Repo, options: &Options<'_>, log: &Path) -> anyhow::Result<Sandbox> {
        let mut command = repo.command(program(repo));
        command.args(["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"]);
        // The shop and its workbench are pages of this machine, on ports that are not known yet.
        for origin in ["http://127.0.0.1:*", "http://localhost:*"] {
            command.args(["--control-origin", origin]);
        }
        if let Some(file) = options.database {
            command.arg("--db").arg(file);
        }
        if options.contract {
            command.arg("--contract");
        }
        if let Some(file) = options.traffic {
            command.arg("--traffic").arg(file);
        }
        let server = Server::start("the sandbox", &mut command, log)?;
        Ok(Sandbox { server })
    }

    pub(crate) fn base_url(&self) -> anyhow::Result<&str> {
        self.server.ready("baseUrl")
    }

    pub(crate) fn card_url(&self) -> anyhow::Result<&str> {
        self.server.ready("cardUrl")
    }

    pub(crate) fn sender_id(&self) -> anyhow::Result<&str> {
        self.server.ready("senderId")
    }

    /// The whole line with which it said that it is ready.
    pub(crate) fn announced(&self) -> &Value {
        self.server.announced()
    }

    /// What the shop's backend needs to know, as the environment it reads.
    pub(crate) fn backend_env(&self) -> anyhow::Result<[(&'static str, &str); 5]> {
        Ok([
            ("REMITKIT_BASE_URL", self.base_url()?),
            ("REMITKIT_CARD_URL", self.card_url()?),
            ("REMITKIT_CLIENT_ID", self.server.ready("clientId")?),
            ("REMITKIT_CLIENT_SECRET", self.server.ready("clientSecret")?),
            ("REMITKIT_SENDER_ID", self.sender_id()?),
        ])
    }

    /// Fails with what strayed from the interface's document, if anything did.
    pub(crate) fn must_have_kept_its_contract(&self) -> anyhow::Result<()> {
        let reply = minreq::get(format!("{}/sandbox/contract", self.base_url()?)).with_timeout(10).send()?;
        let contract: Value = serde_json::from_str(reply.as_str()?)?;
        let count = |name: &str| contract.get(name).and_then(Value::as_u64);
        match (count("checked"), count("total")) {
            (Some(1..), Some(0)) => Ok(()),
            _ => bail!("what was said strays from the document of the interface: {contract:#}"),
        }
    }

    pub(crate) fn still_runs(&mut self) -> anyhow::Result<()> {
        self.server.still_runs()
    }

    pub(crate) fn stop(self) -> anyhow::Result<()> {
        self.server.stop()
    }
}
