use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::answer;
use super::field_form::FieldFormCore;
use crate::api::json::{JsonRef, Writer};
use crate::api::part::part;
use crate::api::{Code, Error, collect};
use crate::browser::{answer_of, elapsed_ms, journal_failed, now_ms, parse_time_ms};
use crate::client::{
    Answer, Awaited, Effect, EffectResult, EffectRunner, Host, Outcome, Outgoing, SOURCE_TIMEOUT_MS, Trace,
};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Math)]
    fn random() -> f64;

    /// `KitCore` of the package's `kit-core.js`. Results come by [`Core::complete`](super::Core::complete).
    pub type PageRunner;
    #[wasm_bindgen(method)]
    #[allow(clippy::too_many_arguments, reason = "each is a member of one request")]
    fn send(
        this: &PageRunner,
        id: u32,
        url: &str,
        method: &str,
        bearer: &str,
        accept: &str,
        language: Option<&str>,
        body: Option<&str>,
        ms: u32,
    );
    #[wasm_bindgen(method)]
    fn wait(this: &PageRunner, id: u32, ms: u32);
    #[wasm_bindgen(method)]
    fn lock(this: &PageRunner, id: u32, name: &str, ms: u32);
    #[wasm_bindgen(method)]
    fn token(this: &PageRunner, id: u32, ms: u32);
    #[wasm_bindgen(method)]
    fn journal(this: &PageRunner, id: u32, ms: u32, method: &str, key: Option<&str>, text: Option<&str>);
    #[wasm_bindgen(method)]
    fn stop(this: &PageRunner, id: u32);
    #[wasm_bindgen(method)]
    fn release(this: &PageRunner, id: u32);
    #[wasm_bindgen(method)]
    fn end(this: &PageRunner, call: u32, answer: &str, order: Option<Vec<u16>>, form: Option<JsValue>);
    #[wasm_bindgen(method)]
    fn matches(this: &PageRunner, pattern: &str, text: &str) -> Option<bool>;
    #[wasm_bindgen(method, js_name = mayBeCached)]
    fn may_be_cached(this: &PageRunner) -> bool;
    #[wasm_bindgen(method)]
    fn trace(this: &PageRunner, entry: &str);
}

/// The page that the core runs in.
#[derive(Clone)]
pub(super) struct Page(pub(super) Rc<PageRunner>, pub(super) bool);

impl Page {
    /// Ends a call of a card form, with the form if it is a new one.
    pub(super) fn end_form(&self, call: u32, form: Result<Option<JsValue>, Error>) {
        let (answer, form) = match form {
            Ok(form) => (answer::nothing(), form),
            Err(error) => (answer::error(&error), None),
        };
        self.0.end(call, &answer, None, form);
    }
}

impl Host for Page {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn elapsed_ms(&self) -> u64 {
        elapsed_ms()
    }

    fn random(&self) -> f64 {
        random()
    }

    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        self.0.matches(pattern, text)
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        parse_time_ms(iso)
    }

    fn may_be_cached(&self) -> bool {
        self.0.may_be_cached()
    }

    fn trace(&self, trace: Trace<'_>) {
        let Page(runner, is_watched) = self;
        if !is_watched {
            return;
        }
        let mut out = Writer::default();
        out.object(|out| {
            out.text_member("operation", trace.operation);
            out.text_member("method", trace.method);
            out.number_member("attempt", u64::from(trace.attempt));
            out.number_member("status", u64::from(trace.status));
            out.number_member("durationMs", trace.duration_ms);
            if let Some(request_id) = trace.request_id {
                out.text_member("requestId", request_id);
            }
        });
        runner.trace(&out.finish());
    }
}

