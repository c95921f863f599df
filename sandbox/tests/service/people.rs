//! Senders, recipients and their accounts.

use serde_json::{Value, json};

use super::bench::{
    BANK, Bench, CARD, CASH, Reply, account_body, person, recipient_body, sender_body, set_field, text,
};

fn field<'a>(record: &'a Value, id: &str) -> &'a Value {
    let fields = record["fields"].as_array().unwrap();
    &fields.iter().find(|field| field["id"] == id).unwrap_or_else(|| panic!("{id}"))["value"]
}

#[tokio::test]
async fn a_sender_is_made_read_changed_and_replaced() {
    let bench = Bench::new();
    let client = bench.client().await;
    let reply = client.post("/v1/senders", &sender_body()).await;
    assert_eq!(reply.status, 201);
    let sender = reply.json;
    assert_eq!((&sender["firstName"], &sender["senderType"]), (&json!("Rosa"), &json!("PERSON")));
    assert_eq!(sender["kycStatus"], "PASSED");
    assert_eq!(field(&sender, "ID_NUMBER"), "*****6789");
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    assert_eq!(client.get(&path).await.ok(), sender);

    let patch = json!({ "senderType": "PERSON", "fields": [{ "id": "lastName", "value": "Berg" }] });
    let patched = client.call("PATCH", &path, Some(&patch)).await.ok();
    assert_eq!((&patched["firstName"], &patched["lastName"]), (&json!("Rosa"), &json!("Berg")));
    assert_eq!(field(&patched, "ADDRESS_CITY"), "Tampa");

    let reply = client.call("PUT", &path, Some(&patch)).await;
    assert_eq!(reply.status, 400, "a PUT needs everything");
    assert!(reply.codes().contains(&"InvalidSenderName"));
    let mut whole = sender_body();
    set_field(&mut whole, "ID_TYPE", Value::Null);
    set_field(&mut whole, "ID_NUMBER", Value::Null);
    let replaced = client.call("PUT", &path, Some(&whole)).await.ok();
    assert_eq!(replaced["lastName"], "Lund");
    assert!(!replaced["fields"].as_array().unwrap().iter().any(|field| field["id"] == "ID_TYPE"));
}

#[tokio::test]
async fn names_come_under_both_of_their_identifiers() {
    let bench = Bench::new();
    let client = bench.client().await;
    let mut body = sender_body();
    set_field(&mut body, "firstName", Value::Null);
    set_field(&mut body, "FIRST_NAME", json!("Inés"));
    assert_eq!(client.post("/v1/senders", &body).await.ok()["firstName"], "Inés");
    set_field(&mut body, "lastName", json!("Lund"));
    body["fields"].as_array_mut().unwrap().push(json!({ "id": "LAST_NAME", "value": "Berg" }));
    client.post("/v1/senders", &body).await.fails(400, "BadRequestError");
}

#[tokio::test]
async fn a_sender_s_data_is_checked_all_at_once() {
    let bench = Bench::new();
    let client = bench.client().await;
    let mut body = sender_body();
    set_field(&mut body, "lastName", Value::Null);
    set_field(&mut body, "ADDRESS_CITY", json!(""));
    set_field(&mut body, "ADDRESS_LINE_1", Value::Null);
    set_field(&mut body, "ADDRESS_ZIP", json!("ABC"));
    set_field(&mut body, "ID_NUMBER", json!("12345678"));
    set_field(&mut body, "FAVOURITE_COLOUR", json!("green"));
    let reply = client.post("/v1/senders", &body).await;
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
    assert!(!reply.json.to_string().contains("12345678"), "an error repeats what was entered");
    for wrong in ["12345678A", "ABCDEFGHI", "12345678é", "1234567890", "123-45-67"] {
        let mut body = sender_body();
        set_field(&mut body, "ID_NUMBER", json!(wrong));
        let reply = client.post("/v1/senders", &body).await;
        assert_eq!(reply.problems(), [("ID_NUMBER", "SenderInvalidTypeOfIdLength")], "{wrong}");
    }
}

