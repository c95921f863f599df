//! What the service accepts is sent, and what is misspelled is named before anything is sent.

use remitkit::api::{
    CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, CREATE_SENDER, CREATE_TRANSFER, Code, Error, GET_SENDER,
    LIST_RECIPIENTS, LIST_TRANSFERS, Operation, QUOTE, RECIPIENT_ACCOUNT_FIELDS, RECIPIENT_FIELDS,
    REPLACE_RECIPIENT, REPLACE_RECIPIENT_ACCOUNT, REPLACE_SENDER, SENDER_FIELDS, Sender, TRANSFER_FIELDS,
    UPDATE_SENDER,
};

use crate::calls::CITY_REQUIRED;
use crate::script::{ID, NO_FIELDS, Script, ScriptedClient, Sent, answer, error};

const CORRIDOR: &str = r#""dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN""#;
const PRICE: &str = r#""srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":12550"#;
const NAME: &str = r#"{"id":"firstName","value":"Ana"},{"id":"lastName","value":"Diaz"}"#;
const SENDER_WRITES: [(&Operation, &[&str]); 3] =
    [(&CREATE_SENDER, &[]), (&UPDATE_SENDER, &[ID]), (&REPLACE_SENDER, &[ID])];

/// Calls the operation after this form was fetched, if any; returns what was sent.
async fn send(
    fetched: Option<&'static Operation>,
    operation: &'static Operation,
    ids: &[&str],
    input: &str,
) -> Result<Vec<Sent>, Error> {
    let record = format!(r#"{{"recipientId":"{ID}","recipientAccountId":"{ID}","senderId":"{ID}"}}"#);
    let fields = if fetched.is_some() { CITY_REQUIRED } else { NO_FIELDS };
    let client = Script::new(move |_, sent| match sent.path.contains("-fields") {
        true => answer(200, fields),
        false => answer(200, &record),
    })
    .client();
    if let Some(fetched) = fetched {
        client.fetch_fields(fetched, &format!("{{{CORRIDOR}}}")).await;
    }
    client.call(operation, ids, Some(input)).await.map(|_| client.sent())
}

fn body(operation: &Operation, ids: &[&str], input: &str) -> String {
    operation.request(ids, Some(input)).unwrap().body.unwrap()
}

fn path(operation: &Operation, input: Option<&str>) -> String {
    operation.request(&[], input).unwrap().path
}

#[track_caller]
fn assert_refused(operation: &Operation, ids: &[&str], input: &str, code: &Code, option: &str) {
    let error = error(operation.request(ids, Some(input)));
    assert_eq!((&error.code(), error.option()), (code, Some(option)), "{input}");
}

#[tokio::test(start_paused = true)]
async fn without_a_corridor_fields_are_checked_against_the_last_form() {
    let short = format!(r#"{{"fields":[{NAME}]}}"#);
    let whole = format!(r#"{{"fields":[{NAME},{{"id":"CITY","value":"a"}}]}}"#);
    for (fields, create, ids) in [
        (&RECIPIENT_FIELDS, &CREATE_RECIPIENT, &[][..]),
        (&RECIPIENT_ACCOUNT_FIELDS, &CREATE_RECIPIENT_ACCOUNT, &[ID][..]),
    ] {
        let error = error(send(Some(fields), create, ids, &short).await);
        assert_eq!((error.code(), error.option()), (Code::MissingRequiredField, Some("CITY")));
        let sent = send(Some(fields), create, ids, &whole).await.unwrap();
        assert_eq!((sent.len(), sent[1].body.as_deref()), (2, Some(&*whole)), "nothing is fetched again");
        // The form of another endpoint says nothing of it.
        send(Some(&TRANSFER_FIELDS), create, ids, &short).await.unwrap();
    }
    // Nor does a person's form say anything of a business.
    let business = r#"{"userType":"BUSINESS","fields":[{"id":"companyName","value":"C"}]}"#;
    send(Some(&RECIPIENT_FIELDS), &CREATE_RECIPIENT, &[], business).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn queries_have_defaults_for_method_type_and_side() {
    let corridor = "dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN";
    for (operation, more, expected) in [
        (&RECIPIENT_FIELDS, "", "transferMethod=BANK_ACCOUNT&recipientType=PERSON"),
        (
            &RECIPIENT_ACCOUNT_FIELDS,
            r#","recipientType":"BUSINESS""#,
            "recipientType=BUSINESS&transferMethod=BANK_ACCOUNT",
        ),
        (&TRANSFER_FIELDS, r#","transferMethod":"CASH_PICKUP""#, "transferMethod=CASH_PICKUP"),
    ] {
        let path = path(operation, Some(&format!("{{{CORRIDOR}{more}}}")));
        assert_eq!(path, format!("{}?{corridor}&{expected}", operation.path));
    }
    assert_eq!(path(&SENDER_FIELDS, None), "/v1/sender-fields?senderType=PERSON");
    let quote = path(&QUOTE, Some(&format!("{{{CORRIDOR},{PRICE}}}")));
    assert!(quote.ends_with("&amount=12550&transferMethod=BANK_ACCOUNT"), "{quote}");
    let price = PRICE.replace(r#""quoteBy":"SEND_AMOUNT","#, "");
    let quote = path(&QUOTE, Some(&format!("{{{CORRIDOR},{price}}}")));
    assert!(quote.ends_with("&transferMethod=BANK_ACCOUNT&quoteBy=SEND_AMOUNT"), "{quote}");
    for (operation, query, option) in [
        (&QUOTE, format!(r#"{{{CORRIDOR},{price},"quoteby":"X"}}"#), "quoteby"),
        (&SENDER_FIELDS, r#"{"sendertype":"BUSINESS"}"#.to_owned(), "sendertype"),
        (&RECIPIENT_FIELDS, format!(r#"{{{CORRIDOR},"transfermethod":"PUSH_TO_CARD"}}"#), "transfermethod"),
        (&RECIPIENT_FIELDS, format!(r#"{{{CORRIDOR},"userType":"BUSINESS"}}"#), "recipientType"),
        (&RECIPIENT_FIELDS, format!(r#"{{{CORRIDOR},"recipientType":"business"}}"#), "recipientType"),
        (&RECIPIENT_FIELDS, "{}".to_owned(), "dstCountryIso3Code"),
    ] {
        assert_refused(operation, &[], &query, &Code::InvalidRequest, option);
    }
    // A body without them is checked against the form that these defaults ask for.
    let input = format!(r#"{{{CORRIDOR},"fields":[{NAME}]}}"#);
    let sent = send(None, &CREATE_RECIPIENT, &[], &input).await.unwrap();
    assert!(sent[0].path.ends_with("&transferMethod=BANK_ACCOUNT&recipientType=PERSON"), "{}", sent[0].path);
}

#[tokio::test(start_paused = true)]
async fn a_sender_is_a_person_by_default_and_its_group_may_be_empty() {
    for (operation, ids) in SENDER_WRITES {
        let named = format!(r#""fields":[{NAME}]"#);
        let sent = send(None, operation, ids, &format!("{{{named}}}")).await.unwrap();
        assert_eq!(sent[0].path, "/v1/sender-fields?senderType=PERSON");
        assert_eq!(sent[1].body.as_deref(), Some(&*format!(r#"{{{named},"senderType":"PERSON"}}"#)));
        let in_group = |group: &str| format!(r#"{{"senderType":"PERSON",{named},"senderGroupId":{group}}}"#);
        for group in [r#""""#, &format!(r#""{ID}""#)] {
            assert_eq!(body(operation, ids, &in_group(group)), in_group(group));
        }
        let nulls = format!(r#"{{"senderGroupId":null,{named},"senderType":null}}"#);
        assert_eq!(body(operation, ids, &nulls), format!(r#"{{"senderType":"PERSON",{named}}}"#));
        for group in [r#"" ""#, r#""7""#, "7"] {
            assert_refused(operation, ids, &in_group(group), &Code::BadRequestError, "senderGroupId");
        }
        // Left out, it would make a person of a business.
        let business = format!(r#"{{{named},"recipientType":"BUSINESS"}}"#);
        assert_refused(operation, ids, &business, &Code::InvalidRequest, "senderType");
    }
}

#[test]
fn a_record_that_was_read_can_be_sent_back() {
    let read = concat!(
        r#""fields":[{"id":"firstName","name":"First name","type":"TEXT","value":"Ana"},"#,
        r#"{"type":"TEXT","id":"lastName","value":"Diaz","name":null}]"#
    );
    let fields = format!(r#""fields":[{NAME}]"#);
    let sender = format!(r#""senderId":"{ID}","firstName":"Ana","kycStatus":"PASSED","isDeactivated":false"#);
    let recipient = format!(r#""recipientId":"{ID}","recipientType":"PERSON","createdAt":"2026-01-01""#);
    let account = format!(r#""recipientAccountId":"{ID}","accountNumber":"1",{CORRIDOR}"#);
    let typed = format!(r#"{{"senderType":"PERSON",{fields}}}"#);
    let of_person = format!(r#"{{"senderType":"PERSON",{read}}}"#);
    for (operation, ids) in SENDER_WRITES {
        assert_eq!(body(operation, ids, &of_person), typed);
    }
    for (operation, ids, input, expected) in [
        (&CREATE_RECIPIENT, &[][..], format!("{{{read}}}"), format!("{{{fields}}}")),
        (&CREATE_RECIPIENT_ACCOUNT, &[ID][..], format!("{{{read}}}"), format!("{{{fields}}}")),
        (&REPLACE_SENDER, &[ID][..], format!(r#"{{{sender},"senderType":"PERSON",{read}}}"#), typed),
        (
            &REPLACE_RECIPIENT,
            &[ID][..],
            format!(r#"{{{recipient},{read},"userType":"PERSON"}}"#),
            format!(r#"{{"userType":"PERSON",{fields}}}"#),
        ),
        (
            &REPLACE_RECIPIENT_ACCOUNT,
            &[ID, ID][..],
            format!("{{{account},{read}}}"),
            format!(r#"{{{CORRIDOR},"accountNumber":"1",{fields}}}"#),
        ),
    ] {
        assert_eq!(body(operation, ids, &input), expected, "{}", operation.name);
    }
    let misspelt = r#"{"fields":[{"id":"a","valeu":"b","value":"c"}]}"#;
    assert_refused(&CREATE_RECIPIENT, &[], misspelt, &Code::InvalidRequest, "fields[0].valeu");
    // Left out, it would make a person of a business.
    let business = r#"{"recipientType":"BUSINESS"}"#;
    assert_refused(&REPLACE_RECIPIENT, &[ID], business, &Code::InvalidRequest, "userType");
}

#[tokio::test(start_paused = true)]
async fn members_of_a_neighbouring_record_are_left_out() {
    let amount = r#"{"value":"\ud8009007199254740993","currency":{"iso3Code":"USD","decimalPlaces":2}}"#;
    let quote = [
        format!(r#""quoteHistoryId":"{ID}","senderId":"{ID}","customerId":"c","sendAmount":{amount}"#),
        format!(r#""receiveAmount":{amount},"totalCost":{amount},"rate":17.1"#),
        format!(r#""adjustments":[{{"id":"f","amount":{amount}}}],"destinationCountryISO3Code":"MEX""#),
        r#""destinationCountry":{"name":"Mexico"},"disclosures":[],"deliverySLA":{"id":"1"}"#.to_owned(),
        r#""expirationDate":"2026-01-01","transferMethod":"PUSH_TO_CARD""#.to_owned(),
    ]
    .join(",");
    let recipient = format!(r#""recipientId":"{ID}","recipientAccountId":"{ID}""#);
    let transfer = format!(r#"{{{quote},{CORRIDOR},{PRICE},{recipient}}}"#);
    let body = CREATE_TRANSFER.request(&[], Some(&transfer)).unwrap().body.unwrap();
    let expected = [
        CORRIDOR,
        r#""srcCurrencyIso3Code":"USD","transferMethod":"PUSH_TO_CARD","quoteBy":"SEND_AMOUNT""#,
        &format!(r#""amount":12550,"quoteHistoryId":"{ID}",{recipient},"senderId":"{ID}""#),
    ];
    assert_eq!(body, format!("{{{}}}", expected.join(",")));
    for (operation, misspelt) in [
        (&CREATE_TRANSFER, "quoteHistoryID"),
        (&CREATE_TRANSFER, "customerhold"),
        (&QUOTE, "recipientAccountID"),
        (&QUOTE, "sendamount"),
    ] {
        let json = format!(r#"{{"{misspelt}":true,{}"#, transfer.trim_start_matches('{'));
        assert_refused(operation, &[], &json, &Code::InvalidRequest, misspelt);
    }
    let raw = r#"{"method":"GET","path":"/v1/x","amount":1}"#;
    let client = Script::new(|_, _| answer(200, "{}")).client();
    assert_eq!(error(client.request_text(raw).await).option(), Some("amount"));
}

#[tokio::test(start_paused = true)]
async fn bad_input_has_the_code_that_the_interface_has_for_it() {
    let quote_id = format!(r#""quoteHistoryId":"{ID}","#);
    let recipient_id = format!(r#""recipientId":"{ID}""#);
    let account_id = format!(r#""recipientAccountId":"{ID}""#);
    let transfer = format!("{{{CORRIDOR},{PRICE},{quote_id}{recipient_id},{account_id}}}");
    assert!(CREATE_TRANSFER.request(&[], Some(&transfer)).is_ok());
    for (from, to, code, option) in [
        (&*quote_id, "", Code::NoQuoteHistoryIdProvided, "quoteHistoryId"),
        (&quote_id, r#""quoteHistoryId":null,"#, Code::NoQuoteHistoryIdProvided, "quoteHistoryId"),
        (&quote_id, r#""quoteHistoryId":"7","#, Code::BadRequestError, "quoteHistoryId"),
        ("12550", "1.5", Code::InvalidAmount, "amount"),
        ("12550", "-1", Code::InvalidAmount, "amount"),
        ("12550", r#""12550""#, Code::InvalidAmount, "amount"),
        ("12550", "null", Code::InvalidAmount, "amount"),
        (r#","amount":12550"#, "", Code::InvalidAmount, "amount"),
        (&recipient_id, r#""recipientId":"7""#, Code::InvalidRecipientId, "recipientId"),
        (&recipient_id, r#""recipientId":7"#, Code::InvalidRecipientId, "recipientId"),
        (&recipient_id, r#""recipientId":null"#, Code::InvalidRecipientId, "recipientId"),
        (&account_id, r#""recipientAccountId":"7""#, Code::InvalidRecipientAccountId, "recipientAccountId"),
        (&account_id, r#""recipientAccountId":7"#, Code::InvalidRecipientAccountId, "recipientAccountId"),
    ] {
        assert_refused(&CREATE_TRANSFER, &[], &transfer.replace(from, to), &code, option);
        let client = Script::new(|_, _| answer(200, NO_FIELDS)).client();
        assert_eq!(error(client.prepare(&transfer.replace(from, to)).await).option(), Some(option));
        assert_eq!((client.sent().len(), client.platform().token_requests.get()), (0, 0));
    }
    for input in [r#"{"limit":-1}"#, r#"{"offset":1.5}"#, r#"{"limit":"5"}"#] {
        let error = error(LIST_TRANSFERS.request(&[], Some(input)));
        assert_eq!(error.code(), Code::InvalidRequest);
        assert!(error.message().ends_with("must be a whole number, at least 0."), "{error}");
    }
    assert!(LIST_TRANSFERS.request(&[], Some(r#"{"limit":5,"offset":0}"#)).is_ok());
    assert_eq!(error(LIST_RECIPIENTS.request(&[], Some(r#"{"limit":5}"#))).option(), Some("limit"));
}

#[tokio::test(start_paused = true)]
async fn a_changed_sender_gets_the_id_of_its_path_if_the_reply_has_none() {
    let change = format!(r#"{{"senderType":"PERSON","fields":[{NAME}]}}"#);
    let other = "00000000-0000-4000-8000-000000000000";
    let client = |reply: String| {
        let script = Script::new(move |_, sent| match sent.path.contains("-fields") {
            true => answer(200, NO_FIELDS),
            false => answer(200, &reply),
        });
        script.client()
    };
    for (reply, expected) in [
        ("{}".to_owned(), ID),
        (r#" {"senderType":"PERSON" } "#.to_owned(), ID),
        (r#"{"senderId":null}"#.to_owned(), ID),
        (format!(r#"{{"senderId":"{other}"}}"#), other),
    ] {
        for operation in [&UPDATE_SENDER, &REPLACE_SENDER] {
            let reply = client(reply.clone()).call(operation, &[ID], Some(&change)).await.unwrap();
            assert_eq!(reply.read::<Sender>().unwrap().sender_id.as_str(), expected);
        }
    }
    let created = client("{}".to_owned()).call(&CREATE_SENDER, &[], Some(&change)).await;
    assert_eq!(error(created).code(), Code::OutcomeUnknown, "no path names the record");
    for (operation, input) in [(&GET_SENDER, None), (&REPLACE_RECIPIENT, Some(r#"{"fields":[]}"#))] {
        let reply = client(format!(r#"{{"recipientId":"{ID}","senderId":null}}"#));
        let reply = reply.call(operation, &[ID], input).await;
        let has_id = reply.is_ok_and(|reply| reply.json().contains(&format!(r#""senderId":"{ID}""#)));
        assert!(!has_id, "{} has no sender's id to give", operation.name);
    }
}
