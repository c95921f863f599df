//! The sandbox binary: building it, starting it for other commands, and handing over to it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::children::cannot_start;
use crate::repo::Repo;
use crate::server::Server;

const PROGRAM: &str = "remitkit-sandbox";

/// `cargo xtask sandbox`: becomes the sandbox, so that its stdin, stdout and signals are the person's.
pub(crate) fn run(repo: &Repo, args: &[OsString]) -> anyhow::Result<()> {
    let status = repo.cargo().args(["build", "--package", PROGRAM, "--bin", PROGRAM]).status()?;
    ensure!(status.success(), "the sandbox does not build");
    let mut sandbox = std::process::Command::new(program(repo));
    let error = sandbox.args(args).exec();
    Err(cannot_start(&sandbox, &error))
}

pub(crate) fn build(repo: &Repo) -> anyhow::Result<()> {
    repo.step("sandbox", |step| {
        step.run(repo.cargo().args(["build", "--package", PROGRAM, "--bin", PROGRAM]))
    })
}

pub(crate) fn program(repo: &Repo) -> PathBuf {
    repo.target.join("debug").join(PROGRAM)
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

/// A running sandbox.
pub(crate) struct Sandbox(pub(crate) Server);

impl Sandbox {
    pub(crate) fn start(repo: &Repo, options: &Options<'_>, log: &Path) -> anyhow::Result<Sandbox> {
        let mut command = repo.command(program(repo));
        command.args(["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"]);
        // The shop and its workbench are pages of this machine, on ports that are not known yet.
        for origin in ["http://127.0.0.1:*", "http://localhost:*"] {
            command.args(["--control-origin", origin]);
        }
        for (option, file) in [("--db", options.database), ("--traffic", options.traffic)] {
            if let Some(file) = file {
                command.arg(option).arg(file);
            }
        }
        if options.contract {
            command.arg("--contract");
        }
        Server::start("the sandbox", &mut command, log).map(Sandbox)
    }

    pub(crate) fn base_url(&self) -> anyhow::Result<&str> {
        self.0.ready("baseUrl")
    }

    pub(crate) fn card_url(&self) -> anyhow::Result<&str> {
        self.0.ready("cardUrl")
    }

    /// What the shop's backend needs to know, as the environment it reads.
    pub(crate) fn backend_env(&self) -> anyhow::Result<[(&'static str, &str); 5]> {
        Ok([
            ("REMITKIT_BASE_URL", self.base_url()?),
            ("REMITKIT_CARD_URL", self.card_url()?),
            ("REMITKIT_CLIENT_ID", self.0.ready("clientId")?),
            ("REMITKIT_CLIENT_SECRET", self.0.ready("clientSecret")?),
            ("REMITKIT_SENDER_ID", self.0.ready("senderId")?),
        ])
    }

    /// Fails with what strayed from the interface's document, if anything did.
    pub(crate) fn must_have_kept_its_contract(&self) -> anyhow::Result<()> {
        let contract = get(&format!("{}/sandbox/contract", self.base_url()?))?;
        match (contract["checked"].as_u64(), contract["total"].as_u64()) {
            (Some(1..), Some(0)) => Ok(()),
            _ => bail!("what was said strays from the document of the interface: {contract:#}"),
        }
    }
}

/// Asks a sandbox for what it says in JSON.
pub(crate) fn get(url: &str) -> anyhow::Result<Value> {
    let reply = minreq::get(url).with_timeout(10).send().with_context(|| format!("GET {url}"))?;
    let text = reply.as_str().with_context(|| format!("GET {url}"))?;
    ensure!(reply.status_code == 200, "GET {url} answered {}: {text}", reply.status_code);
    serde_json::from_str(text).with_context(|| format!("GET {url}"))
}
