//! Comparing a transfer with an attempt: another transfer may have been made with the same quote.

use crate::api::json::JsonRef;

/// Whether nothing in the reply of `GET /transfers/{id}` contradicts the body that was posted.
pub(super) fn is_own(transfer: JsonRef<'_>, body: JsonRef<'_>) -> bool {
    let is_same = |record: &str, member: &str| {
        let shown = transfer.member(record).and_then(|record| record.text_of(member));
        match (shown, body.text_of(member)) {
            (Some(shown), Some(posted)) => shown.eq_ignore_ascii_case(&posted),
            _ => true,
        }
    };
    let amount = if body.text_of("quoteBy").is_some_and(|by| by == "RECEIVE_AMOUNT") {
        "receiveAmount"
    } else {
        "sendAmount"
    };
    let shown = transfer.member("quote").and_then(|quote| quote.member(amount)?.member("value")?.integer());
    let posted = body.member("amount").and_then(JsonRef::integer);
    is_same("quote", "quoteHistoryId")
        && is_same("recipientDetails", "recipientId")
        && is_same("recipientAccountDetails", "recipientAccountId")
        && shown.zip(posted).is_none_or(|(shown, posted)| shown == posted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = r#"{"quoteBy":"SEND_AMOUNT","amount":12550,"quoteHistoryId":"AB","recipientId":"CD",
        "recipientAccountId":"EF"}"#;

    #[test]
    fn a_transfer_is_the_attempts_own_if_nothing_contradicts_the_body() {
        let own = r#"{"transferId":"1",
            "quote":{"quoteHistoryId":"ab","sendAmount":{"value":12550},"receiveAmount":{"value":9}},
            "recipientDetails":{"recipientId":"CD"},"recipientAccountDetails":{"recipientAccountId":"EF"}}"#;
        let is_own = |transfer: &str, body: &str| is_own(JsonRef::new(transfer), JsonRef::new(body));
        assert!(is_own(own, BODY) && is_own(r#"{"transferId":"1"}"#, BODY));
        for (of, other) in
            [("\"ab\"", "\"xy\""), ("12550", "12551"), ("\"CD\"", "\"XY\""), ("\"EF\"", "\"XY\"")]
        {
            assert!(!is_own(&own.replace(of, other), BODY), "{of}");
        }
        assert!(!is_own(own, &BODY.replace("SEND_", "RECEIVE_")));
    }
}
