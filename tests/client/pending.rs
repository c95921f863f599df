//! What a page is told of the attempts that another one has left, and how it lets go of them.

use std::rc::Rc;
use std::time::Duration;

use remitkit::api::json::JsonRef;
use remitkit::api::{Code, Kind};
use remitkit::client::{Client, Environment, SendFailure};

use crate::support::{ID, Script, Sent, Store, TextCalls, answer, nonce, summary};
use crate::transfers::{QUOTE, REQUEST, Service, transfer};

pub(crate) const QUOTED: &str = r#"{"quoteHistoryId":"11111111-4f89-41d3-9a0c-0305e82c3301","sendAmount":{"value":9007199254740993,"currency":{"name":"US Dollar","iso3Code":"USD","symbol":"$","decimalPlaces":2,"roundDirection":"STANDARD"}},"receiveAmount":null,"totalCost":{"value":12800,"currency":{"name":"US Dollar","iso3Code":"USD","symbol":"$","decimalPlaces":2,"roundDirection":"STANDARD"}}}"#;

fn page(service: &Service, store: &Rc<Store>) -> Client<impl Environment<Signal = u64> + use<>> {
    let mut script = service.script();
    script.store = store.clone();
    script.client()
}

fn quoting() -> Script<impl Fn(usize, &Sent) -> Result<remitkit::client::Answer, SendFailure>> {
    Script::new(|_, sent| match sent.path.split('?').next().unwrap() {
        "/v1/quote" => answer(200, QUOTED),
        "/v1/transfer-fields" => answer(200, r#"{"fieldSets":[]}"#),
        _ => nonce(),
    })
}

#[tokio::test(start_paused = true)]
async fn an_attempt_says_after_a_reload_which_transfer_it_is() {
    let script = quoting();
    let store = script.store.clone();
    let client = script.client();
    let request = REQUEST.replace("12550", r#""\ud8009007199254740993""#);
    client.call(&remitkit::api::QUOTE, &[], Some(&request), &0).await.unwrap();
    client.prepare(&request, &0).await.unwrap();

    let mut script = quoting();
    script.store = store.clone();
    let summary = summary(&script.client().pending_transfers().await.unwrap()[0]);
    let told = JsonRef::new(&summary);
    assert_eq!(told.text_of("quoteHistoryId").as_deref(), Some(QUOTE));
    assert!(told.member("transferId").is_none());
    let told = told.member("details").unwrap();
    for (name, expected) in [
        ("quoteBy", "SEND_AMOUNT"),
        ("srcCurrencyIso3Code", "USD"),
        ("dstCurrencyIso3Code", "MXN"),
        ("dstCountryIso3Code", "MEX"),
        ("transferMethod", "PUSH_TO_CARD"),
        ("recipientId", "22222222-4f89-41d3-9a0c-0305e82c3301"),
        ("recipientAccountId", "33333333-4f89-41d3-9a0c-0305e82c3301"),
    ] {
        assert_eq!(told.text_of(name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(told.member("amount").and_then(JsonRef::integer), Some(9_007_199_254_740_993));
    let send = told.member("sendAmount").unwrap();
    assert_eq!(send.member("value").and_then(JsonRef::integer), Some(9_007_199_254_740_993));
    assert_eq!(send.member("currency").unwrap().text_of("iso3Code").as_deref(), Some("USD"));
    let total = told.member("totalCost").and_then(|total| total.member("value")?.integer());
    assert_eq!(total, Some(12_800));
    assert!(told.member("receiveAmount").is_none() && told.member("quoteHistoryId").is_none());
}

#[tokio::test(start_paused = true)]
async fn what_an_earlier_version_kept_is_still_an_attempt() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    page(&service, &store).prepare(REQUEST, &0).await.unwrap();
    for entry in store.entries.borrow_mut().values_mut() {
        let details = JsonRef::new(entry).member("details").unwrap().raw().to_owned();
        // That quote was not given to this client.
        assert!(details.starts_with(r#"{"amount":12550,"#) && !details.contains("sendAmount"), "{details}");
        *entry = entry.replace(&format!(r#","details":{details}"#), "");
    }
    let attempt = page(&service, &store).pending_transfers().await.unwrap().remove(0);
    assert!(!summary(&attempt).contains("details"));
    attempt.submit().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_made_transfer_is_pending_until_it_is_acknowledged() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    page(&service, &store).prepare(REQUEST, &0).await.unwrap().submit().await.unwrap();
    // The page is reloaded within the five seconds: nobody is left who lets the journal forget it.
    tokio::time::advance(Duration::from_hours(48)).await;
    let client = page(&service, &store);
    let attempt = client.pending_transfers().await.unwrap().remove(0);
    let summary = summary(&attempt);
    assert!(summary.contains("CREATED") && summary.contains(&format!(r#""transferId":"{ID}""#)), "{summary}");
    attempt.acknowledge().await.unwrap();
    assert!(client.pending_transfers().await.unwrap().is_empty());
    // Once more is nothing more, and it is still known to have been made.
    attempt.acknowledge().await.unwrap();
    assert_eq!(attempt.discard().await.err().unwrap().kind(), Kind::Conflict);
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_made_transfer_that_the_journal_could_not_note_is_known_to_be_made() {
    let store = Rc::<Store>::default();
    let full = store.clone();
    let service = Service::new(move |_| {
        full.refused_saves.set(1);
        (true, transfer(200))
    });
    let client = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    attempt.submit().await.unwrap();
    assert!(summary(&client.pending_transfers().await.unwrap()[0]).contains("SENT"));
    assert_eq!(attempt.discard().await.err().unwrap().kind(), Kind::Conflict);
}

#[tokio::test(start_paused = true)]
async fn what_is_open_or_was_not_sent_is_not_acknowledged() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let client = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.acknowledge().await.err().unwrap().kind(), Kind::InvalidRequest);
    attempt.submit().await.err().unwrap();
    let error = attempt.acknowledge().await.err().unwrap();
    assert_eq!((error.kind(), error.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    // Nor is one whose entry the page itself has lost.
    let entries = std::mem::take(&mut *store.entries.borrow_mut());
    assert_eq!(attempt.acknowledge().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    *store.entries.borrow_mut() = entries;
    assert_eq!(client.pending_transfers().await.unwrap().len(), 1);
    // Nor another sender's.
    let mut script = service.script();
    script.store = store.clone();
    script.owner = Rc::new(|_| answer(200, &format!(r#"{{"senderId":"{ID}"}}"#)));
    assert!(script.client().pending_transfers().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn preparing_ends_in_time_however_slow_the_service_is() {
    let slow = Script::new(|n, sent| match sent.path.split('?').next().unwrap() {
        // Each time the last of three attempts is answered.
        _ if n % 3 < 2 => Err(SendFailure::Timeout),
        "/v1/transfer-fields" => answer(200, r#"{"fieldSets":[]}"#),
        _ => nonce(),
    });
    let (store, started) = (slow.store.clone(), slow.started);
    let held = store.locks.borrow_mut().entry(format!("remitkit.attempt.{QUOTE}")).or_default().clone();
    let _other = held.lock_owned().await;
    let error = slow.client().prepare(REQUEST, &0).await.err().unwrap();
    assert_eq!((error.code(), error.retryable()), (Code::Timeout, true));
    assert!(started.elapsed() <= Duration::from_secs(60), "{:?}", started.elapsed());
    assert!(store.entries.borrow().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_another_page_works_on_gives_that_pages_attempt() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let lock = store.locks.borrow_mut().entry(format!("remitkit.attempt.{QUOTE}")).or_default().clone();
    let held = lock.lock_owned().await;
    // Nothing is kept yet, so nothing was sent.
    let error = page(&service, &store).prepare(REQUEST, &0).await.err().unwrap();
    assert_eq!((error.kind(), error.attempt()), (Kind::Timeout, None));
    let (here, there) = (page(&service, &store), page(&service, &Rc::default()));
    let prepared = there.prepare(REQUEST, &0).await.unwrap();
    let waits = here.prepare(REQUEST, &0);
    let keeps = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        let entries = there.environment().journal();
        let key = format!("remitkit.attempt.{QUOTE}");
        let entry = entries.load(&key).await.unwrap().unwrap();
        store.entries.borrow_mut().insert(key, entry);
    };
    let (given, ()) = futures_util::future::join(waits, keeps).await;
    drop(held);
    let given = summary(&given.unwrap());
    assert_eq!(JsonRef::new(&given).text_of("nonce"), JsonRef::new(&summary(&prepared)).text_of("nonce"));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_says_when_it_was_prepared_and_when_its_quote_ends() {
    let ends = QUOTED.replacen('{', r#"{"expirationDate":"900000","#, 1);
    let script = Script::new(move |_, sent| match sent.path.split('?').next().unwrap() {
        "/v1/quote" => answer(200, &ends),
        "/v1/transfer-fields" => answer(200, r#"{"fieldSets":[]}"#),
        "/v1/nonce" => nonce(),
        _ => transfer(200),
    });
    let client = script.client();
    tokio::time::advance(Duration::from_secs(7)).await;
    client.call(&remitkit::api::QUOTE, &[], Some(REQUEST), &0).await.unwrap();
    let before = client.environment().now_ms();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let after = client.environment().now_ms();
    let born = u64::try_from(attempt.created_at_ms()).unwrap();
    assert!((before..=after).contains(&born) && born > 7_000, "{born}");
    assert_eq!((attempt.expires_at_ms(), attempt.transfer_id()), (Some(900_000), None));
    attempt.submit().await.unwrap();
    let made = client.pending_transfers().await.unwrap().remove(0);
    assert_eq!(made.transfer_id().map(|id| id.0.as_str()), Some(ID));
}

#[tokio::test(start_paused = true)]
async fn the_oldest_attempt_comes_first_and_of_one_moment_the_journals_first() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let client = page(&service, &store);
    client.prepare(REQUEST, &0).await.unwrap();
    let (key, text) =
        store.entries.borrow().iter().next().map(|(key, text)| (key.clone(), text.clone())).unwrap();
    let born = JsonRef::new(&text).member("createdAt").unwrap().raw().to_owned();
    // By their keys in this order.
    let ids = ["1", "2", "3", "4"].map(|digit| QUOTE.replacen("11111111", &digit.repeat(8), 1));
    for (id, created_at) in ids.iter().zip([9, 5, 9, 7]) {
        let text = text
            .replace(QUOTE, id)
            .replace(&format!(r#""createdAt":{born}"#), &format!(r#""createdAt":{created_at}"#));
        store.entries.borrow_mut().insert(key.replace(QUOTE, id), text);
    }
    let listed = page(&service, &store).pending_transfers().await.unwrap();
    let listed: Vec<_> = listed.iter().map(|attempt| attempt.quote_history_id().as_str()).collect();
    assert_eq!(listed, [&ids[1], &ids[3], &ids[0], &ids[2]]);
}

#[tokio::test(start_paused = true)]
async fn what_was_prepared_is_listed_for_a_day_to_the_millisecond() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let started = tokio::time::Instant::now();
    let at = |store: &Rc<Store>| {
        let mut script = service.script();
        (script.store, script.started) = (store.clone(), started);
        script.builder("https://api.example.com").sender_id(ID.parse().unwrap()).build().unwrap()
    };
    let attempt = at(&store).prepare(REQUEST, &0).await.unwrap();
    let day = Duration::from_hours(24) + Duration::from_millis(attempt.created_at_ms().unsigned_abs());
    tokio::time::advance(day - started.elapsed()).await;
    assert_eq!(at(&store).pending_transfers().await.unwrap().len(), 1);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert!(at(&store).pending_transfers().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_does_not_answer_is_not_taken_for_an_empty_one() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let client = page(&service, &store);
    store.hangs.set(true);
    let prepared = client.prepare(REQUEST, &0).await.err().unwrap();
    let listed = client.pending_transfers().await.err().unwrap();
    for error in [prepared, listed] {
        assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("journal")));
    }
}

#[tokio::test(start_paused = true)]
async fn an_abort_ends_the_waiting_for_a_quote_that_another_page_works_on() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let client = page(&service, &store);
    let lock = store.locks.borrow_mut().entry(format!("remitkit.attempt.{QUOTE}")).or_default().clone();
    let _held = lock.lock_owned().await;
    let soon = client.environment().now_ms() + 2_000;
    assert_eq!(client.prepare(REQUEST, &soon).await.err().unwrap().kind(), Kind::Aborted);
}
