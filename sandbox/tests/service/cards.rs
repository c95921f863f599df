//! Card onboarding sessions and the hosted form.

use serde_json::{Value, json};

use super::database::Folder;
use super::harness::*;

const SESSIONS: &str = "/v1/card-onboarding-sessions";
const UNUSABLE: &str = "CardProvidedCannotBeUsedForThisTransaction";

#[tokio::test]
async fn a_session_succeeds_once_and_is_visible_to_its_sender_only() {
    let (sandbox, caller) = person().await;
    let session = caller.post(SESSIONS, &json!({ "entityMode": "RECIPIENT" })).await.ok();
    assert_eq!((&session["status"], &session["cardId"]), (&json!("INCOMPLETE"), &Value::Null));
    let id = text(&session, "id");
    assert_eq!(sandbox.enter_card(&id, "4111 1111 1111 1111").await, json!({ "result": "SUCCESS" }));
    let path = format!("{SESSIONS}/{id}");
    let done = caller.get(&path).await.ok();
    assert_eq!(done["status"], "SUCCEEDED");
    assert!(text(&done, "cardId").bytes().all(|byte| byte.is_ascii_digit()));
    let again = sandbox.enter_card(&id, "4111111111111111").await;
    assert_eq!((&again["result"], &again["code"]), (&json!("FAIL"), &json!("InvalidCardOnboardingSession")));
    for other in [sandbox.foreign().await, sandbox.business().await] {
        other.get(&path).await.fails_with(404, "InvalidCardOnboardingSession");
    }
}

#[tokio::test]
async fn a_session_needs_an_entity_mode_and_a_sender() {
    let (sandbox, caller) = person().await;
    caller.post(SESSIONS, &json!({})).await.fails("NotEmptyValidator");
    caller.post(SESSIONS, &json!({ "entityMode": "DOG" })).await.fails("BadRequestError");
    caller.post(SESSIONS, &json!({ "entityMode": "SENDER" })).await.ok();
    let client = sandbox.client().await;
    client.post(SESSIONS, &json!({ "entityMode": "RECIPIENT" })).await.fails("SenderUndetermined");
}

#[tokio::test]
async fn sessions_expire() {
    let (sandbox, caller) = person().await;
    let id = caller.card_session().await;
    let status = async || {
        let form = sandbox.card_get(&format!("/v2/add-card/{id}/status")).await.ok();
        let session = sandbox.person().await.get(&format!("{SESSIONS}/{id}")).await.ok();
        assert_eq!(form["status"], session["status"]);
        assert_eq!(form["expirationDate"], session["expirationDate"]);
        text(&form, "status")
    };
    sandbox.advance(1_795).await;
    assert_eq!(status().await, "INCOMPLETE");
    sandbox.advance(10).await;
    assert_eq!(status().await, "EXPIRED");
    assert_eq!(sandbox.enter_card(&id, "4111111111111111").await, json!({ "result": "EXPIRED" }));
    assert_eq!(status().await, "EXPIRED");
}

#[tokio::test]
async fn test_cards_have_the_results_of_their_table() {
    let (sandbox, caller) = person().await;
    let cards = sandbox.control_get("triggers").await["testCards"].clone();
    assert!(cards.as_array().unwrap().len() >= 6);
    for card in cards.as_array().unwrap() {
        let id = caller.card_session().await;
        let reply = sandbox.enter_card(&id, &text(card, "number")).await;
        let status = caller.get(&format!("{SESSIONS}/{id}")).await.ok()["status"].clone();
        let (result, expected) = match card["result"].as_str().unwrap() {
            "fail" => ("FAIL", "INCOMPLETE"),
            "expired" => ("EXPIRED", "EXPIRED"),
            _ => ("SUCCESS", "SUCCEEDED"),
        };
        assert_eq!((&reply["result"], &status), (&json!(result), &json!(expected)), "{card}");
        assert_eq!(reply["code"], card["code"]);
        assert!(result != "FAIL" || text(&reply, "message").len() > 10);
    }
}

