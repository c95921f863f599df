//! Writes the sandbox's tables as the constants of `remitkit/testing`: a script and its types, into the two
//! named files. Packing runs it.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;

use remitkit_sandbox::{DOCUMENTED_CODES, ErrorCode, known};
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
    let known = known()?;
    let known = |name: &str| known.get(name).cloned().ok_or_else(|| format!("no {name}"));
    let triggers = known("triggers")?;
    let codes = ErrorCode::ALL.iter().take(DOCUMENTED_CODES).map(|one| code(one, &triggers)).collect();
    let (mut script, mut types) = (String::new(), String::new());
    for (doc, name, value) in [
        (CODES, "triggers", codes),
        (CARDS, "testCards", cards(&known("testCards")?)),
        (AMOUNT, "failingTransferAmount", known("failingTransferAmount")?),
        (SENDERS, "sandboxSenders", known("senders")?),
        ("The clients of every sandbox. They are valid nowhere else.", "sandboxClients", known("clients")?),
        (
            "The behaviors that the next card session can have.",
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

fn code(code: &ErrorCode, triggers: &Value) -> (String, Value) {
    let triggers = triggers.as_array().into_iter().flatten();
    let ways: Vec<Value> = triggers.filter(|trigger| trigger["code"] == code.name()).map(way).collect();
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
fn way(trigger: &Value) -> Value {
    let (operation, means) = (&trigger["operation"], &trigger["means"]);
    let value = Some(&means["value"]).filter(|value| *value != "");
    match means["kind"].as_str().unwrap_or_default() {
        "name" => json!({ "operation": operation, "lastName": trigger["code"] }),
        "card" => json!({ "operation": operation, "card": means["number"] }),
        "property" => json!({ "operation": operation, "property": means["name"], "value": value }),
        "field" => json!({ "operation": operation, "field": means["id"], "value": value }),
        kind => json!({ "operation": operation, kind: means[kind] }),
    }
}

fn cards(cards: &Value) -> Value {
    let cards = cards.as_array().into_iter().flatten().filter_map(Value::as_object).cloned();
    let cards = cards.map(|mut card| {
        let name = card.shift_remove("name").unwrap_or_default();
        if card.contains_key("currency") {
            card.insert("result".to_owned(), json!("success"));
        }
        (name.as_str().unwrap_or_default().to_owned(), Value::from(card))
    });
    cards.collect()
}
