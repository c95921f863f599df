//! Whether a transfer is an attempt's own: with one quote another one may have been made.

use crate::api::json::JsonRef;

/// Whether nothing that the service shows of the transfer contradicts what the attempt has asked for.
/// `transfer` is `GET /transfers/{id}`'s reply, `body` what was posted.
pub(super) fn is_own(transfer: JsonRef<'_>, body: JsonRef<'_>) -> bool {
    let is_same = |record: &str, member: &str| {
        let shown = transfer.member(record).and_then(|record| record.text_of(member));
        match (shown, body.text_of(member)) {
            (Some(shown), Some(asked)) => shown.eq_ignore_ascii_case(&asked),
            _ => true,
        }
    };
    let amount = if body.text_of("quoteBy").is_some_and(|by| by == "RECEIVE_AMOUNT") {
        "receiveAmount"
    } else {
        "sendAmount"
    };
    let shown = transfer.member("quote").and_then(|quote| quote.member(amount)?.member("value")?.integer());
    let asked = body.member("amount").and_then(JsonRef::integer);
    is_same("quote", "quoteHistoryId")
        && is_same("recipientDetails", "recipientId")
        && is_same("recipientAccountDetails", "recipientAccountId")
        && shown.is_none_or(|shown| asked == Some(shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = r#"{"quoteBy":"SEND_AMOUNT","amount":12550,"quoteHistoryId":"AB","recipientId":"CD","recipientAccountId":"EF"}"#;

    #[test]
    fn what_is_shown_must_be_what_was_asked_for() {
        let own = r#"{"transferId":"1","quote":{"quoteHistoryId":"ab","sendAmount":{"value":12550},"receiveAmount":{"value":9}},"recipientDetails":{"recipientId":"CD"},"recipientAccountDetails":{"recipientAccountId":"EF"}}"#;
        assert!(is_own(JsonRef::new(own), JsonRef::new(BODY)));
        assert!(is_own(JsonRef::new(r#"{"transferId":"1"}"#), JsonRef::new(BODY)));
        for (of, other) in
            [("\"ab\"", "\"xy\""), ("12550", "12551"), ("\"CD\"", "\"XY\""), ("\"EF\"", "\"XY\"")]
        {
            assert!(!is_own(JsonRef::new(&own.replace(of, other)), JsonRef::new(BODY)), "{of}");
        }
        assert!(!is_own(JsonRef::new(own), JsonRef::new(&BODY.replace("SEND_", "RECEIVE_"))));
    }
}
