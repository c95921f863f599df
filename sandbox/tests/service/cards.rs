//! Card onboarding sessions and the hosted form.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::bench::{Bench, Caller, person, text};

async fn session(caller: &Caller) -> Value {
    let body = json!({ "entityMode": "RECIPIENT" });
    caller.post("/v1/card-onboarding-sessions", &body).await.ok()
}

#[tokio::test]
async fn a_session_begins_incomplete_and_carries_the_card_in_the_end() {
    let (bench, caller) = person().await;
    let begun = session(&caller).await;
    assert_eq!((&begun["status"], &begun["cardId"]), (&json!("INCOMPLETE"), &Value::Null));
    let id = text(&begun, "id");
    assert_eq!(bench.enter_card(&id, "4111 1111 1111 1111").await, json!({ "result": "SUCCESS" }));
    let path = format!("/v1/card-onboarding-sessions/{id}");
    let done = caller.get(&path).await.ok();
    assert_eq!(done["status"], "SUCCEEDED");
    assert!(text(&done, "cardId").bytes().all(|byte| byte.is_ascii_digit()));
    // A session works once.
    let again = bench.enter_card(&id, "4111111111111111").await;
    assert_eq!((&again["result"], &again["code"]), (&json!("FAIL"), &json!("InvalidCardOnboardingSession")));
    bench.foreign().await.get(&path).await.fails(404, "InvalidCardOnboardingSession");
    let business = bench.sender(&bench.known("business").await).await;
    business.get(&path).await.fails(404, "InvalidCardOnboardingSession");
    caller.get("/v1/card-onboarding-sessions/4711").await.fails(404, "InvalidCardOnboardingSession");
}

#[tokio::test]
async fn the_mode_stands_at_the_top_of_the_body() {
    let (bench, caller) = person().await;
    let path = "/v1/card-onboarding-sessions";
    caller.post(path, &json!({})).await.fails(400, "NotEmptyValidator");
    caller.post(path, &json!({ "entityMode": "DOG" })).await.fails(400, "BadRequestError");
    caller.post(path, &json!({ "entityMode": "SENDER" })).await.ok();
    let client = bench.client().await;
    let body = json!({ "entityMode": "RECIPIENT" });
    client.post(path, &body).await.fails(400, "SenderUndetermined");
}

#[tokio::test]
async fn sessions_expire() {
    let (bench, caller) = person().await;
    let id = text(&session(&caller).await, "id");
    let status = || async {
        let form = bench.card_get(&format!("/v2/add-card/{id}/status")).await.ok();
        let read = bench.person().await.get(&format!("/v1/card-onboarding-sessions/{id}")).await.ok();
        assert_eq!(form["status"], read["status"]);
        assert_eq!(form["expirationDate"], read["expirationDate"]);
        text(&form, "status")
    };
    bench.advance(1_795).await;
    assert_eq!(status().await, "INCOMPLETE");
    bench.advance(10).await;
    assert_eq!(status().await, "EXPIRED");
    assert_eq!(bench.enter_card(&id, "4111111111111111").await, json!({ "result": "EXPIRED" }));
    assert_eq!(status().await, "EXPIRED");
}

#[tokio::test]
async fn each_test_card_does_what_the_table_says() {
    let (bench, caller) = person().await;
    let table = bench.look("triggers").await["testCards"].clone();
    assert!(table.as_array().unwrap().len() >= 6);
    for card in table.as_array().unwrap() {
        let id = text(&session(&caller).await, "id");
        let reply = bench.enter_card(&id, &text(card, "number")).await;
        let after = caller.get(&format!("/v1/card-onboarding-sessions/{id}")).await.ok();
        match card["result"].as_str().unwrap() {
            "fail" => {
                assert_eq!((&reply["result"], &reply["code"]), (&json!("FAIL"), &card["code"]));
                assert!(text(&reply, "message").len() > 10);
                assert_eq!(after["status"], "INCOMPLETE");
            }
            "expired" => {
                assert_eq!(reply, json!({ "result": "EXPIRED" }));
                assert_eq!(after["status"], "EXPIRED");
            }
            _ => {
                assert_eq!(reply, json!({ "result": "SUCCESS" }));
                assert_eq!(after["status"], "SUCCEEDED");
            }
        }
    }
}

