use futures_util::future::LocalBoxFuture;

use crate::api::json::{Codec, JsonRef, Shape, write_object};
use crate::api::record::{open_enum, record};
use crate::api::{
    Amount, CountryCode, CurrencyCode, Error, Json, MinorUnits, Nonce, PaymentId, QuoteBy, QuoteId,
    RecipientAccountId, RecipientId, SenderId, StringOrNumber, TransferId, TransferMethod,
};

/// A store of texts by key in which transfer attempts outlive a page. Contains no token and no card data.
pub trait Journal {
    /// Returns the text under a key.
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>>;
    /// Saves a text under a key; completes only once it is durable.
    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>>;
    /// Removes a key.
    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>>;
    /// Returns all keys.
    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>>;
}

open_enum! {
    /// The state of an attempt.
    AttemptState ("a state such as PREPARED") {
        /// Nothing has been sent.
        Prepared = "PREPARED",
        /// It was sent, and its outcome is open.
        Sent = "SENT",
        /// The transfer was made. It stays for a moment, in case the page was closed before it could show
        /// that.
        Created = "CREATED",
        /// The service refused it, or its quote ended: it made no transfer and never will. No journal has
        /// this state.
        Refused = "REFUSED",
        /// It was discarded, or the journal lost it before it was sent. No journal has this state.
        Discarded = "DISCARDED",
    }
}

record! {
    /// An attempt as the journal stores it: enough to send the same bytes again. Tabs with another version of
    /// RemitKit share it: a change of its members needs a new `FORMAT`.
    private Entry {
        /// The format of the entry.
        required format "format": i64,
        /// The quote it is bound to.
        required quote_history_id "quoteHistoryId": QuoteId,
        /// The nonce it is bound to.
        required nonce "nonce": Nonce,
        /// The exact body.
        required body "request": String,
        /// When it was prepared, in milliseconds since 1970.
        required created_at_ms "createdAt": i64,
        /// The state.
        required state "state": AttemptState,
        /// When the quote ends by the page's clock, in milliseconds since 1970.
        optional expires_at_ms "expiresAt": i64,
        /// The address of its service; no other service receives it.
        optional service "service": String,
        /// The sender, if known.
        optional sender_id "senderId": SenderId,
        /// What the page calls the payment.
        optional payment_id "paymentId": PaymentId,
        /// The transfer, once it was made.
        optional transfer_id "transferId" as StringOrNumber: TransferId,
        /// What identifies the transfer for the customer.
        optional details "details": Json,
        /// Whether it was missing from the journal after it was sent, and a page that knew it has put it
        /// back. Another tab may have ended it, so it is never posted again.
        optional is_restored "restored": bool,
        /// Whether the page knows that the transfer was made. Only its payment still needs the entry.
        optional is_acknowledged "acknowledged": bool,
    }
}

record! {
    /// What identifies an attempt's transfer for the customer, from its request and its quote.
    private TransferDetails {
        /// The amount in minor units, in the currency of the side that `quote_by` fixes.
        required amount "amount": MinorUnits,
        /// The side that the amount fixes.
        optional quote_by "quoteBy": QuoteBy,
        /// The sender's currency.
        optional src_currency "srcCurrencyIso3Code": CurrencyCode,
        /// The recipient's currency.
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// The destination country.
        optional dst_country "dstCountryIso3Code": CountryCode,
        /// The payout method.
        optional transfer_method "transferMethod": TransferMethod,
        /// The recipient.
        optional recipient_id "recipientId": RecipientId,
        /// The recipient's account; cash pickup has none.
        optional recipient_account_id "recipientAccountId": RecipientAccountId,
        /// The amount sent, by the quote.
        optional send_amount "sendAmount": Amount,
        /// The amount received, by the quote.
        optional receive_amount "receiveAmount": Amount,
        /// The total cost for the sender, by the quote.
        optional total_cost "totalCost": Amount,
    }
}

/// Returns the [`TransferDetails`] of a checked request and of its quote, which is empty if it was not
/// received.
pub(super) fn details_of(request: JsonRef<'_>, quote: &str) -> Json {
    let records = [request, JsonRef::new(quote)];
    Json::new(write_object(|out| {
        let Shape::Record(fields) = TransferDetails::SHAPE else { return };
        for name in fields.iter().map(|field| field.name) {
            let mut values = records.iter().filter_map(|record| record.member(name));
            if let Some(value) = values.find(|value| !value.is_null()) {
                out.raw_member(name, value.raw());
            }
        }
    }))
}

/// The format of the entries that this version writes. Entries of formats 1 and 2 name no format, and call
/// the request `body`: so the versions that wrote them cannot read a later one, which they then neither post
/// nor save. Later formats must keep the members `format`, `service`, `senderId`, `paymentId`, `transferId`
/// and `acknowledged`.
pub(super) const FORMAT: i64 = 3;
/// The members of an entry that a page may see.
const PUBLIC: [&str; 8] =
    ["quoteHistoryId", "nonce", "createdAt", "state", "expiresAt", "paymentId", "transferId", "details"];
