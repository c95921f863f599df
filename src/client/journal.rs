use futures_util::future::LocalBoxFuture;

use crate::api::json::{Codec, JsonRef, Mode, Writer, scan};
use crate::api::record::{open_enum, record};
use crate::api::{
    Amount, CountryCode, CurrencyCode, Error, Json, MinorUnits, QuoteBy, RecipientAccountId, RecipientId,
    StringOrNumber, TransferMethod, Uuid,
};

/// Where transfer attempts outlive a page: keys and texts. Holds no token and no card data.
pub trait Journal {
    /// The text kept under a key.
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>>;
    /// Keeps a text under a key. Done only once it is kept.
    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>>;
    /// Forgets a key.
    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>>;
    /// All keys.
    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>>;
}

open_enum! {
    /// How far an attempt is.
    AttemptState ("a state such as PREPARED") {
        /// Nothing has been sent.
        Prepared = "PREPARED",
        /// It has been sent, and its outcome is open.
        Sent = "SENT",
        /// The transfer was made. Kept a little longer, in case the page went away before it could show that.
        Created = "CREATED",
    }
}

record! {
    /// An attempt as the journal keeps it: enough to send the same bytes again.
    private Entry {
        /// The quote that it is bound to.
        required quote_history_id "quoteHistoryId": Uuid,
        /// The nonce that it is bound to.
        required nonce "nonce": Uuid,
        /// The body, byte by byte.
        required body "body": String,
        /// When it was prepared, milliseconds since 1970.
        required created_at_ms "createdAt": i64,
        /// How far it is.
        required state "state": AttemptState,
        /// When the quote ends by this page's clock, milliseconds since 1970.
        optional expires_at_ms "expiresAt": i64,
        /// The service's address: nobody else is told of it.
        optional service "service": String,
        /// Who sends, where the service or the page told.
        optional sender_id "senderId": Uuid,
        /// The transfer, once it was made.
        optional transfer_id "transferId": StringOrNumber,
        /// What tells the customer which transfer it is.
        optional details "details": Json,
    }
}

record! {
    /// What tells the customer which transfer an attempt is: of its request, and of its quote.
    private TransferDetails {
        /// Minor units of the currency on the side that `quote_by` fixes.
        required amount "amount": MinorUnits,
        /// Which side the amount fixes.
        optional quote_by "quoteBy": QuoteBy,
        /// The currency that the sender pays in.
        optional src_currency "srcCurrencyIso3Code": CurrencyCode,
        /// The currency that the recipient gets.
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// Where the money goes.
        optional dst_country "dstCountryIso3Code": CountryCode,
        /// How the money is paid out.
        optional transfer_method "transferMethod": TransferMethod,
        /// Who receives.
        optional recipient_id "recipientId": RecipientId,
        /// The account; cash pickup has none.
        optional recipient_account_id "recipientAccountId": RecipientAccountId,
        /// What the sender pays in, by the quote.
        optional send_amount "sendAmount": Amount,
        /// What the recipient gets, by the quote.
        optional receive_amount "receiveAmount": Amount,
        /// What the sender pays in all, by the quote.
        optional total_cost "totalCost": Amount,
    }
}

/// What of the request tells the customer which transfer it is, beside its amount.
const OF_REQUEST: [&str; 7] = [
    "quoteBy",
    "srcCurrencyIso3Code",
    "dstCurrencyIso3Code",
    "dstCountryIso3Code",
    "transferMethod",
    "recipientId",
    "recipientAccountId",
];
/// And what of its quote.
const OF_QUOTE: [&str; 3] = ["sendAmount", "receiveAmount", "totalCost"];

/// What an attempt tells of itself: of its request, and of its quote as it was received, if it was.
pub(super) fn details_of(request: JsonRef<'_>, quote: &str) -> Option<Json> {
    let mut out = Writer::default();
    let copy = |out: &mut Writer, from: JsonRef<'_>, names: &[&str]| {
        for name in names {
            if let Some(value) = from.member(name).filter(|value| !value.is_null()) {
                out.member(name);
                out.raw(value.raw());
            }
        }
    };
    out.object(|out| {
        out.member("amount");
        out.received_integer(request.member("amount").and_then(JsonRef::integer).unwrap_or(0));
        copy(out, request, &OF_REQUEST);
        copy(out, JsonRef::new(quote), &OF_QUOTE);
    });
    Json::read(JsonRef::new(&out.finish()))
}

pub(super) const PREFIX: &str = "remitkit.attempt.";
/// No quote lives this long, so what was prepared and never sent has no use any more.
const STALE_MS: u64 = 24 * 3_600_000;

impl Entry {
    pub(super) fn is_of(&self, quote_history_id: &str, nonce: &str) -> bool {
        self.quote_history_id.as_str().eq_ignore_ascii_case(quote_history_id) && self.nonce.as_str() == nonce
    }

    /// When the quote ends by this page's clock, milliseconds since 1970: at the latest when no quote lives
    /// any more.
    pub(super) fn ends_at_ms(&self) -> i64 {
        let latest = self.created_at_ms.saturating_add(STALE_MS as i64);
        self.expires_at_ms.map_or(latest, |expires_at_ms| expires_at_ms.min(latest))
    }

    /// One that was sent is never forgotten before its outcome is known, and told.
    pub(super) fn is_stale(&self, now_ms: u64) -> bool {
        let born_ms = u64::try_from(self.created_at_ms).unwrap_or(0);
        self.state == AttemptState::Prepared && born_ms.saturating_add(STALE_MS) < now_ms
    }

    /// What may be known of it, as JSON text: `{quoteHistoryId, nonce, createdAt, state, expiresAt?,
    /// transferId?, details?}`. The details are amount, route and recipient of the request, and the quote's
    /// `sendAmount?`, `receiveAmount?` and `totalCost?`; a whole number beyond 2^53 is a string that the
    /// boundary makes a bigint of.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.text_member("quoteHistoryId", self.quote_history_id.as_str());
            out.text_member("nonce", self.nonce.as_str());
            out.member("createdAt");
            self.created_at_ms.write(out);
            out.text_member("state", self.state.as_str());
            if let Some(expires_at_ms) = self.expires_at_ms {
                out.member("expiresAt");
                expires_at_ms.write(out);
            }
            if let Some(transfer_id) = &self.transfer_id {
                out.text_member("transferId", &transfer_id.0);
            }
            if let Some(details) = &self.details {
                out.member("details");
                details.write(out);
            }
        });
        out.finish()
    }

    /// What cannot be read is no attempt: something else wrote it.
    pub(super) fn parse(text: &str) -> Option<Box<Self>> {
        scan(text, Self::SHAPE, Mode::Received).ok()?;
        Self::read(JsonRef::new(text)).map(Box::new)
    }
}

/// Names the attempt in the journal, and the lock that one page at a time holds on it. Capitals make no other
/// quote.
pub(super) fn key(quote_history_id: &str) -> String {
    [PREFIX, &quote_history_id.to_ascii_lowercase()].concat()
}
