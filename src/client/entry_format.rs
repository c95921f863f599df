//! The journal's entries as any version of RemitKit may have written them: after a deploy, tabs of the
//! version before share a journal with those of the next.

use super::journal::{Entry, FORMAT, key};
use crate::api::json::{Codec, JsonRef, Mode, Shape, scan, write_object};
use crate::api::{PaymentId, SenderId, TransferId};

/// The latest time that a page's clock can show.
const LATEST_MS: i64 = 8_640_000_000_000_000;

/// What the journal has under a key.
pub(super) enum Stored {
    Nothing,
    /// An attempt, of any sender and service.
    Entry(Box<Entry>),
    /// Something that was damaged, or that something else wrote. It stays until the outcome of the quote's
    /// attempt is known.
    Unreadable,
    /// An entry of a later format. A tab with that version may still post it, so this one settles it by
    /// reading alone, and leaves it as it is.
    Newer,
}

impl Stored {
    /// Reads the text under a key. What is no time of a page counts as long ago: such an entry is listed and
    /// settled, but never posted.
    pub(super) fn of(at: &str, text: Option<&str>) -> Self {
        let Some(text) = text else { return Stored::Nothing };
        if scan(text, &Shape::Any, Mode::Received).is_err() {
            return Stored::Unreadable;
        }
        let format = JsonRef::new(text).member("format").filter(|format| !format.is_null());
        let entry = match format.map(JsonRef::integer) {
            None => Self::read(at, &upgraded(text)),
            Some(Some(format)) if format <= FORMAT => Self::read(at, text),
            Some(_) => return Stored::Newer,
        };
        entry.map_or(Stored::Unreadable, Stored::Entry)
    }

    fn read(at: &str, text: &str) -> Option<Box<Entry>> {
        scan(text, Entry::SHAPE, Mode::Received).ok()?;
        let mut entry = Box::new(Entry::read(JsonRef::new(text))?);
        if key(entry.quote_history_id.as_str()) != at {
            return None;
        }
        entry.created_at_ms = of_page(entry.created_at_ms);
        entry.expires_at_ms = entry.expires_at_ms.map(of_page);
        Some(entry)
    }

    /// Returns the entry, or one of this service in place of what cannot be read.
    pub(super) fn or_placeholder(self, at: &str, text: &str, service: String) -> Option<Box<Entry>> {
        match self {
            Stored::Nothing => None,
            Stored::Entry(entry) => Some(entry),
            Stored::Unreadable => Entry::in_place_of_unreadable(at, service),
            Stored::Newer => {
                let newer = JsonRef::new(text);
                let mut entry = Entry::in_place_of_unreadable(at, service)?;
                entry.service = newer.text_of("service").map(std::borrow::Cow::into_owned).or(entry.service);
                entry.sender_id = newer.member("senderId").and_then(SenderId::read);
                entry.payment_id = newer.member("paymentId").and_then(PaymentId::read);
                entry.transfer_id = newer.member("transferId").and_then(TransferId::read);
                entry.is_acknowledged = newer.member("acknowledged").and_then(bool::read);
                entry.body = newer.text_of("request").map_or(entry.body, std::borrow::Cow::into_owned);
                Some(entry)
            }
        }
    }
}

fn of_page(ms: i64) -> i64 {
    if (0..=LATEST_MS).contains(&ms) { ms } else { 0 }
}

/// Returns an entry of format 1 or 2 in the present one.
fn upgraded(text: &str) -> String {
    write_object(|out| {
        out.raw_member("format", &FORMAT.to_string());
        for (name, value) in JsonRef::new(text).members() {
            out.raw_member(if name == "body" { "request" } else { &name }, value.raw());
        }
    })
}