pub(super) const PREFIX: &str = "remitkit.attempt.";
/// Longer than any quote is valid: an attempt that was prepared this long ago and never sent is of no use.
const STALE_MS: u64 = 24 * 3_600_000;
/// How long a payment is remembered as made: longer than a customer looks for an order again.
const PAID_MS: u64 = 30 * STALE_MS;

/// The quote and the nonce of an attempt. Another attempt may take the quote of a discarded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptId {
    /// The quote it is bound to.
    pub quote_history_id: String,
    /// The nonce it is bound to.
    pub nonce: String,
}

impl Entry {
    pub(crate) fn id(&self) -> AttemptId {
        let quote_history_id = self.quote_history_id.as_str().to_owned();
        AttemptId { quote_history_id, nonce: self.nonce.as_str().to_owned() }
    }

    pub(super) fn is_of(&self, id: &AttemptId) -> bool {
        self.has(&id.quote_history_id, &id.nonce)
    }

    pub(super) fn is_same(&self, other: &Entry) -> bool {
        self.has(other.quote_history_id.as_str(), other.nonce.as_str())
    }

    pub(super) fn is_in_place_of_unreadable(&self) -> bool {
        // A page may use its quote's id as the nonce.
        self.created_at_ms == 0 && self.nonce.as_str() == self.quote_history_id.as_str()
    }

    fn has(&self, quote_history_id: &str, nonce: &str) -> bool {
        self.quote_history_id.as_str().eq_ignore_ascii_case(quote_history_id) && self.nonce.as_str() == nonce
    }

    /// Returns when the quote ends by the page's clock, in milliseconds since 1970; a day after the
    /// preparation at the latest. That of an entry that cannot be read is known from the service alone: a tab
    /// with a later version may post it until then.
    pub(super) fn expires_at_latest_ms(&self) -> i64 {
        if self.is_in_place_of_unreadable() {
            return self.expires_at_ms.unwrap_or(i64::MAX);
        }
        let latest = self.created_at_ms.saturating_add(STALE_MS as i64);
        self.expires_at_ms.map_or(latest, |expires_at_ms| expires_at_ms.min(latest))
    }

    /// Whether it can be removed unnoticed: an attempt that was sent stays until its outcome was delivered.
    pub(super) fn is_stale(&self, now_ms: u64) -> bool {
        let created_at_ms = u64::try_from(self.created_at_ms).unwrap_or(0);
        self.state == AttemptState::Prepared && created_at_ms.saturating_add(STALE_MS) < now_ms
    }

    /// Whether it was kept for its payment alone, and no longer.
    pub(super) fn is_forgotten_payment(&self, now_ms: u64) -> bool {
        let created_at_ms = u64::try_from(self.created_at_ms).unwrap_or(0);
        self.is_acknowledged()
            && !self.is_in_place_of_unreadable()
            && created_at_ms.saturating_add(PAID_MS) < now_ms
    }

    pub(super) fn is_acknowledged(&self) -> bool {
        self.is_acknowledged == Some(true)
    }

    /// Returns what stays of a made attempt once its page knows of it: which payment became which transfer.
    pub(super) fn acknowledged(&self) -> Self {
        Entry {
            body: body_without_details(self.quote_history_id.as_str()),
            state: AttemptState::Created,
            details: None,
            is_acknowledged: Some(true),
            ..self.clone()
        }
    }

    /// Returns its public part as JSON text:
    /// `{quoteHistoryId, nonce, createdAt, state, expiresAt?, paymentId?, transferId?, details?}`. The
    /// details are amount, route and recipient of the request, and the quote's `sendAmount?`,
    /// `receiveAmount?` and `totalCost?`.
    #[must_use]
    pub fn summary(&self) -> String {
        let json = self.to_json();
        let members = JsonRef::new(&json).members().filter(|(name, _)| PUBLIC.contains(&&**name));
        write_object(|out| members.for_each(|(name, value)| out.raw_member(&name, value.raw())))
    }

    /// Returns an entry of this service in place of one that cannot be read, as long as its key tells the
    /// quote: something may have been sent with that. It is settled, but never posted. Its nonce is no
    /// attempt's.
    pub(super) fn in_place_of_unreadable(at: &str, service: String) -> Option<Box<Self>> {
        let id = at.strip_prefix(PREFIX)?;
        let quote_history_id = QuoteId::new(id).ok()?;
        Some(Box::new(Entry {
            format: FORMAT,
            quote_history_id,
            nonce: Nonce::new(id).ok()?,
            body: body_without_details(id),
            created_at_ms: 0,
            state: AttemptState::Sent,
            expires_at_ms: None,
            service: Some(service),
            sender_id: None,
            payment_id: None,
            transfer_id: None,
            details: None,
            is_restored: Some(true),
            is_acknowledged: None,
        }))
    }
}

/// Returns a body that names its quote alone, with which any transfer of the quote agrees.
fn body_without_details(quote_history_id: &str) -> String {
    write_object(|out| out.text_member("quoteHistoryId", quote_history_id))
}

/// Returns the key of an attempt in the journal, which is also the name of its lock. Ids are compared without
/// case.
pub(super) fn key(quote_history_id: &str) -> String {
    [PREFIX, &quote_history_id.to_ascii_lowercase()].concat()
}
