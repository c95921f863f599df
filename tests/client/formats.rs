//! Entries of a journal that other versions of RemitKit share: those before, which this one reads, and later
//! ones, which it leaves alone. `journal-entries` has what each version wrote; its files are never changed.

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use remitkit::api::{Code, Kind};
use remitkit::client::AttemptState;

use crate::quotes::quoted;
use crate::script::{ID, SENDER, ScriptedClient, answer, error, kind, refusal};
use crate::service::{DAY, QUOTE, REQUEST, Service, of_sender, progress_reads, request_of, summary};

fn fixture(name: &str) -> String {
    let path = [env!("CARGO_MANIFEST_DIR"), "tests/client/journal-entries", name].iter().collect::<PathBuf>();
    fs::read_to_string(path).unwrap()
}

/// A service of which a page of another version has an entry in the journal.
fn with_entry(service: Service, text: &str) -> Service {
    service.set_entry(text.to_owned());
    service
}

#[tokio::test(start_paused = true)]
async fn entries_of_each_format_so_far_are_sent_settled_and_discarded() {
    for format in ["format-1", "format-2", "format-3"] {
        let entry = |state: &str| fixture(&format!("{format}-{state}.json"));
        let service = with_entry(Service::working(), &entry("prepared"));
        let (_page, attempt) = service.listed().await;
        assert_eq!(attempt.state(), AttemptState::Prepared);
        let has_details = summary(&attempt).contains(r#""details":{"amount":12550"#);
        assert!(has_details, "{}", summary(&attempt));
        attempt.submit().await.unwrap();
        assert_eq!((service.post_count(), attempt.state()), (1, AttemptState::Created));
        // The same bytes.
        let body = service.posts.borrow()[0].body.clone().unwrap();
        assert!(body.starts_with(&format!(r#"{{"nonce":"{ID}","dst"#)), "{body}");
        assert!(service.entry().starts_with(r#"{"format":3,"#), "{}", service.entry());

        let service = with_entry(Service::working(), &entry("prepared"));
        service.listed().await.1.discard().await.unwrap();
        assert_eq!((service.entry().as_str(), service.post_count()), ("", 0));

        let service = with_entry(Service::working(), &entry("sent"));
        let (page, attempt) = service.listed().await;
        assert_eq!(attempt.state(), AttemptState::Sent);
        assert_eq!(kind(attempt.discard().await), Kind::OutcomeUnknown);
        attempt.submit().await.unwrap();
        assert_eq!((progress_reads(&page), service.post_count()), (1, 1));

        let service = with_entry(Service::working(), &entry("created"));
        service.made.borrow_mut().push(REQUEST.to_owned());
        let (_page, attempt) = service.listed().await;
        assert_eq!((attempt.state(), attempt.transfer_id().unwrap().as_str()), (AttemptState::Created, ID));
        attempt.submit().await.unwrap();
        attempt.acknowledge().await.unwrap();
        assert_eq!((service.entry().is_empty(), service.post_count()), (format != "format-3", 0));
    }
}

#[tokio::test(start_paused = true)]
async fn an_entry_that_an_earlier_version_has_put_back_is_not_posted() {
    let service = with_entry(Service::working(), &fixture("format-2-restored.json"));
    let (_page, attempt) = service.listed().await;
    assert_eq!((kind(attempt.submit().await), service.post_count()), (Kind::OutcomeUnknown, 0));
}

#[tokio::test(start_paused = true)]
async fn this_version_writes_the_entries_of_its_format() {
    // What differs from these files is another format, and has another number.
    let service = Service::unreachable();
    let page = service.page();
    let attempt = page.prepare(&request_of(QUOTE, "order 17")).await.unwrap();
    assert_eq!(service.entry(), fixture("format-3-prepared.json"));
    attempt.submit().await.unwrap_err();
    assert_eq!(service.entry(), fixture("format-3-sent.json"));
    let service = Service::working();
    let attempt = service.page().prepare(&request_of(QUOTE, "order 17")).await.unwrap();
    attempt.submit().await.unwrap();
    assert_eq!(service.entry(), fixture("format-3-created.json"));
    attempt.acknowledge().await.unwrap();
    assert_eq!(service.entry(), fixture("format-3-acknowledged.json"));
}

/// Entries of a later version: one that this version could read, one that it could not, and what it must not
/// take for the number of its own format.
fn newer() -> [String; 4] {
    let known = fixture("format-3-prepared.json").replace(r#""format":3"#, r#""format":4"#);
    let changed = known.replace(r#""request":"#, r#""requests":"#).replace("PREPARED", "QUEUED");
    let [named, large] = [r#""4""#, "99999999999999999999"]
        .map(|format| known.replace(r#""format":4"#, &format!(r#""format":{format}"#)));
    [known, changed, named, large]
}

/// Lets the service show this sender's quote, which ends a minute after the first page opened.
fn with_quote(service: Service, sender: &str) -> Service {
    let owner = format!(r#","senderId":"{sender}","expirationDate":"60000""#);
    let quote = quoted(QUOTE, "12550", "null", &owner);
    Service { quote: Rc::new(move |_| answer(200, &quote)), ..service }
}

#[tokio::test(start_paused = true)]
async fn an_entry_of_a_later_version_is_listed_as_sent_and_left_as_it_is() {
    for entry in newer() {
        let service = with_quote(with_entry(Service::working(), &entry), SENDER);
        let (page, attempt) = service.listed().await;
        assert_eq!(
            (attempt.state(), attempt.payment_id().unwrap().as_str()),
            (AttemptState::Sent, "order 17")
        );
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
        assert_eq!(kind(attempt.discard().await), Kind::OutcomeUnknown);
        assert_eq!(kind(attempt.acknowledge().await), Kind::OutcomeUnknown);
        assert_eq!(error(page.prepare(REQUEST).await).code(), Code::TransferDuplicatedByQuote);
        // Nor is anything else sent for its payment.
        let other = request_of("66666666-4f89-41d3-9a0c-0305e82c3301", "order 17");
        let other = other.replacen('{', r#"{"nonce":"66666666-4f89-41d3-9a0c-0305e82c3301","#, 1);
        let failed = error(page.prepare(&other).await.unwrap().submit().await);
        assert_eq!((failed.code(), failed.attempt()), (Code::PaymentInProgress, Some(QUOTE)));
        assert_eq!((service.post_count(), service.entry()), (0, entry.clone()));
        // Once the other version has made it, that is found by reading.
        service.made.borrow_mut().push(REQUEST.to_owned());
        assert!(attempt.submit().await.unwrap().recovered);
        attempt.acknowledge().await.unwrap();
        assert!(
            page.pending_transfers()
                .await
                .unwrap()
                .iter()
                .all(|one| one.quote_history_id().as_str() != QUOTE)
        );
        assert_eq!((service.post_count(), service.entry()), (0, entry));
    }
}

#[tokio::test(start_paused = true)]
async fn an_entry_of_a_later_version_ends_with_its_quote_and_stays() {
    for entry in newer() {
        let service = with_quote(with_entry(Service::working(), &entry), SENDER);
        let (page, attempt) = service.listed().await;
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
        tokio::time::advance(DAY).await;
        assert_eq!(error(attempt.submit().await).code(), Code::TransferFailed);
        assert!(page.pending_transfers().await.unwrap().is_empty());
        assert_eq!((service.post_count(), service.entry()), (0, entry));
    }
}

#[tokio::test(start_paused = true)]
async fn an_entry_of_a_later_version_is_its_senders_alone() {
    for entry in newer() {
        let mut service = with_entry(Service::working(), &entry);
        service.quote = Rc::new(|_| refusal(400, "QuoteHistoryNotFound"));
        assert!(of_sender(&service, ID).client().pending_transfers().await.unwrap().is_empty());
        let elsewhere = entry.replace("api.example.com", "other.example.com");
        let service = with_entry(service, &elsewhere);
        assert!(service.page().pending_transfers().await.unwrap().is_empty());
        assert_eq!(service.entry(), elsewhere);
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_later_version_has_taken_over_is_not_touched() {
    for (taken, state) in [("PREPARED", "SENT"), ("SENT", "SENT"), ("CREATED", "CREATED")] {
        let service = Service::working();
        let (page, attempt) = service.prepared().await;
        let newer = fixture("format-3-prepared.json").replace(r#""format":3"#, r#""format":4"#);
        let newer = newer.replace("PREPARED", taken);
        service.set_entry(newer.clone());
        if state == "CREATED" {
            service.made.borrow_mut().push(REQUEST.to_owned());
        }
        let outcome = attempt.submit().await;
        match state {
            "CREATED" => assert!(outcome.unwrap().recovered),
            _ => assert_eq!(kind(outcome), Kind::OutcomeUnknown),
        }
        assert!(attempt.discard().await.is_err());
        let _ = page.pending_transfers().await;
        assert_eq!((service.post_count(), service.entry()), (0, newer));
    }
}
