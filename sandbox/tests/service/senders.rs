//! Senders.

use serde_json::{Value, json};

use super::harness::{TestSandbox, UNKNOWN_ID, fields, merged, sender_body, set_field, text, with_fields};

pub fn field<'a>(record: &'a Value, id: &str) -> &'a Value {
    let fields = record["fields"].as_array().unwrap();
    &fields.iter().find(|field| field["id"] == id).unwrap_or_else(|| panic!("{id}"))["value"]
}

#[tokio::test]
async fn a_sender_is_created_read_updated_and_replaced() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let reply = client.post("/v1/senders", &sender_body()).await;
    assert_eq!(reply.status, 201);
    let sender = reply.json;
    assert_eq!((&sender["firstName"], &sender["senderType"]), (&json!("Rosa"), &json!("PERSON")));
    assert_eq!((&sender["kycStatus"], field(&sender, "ID_NUMBER")), (&json!("PASSED"), &json!("*****6789")));
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    assert_eq!(client.get(&path).await.ok(), sender);
    client.get("/v1/senders/4711").await.fails("BadRequestError");

    let patch = json!({ "senderType": "PERSON", "fields": fields([("lastName", json!("Berg"))]) });
    let patched = client.patch(&path, &patch).await.ok();
    assert_eq!((&patched["firstName"], &patched["lastName"]), (&json!("Rosa"), &json!("Berg")));
    assert_eq!(field(&patched, "ADDRESS_CITY"), "Tampa");

    let incomplete = client.put(&path, &patch).await;
    assert!(incomplete.status == 400 && incomplete.codes().contains(&"InvalidSenderName"));
    let whole = with_fields(sender_body(), &[("ID_TYPE", Value::Null), ("ID_NUMBER", Value::Null)]);
    let replaced = client.put(&path, &whole).await.ok();
    assert_eq!(replaced["lastName"], "Lund");
    assert!(!replaced["fields"].as_array().unwrap().iter().any(|field| field["id"] == "ID_TYPE"));
}

#[tokio::test]
async fn names_have_an_alias() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let mut body = with_fields(sender_body(), &[("firstName", Value::Null), ("FIRST_NAME", json!("Inés"))]);
    assert_eq!(client.post("/v1/senders", &body).await.ok()["firstName"], "Inés");
    set_field(&mut body, "LAST_NAME", json!("Berg"));
    client.post("/v1/senders", &body).await.fails("BadRequestError");
}

#[tokio::test]
async fn all_problems_of_a_sender_are_reported_without_values() {
    let sandbox = TestSandbox::new();
    let body = with_fields(
        sender_body(),
        &[
            ("lastName", Value::Null),
            ("ADDRESS_CITY", json!("")),
            ("ADDRESS_LINE_1", Value::Null),
            ("ADDRESS_ZIP", json!("ABC")),
            ("ID_NUMBER", json!("12345678")),
            ("FAVOURITE_COLOUR", json!("green")),
        ],
    );
    let reply = sandbox.client().await.post("/v1/senders", &body).await;
    let mut problems = reply.problems();
    problems.sort_unstable();
    assert_eq!(
        problems,
        [
            ("ADDRESS_CITY", "NotEmptyValidator"),
            ("ADDRESS_LINE_1", "MissingRequiredField"),
            ("ADDRESS_ZIP", "ValueRegexFailure"),
            ("FAVOURITE_COLOUR", "BadRequestError"),
            ("ID_NUMBER", "SenderInvalidTypeOfIdLength"),
            ("lastName", "InvalidSenderName"),
        ]
    );
    assert!(!reply.json.to_string().contains("12345678"));
}

#[tokio::test]
async fn invalid_fields_of_a_sender_are_rejected() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let mut cases = vec![
        (vec![("DATE_OF_BIRTH", json!("2025-01-01"))], "SenderInvalidDateOfBirthUnder18"),
        (vec![("DATE_OF_BIRTH", json!("1990-02-30"))], "BadRequestError"),
        (vec![("DATE_OF_BIRTH", json!("28.02.1990"))], "BadRequestError"),
        (vec![("DATE_OF_BIRTH", json!("1850-01-01"))], "ValueRegexFailure"),
        (vec![("ID_TYPE", json!("TIN"))], "InvalidTypeOfId"),
        (vec![("ID_NUMBER", Value::Null)], "MissingRequiredField"),
    ];
    for number in ["12345678A", "ABCDEFGHI", "12345678é", "1234567890", "123-45-67"] {
        cases.push((vec![("ID_NUMBER", json!(number))], "SenderInvalidTypeOfIdLength"));
    }
    let passport = [("ID_TYPE", json!("PASSPORT")), ("ID_NUMBER", json!("X1234567"))];
    cases.push(([&passport[..], &[("ID_ISSUING_COUNTRY", json!("MEX"))]].concat(), "MissingRequiredField"));
    for (values, code) in cases {
        let reply = client.post("/v1/senders", &with_fields(sender_body(), &values)).await;
        assert_eq!(reply.codes(), [code], "{values:?}");
    }
}

