//! Recipients and their accounts.

use serde_json::{Value, json};

use super::harness::*;
use super::senders::field;

const PATH: &str = "/v1/recipients";

#[tokio::test]
async fn a_recipient_is_created_read_listed_replaced_and_deleted() {
    let (sandbox, person) = person().await;
    let reply = person.post(PATH, &recipient_body(CARD)).await;
    assert_eq!(reply.status, 201);
    let recipient = reply.json;
    assert_eq!((&recipient["recipientType"], &recipient["lastName"]), (&json!("PERSON"), &json!("López")));
    assert_eq!(recipient["senderId"], json!(sandbox.sandbox.sender_id()));
    let path = format!("{PATH}/{}", text(&recipient, "recipientId"));
    assert_eq!(person.get(&path).await.ok(), recipient);
    assert_eq!(person.get(PATH).await.ok()["recipients"], json!([recipient]));
    let body = with_fields(recipient_body(CARD), json!({ "lastName": "García" }));
    assert_eq!(person.put(&path, &body).await.ok()["lastName"], "García");
    for other in [sandbox.foreign().await, sandbox.business().await] {
        other.get(&path).await.fails("RecipientNotFound");
    }
    assert_eq!(sandbox.client().await.get(&path).await.status, 200);
    person.delete(&path).await.ok();
    person.get(&path).await.fails("RecipientNotFound");
    assert_eq!(person.get(PATH).await.ok()["recipients"], json!([]));
    person.get(&format!("{PATH}/4711")).await.fails("InvalidRecipientId");
}

#[tokio::test]
async fn the_fields_of_a_recipient_are_checked_for_its_corridor() {
    let (_, person) = person().await;
    let in_city = |city: &str| json!({ "ADDRESS_STATE": "MEX-1", "ADDRESS_CITY": city });
    for (to, values, problem) in [
        (CASH, json!({ "PHONE_NUMBER": null }), ("PHONE_NUMBER", "MissingRequiredField")),
        (BANK, json!({ "ADDRESS_STATE": "MEX-1" }), ("ADDRESS_CITY", "MissingRequiredField")),
        (BANK, in_city("MEX-2-1"), ("ADDRESS_CITY", "BusinessOrDataValidationError")),
    ] {
        assert_eq!(person.post(PATH, &with_fields(recipient_body(to), values)).await.problems(), [problem]);
    }
    person.post(PATH, &with_fields(recipient_body(BANK), in_city("MEX-1-2"))).await.ok();
    let with_phone = |phone: Value| with_fields(recipient_body(CASH), json!({ "PHONE_NUMBER": phone }));
    for invalid in [
        json!("3312345678"),
        json!({ "number": "33-12", "countryIso3Code": "MEX" }),
        json!({ "number": "3312345678", "countryIso3Code": "mex" }),
        phone("3312345678", "MEX", "1"),
        json!(3312345678_u64),
    ] {
        person.post(PATH, &with_phone(invalid)).await.fails("RecipientInvalidPhoneNumber");
    }
    person.post(PATH, &with_phone(json!("+523312345678"))).await.ok();

    let ssn = json!({ "firstName": "Ana", "lastName": "López", "ID_TYPE": "SSN", "ID_NUMBER": "1234567890" });
    for (kind, values, code) in [
        ("PERSON", json!({ "firstName": "Ana", "lastName": "  " }), "InvalidRecipientName"),
        ("BUSINESS", json!({}), "InvalidRecipientName"),
        ("PERSON", ssn, "RecipientInvalidTypeOfIdLength"),
    ] {
        person.post(PATH, &json!({ "userType": kind, "fields": fields(values) })).await.fails(code);
    }
}

