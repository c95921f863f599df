//! Replies by operation, as the tests of a page script them.

use remitkit::api::{Code, CorridorFilter};
use remitkit::client::SendFailure;
use remitkit::testing::{ScriptedPlatform, refusal, reply};

use crate::script::{ID, ScriptedClient, error};
use crate::service::{QUOTE, REQUEST};

const MADE: &str = concat!(
    r#"{"transferId":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","#,
    r#""quote":{"quoteHistoryId":"11111111-4f89-41d3-9a0c-0305e82c3301","sendAmount":{"value":12550}},"#,
    r#""recipientDetails":{"recipientId":"22222222-4f89-41d3-9a0c-0305e82c3301"}}"#
);

#[test]
fn a_lost_transfer_is_settled_in_virtual_time() {
    let began = std::time::Instant::now();
    remitkit::testing::run(async {
        let progress = |status: &str| {
            reply(200, &format!(r#"{{"transferId":"{ID}","transferRecordStatus":"{status}"}}"#))
        };
        let client = ScriptedPlatform::replying([
            ("transfer", Err(SendFailure::Timeout)),
            ("transfer_progress", refusal(404, "TransferNotFound")),
            ("transfer_progress", progress("Initializing")),
            ("transfer_progress", progress("Created")),
            ("get_transfer", reply(200, MADE)),
        ])
        .client();
        let done = client.prepare(REQUEST).await.unwrap().submit().await.unwrap();
        assert!(done.recovered);
        assert_eq!((client.count("POST"), client.now_ms() >= 10_000), (1, true));
        let reads =
            client.sent().iter().filter(|sent| sent.path.ends_with(&format!("/progress/{QUOTE}"))).count();
        assert_eq!(reads, 3);
    });
    assert!(began.elapsed().as_secs() < 5, "no time passes");
}

#[test]
fn the_last_reply_is_repeated() {
    remitkit::testing::run(async {
        let replies = [
            ("get_quote", refusal(404, "QuoteHistoryNotFound")),
            ("get_quote", refusal(403, "AccessDenied")),
        ];
        let client = ScriptedPlatform::replying(replies).client();
        for code in [Code::QuoteHistoryNotFound, Code::AccessDenied, Code::AccessDenied] {
            assert_eq!(error(client.get_quote(&ID.parse().unwrap()).await).code(), code);
        }
    });
}

#[test]
#[should_panic(expected = "no operation is named `qoute`; there are corridors, quote,")]
fn a_misspelt_operation_is_named() {
    let _ = ScriptedPlatform::replying([("qoute", reply(200, "{}"))]);
}

#[test]
#[should_panic(expected = "the script has no reply to `corridors`")]
fn a_request_without_a_reply_is_named() {
    let _ = remitkit::testing::run(async {
        ScriptedPlatform::replying([]).client().corridors(&CorridorFilter::default()).await
    });
}
