//! A server that is started for a while: the sandbox, the shop's backend.
//!
//! Its first line on stdout is JSON and says that it is ready. It ends when its stdin is closed.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use crate::children::{GRACE, Group};
use crate::command::described;
use crate::steps::tail;

const START_LIMIT: Duration = Duration::from_secs(30);
const TAIL_LINES: usize = 20;

pub(crate) struct Server {
    name: &'static str,
    stdin: Option<ChildStdin>,
    group: Group,
    ready: Value,
    log: PathBuf,
}

impl Server {
    /// Starts `command` and waits until it is ready. What it prints goes to `log`.
    pub(crate) fn start(name: &'static str, command: &mut Command, log: &Path) -> anyhow::Result<Server> {
        if let Some(folder) = log.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let mut file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file.try_clone()?);
        let mut group = Group::start(command)?;
        let stdin = group.take_stdin();
        let stdout = group.take_stdout().context("stdout is not piped")?;
        let (sender, first_line) = mpsc::channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
            if let Some(line) = lines.next() {
                let _ = sender.send(line);
            }
            for line in lines {
                let _ = writeln!(file, "{line}");
            }
        });
        let mut server = Server { name, stdin, group, ready: Value::Null, log: log.to_owned() };
        server.ready = server.read_ready(&first_line).with_context(|| format!("`{}`", described(command)))?;
        Ok(server)
    }

    fn read_ready(&mut self, first_line: &mpsc::Receiver<String>) -> anyhow::Result<Value> {
        let start = Instant::now();
        let line = first_line.recv_timeout(START_LIMIT).map_err(|_| {
            let state = match self.group.wait_up_to(Duration::from_millis(200)) {
                Ok(Some(status)) => format!("ended before it was ready ({status})"),
                _ => format!("was not ready after {} s", start.elapsed().as_secs()),
            };
            self.complaint(&state)
        })?;
        serde_json::from_str(&line)
            .map_err(|_| self.complaint(&format!("should first print a line of JSON, but printed: {line}")))
    }

    /// A text of the line that said it was ready.
    pub(crate) fn ready(&self, key: &str) -> anyhow::Result<&str> {
        match self.ready.get(key) {
            Some(Value::String(text)) => Ok(text),
            _ => bail!("{} said it is ready, but not its `{key}`: {}", self.name, self.ready),
        }
    }

    /// The line that said it was ready.
    pub(crate) fn announced(&self) -> &Value {
        &self.ready
    }

    /// An error once the server has ended.
    pub(crate) fn still_runs(&mut self) -> anyhow::Result<()> {
        match self.group.try_wait()? {
            None => Ok(()),
            Some(status) => Err(self.complaint(&format!("ended by itself ({status})"))),
        }
    }

    /// Stops the server as a parent's death would, and says whether it went well.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        let status = self.close()?;
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(self.complaint(&format!("did not stop cleanly ({status})"))),
            None => Err(self.complaint("did not stop when its stdin was closed")),
        }
    }

    fn close(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        drop(self.stdin.take());
        self.group.wait_up_to(GRACE)
    }

    fn complaint(&self, what: &str) -> anyhow::Error {
        let log = tail(&self.log, TAIL_LINES).unwrap_or_default();
        anyhow!("{} {what}\n{log}\n(all of it: {})", self.name, self.log.display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    fn start(script: &str) -> anyhow::Result<Server> {
        let folder = scratch(&format!("server-{}", script.len()));
        Server::start("the stub", Command::new("sh").args(["-c", script]), &folder.join("log"))
    }

    #[test]
    fn a_server_is_ready_with_its_first_line_and_stops_with_its_stdin() {
        let server = start(r#"echo '{"url":"http://here"}'; echo more; cat"#).unwrap();
        assert_eq!(server.ready("url").unwrap(), "http://here");
        assert!(server.ready("port").unwrap_err().to_string().contains("`port`"));
        server.stop().unwrap();
    }

    #[test]
    fn a_server_that_fails_says_why() {
        let error = format!("{:#}", start("echo no such port >&2; exit 9").err().unwrap());
        assert!(error.contains("exit status: 9"), "{error}");
        assert!(error.contains("no such port"), "{error}");
        let error = format!("{:#}", start("echo hello; cat").err().unwrap());
        assert!(error.contains("printed: hello"), "{error}");
    }

    #[test]
    fn a_server_that_ends_by_itself_is_noticed() {
        let mut server = start("echo 1; echo lost the database >&2; exit 3").unwrap();
        server.group.wait_up_to(GRACE).unwrap();
        let error = server.still_runs().unwrap_err().to_string();
        assert!(error.contains("exit status: 3"), "{error}");
    }
}
