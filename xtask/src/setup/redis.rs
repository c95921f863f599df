//! Redis, through which backends share tokens in the package's tests.

use super::{Found, Part, apt, on_path};
use crate::repo::Repo;
use crate::steps::Step;

const ADVICE: &str = "install Redis (Debian: `apt-get install redis-server`, Fedora: `dnf install redis`, \
    macOS: `brew install redis`)";

/// Found: the server. The tests start one of their own, on a socket.
pub(crate) struct Redis;

impl Part for Redis {
    fn title(&self) -> String {
        "Redis".to_owned()
    }

    fn found(&self, _: &Repo) -> anyhow::Result<Option<Found>> {
        Ok(on_path("redis-server").map(|server| vec![server]))
    }

    fn make(&self, _: &Repo, step: &Step) -> anyhow::Result<()> {
        apt::install(step, &["redis-server"], "Redis", ADVICE)
    }
}
