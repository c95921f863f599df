//! How the program starts and stops, and what happens to requests whose connection ends early.

use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::harness::text;
use super::program::{Ended, Program, Shop, exchange, request_text, run, wait_until};

#[test]
fn the_program_announces_itself_and_stops_with_its_parent() {
    let mut program = Program::start(&[]);
    for (name, value) in [("clientId", "sandbox-client"), ("clientSecret", "sandbox-secret")] {
        assert_eq!(program.info[name], value);
    }
    assert_eq!(text(&program.info, "senderId").len(), 36);
    let (host, card_host) = (program.host("baseUrl"), program.host("cardUrl"));
    assert!(host.starts_with("127.0.0.1:") && host != card_host);
    let corridors = program.shop().ok("GET", "/v1/corridors", &Value::Null);
    assert!(corridors.as_array().unwrap().len() > 12);
    let asset = request_text(&card_host, "GET", "/assets/form.js", "", &Value::Null);
    let asset = exchange(&card_host, &asset);
    assert!(asset.status() == 200 && asset.contains("text/javascript"));
    // An idle connection must not keep the program alive.
    let _idle = TcpStream::connect(&card_host).unwrap();
    drop(program.child.stdin.take());
    assert_eq!(program.exit_code(), Some(0));
    assert!(TcpStream::connect(&card_host).is_err());
}

#[test]
fn the_program_stops_cleanly_on_a_signal() {
    let mut program = Program::start(&[]);
    let killed = Command::new("kill").arg(program.child.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert_eq!(program.exit_code(), Some(0));
}

#[test]
fn errors_at_the_start_name_the_option() {
    let program = Program::start(&[]);
    let host = program.host("baseUrl");
    let (_, port) = host.split_once(':').unwrap();
    for (arguments, expected) in [
        (["--port", "0", "--card-port", "0", "--db", "/nonexistent/x.db"], ["/nonexistent/x.db", "--db"]),
        (["--card-port", "0", "--seed", "1", "--port", port], [port, "--port"]),
        (["--port", "0", "--card-port", "0", "--control-origin", "a;b"], ["a;b", "--control-origin"]),
    ] {
        let (code, _, errors) = run(&arguments);
        assert_eq!(code, Some(1), "{errors}");
        assert!(expected.iter().all(|text| errors.contains(text)), "{errors}");
    }
}

#[test]
fn a_late_request_is_unknown_until_it_arrives() {
    const DELAY: Duration = Duration::from_millis(400);
    let program = Program::start(&["--contract"]);
    let shop = program.shop();
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
    let program = Program::start(&["--contract"]);
    let shop = program.shop();
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
    let program = Program::start(&["--contract"]);
    let shop = program.shop();
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
    let program = Program::start(&[]);
    let shop = program.shop();
    for (when, progress) in [("before", "NotInProgress"), ("during", "NotInProgress"), ("after", "Created")] {
        let body = shop.body(2_000);
        shop.add_transfer_fault(json!({ "kind": "latency", "when": when, "delayMilliseconds": 400 }));
        assert!(!shop.post_and_hang_up(&body, Duration::from_millis(150)), "it was answered");
        std::thread::sleep(Duration::from_millis(400));
        assert_eq!(shop.progress(&body), progress, "{when}");
        assert_eq!(shop.transfers_of(&body), usize::from(progress == "Created"), "{when}");
    }
}