#[tokio::test]
async fn dates_are_days_and_senders_grown_up() {
    let bench = Bench::new();
    let client = bench.client().await;
    for (date, code) in [
        ("2025-01-01", "SenderInvalidDateOfBirthUnder18"),
        ("1990-02-30", "BadRequestError"),
        ("28.02.1990", "BadRequestError"),
        ("1850-01-01", "ValueRegexFailure"),
    ] {
        let mut body = sender_body();
        set_field(&mut body, "DATE_OF_BIRTH", json!(date));
        client.post("/v1/senders", &body).await.fails(400, code);
    }
}

#[tokio::test]
async fn identification_goes_with_its_type() {
    let bench = Bench::new();
    let client = bench.client().await;
    let with = |kind: &str, number: Value, more: &[(&str, &str)]| {
        let mut body = sender_body();
        set_field(&mut body, "ID_TYPE", json!(kind));
        set_field(&mut body, "ID_NUMBER", number);
        for (id, value) in more {
            set_field(&mut body, id, json!(value));
        }
        body
    };
    let post = |body: Value| async {
        let body = body;
        let reply = client.post("/v1/senders", &body).await;
        (reply.status.as_u16(), reply.code().to_owned())
    };
    let fails = |code: &str| (400, code.to_owned());
    assert_eq!(post(with("TIN", json!("123456789"), &[])).await, fails("InvalidTypeOfId"));
    assert_eq!(post(with("SSN", Value::Null, &[])).await, fails("MissingRequiredField"));
    let passport = ("ID_ISSUING_COUNTRY", "MEX");
    let lacks = with("PASSPORT", json!("X1234567"), &[passport]);
    assert_eq!(post(lacks).await, fails("MissingRequiredField"));
    let full = [passport, ("ID_EXPIRATION_DATE", "2044-01-01")];
    assert_eq!(post(with("PASSPORT", json!("X1234567"), &full)).await.0, 201);
}

#[tokio::test]
async fn businesses_have_their_own_fields() {
    let bench = Bench::new();
    let client = bench.client().await;
    let mut body = sender_body();
    body["senderType"] = json!("BUSINESS");
    for id in ["firstName", "lastName", "DATE_OF_BIRTH"] {
        set_field(&mut body, id, Value::Null);
    }
    set_field(&mut body, "companyName", json!("Lund & Daughters"));
    client.post("/v1/senders", &body).await.fails(400, "InvalidTypeOfId");
    set_field(&mut body, "ID_TYPE", json!("TIN"));
    set_field(&mut body, "EMPLOYEE_COUNT", json!("51"));
    let reply = client.post("/v1/senders", &body).await;
    assert_eq!(reply.problems(), [("REGISTRATION_NUMBER", "MissingRequiredField")]);
    set_field(&mut body, "EMPLOYEE_COUNT", json!("50"));
    let sender = client.post("/v1/senders", &body).await.ok();
    assert_eq!(sender["companyName"], "Lund & Daughters");
    assert!(sender.get("firstName").is_none());
}

#[tokio::test]
async fn a_patch_is_judged_by_what_it_changes() {
    let bench = Bench::new();
    let now = text(&bench.look("clock").await, "now");
    let year: i32 = now.split('-').next().unwrap().parse().unwrap();
    let mut body = sender_body();
    set_field(&mut body, "ID_TYPE", json!("DRIVERS_LICENSE"));
    set_field(&mut body, "ID_NUMBER", json!("D1234567"));
    set_field(&mut body, "ID_EXPIRATION_DATE", json!(format!("{}-06-01", year + 1)));
    let sender = bench.client().await.post("/v1/senders", &body).await.ok();
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    bench.advance(2 * 366 * 86_400).await;
    let client = bench.client().await;
    let patch = async |fields: Value| {
        let body = json!({ "senderType": "PERSON", "fields": fields });
        client.call("PATCH", &path, Some(&body)).await
    };
    // What has run out meanwhile is no matter of a new name.
    let renamed = patch(json!([{ "id": "lastName", "value": "Berg" }])).await.ok();
    assert_eq!(renamed["lastName"], "Berg");
    patch(json!([])).await.ok();
    let past = json!([{ "id": "ID_EXPIRATION_DATE", "value": format!("{}-06-02", year + 1) }]);
    assert_eq!(patch(past).await.problems(), [("ID_EXPIRATION_DATE", "ValueRegexFailure")]);
    // What a change makes of the rest is.
    let passport = patch(json!([{ "id": "ID_TYPE", "value": "PASSPORT" }])).await;
    assert_eq!(passport.problems(), [("ID_ISSUING_COUNTRY", "MissingRequiredField")]);
    let gone = patch(json!([{ "id": "ID_NUMBER", "value": null }])).await;
    assert_eq!(gone.problems(), [("ID_NUMBER", "MissingRequiredField")]);
    let short = patch(json!([{ "id": "ID_TYPE", "value": "SSN" }])).await;
    assert_eq!(short.problems(), [("ID_NUMBER", "SenderInvalidTypeOfIdLength")]);
    let unknown = patch(json!([{ "id": "SHOE_SIZE", "value": "44" }])).await;
    assert_eq!(unknown.problems(), [("SHOE_SIZE", "BadRequestError")]);
}

