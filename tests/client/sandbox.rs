//! The typed client against the sandbox's router in one process: all operations, and the service's refusals.

use std::rc::Rc;

use remitkit::api::*;
use remitkit::client::{Client, FetchedForm};
use serde_json::{Value, json};

use crate::direct::{self, Direct};
use crate::script::Script;

fn shop() -> (Client<Script>, Rc<Direct>) {
    let (script, service) = direct::open();
    (script.builder().locale("es-MX").build().unwrap(), service)
}

fn to_mexico() -> QuoteRequest {
    let [pesos, dollars] = ["MXN", "USD"].map(|code| CurrencyCode::new(code).unwrap());
    let destination = Destination::new("MEX".parse().unwrap(), pesos, TransferMethod::PushToCard);
    QuoteRequest::new(destination, dollars, MinorUnits::new(12_550).unwrap())
}

/// Returns values for the required fields: the first choice of a dropdown, the placeholder of a text.
pub(crate) fn fill(form: &FetchedForm<Script>, card_id: &str) -> Vec<FieldValue> {
    let fields = form.field_sets.iter().flat_map(|set| &set.fields);
    let required = fields.filter(|field| field.is_required || field.field_id == CARD_ID);
    let values = required.map(|field| {
        let id = field.field_id.as_str();
        let choice = field.options.iter().flatten().next().map(|option| option.id.as_str());
        let example = field.placeholder_text.as_deref().filter(|text| !text.is_empty());
        match &field.field_type {
            _ if id == CARD_ID => FieldValue::new(CARD_ID, card_id),
            FieldType::Date => FieldValue::new(id, "1990-05-17"),
            FieldType::PhoneNumber => {
                let country = &"MEX".parse().unwrap();
                FieldValue::phone(
                    id,
                    PhoneNumber { number: "+52 1 (55) 1234-5678", country, phone_code: Some("52") },
                )
            }
            _ => FieldValue::new(id, choice.or(example).unwrap_or("Ana")),
        }
    });
    let values: Vec<_> = values.collect();
    assert_eq!(form.check(&values), []);
    form.to_fields(&values)
}

/// Takes the steps of the flow up to the account.
async fn recipient_with_card(shop: &Client<Script>, service: &Direct) -> (RecipientId, RecipientAccountId) {
    let (route, query) = (to_mexico(), to_mexico().recipient_fields(PartyType::Person));
    let form = shop.recipient_fields(&query).await.unwrap();
    assert!(!form.requires_card());
    let request = RecipientRequest::new(PartyType::Person).with_fields(fill(&form, ""));
    let request = request.with_destination(route.destination());
    let recipient_id = shop.create_recipient(&request).await.unwrap().recipient_id;
    let session = shop.open_card(None).await.unwrap();
    assert_eq!((session.status, session.card_id), (CardSessionStatus::Incomplete, None));
    service.enter_card(&session.id).await;
    let session = shop.get_card_session(&session.id).await.unwrap();
    assert_eq!(session.status, CardSessionStatus::Succeeded);
    let card_id = shop.read_card(&session.id).await.unwrap();
    assert_eq!(session.card_id.unwrap().as_str(), card_id);
    let form = shop.recipient_account_fields(&query).await.unwrap();
    assert!(form.requires_card());
    let request = RecipientAccountRequest::new(route.destination()).with_fields(fill(&form, &card_id));
    let account = shop.create_recipient_account(&recipient_id, &request).await.unwrap();
    (recipient_id, account.recipient_account_id)
}

/// Returns the transfers that the service has recorded.
async fn recorded(shop: &Client<Script>) -> Vec<ListedTransfer> {
    shop.transfers(&TransferFilter::default()).await.unwrap()
}

/// Opens a shop and takes the steps up to the transfer.
async fn to_transfer() -> (Client<Script>, TransferRequest) {
    let (shop, service) = shop();
    let (recipient_id, account_id) = recipient_with_card(&shop, &service).await;
    let quoted = to_mexico().with_recipient_account_id(account_id);
    let quote = shop.quote(&quoted).await.unwrap();
    let form = shop.transfer_fields(&quoted.transfer_fields()).await.unwrap();
    let request = TransferRequest::of_quote(&quoted, &quote, recipient_id);
    (shop, request.with_fields(fill(&form, "")))
}

