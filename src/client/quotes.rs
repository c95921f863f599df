//! The quotes that this client received lately, and what happens when one expires or is repriced: the caller
//! gets a fresh quote with the error, and nothing is repriced silently.

use std::borrow::Cow;

use super::Reply;
use super::call_context::CallContext;
use crate::api::json::{Codec, JsonRef, write_json};
use crate::api::{Error, GET_QUOTE, QUOTE, QuoteChange, QuoteRequest};

impl CallContext {
    /// Notes a quote that has just arrived.
    pub(super) fn note_quote(&self, reply: &Reply) {
        let platform = &*self.core.platform;
        let (json, received_ms) = (reply.json().to_owned(), platform.elapsed_ms());
        let quote = SeenQuote { json, left_ms: None, received_ms };
        let left_ms = quote.left_ms(platform.now_ms(), |date| platform.parse_time_ms(date));
        self.core.quotes.borrow_mut().add(SeenQuote { left_ms, ..quote });
    }

    /// Returns when a quote ends by the page's clock, in milliseconds since 1970, if this client received it
    /// with its end.
    pub(super) fn quote_expiry(&self, quote_history_id: &str) -> Option<i64> {
        let (seen, platform) = (self.core.quotes.borrow(), &self.core.platform);
        let quote = seen.find(quote_history_id)?;
        let passed_ms = platform.elapsed_ms().saturating_sub(quote.received_ms);
        i64::try_from((platform.now_ms() + quote.left_ms?).saturating_sub(passed_ms)).ok()
    }

    pub(super) fn is_past(&self, at_ms: Option<i64>) -> bool {
        let now_ms = i64::try_from(self.core.platform.now_ms()).unwrap_or(i64::MAX);
        at_ms.is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// Adds a fresh quote for the transfer's body to the error, with the difference, if the service gives
    /// one.
    pub(super) async fn with_fresh_quote(&self, error: Error, body: &str) -> Error {
        let body = JsonRef::new(body);
        let request = write_json(|out| out.shaped(body, QuoteRequest::SHAPE));
        let quote_history_id = body.text_of("quoteHistoryId").unwrap_or_default();
        let seen = self.core.quotes.borrow().find(&quote_history_id).map(|quote| quote.json.clone());
        let previous = match seen {
            Some(json) => Some(json),
            None => self.call(&GET_QUOTE, &[&*quote_history_id], None).await.ok().map(Reply::into_json),
        };
        match self.call(&QUOTE, &[], Some(&request)).await {
            Ok(fresh) => error.with_quote_change(QuoteChange::new(fresh.into_json(), previous)),
            Err(_) => error,
        }
    }
}

/// More than a customer compares at once.
const CAPACITY: usize = 16;
/// Longer than a quote or a card session lasts, in milliseconds. A fresh one that seems to last longer, or to
/// have ended, shows that the page's clock is wrong.
pub const MAX_LEFT_MS: u64 = 86_400_000;

pub(super) struct SeenQuote {
    /// The reply.
    pub(super) json: String,
    /// How long it held when it arrived. `None` if that is unknown, or not what a fresh quote has: then the
    /// page's clock is wrong, and must not refuse anything.
    left_ms: Option<u64>,
    /// When it arrived, by the monotonic clock: the page's own may be set meanwhile.
    received_ms: u64,
}

#[derive(Default)]
pub(super) struct SeenQuotes(Vec<SeenQuote>);

impl SeenQuotes {
    fn add(&mut self, quote: SeenQuote) {
        if self.0.len() >= CAPACITY {
            self.0.remove(0);
        }
        self.0.push(quote);
    }

    pub(super) fn find(&self, quote_history_id: &str) -> Option<&SeenQuote> {
        let is_this = |quote: &&SeenQuote| {
            quote.text_of("quoteHistoryId").is_some_and(|id| id.eq_ignore_ascii_case(quote_history_id))
        };
        self.0.iter().rev().find(is_this)
    }
}

impl SeenQuote {
    fn text_of(&self, name: &str) -> Option<Cow<'_, str>> {
        JsonRef::new(&self.json).text_of(name)
    }

    fn left_ms(&self, now_ms: u64, parse_time_ms: impl FnOnce(&str) -> Option<u64>) -> Option<u64> {
        let ends_at_ms = self.text_of("expirationDate").and_then(|date| parse_time_ms(&date))?;
        ends_at_ms.checked_sub(now_ms).filter(|left_ms| (1..=MAX_LEFT_MS).contains(left_ms))
    }
}
