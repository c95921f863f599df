//! The difference between a quote and its replacement.

use std::borrow::Cow;

use super::json::{JsonRef, write_object};
use super::opaque::opaque_debug;

/// A fresh quote and the outdated one that it replaces (interface, part 7: `QuoteAmountChanged`). The
/// customer has to confirm it before anything is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct QuoteChange {
    pub(super) fresh: String,
    pub(super) previous: Option<String>,
    /// Computed when the quotes are compared, in a part of the module: reading the error is in the first
    /// file.
    difference: Vec<(&'static str, i64)>,
}

opaque_debug!([] QuoteChange);

impl QuoteChange {
    /// Compares two replies, given as JSON text; the previous one may no longer be known.
    pub fn new(fresh: String, previous: Option<String>) -> Self {
        let difference =
            difference(JsonRef::new(&fresh), JsonRef::new(previous.as_deref().unwrap_or("null")));
        QuoteChange { fresh, previous, difference }
    }

    /// Returns fresh minus previous in minor units, for each of `sendAmount`, `receiveAmount` and `totalCost`
    /// that both quotes state in the same currency.
    pub fn difference(&self) -> impl Iterator<Item = (&'static str, i64)> {
        self.difference.iter().copied()
    }

    /// Returns the JSON text of `{quote, previousQuote?, difference}`.
    pub fn to_json(&self) -> String {
        write_object(|out| {
            out.raw_member("quote", &self.fresh);
            if let Some(previous) = &self.previous {
                out.raw_member("previousQuote", previous);
            }
            out.member("difference");
            out.object(|out| {
                for (name, value) in self.difference() {
                    out.raw_member(name, &value.to_string());
                }
            });
        })
    }
}

fn difference(fresh: JsonRef<'_>, previous: JsonRef<'_>) -> Vec<(&'static str, i64)> {
    let mut amounts = Vec::new();
    for name in ["sendAmount", "receiveAmount", "totalCost"] {
        if let (Some((now, value)), Some((before, earlier))) = (amount(fresh, name), amount(previous, name))
            && now == before
            && let Some(difference) = value.checked_sub(earlier)
        {
            amounts.push((name, difference));
        }
    }
    amounts
}

/// Returns the currency and the minor units of an amount.
fn amount<'a>(quote: JsonRef<'a>, name: &str) -> Option<(Cow<'a, str>, i64)> {
    let amount = quote.member(name)?;
    Some((amount.member("currency")?.text_of("iso3Code")?, amount.member("value")?.integer()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(id: u8, send: &str, receive: &str, currency: &str) -> String {
        let amount = |value: &str, currency: &str| {
            format!(r#"{{"value":{value},"currency":{{"iso3Code":"{currency}","decimalPlaces":2}}}}"#)
        };
        let (send, receive) = (amount(send, "USD"), amount(receive, currency));
        format!(r#"{{"quoteHistoryId":"{id}","sendAmount":{send},"receiveAmount":{receive}}}"#)
    }

    #[test]
    fn the_difference_is_fresh_minus_previous_where_both_are_in_one_currency() {
        let fresh = quote(2, "10000", "173000", "MXN");
        let large = quote(2, "9007199254740993", "2", "MXN");
        for (fresh, previous, difference) in [
            (&fresh, Some(quote(1, "10000", "175000", "MXN")), r#""sendAmount":0,"receiveAmount":-2000"#),
            (&fresh, Some(quote(1, "10000", "175000", "COP")), r#""sendAmount":0"#),
            (&fresh, None, ""),
            (&large, Some(quote(1, "0", "2", "MXN")), r#""sendAmount":9007199254740993,"receiveAmount":0"#),
        ] {
            let before = previous.as_ref().map(|quote| format!(r#","previousQuote":{quote}"#));
            let before = before.unwrap_or_default();
            let expected = format!(r#"{{"quote":{fresh}{before},"difference":{{{difference}}}}}"#);
            assert_eq!(QuoteChange::new(fresh.clone(), previous).to_json(), expected);
        }
    }
}