#[tokio::test]
async fn why_a_sender_was_not_written_stands_in_the_message() {
    let bench = Bench::new();
    let client = bench.client().await;
    let sender = client.post("/v1/senders", &sender_body()).await.ok();
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    let message = |reply: Reply| text(&reply.json[0], "message");
    let mut body = sender_body();
    body["senderGroupId"] = json!("00000000-0000-4000-8000-000000000000");
    let why = "there is no sender group with this id.";
    let created = message(client.post("/v1/senders", &body).await);
    assert_eq!(created, format!("The sender could not be registered: {why}"));
    let updated = message(client.call("PUT", &path, Some(&body)).await);
    assert_eq!(updated, format!("The sender's details could not be changed: {why}"));
    let named =
        json!({ "senderType": "PERSON", "fields": [{ "id": "lastName", "value": "SenderNotUpdated" }] });
    let named = message(client.call("PATCH", &path, Some(&named)).await);
    assert!(named.starts_with("The sender's details could not be changed: this name"), "{named}");
}

#[tokio::test]
async fn sender_groups_and_types_are_kept_on_update() {
    let bench = Bench::new();
    let client = bench.client().await;
    let nobody = "00000000-0000-4000-8000-000000000000";
    let mut body = sender_body();
    body["senderGroupId"] = json!(nobody);
    client.post("/v1/senders", &body).await.fails(400, "SenderNotCreated");
    body["senderGroupId"] = json!("");
    let sender = client.post("/v1/senders", &body).await.ok();
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    let mut patch = json!({ "senderType": "PERSON", "fields": [], "senderGroupId": nobody });
    client.call("PATCH", &path, Some(&patch)).await.fails(400, "SenderNotUpdated");
    patch["senderGroupId"] = Value::Null;
    let kept = client.call("PATCH", &path, Some(&patch)).await.ok();
    assert_eq!(kept["senderGroupId"], sender["senderGroupId"]);
    patch["senderType"] = json!("BUSINESS");
    client.call("PATCH", &path, Some(&patch)).await.fails(400, "SenderNotUpdated");
    client.call("PATCH", &path, Some(&json!({}))).await.fails(400, "NotEmptyValidator");
    client.get("/v1/senders/4711").await.fails(400, "BadRequestError");
}

#[tokio::test]
async fn a_recipient_is_made_read_listed_replaced_and_deleted() {
    let (bench, person) = person().await;
    let reply = person.post("/v1/recipients", &recipient_body(CARD)).await;
    assert_eq!(reply.status, 201);
    let recipient = reply.json;
    assert_eq!(recipient["recipientType"], "PERSON");
    assert_eq!(recipient["lastName"], "López");
    assert_eq!(recipient["senderId"], json!(bench.sandbox.sender_id()));
    let path = format!("/v1/recipients/{}", text(&recipient, "recipientId"));
    assert_eq!(person.get(&path).await.ok(), recipient);
    assert_eq!(person.get("/v1/recipients").await.ok()["recipients"], json!([recipient]));

    let mut body = recipient_body(CARD);
    set_field(&mut body, "lastName", json!("García"));
    assert_eq!(person.call("PUT", &path, Some(&body)).await.ok()["lastName"], "García");
    bench.foreign().await.get(&path).await.fails(404, "RecipientNotFound");
    let business = bench.sender(&bench.known("business").await).await;
    business.get(&path).await.fails(404, "RecipientNotFound");
    assert_eq!(bench.client().await.get(&path).await.status, 200);

    person.call("DELETE", &path, None).await.ok();
    person.get(&path).await.fails(404, "RecipientNotFound");
    assert_eq!(person.get("/v1/recipients").await.ok()["recipients"], json!([]));
    person.get("/v1/recipients/4711").await.fails(400, "InvalidRecipientId");
}

