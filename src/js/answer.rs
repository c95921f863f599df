//! What the core answers, as text: a sign that says what follows, and JSON. The engine's own parser makes it into objects.
//!
//! `=` a value, `#` a value in which a string may stand for a whole number beyond 2^53, `~` the body of the last reply as it came, `%` the
//! different rows of a list, whose order is asked for, `-` nothing,
//! `!` an error and, after a line feed, what concerns its quotes.

use crate::api::json::Writer;
use crate::api::{Error, FieldProblem, QuoteChange, Resolution, list_of};
use crate::client::{Entry, Outcome, Received};

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

/// A value as JSON text, or an error.
pub(super) fn of(result: Result<String, Error>) -> String {
    match result {
        Ok(value) => json(&value),
        Err(failed) => error(&failed),
    }
}

pub(super) fn received(received: &Received) -> String {
    if let Some(rows) = &received.rows {
        return ["%", &rows.distinct].concat();
    }
    match received.json.as_str() {
        _ if received.is_as_sent => "~".to_owned(),
        "" => nothing(),
        json if received.has_bigints => ["#", json].concat(),
        text => json(text),
    }
}

pub(super) fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Nothing => nothing(),
        Outcome::Received(reply) | Outcome::Form(_, reply) => received(reply),
        Outcome::Attempt(entry) => ["#", &entry.summary()].concat(),
        Outcome::Attempts(entries) => {
            ["#[", &list_of(entries.iter().map(Entry::summary)).join(","), "]"].concat()
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
    }
}

pub(super) fn error(error: &Error) -> String {
    let mut out = Writer::default();
    out.raw("!");
    let text = |out: &mut Writer, name: &str, value: Option<&str>| {
        if let Some(value) = value {
            out.text_member(name, value);
        }
    };
    let flag = |out: &mut Writer, name: &str, value: bool| {
        out.member(name);
        out.raw(if value { "true" } else { "false" });
    };
    out.object(|out| {
        text(out, "code", Some(error.code().as_str()));
        text(out, "message", Some(error.message()));
        text(out, "userMessage", Some(error.user_message()).filter(|told| *told != error.message()));
        text(out, "kind", Some(error.kind().as_str()));
        text(out, "resolution", error.resolution().map(Resolution::as_str));
        text(out, "requestId", error.request_id());
        text(out, "option", error.option());
        if let Some(status) = error.http_status() {
            out.number_member("httpStatus", u64::from(status));
        }
        if let Some(ms) = error.retry_after_ms() {
            out.number_member("retryAfterMs", ms);
        }
        flag(out, "retryable", error.retryable());
        flag(out, "hasDefaultMessage", error.has_default_message());
        if !error.problems().is_empty() {
            out.member("problems");
            write_problems(out, error.problems());
        }
    });
    if let Some(change) = error.quote_change().map(QuoteChange::to_json) {
        out.raw("\n");
        out.raw(&change);
    }
    out.finish()
}

/// The problems as JSON text.
pub(super) fn problems(problems: &[FieldProblem]) -> String {
    let mut out = Writer::default();
    write_problems(&mut out, problems);
    out.finish()
}

fn write_problems(out: &mut Writer, problems: &[FieldProblem]) {
    out.list(|out| {
        for problem in problems {
            out.item();
            out.object(|out| {
                out.text_member("fieldId", &problem.field_id);
                out.text_member("code", problem.code.as_str());
                out.text_member("message", &problem.message);
            });
        }
    });
}
