//! What the crate's users write: reading, building and comparing its values. Compiles against the public API
//! alone, so that a change that breaks a front end breaks this file first.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::future::ready;
use std::time::Duration;

use remitkit::api::*;
use remitkit::browser::{Browser, CardForm, CardFormOptions, Signal};
use remitkit::client::{Client, CompletedTransfer, FetchedForm, PendingCall, TransferAttempt};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

const ID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

fn quote() -> Value {
    json!({
        "quoteHistoryId": ID,
        "sendAmount": { "value": 12550, "currency": { "iso3Code": "USD", "decimalPlaces": 2 } },
        "rate": 17.25,
        "senderId": ID,
        "disclosures": [{ "text": "Fees \"may\" apply.", "rate": 0.5, "shown": true, "until": null }],
        "comesLater": 1
    })
}

fn read<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).unwrap()
}

fn client() -> Client<Browser> {
    let browser = Browser::new(|| ready(Ok(SenderToken::new("secret-token").with_expires_in(3600))));
    let builder = Client::builder(browser).base_url("https://api.example").card_url("https://card.example");
    builder.locale("es-MX").timeout(Duration::from_secs(5)).build().unwrap()
}

fn to_mexico() -> Destination {
    Destination::new("MEX".parse().unwrap(), "MXN".parse().unwrap(), TransferMethod::PushToCard)
}

#[test]
fn a_fixture_is_read_from_json_and_written_as_it_was_read() {
    let read: Quote = read(quote());
    assert_eq!((read.send_amount.value, read.rate.as_ref().unwrap().0.as_str()), (12_550, "17.25"));
    assert_eq!(read.send_amount.to_decimal().unwrap(), "125.50");
    let mut written = quote();
    written.as_object_mut().unwrap().remove("comesLater");
    assert_eq!(serde_json::to_value(&read).unwrap(), written);
}

#[test]
fn records_are_members_of_an_apps_own_types() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Basket {
        route: QuoteRequest,
        recipient: Option<RecipientRequest>,
        problems: Vec<FieldProblem>,
        status: TransferStatusName,
    }
    let recipient =
        RecipientRequest::new(PartyType::Person).with_fields([FieldValue::new("FIRST_NAME", "Ana")]);
    let basket = Basket {
        route: QuoteRequest::new(to_mexico(), "USD".parse().unwrap(), MinorUnits::new(5).unwrap()),
        recipient: Some(recipient.with_destination(to_mexico())),
        problems: vec![FieldProblem::new("CITY", Code::MissingRequiredField)],
        status: TransferStatusName::Other("On Hold".to_owned()),
    };
    let restored: Basket = serde_json::from_str(&serde_json::to_string(&basket).unwrap()).unwrap();
    assert_eq!(restored, basket);
}

#[test]
fn variants_of_the_service_are_read_too() {
    let currency = json!({ "iso3Code": "USD", "decimalPlaces": 2 });
    let corridor: Corridor = read(json!({
        "destinationCountry": { "name": "Mexico", "iso3Code": "MEX", "iso2Code": "MX", "phoneCode": 52 },
        "sourceCurrency": currency,
        "destinationCurrency": [currency],
        "transferMethod": "TELEPORT",
    }));
    assert_eq!(corridor.source_currency, corridor.destination_currency);
    assert_eq!(corridor.transfer_method.as_str(), "TELEPORT");
    assert_eq!(corridor.destination_country.phone_code.unwrap().as_str(), "52");

    let listed: ListedTransfer = read(json!({
        "transferId": 9_007_199_254_740_993_u64,
        "status": "PENDING CANCELATION",
        "quote": { "sendAmount": { "value": 29.99 } },
    }));
    assert_eq!(listed.transfer_id.as_str(), "9007199254740993");
    assert_eq!(listed.status, Some(TransferStatusName::PendingCancelation));

    for status in ["Complete", "complete", "COMPLETE"] {
        let made = json!({ "transferId": ID, "status": status, "recovered": true });
        let made: CompletedTransfer = read(made);
        assert!(made.recovered && made.transfer.status == Some(TransferStatusName::Complete));
    }
}

#[test]
fn what_is_wrong_is_refused_without_its_value() {
    for (wrong, expected) in [
        (serde_json::from_value::<MinorUnits>(json!(-1)).err(), "at least 0"),
        (serde_json::from_value::<Decimal>(json!("a lot")).err(), "a number"),
        (serde_json::from_value::<TransferStatusName>(json!(["x"])).err(), "a string"),
        (serde_json::from_value::<Quote>(json!({ "sendAmount": null })).err(), "sendAmount must be present"),
    ] {
        let message = wrong.map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains(expected), "{message}");
    }
    let reply = json!({ "access_token": "t", "client_secret": "sesame" });
    let message = serde_json::from_value::<SenderToken>(reply).unwrap_err().to_string();
    assert!(message.contains("client credentials") && !message.contains("sesame"), "{message}");
    assert_eq!(read::<SenderToken>(json!("t")).access_token, "t");
}

