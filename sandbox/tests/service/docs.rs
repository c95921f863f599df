//! TRIGGERS.md matches the table, and the links of READINGS.md lead somewhere.
//! `REMITKIT_WRITE_DOCS=1 cargo test -p remitkit-sandbox docs` writes TRIGGERS.md.

use std::fmt::Write;

use remitkit_sandbox::{CardOutcome, DOCUMENTED_CODES, ErrorCode, Means, TEST_CARDS, TRIGGERS};

fn means(means: Means) -> String {
    match means {
        Means::Amount { amount } => format!("`amount` {amount}"),
        Means::Name => String::from("The code itself as last name or company name"),
        Means::Card { number } => format!("Card {number}"),
        Means::Property { name, value: "" } => format!("Leave out `{name}`"),
        Means::Property { name, value } => format!("`{name}` = `{value}`"),
        Means::Field { id, value: "" } => format!("Leave out field `{id}`"),
        Means::Field { id, value } => format!("Field `{id}` = `{value}`"),
        Means::Rule { rule } => rule.to_owned(),
    }
}

fn outcome(outcome: CardOutcome) -> String {
    match outcome {
        CardOutcome::Fail { code } => format!("fails, `{}`", code.name()),
        CardOutcome::Expired => String::from("the session expires"),
        _ => String::from("is verified"),
    }
}

fn document() -> String {
    let mut text = String::from(
        "# How to get each error code, and the test cards\n\n\
         Made from the table that the sandbox itself obeys (`src/triggers.rs`, `src/test_cards.rs`); a test keeps the two alike.\n\
         Amounts are minor units. Each line changes one thing of a request that is good otherwise.\n\n\
         | Code | Status | Call | How |\n|---|---|---|---|\n",
    );
    for code in ErrorCode::ALL.iter().take(DOCUMENTED_CODES) {
        for trigger in TRIGGERS.iter().filter(|trigger| trigger.code == *code) {
            let call = serde_json::to_value(trigger.operation).unwrap();
            let (call, how) = (call.as_str().unwrap(), means(trigger.means));
            writeln!(text, "| {} | {} | {call} | {how} |", code.name(), code.status().as_u16()).unwrap();
        }
    }
    text.push_str("\n| Card | What it is | What happens |\n|---|---|---|\n");
    for card in &TEST_CARDS {
        writeln!(text, "| {} | {} | {} |", card.number, card.description, outcome(card.outcome)).unwrap();
    }
    text
}

#[test]
fn the_table_of_triggers_is_written_down() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/TRIGGERS.md");
    if std::env::var_os("REMITKIT_WRITE_DOCS").is_some() {
        std::fs::write(path, document()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written, document(), "run REMITKIT_WRITE_DOCS=1 cargo test -p remitkit-sandbox docs");
}

#[test]
fn each_reading_leads_to_where_it_stands() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let readings = std::fs::read_to_string(folder.join("READINGS.md")).unwrap();
    let rows: Vec<_> = readings.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 25, "{}", rows.len());
    for row in rows {
        let place = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let mut names = place.split('`').skip(1).step_by(2);
        let file = names.next().unwrap();
        let text = std::fs::read_to_string(folder.join("src").join(file)).expect(file);
        for name in names {
            assert!(text.contains(name), "{file} has no {name}: {row}");
        }
    }
}
