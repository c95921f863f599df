//! `remitkit/testing` has the tables of triggers and test cards as typed constants.
//! `REMITKIT_WRITE_DOCS=1 cargo test -p remitkit-sandbox constants` writes them.

use std::fmt::Write;

use remitkit_sandbox::{
    CardOutcome, DOCUMENTED_CODES, ErrorCode, FAILING_TRANSFER_AMOUNT, Means, TEST_CARDS, TRIGGERS, Trigger,
};
use serde_json::{Value, json};

use super::bench::Bench;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../pkg-template/testing");
const ADVICE: &str = "run REMITKIT_WRITE_DOCS=1 cargo test -p remitkit-sandbox constants";
const HEAD: &str = "// Made from the tables that the sandbox itself obeys; a test keeps them alike.\n";

/// The two languages in which the same constants are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Script,
    Types,
}

impl Form {
    /// Begins a constant; the value follows.
    fn constant(self, name: &str) -> String {
        match self {
            Form::Script => format!("export const {name} = "),
            Form::Types => format!("export const {name}: "),
        }
    }

    fn object(self, indent: usize, entries: &[(String, String)]) -> String {
        let (readonly, end) = match self {
            Form::Script => ("", ","),
            Form::Types => ("readonly ", ";"),
        };
        let inner = " ".repeat(indent + 2);
        let mut text = String::from("{\n");
        for (name, value) in entries {
            writeln!(text, "{inner}{readonly}{name}: {value}{end}").unwrap();
        }
        text + &" ".repeat(indent) + "}"
    }

    fn line_object(self, entries: &[(&str, Value)]) -> String {
        let (readonly, joint) = match self {
            Form::Script => ("", ", "),
            Form::Types => ("readonly ", "; "),
        };
        let entries: Vec<String> =
            entries.iter().map(|(name, value)| format!("{readonly}{name}: {value}")).collect();
        format!("{{ {} }}", entries.join(joint))
    }

    fn list(self, indent: usize, items: &[String]) -> String {
        let readonly = if self == Form::Types { "readonly " } else { "" };
        let inner = " ".repeat(indent + 2);
        let lines: String = items.iter().map(|item| format!("{inner}{item},\n")).collect();
        format!("{readonly}[\n{lines}{}]", " ".repeat(indent))
    }
}

/// One way to a code. What is to be left out has the value null.
fn way(trigger: &Trigger) -> Vec<(&'static str, Value)> {
    let or_null = |value: &str| if value.is_empty() { Value::Null } else { json!(value) };
    let mut entries = vec![("operation", serde_json::to_value(trigger.operation).unwrap())];
    match trigger.means {
        Means::Amount { amount } => entries.push(("amount", json!(amount))),
        Means::Name => entries.push(("lastName", json!(trigger.code.name()))),
        Means::Card { number } => entries.push(("card", json!(number))),
        Means::Property { name, value } => {
            entries.extend([("property", json!(name)), ("value", or_null(value))]);
        }
        Means::Field { id, value } => entries.extend([("field", json!(id)), ("value", or_null(value))]),
        Means::Rule { rule } => entries.push(("rule", json!(rule))),
    }
    entries
}

fn triggers(form: Form) -> String {
    let entries: Vec<(String, String)> = ErrorCode::ALL
        .iter()
        .take(DOCUMENTED_CODES)
        .map(|code| {
            let ways: Vec<Vec<(&str, Value)>> =
                TRIGGERS.iter().filter(|trigger| trigger.code == *code).map(way).collect();
            let mut entries = vec![
                (String::from("code"), json!(code.name()).to_string()),
                (String::from("status"), code.status().as_u16().to_string()),
            ];
            for short in ["amount", "card"] {
                let value = ways.iter().flatten().find(|(name, _)| *name == short);
                entries.extend(value.map(|(name, value)| ((*name).to_owned(), value.to_string())));
            }
            let ways: Vec<String> = ways.iter().map(|way| form.line_object(way)).collect();
            entries.push((String::from("ways"), form.list(4, &ways)));
            (code.name().to_owned(), form.object(2, &entries))
        })
        .collect();
    form.object(0, &entries)
}

