//! A service of one's own, as data: the configuration file, and what requests add.

use remitkit_sandbox::{Config, Sandbox};
use serde_json::json;

use super::database::{Folder, run};
use super::harness::*;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../pkg-sandbox/example.json");
const PARAGUAY: To = ("PRY", "PYG", "BANK_ACCOUNT");
const OWN_CARD: &str = "4242424242424242";

fn example() -> Config {
    Config { world: Some(EXAMPLE.into()), ..config() }
}

fn person_fields(ruc: &str) -> serde_json::Value {
    let fields = fields(json!({ "firstName": "Ana", "lastName": "Rojas", "RUC": ruc }));
    merged(corridor(PARAGUAY), json!({ "fields": fields }))
}

#[tokio::test]
async fn a_configured_country_is_quoted_filled_in_and_paid_to() {
    let sandbox = TestSandbox::with(example());
    let caller = sandbox.person().await;
    assert_eq!(caller.quote(PARAGUAY, 10_000).await["receiveAmount"]["currency"]["decimalPlaces"], 0);
    caller.quote(BANK, 10_000).await;

    let path = "/v1/recipient-fields?dstCountryIso3Code=PRY&dstCurrencyIso3Code=PYG\
                &transferMethod=BANK_ACCOUNT&recipientType=PERSON";
    let shown = caller.get(path).await.ok();
    let ruc = &shown["fieldSets"][0]["fields"][2];
    assert_eq!((&ruc["fieldId"], &ruc["regex"]), (&json!("RUC"), &json!("^[0-9]{6,8}-[0-9]$")));
    assert_eq!(shown["fieldSets"][0]["fields"][0]["name"], "First name");

    caller.post("/v1/recipients", &person_fields("12")).await.fails("ValueRegexFailure");
    let recipient =
        text(&caller.post("/v1/recipients", &person_fields("1234567-8")).await.ok(), "recipientId");
    let accounts = format!("/v1/recipients/{recipient}/accounts");
    let account = |values| account_body(PARAGUAY, fields(values));
    for (values, problems) in [
        (
            json!({ "BANK_ID": "PRY-B-3", "BANK_ACCOUNT_TYPE": "CHECKING", "BANK_ACCOUNT_NUMBER": "00000000" }),
            vec![
                ("BANK_ID", "BusinessOrDataValidationError"),
                ("BANK_ACCOUNT_TYPE", "BusinessOrDataValidationError"),
                ("BANK_ACCOUNT_NUMBER", "ValueRegexFailure"),
            ],
        ),
        (
            json!({ "BANK_ID": "PRY-B-1", "BANK_ACCOUNT_TYPE": "SAVINGS", "BANK_ACCOUNT_NUMBER": "12345678" }),
            vec![("SAVINGS_PLAN", "MissingRequiredField")],
        ),
    ] {
        assert_eq!(caller.post(&accounts, &account(values)).await.problems(), problems);
    }
    let values =
        json!({ "BANK_ID": "PRY-B-1", "BANK_ACCOUNT_TYPE": "CURRENT", "BANK_ACCOUNT_NUMBER": "12345678" });
    let made = caller.post(&accounts, &account(values)).await.ok();
    let account = Some(text(&made, "recipientAccountId"));
    let destination = Destination { to: PARAGUAY, recipient, account };
    let transfer = caller.transfer(&destination, 10_000).await.ok();
    assert_eq!(transfer["quote"]["destinationCountry"]["name"], "Paraguay");
    caller.transfer(&destination, 66_600).await.fails("InsufficientFunds");

    let session = caller.card_session().await;
    assert_eq!(sandbox.enter_card(&session, OWN_CARD).await["code"], "CardNotSupported");
}

#[tokio::test]
async fn texts_come_in_the_language_of_the_request() {
    let sandbox = TestSandbox::with(example());
    let token = sandbox.person().await.token.unwrap();
    let path = "/v1/recipient-fields?dstCountryIso3Code=PRY&dstCurrencyIso3Code=PYG\
                &transferMethod=BANK_ACCOUNT&recipientType=PERSON";
    for (language, name) in [("es-PY,en", "Nombre"), ("de", "First name"), ("", "First name")] {
        let authorization = format!("Bearer {token}");
        let headers = [("host", HOST), ("authorization", &authorization), ("accept-language", language)];
        let shown = sandbox.send(request("GET", path, &headers, "")).await.ok();
        assert_eq!(shown["fieldSets"][0]["fields"][0]["name"], name, "{language}");
        assert_eq!(shown["fieldSets"][0]["fields"][2]["name"], "RUC");
    }
}

