use std::cell::{Cell, RefCell};
use std::rc::Rc;

use remitkit::api::json::JsonRef;
use remitkit::api::{Code, Kind};
use remitkit::client::{Answer, Environment, SendFailure};

use crate::support::{ID, Script, Sent, TextCalls, answer, nonce, summary};

pub(crate) const REQUEST: &str = r#"{"dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","srcCurrencyIso3Code":"USD","transferMethod":"PUSH_TO_CARD","quoteBy":"SEND_AMOUNT","amount":12550,"quoteHistoryId":"11111111-4f89-41d3-9a0c-0305e82c3301","recipientId":"22222222-4f89-41d3-9a0c-0305e82c3301","recipientAccountId":"33333333-4f89-41d3-9a0c-0305e82c3301"}"#;
pub(crate) const QUOTE: &str = "11111111-4f89-41d3-9a0c-0305e82c3301";

/// A service with one transfer, whose POST ends as `post` says: whether it is made, and what is answered.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) made: Rc<RefCell<Vec<String>>>,
    pub(crate) posts: Rc<RefCell<Vec<Sent>>>,
    pub(crate) post: Rc<dyn Fn(usize) -> (bool, Result<Answer, SendFailure>)>,
    /// What the progress tells of a quote without a transfer.
    pub(crate) none: Rc<dyn Fn() -> Result<Answer, SendFailure>>,
}

impl Service {
    pub(crate) fn new(post: impl Fn(usize) -> (bool, Result<Answer, SendFailure>) + 'static) -> Self {
        let none = || answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#);
        Service { made: Rc::default(), posts: Rc::default(), post: Rc::new(post), none: Rc::new(none) }
    }

