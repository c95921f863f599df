//! What has changed between a quote and the one that replaces it.

use super::json::{JsonRef, Writer};
use super::lean::collect;

/// A fresh quote beside the one that no longer holds (interface, part 7: `QuoteAmountChanged`). Nothing is
/// sent with it: the customer confirms it first.
#[derive(Clone, PartialEq, Eq)]
pub struct QuoteChange {
    pub(super) fresh: String,
    pub(super) previous: Option<String>,
    difference: Vec<(&'static str, i64)>,
}

/// The amounts of a quote that may change.
const AMOUNTS: [&str; 3] = ["sendAmount", "receiveAmount", "totalCost"];

impl QuoteChange {
    /// From the replies, as JSON text; the previous one may not be known any more.
    #[must_use]
    pub fn new(fresh: String, previous: Option<String>) -> Self {
        let difference =
            collect(difference(JsonRef::new(&fresh), JsonRef::new(previous.as_deref().unwrap_or("null"))));
        QuoteChange { fresh, previous, difference }
    }

    /// Fresh minus previous in minor units, for each of `sendAmount`, `receiveAmount` and `totalCost` that
    /// both quotes state in one currency.
    pub fn difference(&self) -> impl Iterator<Item = (&'static str, i64)> {
        self.difference.iter().copied()
    }

    /// `{quote, previousQuote?, difference}` as JSON text. What is beyond 2^53 stands as in a reply.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.member("quote");
            out.raw(&self.fresh);
            if let Some(previous) = &self.previous {
                out.member("previousQuote");
                out.raw(previous);
            }
            out.member("difference");
            out.object(|out| {
                for (name, value) in self.difference() {
                    out.member(name);
                    out.received_integer(value);
                }
            });
        });
        out.finish()
    }
}

fn difference<'a>(
    fresh: JsonRef<'a>,
    previous: JsonRef<'a>,
) -> impl Iterator<Item = (&'static str, i64)> + 'a {
    AMOUNTS.into_iter().filter_map(move |name| {
        let (fresh, previous) = (fresh.member(name)?, previous.member(name)?);
        let currency =
            |amount: JsonRef<'_>| Some(amount.member("currency")?.text_of("iso3Code")?.into_owned());
        if currency(fresh)? != currency(previous)? {
            return None;
        }
        let value = |amount: JsonRef<'_>| amount.member("value")?.integer();
        Some((name, value(fresh)?.checked_sub(value(previous)?)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(id: u8, send: &str, receive: &str, currency: &str) -> String {
        let amount = |value: &str, currency: &str| {
            format!(
                r#"{{"value":{value},"currency":{{"iso3Code":"{currency}","decimalPlaces":2,"name":"N","symbol":"$"}}}}"#
            )
        };
        format!(
            r#"{{"quoteHistoryId":"3f2504e0-4f89-41d3-9a0c-0305e82c330{id}","sendAmount":{},"receiveAmount":{}}}"#,
            amount(send, "USD"),
            amount(receive, currency)
        )
    }

    #[test]
    fn the_difference_is_fresh_minus_previous() {
        let change =
            QuoteChange::new(quote(2, "10000", "173000", "MXN"), Some(quote(1, "10000", "175000", "MXN")));
        let difference: Vec<_> = change.difference().collect();
        assert_eq!(difference, [("sendAmount", 0), ("receiveAmount", -2000)]);
        assert!(change.to_json().ends_with(r#""difference":{"sendAmount":0,"receiveAmount":-2000}}"#));
        assert_eq!(change.quote().unwrap().send_amount.value, 10_000);
        assert_eq!(change.previous_quote().unwrap().quote_history_id.as_str().chars().last(), Some('1'));
    }

    #[test]
    fn amounts_that_cannot_be_compared_have_no_difference() {
        let change = QuoteChange::new(quote(2, "1", "2", "MXN"), Some(quote(1, "1", "2", "COP")));
        assert_eq!(change.difference().collect::<Vec<_>>(), [("sendAmount", 0)]);
        assert_eq!(QuoteChange::new(quote(2, "1", "2", "MXN"), None).difference().count(), 0);
    }

    #[test]
    fn a_difference_beyond_2_to_the_53_keeps_its_digits() {
        let large = quote(2, r#""9007199254740993n\u0000""#, "2", "MXN");
        let change = QuoteChange::new(large, Some(quote(1, "0", "2", "MXN")));
        assert_eq!(change.difference().next(), Some(("sendAmount", 9_007_199_254_740_993)));
        assert!(change.to_json().contains(r#""difference":{"sendAmount":"9007199254740993n\u0000""#));
    }
}