#[tokio::test]
async fn type_and_method_of_a_recipient_have_defaults() {
    let (sandbox, person) = person().await;
    let without = |name: &str| {
        let mut body = recipient_body(BANK);
        body.as_object_mut().unwrap().remove(name);
        body
    };
    person.post(PATH, &without("transferMethod")).await.ok();
    let recipient = person.post(PATH, &without("userType")).await.ok();
    assert_eq!(recipient["recipientType"], "PERSON");
    person.post(PATH, &json!({})).await.fails("InvalidRecipientName");
    for (name, wrong, code) in [
        ("transferMethod", "PIGEON", "BadRequestError"),
        ("userType", "person", "BadRequestError"),
        ("userType", "", "NotEmptyValidator"),
    ] {
        let reply = person.post(PATH, &merged(recipient_body(BANK), json!({ name: wrong }))).await;
        assert_eq!(reply.problems(), [(name, code)], "{wrong}");
    }
    // The undocumented name, as in records, is accepted too; the documented one wins.
    sandbox.allow_violations();
    let business = json!({ "recipientType": "BUSINESS" });
    let both = person.post(PATH, &merged(recipient_body(BANK), business.clone())).await.ok();
    assert_eq!(both["recipientType"], "PERSON");
    let alone = merged(without("userType"), merged(business, json!({ "fields": [] })));
    person.post(PATH, &alone).await.fails("InvalidRecipientName");
}

#[tokio::test]
async fn an_account_is_created_read_listed_replaced_and_deleted() {
    let (_, person) = person().await;
    let accounts = format!("{PATH}/{}/accounts", person.recipient(BANK).await);
    let values = json!({ "BANK_ID": "MEX-B-2", "BANK_ACCOUNT_NUMBER": "012345678901234567" });
    let reply = person.post(&accounts, &account_body(BANK, fields(values))).await;
    assert_eq!(reply.status, 201);
    let account = reply.json;
    for shown in [field(&account, "BANK_ACCOUNT_NUMBER"), &account["accountNumber"]] {
        assert_eq!(shown, "**************4567");
    }
    let path = format!("{accounts}/{}", text(&account, "recipientAccountId"));
    assert_eq!(person.get(&path).await.ok(), account);
    assert_eq!(person.get(&accounts).await.ok()["accounts"], json!([account]));
    // The number may be a member, and the corridor that of the recipient.
    let bank = fields(json!({ "BANK_ID": "MEX-B-1" }));
    let short = json!({ "accountNumber": "765432109876543210", "fields": bank });
    let replaced = person.put(&path, &short).await.ok();
    assert_eq!(replaced["accountNumber"], "**************3210");
    assert_eq!(replaced["recipientAccountId"], account["recipientAccountId"]);
    person.delete(&path).await.ok();
    person.get(&path).await.fails("RecipientAccountNotFound");
    person.get(&format!("{accounts}/4711")).await.fails("InvalidRecipientAccountId");
}

#[tokio::test]
async fn the_fields_of_an_account_are_checked_for_its_corridor() {
    let (sandbox, person) = person().await;
    let accounts = format!("{PATH}/{}/accounts", person.recipient(BANK).await);
    let unusable = "CardProvidedCannotBeUsedForThisTransaction";
    let of_other_sender = sandbox.business().await.card("4111111111111111").await;
    let dollars_only = person.card("4000000000000051").await;
    let card = |id: &str| json!({ "CARD_ID": id });
    let number = |bank: &str| json!({ "BANK_ID": bank, "BANK_ACCOUNT_NUMBER": "012345678901234567" });
    let branch = |branch: &str| json!({ "BANK_ID": "BRA-B-1", "BRANCH_ID": branch });
    let brazil = ("BRA", "BRL", "BANK_ACCOUNT");
    let missing = "MissingRequiredField";
    for (to, values, codes) in [
        (BANK, json!({}), vec![missing; 2]),
        (BANK, number("MEX-B-3"), vec![]),
        (BANK, number("MEX-B-4"), vec!["BusinessOrDataValidationError"]),
        (brazil, branch("BRA-B-1-2"), vec![missing; 2]),
        (brazil, branch("BRA-B-2-1"), vec!["BusinessOrDataValidationError", missing, missing]),
        (CARD, json!({}), vec![missing]),
        (CASH, json!({}), vec!["BusinessOrDataValidationError"]),
        (("GBR", "USD", "BANK_ACCOUNT"), json!({}), vec!["CC404"]),
        (CARD, card("12345"), vec![unusable]),
        (CARD, card(&of_other_sender), vec![unusable]),
        (CARD, card(&dollars_only), vec!["BillingAndDestinationCurrencyCodeDiscrepancyError"]),
        (("SLV", "USD", "PUSH_TO_CARD"), card(&dollars_only), vec![]),
    ] {
        let reply = person.post(&accounts, &account_body(to, fields(values.clone()))).await;
        assert_eq!(reply.codes(), codes, "{to:?} {values}");
    }
}
