//! Service workers whose cache answers when the network fails: no such answer decides about money.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use remitkit::api::{Code, NONCE};
use remitkit::client::{Client, SendFailure};

use crate::script::{ID, SENDER, Script, ScriptedClient, Worker, answer, error, kind, owned_by};
use crate::service::{QUOTE, REQUEST, Service, other_request};

/// The pages of a service behind one service worker, each with its sender.
struct Pages {
    service: Service,
    worker: Rc<Worker>,
    /// Whether reads fail.
    is_offline: Rc<Cell<bool>>,
}

impl Pages {
    fn new(service: &Service, ignores_queries: bool) -> Self {
        let worker = Rc::new(Worker { ignores_queries, ..Worker::default() });
        Pages { service: service.clone(), worker, is_offline: Rc::default() }
    }

    fn open(&self, sender: &'static str) -> Client<Script> {
        let (service, offline) = (self.service.clone(), self.is_offline.clone());
        let is_offline = self.is_offline.clone();
        let mut script = Script::new(move |_, sent| match is_offline.get() && sent.method == "GET" {
            true => Err(SendFailure::Network),
            false => service.answer(sent),
        });
        script.owner =
            Box::new(move |_| if offline.get() { Err(SendFailure::Network) } else { owned_by(sender) });
        (script.journal, script.started) = (self.service.store.clone(), self.service.started);
        let worker = self.worker.clone();
        script.service_worker = Some(Box::new(move |sent, answer| worker.answer(&sent.path, answer)));
        script.client()
    }
}

#[tokio::test(start_paused = true)]
async fn no_cached_sender_shows_one_customers_attempt_to_another() {
    for ignores_queries in [false, true] {
        let pages = Pages::new(&Service::working(), ignores_queries);
        pages.open(SENDER).prepare(REQUEST).await.unwrap();
        pages.is_offline.set(true);
        let failed = error(pages.open(ID).pending_transfers().await);
        assert_eq!((failed.code(), failed.retryable()), (Code::NetworkFailure, true));
        pages.is_offline.set(false);
        assert!(pages.open(ID).pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn no_cached_progress_settles_an_attempt() {
    for ignores_queries in [false, true] {
        let mut service = Service::unreachable();
        let pages = Pages::new(&service, ignores_queries);
        let page = pages.open(SENDER);
        let attempt = page.prepare(REQUEST).await.unwrap();
        assert_eq!(kind(attempt.submit().await), remitkit::api::Kind::OutcomeUnknown);
        // It is made by a late POST, and the network is lost.
        let body = service.posts.borrow()[0].body.clone().unwrap();
        service.made.borrow_mut().push(body);
        service.recovers();
        pages.is_offline.set(true);
        assert_eq!(error(attempt.submit().await).code(), Code::OutcomeUnknown);
        pages.is_offline.set(false);
        assert!(attempt.submit().await.unwrap().recovered);
    }
}

#[tokio::test(start_paused = true)]
async fn a_nonce_that_was_sent_is_not_taken_again_wherever_it_comes_from() {
    // This cache is no service worker: nothing tells the answer from a fresh one.
    let service = Service::working();
    let shown = service.clone();
    let script = service.script();
    let nonces = Rc::new(RefCell::new(vec![SENDER, ID, ID]));
    let left = nonces.clone();
    let mut page = Script::new(move |_, sent| match sent.route() {
        (_, "/v1/nonce") => answer(200, &format!(r#"{{"nonce":"{}"}}"#, left.borrow_mut().pop().unwrap())),
        _ => shown.answer(sent),
    });
    (page.journal, page.started) = (script.journal.clone(), script.started);
    let page = page.client();
    let attempt = page.prepare(REQUEST).await.unwrap();
    attempt.submit().await.unwrap();
    let next = other_request(QUOTE).replace(QUOTE, "66666666-4f89-41d3-9a0c-0305e82c3301");
    let next = next.replace(r#""nonce":"66666666-4f89-41d3-9a0c-0305e82c3301","#, "");
    let failed = error(page.prepare(&next).await);
    assert_eq!((failed.code(), failed.retryable()), (Code::NetworkFailure, true));
    assert_eq!(page.prepare(&next).await.unwrap().nonce().as_str(), SENDER);
}

#[tokio::test(start_paused = true)]
async fn only_reads_behind_a_service_worker_are_marked() {
    let pages = Pages::new(&Service::working(), false);
    let page = pages.open(SENDER);
    page.call(&NONCE, &[], None).await.unwrap();
    page.prepare(REQUEST).await.unwrap().submit().await.unwrap();
    let sent = page.sent();
    assert!(sent.iter().all(|sent| (sent.method == "GET") == sent.path.contains("_=")), "{sent:?}");
    assert_ne!(sent[0].path, sent[2].path);
    let page = Service::working().page();
    page.call(&NONCE, &[], None).await.unwrap();
    assert_eq!(page.sent()[0].path, "/v1/nonce");
}
