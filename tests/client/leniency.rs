//! What the service takes goes out, and what is misspelt is named before anything is sent.

use remitkit::api::{
    CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, CREATE_SENDER, CREATE_TRANSFER, Code, Error, GET_SENDER,
    LIST_RECIPIENTS, LIST_TRANSFERS, Operation, QUOTE, RECIPIENT_ACCOUNT_FIELDS, RECIPIENT_FIELDS,
    REPLACE_RECIPIENT, REPLACE_RECIPIENT_ACCOUNT, REPLACE_SENDER, SENDER_FIELDS, Sender, TRANSFER_FIELDS,
    UPDATE_SENDER,
};

use crate::support::{ID, Script, Sent, TextCalls, answer};

const CORRIDOR: &str = r#""dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN""#;
const PRICE: &str = r#""srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":12550"#;

/// What a client that has asked for these fields sends, or why it refuses to.
async fn sent_after(
    asked: Option<(&'static Operation, &str)>,
    fields: &'static str,
    operation: &'static Operation,
    ids: &[&str],
    input: &str,
) -> Result<Vec<Sent>, Error> {
    let script = Script::new(move |_, sent| match sent.path.contains("-fields") {
        true => answer(200, fields),
        false => {
            answer(200, &format!(r#"{{"recipientId":"{ID}","recipientAccountId":"{ID}","senderId":"{ID}"}}"#))
        }
    });
    let sent = script.sent.clone();
    let client = script.client();
    if let Some((operation, query)) = asked {
        client.field_form(operation, query, &0).await?;
    }
    let outcome = client.call(operation, ids, Some(input), &0).await;
    let sent = sent.take();
    match outcome {
        Err(error) if error.code() != Code::UnreadableReply => {
            assert!(
                sent.iter().all(|sent| sent.method == "GET"),
                "a refused body must not be sent: {sent:?}"
            );
            Err(error)
        }
        _ => Ok(sent),
    }
}

async fn sent(operation: &'static Operation, ids: &[&str], input: &str) -> Result<Vec<Sent>, Error> {
    sent_after(None, r#"{"fieldSets":[]}"#, operation, ids, input).await
}

async fn body(operation: &'static Operation, ids: &[&str], input: &str) -> String {
    let sent = sent(operation, ids, input).await.unwrap();
    sent.last().unwrap().body.clone().unwrap()
}

const CITY: &str = r#"{"fieldSets":[{"fieldSetId":"a","fields":[{"fieldType":"TEXT","fieldId":"CITY","isRequired":true}]}]}"#;

#[tokio::test(start_paused = true)]
async fn nothing_is_required_of_the_bodies_of_recipients_and_accounts() {
    for (operation, ids) in [
        (&CREATE_RECIPIENT, &[][..]),
        (&REPLACE_RECIPIENT, &[ID][..]),
        (&CREATE_RECIPIENT_ACCOUNT, &[ID][..]),
        (&REPLACE_RECIPIENT_ACCOUNT, &[ID, ID][..]),
    ] {
        for input in
            ["{}", r#"{"fields":[{"id":"CITY","value":"a"}]}"#, r#"{"transferMethod":"BANK_ACCOUNT"}"#]
        {
            let sent = sent(operation, ids, input).await.unwrap();
            assert_eq!(sent.len(), 1, "no form can be asked for: {sent:?}");
            assert_eq!(sent[0].body.as_deref(), Some(input));
        }
        let nothing =
            r#"{"dstCountryIso3Code":null,"fields":[{"id":"CITY","value":null}],"transferMethod":null}"#;
        let expected = r#"{"fields":[{"id":"CITY","value":null}]}"#;
        assert_eq!(body(operation, ids, nothing).await, expected, "what is null is left out");
        let error = sent(operation, ids, r#"{"feilds":[]}"#).await.unwrap_err();
        assert_eq!((error.code(), error.option()), (Code::InvalidRequest, Some("feilds")));
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_corridor_fields_are_held_to_the_form_that_was_fetched_last() {
    let query = format!("{{{CORRIDOR}}}");
    for (fields, create, ids) in [
        (&RECIPIENT_FIELDS, &CREATE_RECIPIENT, &[][..]),
        (&RECIPIENT_ACCOUNT_FIELDS, &CREATE_RECIPIENT_ACCOUNT, &[ID][..]),
    ] {
        let named = r#"{"id":"firstName","value":"Ana"},{"id":"lastName","value":"Diaz"}"#;
        let short = format!(r#"{{"fields":[{named}]}}"#);
        let whole = format!(r#"{{"fields":[{named},{{"id":"CITY","value":"a"}}]}}"#);
        let error = sent_after(Some((fields, &query)), CITY, create, ids, &short).await.unwrap_err();
        assert_eq!((error.code(), error.option()), (Code::MissingRequiredField, Some("CITY")));
        let sent = sent_after(Some((fields, &query)), CITY, create, ids, &whole).await.unwrap();
        assert_eq!((sent.len(), sent[1].body.as_deref()), (2, Some(&*whole)), "nothing is asked for again");
        // Another endpoint's form says nothing of it.
        let query = format!("{{{CORRIDOR}}}");
        assert!(sent_after(Some((&TRANSFER_FIELDS, &query)), CITY, create, ids, &short).await.is_ok());
    }
    let business = r#"{"userType":"BUSINESS","fields":[{"id":"companyName","value":"C"}]}"#;
    let asked = Some((&RECIPIENT_FIELDS, &*query));
    assert!(
        sent_after(asked, CITY, &CREATE_RECIPIENT, &[], business).await.is_ok(),
        "the form is a person's"
    );
}

#[tokio::test(start_paused = true)]
async fn the_transfer_method_and_the_recipient_type_have_defaults() {
    let corridor = "dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN";
    for (operation, query, expected) in [
        (
            &RECIPIENT_FIELDS,
            format!("{{{CORRIDOR}}}"),
            format!("{corridor}&transferMethod=BANK_ACCOUNT&recipientType=PERSON"),
        ),
        (
            &RECIPIENT_ACCOUNT_FIELDS,
            format!(r#"{{{CORRIDOR},"recipientType":"BUSINESS"}}"#),
            format!("{corridor}&recipientType=BUSINESS&transferMethod=BANK_ACCOUNT"),
        ),
        (
            &TRANSFER_FIELDS,
            format!(r#"{{{CORRIDOR},"transferMethod":"CASH_PICKUP"}}"#),
            format!("{corridor}&transferMethod=CASH_PICKUP"),
        ),
    ] {
        let request = operation.request(&[], Some(&query)).unwrap();
        assert_eq!(request.path, format!("{}?{expected}", operation.path));
    }
    let quote = QUOTE.request(&[], Some(&format!("{{{CORRIDOR},{PRICE}}}"))).unwrap();
    assert!(quote.path.ends_with("&amount=12550&transferMethod=BANK_ACCOUNT"), "{}", quote.path);
    let price = PRICE.replace(r#""quoteBy":"SEND_AMOUNT","#, "");
    let quote = QUOTE.request(&[], Some(&format!("{{{CORRIDOR},{price}}}"))).unwrap();
    assert!(quote.path.ends_with("&transferMethod=BANK_ACCOUNT&quoteBy=SEND_AMOUNT"), "{}", quote.path);
    let error = QUOTE.request(&[], Some(&format!(r#"{{{CORRIDOR},{price},"quoteby":"X"}}"#))).unwrap_err();
    assert_eq!(error.option(), Some("quoteby"));
    assert_eq!(SENDER_FIELDS.request(&[], None).unwrap().path, "/v1/sender-fields?senderType=PERSON");
    let error = SENDER_FIELDS.request(&[], Some(r#"{"sendertype":"BUSINESS"}"#)).unwrap_err();
    assert_eq!(error.option(), Some("sendertype"));
    for (query, option) in [
        (format!(r#"{{{CORRIDOR},"transfermethod":"PUSH_TO_CARD"}}"#), "transfermethod"),
        (format!(r#"{{{CORRIDOR},"userType":"BUSINESS"}}"#), "recipientType"),
        (format!(r#"{{{CORRIDOR},"recipientType":"business"}}"#), "recipientType"),
        ("{}".to_owned(), "dstCountryIso3Code"),
    ] {
        let error = RECIPIENT_FIELDS.request(&[], Some(&query)).unwrap_err();
        assert_eq!(error.option(), Some(option), "{query}");
    }
    // A body without them is held to the form that these defaults ask for.
    let sent = sent(
        &CREATE_RECIPIENT,
        &[],
        &format!(
            r#"{{{CORRIDOR},"fields":[{{"id":"firstName","value":"A"}},{{"id":"lastName","value":"B"}}]}}"#
        ),
    )
    .await
    .unwrap();
    assert!(sent[0].path.ends_with("&transferMethod=BANK_ACCOUNT&recipientType=PERSON"), "{}", sent[0].path);
}

#[tokio::test(start_paused = true)]
async fn a_sender_is_a_person_and_its_group_may_be_left_empty() {
    let senders = [(&CREATE_SENDER, &[][..]), (&UPDATE_SENDER, &[ID][..]), (&REPLACE_SENDER, &[ID][..])];
    let named = r#""fields":[{"id":"firstName","value":"A"},{"id":"lastName","value":"B"}]"#;
    for (operation, ids) in senders {
        let sent = sent(operation, ids, &format!("{{{named}}}")).await.unwrap();
        assert_eq!(sent[0].path, "/v1/sender-fields?senderType=PERSON");
        assert_eq!(sent[1].body.as_deref(), Some(&*format!(r#"{{{named},"senderType":"PERSON"}}"#)));
    }
    for (operation, ids) in senders {
        for group in [r#""""#, &format!(r#""{ID}""#)] {
            let input = format!(r#"{{"senderType":"PERSON",{named},"senderGroupId":{group}}}"#);
            assert_eq!(body(operation, ids, &input).await, input);
        }
        let input = format!(r#"{{"senderGroupId":null,{named},"senderType":null}}"#);
        assert_eq!(body(operation, ids, &input).await, format!(r#"{{"senderType":"PERSON",{named}}}"#));
        for group in [r#"" ""#, r#""7""#, "7"] {
            let input = format!(r#"{{"senderType":"PERSON",{named},"senderGroupId":{group}}}"#);
            let error = sent(operation, ids, &input).await.unwrap_err();
            assert_eq!((error.code(), error.option()), (Code::BadRequestError, Some("senderGroupId")));
        }
        // Left out, it would make a person of a business.
        let error =
            sent(operation, ids, &format!(r#"{{{named},"recipientType":"BUSINESS"}}"#)).await.unwrap_err();
        assert_eq!(error.option(), Some("senderType"));
    }
}

#[tokio::test(start_paused = true)]
async fn records_go_round() {
    let fields = r#""fields":[{"id":"firstName","name":"First name","type":"TEXT","value":"Ana"},{"type":"TEXT","id":"lastName","value":"Diaz","name":null}]"#;
    let expected = r#""fields":[{"id":"firstName","value":"Ana"},{"id":"lastName","value":"Diaz"}]"#;
    let sender = format!(r#"{{"senderType":"PERSON",{fields}}}"#);
    for (operation, ids) in
        [(&CREATE_SENDER, &[][..]), (&UPDATE_SENDER, &[ID][..]), (&REPLACE_SENDER, &[ID][..])]
    {
        assert_eq!(body(operation, ids, &sender).await, format!(r#"{{"senderType":"PERSON",{expected}}}"#));
    }
    assert_eq!(body(&CREATE_RECIPIENT, &[], &format!("{{{fields}}}")).await, format!("{{{expected}}}"));
    assert_eq!(
        body(&CREATE_RECIPIENT_ACCOUNT, &[ID], &format!("{{{fields}}}")).await,
        format!("{{{expected}}}")
    );
    let error =
        sent(&CREATE_RECIPIENT, &[], r#"{"fields":[{"id":"a","valeu":"b","value":"c"}]}"#).await.unwrap_err();
    assert_eq!(error.option(), Some("fields[0].valeu"));

    let record = format!(
        r#"{{"senderId":"{ID}","senderType":"PERSON","firstName":"Ana","kycStatus":"PASSED","createdAt":"2026-01-01","isDeactivated":false,{fields}}}"#
    );
    assert_eq!(
        body(&REPLACE_SENDER, &[ID], &record).await,
        format!(r#"{{"senderType":"PERSON",{expected}}}"#)
    );
    let record = format!(
        r#"{{"recipientId":"{ID}","recipientType":"PERSON","createdAt":"2026-01-01",{fields},"userType":"PERSON"}}"#
    );
    assert_eq!(
        body(&REPLACE_RECIPIENT, &[ID], &record).await,
        format!(r#"{{"userType":"PERSON",{expected}}}"#)
    );
    let record = format!(r#"{{"recipientAccountId":"{ID}","accountNumber":"1",{CORRIDOR},{fields}}}"#);
    assert_eq!(
        body(&REPLACE_RECIPIENT_ACCOUNT, &[ID, ID], &record).await,
        format!(r#"{{{CORRIDOR},"accountNumber":"1",{expected}}}"#)
    );
    // Left out, it would make a person of a business.
    let error = sent(&REPLACE_RECIPIENT, &[ID], r#"{"recipientType":"BUSINESS"}"#).await.unwrap_err();
    assert_eq!(error.option(), Some("userType"));
}

#[tokio::test(start_paused = true)]
async fn what_a_record_nearby_has_besides_is_left_out() {
    let amount = r#"{"value":"\ud8009007199254740993","currency":{"iso3Code":"USD","decimalPlaces":2}}"#;
    let quote = format!(
        r#""quoteHistoryId":"{ID}","senderId":"{ID}","customerId":"c","sendAmount":{amount},"receiveAmount":{amount},"totalCost":{amount},"rate":17.1,"adjustments":[{{"id":"f","amount":{amount}}}],"destinationCountryISO3Code":"MEX","destinationCountry":{{"name":"Mexico"}},"disclosures":[],"deliverySLA":{{"id":"1"}},"expirationDate":"2026-01-01","transferMethod":"PUSH_TO_CARD""#
    );
    let transfer =
        format!(r#"{{{quote},{CORRIDOR},{PRICE},"recipientId":"{ID}","recipientAccountId":"{ID}"}}"#);
    let body = CREATE_TRANSFER.request(&[], Some(&transfer)).unwrap().body.unwrap();
    assert_eq!(
        body,
        format!(
            r#"{{{CORRIDOR},"srcCurrencyIso3Code":"USD","transferMethod":"PUSH_TO_CARD","quoteBy":"SEND_AMOUNT","amount":12550,"quoteHistoryId":"{ID}","recipientId":"{ID}","recipientAccountId":"{ID}","senderId":"{ID}"}}"#
        )
    );
    let request = format!(
        r#"{{"nonce":"{ID}","customerHold":false,"purposeOfRemittance":"x","fields":[{{"id":"a"}}],{},"#,
        body.trim_matches(['{', '}'])
    );
    let path = QUOTE.request(&[], Some(&format!("{}}}", request.trim_end_matches(',')))).unwrap().path;
    let expected = format!(
        "/v1/quote?transferMethod=PUSH_TO_CARD&quoteBy=SEND_AMOUNT&dstCountryIso3Code=MEX&srcCurrencyIso3Code=USD&dstCurrencyIso3Code=MXN&amount=12550&recipientAccountId={ID}"
    );
    assert_eq!(path, expected);
    for (operation, misspelt) in [
        (&CREATE_TRANSFER, "quoteHistoryID"),
        (&CREATE_TRANSFER, "customerhold"),
        (&QUOTE, "recipientAccountID"),
        (&QUOTE, "sendamount"),
    ] {
        let json = format!(r#"{{"{misspelt}":true,{}"#, transfer.trim_start_matches('{'));
        let error = operation.request(&[], Some(&json)).unwrap_err();
        assert_eq!((error.code(), error.option()), (Code::InvalidRequest, Some(misspelt)));
    }
    for raw in [r#"{"method":"GET","path":"/v1/x","amount":1}"#] {
        let script = Script::new(|_, _| answer(200, "{}"));
        assert_eq!(script.client().request_text(raw, &0).await.err().unwrap().option(), Some("amount"));
    }
}

#[tokio::test(start_paused = true)]
async fn bad_input_has_the_code_that_the_interface_has_for_it() {
    let transfer = format!(
        r#"{{{CORRIDOR},{PRICE},"quoteHistoryId":"{ID}","recipientId":"{ID}","recipientAccountId":"{ID}"}}"#
    );
    assert!(CREATE_TRANSFER.request(&[], Some(&transfer)).is_ok());
    let quote_id = format!(r#""quoteHistoryId":"{ID}","#);
    let recipient_id = format!(r#""recipientId":"{ID}""#);
    let account_id = format!(r#""recipientAccountId":"{ID}""#);
    for (from, to, code, option) in [
        (&*quote_id, "", Code::NoQuoteHistoryIdProvided, "quoteHistoryId"),
        (&*quote_id, r#""quoteHistoryId":null,"#, Code::NoQuoteHistoryIdProvided, "quoteHistoryId"),
        (&*quote_id, r#""quoteHistoryId":"7","#, Code::BadRequestError, "quoteHistoryId"),
        ("12550", "1.5", Code::InvalidAmount, "amount"),
        ("12550", "-1", Code::InvalidAmount, "amount"),
        ("12550", r#""12550""#, Code::InvalidAmount, "amount"),
        ("12550", "null", Code::InvalidAmount, "amount"),
        (r#","amount":12550"#, "", Code::InvalidAmount, "amount"),
        (&*recipient_id, r#""recipientId":"7""#, Code::InvalidRecipientId, "recipientId"),
        (&*recipient_id, r#""recipientId":7"#, Code::InvalidRecipientId, "recipientId"),
        (&*recipient_id, r#""recipientId":null"#, Code::InvalidRecipientId, "recipientId"),
        (&*account_id, r#""recipientAccountId":"7""#, Code::InvalidRecipientAccountId, "recipientAccountId"),
        (&*account_id, r#""recipientAccountId":7"#, Code::InvalidRecipientAccountId, "recipientAccountId"),
    ] {
        let error = CREATE_TRANSFER.request(&[], Some(&transfer.replace(from, to))).unwrap_err();
        assert_eq!((error.code(), error.option()), (code, Some(option)), "{to}");
        let script = Script::new(|_, _| answer(200, r#"{"fieldSets":[]}"#));
        let sent = script.sent.clone();
        let error = script.client().prepare(&transfer.replace(from, to), &0).await.err().unwrap();
        assert_eq!(error.option(), Some(option));
        assert_eq!(sent.borrow().len(), 0);
    }
    for input in [r#"{"limit":-1}"#, r#"{"offset":1.5}"#, r#"{"limit":"5"}"#] {
        let error = LIST_TRANSFERS.request(&[], Some(input)).unwrap_err();
        assert_eq!(error.code(), Code::InvalidRequest);
        assert!(error.message().ends_with("must be a whole number, at least 0."), "{error}");
    }
    assert!(LIST_TRANSFERS.request(&[], Some(r#"{"limit":5,"offset":0}"#)).is_ok());
    assert_eq!(LIST_RECIPIENTS.request(&[], Some(r#"{"limit":5}"#)).unwrap_err().option(), Some("limit"));
}

#[tokio::test(start_paused = true)]
async fn a_changed_sender_is_read_without_its_id_which_the_path_has() {
    let change =
        r#"{"senderType":"PERSON","fields":[{"id":"firstName","value":"A"},{"id":"lastName","value":"B"}]}"#;
    let other = "00000000-0000-4000-8000-000000000000";
    for (reply, expected) in [
        ("{}".to_owned(), ID),
        (r#" {"senderType":"PERSON" } "#.to_owned(), ID),
        (r#"{"senderId":null}"#.to_owned(), ID),
        (format!(r#"{{"senderId":"{other}"}}"#), other),
    ] {
        for operation in [&UPDATE_SENDER, &REPLACE_SENDER] {
            let reply = reply.clone();
            let script = Script::new(move |_, sent| match sent.method.as_str() {
                "GET" => answer(200, r#"{"fieldSets":[]}"#),
                _ => answer(200, &reply),
            });
            let received = script.client().call(operation, &[ID], Some(change), &0).await.unwrap();
            assert_eq!(received.read::<Sender>().unwrap().sender_id.as_str(), expected);
        }
    }
    let script = Script::new(|_, sent| match sent.method.as_str() {
        "GET" => answer(200, r#"{"fieldSets":[]}"#),
        _ => answer(200, "{}"),
    });
    let error = script.client().call(&CREATE_SENDER, &[], Some(change), &0).await.err().unwrap();
    assert_eq!(error.code(), Code::OutcomeUnknown, "only a path can say whose record it is");
    for (operation, input) in [(&GET_SENDER, None), (&REPLACE_RECIPIENT, Some(r#"{"fields":[]}"#))] {
        let script = Script::new(|_, _| answer(200, &format!(r#"{{"recipientId":"{ID}","senderId":null}}"#)));
        let received = script.client().call(operation, &[ID], input, &0).await;
        let told = received.map(|received| received.json.contains(&format!(r#""senderId":"{ID}""#)));
        assert_ne!(told.ok(), Some(true), "{} has no sender's id to give", operation.name);
    }
}