#[tokio::test]
async fn invalid_card_entries_fail_and_the_session_stays_open() {
    let (sandbox, caller) = person().await;
    let id = caller.card_session().await;
    for (name, value, code) in [
        ("number", json!("4111111111111112"), UNUSABLE),
        ("number", json!(""), UNUSABLE),
        ("expiryMonth", json!(""), "ExpiryDateRequired"),
        ("expiryYear", Value::Null, "ExpiryDateRequired"),
        ("expiryMonth", json!("13"), UNUSABLE),
        ("expiryYear", json!("2020"), UNUSABLE),
        ("expiryYear", json!("20"), UNUSABLE),
        ("name", json!("Ana"), "MinCardholderNames"),
        ("securityCode", json!("12"), UNUSABLE),
    ] {
        let card = merged(card_entry("4111111111111111"), json!({ name: value }));
        let reply = sandbox.verify(&id, &card).await.ok();
        assert_eq!((&reply["result"], &reply["code"]), (&json!("FAIL"), &json!(code)), "{name}");
    }
    let short_year = merged(card_entry("4111111111111111"), json!({ "expiryYear": "45" }));
    let reply = sandbox.verify(&id, &short_year).await.ok();
    assert_eq!(reply["result"], "SUCCESS");
}

#[tokio::test]
async fn unknown_sessions_are_not_found() {
    let (sandbox, caller) = person().await;
    for id in ["4711", UNKNOWN_ID] {
        for reply in [
            caller.get(&format!("{SESSIONS}/{id}")).await,
            sandbox.card_get(&format!("/v2/add-card/{id}/status")).await,
            sandbox.verify(id, &json!({})).await,
        ] {
            reply.fails_with(404, "InvalidCardOnboardingSession");
        }
    }
}

#[tokio::test]
async fn card_numbers_and_names_are_neither_stored_nor_logged() {
    let folder = Folder::new("cards");
    let sandbox = TestSandbox::with(folder.config(1));
    sandbox.person().await.card("4111111111111111").await;
    let mut kept = sandbox.control_get("requests").await.to_string().into_bytes();
    for entry in std::fs::read_dir(folder.file("")).unwrap() {
        kept.extend(std::fs::read(entry.unwrap().path()).unwrap());
    }
    let has = |text: &str| kept.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has("VISA") && has("1111"));
    assert!(!has("4111111111111111") && !has("Ana L"));
}

#[tokio::test]
async fn the_form_has_security_headers() {
    let (sandbox, caller) = person().await;
    let page = format!("/v2/add-card/{}", caller.card_session().await);
    for (path, embedders) in [
        (page.as_str(), "cross-origin"),
        ("/assets/form.js", "same-origin"),
        ("/assets/form.css", "same-origin"),
    ] {
        let reply = sandbox.card_get(path).await;
        assert_eq!(reply.status, 200, "{path}");
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
        assert!(policy.contains("frame-ancestors http://127.0.0.1:* http://localhost:*"));
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", embedders),
        ] {
            assert_eq!(reply.headers[name], value, "{path}");
        }
        assert!(reply.headers.get("access-control-allow-origin").is_none());
    }
    for path in ["/assets/../src/lib.rs", "/v1/corridors"] {
        sandbox.card_get(path).await.fails("NotFound");
    }
}

#[tokio::test]
async fn testers_set_the_behavior_of_the_next_session() {
    let (sandbox, caller) = person().await;
    let open = async |behaviour: &str, query: &str| {
        sandbox.control("card-sessions", json!({ "behaviour": behaviour })).await;
        let id = caller.card_session().await;
        let path = format!("/v2/add-card/{id}{query}");
        let reply = sandbox.send_card(request("GET", &path, &[("host", "127.0.0.1:4101")], "")).await;
        (id, reply)
    };
    let has_script = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("<script");
    let (id, _) = open("expired", "").await;
    let status = sandbox.card_get(&format!("/v2/add-card/{id}/status")).await.ok();
    assert_eq!(status["status"], "EXPIRED");
    let (_, silent) = open("silent", "").await;
    assert!(!has_script(&silent.bytes));
    let (id, moved) = open("wrong-origin", "?lng=es-MX").await;
    let path = format!("/v2/add-card/{id}?lng=es-MX&moved=1");
    assert_eq!(moved.headers["location"].to_str().unwrap(), format!("http://localhost:4101{path}"));
    let other_origin = request("GET", &path, &[("host", "localhost:4101")], "");
    sandbox.allow_violations();
    assert!(has_script(&sandbox.send_card(other_origin).await.bytes), "it is redirected once");
    let (_, unframed) = open("fails-to-load", "").await;
    let policy = unframed.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-ancestors 'none'"));
    // Only the next session.
    let (_, normal) = open("normal", "").await;
    assert!(has_script(&normal.bytes));
    for _ in 0..100 {
        sandbox.control("card-sessions", json!({ "behaviour": "silent" })).await;
    }
    sandbox.control_fails("card-sessions", json!({ "behaviour": "silent" })).await;
}
