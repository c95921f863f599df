//! Attempts at one payment of the page, of which one is made at most.

use std::rc::Rc;

use futures_util::future::join;
use remitkit::api::{Code, Error, Kind};
use remitkit::client::{AttemptState, Client, CompletedTransfer, SendFailure, TransferAttempt};

use crate::quotes::quoted;
use crate::script::{ID, SENDER, Script, ScriptedClient, answer, error, refusal};
use crate::service::{DAY, QUOTE, SECOND, Service, of_sender, request_of, transfer_of};

const OTHER: &str = "55555555-4f89-41d3-9a0c-0305e82c3301";
const THIRD: &str = "66666666-4f89-41d3-9a0c-0305e82c3301";
const ORDER: &str = "order 17";

/// Prepares an attempt at a payment, whose nonce is its quote's id.
async fn prepared(page: &Client<Script>, quote: &str, payment: &str) -> TransferAttempt<Script> {
    let request = request_of(quote, payment).replacen('{', &format!(r#"{{"nonce":"{quote}","#), 1);
    page.prepare(&request).await.unwrap()
}

#[track_caller]
fn assert_made(failed: &Error, quote: &str) {
    assert_eq!(
        (failed.code(), failed.kind(), failed.retryable()),
        (Code::PaymentAlreadyMade, Kind::Conflict, false)
    );
    let made = CompletedTransfer::of_payment(failed).unwrap();
    assert_eq!((made.transfer.transfer_id.as_str(), made.recovered), (&*transfer_of(quote), true));
}

#[track_caller]
fn assert_open(failed: &Error, quote: &str) {
    assert_eq!((failed.code(), failed.kind()), (Code::PaymentInProgress, Kind::Conflict));
    assert_eq!(failed.attempt(), Some(quote));
}

#[tokio::test(start_paused = true)]
async fn a_payment_is_made_once_in_a_page_and_after_it() {
    for acknowledges in [true, false] {
        let service = Service::working();
        let page = service.page();
        let first = prepared(&page, QUOTE, ORDER).await;
        let second = prepared(&page, OTHER, ORDER).await;
        first.submit().await.unwrap();
        if acknowledges {
            first.acknowledge().await.unwrap();
            assert!(
                page.pending_transfers()
                    .await
                    .unwrap()
                    .iter()
                    .all(|one| one.quote_history_id() != first.quote_history_id())
            );
        }
        assert_made(&error(second.submit().await), QUOTE);
        assert_eq!((service.post_count(), second.state()), (1, AttemptState::Prepared));
        // In another tab, and in a later session.
        tokio::time::advance(20 * DAY).await;
        let later = service.page();
        let third = prepared(&later, THIRD, ORDER).await;
        assert_made(&error(third.submit().await), QUOTE);
    }
}

#[tokio::test(start_paused = true)]
async fn another_payment_and_an_attempt_without_one_are_none_of_its_concern() {
    let service = Service::working();
    let page = service.page();
    prepared(&page, QUOTE, ORDER).await.submit().await.unwrap();
    prepared(&page, OTHER, "order 18").await.submit().await.unwrap();
    let without = request_of(THIRD, ORDER).replace(&format!(r#""paymentId":"{ORDER}","#), "");
    let without = without.replacen('{', &format!(r#"{{"nonce":"{THIRD}","#), 1);
    page.prepare(&without).await.unwrap().submit().await.unwrap();
    assert_eq!(service.post_count(), 3);
}

#[tokio::test(start_paused = true)]
async fn what_is_kept_of_a_made_payment_tells_nothing_else_and_ends() {
    let service = Service::working();
    let page = service.page();
    let attempt = prepared(&page, QUOTE, ORDER).await;
    attempt.submit().await.unwrap();
    attempt.acknowledge().await.unwrap();
    attempt.acknowledge().await.unwrap();
    for secret in ["recipientId", "amount", "details", "USD"] {
        assert!(!service.entry().contains(secret), "{secret}: {}", service.entry());
    }
    assert!(page.pending_transfers().await.unwrap().is_empty());
    // It is still that transfer.
    assert_eq!(attempt.submit().await.unwrap().transfer.transfer_id.as_str(), ID);
    tokio::time::advance(29 * DAY).await;
    assert!(service.page().pending_transfers().await.unwrap().is_empty());
    assert_ne!(service.entry(), "");
    tokio::time::advance(2 * DAY).await;
    assert!(of_sender(&service, ID).client().pending_transfers().await.unwrap().is_empty());
    assert_ne!(service.entry(), "", "another sender's");
    assert!(service.page().pending_transfers().await.unwrap().is_empty());
    assert_eq!(service.entry(), "");
}

#[tokio::test(start_paused = true)]
async fn an_attempt_beside_one_that_may_have_been_sent_waits_for_its_end() {
    let service = Service::unreachable();
    let page = service.page();
    let first = prepared(&page, QUOTE, ORDER).await;
    first.submit().await.unwrap_err();
    let posts = service.post_count();
    // In the same page, in another one, and after a reload.
    for page in [page, service.page()] {
        let second = prepared(&page, OTHER, ORDER).await;
        assert_open(&error(second.submit().await), QUOTE);
        assert_eq!((second.state(), service.post_count()), (AttemptState::Prepared, posts));
        let offered = page.pending_transfers().await.unwrap();
        assert!(offered.iter().any(|one| one.quote_history_id().as_str() == QUOTE));
        assert_eq!(offered[0].payment_id().unwrap().as_str(), ORDER);
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_goes_on_once_the_earlier_one_has_failed_or_was_discarded() {
    for is_refused in [true, false] {
        let service = Service::failing_once(refusal(400, "InsufficientFunds"));
        let page = service.page();
        let first = prepared(&page, QUOTE, ORDER).await;
        let second = prepared(&page, OTHER, ORDER).await;
        match is_refused {
            true => assert_eq!(error(first.submit().await).code(), Code::InsufficientFunds),
            false => first.discard().await.unwrap(),
        }
        let made = second.submit().await;
        match is_refused {
            true => assert_eq!(made.unwrap().transfer.transfer_id.as_str(), transfer_of(OTHER)),
            // The refusal is this one's.
            false => assert_eq!(error(made).code(), Code::InsufficientFunds),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn tabs_that_send_two_attempts_at_a_payment_at_once_make_one() {
    for shares_locks in [true, false] {
        let service = Service::working();
        let page = service.page();
        prepared(&page, QUOTE, ORDER).await;
        prepared(&page, OTHER, ORDER).await;
        let tabs = [service.page(), service.page()];
        let mut listed = Vec::new();
        for tab in &tabs {
            if !shares_locks {
                service.store.free_locks();
            }
            listed.push(tab.pending_transfers().await.unwrap());
        }
        let submit = |tab: usize, at: usize| listed[tab][at].submit();
        let (one, two) = join(submit(0, 0), async {
            if !shares_locks {
                service.store.free_locks();
            }
            submit(1, 1).await
        })
        .await;
        assert!(service.made.borrow().len() <= 1, "{shares_locks} {one:?} {two:?}");
        for failed in [one, two].into_iter().filter_map(Result::err) {
            assert_eq!(failed.kind(), Kind::Conflict, "{failed:?}");
        }
        if shares_locks {
            assert_eq!(service.made.borrow().len(), 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_tabs_copy_of_the_journal_asks_what_the_other_tab_has_sent() {
    let service = Service::working();
    let page = service.page();
    let first = prepared(&page, QUOTE, ORDER).await;
    prepared(&page, OTHER, ORDER).await;
    let copy = service.with_other_journal();
    copy.store.entries.replace(service.store.entries.borrow().clone());
    first.submit().await.unwrap();
    let duplicate = copy.page();
    let mut seen = duplicate.pending_transfers().await.unwrap();
    assert_made(&error(seen.remove(1).submit().await), QUOTE);
    assert_eq!(service.post_count(), 1);
    // While it can't tell, nothing is sent.
    let mut silent = copy.clone();
    silent.store = Rc::default();
    silent.store.entries.replace(copy.store.entries.borrow().clone());
    silent.made = Rc::default();
    silent.no_transfer = Rc::new(|| Err(SendFailure::Network));
    let page = silent.page();
    let second = prepared(&page, OTHER, ORDER).await;
    assert_eq!(error(second.submit().await).code(), Code::NetworkFailure);
    assert_eq!(silent.post_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_payment_whose_lock_another_tab_keeps_is_not_posted() {
    let service = Service::working();
    let page = service.page();
    let attempt = prepared(&page, QUOTE, ORDER).await;
    let frozen = service.store.lock(&format!("remitkit.payment.{ORDER}")).await;
    let failed = error(attempt.submit().await);
    assert_eq!((failed.code(), failed.retryable(), service.post_count()), (Code::Timeout, true, 0));
    let soon = page.now_ms() + 1000;
    assert_eq!(error(attempt.submit().with_signal(soon).await).code(), Code::Aborted);
    drop(frozen);
    attempt.submit().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_payments_name_is_any_text_and_is_never_sent() {
    let service = Service::working();
    let page = service.page();
    for payment in ["", &"x".repeat(256)] {
        let failed = error(page.prepare(&request_of(QUOTE, payment)).await);
        assert_eq!((failed.code(), failed.option()), (Code::InvalidRequest, Some("paymentId")));
    }
    let attempt = page.prepare(&request_of(QUOTE, "Über/7 ✓")).await.unwrap();
    attempt.submit().await.unwrap();
    assert!(page.sent().iter().all(|sent| !format!("{sent:?}").contains("ber/7")));
    // An attempt has one payment.
    let failed = error(page.prepare(&request_of(QUOTE, "8")).await);
    assert_eq!(failed.code(), Code::TransferDuplicatedByQuote);
}

#[tokio::test(start_paused = true)]
async fn another_senders_payment_of_that_name_is_not_mentioned() {
    let service = Service::working();
    let first = prepared(&of_sender(&service, SENDER).client(), QUOTE, ORDER).await;
    first.submit().await.unwrap();
    let second = prepared(&of_sender(&service, ID).client(), OTHER, ORDER).await;
    second.submit().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_open_attempt_is_not_sent_again_beside_another_ones_transfer() {
    let mut service = Service::unreachable();
    let page = service.page();
    let first = prepared(&page, QUOTE, ORDER).await;
    first.submit().await.unwrap_err();
    let posts = service.post_count();
    // A page without this journal has made the second.
    let elsewhere = service.with_other_journal();
    service.recovers();
    let other = Service { post: Rc::clone(&service.post), ..elsewhere };
    let second = prepared(&other.page(), OTHER, ORDER).await;
    second.submit().await.unwrap();
    let entry = other.store.entries.borrow().iter().next().map(|(key, text)| (key.clone(), text.clone()));
    service.store.entries.borrow_mut().extend(entry);
    assert_eq!(error(first.submit().await).code(), Code::OutcomeUnknown);
    assert_eq!(service.post_count(), posts + 1);
}

#[tokio::test(start_paused = true)]
async fn what_was_discarded_here_may_have_been_sent_from_a_copy() {
    let service = Service::working();
    let page = service.page();
    let first = prepared(&page, QUOTE, ORDER).await;
    let copy = service.with_other_journal();
    copy.store.entries.replace(service.store.entries.borrow().clone());
    first.discard().await.unwrap();
    let second = prepared(&page, OTHER, ORDER).await;
    copy.page().pending_transfers().await.unwrap().remove(0).submit().await.unwrap();
    assert_made(&error(second.submit().await), QUOTE);
    assert_eq!(service.post_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_made_payment_is_reported_before_an_open_attempt_at_it() {
    let mut service = Service::working();
    let page = service.page();
    prepared(&page, OTHER, ORDER).await.submit().await.unwrap();
    // A page that was closed as it saved this one as sent.
    let entry = service.store.entries.borrow().values().next().unwrap().clone();
    let entry = entry.replace(OTHER, QUOTE).replace("CREATED", "SENT");
    service.set_entry(entry);
    service.no_transfer = Rc::new(|| Err(SendFailure::Network));
    let third = prepared(&service.page(), THIRD, ORDER).await;
    assert_made(&error(third.submit().await), OTHER);
}

#[tokio::test(start_paused = true)]
async fn paying_again_with_the_same_quote_is_told_of_the_transfer() {
    let service = Service::working();
    let attempt = prepared(&service.page(), QUOTE, ORDER).await;
    attempt.submit().await.unwrap();
    attempt.acknowledge().await.unwrap();
    let page = service.page();
    assert_made(&error(page.prepare(&request_of(QUOTE, ORDER)).await), QUOTE);
    let failed = error(page.prepare(&request_of(QUOTE, "order 18")).await);
    assert_eq!(failed.code(), Code::TransferDuplicatedByQuote);
}

#[tokio::test(start_paused = true)]
async fn the_attempt_of_an_unknown_sender_is_shown_to_no_other_one() {
    for (owner, code) in [(SENDER, Code::PaymentInProgress), (ID, Code::ServiceUnavailable)] {
        let mut service = Service::unreachable();
        let page = service.page();
        prepared(&page, QUOTE, ORDER).await.submit().await.unwrap_err();
        let unnamed = service.entry().replace(&format!(r#""senderId":"{SENDER}","#), "");
        service.set_entry(unnamed);
        // The service shows a quote to its sender alone.
        let quote = quoted(QUOTE, "12550", "null", &format!(r#","senderId":"{SENDER}""#));
        service.quote = Rc::new(move |_| match owner {
            SENDER => answer(200, &quote),
            _ => refusal(400, "QuoteHistoryNotFound"),
        });
        let second = prepared(&of_sender(&service, owner).client(), OTHER, ORDER).await;
        let failed = error(second.submit().await);
        assert_eq!(failed.code(), code, "{failed:?}");
        assert_eq!(failed.attempt().is_some(), owner == SENDER);
    }
}

#[tokio::test(start_paused = true)]
async fn the_error_carries_the_attempt_that_was_sent() {
    let service = Service::unreachable();
    let page = service.page();
    let first = prepared(&page, QUOTE, ORDER).await;
    // Another tab replaces it by one with the same quote.
    let tab = service.page();
    tab.pending_transfers().await.unwrap().remove(0).discard().await.unwrap();
    let replacing = request_of(QUOTE, ORDER).replacen('{', &format!(r#"{{"nonce":"{THIRD}","#), 1);
    tab.prepare(&replacing).await.unwrap().submit().await.unwrap_err();
    let second = prepared(&page, OTHER, ORDER).await;
    let failed = error(second.submit().await);
    assert_open(&failed, QUOTE);
    let carried = page.attempt_of(&failed).unwrap();
    assert_eq!((carried.nonce().as_str(), carried.state()), (THIRD, AttemptState::Sent));
    assert_eq!(first.state(), AttemptState::Prepared);
}

#[tokio::test(start_paused = true)]
async fn a_tab_that_waits_for_another_one_learns_what_that_one_sends() {
    let service = Service::unreachable();
    let page = service.page();
    let first = prepared(&page, QUOTE, ORDER).await;
    let tab = service.page();
    let second = prepared(&tab, OTHER, ORDER).await;
    let (_, waited) = join(first.submit(), async {
        tokio::time::sleep(SECOND).await;
        let started_ms = tab.now_ms();
        (second.submit().await, tab.now_ms() - started_ms)
    })
    .await;
    let (failed, took_ms) = waited;
    assert_open(&error(failed), QUOTE);
    assert!(took_ms < 6_000, "{took_ms}");
}

#[tokio::test(start_paused = true)]
async fn what_another_tab_has_ended_since_blocks_no_payment() {
    let service = Service::working();
    let page = service.page();
    let tab = service.page();
    let first = prepared(&tab, QUOTE, ORDER).await;
    let second = prepared(&page, OTHER, ORDER).await;
    // The other tab saves it as sent while it asks whether it may send it, and takes that back.
    let unsent = service.entry();
    service.replace_in_entry("PREPARED", "SENT");
    assert_open(&error(second.submit().await), QUOTE);
    service.set_entry(unsent);
    first.discard().await.unwrap();
    second.submit().await.unwrap();
    assert_eq!(service.post_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_another_payment_has_used_pays_no_other_one() {
    for is_other_tab in [false, true] {
        let service = Service::working();
        let page = service.page();
        prepared(&page, QUOTE, ORDER).await.discard().await.unwrap();
        // Another order takes the quote, here or in another tab.
        let user = if is_other_tab { service.page() } else { page.clone() };
        let of_other = request_of(QUOTE, "order 18").replacen('{', &format!(r#"{{"nonce":"{THIRD}","#), 1);
        user.prepare(&of_other).await.unwrap().submit().await.unwrap();
        prepared(&page, OTHER, ORDER).await.submit().await.unwrap();
        assert_eq!(service.post_count(), 2, "{is_other_tab}");
    }
}