#[tokio::test]
async fn what_is_entered_is_checked() {
    let (bench, caller) = person().await;
    let id = text(&session(&caller).await, "id");
    let path = format!("/v2/add-card/{id}/verify");
    for (name, value, code) in [
        ("number", json!("4111111111111112"), "CardProvidedCannotBeUsedForThisTransaction"),
        ("number", json!(""), "CardProvidedCannotBeUsedForThisTransaction"),
        ("expiryMonth", json!(""), "ExpiryDateRequired"),
        ("expiryYear", Value::Null, "ExpiryDateRequired"),
        ("expiryMonth", json!("13"), "CardProvidedCannotBeUsedForThisTransaction"),
        ("expiryYear", json!("2020"), "CardProvidedCannotBeUsedForThisTransaction"),
        ("expiryYear", json!("20"), "CardProvidedCannotBeUsedForThisTransaction"),
        ("name", json!("Ana"), "MinCardholderNames"),
        ("securityCode", json!("12"), "CardProvidedCannotBeUsedForThisTransaction"),
    ] {
        let mut card = json!({
            "number": "4111111111111111",
            "expiryMonth": "12",
            "expiryYear": "45",
            "name": "Ana López",
            "securityCode": "123",
        });
        card[name] = value;
        let reply = bench.card_post(&path, &card).await.ok();
        assert_eq!((&reply["result"], &reply["code"]), (&json!("FAIL"), &json!(code)), "{name}");
    }
    assert_eq!(bench.enter_card(&id, "4111111111111111").await["result"], "SUCCESS");
}

#[tokio::test]
async fn unknown_sessions_are_none() {
    let bench = Bench::new();
    for id in ["4711", "00000000-0000-4000-8000-000000000000"] {
        let reply = bench.card_get(&format!("/v2/add-card/{id}/status")).await;
        reply.fails(404, "InvalidCardOnboardingSession");
        let reply = bench.card_post(&format!("/v2/add-card/{id}/verify"), &json!({})).await;
        reply.fails(404, "InvalidCardOnboardingSession");
    }
}

#[tokio::test]
async fn of_a_card_no_number_is_kept() {
    let folder = std::env::temp_dir().join(format!("remitkit-cards-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("cards.db");
    let config = remitkit_sandbox::Config { db: Some(file.clone()), ..super::bench::config() };
    let bench = Bench::with(config);
    let caller = bench.person().await;
    caller.card("4111111111111111").await;
    let log = bench.look("requests").await.to_string();
    let mut kept = log.into_bytes();
    for entry in std::fs::read_dir(&folder).unwrap() {
        kept.extend(std::fs::read(entry.unwrap().path()).unwrap());
    }
    let has = |text: &str| kept.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has("VISA") && has("1111"));
    assert!(!has("4111111111111111") && !has("Ana L"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn the_form_has_a_policy_of_its_own() {
    let bench = Bench::new();
    let id = text(&session(&bench.person().await).await, "id");
    for path in [format!("/v2/add-card/{id}"), "/assets/form.js".into(), "/assets/form.css".into()] {
        let reply = bench.card_get(&path).await;
        assert_eq!(reply.status, 200, "{path}");
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'"));
        assert!(policy.contains("frame-ancestors http://127.0.0.1:* http://localhost:*"));
        assert!(!policy.contains("unsafe"));
        assert_eq!(reply.headers["cache-control"], "no-store");
        assert_eq!(reply.headers["x-content-type-options"], "nosniff");
        assert_eq!(reply.headers["referrer-policy"], "no-referrer");
        assert!(reply.headers.get("access-control-allow-origin").is_none());
        // Whoever frames a page may ask whether it is there; what belongs to the page is its own.
        let takers = if path.starts_with("/v2") { "cross-origin" } else { "same-origin" };
        assert_eq!(reply.headers["cross-origin-resource-policy"], takers, "{path}");
    }
    bench.card_get("/assets/../src/lib.rs").await.fails(404, "NotFound");
    bench.card_get("/v1/corridors").await.fails(404, "NotFound");
}

#[tokio::test]
async fn sessions_can_be_told_how_to_behave() {
    let (bench, caller) = person().await;
    let open = |behaviour: &'static str, query: &'static str| {
        let (bench, caller) = (&bench, &caller);
        async move {
            bench.steer("card-sessions", json!({ "behaviour": behaviour })).await;
            let id = text(&session(caller).await, "id");
            let request = Request::get(format!("/v2/add-card/{id}{query}"))
                .header("host", "127.0.0.1:4101")
                .body(Body::empty())
                .unwrap();
            (id, bench.send_card(request).await)
        }
    };
    let (id, _) = open("expired", "").await;
    let status = bench.card_get(&format!("/v2/add-card/{id}/status")).await.ok();
    assert_eq!(status["status"], "EXPIRED");
    let (_, silent) = open("silent", "").await;
    assert!(!String::from_utf8(silent.bytes).unwrap().contains("<script"));
    let (id, moved) = open("wrong-origin", "?lng=es-MX").await;
    assert_eq!(
        moved.headers["location"].to_str().unwrap(),
        format!("http://localhost:4101/v2/add-card/{id}?lng=es-MX&moved=1")
    );
    let (_, unframed) = open("fails-to-load", "").await;
    let policy = unframed.headers["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("frame-ancestors 'none'"));
    // Only the next one.
    let (_, normal) = open("normal", "").await;
    assert!(String::from_utf8(normal.bytes).unwrap().contains("<script"));
}
