//! Checks `pkg-template/docs/errors.md` against the table of codes and the sandbox's table of triggers.
//!
//! What each code means and what each resolution asks for are written in that file alone; for RemitKit's own
//! codes so is how to cause them. The rest of an entry follows from the tables, and
//! `REMITKIT_WRITE_DOCS=1 cargo test --test client error_reference` writes it. A new code needs its heading
//! and its meaning there, a new resolution its text.

use std::collections::BTreeMap;
use std::fmt::Write;

use remitkit::api::Code;
use remitkit_sandbox::{Means, TRIGGERS, Trigger};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pkg-template/docs/errors.md");

fn how(trigger: &Trigger) -> String {
    let call = serde_json::to_value(trigger.operation).unwrap();
    let call = call.as_str().unwrap();
    match trigger.means {
        Means::Amount { amount } => format!("`{call}` with `amount` {amount}"),
        Means::Name => format!("`{call}` with the code as last name or company name"),
        Means::Card { number } => format!("card {number} in the card form"),
        Means::Property { name, value: "" } => format!("`{call}` without `{name}`"),
        Means::Property { name, value } => format!("`{call}` with `{name}` `{value}`"),
        Means::Field { id, value: "" } => format!("`{call}` without the field `{id}`"),
        Means::Field { id, value } => format!("`{call}` with the field `{id}` `{value}`"),
        Means::Rule { rule } => format!("`{call}`: {}", rule.trim_end_matches('.')),
    }
}

/// Returns the first text of each resolution, which all its codes share.
fn what_to_do(written: &str) -> BTreeMap<&str, &str> {
    let lines = written.lines().filter_map(|line| line.strip_prefix("- Do: ")?.strip_suffix("`)"));
    lines
        .rev()
        .filter_map(|line| line.rsplit_once(" (`"))
        .map(|(text, resolution)| (resolution, text))
        .collect()
}

/// Returns the entry as the tables have it, with the meaning that the file has.
fn entry(written: &str, what_to_do: &BTreeMap<&str, &str>) -> String {
    let (name, rest) = written.split_once("\n\n").unwrap_or_else(|| panic!("no meaning: {written}"));
    let all = || Code::DOCUMENTED.iter().chain(Code::OWN);
    let code = all().find(|code| code.as_str() == name).unwrap_or_else(|| panic!("no code is named {name}"));
    let meaning = rest.lines().next().unwrap_or_default();
    let ways: Vec<String> = TRIGGERS.iter().filter(|trigger| trigger.code.name() == name).map(how).collect();
    let sandbox = match rest.split_once("- Sandbox: ") {
        Some((_, own)) if Code::OWN.contains(code) => own.lines().next().unwrap_or_default().to_owned(),
        _ => ways.join("; ") + ".",
    };
    assert!(sandbox != ".", "the sandbox cannot cause {code:?}");
    let resolution = code.resolution().unwrap().as_str();
    let text = what_to_do.get(resolution).unwrap_or_else(|| panic!("no text for {resolution}"));
    let mut out = format!("{name}\n\n{meaning}\n\n");
    writeln!(out, "- Show: “{}”", code.message()).unwrap();
    writeln!(out, "- Do: {text} (`{resolution}`)").unwrap();
    writeln!(out, "- `kind`: `{}`", code.kind().as_str()).unwrap();
    writeln!(out, "- Sandbox: {sandbox}").unwrap();
    // The heading of the next group.
    let next = rest.split_once("\n## ").map(|(_, heading)| format!("\n## {}\n", heading.trim_end()));
    out + &next.unwrap_or_default()
}

#[test]
fn the_error_reference_agrees_with_the_tables() {
    let written = std::fs::read_to_string(PATH).unwrap();
    let mut parts = written.split("\n### ");
    let head = parts.next().unwrap().to_owned();
    let what_to_do = what_to_do(&written);
    let entries: Vec<String> = parts.map(|part| entry(part, &what_to_do)).collect();
    for code in Code::DOCUMENTED.iter().chain(Code::OWN) {
        let count = entries.iter().filter(|entry| entry.split('\n').next() == Some(code.as_str())).count();
        assert_eq!(count, 1, "entries of {code:?}");
    }
    let expected = format!("{}\n", [head, entries.join("\n### ")].join("\n### ").trim_end());
    if std::env::var_os("REMITKIT_WRITE_DOCS").is_some() {
        std::fs::write(PATH, &expected).unwrap();
    } else {
        let hint = "run REMITKIT_WRITE_DOCS=1 cargo test --test client error_reference";
        assert!(written == expected, "{hint}");
    }
}
