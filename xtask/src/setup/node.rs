//! Node.js and npm, which the person must have.

use std::process::Command;

use anyhow::{Context, bail};

use super::{Found, Part, version_numbers};
use crate::command::output;
use crate::repo::Repo;
use crate::steps::Step;

/// The first that runs test files one after the other when asked.
const OLDEST: [u32; 2] = [20, 10];

pub(crate) struct Node;

impl Part for Node {
    fn title(&self) -> String {
        let [major, minor] = OLDEST;
        format!("Node.js {major}.{minor} or newer, with npm")
    }

    fn found(&self, _: &Repo) -> anyhow::Result<Option<Found>> {
        let advice = || format!("install {}, and put both on PATH", self.title());
        let version = output(Command::new("node").arg("--version")).with_context(advice)?;
        if version_numbers(&version)? < OLDEST {
            bail!("this is Node.js {}: {}", version.trim(), advice());
        }
        output(Command::new("npm").arg("--version")).with_context(advice)?;
        Ok(Some(Vec::new()))
    }

    fn make(&self, _: &Repo, _: &Step) -> anyhow::Result<()> {
        Ok(())
    }
}
