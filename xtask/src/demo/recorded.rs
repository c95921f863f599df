//! The transfer that the shop showed, and the one that the sandbox recorded.

use anyhow::{Context, bail};
use serde_json::Value;

const TIMEOUT_SECONDS: u64 = 10;

#[derive(Debug, PartialEq)]
pub(super) struct Transfer {
    pub(super) id: String,
    pub(super) confirmation: String,
}

impl Transfer {
    fn of(record: &Value) -> Option<Transfer> {
        let text = |key: &str| match record.get(key)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.as_u64()?.to_string()),
            _ => None,
        };
        Some(Transfer { id: text("transferId")?, confirmation: text("confirmationNumber")? })
    }

    /// The transfer in the last line that is JSON.
    pub(super) fn last_shown(output: &str) -> anyhow::Result<Transfer> {
        output
            .lines()
            .rev()
            .find_map(|line| serde_json::from_str::<Value>(line).ok())
            .as_ref()
            .and_then(Transfer::of)
            .context("the check ended without a line {\"transferId\", \"confirmationNumber\"}")
    }

    /// Asks the sandbox at `base_url` for all it has recorded.
    pub(super) fn must_be_recorded(&self, base_url: &str) -> anyhow::Result<()> {
        let url = format!("{base_url}/sandbox/transfers");
        let reply = minreq::get(url.as_str())
            .with_timeout(TIMEOUT_SECONDS)
            .send()
            .with_context(|| format!("GET {url}"))?;
        let text = reply.as_str().with_context(|| format!("GET {url}"))?;
        if reply.status_code != 200 {
            bail!("GET {url} answered {}: {text}", reply.status_code);
        }
        let records: Value = serde_json::from_str(text).with_context(|| format!("GET {url}"))?;
        self.must_be_among(&records)
    }

    fn must_be_among(&self, records: &Value) -> anyhow::Result<()> {
        let records = records.as_array().context("/sandbox/transfers is no list")?;
        let same_id = records.iter().filter_map(Transfer::of).filter(|record| record.id == self.id);
        match same_id.collect::<Vec<_>>().as_slice() {
            [record] if record == self => Ok(()),
            [record] => bail!(
                "the shop showed confirmation {}, but transfer {} is recorded with {}",
                self.confirmation,
                self.id,
                record.confirmation
            ),
            [] => bail!("transfer {} was shown but is not among the {} recorded", self.id, records.len()),
            more => bail!("transfer {} is recorded {} times", self.id, more.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn transfer(id: &str, confirmation: &str) -> Transfer {
        Transfer { id: id.to_owned(), confirmation: confirmation.to_owned() }
    }

    #[test]
    fn the_last_json_line_counts() {
        let output = "step 1\n{\"transferId\":\"a\",\"confirmationNumber\":\"1\"}\nstep 2\n\
                      {\"transferId\":\"b\",\"confirmationNumber\":9007199254740993}\nbye\n";
        let shown = Transfer::last_shown(output).unwrap();
        assert_eq!(shown, transfer("b", "9007199254740993"));
        for output in
            ["", "done\n", "{\"transferId\":\"a\"}\n", "{\"transferId\":\"\",\"confirmationNumber\":\"1\"}"]
        {
            assert!(Transfer::last_shown(output).is_err(), "{output}");
        }
    }

    #[test]
    fn it_must_be_recorded_once_with_the_same_number() {
        let shown = transfer("a", "1");
        let record = json!({"transferId": "a", "confirmationNumber": "1", "status": "Initiated"});
        let other = json!({"transferId": "b", "confirmationNumber": "2"});
        shown.must_be_among(&json!([other, record])).unwrap();
        for (records, reason) in [
            (json!([]), "not among"),
            (json!([other]), "not among the 1"),
            (json!([record, record]), "2 times"),
            (json!([{"transferId": "a", "confirmationNumber": "7"}]), "recorded with 7"),
            (json!({"transfers": []}), "no list"),
        ] {
            let error = shown.must_be_among(&records).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
