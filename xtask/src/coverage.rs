//! `coverage`: how much of the interface the tests reached, measured from the traffic that they caused.
//!
//! Nothing is declared: the sandbox writes down what it was asked and answered while the tests run, and
//! says by itself what the interface consists of.

use anyhow::{Context, ensure};
use serde_json::{Map, Value, json};

use crate::command::output;
use crate::repo::Repo;
use crate::report::Report;
use crate::sandbox;
use crate::say;
use crate::test::{self, LayerName};
use crate::traffic::Traffic;

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let traffic = |layer: &LayerName| Traffic::of(repo, &layer.name());
    let stale: Vec<LayerName> =
        test::WITH_TRAFFIC.into_iter().filter(|layer| !traffic(layer).is_current(repo)).collect();
    if stale.is_empty() {
        say::say("the last tests left their traffic, and nothing has changed since");
    } else {
        test::run(repo, &stale, report)?;
    }
    sandbox::build(repo)?;
    let interface = output(repo.command(sandbox::program(repo)).arg("--interface"))?;

    let mut tally = Tally::of(&serde_json::from_str(&interface)?)?;
    for layer in &test::WITH_TRAFFIC {
        traffic(layer).each_line(|line| tally.count(line))?;
    }
    let mut short = Vec::new();
    for part in &tally.0 {
        report.set(part.key, part.entry());
        say::result(&format!("{:<26}{:>4} of {}", part.title, part.reached(), part.reached_by.len()));
        part.missing().for_each(|name| say::result(&format!("    not reached: {name}")));
        if part.must_be_whole && !part.is_whole() {
            short.push(part.title);
        }
    }
    ensure!(short.is_empty(), "the tests did not reach every one of: {}", short.join(", "));
    Ok(())
}

/// One kind of thing to reach.
struct Part {
    /// Its name in the results file.
    key: &'static str,
    title: &'static str,
    /// Whether anything missing is a failure.
    must_be_whole: bool,
    /// Each thing with the first test that reached it, in the order of the interface.
    reached_by: Map<String, Value>,
}

impl Part {
    fn reach(&mut self, name: &str, test: &str) {
        if let Some(first @ Value::Null) = self.reached_by.get_mut(name) {
            *first = json!(test);
        }
    }

    fn missing(&self) -> impl Iterator<Item = &String> {
        self.reached_by.iter().filter(|(_, test)| test.is_null()).map(|(name, _)| name)
    }

    fn reached(&self) -> usize {
        self.reached_by.len() - self.missing().count()
    }

    /// Nothing to reach is not everything reached.
    fn is_whole(&self) -> bool {
        !self.reached_by.is_empty() && self.missing().next().is_none()
    }

    fn entry(&self) -> Value {
        json!({
            "reached": self.reached(),
            "total": self.reached_by.len(),
            "missing": self.missing().collect::<Vec<_>>(),
            "reachedBy": self.reached_by,
        })
    }
}

/// The name in the interface, that in the results, the title, and whether all of it must be reached.
const PARTS: [(&str, &str, &str, bool); 6] = [
    ("operations", "operations", "operations", true),
    ("codes", "errorCodes", "error codes", true),
    ("theme", "themeParameters", "theme parameters", true),
    ("events", "events", "events", true),
    ("parameters", "parameters", "query and body parameters", false),
    ("values", "enumerationValues", "enumeration values", false),
];

struct Tally(Vec<Part>);

impl Tally {
    fn of(interface: &Value) -> anyhow::Result<Tally> {
        let parts = PARTS.map(|(name, key, title, must_be_whole)| {
            let names = interface[name].as_array();
            let names = names.with_context(|| format!("the interface says nothing of its {name}"))?;
            let names = names.iter().filter_map(Value::as_str);
            let reached_by = names.map(|name| (name.to_owned(), Value::Null)).collect();
            Ok(Part { key, title, must_be_whole, reached_by })
        });
        parts.into_iter().collect::<anyhow::Result<_>>().map(Tally)
    }

    /// Counts one line of traffic.
    fn count(&mut self, line: &Value) {
        let test = line["test"].as_str().unwrap_or("(a test without a name)");
        let texts = |name: &str| {
            let list = line[name].as_array().into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let mut reach = |key: &str, names: &[String]| {
            for part in self.0.iter_mut().filter(|part| part.key == key) {
                names.iter().for_each(|name| part.reach(name, test));
            }
        };
        reach("errorCodes", &texts("codes"));
        reach("events", &line["event"].as_str().map(str::to_owned).into_iter().collect::<Vec<_>>());
        // A refused call has not shown that the operation works.
        let is_taken = line["status"].as_u64().is_some_and(|status| (200..400).contains(&status));
        let Some(operation) = line["operation"].as_str().filter(|_| is_taken) else { return };
        reach("operations", &[operation.to_owned()]);
        if operation == "cardForm" {
            reach("themeParameters", &texts("query"));
        }
        let named = [texts("query"), texts("body")].concat();
        reach("parameters", &named.iter().map(|name| format!("{operation} {name}")).collect::<Vec<_>>());
        reach("enumerationValues", &texts("values"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[Value]) -> Tally {
        let mut tally = Tally::of(&json!({
            "operations": ["quote", "cardForm", "token"],
            "parameters": ["quote amount", "transfer fields[].id"],
            "codes": ["CC404", "InvalidAmount"],
            "theme": ["primary", "text"],
            "events": ["CARD_VALIDATION_START"],
            "values": ["QuoteBy=SEND_AMOUNT"],
        }))
        .unwrap();
        lines.iter().for_each(|line| tally.count(line));
        tally
    }

    fn part<'a>(tally: &'a Tally, key: &str) -> &'a Part {
        tally.0.iter().find(|part| part.key == key).unwrap()
    }

    #[test]
    fn the_first_test_that_reached_a_thing_is_named() {
        let quote = |test: &str| {
            json!({ "test": test, "operation": "quote", "status": 200, "query": ["amount", "other"],
                "values": ["QuoteBy=SEND_AMOUNT"], "codes": [] })
        };
        let tally = tally(&[
            quote("one"),
            quote("two"),
            json!({ "operation": "cardForm", "status": 200, "query": ["primary"] }),
            json!({ "test": "three", "event": "CARD_VALIDATION_START" }),
        ]);
        assert_eq!(part(&tally, "operations").missing().collect::<Vec<_>>(), ["token"]);
        assert_eq!(part(&tally, "operations").reached_by["quote"], "one");
        assert_eq!(part(&tally, "parameters").entry()["missing"], json!(["transfer fields[].id"]));
        assert_eq!(part(&tally, "themeParameters").reached(), 1);
        assert!(part(&tally, "events").is_whole() && part(&tally, "enumerationValues").is_whole());
    }

    #[test]
    fn a_refused_call_reaches_its_code_alone() {
        let refused = json!({ "operation": "quote", "status": 400, "query": ["amount"], "codes": ["InvalidAmount", "Odd"] });
        let tally = tally(&[refused]);
        assert_eq!(part(&tally, "operations").reached(), 0);
        assert_eq!(part(&tally, "parameters").reached(), 0);
        assert_eq!(part(&tally, "errorCodes").missing().collect::<Vec<_>>(), ["CC404"]);
        assert!(Tally::of(&json!({})).is_err());
    }
}