fn cards(form: Form) -> String {
    let entries: Vec<(String, String)> = TEST_CARDS
        .iter()
        .map(|card| {
            let text = |name: &str, value: &str| (name.to_owned(), json!(value).to_string());
            let mut entries = vec![text("number", card.number), text("description", card.description)];
            entries.extend(match card.outcome {
                CardOutcome::Success => vec![text("result", "success")],
                CardOutcome::SuccessInCurrency { currency } => {
                    vec![text("result", "success"), text("currency", currency)]
                }
                CardOutcome::SuccessThenBlocked => vec![text("result", "successThenBlocked")],
                CardOutcome::SuccessIssuedAbroad => vec![text("result", "successIssuedAbroad")],
                CardOutcome::Fail { code } => vec![text("result", "fail"), text("code", code.name())],
                CardOutcome::Expired => vec![text("result", "expired")],
            });
            (card.name.to_owned(), form.object(2, &entries))
        })
        .collect();
    form.object(0, &entries)
}

/// What the sandbox says of itself: whom it knows.
fn known(form: Form, served: &Value) -> String {
    let texts = |of: &Value| -> Vec<(String, String)> {
        of.as_object().unwrap().iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
    };
    let clients: Vec<String> = served["clients"]
        .as_array()
        .unwrap()
        .iter()
        .map(|client| {
            let entries: Vec<(&str, Value)> = client
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| (name.as_str(), value.clone()))
                .collect();
            form.line_object(&entries)
        })
        .collect();
    let behaviours: Vec<String> =
        served["cardSessions"].as_array().unwrap().iter().map(ToString::to_string).collect();
    let said = match form {
        Form::Script => [""; 6],
        Form::Types => [
            "/** How to get each documented error code. `status` is its HTTP status; `amount` and `card` are those of its first way that has one. */\n",
            "/** What to type into the card form, and what becomes of it. Any other number with a right check digit is verified. */\n",
            "/** The amount, in minor units, of a transfer that is made and whose status then becomes Failed. */\n",
            "/** The senders of a fresh sandbox: a person whose limits hardly bind, a business, a person with the limits of a new sender, and a person of the second client. */\n",
            "/** The clients of every sandbox. These open nothing else. */\n",
            "/** How the next card session can be told to behave. */\n",
        ],
    };
    let [of_triggers, of_cards, of_amount, of_senders, of_clients, of_behaviours] = said;
    let mut text = String::from(HEAD);
    for (said, name, value) in [
        (of_triggers, "triggers", triggers(form)),
        (of_cards, "testCards", cards(form)),
        (of_amount, "failingTransferAmount", FAILING_TRANSFER_AMOUNT.to_string()),
        (of_senders, "sandboxSenders", form.object(0, &texts(&served["senders"]))),
        (of_clients, "sandboxClients", form.list(0, &clients)),
        (of_behaviours, "cardSessionBehaviours", form.list(0, &behaviours)),
    ] {
        writeln!(text, "\n{said}{}{value};", form.constant(name)).unwrap();
    }
    text
}

#[test]
fn no_two_cards_have_one_name() {
    for (at, card) in TEST_CARDS.iter().enumerate() {
        assert!(TEST_CARDS.iter().skip(at + 1).all(|other| other.name != card.name), "{}", card.name);
    }
}

#[tokio::test]
async fn the_constants_of_the_package_are_the_tables() {
    let served = Bench::new().look("triggers").await;
    for (name, form) in [("triggers.js", Form::Script), ("triggers.d.ts", Form::Types)] {
        let path = format!("{FOLDER}/{name}");
        let made = known(form, &served);
        if std::env::var_os("REMITKIT_WRITE_DOCS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        // Not assert_eq: the two texts in full would hide the advice.
        assert!(std::fs::read_to_string(&path).unwrap() == made, "{name} differs: {ADVICE}");
    }
}