#[test]
fn ids_are_of_their_own_types() {
    let [first, second] = ["1", "2"].map(|digit| TransferId::try_from(&*ID.replace('3', digit)).unwrap());
    assert!(first < second && first.as_ref() == first.as_str() && TransferId::new("7").is_err());
    assert_eq!(BTreeSet::from([second.clone(), first.clone()]).first(), Some(&first));
    let quotes: HashMap<QuoteId, &str> = HashMap::from([(ID.parse().unwrap(), "shown")]);
    assert_eq!(quotes[&QuoteId::from(Uuid::new(ID).unwrap())], "shown");
    let calls = client();
    // What one call returns is what the next one takes.
    let _: fn(&Client<Browser>, &CompletedTransfer) -> PendingCall<Browser, Transfer> =
        |client, done| client.get_transfer(&done.transfer.transfer_id);
    let _: fn(&Client<Browser>, &CardSession) -> PendingCall<Browser, CardSession> =
        |client, session| client.get_card_session(&session.id);
    let _: fn(&Client<Browser>, &Quote) -> PendingCall<Browser, Quote> =
        |client, quote| client.get_quote(&quote.quote_history_id);
    drop(calls.get_sender(&ID.parse().unwrap()));
}

#[cfg(feature = "uuid")]
#[test]
fn ids_convert_to_those_of_the_crate_uuid() {
    let id = TransferId::new(ID).unwrap();
    let converted = uuid::Uuid::try_from(&id).unwrap();
    assert_eq!(TransferId::from(converted), id);
    let number: TransferId = read(json!(7));
    assert!(uuid::Uuid::try_from(&number).is_err());
}

#[test]
fn requests_are_built_from_what_is_required() {
    let (amount, usd) = (MinorUnits::parse("125.50", 2).unwrap(), CurrencyCode::new("USD").unwrap());
    let route = QuoteRequest::new(to_mexico(), usd, amount).with_quote_by(QuoteBy::ReceiveAmount);
    let quote: Quote = read(quote());
    let request = TransferRequest::of_quote(&route, &quote, ID.parse().unwrap())
        .with_purpose("FAMILY")
        .with_customer_hold(true)
        .with_nonce(Nonce::new(ID).unwrap())
        .with_fields(vec![FieldValue::new("REASON", "GIFT")]);
    let written = serde_json::to_value(&request).unwrap();
    for (name, value) in [
        ("quoteBy", json!("RECEIVE_AMOUNT")),
        ("amount", json!(12_550)),
        ("transferMethod", json!("PUSH_TO_CARD")),
        ("purposeOfRemittance", json!("FAMILY")),
        ("customerHold", json!(true)),
        ("fields", json!([{ "id": "REASON", "value": "GIFT" }])),
    ] {
        assert_eq!(written[name], value, "{name}");
    }
    assert_eq!(route.destination(), to_mexico());
    let queries = (route.recipient_fields(PartyType::Person), route.transfer_fields());
    assert_eq!((queries.0.dst_country, queries.1.dst_currency), (to_mexico().country, to_mexico().currency));
    let _ = (RecipientAccountRequest::new(to_mexico()), SenderRequest::new(PartyType::Person, Vec::new()));
    let _ = (TransferFilter::default().with_limit(20), RecipientFilter::default(), CorridorFilter::default());
    let _ = (CardSessionRequest::default(), HoldCancellation::new(HoldCancellationReason::CustomerRequest));
    let options = CardFormOptions::default().with_title("Tarjeta").with_load_timeout(Duration::from_secs(9));
    assert_eq!((options.title.as_str(), options.session_id), ("Tarjeta", None));
}

#[test]
fn a_match_has_an_arm_for_what_comes_later() {
    let text = |status: &TransferStatusName| match status {
        TransferStatusName::Complete => "Sent",
        _ => "On its way",
    };
    assert_eq!(text(&"complete".into()), "Sent");
    let advice = |error: &Error| match (error.kind(), error.code()) {
        (_, Code::QuoteExpired) => "quote",
        (Kind::Field, _) => "fields",
        _ => "later",
    };
    assert_eq!(advice(&Error::new(Code::QuoteExpired)), "quote");
}

#[test]
fn values_are_shown_without_secrets() {
    fn is_debug<T: Debug>() {}
    is_debug::<(Client<Browser>, CardForm, TransferAttempt<Browser>, FetchedForm<Browser>)>();
    is_debug::<(PendingCall<Browser, Quote>, Browser, Signal, TokenReply)>();
    let client = client();
    let shown =
        format!("{client:?} {:?} {:?}", client.corridors(&CorridorFilter::default()), client.platform());
    assert!(shown.contains("https://api.example") && !shown.contains("secret-token"), "{shown}");
    let policy = client.content_security_policy();
    assert_eq!(policy.frame_src, ["https://card.example"]);
    assert!(policy.to_string().contains("connect-src 'self' https://api.example https://card.example;"));
}