fn to_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_five_steps_end_in_one_transfer() {
    let (shop, request) = to_transfer().await;
    let outcome = shop.transfer(&request).await.unwrap();
    let shown = to_json(&outcome);
    assert_eq!(shown["recovered"], json!(false));
    assert_eq!(shown["confirmationNumber"], to_json(&outcome.transfer.confirmation_number));
    let transfer_id = &outcome.transfer.transfer_id;

    let transfer = shop.get_transfer(transfer_id).await.unwrap();
    assert_eq!(transfer.transfer_id, *transfer_id);
    let receipt = shop.transfer_receipt(transfer_id).await.unwrap();
    assert!(receipt.bytes.starts_with(b"%PDF-"));
    assert_eq!(receipt.content_type.as_deref(), Some("application/pdf"));
    let recorded = recorded(&shop).await;
    let amount = to_json(&recorded[0])["quote"]["sendAmount"]["value"].to_string();
    assert!(amount.trim_matches('"').starts_with("125.5"), "a list has decimals: {amount}");
    assert_eq!(recorded.len(), 1);
    assert!(!shop.transfer_statuses(transfer_id).await.unwrap().statuses.is_empty());
    let progress = shop.transfer_progress(&request.quote_history_id).await.unwrap();
    assert_eq!(progress.status, TransferRecordStatus::Created);
}