#[tokio::test]
async fn a_recipient_s_data_is_checked_for_its_corridor() {
    let (_, person) = person().await;
    let mut body = recipient_body(CASH);
    set_field(&mut body, "PHONE_NUMBER", Value::Null);
    let reply = person.post("/v1/recipients", &body).await;
    assert_eq!(reply.problems(), [("PHONE_NUMBER", "MissingRequiredField")]);
    for phone in [
        json!("3312345678"),
        json!({ "number": "33-12", "countryIso3Code": "MEX" }),
        json!({ "number": "3312345678", "countryIso3Code": "mex" }),
        json!({ "number": "3312345678", "countryIso3Code": "MEX", "countryPhoneCode": "1" }),
        json!(3312345678_u64),
    ] {
        set_field(&mut body, "PHONE_NUMBER", phone);
        person.post("/v1/recipients", &body).await.fails(400, "RecipientInvalidPhoneNumber");
    }
    set_field(&mut body, "PHONE_NUMBER", json!("+523312345678"));
    person.post("/v1/recipients", &body).await.ok();

    let mut body = recipient_body(BANK);
    set_field(&mut body, "ADDRESS_STATE", json!("MEX-1"));
    let reply = person.post("/v1/recipients", &body).await;
    assert_eq!(reply.problems(), [("ADDRESS_CITY", "MissingRequiredField")]);
    set_field(&mut body, "ADDRESS_CITY", json!("MEX-2-1"));
    let reply = person.post("/v1/recipients", &body).await;
    assert_eq!(reply.problems(), [("ADDRESS_CITY", "BusinessOrDataValidationError")]);
    set_field(&mut body, "ADDRESS_CITY", json!("MEX-1-2"));
    person.post("/v1/recipients", &body).await.ok();

    let names = json!({ "userType": "PERSON", "fields": [
        { "id": "firstName", "value": "Ana" }, { "id": "lastName", "value": "  " },
    ]});
    person.post("/v1/recipients", &names).await.fails(400, "InvalidRecipientName");
    let business = json!({ "userType": "BUSINESS", "fields": [] });
    person.post("/v1/recipients", &business).await.fails(400, "InvalidRecipientName");
    let identified = json!({ "userType": "PERSON", "fields": [
        { "id": "firstName", "value": "Ana" }, { "id": "lastName", "value": "López" },
        { "id": "ID_TYPE", "value": "SSN" }, { "id": "ID_NUMBER", "value": "1234567890" },
    ]});
    person.post("/v1/recipients", &identified).await.fails(400, "RecipientInvalidTypeOfIdLength");
}

#[tokio::test]
async fn a_recipient_without_a_type_is_a_person_and_without_a_method_paid_by_bank() {
    let (_, person) = person().await;
    let mut body = recipient_body(BANK);
    body.as_object_mut().unwrap().remove("transferMethod");
    person.post("/v1/recipients", &body).await.ok();
    body["transferMethod"] = json!("PIGEON");
    person.post("/v1/recipients", &body).await.fails(400, "BadRequestError");
    body["transferMethod"] = json!("BANK_ACCOUNT");
    body.as_object_mut().unwrap().remove("userType");
    let recipient = person.post("/v1/recipients", &body).await.ok();
    assert_eq!(recipient["recipientType"], "PERSON");
    person.post("/v1/recipients", &json!({})).await.fails(400, "InvalidRecipientName");
    for (wrong, code) in [("person", "BadRequestError"), ("", "NotEmptyValidator")] {
        body["userType"] = json!(wrong);
        let reply = person.post("/v1/recipients", &body).await;
        assert_eq!(reply.problems(), [("userType", code)], "{wrong}");
    }
    // As a record has it, which the document doesn't know in a request.
    person.bench.strays();
    body["userType"] = json!("PERSON");
    body["recipientType"] = json!("BUSINESS");
    assert_eq!(person.post("/v1/recipients", &body).await.ok()["recipientType"], "PERSON");
    body.as_object_mut().unwrap().remove("userType");
    body["fields"] = json!([]);
    person.post("/v1/recipients", &body).await.fails(400, "InvalidRecipientName");
}