#[tokio::test]
async fn businesses_have_fields_of_their_own() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let body = merged(sender_body(), json!({ "senderType": "BUSINESS" }));
    let nulls = ["firstName", "lastName", "DATE_OF_BIRTH"].map(|id| (id, Value::Null));
    let mut body = with_fields(with_fields(body, &nulls), &[("companyName", json!("Lund & Daughters"))]);
    client.post("/v1/senders", &body).await.fails("InvalidTypeOfId");
    set_field(&mut body, "ID_TYPE", json!("TIN"));
    set_field(&mut body, "EMPLOYEE_COUNT", json!("51"));
    set_field(&mut body, "YEARS_IN_BUSINESS", json!("1"));
    let reply = client.post("/v1/senders", &body).await;
    let missing = ["GUARANTOR_NAME", "REGISTRATION_NUMBER"].map(|id| (id, "MissingRequiredField"));
    assert_eq!(reply.problems(), missing);
    set_field(&mut body, "EMPLOYEE_COUNT", json!("50"));
    set_field(&mut body, "YEARS_IN_BUSINESS", json!("2"));
    let sender = client.post("/v1/senders", &body).await.ok();
    assert_eq!(sender["companyName"], "Lund & Daughters");
    assert!(sender.get("firstName").is_none());
}

#[tokio::test]
async fn a_patch_is_checked_for_what_it_changes() {
    let sandbox = TestSandbox::new();
    let now = text(&sandbox.control_get("clock").await, "now");
    let year: i32 = now.split('-').next().unwrap().parse().unwrap();
    let body = with_fields(
        sender_body(),
        &[
            ("ID_TYPE", json!("DRIVERS_LICENSE")),
            ("ID_NUMBER", json!("D1234567")),
            ("ID_EXPIRATION_DATE", json!(format!("{}-06-01", year + 1))),
        ],
    );
    let sender = sandbox.client().await.post("/v1/senders", &body).await.ok();
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    sandbox.advance(2 * 366 * 86_400).await;
    let client = sandbox.client().await;
    let patch = async |values: &[(&str, Value)]| {
        let body = json!({ "senderType": "PERSON", "fields": fields(values.iter().cloned()) });
        client.patch(&path, &body).await
    };
    // The licence has expired, which is irrelevant to a new name.
    assert_eq!(patch(&[("lastName", json!("Berg"))]).await.ok()["lastName"], "Berg");
    patch(&[]).await.ok();
    let expired = json!(format!("{}-06-02", year + 1));
    for (id, value, problem) in [
        ("ID_EXPIRATION_DATE", expired, ("ID_EXPIRATION_DATE", "ValueRegexFailure")),
        // The consequences of a change count.
        ("ID_TYPE", json!("PASSPORT"), ("ID_ISSUING_COUNTRY", "MissingRequiredField")),
        ("ID_NUMBER", Value::Null, ("ID_NUMBER", "MissingRequiredField")),
        ("ID_TYPE", json!("SSN"), ("ID_NUMBER", "SenderInvalidTypeOfIdLength")),
        ("SHOE_SIZE", json!("44"), ("SHOE_SIZE", "BadRequestError")),
    ] {
        assert_eq!(patch(&[(id, value)]).await.problems(), [problem]);
    }
}

#[tokio::test]
async fn group_and_type_are_kept_on_update() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let with_group = |body: Value, group: Value| merged(body, json!({ "senderGroupId": group }));
    let sender = client.post("/v1/senders", &with_group(sender_body(), json!(""))).await.ok();
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    let patch = json!({ "senderType": "PERSON", "fields": [] });
    let other = json!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a002");
    assert_ne!(sender["senderGroupId"], other);
    for group in [other.clone(), Value::Null, json!("")] {
        let patched = client.patch(&path, &with_group(patch.clone(), group)).await.ok();
        assert_eq!(patched["senderGroupId"], other);
    }
    let first = sender["senderGroupId"].clone();
    let replaced = client.put(&path, &with_group(sender_body(), first.clone())).await.ok();
    assert_eq!(replaced["senderGroupId"], first);
    client.patch(&path, &with_group(patch.clone(), json!(UNKNOWN_ID))).await.fails("SenderNotUpdated");
    let business = merged(patch, json!({ "senderType": "BUSINESS" }));
    client.patch(&path, &business).await.fails("SenderNotUpdated");
    client.patch(&path, &json!({})).await.fails("NotEmptyValidator");
}
