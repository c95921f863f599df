//! The quotes that this client was given lately: when they end, and what they said.

use super::Reply;
use crate::api::json::JsonRef;

/// More than a customer compares at once.
const KEPT: usize = 16;

/// A quote as it was received.
#[derive(Clone)]
pub(super) struct SeenQuote {
    /// The reply.
    pub(super) json: String,
    /// When it came by this page's clock, milliseconds since 1970.
    seen_at_ms: u64,
}

#[derive(Default)]
pub(super) struct SeenQuotes(Vec<SeenQuote>);

impl SeenQuotes {
    /// Keeps a quote that the service has just made. It is read when it is asked for: most are never used.
    pub(super) fn note(&mut self, received: &Reply, now_ms: u64) {
        if self.0.len() >= KEPT {
            self.0.remove(0);
        }
        self.0.push(SeenQuote { json: received.json.clone(), seen_at_ms: now_ms });
    }

    pub(super) fn find(&self, quote_history_id: &str) -> Option<&SeenQuote> {
        let is_this = |quote: &&SeenQuote| {
            quote.text_of("quoteHistoryId").is_some_and(|id| id.eq_ignore_ascii_case(quote_history_id))
        };
        self.0.iter().rev().find(is_this)
    }
}

impl SeenQuote {
    fn text_of(&self, name: &str) -> Option<std::borrow::Cow<'_, str>> {
        JsonRef::new(&self.json).text_of(name)
    }

    /// When it ends by this page's clock, milliseconds since 1970; `None` where that is not known. One that
    /// seemed to have ended when it came only tells that this page's clock is wrong, and nothing is refused
    /// on the word of a wrong clock.
    pub(super) fn expires_at_ms(&self, parse_time_ms: impl FnOnce(&str) -> Option<u64>) -> Option<u64> {
        self.text_of("expirationDate")
            .and_then(|date| parse_time_ms(&date))
            .filter(|end| *end > self.seen_at_ms)
    }
}
