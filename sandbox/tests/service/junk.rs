//! Requests that make no sense: each gets an answer that says so, none an error of the service.

use axum::body::Body;
use axum::http::Request;
use remitkit_sandbox::Config;
use serde_json::{Map, Value, json};

use super::bench::{Bench, CARD, config, recipient_body, sender_body};

/// A small source of chance that repeats.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let at = self.next(list.len());
        &list[at]
    }

    fn value(&mut self) -> Value {
        let values = [
            Value::Null,
            json!(true),
            json!(0),
            json!(-1),
            json!(i64::MAX),
            json!(u64::MAX),
            json!(1e300),
            json!(""),
            json!(" "),
            json!("MEX"),
            json!("USD"),
            json!("PERSON"),
            json!("00000000-0000-4000-8000-000000000000"),
            json!("\u{0}\u{7f}é漢🙂\u{202e}"),
            json!("' OR 1=1 --"),
            json!("x".repeat(5_000)),
            json!([]),
            json!({}),
            json!([[], {}, null, "x"]),
            json!([{ "id": "firstName", "value": { "a": [1] } }]),
            json!([{ "id": "PHONE_NUMBER", "value": { "number": 1, "countryIso3Code": [] } }]),
            json!([{ "id": "\u{0}", "value": "x" }]),
        ];
        self.pick(&values).clone()
    }
}

#[tokio::test]
async fn junk_is_refused_and_breaks_nothing() {
    // What strays from the document is the point here.
    let bench = Bench::with(Config { contract: false, ..config() });
    let person = bench.person().await;
    let client = bench.client().await;
    let destination = person.destination(CARD).await;
    let recipient = destination.recipient.clone();
    let account = destination.account.clone().unwrap();
    let sender = bench.sandbox.sender_id();
    let transfer = person.transfer_body(&destination, 10_000).await;
    let targets: [(&str, String, Value); 12] = [
        ("POST", "/v1/transfers".into(), transfer),
        ("POST", "/v1/senders".into(), sender_body()),
        ("PATCH", format!("/v1/senders/{sender}"), sender_body()),
        ("PUT", format!("/v1/senders/{sender}"), sender_body()),
        ("POST", "/v1/recipients".into(), recipient_body(CARD)),
        ("PUT", format!("/v1/recipients/{recipient}"), recipient_body(CARD)),
        ("POST", format!("/v1/recipients/{recipient}/accounts"), recipient_body(CARD)),
        ("PUT", format!("/v1/recipients/{recipient}/accounts/{account}"), recipient_body(CARD)),
        ("POST", "/v1/card-onboarding-sessions".into(), json!({ "entityMode": "RECIPIENT" })),
        ("POST", "/v1/oauth/token".into(), json!({ "client_id": "x", "grant_type": "x" })),
        ("POST", "/sandbox/faults".into(), json!({ "kind": "drop", "path": "/nowhere" })),
        ("POST", "/sandbox/limits".into(), json!({ "senderId": sender, "limits": {} })),
    ];
    let mut chance = Chance(0x5eed);
    let mut refused = 0;
    for _ in 0..3_000 {
        let (method, path, good) = chance.pick(&targets);
        let mut body: Map<String, Value> = good.as_object().unwrap().clone();
        for _ in 0..=chance.next(3) {
            let names: Vec<String> = body.keys().cloned().collect();
            let name = chance.pick(&names).clone();
            body.insert(name, chance.value());
        }
        let caller = if path.ends_with("/senders") { &client } else { &person };
        let reply = caller.call(method, path, Some(&Value::Object(body.clone()))).await;
        assert!(reply.status.as_u16() < 500, "{method} {path} {body:?}: {} {}", reply.status, reply.json);
        refused += usize::from(reply.status.is_client_error());
        if reply.status.is_client_error() && path != "/v1/oauth/token" {
            assert!(!reply.code().is_empty(), "{path}: {}", reply.json);
        }
    }
    assert!(refused > 1_500, "{refused}");
}

#[tokio::test]
async fn junk_in_addresses_is_refused_too() {
    // What strays from the document is the point here.
    let bench = Bench::with(Config { contract: false, ..config() });
    let person = bench.person().await;
    let token = person.token.clone().unwrap();
    let pieces = [
        "%00",
        "..",
        "%2e%2e",
        "x",
        "",
        "%F0%9F%98%80",
        "4711",
        "MEX",
        "a%2Fb",
        "'",
        "-1",
        "%FF",
        "00000000-0000-4000-8000-000000000000",
        "00000000-0000-4000-8000-00000000000g",
    ];
    let templates = [
        "/v1/quote/{}",
        "/v1/senders/{}",
        "/v1/recipients/{}",
        "/v1/recipients/{}/accounts/{}",
        "/v1/transfers/{}",
        "/v1/transfers/{}/statuses",
        "/v1/transfers/{}/receipt",
        "/v1/transfers/progress/{}",
        "/v1/card-onboarding-sessions/{}",
        "/v1/banks/{}/branches",
        "/transferrequests/v1/transfer-requests/{}",
        "/v1/banks?countryIso3Code={}",
        "/v1/partner/countries/{}/states-and-provinces/{}/cities",
        "/v1/transfers?limit={}&offset={}",
        "/v1/quote?amount={}&dstCountryIso3Code={}",
        "/v1/recipients?senderId={}",
        "/{}/{}",
        "/sandbox/{}",
    ];
    for template in templates {
        for piece in pieces {
            let request = Request::get(template.replace("{}", piece))
                .header("authorization", format!("Bearer {token}"))
                .body(Body::empty())
                .unwrap();
            let reply = bench.send(request).await;
            assert!(reply.status.as_u16() < 500, "{template} {piece}: {}", reply.status);
            if reply.status.is_client_error() {
                assert!(!reply.code().is_empty(), "{template} {piece}: {:?}", reply.bytes);
            }
        }
    }
}
