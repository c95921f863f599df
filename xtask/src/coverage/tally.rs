//! What there is to reach, and which test reached it first.

use anyhow::Context;
use serde_json::{Map, Value, json};

/// One kind of thing to reach.
pub(super) struct Part {
    /// Its name in the results file.
    pub(super) key: &'static str,
    pub(super) title: &'static str,
    /// Whether anything missing is a failure.
    pub(super) must_be_whole: bool,
    /// Each thing with the first test that reached it, in the order of the interface.
    reached_by: Map<String, Value>,
}

impl Part {
    fn of(
        interface: &Value,
        name: &str,
        key: &'static str,
        title: &'static str,
        must_be_whole: bool,
    ) -> anyhow::Result<Part> {
        let names = interface.get(name).and_then(Value::as_array);
        let names = names.with_context(|| format!("the interface says nothing of its {name}"))?;
        let names = names.iter().filter_map(Value::as_str);
        let reached_by = names.map(|name| (name.to_owned(), Value::Null)).collect();
        Ok(Part { key, title, must_be_whole, reached_by })
    }

    fn reach(&mut self, name: &str, test: &str) {
        if let Some(first) = self.reached_by.get_mut(name)
            && first.is_null()
        {
            *first = json!(test);
        }
    }

    pub(super) fn total(&self) -> usize {
        self.reached_by.len()
    }

    pub(super) fn reached(&self) -> usize {
        self.reached_by.values().filter(|test| !test.is_null()).count()
    }

    /// Nothing to reach is not everything reached.
    pub(super) fn is_whole(&self) -> bool {
        self.total() > 0 && self.reached() == self.total()
    }

    pub(super) fn missing(&self) -> impl Iterator<Item = &str> {
        self.reached_by.iter().filter(|(_, test)| test.is_null()).map(|(name, _)| name.as_str())
    }

    pub(super) fn entry(&self) -> Value {
        json!({
            "reached": self.reached(),
            "total": self.total(),
            "missing": self.missing().collect::<Vec<_>>(),
            "reachedBy": self.reached_by,
        })
    }
}

pub(super) struct Tally {
    parts: Vec<Part>,
}

impl Tally {
    pub(super) fn of(interface: &Value) -> anyhow::Result<Tally> {
        let part = |name, key, title, whole| Part::of(interface, name, key, title, whole);
        let parts = vec![
            part("operations", "operations", "operations", true)?,
            part("codes", "errorCodes", "error codes", true)?,
            part("theme", "themeParameters", "theme parameters", true)?,
            part("events", "events", "events", true)?,
            part("parameters", "parameters", "query and body parameters", false)?,
            part("values", "enumerationValues", "enumeration values", false)?,
        ];
        Ok(Tally { parts })
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Counts one line of traffic.
    pub(super) fn count(&mut self, line: &Value) {
        let test = line.get("test").and_then(Value::as_str).unwrap_or("(a test without a name)");
        let list = |name: &str| line.get(name).and_then(Value::as_array).into_iter().flatten();
        let texts = |name: &str| list(name).filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
        let operation = line.get("operation").and_then(Value::as_str);
        let status = line.get("status").and_then(Value::as_u64).unwrap_or(0);
        // A refused call has not shown that the operation works.
        let taken = (200..400).contains(&status);
        let mut reach = |key: &str, names: &[String]| {
            let part = self.parts.iter_mut().find(|part| part.key == key);
            let Some(part) = part else { return };
            names.iter().for_each(|name| part.reach(name, test));
        };
        reach("errorCodes", &texts("codes"));
        reach(
            "events",
            &line.get("event").and_then(Value::as_str).map(str::to_owned).into_iter().collect::<Vec<_>>(),
        );
        let Some(operation) = operation.filter(|_| taken) else { return };
        reach("operations", &[operation.to_owned()]);
        reach("themeParameters", &if operation == "cardForm" { texts("query") } else { Vec::new() });
        let mut named = texts("query");
        named.extend(texts("body"));
        reach("parameters", &named.iter().map(|name| format!("{operation} {name}")).collect::<Vec<_>>());
        reach("enumerationValues", &texts("values"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally() -> Tally {
        Tally::of(&json!({
            "operations": ["quote", "cardForm", "token"],
            "parameters": ["quote amount", "transfer fields[].id"],
            "codes": ["CC404", "InvalidAmount"],
            "theme": ["primary", "text"],
            "events": ["CARD_VALIDATION_START"],
            "values": ["QuoteBy=SEND_AMOUNT"],
        }))
        .unwrap()
    }

    fn part<'a>(tally: &'a Tally, key: &str) -> &'a Part {
        tally.parts().iter().find(|part| part.key == key).unwrap()
    }

    #[test]
    fn the_first_test_that_reached_a_thing_is_named() {
        let mut tally = tally();
        for test in ["one", "two"] {
            tally.count(
                &json!({ "test": test, "operation": "quote", "status": 200, "query": ["amount", "other"],
                "values": ["QuoteBy=SEND_AMOUNT"], "codes": [] }),
            );
        }
        tally.count(&json!({ "operation": "cardForm", "status": 200, "query": ["primary"] }));
        tally.count(&json!({ "test": "three", "event": "CARD_VALIDATION_START" }));
        assert_eq!(part(&tally, "operations").missing().collect::<Vec<_>>(), ["token"]);
        assert_eq!(part(&tally, "operations").reached_by["quote"], "one");
        assert_eq!(part(&tally, "parameters").entry()["missing"], json!(["transfer fields[].id"]));
        assert_eq!(part(&tally, "themeParameters").reached(), 1);
        assert!(part(&tally, "events").is_whole() && part(&tally, "enumerationValues").is_whole());
    }

    #[test]
    fn a_refused_call_reaches_its_code_alone() {
        let mut tally = tally();
        tally.count(&json!({ "operation": "quote", "status": 400, "query": ["amount"], "codes": ["InvalidAmount", "Odd"] }));
        assert_eq!(part(&tally, "operations").reached(), 0);
        assert_eq!(part(&tally, "parameters").reached(), 0);
        assert_eq!(part(&tally, "errorCodes").missing().collect::<Vec<_>>(), ["CC404"]);
    }

    #[test]
    fn an_interface_of_nothing_is_not_covered() {
        assert!(Tally::of(&json!({})).is_err());
        let empty = Part { key: "x", title: "x", must_be_whole: true, reached_by: Map::new() };
        assert!(!empty.is_whole());
    }
}
