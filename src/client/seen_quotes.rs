//! The quotes that this client was given lately: when they end, and what they said.

use super::Received;
use crate::api::json::View;

/// More than a customer compares at once.
const KEPT: usize = 16;

/// A quote as it was received.
pub(super) struct SeenQuote {
    quote_history_id: String,
    /// When it ends by this page's clock, milliseconds since 1970; `None` where that is not known.
    pub(super) expires_at_ms: Option<u64>,
    /// The reply.
    pub(super) json: String,
}

#[derive(Default)]
pub(super) struct SeenQuotes(Vec<SeenQuote>);

impl SeenQuotes {
    /// Keeps a quote that the service has just made. One that seems to have ended already only tells that this page's clock is
    /// wrong, and nothing is refused on the word of a wrong clock.
    pub(super) fn note(
        &mut self,
        received: &Received,
        now_ms: u64,
        parse_time_ms: impl FnOnce(&str) -> Option<u64>,
    ) {
        let quote: View<'_> = received.view();
        let Some(quote_history_id) = quote.text_of("quoteHistoryId") else { return };
        let expires_at_ms =
            quote.text_of("expirationDate").and_then(|date| parse_time_ms(&date)).filter(|end| *end > now_ms);
        if self.0.len() >= KEPT {
            self.0.remove(0);
        }
        self.0.push(SeenQuote {
            quote_history_id: quote_history_id.into_owned(),
            expires_at_ms,
            json: received.json.clone(),
        });
    }

    pub(super) fn find(&self, quote_history_id: &str) -> Option<&SeenQuote> {
        self.0.iter().rev().find(|quote| quote.quote_history_id == quote_history_id)
    }
}
