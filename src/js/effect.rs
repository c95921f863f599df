//! What a flow asks for and is told, as the package's driver has it.

use crate::api::json::{View, Writer, digits_of};
use crate::api::{Code, Error, list_of};
use crate::browser::{answer_of, journal_failed};
use crate::client::{Answer, Awaited, Effect, Event, Outgoing};

/// What is asked for, as a JSON array: what to do, whether the caller's signal ends it, and its arguments.
pub(super) fn ask(effect: &Effect, heeds_signal: bool) -> String {
    let mut out = Writer::default();
    out.list(|out| {
        let begin = |out: &mut Writer, name: &str, texts: &[Option<&str>]| {
            out.item();
            out.text(name);
            out.item();
            out.raw(if heeds_signal { "true" } else { "false" });
            for text in texts {
                out.item();
                match text {
                    Some(text) => out.text(text),
                    None => out.raw("null"),
                }
            }
        };
        let number = |out: &mut Writer, number: u32| {
            out.item();
            out.raw(&digits_of(u64::from(number)));
        };
        match effect {
            Effect::Send { outgoing, token, timeout_ms } => {
                let Outgoing { url, request } = &**outgoing;
                let accept = if request.wants_bytes { "*/*" } else { "application/json" };
                let (language, body) = (request.language.as_deref(), request.body.as_deref());
                let method = request.method.as_str();
                begin(
                    out,
                    "send",
                    &[Some(url), Some(method), Some(&token.bearer), Some(accept), language, body],
                );
                number(out, *timeout_ms);
            }
            Effect::Token => {
                begin(out, "token", &[]);
            }
            Effect::Wait { ms } => {
                begin(out, "wait", &[]);
                number(out, *ms);
            }
            Effect::Load(key) => {
                begin(out, "get", &[Some(key)]);
            }
            Effect::Save(key, text) => {
                begin(out, "set", &[Some(key), Some(text)]);
            }
            Effect::Remove(key) => {
                begin(out, "delete", &[Some(key)]);
            }
            Effect::Keys => {
                begin(out, "keys", &[]);
            }
            Effect::Lock { name, ms } => {
                begin(out, "lock", &[Some(name)]);
                number(out, *ms);
            }
        }
    });
    out.finish()
}

/// What the driver tells: a status as `engine.js` numbers it, and what belongs to it.
pub(super) fn event(
    awaited: Awaited,
    status: i32,
    text: Option<String>,
    request_id: Option<String>,
    retry_after_s: f64,
) -> Event {
    match (awaited, status) {
        (Awaited::Answer, _) => {
            let answer = answer_of(status, request_id, retry_after_s);
            Event::Answer(answer.map(|answer| Box::new(Answer { text: text.unwrap_or_default(), ..answer })))
        }
        (Awaited::Turn, 0) => Event::Done,
        (Awaited::Turn, _) | (_, -2) => Event::Late,
        (Awaited::Keys, 0) => {
            let keys = text.unwrap_or_default();
            let keys = View::new(&keys).items().filter_map(View::text);
            Event::Keys(Ok(list_of(keys.map(std::borrow::Cow::into_owned))))
        }
        (Awaited::Keys, _) => Event::Keys(Err(journal_failed())),
        (_, 0) => Event::Text(Ok(text)),
        (Awaited::Journal, _) => Event::Text(Err(journal_failed())),
        (Awaited::Token, _) => Event::Text(Err(refused(status, text.as_deref()))),
    }
}

/// What the page threw may hold anything, so none of it is shown. An error of our own is told by its code.
fn refused(status: i32, code: Option<&str>) -> Error {
    match status {
        -3 => Error::new(Code::Aborted),
        _ if code == Some(Code::InvalidConfiguration.as_str()) => {
            Error::configuration("token", "a source of plain data: a string, or the token endpoint's reply")
        }
        _ => Error::new(Code::TokenUnavailable)
            .of_option("token")
            .saying("The token source failed. Check what it does and try again."),
    }
}
