//! Writes the sandbox's tables as the constants of `remitkit/testing`: a script and its types, into the two
//! named files. Packing runs it.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;

use remitkit_sandbox::{
    CardOutcome, DOCUMENTED_CODES, ErrorCode, Means, TEST_CARDS, TRIGGERS, Trigger, known,
};
use serde_json::{Map, Value, json};

const SENDERS: &str = "The senders of a fresh sandbox: a person with hardly any limits, a business, a person \
                       with the limits of a new sender, and a person of the second client.";
const CODES: &str = "How to get each documented error code. `status` is its HTTP status; `amount` and `card` \
                     are those of the first way that has one.";
const CARDS: &str = "What to type into the card form, and the result. Any other number with a valid check \
                     digit is verified.";
const AMOUNT: &str =
    "The amount, in minor units, of a transfer that is made and whose status becomes Failed.";

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [script_file, types_file] = &files[..] else { return Err("name two files".into()) };
    let mut known = known();
    let mut known = |name: &str| known.get_mut(name).map(Value::take).ok_or_else(|| format!("no {name}"));
    let (mut script, mut types) = (String::new(), String::new());
    for (doc, name, value) in [
        (CODES, "triggers", ErrorCode::ALL.iter().take(DOCUMENTED_CODES).map(code).collect()),
        (CARDS, "testCards", cards()?),
        (AMOUNT, "failingTransferAmount", known("failingTransferAmount")?),
        (SENDERS, "sandboxSenders", known("senders")?),
        ("The clients of every sandbox. They are valid nowhere else.", "sandboxClients", known("clients")?),
        (
            "The behaviours that the next card session can have.",
            "cardSessionBehaviours",
            known("cardSessions")?,
        ),
    ] {
        writeln!(script, "export const {name} = {value:#};")?;
        writeln!(types, "/** {doc} */\nexport const {name}: {};", type_of(&value))?;
    }
    std::fs::write(script_file, script)?;
    Ok(std::fs::write(types_file, types)?)
}

/// Returns the TypeScript type of exactly this value.
fn type_of(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members =
                members.iter().map(|(name, value)| format!(" readonly {name}: {};", type_of(value)));
            format!("{{{} }}", members.collect::<String>())
        }
        Value::Array(items) => {
            format!("readonly [{}]", items.iter().map(type_of).collect::<Vec<_>>().join(", "))
        }
        literal => literal.to_string(),
    }
}

/// Returns a code with the ways to get it.
fn code(code: &ErrorCode) -> (String, Value) {
    let ways: Vec<Value> = TRIGGERS.iter().filter(|trigger| trigger.code == *code).map(way).collect();
    let mut entry = Map::new();
    entry.insert("code".to_owned(), json!(code));
    entry.insert("status".to_owned(), json!(code.status().as_u16()));
    for short in ["amount", "card"] {
        if let Some(value) = ways.iter().find_map(|way| way.get(short)) {
            entry.insert(short.to_owned(), value.clone());
        }
    }
    entry.insert("ways".to_owned(), ways.into());
    (code.name().to_owned(), entry.into())
}

/// Returns a way as an object, in which null means to leave the value out.
fn way(trigger: &Trigger) -> Value {
    let operation = trigger.operation;
    let or_null = |value: &'static str| Some(value).filter(|value| !value.is_empty());
    match trigger.means {
        Means::Amount { amount } => json!({ "operation": operation, "amount": amount }),
        Means::Name => json!({ "operation": operation, "lastName": trigger.code }),
        Means::Card { number } => json!({ "operation": operation, "card": number }),
        Means::Property { name, value } => {
            json!({ "operation": operation, "property": name, "value": or_null(value) })
        }
        Means::Field { id, value } => json!({ "operation": operation, "field": id, "value": or_null(value) }),
        Means::Rule { rule } => json!({ "operation": operation, "rule": rule }),
    }
}

fn cards() -> serde_json::Result<Value> {
    let cards = TEST_CARDS.iter().map(|card| {
        let mut entry: Map<String, Value> = serde_json::from_value(serde_json::to_value(card)?)?;
        entry.shift_remove("name");
        if matches!(card.outcome, CardOutcome::SuccessInCurrency { .. }) {
            entry.insert("result".to_owned(), json!("success")); // the currency is beside it
        }
        Ok((card.name.to_owned(), Value::from(entry)))
    });
    cards.collect()
}
