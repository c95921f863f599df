//! Writes whose answer leaves open whether they happened: creates, deletions, and the end of a hold.

use std::cell::Cell;
use std::rc::Rc;

use remitkit::api::{
    CANCEL_CUSTOMER_HOLD, CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, CREATE_SENDER, Code, DELETE_RECIPIENT,
    Error, Kind, RELEASE_CUSTOMER_HOLD,
};
use remitkit::client::{SendFailure, SendResult};

use crate::calls::RECIPIENT;
use crate::script::{ID, NO_FIELDS, Script, ScriptedClient, answer, error, kind, refusal};

const REASON: Option<&str> = Some(r#"{"reason":"CUSTOMER_REQUEST"}"#);

fn created() -> SendResult {
    answer(201, &format!(r#"{{"recipientId":"{ID}"}}"#))
}

/// Creates a recipient with a service that already has a recipient of another name. `post` decides on each
/// POST, by its number: whether the recipient is created, and the answer. Returns the result and how many
/// were created.
async fn create(post: impl Fn(usize) -> (bool, SendResult) + 'static) -> (Result<(), Error>, usize) {
    let (created, posts) = (Rc::new(Cell::new(0)), Cell::new(0));
    let count = created.clone();
    let record =
        |name| format!(r#"{{"recipientId":"{ID}","fields":[{{"id":"firstName","value":"{name}"}}]}}"#);
    let script = Script::new(move |_, sent| match sent.route() {
        ("GET", "/v1/recipient-fields") => answer(200, NO_FIELDS),
        ("GET", "/v1/recipients") => {
            let records = [vec![record("Eva")], vec![record("Ana"); count.get()]].concat();
            answer(200, &format!("[{}]", records.join(",")))
        }
        ("POST", "/v1/recipients") => {
            let (creates, answer) = post(posts.replace(posts.get() + 1));
            count.set(count.get() + usize::from(creates));
            answer
        }
        other => panic!("{other:?}"),
    });
    let result = script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT)).await;
    (result.map(drop), created.get())
}

#[tokio::test(start_paused = true)]
async fn a_create_that_may_have_happened_is_an_unknown_outcome() {
    for with in [
        refusal(408, "RequestTimeout"),
        refusal(503, "RspTransferException"),
        answer(500, ""),
        refusal(429, "TooManyRequests"),
        // A gateway may have answered in the service's place.
        answer(404, "<html></html>"),
        answer(409, ""),
        // The answer was lost.
        Err(SendFailure::Network),
        Err(SendFailure::Timeout),
        answer(503, ""),
        answer(201, "<html>"),
    ] {
        let (result, created) = create(move |_| (true, with.clone())).await;
        let error = error(result);
        assert_eq!((error.kind(), error.retryable(), created), (Kind::OutcomeUnknown, false, 1));
    }
    let (result, _) = create(|_| (false, refusal(400, "InvalidRecipientName"))).await;
    assert_eq!(error(result).code(), Code::InvalidRecipientName);
}

#[tokio::test(start_paused = true)]
async fn a_create_with_a_refused_token_is_resent_only_if_it_created_nothing() {
    for at_first in [false, true] {
        let post = move |n| if n == 0 { (at_first, answer(401, "")) } else { (true, created()) };
        let (result, created) = create(post).await;
        assert_eq!(result.err().map(|error| error.kind()), at_first.then_some(Kind::OutcomeUnknown));
        assert_eq!(created, 1);
    }
    // The refusal of the second token may follow the commit of the second copy.
    for at_last in [false, true] {
        let (result, created) = create(move |n| (at_last && n == 1, answer(401, ""))).await;
        assert_eq!((kind(result) == Kind::OutcomeUnknown, created), (at_last, usize::from(at_last)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_deletion_without_an_answer_is_open_until_the_record_is_gone() {
    let [lost, timeout] = [SendFailure::Network, SendFailure::Timeout].map(Err);
    let (busy, denied) = (answer(503, ""), refusal(403, "AccessDenied"));
    let [troubled, gone] = [(503, "RspTransferException"), (404, "RecipientNotFound")]
        .map(|(status, code)| refusal(status, code));
    let not_found = Some(Code::RecipientNotFound);
    // The answers, of which the last one repeats, and the error of each call, if any.
    for (answers, errors) in [
        (vec![lost.clone(), gone.clone()], vec![None, not_found.clone()]),
        (vec![busy.clone(), gone.clone()], vec![None, not_found.clone()]),
        (vec![timeout, gone.clone()], vec![Some(Code::Timeout), None, not_found.clone()]),
        (vec![troubled.clone(), troubled, gone.clone()], vec![Some(Code::RspTransferException), None]),
        // The browser may have repeated the request, and the refused token was that of the second copy.
        (vec![answer(401, ""), gone.clone()], vec![None, not_found]),
        // Neither one that is not sent nor one that is refused closes it.
        (
            vec![lost.clone(), lost.clone(), Err(SendFailure::Blocked), gone.clone()],
            vec![Some(Code::NetworkFailure), Some(Code::InvalidConfiguration), None],
        ),
        (
            vec![lost.clone(), lost, denied.clone(), gone.clone()],
            vec![Some(Code::NetworkFailure), Some(Code::AccessDenied), None],
        ),
        (
            vec![busy.clone(), busy, denied, gone],
            vec![Some(Code::ServiceUnavailable), Some(Code::AccessDenied), None],
        ),
    ] {
        let client = Script::new(move |n, _| answers[n.min(answers.len() - 1)].clone()).client();
        for expected in errors {
            let error = client.call(&DELETE_RECIPIENT, &[ID], None).await.err();
            let is_final = |error: &Error| error.is_of_service() || error.kind() == Kind::Configuration;
            assert!(error.as_ref().is_none_or(|error| error.retryable() != is_final(error)), "{error:?}");
            assert_eq!(error.map(|error| error.code()), expected);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_doubtful_end_of_a_hold_is_checked_against_the_transfer() {
    for (operation, input, status, is_done) in [
        (&CANCEL_CUSTOMER_HOLD, REASON, "Canceled", true),
        (&CANCEL_CUSTOMER_HOLD, REASON, "Pending Cancelation", true),
        (&CANCEL_CUSTOMER_HOLD, REASON, "INITIATED", false),
        (&RELEASE_CUSTOMER_HOLD, None, "Pending", true),
        (&RELEASE_CUSTOMER_HOLD, None, "Canceled", false),
        (&RELEASE_CUSTOMER_HOLD, None, "Initiated", false),
    ] {
        let refused = || refusal(400, "BusinessOrDataValidationError");
        let answers = [
            answer(503, ""),
            refusal(503, "BusinessOrDataValidationError"),
            answer(429, ""),
            answer(409, "<html></html>"),
            refused(),
        ];
        for with in answers {
            let is_refusal = with.as_ref().is_ok_and(|answer| answer.status == 400);
            let script = Script::new(move |_, sent| match sent.method {
                "POST" => with.clone(),
                _ if sent.path != format!("/v1/transfers/{ID}") => panic!("{sent:?}"),
                _ => answer(200, &format!(r#"{{"transferId":"{ID}","status":"{status}"}}"#)),
            });
            let result = script.client().call(operation, &[ID], input).await;
            assert_eq!(result.is_ok(), is_done, "{status}");
            if let Err(error) = result {
                // The system's hold keeps a released transfer where it is, so that proves no refusal.
                let is_certain =
                    is_refusal && (operation.name, status) != ("releaseCustomerHold", "Initiated");
                let kind = if is_certain { Kind::InvalidRequest } else { Kind::OutcomeUnknown };
                assert_eq!((error.kind(), error.retryable()), (kind, false), "{status}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_hold_of_an_unknown_transfer_is_not_found() {
    for (operation, input) in [(&CANCEL_CUSTOMER_HOLD, REASON), (&RELEASE_CUSTOMER_HOLD, None)] {
        for (status, kind_of_error) in
            [(404, Kind::NotFound), (400, Kind::NotFound), (503, Kind::OutcomeUnknown)]
        {
            let script = Script::new(move |_, sent| match sent.method {
                "POST" => refusal(status, "TransferNotFound"),
                _ => refusal(404, "TransferNotFound"),
            });
            assert_eq!(kind(script.client().call(operation, &[ID], input).await), kind_of_error, "{status}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_refused_token_an_account_is_looked_up_and_a_sender_is_unknown() {
    let account = r#"{"transferMethod":"BANK_ACCOUNT","fields":[{"id":"IBAN","value":"ES91"}]}"#;
    let listed = format!(r#"[{{"recipientAccountId":"{ID}","fields":[{{"id":"IBAN","value":"FR14"}}]}}]"#);
    let script = Script::new(move |_, sent| match sent.method {
        "GET" => answer(200, &listed),
        _ if sent.bearer == "token-0" => answer(401, ""),
        _ => answer(201, &format!(r#"{{"recipientAccountId":"{ID}"}}"#)),
    });
    let client = script.client();
    client.call(&CREATE_RECIPIENT_ACCOUNT, &[ID], Some(account)).await.unwrap();
    let sent: Vec<_> = client.sent().into_iter().map(|sent| (sent.method, sent.path)).collect();
    let path = format!("/v1/recipients/{ID}/accounts");
    let expected = [("POST", ""), ("GET", ""), ("GET", "?offset=1"), ("POST", "")];
    assert_eq!(sent, expected.map(|(method, query)| (method, [&path, query].concat())));

    let named = r#"[{"id":"firstName","value":"Ana"},{"id":"lastName","value":"Diaz"}]"#;
    let script = Script::new(|_, sent| match sent.route() {
        ("GET", "/v1/sender-fields") => answer(200, NO_FIELDS),
        ("GET", _) => answer(200, "[]"),
        _ => answer(401, ""),
    });
    let client = script.client();
    let result = client.call(&CREATE_SENDER, &[], Some(&format!(r#"{{"fields":{named}}}"#))).await;
    assert_eq!((kind(result), client.sent().len()), (Kind::OutcomeUnknown, 2), "the form, and one POST");
}

#[tokio::test(start_paused = true)]
async fn a_hold_is_ended_again_with_a_new_token_only_if_it_still_holds() {
    let refused = || refusal(400, "BusinessOrDataValidationError");
    let lost = || Err(SendFailure::Network);
    // The transfer's status each time it is read, the answer to a second request, how often the request is
    // posted, and the kind of the error.
    let unknown = Some(Kind::OutcomeUnknown);
    for (operation, input, statuses, second, posts, expected) in [
        (&CANCEL_CUSTOMER_HOLD, REASON, &["Initiated"][..], answer(202, ""), 2, None),
        (&CANCEL_CUSTOMER_HOLD, REASON, &["Initiated", "Canceled"], lost(), 2, None),
        (&CANCEL_CUSTOMER_HOLD, REASON, &["Initiated"], refused(), 2, unknown),
        (&CANCEL_CUSTOMER_HOLD, REASON, &["Canceled"], answer(202, ""), 1, None),
        (&CANCEL_CUSTOMER_HOLD, REASON, &[], answer(202, ""), 1, unknown),
        (&RELEASE_CUSTOMER_HOLD, None, &["Initiated"], answer(202, ""), 2, None),
    ] {
        let reads = Cell::new(0);
        let script = Script::new(move |_, sent| match sent.method {
            "POST" if sent.bearer == "token-0" => answer(401, ""),
            "POST" => second.clone(),
            _ => match statuses.get(reads.replace(reads.get() + 1)).or(statuses.last()) {
                Some(status) => answer(200, &format!(r#"{{"transferId":"{ID}","status":"{status}"}}"#)),
                None => refusal(400, "TransferNotFound"),
            },
        });
        let client = script.client();
        let result = client.call(operation, &[ID], input).await;
        assert_eq!(result.err().map(|error| error.kind()), expected, "{statuses:?}");
        assert_eq!(client.count("POST"), posts);
    }
    // A refusal is not believed if the transfer cannot be read.
    let script = Script::new(move |_, sent| match sent.method {
        "POST" => refused(),
        _ => refusal(400, "TransferNotFound"),
    });
    assert_eq!(kind(script.client().call(&CANCEL_CUSTOMER_HOLD, &[ID], REASON).await), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn after_a_refused_token_every_page_of_recipients_is_read() {
    let named =
        |name: &str| format!(r#"{{"recipientId":"{ID}","fields":[{{"id":"firstName","value":"{name}"}}]}}"#);
    let page = move |names: &[&str]| {
        let records: Vec<_> = names.iter().map(|name| named(name)).collect();
        answer(200, &format!("[{}]", records.join(",")))
    };
    let same = "/v1/recipients";
    // What the pages after the first show, by their addresses; the first shows Eva and Leo.
    for (pages, posts) in [
        (vec![("/v1/recipients?offset=2", page(&["Ana"]))], 1),
        (vec![("/v1/recipients?offset=2", page(&["Mia"])), ("/v1/recipients?offset=3", page(&["Ana"]))], 1),
        (vec![("/v1/recipients?offset=2", page(&["Mia"])), ("/v1/recipients?offset=3", page(&[]))], 2),
        (vec![("/v1/recipients?offset=2", refusal(400, "BusinessOrDataValidationError"))], 2),
        (vec![("/v1/recipients?offset=2", answer(503, ""))], 1),
        // A service that ignores the offset.
        (vec![("/v1/recipients?offset=2", page(&["Eva", "Leo"]))], 2),
    ] {
        let first = page(&["Eva", "Leo"]);
        let script = Script::new(move |_, sent| match (sent.method, sent.path.as_str()) {
            ("GET", path) if path.starts_with("/v1/recipient-fields") => answer(200, NO_FIELDS),
            ("GET", path) if path == same => first.clone(),
            ("GET", path) => pages.iter().find(|(of, _)| *of == path).expect(path).1.clone(),
            _ if sent.bearer == "token-0" => answer(401, ""),
            _ => created(),
        });
        let client = script.client();
        let result = client.call(&CREATE_RECIPIENT, &[], Some(RECIPIENT)).await;
        let expected = (posts == 1).then_some(Kind::OutcomeUnknown);
        assert_eq!((result.err().map(|error| error.kind()), client.count("POST")), (expected, posts));
    }
}
