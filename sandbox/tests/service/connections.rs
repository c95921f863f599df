//! Errors at the start of the program, and what happens to requests whose connection ends early. How the
//! program starts and stops otherwise is tested in `tests/package`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::program::{Ended, Shop, run, wait_until};

#[test]
fn errors_at_the_start_name_the_option() {
    for (arguments, expected) in [
        (["--db", "/nonexistent/x.db"], ["/nonexistent/x.db", "--db"]),
        (["--control-origin", "a;b"], ["a;b", "--control-origin"]),
        (["--frame-ancestor", "a b"], ["a b", "--frame-ancestor"]),
    ] {
        let (code, _, errors) = run(&[&["--port", "0", "--card-port", "0"], &arguments[..]].concat());
        assert_eq!(code, Some(1), "{errors}");
        assert!(expected.iter().all(|text| errors.contains(text)), "{errors}");
    }
}

#[test]
fn a_late_request_is_unknown_until_it_arrives() {
    const DELAY: Duration = Duration::from_millis(400);
    let shop = Shop::start(&["--contract"]);
    for (reset, ended) in [(false, Ended::Orderly), (true, Ended::Reset)] {
        let body = shop.body(2_000);
        shop.add_transfer_fault(json!({ "kind": "late", "delayMilliseconds": 400, "reset": reset }));
        let began = Instant::now();
        let answer = shop.post(&body);
        assert_eq!((answer.status(), answer.ended), (0, ended));
        let mut looks = 0;
        loop {
            let seen = (shop.transfers_of(&body), shop.progress(&body));
            if began.elapsed() >= DELAY {
                break;
            }
            assert_eq!(seen, (0, "NotInProgress".to_owned()));
            looks += 1;
        }
        assert!(looks > 0, "the answer took longer than the delay");
        wait_until(|| shop.progress(&body) == "Created");
        assert_eq!(shop.transfers_of(&body), 1);
    }
}

/// Returns how many exchanges have reached the service.
fn exchanges(shop: &Shop) -> u64 {
    shop.ok("GET", "/sandbox/contract", &Value::Null)["checked"].as_u64().unwrap()
}

#[test]
fn a_late_request_that_was_resent_makes_no_second_transfer() {
    let shop = Shop::start(&["--contract"]);
    let body = shop.body(2_000);
    shop.add_transfer_fault(json!({ "kind": "late", "delayMilliseconds": 150 }));
    shop.post(&body);
    let before = exchanges(&shop);
    assert_eq!(shop.post(&body).status(), 200);
    wait_until(|| exchanges(&shop) == before + 2);
    assert_eq!(shop.transfers_of(&body), 1);
}

#[test]
fn both_deliveries_of_a_delayed_duplicate_arrive_even_if_the_caller_hangs_up() {
    let shop = Shop::start(&["--contract"]);
    let fault = json!({ "kind": "duplicate", "delayMilliseconds": 150 });
    for hangs_up in [false, true] {
        let body = shop.body(2_000);
        let before = exchanges(&shop);
        shop.add_transfer_fault(fault.clone());
        if hangs_up {
            shop.post_and_hang_up(&body, Duration::from_millis(5));
        } else {
            assert_eq!(shop.post(&body).status(), 200, "the first answer counts");
        }
        wait_until(|| exchanges(&shop) == before + 2);
        assert_eq!(shop.transfers_of(&body), 1);
    }
}

#[test]
fn hanging_up_before_the_service_began_cancels_the_request() {
    let shop = Shop::start(&[]);
    for (when, progress) in [("before", "NotInProgress"), ("during", "NotInProgress"), ("after", "Created")] {
        let body = shop.body(2_000);
        shop.add_transfer_fault(json!({ "kind": "latency", "when": when, "delayMilliseconds": 400 }));
        assert!(!shop.post_and_hang_up(&body, Duration::from_millis(150)), "it was answered");
        std::thread::sleep(Duration::from_millis(400));
        assert_eq!(shop.progress(&body), progress, "{when}");
        assert_eq!(shop.transfers_of(&body), usize::from(progress == "Created"), "{when}");
    }
}
