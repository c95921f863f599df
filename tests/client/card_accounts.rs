//! The account of a card whose creation had no answer.

use remitkit::api::{
    CARD_ID, Code, Destination, FieldValue, RecipientAccount, RecipientAccountRequest, TransferMethod,
};
use remitkit::client::{SendFailure, SendResult};
use remitkit::testing::{ScriptedPlatform, refusal, reply};

use crate::script::{ID, ScriptedClient, error, kind};

const CARD: &str = "9007199254740993001";
const OTHER: &str =
    r#"{"recipientAccountId":"1","transferMethod":"PUSH_TO_CARD","fields":[{"id":"CARD_ID","value":"1"}]}"#;
const BANK: &str = r#"{"recipientAccountId":"2","transferMethod":"BANK_ACCOUNT"}"#;
const MASKED: &str = r#"{"recipientAccountId":"3","fields":[{"id":"CARD_ID","value":"****3001"}]}"#;
const WITHOUT: &str = r#"{"recipientAccountId":"4","transferMethod":"PUSH_TO_CARD","fields":[]}"#;
const AS_NUMBER: &str =
    r#"{"recipientAccountId":"lost","fields":[{"id":"CARD_ID","value":9007199254740993001}]}"#;

fn request(card_id: &str) -> RecipientAccountRequest {
    let (country, currency) = ("MEX".parse().unwrap(), "MXN".parse().unwrap());
    RecipientAccountRequest::new(Destination::new(country, currency, TransferMethod::PushToCard))
        .with_fields([FieldValue::new(CARD_ID, card_id)])
}

fn listed(accounts: &[&str]) -> SendResult {
    reply(200, &format!("[{}]", accounts.join(",")))
}

#[tokio::test(start_paused = true)]
async fn a_lost_account_is_found_or_created_but_never_twice() {
    let found = AS_NUMBER;
    // The lists in their order, the id of the account, and how many reads and creations there are.
    for (lists, expected, reads, creations) in [
        (&[&[OTHER, found][..]][..], Some("lost"), 1, 0),
        (&[&[], &[OTHER], &[found]], Some("lost"), 3, 0),
        (&[&[OTHER, BANK]], Some("again"), 3, 1),
        (&[&[MASKED], &[OTHER]], Some("again"), 3, 1),
        (&[&[OTHER, MASKED]], None, 3, 0),
        (&[&[WITHOUT]], None, 3, 0),
        (&[&[r#"{"recipientAccountId":"5"}"#]], None, 3, 0),
    ] {
        let lists = lists.iter().map(|accounts| ("recipient_accounts", listed(accounts)));
        let again = reply(201, r#"{"recipientAccountId":"again"}"#);
        let client = ScriptedPlatform::replying(lists.chain([("create_recipient_account", again)])).client();
        let result = client.recover_card_account(&ID.parse().unwrap(), &request(CARD)).await;
        let id = |account: RecipientAccount| account.recipient_account_id.to_string();
        match (result, expected) {
            (Ok(account), Some(expected)) => assert_eq!(id(account), expected),
            (Err(error), None) => assert_eq!(error.code(), Code::OutcomeUnknown),
            other => panic!("{other:?}"),
        }
        let is_list = |path: &str| path.ends_with("/accounts");
        let count = client.sent().iter().filter(|sent| sent.method == "GET" && is_list(&sent.path)).count();
        assert_eq!((count, client.count("POST")), (reads, creations));
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_cannot_be_read_creates_nothing() {
    let id = ID.parse().unwrap();
    for (answer, code) in [
        (refusal(403, "AccessDenied"), Code::AccessDenied),
        (Err(SendFailure::Blocked), Code::InvalidConfiguration),
    ] {
        let client = ScriptedPlatform::replying([("recipient_accounts", answer)]).client();
        assert_eq!(error(client.recover_card_account(&id, &request(CARD)).await).code(), code);
        assert_eq!(client.count("POST"), 0);
    }
    let client = ScriptedPlatform::replying([]).client();
    let without_card = RecipientAccountRequest::default();
    let refused = client.recover_card_account(&id, &without_card).await;
    assert_eq!((kind(refused), client.sent().len()), (remitkit::api::Kind::InvalidRequest, 0));
}
