//! The quotes that this client received lately.

use super::Reply;
use crate::api::json::JsonRef;

/// More than a customer compares at once.
const CAPACITY: usize = 16;

pub(super) struct SeenQuote {
    /// The reply.
    pub(super) json: String,
    /// When it arrived by the page's clock, in milliseconds since 1970.
    received_at_ms: u64,
}

#[derive(Default)]
pub(super) struct SeenQuotes(Vec<SeenQuote>);

impl SeenQuotes {
    /// Adds a quote. It is parsed when it is used: most are not.
    pub(super) fn note(&mut self, reply: &Reply, now_ms: u64) {
        if self.0.len() >= CAPACITY {
            self.0.remove(0);
        }
        self.0.push(SeenQuote { json: reply.json.clone(), received_at_ms: now_ms });
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

    /// Returns when it ends by the page's clock, in milliseconds since 1970. `None` if that is unknown, or if
    /// it had ended when it arrived: then the clock is wrong, and must not refuse anything.
    pub(super) fn expires_at_ms(&self, parse_time_ms: impl FnOnce(&str) -> Option<u64>) -> Option<u64> {
        self.text_of("expirationDate")
            .and_then(|date| parse_time_ms(&date))
            .filter(|end| *end > self.received_at_ms)
    }
}