#[tokio::test]
async fn without_the_built_in_world_only_one_s_own_corridors_are_there() {
    let folder = Folder::new("world-alone");
    let mut world: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(EXAMPLE).unwrap()).unwrap();
    world["keepBuiltIn"] = json!(false);
    std::fs::write(folder.file("world.json"), world.to_string()).unwrap();
    let sandbox = TestSandbox::with(Config { world: Some(folder.file("world.json")), ..config() });
    let corridors = sandbox.control_get("corridors").await;
    assert_eq!(corridors.as_array().unwrap().len(), 2);
    assert_eq!(sandbox.control_get("triggers").await["testCards"].as_array().unwrap().len(), 1);
    let caller = sandbox.person().await;
    caller.quote(PARAGUAY, 100).await;
    caller.quote_by(BANK, "SEND_AMOUNT", "100", "").await.fails("UnsupportedCountry");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_requests_add_follows_resets_snapshots_and_restarts() {
    let folder = Folder::new("world");
    let world: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(EXAMPLE).unwrap()).unwrap();
    let quoted = async |sandbox: &std::sync::Arc<TestSandbox>| {
        let caller = sandbox.person().await;
        caller.quote_by(PARAGUAY, "SEND_AMOUNT", "100", "").await.status == 200
    };
    let recipient = {
        let sandbox = TestSandbox::with(folder.config(1));
        let empty = text(&sandbox.control("snapshots", json!({})).await, "snapshotId");
        let known = sandbox.control("corridors", json!({ "currencies": world["currencies"] })).await;
        let added = sandbox.control("corridors", json!({ "countries": world["countries"] })).await;
        assert_eq!(added.as_array().unwrap().len(), known.as_array().unwrap().len() + 2);
        let card = json!({ "number": OWN_CARD, "result": "expired" });
        assert_eq!(sandbox.control("cards", card.clone()).await.as_array().unwrap().last(), Some(&card));
        assert!(quoted(&sandbox).await);
        let session = sandbox.person().await.card_session().await;
        assert_eq!(sandbox.enter_card(&session, OWN_CARD).await["result"], "EXPIRED");
        let full = text(&sandbox.control("snapshots", json!({})).await, "snapshotId");
        sandbox.control(&format!("snapshots/{empty}/restore"), json!({})).await;
        assert!(!quoted(&sandbox).await);
        sandbox.control(&format!("snapshots/{full}/restore"), json!({})).await;
        assert!(quoted(&sandbox).await);
        sandbox.person().await.post("/v1/recipients", &person_fields("1234567-8")).await.ok()
    };
    let sandbox = TestSandbox::with(folder.config(1));
    assert!(quoted(&sandbox).await);
    let path = format!("/v1/recipients/{}", text(&recipient, "recipientId"));
    assert_eq!(sandbox.person().await.get(&path).await.ok(), recipient);
    sandbox.control("reset", json!({})).await;
    assert!(!quoted(&sandbox).await);
}

#[tokio::test]
async fn additions_that_are_wrong_are_refused_with_a_reason() {
    let sandbox = TestSandbox::new();
    let body = json!({ "countries": [{ "iso3Code": "TST" }] });
    let caller = sandbox.anonymous();
    for (path, body, reason) in [
        ("corridors", body, "countries[0]: missing field `name`"),
        ("corridors", json!({ "country": {} }), "country: unknown field `country`"),
        (
            "cards",
            json!({ "number": "4242", "result": "fail" }),
            "card 4242: number has to be 13 to 19 digits",
        ),
        ("cards", json!({ "number": OWN_CARD, "result": "lost" }), "cards[0].result: unknown variant `lost`"),
    ] {
        let reply = caller.post(&format!("/sandbox/{path}"), &body).await;
        reply.fails("BadRequestError");
        let description = text(&reply.json[0], "description");
        assert!(description.starts_with(reason), "{description}");
    }
}

#[test]
fn a_configuration_that_is_wrong_keeps_the_program_from_starting() {
    let folder = Folder::new("world-wrong");
    let file = folder.file("world.json").into_os_string().into_string().unwrap();
    for (text, reason) in [
        (None, "it could not be read"),
        (Some("{"), "EOF while parsing an object at line 1"),
        (Some("{} x"), "trailing characters at line 1"),
        (Some(r#"{ "patterns": { "P": "[" } }"#), "patterns.P: the sandbox cannot match this pattern"),
    ] {
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let (code, _, errors) = run(&["--port", "0", "--card-port", "0", "--config", &file]);
        assert_eq!(code, Some(1));
        assert!(errors.contains(&format!("the configuration {file}: {reason}")), "{errors}");
    }
    assert!(Sandbox::open(Config { world: Some(file.into()), ..config() }).is_err());
}
