//! The core's answers as text: a sign, and JSON that the engine's own parser reads.
//!
//! `=` a value, `#` a value with strings for whole numbers beyond 2^53, `~` the unchanged body of the last
//! reply, `%` the distinct rows of a list, whose order is passed separately, `-` nothing, `!` an error and,
//! after a line feed, its quote change.

use crate::api::json::Writer;
use crate::api::{Error, FieldProblem, QuoteChange, collect};
use crate::client::{Entry, Outcome, Reply};

pub(super) fn nothing() -> String {
    "-".to_owned()
}

pub(super) fn json(json: &str) -> String {
    ["=", json].concat()
}

pub(super) fn text(text: &str) -> String {
    let mut out = Writer::default();
    out.text(text);
    out.finish()
}

/// Returns a value, given as JSON text, or an error.
pub(super) fn of(result: Result<String, Error>) -> String {
    match result {
        Ok(value) => json(&value),
        Err(failed) => error(&failed),
    }
}

pub(super) fn reply(reply: &Reply) -> String {
    if let Some(rows) = &reply.rows {
        return ["%", &rows.distinct].concat();
    }
    match reply.json.as_str() {
        _ if reply.is_as_sent => "~".to_owned(),
        "" => nothing(),
        json if reply.has_bigints => ["#", json].concat(),
        text => json(text),
    }
}

pub(super) fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Nothing => nothing(),
        Outcome::Reply(received) | Outcome::Form(_, received) => reply(received),
        Outcome::Attempt(entry) => ["#", &entry.summary()].concat(),
        Outcome::Attempts(entries) => {
            ["#[", &collect(entries.iter().map(Entry::summary)).join(","), "]"].concat()
        }
        Outcome::Transfer(outcome) => {
            let sign = if outcome.transfer.has_bigints { "#" } else { "=" };
            let recovered = if outcome.recovered { "true" } else { "false" };
            let transfer = outcome.transfer.view();
            let members = transfer.raw().strip_suffix('}').unwrap_or("{");
            let comma = if transfer.members().next().is_some() { "," } else { "" };
            [sign, members, comma, "\"recovered\":", recovered, "}"].concat()
        }
        Outcome::Card(card_id) => json(&text(card_id)),
        Outcome::State(state) => state.as_ref().map_or_else(nothing, |state| json(&text(state.as_str()))),
    }
}

pub(super) fn error(error: &Error) -> String {
    let mut out = Writer::default();
    out.raw("!");
    error.write(&mut out);
    if let Some(change) = error.quote_change().map(QuoteChange::to_json) {
        out.raw("\n");
        out.raw(&change);
    }
    out.finish()
}

/// Returns the problems as JSON text.
pub(super) fn problems(problems: &[FieldProblem]) -> String {
    let mut out = Writer::default();
    FieldProblem::write_all(problems, &mut out);
    out.finish()
}
