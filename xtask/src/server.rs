//! A server that is started for a while: the sandbox, the shop's backend.
//!
//! Its first line on stdout is JSON and says that it is ready. It stops when its stdin is closed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use crate::process::{GRACE, Group, described};
use crate::steps::{create_file, tail};

const START_LIMIT: Duration = Duration::from_secs(30);
const TAIL_LINES: usize = 20;

pub(crate) struct Server {
    name: &'static str,
    stdin: Option<ChildStdin>,
    group: Group,
    /// The line with which it announced that it is ready.
    pub(crate) ready: Value,
    log: PathBuf,
}

impl Server {
    /// Starts `command` and waits until it is ready. Its output goes to `log`.
    pub(crate) fn start(name: &'static str, command: &mut Command, log: &Path) -> anyhow::Result<Server> {
        let mut file = create_file(log)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file.try_clone()?);
        let mut group = Group::start(command)?;
        let stdin = group.child.stdin.take();
        let stdout = group.child.stdout.take().context("stdout is not piped")?;
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
        let Ok(line) = first_line.recv_timeout(START_LIMIT) else {
            match self.group.wait_up_to(Duration::from_millis(200))? {
                Some(status) => bail!(self.complaint(&format!("ended before it was ready ({status})"))),
                None => bail!(self.complaint(&format!("was not ready after {START_LIMIT:?}"))),
            }
        };
        serde_json::from_str(&line)
            .map_err(|_| self.complaint(&format!("must print a line of JSON first, but printed: {line}")))
    }

    pub(crate) fn ready(&self, key: &str) -> anyhow::Result<&str> {
        let text = self.ready.get(key).and_then(Value::as_str);
        text.with_context(|| format!("{} announced no `{key}`: {}", self.name, self.ready))
    }

    pub(crate) fn still_runs(&mut self) -> anyhow::Result<()> {
        match self.group.try_wait()? {
            None => Ok(()),
            Some(status) => Err(self.complaint(&format!("ended by itself ({status})"))),
        }
    }

    /// Stops the server as the end of its parent would, and fails unless it stops cleanly.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        match self.close()? {
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
        let log = tail(&self.log, TAIL_LINES);
        anyhow!("{} {what}\n{log}\n(the whole log: {})", self.name, self.log.display())
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

    #[test]
    fn is_ready_with_its_first_line_and_stops_with_its_stdin() {
        let mut sh = Command::new("sh");
        sh.args(["-c", r#"echo '{"url":"http://here"}'; echo more; cat"#]);
        let server = Server::start("good", &mut sh, &scratch("server").join("log")).unwrap();
        assert_eq!(server.ready("url").unwrap(), "http://here");
        assert!(server.ready("port").unwrap_err().to_string().contains("`port`"));
        server.stop().unwrap();
    }
}
