//! Senders.

use serde_json::{Value, json};

use super::harness::*;

const PATH: &str = "/v1/senders";

pub fn field<'a>(record: &'a Value, id: &str) -> &'a Value {
    let fields = record["fields"].as_array().unwrap();
    &fields.iter().find(|field| field["id"] == id).unwrap_or_else(|| panic!("{id}"))["value"]
}

/// Returns the body of a PATCH.
fn patch(values: Value) -> Value {
    json!({ "senderType": "PERSON", "fields": fields(values) })
}

#[tokio::test]
async fn a_sender_is_created_read_updated_and_replaced() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let reply = client.post(PATH, &sender_body()).await;
    assert_eq!(reply.status, 201);
    let sender = reply.json;
    assert_eq!((&sender["firstName"], &sender["senderType"]), (&json!("Rosa"), &json!("PERSON")));
    assert_eq!((&sender["kycStatus"], field(&sender, "ID_NUMBER")), (&json!("PASSED"), &json!("*****6789")));
    let path = format!("{PATH}/{}", text(&sender, "senderId"));
    assert_eq!(client.get(&path).await.ok(), sender);
    client.get("/v1/senders/4711").await.fails("BadRequestError");

    let renamed = patch(json!({ "lastName": "Berg" }));
    let patched = client.patch(&path, &renamed).await.ok();
    assert_eq!((&patched["firstName"], &patched["lastName"]), (&json!("Rosa"), &json!("Berg")));
    assert_eq!(field(&patched, "ADDRESS_CITY"), "Tampa");

    let incomplete = client.put(&path, &renamed).await;
    assert!(incomplete.status == 400 && incomplete.codes().contains(&"InvalidSenderName"));
    let whole = with_fields(sender_body(), json!({ "ID_TYPE": null, "ID_NUMBER": null }));
    let replaced = client.put(&path, &whole).await.ok();
    assert_eq!(replaced["lastName"], "Lund");
    assert!(!replaced["fields"].as_array().unwrap().iter().any(|field| field["id"] == "ID_TYPE"));
}

#[tokio::test]
async fn names_have_an_alias() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let body = with_fields(sender_body(), json!({ "firstName": null, "FIRST_NAME": "Inés" }));
    assert_eq!(client.post(PATH, &body).await.ok()["firstName"], "Inés");
    let both = with_fields(body, json!({ "LAST_NAME": "Berg" }));
    client.post(PATH, &both).await.fails("BadRequestError");
}

#[tokio::test]
async fn all_problems_of_a_sender_are_reported_without_values() {
    let sandbox = TestSandbox::new();
    let values = json!({
        "lastName": null, "ADDRESS_CITY": "", "ADDRESS_LINE_1": null, "ADDRESS_ZIP": "ABC",
        "ID_NUMBER": "12345678", "FAVOURITE_COLOUR": "green",
    });
    let reply = sandbox.client().await.post(PATH, &with_fields(sender_body(), values)).await;
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
    let passport = json!({ "ID_TYPE": "PASSPORT", "ID_NUMBER": "X1234567", "ID_ISSUING_COUNTRY": "MEX" });
    let mut cases = vec![
        (json!({ "DATE_OF_BIRTH": "2025-01-01" }), "SenderInvalidDateOfBirthUnder18"),
        (json!({ "DATE_OF_BIRTH": "1990-02-30" }), "BadRequestError"),
        (json!({ "DATE_OF_BIRTH": "28.02.1990" }), "BadRequestError"),
        (json!({ "DATE_OF_BIRTH": "1850-01-01" }), "ValueRegexFailure"),
        (json!({ "ID_TYPE": "TIN" }), "InvalidTypeOfId"),
        (json!({ "ID_NUMBER": null }), "MissingRequiredField"),
        (passport, "MissingRequiredField"),
    ];
    for number in ["12345678A", "ABCDEFGHI", "12345678é", "1234567890", "123-45-67"] {
        cases.push((json!({ "ID_NUMBER": number }), "SenderInvalidTypeOfIdLength"));
    }
    let form = client.get("/v1/sender-fields?senderType=PERSON").await.ok();
    let fields = form["fieldSets"][0]["fields"].as_array().unwrap();
    let birth = fields.iter().find(|field| field["fieldId"] == "DATE_OF_BIRTH").unwrap();
    // The eighteenth birthday is old enough.
    let eighteen = json!({ "DATE_OF_BIRTH": birth["maxValue"] });
    client.post(PATH, &with_fields(sender_body(), eighteen)).await.ok();
    for (values, code) in cases {
        let reply = client.post(PATH, &with_fields(sender_body(), values.clone())).await;
        assert_eq!(reply.codes(), [code], "{values}");
    }
}

