//! Writes the sandbox's tables as the constants of `remitkit/testing`: the script and its types, into the two
//! files that are named. Packing runs it.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;

use remitkit_sandbox::{
    CardOutcome, DOCUMENTED_CODES, ErrorCode, Means, TEST_CARDS, TRIGGERS, Trigger, known,
};
use serde_json::{Map, Value, json};

const SENDERS: &str = "The senders of a fresh sandbox: a person whose limits hardly bind, a business, a person \
                       with the limits of a new sender, and a person of the second client.";
const CODES: &str = "How to get each documented error code. `status` is its HTTP status; `amount` and `card` \
                     are those of its first way that has one.";
const CARDS: &str = "What to type into the card form, and what becomes of it. Any other number with a right \
                     check digit is verified.";
const AMOUNT: &str =
    "The amount, in minor units, of a transfer that is made and whose status then becomes Failed.";

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [script_file, types_file] = &files[..] else { return Err("name two files".into()) };
    let mut known = known();
    let mut known = |name: &str| known.get_mut(name).map(Value::take).ok_or_else(|| format!("no {name}"));
    let (mut script, mut types) = (String::new(), String::new());
    for (doc, name, value) in [
        (CODES, "triggers", triggers()),
        (CARDS, "testCards", cards()?),
        (AMOUNT, "failingTransferAmount", known("failingTransferAmount")?),
        (SENDERS, "sandboxSenders", known("senders")?),
        ("The clients of every sandbox. These open nothing else.", "sandboxClients", known("clients")?),
        ("How the next card session can be told to behave.", "cardSessionBehaviours", known("cardSessions")?),
    ] {
        writeln!(script, "export const {name} = {value:#};")?;
        writeln!(types, "/** {doc} */\nexport const {name}: {};", type_of(&value))?;
    }
    std::fs::write(script_file, script)?;
    Ok(std::fs::write(types_file, types)?)
}

/// Returns the type in TypeScript that has no other value.
fn type_of(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            members.iter().fold("{".to_owned(), |text, (name, value)| {
                format!("{text} readonly {name}: {};", type_of(value))
            }) + " }"
        }
        Value::Array(items) => {
            format!("readonly [{}]", items.iter().map(type_of).collect::<Vec<_>>().join(", "))
        }
        literal => literal.to_string(),
    }
}

/// Returns each documented code with its ways; what a way says is to be left out has the value null.
fn triggers() -> Value {
    let codes = ErrorCode::ALL.iter().take(DOCUMENTED_CODES).map(|code| {
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
        (code.name().to_owned(), Value::from(entry))
    });
    codes.collect::<Map<_, _>>().into()
}

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
    let mut cards = Map::new();
    for card in &TEST_CARDS {
        let mut entry = serde_json::to_value(card)?;
        if let Some(entry) = entry.as_object_mut() {
            entry.shift_remove("name");
            if matches!(card.outcome, CardOutcome::SuccessInCurrency { .. }) {
                entry.insert("result".to_owned(), json!("success")); // the currency is beside it
            }
        }
        cards.insert(card.name.to_owned(), entry);
    }
    Ok(cards.into())
}
