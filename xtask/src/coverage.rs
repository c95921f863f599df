//! `coverage`: how much of the interface the tests reach, measured from their recorded traffic. The sandbox
//! lists what the interface consists of.

use anyhow::{Context, ensure};
use serde_json::{Map, Value, json};

use crate::process::output;
use crate::repo::{Repo, files_ending, read_text};
use crate::report::Report;
use crate::{sandbox, say, test};

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    test::run_layers(repo, &test::WITH_TRAFFIC, report)?;
    sandbox::build(repo)?;
    let interface = output(repo.command(sandbox::program(repo)).arg("--interface"))?;

    let mut kinds = kinds_of(&serde_json::from_str(&interface)?)?;
    for layer in test::WITH_TRAFFIC {
        for file in files_ending(&test::traffic_folder(repo, layer), ".jsonl")? {
            for line in read_text(&file)?.lines().filter(|line| !line.is_empty()) {
                let line = serde_json::from_str(line);
                count(&mut kinds, &line.with_context(|| format!("reading {}", file.display()))?);
            }
        }
    }
    let mut incomplete = Vec::new();
    for kind in &kinds {
        let (missing, total) = (kind.missing(), kind.reached_by.len());
        let reached = total - missing.len();
        report.set(
            kind.key,
            json!({ "reached": reached, "total": total, "missing": missing, "reachedBy": kind.reached_by }),
        );
        say::result(&format!("{:<26}{reached:>4} of {total}", kind.title));
        missing.iter().for_each(|name| say::result(&format!("    not reached: {name}")));
        // Nothing to reach is not everything reached.
        if kind.must_be_complete && (reached < total || total == 0) {
            incomplete.push(kind.title);
        }
    }
    ensure!(incomplete.is_empty(), "the tests did not reach all {}", incomplete.join(", "));
    Ok(())
}

struct Kind {
    key: &'static str,
    title: &'static str,
    must_be_complete: bool,
    /// Each thing with the first test that reached it, in the interface's order.
    reached_by: Map<String, Value>,
}

impl Kind {
    fn missing(&self) -> Vec<&str> {
        let missing = self.reached_by.iter().filter(|(_, test)| test.is_null());
        missing.map(|(name, _)| name.as_str()).collect()
    }
}

/// The name in the interface, the key in the results, the title, and whether all of it must be reached.
const KINDS: [(&str, &str, &str, bool); 6] = [
    ("operations", "operations", "operations", true),
    ("codes", "errorCodes", "error codes", true),
    ("theme", "themeParameters", "theme parameters", true),
    ("events", "events", "events", true),
    ("parameters", "parameters", "query and body parameters", false),
    ("values", "enumerationValues", "enumeration values", false),
];

fn kinds_of(interface: &Value) -> anyhow::Result<Vec<Kind>> {
    let kinds = KINDS.map(|(name, key, title, must_be_complete)| {
        let names = interface[name].as_array();
        let names = names.with_context(|| format!("the interface lists no {name}"))?;
        let names = names.iter().filter_map(Value::as_str);
        let reached_by = names.map(|name| (name.to_owned(), Value::Null)).collect();
        Ok(Kind { key, title, must_be_complete, reached_by })
    });
    kinds.into_iter().collect()
}

fn count(kinds: &mut [Kind], line: &Value) {
    let test = line["test"].as_str().unwrap_or("(a test without a name)");
    let texts = |name: &str| {
        let list = line[name].as_array().into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut reach = |key: &str, names: &[String]| {
        let Some(kind) = kinds.iter_mut().find(|kind| kind.key == key) else { return };
        for name in names {
            if let Some(first @ Value::Null) = kind.reached_by.get_mut(name) {
                *first = json!(test);
            }
        }
    };
    reach("errorCodes", &texts("codes"));
    reach("events", &line["event"].as_str().map(str::to_owned).into_iter().collect::<Vec<_>>());
    // A rejected call does not show that the operation works.
    let is_accepted = line["status"].as_u64().is_some_and(|status| (200..400).contains(&status));
    let Some(operation) = line["operation"].as_str().filter(|_| is_accepted) else { return };
    reach("operations", &[operation.to_owned()]);
    if operation == "cardForm" {
        reach("themeParameters", &texts("query"));
    }
    let named = [texts("query"), texts("body")].concat();
    reach("parameters", &named.iter().map(|name| format!("{operation} {name}")).collect::<Vec<_>>());
    reach("enumerationValues", &texts("values"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_calls_reach_what_they_use_and_rejected_ones_their_code() {
        let mut kinds = kinds_of(&json!({
            "operations": ["quote", "token"],
            "parameters": ["quote amount", "token grant_type"],
            "codes": ["CC404", "InvalidAmount"],
            "theme": ["primary", "text"],
            "events": ["CARD_VALIDATION_START"],
            "values": ["QuoteBy=SEND_AMOUNT"],
        }))
        .unwrap();
        for line in [
            json!({ "test": "one", "operation": "quote", "status": 200, "query": ["amount", "other"] }),
            json!({ "test": "two", "operation": "quote", "status": 200, "values": ["QuoteBy=SEND_AMOUNT"] }),
            json!({ "operation": "cardForm", "status": 200, "query": ["primary"] }),
            json!({ "event": "CARD_VALIDATION_START" }),
            json!({ "operation": "token", "status": 400, "codes": ["InvalidAmount", "Unknown"] }),
        ] {
            count(&mut kinds, &line);
        }
        let missing: Vec<_> = kinds.iter().map(Kind::missing).collect();
        let expected: [&[&str]; 6] = [&["token"], &["CC404"], &["text"], &[], &["token grant_type"], &[]];
        assert_eq!(missing, expected);
        assert_eq!(kinds[0].reached_by["quote"], "one");
        assert!(kinds_of(&json!({})).is_err());
    }
}
