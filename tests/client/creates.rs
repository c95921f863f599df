//! What creates or ends a record, when its answer leaves open whether it did.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use remitkit::api::{
    CANCEL_CUSTOMER_HOLD, CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, CREATE_SENDER, Code, DELETE_RECIPIENT,
    Kind, RELEASE_CUSTOMER_HOLD,
};
use remitkit::client::{Answer, SendFailure};

use crate::support::{ID, Script, TextCalls, answer};

const RECIPIENT: &str = r#"{"userType":"PERSON","dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"BANK_ACCOUNT","fields":[{"id":"firstName","value":"Ana"},{"id":"lastName","value":"Diaz"}]}"#;

const FORM: &str = r#"{"fieldSets":[{"fieldSetId":"s","fieldSetName":"n","fields":[{"fieldType":"TEXT","fieldId":"firstName","name":"n","isRequired":true,"visibility":"SHOW_AND_REQUIRED","placeholderText":""},{"fieldType":"TEXT","fieldId":"lastName","name":"n","isRequired":true,"visibility":"SHOW_AND_REQUIRED","placeholderText":""}]}]}"#;

/// A service that registers recipients, each answer as `ends` says.
fn registry(
    ends: impl Fn(usize) -> (bool, Result<Answer, SendFailure>) + 'static,
) -> (Script<impl Fn(usize, &crate::support::Sent) -> Result<Answer, SendFailure>>, Rc<RefCell<Vec<String>>>)
{
    let made = Rc::<RefCell<Vec<String>>>::default();
    let (kept, posts) = (made.clone(), Cell::new(0));
    let script =
        Script::new(move |_, sent| match (sent.method.as_str(), sent.path.split('?').next().unwrap()) {
            ("GET", "/v1/recipient-fields") => answer(200, FORM),
            ("GET", "/v1/recipients") => {
                let records: Vec<_> = kept
                    .borrow()
                    .iter()
                    .map(|fields| format!(r#"{{"recipientId":"{ID}","fields":{fields}}}"#))
                    .collect();
                answer(200, &format!("[{}]", records.join(",")))
            }
            ("POST", "/v1/recipients") => {
                let (makes, ends) = ends(posts.replace(posts.get() + 1));
                if makes {
                    kept.borrow_mut().push(r#"[{"id":"firstName","value":"Ana"}]"#.to_owned());
                }
                ends
            }
            other => panic!("{other:?}"),
        });
    (script, made)
}

#[tokio::test(start_paused = true)]
async fn a_create_that_may_have_happened_is_an_unknown_outcome() {
    for (status, text) in [
        (408, r#"[{"code":"RequestTimeout","message":"Slow"}]"#),
        (503, r#"[{"code":"RspTransferException","message":"Down"}]"#),
        (500, ""),
        (429, r#"[{"code":"TooManyRequests","message":"Slow"}]"#),
        // Anything on the way may have said so in the service's place.
        (404, "<html></html>"),
        (409, ""),
    ] {
        let (script, made) = registry(move |_| (true, answer(status, text)));
        let error = script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await.err().unwrap();
        assert_eq!((error.kind(), error.retryable()), (Kind::OutcomeUnknown, false), "{status}");
        assert_eq!(made.borrow().len(), 1);
    }
    let (script, _) =
        registry(|_| (false, answer(400, r#"[{"code":"InvalidRecipientName","message":"Name"}]"#)));
    let error = script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await.err().unwrap();
    assert_eq!(error.code(), Code::InvalidRecipientName);
}

#[tokio::test(start_paused = true)]
async fn a_create_with_a_refused_token_is_sent_again_only_where_it_made_nothing() {
    let created = || answer(201, &format!(r#"{{"recipientId":"{ID}"}}"#));
    for made_at_first in [false, true] {
        let (script, made) =
            registry(
                move |number| if number == 0 { (made_at_first, answer(401, "")) } else { (true, created()) },
            );
        let outcome = script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await;
        assert_eq!(outcome.err().map(|error| error.kind()), made_at_first.then_some(Kind::OutcomeUnknown));
        assert_eq!(made.borrow().len(), 1);
    }
    // The second token's refusal may be the word on a second copy too.
    for made_at_last in [false, true] {
        let (script, made) = registry(move |number| (made_at_last && number == 1, answer(401, "")));
        let error = script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await.err().unwrap();
        assert_eq!(error.kind() == Kind::OutcomeUnknown, made_at_last);
        assert_eq!(made.borrow().len(), usize::from(made_at_last));
    }
    // Somebody else is no reason.
    let (script, made) =
        registry(move |number| if number == 0 { (false, answer(401, "")) } else { (true, created()) });
    made.borrow_mut().push(r#"[{"id":"firstName","value":"Eva"}]"#.to_owned());
    script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await.map(drop).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_deletion_whose_answer_was_lost_is_done() {
    for lost in [Err(SendFailure::Network), answer(503, "")] {
        let (status, failure) = (lost.as_ref().map_or(0, |answer| answer.status), lost.err());
        let script = Script::new(move |number, _| match number {
            0 => failure.map_or_else(|| answer(status, ""), Err),
            _ => answer(404, r#"[{"code":"RecipientNotFound","message":"Nobody"}]"#),
        });
        script.client().call(&DELETE_RECIPIENT, &[ID], None, &0).await.map(drop).unwrap();
    }
    let script = Script::new(|_, _| answer(404, r#"[{"code":"RecipientNotFound","message":"Nobody"}]"#));
    let error = script.client().call(&DELETE_RECIPIENT, &[ID], None, &0).await.err().unwrap();
    assert_eq!(error.code(), Code::RecipientNotFound);
}

#[tokio::test(start_paused = true)]
async fn a_deletion_that_is_asked_for_again_is_done() {
    let script = Script::new(move |number, sent| match (number, sent.path.ends_with(ID)) {
        (0, _) => Err(SendFailure::Timeout),
        (_, true) => answer(404, r#"[{"code":"RecipientNotFound","message":"Nobody"}]"#),
        _ => panic!("{sent:?}"),
    });
    let client = script.client();
    let error = client.call(&DELETE_RECIPIENT, &[ID], None, &0).await.err().unwrap();
    assert!(error.retryable(), "{error:?}");
    client.call(&DELETE_RECIPIENT, &[ID], None, &0).await.map(drop).unwrap();
    // That was certain: whoever asks once more is told that there is none.
    let error = client.call(&DELETE_RECIPIENT, &[ID], None, &0).await.err().unwrap();
    assert_eq!(error.code(), Code::RecipientNotFound);
}

#[tokio::test(start_paused = true)]
async fn what_a_hold_came_to_is_read_before_a_word_is_given() {
    let reason = r#"{"reason":"CUSTOMER_REQUEST"}"#;
    let refusal = r#"[{"code":"BusinessOrDataValidationError","message":"Not held"}]"#;
    for (operation, input, status, is_done) in [
        (&CANCEL_CUSTOMER_HOLD, Some(reason), "Canceled", true),
        (&CANCEL_CUSTOMER_HOLD, Some(reason), "Pending Cancelation", true),
        (&CANCEL_CUSTOMER_HOLD, Some(reason), "INITIATED", false),
        (&RELEASE_CUSTOMER_HOLD, None, "Pending", true),
        (&RELEASE_CUSTOMER_HOLD, None, "Canceled", false),
        (&RELEASE_CUSTOMER_HOLD, None, "Initiated", false),
    ] {
        for (http, text) in [(503, ""), (503, refusal), (429, ""), (409, "<html></html>"), (400, refusal)] {
            let script = Script::new(move |_, sent| match sent.method.as_str() {
                "POST" => answer(http, text),
                _ if sent.path != format!("/v1/transfers/{ID}") => panic!("{sent:?}"),
                _ => answer(200, &format!(r#"{{"transferId":"{ID}","status":"{status}"}}"#)),
            });
            let outcome = script.client().call(operation, &[ID], input, &0).await.map(drop);
            assert_eq!(outcome.is_ok(), is_done, "{status} {http}");
            if let Err(error) = outcome {
                // A system's hold keeps what was released where it is, so that proves no refusal of a release.
                let is_told = http == 400 && (operation.name, status) != ("releaseCustomerHold", "Initiated");
                let kind = if is_told { Kind::InvalidRequest } else { Kind::OutcomeUnknown };
                assert_eq!((error.kind(), error.retryable()), (kind, false), "{status} {http}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_account_is_looked_for_among_its_recipients_and_a_sender_nowhere() {
    let account = r#"{"transferMethod":"BANK_ACCOUNT","fields":[{"id":"IBAN","value":"ES91"}]}"#;
    let script = Script::new(|_, sent| match sent.method.as_str() {
        "GET" => answer(
            200,
            &format!(r#"[{{"recipientAccountId":"{ID}","fields":[{{"id":"IBAN","value":"FR14"}}]}}]"#),
        ),
        _ if sent.bearer == "token-0" => answer(401, ""),
        _ => answer(201, &format!(r#"{{"recipientAccountId":"{ID}"}}"#)),
    });
    let sent = script.sent.clone();
    script.client().call(&CREATE_RECIPIENT_ACCOUNT, &[ID], Some(account), &0).await.map(drop).unwrap();
    let path = format!("/v1/recipients/{ID}/accounts");
    let expected = ["POST", "GET", "POST"].map(|method| (method, path.as_str()));
    let sent = sent.take();
    let sent: Vec<_> = sent.iter().map(|sent| (sent.method.as_str(), sent.path.as_str())).collect();
    assert_eq!(sent, expected);

    let sender = RECIPIENT.replace(r#""userType""#, r#""senderType""#);
    let sender = sender.replace(
        r#""dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"BANK_ACCOUNT","#,
        "",
    );
    let script = Script::new(|_, sent| match sent.method.as_str() {
        "GET" if sent.path.starts_with("/v1/sender-fields") => answer(200, r#"{"fieldSets":[]}"#),
        "GET" => answer(200, "[]"),
        _ => answer(401, ""),
    });
    let sent = script.sent.clone();
    let error = script.client().call(&CREATE_SENDER, &[], Some(&sender), &0).await.err().unwrap();
    assert_eq!(error.kind(), Kind::OutcomeUnknown);
    assert_eq!(sent.borrow().len(), 2, "the form, and one POST");
}

#[tokio::test(start_paused = true)]
async fn a_hold_is_ended_again_with_a_new_token_only_where_it_still_holds() {
    let reason = r#"{"reason":"CUSTOMER_REQUEST"}"#;
    // What the transfer is read as, how often it is posted, and what is told.
    for (status, posts, told) in
        [(Some("Initiated"), 2, None), (Some("Canceled"), 1, None), (None, 1, Some(Kind::OutcomeUnknown))]
    {
        let script = Script::new(move |_, sent| match (sent.method.as_str(), status) {
            ("POST", _) if sent.bearer == "token-0" => answer(401, ""),
            ("POST", _) => answer(200, ""),
            (_, Some(status)) => answer(200, &format!(r#"{{"transferId":"{ID}","status":"{status}"}}"#)),
            (_, None) => answer(400, r#"[{"code":"TransferNotFound","message":"None"}]"#),
        });
        let sent = script.sent.clone();
        let outcome = script.client().call(&CANCEL_CUSTOMER_HOLD, &[ID], Some(reason), &0).await;
        assert_eq!(outcome.err().map(|error| error.kind()), told, "{status:?}");
        assert_eq!(sent.borrow().iter().filter(|sent| sent.method == "POST").count(), posts);
    }
    // So is a release, of which the status never tells that a system's hold is left.
    let script = Script::new(|_, sent| match sent.method.as_str() {
        "POST" if sent.bearer == "token-0" => answer(401, ""),
        "POST" => answer(202, ""),
        _ => answer(200, &format!(r#"{{"transferId":"{ID}","status":"Initiated"}}"#)),
    });
    script.client().call(&RELEASE_CUSTOMER_HOLD, &[ID], None, &0).await.map(drop).unwrap();
    // Nor is a refusal believed where the transfer can't be read.
    let script = Script::new(|_, sent| match sent.method.as_str() {
        "POST" => answer(400, r#"[{"code":"BusinessOrDataValidationError","message":"Not held"}]"#),
        _ => answer(400, r#"[{"code":"TransferNotFound","message":"None"}]"#),
    });
    let outcome = script.client().call(&CANCEL_CUSTOMER_HOLD, &[ID], Some(reason), &0).await;
    assert_eq!(outcome.err().unwrap().kind(), Kind::OutcomeUnknown);
}
