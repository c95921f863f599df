//! Recipients and their accounts.

use serde_json::{Value, json};

use super::harness::{
    BANK, CARD, CASH, account_body, fields, merged, person, phone, recipient_body, text, with_fields,
};
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
    let body = with_fields(recipient_body(CARD), &[("lastName", json!("García"))]);
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
    let number = "PHONE_NUMBER";
    for (to, values, problem) in [
        (CASH, vec![(number, Value::Null)], (number, "MissingRequiredField")),
        (BANK, vec![("ADDRESS_STATE", json!("MEX-1"))], ("ADDRESS_CITY", "MissingRequiredField")),
        (
            BANK,
            vec![("ADDRESS_STATE", json!("MEX-1")), ("ADDRESS_CITY", json!("MEX-2-1"))],
            ("ADDRESS_CITY", "BusinessOrDataValidationError"),
        ),
    ] {
        let reply = person.post(PATH, &with_fields(recipient_body(to), &values)).await;
        assert_eq!(reply.problems(), [problem]);
    }
    let city = [("ADDRESS_STATE", json!("MEX-1")), ("ADDRESS_CITY", json!("MEX-1-2"))];
    person.post(PATH, &with_fields(recipient_body(BANK), &city)).await.ok();
    for invalid in [
        json!("3312345678"),
        json!({ "number": "33-12", "countryIso3Code": "MEX" }),
        json!({ "number": "3312345678", "countryIso3Code": "mex" }),
        phone("3312345678", "MEX", "1"),
        json!(3312345678_u64),
    ] {
        let reply = person.post(PATH, &with_fields(recipient_body(CASH), &[(number, invalid)])).await;
        reply.fails("RecipientInvalidPhoneNumber");
    }
    let international = [(number, json!("+523312345678"))];
    person.post(PATH, &with_fields(recipient_body(CASH), &international)).await.ok();

    let names = [("firstName", json!("Ana")), ("lastName", json!("López"))];
    let ssn = [("ID_TYPE", json!("SSN")), ("ID_NUMBER", json!("1234567890"))];
    for (kind, values, code) in [
        ("PERSON", fields([("firstName", json!("Ana")), ("lastName", json!("  "))]), "InvalidRecipientName"),
        ("BUSINESS", json!([]), "InvalidRecipientName"),
        ("PERSON", fields(names.into_iter().chain(ssn)), "RecipientInvalidTypeOfIdLength"),
    ] {
        person.post(PATH, &json!({ "userType": kind, "fields": values })).await.fails(code);
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
    let number = json!("012345678901234567");
    let values = fields([("BANK_ID", json!("MEX-B-2")), ("BANK_ACCOUNT_NUMBER", number)]);
    let reply = person.post(&accounts, &account_body(BANK, values)).await;
    assert_eq!(reply.status, 201);
    let account = reply.json;
    for shown in [field(&account, "BANK_ACCOUNT_NUMBER"), &account["accountNumber"]] {
        assert_eq!(shown, "**************4567");
    }
    let path = format!("{accounts}/{}", text(&account, "recipientAccountId"));
    assert_eq!(person.get(&path).await.ok(), account);
    assert_eq!(person.get(&accounts).await.ok()["accounts"], json!([account]));
    // The number may be a member, and the corridor that of the recipient.
    let short =
        json!({ "accountNumber": "765432109876543210", "fields": fields([("BANK_ID", json!("MEX-B-1"))]) });
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
    let card = |id: &str| fields([("CARD_ID", json!(id))]);
    let number =
        |bank: &str| fields([("BANK_ID", json!(bank)), ("BANK_ACCOUNT_NUMBER", json!("012345678901234567"))]);
    let branch = |branch: &str| fields([("BANK_ID", json!("BRA-B-1")), ("BRANCH_ID", json!(branch))]);
    let brazil = ("BRA", "BRL", "BANK_ACCOUNT");
    let missing = "MissingRequiredField";
    for (to, values, codes) in [
        (BANK, json!([]), vec![missing; 2]),
        (BANK, number("MEX-B-3"), vec![]),
        (BANK, number("MEX-B-4"), vec!["BusinessOrDataValidationError"]),
        (brazil, branch("BRA-B-1-2"), vec![missing; 2]),
        (brazil, branch("BRA-B-2-1"), vec!["BusinessOrDataValidationError", missing, missing]),
        (CARD, json!([]), vec![missing]),
        (CASH, json!([]), vec!["BusinessOrDataValidationError"]),
        (("GBR", "USD", "BANK_ACCOUNT"), json!([]), vec!["CC404"]),
        (CARD, card("12345"), vec![unusable]),
        (CARD, card(&of_other_sender), vec![unusable]),
        (CARD, card(&dollars_only), vec!["BillingAndDestinationCurrencyCodeDiscrepancyError"]),
        (("SLV", "USD", "PUSH_TO_CARD"), card(&dollars_only), vec![]),
    ] {
        assert_eq!(
            person.post(&accounts, &account_body(to, values.clone())).await.codes(),
            codes,
            "{to:?} {values}"
        );
    }
}