impl EffectRunner for Page {
    fn begin(&self, id: u32, effect: Effect) {
        let Page(runner, _) = self;
        let journal = |method, key, text| runner.journal(id, SOURCE_TIMEOUT_MS, method, key, text);
        match effect {
            Effect::Send { outgoing, token, timeout_ms } => {
                let Outgoing { url, request } = &*outgoing;
                let accept = if request.wants_bytes { "*/*" } else { "application/json" };
                let (language, body) = (request.language.as_deref(), request.body.as_deref());
                let method = request.method.as_str();
                runner.send(id, url, method, &token.bearer, accept, language, body, timeout_ms);
            }
            Effect::Token => runner.token(id, SOURCE_TIMEOUT_MS),
            Effect::Wait { ms } => runner.wait(id, ms),
            Effect::Load(key) => journal("get", Some(&key), None),
            Effect::Save(key, text) => journal("set", Some(&key), Some(&text)),
            Effect::Remove(key) => journal("delete", Some(&key), None),
            Effect::Keys => journal("keys", None, None),
            Effect::Lock { name, ms } => runner.lock(id, &name, ms),
        }
    }

    fn stop(&self, id: u32) {
        self.0.stop(id);
    }

    fn release(&self, id: u32) {
        self.0.release(id);
    }

    fn end(&self, call: u32, outcome: Result<Outcome, Error>) {
        match outcome {
            Ok(Outcome::Reply(reply)) => {
                let order = reply.rows.as_ref().map(|rows| rows.order.clone());
                self.0.end(call, &answer::reply(&reply), order, None);
            }
            Ok(outcome) => (outcomes().end)(self, call, outcome),
            Err(error) => self.0.end(call, &answer::error(&error), None, None),
        }
    }
}

struct Outcomes {
    end: fn(&Page, u32, Outcome),
}

part! {
    "transfer", "e4d5",
    fn outcomes() -> Outcomes {
        Outcomes {
            end: |page, call, outcome| {
                let answer = answer::outcome(&outcome);
                let form = match outcome {
                    Outcome::Form(form, _) => Some(FieldFormCore(Box::new(form)).into()),
                    _ => None,
                };
                page.0.end(call, &answer, None, form);
            },
        }
    }
}

/// Converts the result of an effect from a status as `engine.js` numbers it.
pub(super) fn effect_result(
    awaited: Awaited,
    status: i32,
    text: Option<String>,
    request_id: Option<String>,
    retry_after_s: f64,
    from: Option<String>,
) -> EffectResult {
    match (awaited, status) {
        (Awaited::Answer, _) => {
            let answer = answer_of(status, request_id, retry_after_s, from);
            EffectResult::Answer(
                answer.map(|answer| Box::new(Answer { text: text.unwrap_or_default(), ..answer })),
            )
        }
        (Awaited::Turn, 0) => EffectResult::Done,
        (Awaited::Turn, _) | (_, -2) => EffectResult::TimedOut,
        (Awaited::Keys, 0) => {
            let keys = text.unwrap_or_default();
            let keys = JsonRef::new(&keys).items().filter_map(JsonRef::text);
            EffectResult::Keys(Ok(collect(keys.map(std::borrow::Cow::into_owned))))
        }
        (Awaited::Keys, _) => EffectResult::Keys(Err(journal_error(text.as_deref()))),
        (_, 0) => EffectResult::Text(Ok(text)),
        (Awaited::Journal, _) => EffectResult::Text(Err(journal_error(text.as_deref()))),
        (Awaited::Token, _) => EffectResult::Text(Err(token_error(text.as_deref()))),
    }
}

/// The error of the journal: of one that is no store, or that failed.
fn journal_error(code: Option<&str>) -> Error {
    match code {
        Some(code) if code == Code::InvalidConfiguration.as_str() => {
            Error::configuration("journal", "a store of texts; this one failed, so nothing more was sent")
        }
        _ => journal_failed(),
    }
}

/// The error of the token source. What it threw may contain secrets: only the code of a `RemitError` is used.
fn token_error(code: Option<&str>) -> Error {
    match code {
        Some(code) if code == Code::InvalidConfiguration.as_str() => {
            Error::configuration("token", "a source of plain data: a string, or the token endpoint's reply")
        }
        _ => Error::new(Code::TokenUnavailable)
            .of_option("token")
            .saying("The token source failed. Check what it does and try again."),
    }
}