#[tokio::test]
async fn an_account_is_made_read_listed_replaced_and_deleted() {
    let (_, person) = person().await;
    let recipient = person.recipient(BANK).await;
    let accounts = format!("/v1/recipients/{recipient}/accounts");
    let fields = json!([
        { "id": "BANK_ID", "value": "MEX-B-2" },
        { "id": "BANK_ACCOUNT_NUMBER", "value": "012345678901234567" },
    ]);
    let reply = person.post(&accounts, &account_body(BANK, fields)).await;
    assert_eq!(reply.status, 201);
    let account = reply.json;
    assert_eq!(field(&account, "BANK_ACCOUNT_NUMBER"), "**************4567");
    assert_eq!(account["accountNumber"], "**************4567");
    let path = format!("{accounts}/{}", text(&account, "recipientAccountId"));
    assert_eq!(person.get(&path).await.ok(), account);
    assert_eq!(person.get(&accounts).await.ok()["accounts"], json!([account]));

    // The number may stand beside the fields, and the corridor be that of the recipient.
    let short = json!({
        "accountNumber": "765432109876543210",
        "fields": [{ "id": "BANK_ID", "value": "MEX-B-1" }],
    });
    let replaced = person.call("PUT", &path, Some(&short)).await.ok();
    assert_eq!(replaced["accountNumber"], "**************3210");
    assert_eq!(replaced["recipientAccountId"], account["recipientAccountId"]);
    person.call("DELETE", &path, None).await.ok();
    person.get(&path).await.fails(404, "RecipientAccountNotFound");
    let wrong = format!("{accounts}/4711");
    person.get(&wrong).await.fails(400, "InvalidRecipientAccountId");
}

#[tokio::test]
async fn an_account_s_data_is_checked_for_its_corridor() {
    let (bench, person) = person().await;
    let recipient = person.recipient(BANK).await;
    let accounts = format!("/v1/recipients/{recipient}/accounts");
    let post = |to, fields: Value| {
        let body = account_body(to, fields);
        let (person, accounts) = (person.clone(), accounts.clone());
        async move { person.post(&accounts, &body).await }
    };
    let reply = post(BANK, json!([])).await;
    assert_eq!(
        reply.problems(),
        [("BANK_ID", "MissingRequiredField"), ("BANK_ACCOUNT_NUMBER", "MissingRequiredField")]
    );
    post(CARD, json!([])).await.fails(400, "MissingRequiredField");
    let unknown = json!([{ "id": "CARD_ID", "value": "12345" }]);
    post(CARD, unknown).await.fails(400, "CardProvidedCannotBeUsedForThisTransaction");
    post(CASH, json!([])).await.fails(400, "BusinessOrDataValidationError");
    post(("GBR", "USD", "BANK_ACCOUNT"), json!([])).await.fails(404, "CC404");

    // A card that another sender entered is none.
    let theirs = bench.sender(&bench.known("business").await).await.card("4111111111111111").await;
    let fields = json!([{ "id": "CARD_ID", "value": theirs }]);
    post(CARD, fields).await.fails(400, "CardProvidedCannotBeUsedForThisTransaction");
    let dollars = person.card("4000000000000051").await;
    let fields = json!([{ "id": "CARD_ID", "value": dollars }]);
    let code = "BillingAndDestinationCurrencyCodeDiscrepancyError";
    post(CARD, fields.clone()).await.fails(400, code);
    post(("SLV", "USD", "PUSH_TO_CARD"), fields).await.ok();
}
