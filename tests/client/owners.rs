//! Whose an entry of the journal is.

use std::cell::Cell;
use std::rc::Rc;

use remitkit::api::{Code, Kind};
use remitkit::client::{Client, Environment, SendFailure};

use crate::pending::QUOTED;
use crate::support::{ID, SENDER, Script, Store, TextCalls, answer};
use crate::transfers::{QUOTE, REQUEST, Service, transfer};

fn page(
    service: &Service,
    store: &Rc<Store>,
    sender: &'static str,
) -> Client<impl Environment<Signal = u64> + use<>> {
    let mut script = service.script();
    script.store = store.clone();
    script.owner = Rc::new(move |_| answer(200, &format!(r#"{{"senderId":"{sender}"}}"#)));
    script.client()
}

#[tokio::test(start_paused = true)]
async fn another_senders_entry_is_neither_listed_nor_sent_nor_erased() {
    let mut service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let first = page(&service, &store, SENDER);
    first.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    let kept = store.entries.borrow().clone();
    let posts = service.posts.borrow().len();

    let second = page(&service, &store, ID);
    assert!(second.pending_transfers().await.unwrap().is_empty());
    assert_eq!(second.prepare(REQUEST, &0).await.err().unwrap().kind(), Kind::Conflict);
    assert_eq!((service.posts.borrow().len(), &*store.entries.borrow()), (posts, &kept));

    // Its owner comes back.
    service.post = Rc::new(|_| (true, transfer(200)));
    let back = page(&service, &store, SENDER);
    back.pending_transfers().await.unwrap().remove(0).submit().await.unwrap();
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_signs_in_meanwhile_sends_nothing_of_the_one_before() {
    // The first token is refused, and the next one is another sender's.
    for refused_at in [0, 1] {
        let service = Service::new(move |number| match number >= refused_at {
            true => (false, answer(401, "")),
            false => (false, Err(SendFailure::Network)),
        });
        let store = Rc::<Store>::default();
        let mut script = service.script();
        script.store = store.clone();
        script.owner = Rc::new(|bearer| {
            let sender = if bearer == "token-0" { SENDER } else { ID };
            answer(200, &format!(r#"{{"senderId":"{sender}"}}"#))
        });
        let client = script.client();
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
        assert!(service.posts.borrow().iter().all(|post| post.bearer == "token-0"));
        assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
        assert_eq!(store.entries.borrow().len(), 1);
        assert!(client.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_in_capitals_names_the_same_sender_and_quote() {
    let mut service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let capitals: &str = SENDER.to_uppercase().leak();
    let first = page(&service, &store, capitals);
    first.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();

    service.post = Rc::new(|_| (true, transfer(200)));
    let second = page(&service, &store, SENDER);
    let request = REQUEST.replace(QUOTE, &QUOTE.to_uppercase());
    assert_ne!(request, REQUEST);
    assert_eq!(second.prepare(&request, &0).await.err().unwrap().kind(), Kind::Conflict);
    second.pending_transfers().await.unwrap().remove(0).submit().await.unwrap();
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn another_services_entry_is_left_alone() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let first = page(&service, &store, SENDER);
    first.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    let mut script = service.script();
    script.store = store.clone();
    let other = script.builder("https://api.example.com/other").build().unwrap();
    assert!(other.pending_transfers().await.unwrap().is_empty());
    assert_eq!(store.entries.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn where_nobody_can_tell_the_owner_the_page_that_prepared_it_goes_on_alone() {
    let service =
        Service::new(
            |number| if number == 0 { (false, Err(SendFailure::Timeout)) } else { (true, transfer(200)) },
        );
    let untold = |store: &Rc<Store>| {
        let mut script = service.script();
        script.store = store.clone();
        script.owner = Rc::new(|_| answer(404, ""));
        script.client()
    };
    let store = Rc::<Store>::default();
    let client = untold(&store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert!(untold(&store).pending_transfers().await.unwrap().is_empty());
    assert_eq!(client.pending_transfers().await.unwrap().len(), 1);
    attempt.submit().await.unwrap();
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_list_is_not_empty_while_nobody_can_tell_whose_a_sent_attempt_is() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let page = |owner: &Rc<Cell<Option<&'static str>>>| {
        let (service, owner) = (service.clone(), owner.clone());
        let mut script = Script::new(move |_, sent| match sent.path.as_str() {
            path if path != format!("/v1/quote/{QUOTE}") => service.answer(sent),
            _ if sent.bearer == "token-0" => answer(200, &quoted_to(SENDER)),
            _ if sent.bearer == "unsure" => service.answer(sent),
            _ => answer(400, r#"[{"code":"QuoteHistoryNotFound","message":"No"}]"#),
        });
        script.store = store.clone();
        script.owner = Rc::new(move |_| match owner.get() {
            Some(sender) => answer(200, &format!(r#"{{"senderId":"{sender}"}}"#)),
            None => answer(404, ""),
        });
        script
    };
    let (untold, told) = (Rc::new(Cell::new(None)), Rc::new(Cell::new(Some(SENDER))));
    let first = page(&untold).client();
    first.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    assert_eq!(first.pending_transfers().await.unwrap().len(), 1);

    let second = page(&untold).client();
    for _ in 0..2 {
        let error = second.pending_transfers().await.err().unwrap();
        assert_eq!((error.retryable(), error.option()), (true, Some("senderId")));
    }
    // Another sender's is another's.
    let mut other = page(&Rc::new(Cell::new(Some(ID))));
    other.token = Rc::new(|_| Ok(r#"{"access_token":"other","expires_in":3600}"#.to_owned()));
    assert!(other.client().pending_transfers().await.unwrap().is_empty());
    // Whose the quote is must be learnt too.
    let mut unsure = page(&told);
    unsure.token = Rc::new(|_| Ok(r#"{"access_token":"unsure","expires_in":3600}"#.to_owned()));
    assert_eq!(unsure.client().pending_transfers().await.err().unwrap().code(), Code::ErrorGettingQuote);
    // As soon as the service tells, it says whose the quote is too.
    untold.set(told.get());
    assert_eq!(second.pending_transfers().await.unwrap().len(), 1);
    let posts = service.posts.borrow().len();
    second.pending_transfers().await.unwrap().remove(0).submit().await.err().unwrap();
    assert!(service.posts.borrow().len() > posts);
    assert!(store.entries.borrow().values().all(|text| text.contains(SENDER)));
}

fn quoted_to(sender: &str) -> String {
    QUOTED.replacen('{', &format!(r#"{{"senderId":"{sender}","#), 1)
}

#[tokio::test(start_paused = true)]
async fn a_page_may_say_whose_its_tokens_are() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let asked = Rc::new(Cell::new(0));
    let page = |sender: &str| {
        let mut script = service.script();
        script.store = store.clone();
        let asked = asked.clone();
        script.owner = Rc::new(move |_| {
            asked.set(asked.get() + 1);
            answer(404, "")
        });
        script.builder("https://api.example.com").sender_id(sender.parse().unwrap()).build().unwrap()
    };
    page(SENDER).prepare(REQUEST, &0).await.unwrap();
    assert_eq!(page(SENDER).pending_transfers().await.unwrap().len(), 1);
    assert!(page(ID).pending_transfers().await.unwrap().is_empty());
    assert_eq!(asked.get(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_client_level_token_prepares_nothing() {
    let mut script = Script::new(|_, other| panic!("{other:?}"));
    script.owner = Rc::new(|_| answer(400, r#"[{"code":"SenderUndetermined","message":"Who?"}]"#));
    let error = script.client().prepare(REQUEST, &0).await.err().unwrap();
    assert_eq!(error.code(), Code::SenderUndetermined);
}

#[tokio::test(start_paused = true)]
async fn whose_a_token_is_is_asked_until_there_is_a_word_and_a_failing_service_has_none() {
    let service = Service::new(|_| (true, transfer(200)));
    // A gateway's word at first, or what cannot be read, and then the service's.
    for first in [answer(404, ""), answer(200, "<html>")] {
        let (status, text) = first.map(|answer| (answer.status, answer.text)).unwrap();
        let mut script = service.script();
        let (store, asked) = (script.store.clone(), Cell::new(0));
        script.owner = Rc::new(move |_| match asked.replace(asked.get() + 1) {
            // What cannot be read is asked for three times.
            0 => answer(status, &text),
            1 | 2 if status == 200 => answer(status, &text),
            _ => answer(200, &format!(r#"{{"senderId":"{SENDER}"}}"#)),
        });
        script.client().prepare(REQUEST, &0).await.unwrap();
        assert!(store.entries.borrow().values().all(|text| text.contains(SENDER)));
    }
    let mut script = service.script();
    let store = script.store.clone();
    script.owner = Rc::new(|_| answer(503, ""));
    let error = script.client().prepare(REQUEST, &0).await.err().unwrap();
    assert_eq!((error.code(), error.retryable()), (Code::ServiceUnavailable, true));
    assert!(store.entries.borrow().is_empty());
}