    pub(crate) fn answer(&self, sent: &Sent) -> Result<Answer, SendFailure> {
        let made = !self.made.borrow().is_empty();
        match (sent.method.as_str(), sent.path.split('?').next().unwrap()) {
            (_, "/v1/transfer-fields") => answer(200, r#"{"fieldSets":[]}"#),
            (_, "/v1/nonce") => nonce(),
            ("POST", "/v1/transfers") => {
                let number = self.posts.borrow().len();
                self.posts.borrow_mut().push(sent.clone());
                if made {
                    return answer(400, r#"[{"code":"TransferDuplicatedByQuote","message":"Again"}]"#);
                }
                let (makes, ends) = (self.post)(number);
                if makes {
                    self.made.borrow_mut().push(sent.body.clone().unwrap());
                }
                ends
            }
            (_, path) if path.starts_with("/v1/transfers/progress/") && made => {
                answer(200, &format!(r#"{{"transferId":"{ID}","transferRecordStatus":"Created"}}"#))
            }
            (_, path) if path.starts_with("/v1/transfers/progress/") => (self.none)(),
            (_, path) if path == format!("/v1/transfers/{ID}") => self.read_back(),
            (_, path) if path.starts_with("/v1/quote") => {
                answer(400, r#"[{"code":"ErrorGettingQuote","message":"Not now"}]"#)
            }
            other => panic!("{other:?}"),
        }
    }

    /// The transfer that was made, as the service shows it.
    fn read_back(&self) -> Result<Answer, SendFailure> {
        let body = self.made.borrow()[0].clone();
        let body = JsonRef::new(&body);
        let (text, id) = (|name| body.text_of(name).unwrap_or_default(), ID);
        let amount = body.member("amount").unwrap().raw();
        answer(
            200,
            &format!(
                r#"{{"transferId":"{id}","confirmationNumber":20261121000000001234,"quote":{{"quoteHistoryId":"{}","sendAmount":{{"value":{amount}}}}},"recipientDetails":{{"recipientId":"{}"}}}}"#,
                text("quoteHistoryId"),
                text("recipientId")
            ),
        )
    }

    pub(crate) fn script(&self) -> Script<impl Fn(usize, &Sent) -> Result<Answer, SendFailure> + use<>> {
        let service = self.clone();
        Script::new(move |_, sent| service.answer(sent))
    }
}

pub(crate) fn transfer(status: u16) -> Result<Answer, SendFailure> {
    answer(status, &format!(r#"{{"transferId":"{ID}","confirmationNumber":20261121000000001234}}"#))
}

#[tokio::test(start_paused = true)]
async fn prepared_and_submitted_it_happens_and_the_journal_knows() {
    let service = Service::new(|_| (true, transfer(200)));
    let script = service.script();
    let store = script.store.clone();
    let client = script.client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.quote_history_id().as_str(), QUOTE);
    assert_eq!(service.posts.borrow().len(), 0);
    assert_eq!(store.entries.borrow().len(), 1);
    let outcome = attempt.submit().await.unwrap();
    assert!(
        !outcome.recovered
            && outcome.transfer.confirmation_number.unwrap().as_str() == "20261121000000001234"
    );
    assert!(store.entries.borrow().values().all(|entry| entry.contains("CREATED")));
    assert!(service.made.borrow()[0].contains(&format!(r#""nonce":"{ID}""#)));
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_found_out_and_nothing_is_posted_twice() {
    for lost in [
        Err(SendFailure::Network),
        Err(SendFailure::Timeout),
        answer(504, "<html>"),
        answer(200, "{\"transf"),
        answer(429, ""),
    ] {
        let (status, text) = lost.as_ref().map_or((0, String::new()), |a| (a.status, a.text.clone()));
        let failure = lost.err();
        let service = Service::new(move |_| (true, failure.map_or_else(|| answer(status, &text), Err)));
        let client = service.script().client();
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        let outcome = attempt.submit().await.unwrap();
        assert!(outcome.recovered && outcome.transfer.transfer_id.as_str() == ID);
        assert_eq!(service.posts.borrow().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_not_made_is_sent_again_byte_by_byte() {
    let service =
        Service::new(|n| if n < 3 { (false, Err(SendFailure::Network)) } else { (true, transfer(200)) });
    let client = service.script().client();
    let outcome = client.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap();
    assert!(!outcome.recovered);
    let posts = service.posts.borrow();
    assert_eq!(posts.len(), 4);
    assert!(posts.iter().all(|post| post.body == posts[0].body));
}

#[tokio::test(start_paused = true)]
async fn the_services_refusal_is_final_and_a_gateways_is_not_believed() {
    let service =
        Service::new(|_| (false, answer(400, r#"[{"code":"InsufficientFunds","message":"No funds"}]"#)));
    let script = service.script();
    let store = script.store.clone();
    let client = script.client();
    let error = client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    assert_eq!(error.code(), Code::InsufficientFunds);
    assert_eq!((service.posts.borrow().len(), store.entries.borrow().len()), (1, 0));

    let service = Service::new(|_| (true, answer(403, "<html>Denied</html>")));
    let client = service.script().client();
    assert!(client.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn a_customer_who_was_signed_out_submits_the_same_attempt_after_signing_in() {
    let service = Service::new(|n| if n < 2 { (false, answer(401, "")) } else { (true, transfer(200)) });
    let client = service.script().client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::Authentication);
    assert!(summary(&client.pending_transfers().await.unwrap()[0]).contains("PREPARED"));
    assert!(!attempt.submit().await.unwrap().recovered);
    let posts = service.posts.borrow();
    assert!(posts.len() == 3 && posts.iter().all(|post| post.body == posts[0].body));
}

#[tokio::test(start_paused = true)]
async fn an_open_outcome_carries_the_attempt_which_another_page_resumes() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let script = service.script();
    let store = script.store.clone();
    let client = script.client();
    let error = client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    assert_eq!((error.kind(), error.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    assert_eq!(service.posts.borrow().len(), 7);

    // The page is reloaded; the service has come to itself.
    let mut healthy = service.clone();
    healthy.post = Rc::new(|_| (true, transfer(200)));
    let mut script = healthy.script();
    script.store = store.clone();
    let client = script.client();
    let pending = client.pending_transfers().await.unwrap();
    assert_eq!(pending.len(), 1);
    assert!(summary(&pending[0]).contains("\"SENT\""));
    pending[0].submit().await.unwrap();
    assert_eq!(service.made.borrow().len(), 1);
    let posts = service.posts.borrow();
    assert!(posts.iter().all(|post| post.body == posts[0].body), "every POST has the same bytes");
}

#[tokio::test(start_paused = true)]
async fn submitted_twice_at_once_it_is_posted_once() {
    let service = Service::new(|_| (true, transfer(200)));
    let client = service.script().client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let (one, two) = futures_util::future::join(attempt.submit(), attempt.submit()).await;
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(service.posts.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_quote_keeps_its_first_attempt() {
    let service = Service::new(|_| (true, transfer(200)));
    let client = service.script().client();
    let first = summary(&client.prepare(REQUEST, &0).await.unwrap());
    assert_eq!(summary(&client.prepare(REQUEST, &0).await.unwrap()), first);
    let error = client.prepare(&REQUEST.replace("12550", "12551"), &0).await.err().unwrap();
    assert_eq!((error.kind(), error.attempt()), (Kind::Conflict, Some(QUOTE)));
}

#[tokio::test(start_paused = true)]
async fn without_a_working_journal_nothing_is_sent() {
    let service = Service::new(|_| (true, transfer(200)));
    let script = service.script();
    let store = script.store.clone();
    let client = script.client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    store.broken.set(true);
    let error = attempt.submit().await.err().unwrap();
    // Another page with the journal may have sent it.
    assert_eq!((error.kind(), error.option()), (Kind::OutcomeUnknown, Some("journal")));
    assert_eq!(service.posts.borrow().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_fails_once_a_transfer_was_posted_says_nothing_of_it() {
    // Whether the transfer was made, and how its POST ends.
    for (made, answered) in [
        (true, answer(429, "")),
        (true, Err(SendFailure::Network)),
        (false, answer(429, "")),
        (false, Err(SendFailure::Network)),
    ] {
        let (status, failure) = (answered.as_ref().map_or(0, |answer| answer.status), answered.err());
        let store = Rc::new(RefCell::new(None::<Rc<crate::support::Store>>));
        let breaks = store.clone();
        let service = Service::new(move |_| {
            breaks.borrow().as_ref().unwrap().broken.set(true);
            (made, failure.map_or_else(|| answer(status, ""), Err))
        });
        let script = service.script();
        store.replace(Some(script.store.clone()));
        let client = script.client();
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        match attempt.submit().await {
            Ok(outcome) => assert!(made && outcome.recovered),
            Err(error) => assert_eq!((error.kind(), made), (Kind::OutcomeUnknown, false)),
        }
        assert_eq!(service.posts.borrow().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_was_dropped_is_not_given_the_outcome_of_the_one_in_its_place() {
    let service = Service::new(|_| (true, transfer(200)));
    let nonces = Rc::new(Cell::new(0));
    let script = Script::new(move |_, sent| {
        if sent.path != "/v1/nonce" {
            return service.answer(sent);
        }
        nonces.set(nonces.get() + 1);
        answer(200, &format!(r#"{{"nonce":"{}"}}"#, ID.replace("3301", &format!("330{}", nonces.get()))))
    });
    let client = script.client();
    let dropped = client.prepare(REQUEST, &0).await.unwrap();
    dropped.discard().await.unwrap();
    let other = client.prepare(&REQUEST.replace("12550", "12551"), &0).await.unwrap();
    let (other, dropped) = futures_util::future::join(other.submit(), dropped.submit()).await;
    assert!(other.is_ok());
    assert_eq!(dropped.err().unwrap().kind(), Kind::Conflict);
}

#[tokio::test(start_paused = true)]
async fn aborted_before_it_is_sent_it_stays_prepared_and_aborted_after_the_truth_is_told() {
    let service = Service::new(|_| (true, transfer(200)));
    let client = service.script().client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let error = attempt.submit().with_signal(&1).await.err().unwrap();
    assert_eq!((error.kind(), service.posts.borrow().len()), (Kind::Aborted, 0));
    assert!(summary(&client.pending_transfers().await.unwrap()[0]).contains("\"PREPARED\""));
    let now = remitkit::client::Environment::now_ms(client.environment());
    let outcome = attempt.submit().with_signal(&(now + 5)).await.unwrap();
    assert!(outcome.recovered);
}

#[tokio::test(start_paused = true)]
async fn neither_token_nor_personal_data_shows_in_debug_or_errors() {
    let service = Service::new(|_| (false, answer(400, r#"[{"code":"InvalidAmount","message":"Odd"}]"#)));
    let client = service.script().client();
    let request = REQUEST.replace("}", r#","fields":[{"id":"purpose","value":"Sesame"}]}"#);
    let attempt = client.prepare(&request, &0).await.unwrap();
    let error = attempt.submit().await.err().unwrap();
    let shown = format!("{error} {error:?} {}", summary(&attempt));
    assert!(!shown.contains("Sesame") && !shown.contains("token-0"), "{shown}");
}

#[tokio::test(start_paused = true)]
async fn another_transfer_with_the_quote_is_a_conflict() {
    let service = Service::new(|_| (true, transfer(200)));
    let other = REQUEST.replace("22222222", "99999999");
    let (one, two) = (service.script().client(), service.script().client());
    one.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap();
    // Another page, with another journal, has another recipient in mind.
    let error = two.prepare(&other, &0).await.unwrap().submit().await.err().unwrap();
    assert_eq!(error.kind(), Kind::Conflict);
    let same = service.script().client();
    assert!(same.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn a_discarded_attempt_has_no_outcome_but_its_own() {
    let service = Service::new(|_| (true, transfer(200)));
    let client = service.script().client();
    let dropped = client.prepare(REQUEST, &0).await.unwrap();
    dropped.discard().await.unwrap();
    let other = REQUEST.replace("22222222", "99999999").replacen('{', &format!(r#"{{"nonce":"{QUOTE}","#), 1);
    let newer = client.prepare(&other, &0).await.unwrap();
    // What is dropped by the older object is not the newer attempt.
    dropped.discard().await.unwrap();
    newer.submit().await.unwrap();
    let kept = service.script();
    assert!(kept.store.entries.borrow().is_empty());
    assert_eq!(dropped.submit().await.err().unwrap().kind(), Kind::Conflict);
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_the_browsers_second_copy_is_asked_about() {
    for refusal in [
        answer(401, ""),
        answer(400, r#"[{"code":"QuoteAmountChanged","message":"Changed"}]"#),
        answer(403, r#"[{"code":"AccessDenied","message":"No"}]"#),
    ] {
        let (status, text) = refusal.map(|answer| (answer.status, answer.text)).unwrap();
        let service = Service::new(move |_| (true, answer(status, &text)));
        let client = service.script().client();
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        assert!(attempt.submit().await.unwrap().recovered, "{status}");
        assert_eq!(service.posts.borrow().len(), 1);
    }
    // Nor is the word of a token source that then fails: it cannot be asked.
    let service = Service::new(|_| (true, answer(401, "")));
    let mut script = service.script();
    script.token = Rc::new(|n| match n {
        0 => Ok(r#"{"access_token":"token","expires_in":3600,"token_type":"Bearer"}"#.to_owned()),
        _ => Err(remitkit::api::Error::new(Code::TokenUnavailable)),
    });
    let client = script.client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert_eq!(attempt.discard().await.err().unwrap().kind(), Kind::Authentication);
}

#[tokio::test(start_paused = true)]
async fn each_signal_ends_the_waiting_of_its_own_call() {
    let service = Service::new(|_| (true, transfer(200)));
    let mut script = service.script();
    script.token_delay_ms = 5_000;
    let tokens = script.tokens.clone();
    let client = script.client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    tokio::time::advance(std::time::Duration::from_secs(4000)).await;
    let now = client.environment().now_ms();
    // The first one gives up before anything is sent, as the token is still fetched.
    let (first, second) =
        futures_util::future::join(attempt.submit().with_signal(&(now + 1_000)), attempt.submit()).await;
    assert_eq!(first.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert!(second.is_ok());
    assert!(tokens.get() > 1 && service.posts.borrow().len() == 1);
}