#[tokio::test]
async fn businesses_have_fields_of_their_own() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let body = merged(sender_body(), json!({ "senderType": "BUSINESS" }));
    let body = with_fields(
        body,
        json!({
            "firstName": null, "lastName": null, "DATE_OF_BIRTH": null, "companyName": "Lund & Daughters",
        }),
    );
    client.post(PATH, &body).await.fails("InvalidTypeOfId");
    let of_size = |employees: &str, years: &str| {
        let values = json!({ "ID_TYPE": "TIN", "EMPLOYEE_COUNT": employees, "YEARS_IN_BUSINESS": years });
        with_fields(body.clone(), values)
    };
    let reply = client.post(PATH, &of_size("51", "1")).await;
    let missing = ["GUARANTOR_NAME", "REGISTRATION_NUMBER"].map(|id| (id, "MissingRequiredField"));
    assert_eq!(reply.problems(), missing);
    let sender = client.post(PATH, &of_size("50", "2")).await.ok();
    assert_eq!(sender["companyName"], "Lund & Daughters");
    assert!(sender.get("firstName").is_none());
}

#[tokio::test]
async fn a_patch_is_checked_for_what_it_changes() {
    let sandbox = TestSandbox::new();
    let now = text(&sandbox.control_get("clock").await, "now");
    let year: i32 = now.split('-').next().unwrap().parse().unwrap();
    let values = json!({
        "ID_TYPE": "DRIVERS_LICENSE", "ID_NUMBER": "D1234567",
        "ID_EXPIRATION_DATE": format!("{}-06-01", year + 1),
    });
    let sender = sandbox.client().await.post(PATH, &with_fields(sender_body(), values)).await.ok();
    let path = format!("{PATH}/{}", text(&sender, "senderId"));
    sandbox.advance(2 * 366 * 86_400).await;
    let client = sandbox.client().await;
    // The license has expired, which is irrelevant to a new name.
    let renamed = client.patch(&path, &patch(json!({ "lastName": "Berg" }))).await.ok();
    assert_eq!(renamed["lastName"], "Berg");
    client.patch(&path, &patch(json!({}))).await.ok();
    let expired = format!("{}-06-02", year + 1);
    for (values, problem) in [
        (json!({ "ID_EXPIRATION_DATE": expired }), ("ID_EXPIRATION_DATE", "ValueRegexFailure")),
        // The consequences of a change count.
        (json!({ "ID_TYPE": "PASSPORT" }), ("ID_ISSUING_COUNTRY", "MissingRequiredField")),
        (json!({ "ID_NUMBER": null }), ("ID_NUMBER", "MissingRequiredField")),
        (json!({ "ID_TYPE": "SSN" }), ("ID_NUMBER", "SenderInvalidTypeOfIdLength")),
        (json!({ "SHOE_SIZE": "44" }), ("SHOE_SIZE", "BadRequestError")),
    ] {
        assert_eq!(client.patch(&path, &patch(values)).await.problems(), [problem]);
    }
}

#[tokio::test]
async fn only_an_explicit_null_removes_a_field() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let values = json!({ "MIDDLE_NAME": "Eva" });
    let sender = client.post(PATH, &with_fields(sender_body(), values)).await.ok();
    let path = format!("{PATH}/{}", text(&sender, "senderId"));
    let change = |field: Value| json!({ "senderType": "PERSON", "fields": [field] });
    let without_value = change(json!({ "id": "MIDDLE_NAME" }));
    assert_eq!(client.patch(&path, &without_value).await.problems(), [("MIDDLE_NAME", "BadRequestError")]);
    assert_eq!(client.get(&path).await.ok()["fields"], sender["fields"]);
    let removed = client.patch(&path, &change(json!({ "id": "MIDDLE_NAME", "value": null }))).await.ok();
    assert_eq!(removed["fields"], client.get(&path).await.ok()["fields"]);
    assert!(!removed["fields"].to_string().contains("MIDDLE_NAME"));
}

#[tokio::test]
async fn group_and_type_are_kept_on_update() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let with_group = |body: Value, group: Value| merged(body, json!({ "senderGroupId": group }));
    let sender = client.post(PATH, &with_group(sender_body(), json!(""))).await.ok();
    let path = format!("{PATH}/{}", text(&sender, "senderId"));
    let other = json!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a002");
    assert_ne!(sender["senderGroupId"], other);
    for group in [other.clone(), Value::Null, json!("")] {
        let patched = client.patch(&path, &with_group(patch(json!({})), group)).await.ok();
        assert_eq!(patched["senderGroupId"], other);
    }
    let first = sender["senderGroupId"].clone();
    let replaced = client.put(&path, &with_group(sender_body(), first.clone())).await.ok();
    assert_eq!(replaced["senderGroupId"], first);
    for change in [json!({ "senderGroupId": UNKNOWN_ID }), json!({ "senderType": "BUSINESS" })] {
        client.patch(&path, &merged(patch(json!({})), change)).await.fails("SenderNotUpdated");
    }
    client.patch(&path, &json!({})).await.fails("NotEmptyValidator");
}