#[tokio::test(start_paused = true)]
async fn a_held_transfer_is_released_or_canceled() {
    for is_released in [true, false] {
        let (shop, request) = to_transfer().await;
        let held = request.with_customer_hold(true);
        let made = shop.transfer(&held).await.unwrap().transfer;
        let cancellation = HoldCancellation::new(HoldCancellationReason::CustomerRequest);
        if is_released {
            shop.release_customer_hold(&made.transfer_id).await.unwrap();
            let error = shop.cancel_customer_hold(&made.transfer_id, &cancellation).await.unwrap_err();
            assert!(error.http_status().is_some(), "{error:?}");
        } else {
            shop.cancel_customer_hold(&made.transfer_id, &cancellation).await.unwrap();
            let status = shop.get_transfer(&made.transfer_id).await.unwrap().status;
            assert_eq!(status, Some(TransferStatusName::PendingCancelation));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn records_are_read_and_deleted() {
    let (shop, service) = shop();
    let (recipient_id, account_id) = recipient_with_card(&shop, &service).await;
    assert_eq!(shop.get_recipient(&recipient_id).await.unwrap().recipient_id, recipient_id);
    assert_eq!(shop.recipients(&RecipientFilter::default()).await.unwrap().len(), 1);
    let accounts = shop.recipient_accounts(&recipient_id).await.unwrap();
    assert_eq!(accounts[0].recipient_account_id, account_id);
    let account = shop.get_recipient_account(&recipient_id, &account_id).await.unwrap();
    assert_eq!(account.transfer_method, Some(TransferMethod::PushToCard));
    shop.delete_recipient_account(&recipient_id, &account_id).await.unwrap();
    assert!(shop.recipient_accounts(&recipient_id).await.unwrap().is_empty());
    shop.delete_recipient(&recipient_id).await.unwrap();
    assert!(shop.recipients(&RecipientFilter::default()).await.unwrap().is_empty());

    let sender_id = shop.sender_id().await.unwrap();
    assert_eq!(shop.get_sender(&sender_id).await.unwrap().sender_id, sender_id);
    let form = shop.sender_fields(&SenderFieldsQuery::new(PartyType::Person)).await.unwrap();
    let blank = form.check(&[FieldValue::new("FIRST_NAME", " ")]);
    assert!(blank.iter().any(|problem| problem.code == Code::InvalidSenderName), "{blank:?}");
    assert_eq!(to_json(&blank[0])["fieldId"], json!(blank[0].field_id));
}

#[tokio::test(start_paused = true)]
async fn typed_records_serialize_as_the_service_wrote_them() {
    let (shop, _) = shop();
    let read = async |path: &str| {
        let reply = shop.request(&RawRequest::new(Method::Get, path)).await.unwrap();
        serde_json::from_str::<Value>(reply.as_str()).unwrap()
    };
    let corridors = shop.corridors(&CorridorFilter::default()).await.unwrap();
    let raw = read("/v1/corridors").await;
    assert_eq!(to_json(&corridors[0])["transferMethod"], raw[0]["transferMethod"]);
    assert_eq!(serde_json::from_value::<Vec<Corridor>>(raw).unwrap(), corridors);
    let currencies = corridors.iter().flat_map(|corridor| &corridor.destination_currency.0);
    let decimals: Vec<_> = currencies.map(|currency| currency.decimal_places).collect();
    assert!([0, 2, 3].iter().all(|places| decimals.contains(places)), "{decimals:?}");
    let quote = shop.quote(&to_mexico()).await.unwrap();
    let raw = read(&format!("/v1/quote/{}", quote.quote_history_id)).await;
    let written = to_json(&quote);
    for name in ["sendAmount", "rate", "totalCost", "quoteHistoryId"] {
        assert_eq!(written[name], raw[name], "{name}");
    }
    assert_eq!(written["sendAmount"]["value"], json!(12_550));
    assert_eq!(serde_json::from_value::<Quote>(written.clone()).unwrap(), quote);
    // A quote is in the client's language, which a request given by its parts does not name.
    let [fee, in_english] = [&written["adjustments"][0], &raw["adjustments"][0]];
    assert_eq!((&fee["amount"], &fee["label"]), (&in_english["amount"], &json!("Comisión de envío")));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_the_service_has_its_code_and_a_request_id() {
    let (shop, _) = shop();
    let unknown = "99999999-4f89-41d3-9a0c-0305e82c3301";
    let mut elsewhere = to_mexico();
    elsewhere.dst_country = "XXX".parse().unwrap();
    for (failed, code, kind) in [
        (shop.get_transfer(&unknown.parse().unwrap()).await.err(), Code::TransferNotFound, Kind::NotFound),
        (shop.get_recipient(&unknown.parse().unwrap()).await.err(), Code::RecipientNotFound, Kind::NotFound),
        (shop.get_quote(&unknown.parse().unwrap()).await.err(), Code::QuoteHistoryNotFound, Kind::Quote),
        (shop.quote(&elsewhere).await.err(), Code::UnsupportedCountry, Kind::Quote),
    ] {
        let error = failed.unwrap();
        assert_eq!(to_json(&error)["code"], json!(code.as_str()));
        assert_eq!((error.code(), error.kind()), (code, kind));
        assert!(error.request_id().is_some() && error.http_status().is_some_and(|status| status >= 400));
        assert!(!error.message().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn whether_a_field_is_required_depends_on_others() {
    let (shop, _) = shop();
    let form = shop.sender_fields(&SenderFieldsQuery::new(PartyType::Business)).await.unwrap();
    let with_years = |years| [FieldValue::new("YEARS_IN_BUSINESS", years)];
    let is_required = |id, values: &[FieldValue]| form.is_required(id, values).map_err(|error| error.kind());
    assert_eq!(is_required("companyName", &[]), Ok(true));
    assert_eq!(is_required("GUARANTOR_NAME", &[]), Ok(false));
    assert_eq!(is_required("GUARANTOR_NAME", &with_years("1")), Ok(true));
    assert_eq!(is_required("GUARANTOR_NAME", &with_years("2")), Ok(false));
    assert_eq!(is_required("GUARANTOR_PLANET", &[]), Err(Kind::InvalidRequest));
}

#[tokio::test(start_paused = true)]
async fn dependent_options_are_fetched_for_the_values_they_depend_on() {
    let (shop, _) = shop();
    let mut query = to_mexico().transfer_fields();
    query.transfer_method = TransferMethod::CashPickup;
    let form = shop.transfer_fields(&query).await.unwrap();
    let states = form.options("PAYER_STATE_PROVINCE", &[]).await.unwrap();
    assert!(!states.is_empty());
    assert_eq!(form.options("PAYER_CITY", &[]).await.unwrap(), []);
    let chosen = [FieldValue::new("PAYER_STATE_PROVINCE", states[0].id.as_str())];
    let cities = form.options("PAYER_CITY", &chosen).await.unwrap();
    assert!(!cities.is_empty() && cities[0] != states[0]);
    let error = form.options("PAYER_PLANET", &[]).await.unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidRequest);
}
