//! The client against the sandbox's router in one process: the five steps of the PUSH_TO_CARD flow, and what the service refuses.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum_body::to_bytes;
use futures_util::future::LocalBoxFuture;
use remitkit::api::json::{View, Wire};
use remitkit::api::*;
use remitkit::client::{Answer, Client, Environment, Journal, Options, Received, SendFailure};
use remitkit_sandbox::{Config, Sandbox};
use tower::ServiceExt;

use crate::support::Store;

/// The sandbox, reached without a network.
struct Direct {
    sandbox: Rc<Sandbox>,
    sender_id: String,
    store: Store,
    /// How many of the next answers are lost after the service has acted.
    lose: Rc<Cell<u32>>,
}

mod axum_body {
    pub(super) async fn to_bytes<B: http_body_util::BodyExt>(body: B) -> Option<Vec<u8>> {
        Some(body.collect().await.ok()?.to_bytes().to_vec())
    }
}

async fn exchange(
    sandbox: &Sandbox,
    method: &str,
    path: &str,
    headers: &[(&str, String)],
    body: String,
) -> (u16, Option<String>, Vec<u8>) {
    let mut request = http::Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let response = sandbox.api_router().oneshot(request.body(body).unwrap()).await.unwrap();
    let header =
        |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (status, request_id) = (response.status().as_u16(), header("request-id"));
    (status, request_id, to_bytes(response.into_body()).await.unwrap())
}

impl Environment for Direct {
    type Signal = ();

    async fn send(&self, url: &str, request: &Request, bearer: &str, _: u32) -> Result<Answer, SendFailure> {
        let path = url.strip_prefix("http://127.0.0.1:4100").unwrap();
        let mut headers = vec![("authorization", format!("Bearer {bearer}"))];
        headers.extend(request.language.iter().map(|language| ("accept-language", language.clone())));
        if request.body.is_some() {
            headers.push(("content-type", "application/json".into()));
        }
        let body = request.body.clone().unwrap_or_default();
        let (status, request_id, body) =
            exchange(&self.sandbox, request.method.as_str(), path, &headers, body).await;
        if self.lose.get() > 0 && request.method == Method::Post {
            self.lose.set(self.lose.get() - 1);
            return Err(SendFailure::Network);
        }
        let is_pdf = request.wants_bytes && status == 200;
        Ok(Answer {
            status,
            request_id,
            retry_after_s: None,
            text: if is_pdf { String::new() } else { String::from_utf8(body.clone()).unwrap() },
            bytes: if is_pdf { body } else { Vec::new() },
            content_type: is_pdf.then(|| "application/pdf".into()),
        })
    }

    async fn token(&self) -> Result<String, Error> {
        let body = format!(
            r#"{{"client_id":"{}","client_secret":"{}","audience":"http://127.0.0.1:4100","grant_type":"client_credentials","sender_id":"{}"}}"#,
            self.sandbox.client_id(),
            self.sandbox.client_secret(),
            self.sender_id
        );
        let headers = [("content-type", "application/json".to_owned())];
        let (status, _, body) = exchange(&self.sandbox, "POST", "/v1/oauth/token", &headers, body).await;
        assert_eq!(status, 200);
        Ok(String::from_utf8(body).unwrap())
    }

    async fn sleep(&self, ms: u32) {
        // Only what lasts is worth waiting for: the sandbox is in this process.
        tokio::time::sleep(Duration::from_millis(u64::from(ms.min(600)))).await;
    }

    async fn aborted(&self, (): &()) {
        std::future::pending().await
    }

    fn is_aborted(&self, (): &()) -> bool {
        false
    }

    fn never(&self) {}

    fn now_ms(&self) -> u64 {
        u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
    }

    fn elapsed_ms(&self) -> u64 {
        self.now_ms()
    }

    fn random(&self) -> f64 {
        0.0
    }

    type Lock = ();

    async fn lock(&self, _: &str) {}

    fn spawn(&self, _: LocalBoxFuture<'static, ()>) {}

    fn parse_time_ms(&self, _: &str) -> Option<u64> {
        None
    }

    fn matches(&self, _: &str, _: &str) -> Option<bool> {
        None
    }

    fn journal(&self) -> &dyn Journal {
        &self.store
    }
}

struct Shop {
    client: Client<Direct>,
    sandbox: Rc<Sandbox>,
    lose: Rc<Cell<u32>>,
}

impl Drop for Shop {
    /// A test that strays from the interface's document fails.
    fn drop(&mut self) {
        let violations = self.sandbox.violations();
        assert!(violations.is_empty() || std::thread::panicking(), "{violations:#?}");
    }
}

fn shop() -> Shop {
    let sandbox = Rc::new(Sandbox::open(Config::for_tests()).unwrap());
    let lose = Rc::new(Cell::new(0));
    let direct = Direct {
        sender_id: sandbox.sender_id(),
        sandbox: sandbox.clone(),
        store: Store::default(),
        lose: lose.clone(),
    };
    let base_url = Address::parse("baseUrl", "http://127.0.0.1:4100").unwrap();
    let client = Client::new(
        direct,
        Options { base_url, locale: "en-US".into(), timeout_ms: 10_000, sender_id: None },
    );
    Shop { client, sandbox, lose }
}

const CORRIDOR: &str =
    r#""dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"PUSH_TO_CARD""#;

impl Shop {
    async fn call(
        &self,
        operation: &'static Operation,
        ids: &[&str],
        input: Option<String>,
    ) -> Result<String, Error> {
        self.client.call(operation, ids, input.as_deref(), &()).await.map(Received::into_json)
    }

    async fn quote(&self, account: Option<&str>) -> String {
        let account = account.map_or(String::new(), |id| format!(r#","recipientAccountId":"{id}""#));
        let request = format!(
            r#"{{{CORRIDOR},"srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":12550{account}}}"#
        );
        self.call(&QUOTE, &[], Some(request)).await.unwrap()
    }

    /// Values that the required fields ask for: the first option of a dropdown, the placeholder of a text.
    async fn fill(&self, operation: &'static Operation, query: &str, card_id: &str) -> String {
        let (form, received) = self.client.field_form(operation, query, &()).await.unwrap();
        let sets = FieldSets::read(received.view()).unwrap();
        let mut values = json::Writer::default();
        values.object(|out| {
            let required = |field: &&FieldDefinition| field.is_required || field.field_id == CARD_ID;
            for field in sets.field_sets.iter().flat_map(|set| &set.fields).filter(required) {
                match (&field.field_type, field.field_id.as_str()) {
                    (_, "CARD_ID") => out.text_member("CARD_ID", card_id),
                    (FieldType::Date, id) => out.text_member(id, "1990-05-17"),
                    (FieldType::PhoneNumber, id) => {
                        out.member(id);
                        out.raw(r#"{"number":"5512345678","countryIso3Code":"MEX","countryPhoneCode":"52"}"#);
                    }
                    (FieldType::Dropdown, id) => {
                        if let Some(option) = field.options.iter().flatten().next() {
                            out.text_member(id, &option.id.0);
                        }
                    }
                    (_, id) => out.text_member(
                        id,
                        field.placeholder_text.as_deref().filter(|text| !text.is_empty()).unwrap_or("Ana"),
                    ),
                }
            }
        });
        form.to_fields(&values.finish()).unwrap()
    }

    /// The five steps of the flow as far as the account.
    async fn recipient_with_card(&self) -> (String, String) {
        let query = format!(r#"{{{CORRIDOR},"recipientType":"PERSON"}}"#);
        let fields = self.fill(&RECIPIENT_FIELDS, &query, "").await;
        let recipient = self
            .call(
                &CREATE_RECIPIENT,
                &[],
                Some(format!(r#"{{"userType":"PERSON",{CORRIDOR},"fields":{fields}}}"#)),
            )
            .await;
        let recipient = recipient.unwrap_or_else(|error| panic!("{error:?} {:?}", error.problems()));
        let recipient_id = text_of(&recipient, "recipientId");

        let (form, _) = self.client.field_form(&RECIPIENT_ACCOUNT_FIELDS, &query, &()).await.unwrap();
        assert!(form.requires_card());
        let session =
            self.call(&CREATE_CARD_SESSION, &[], Some(r#"{"entityMode":"RECIPIENT"}"#.into())).await.unwrap();
        let session_id = text_of(&session, "id");
        assert_eq!(text_of(&session, "status"), "INCOMPLETE");
        assert!(View::new(&session).member("cardId").is_none_or(View::is_null));

        let card = r#"{"number":"4111111111111111","expiryMonth":12,"expiryYear":2030,"name":"Ana Diaz","securityCode":"123"}"#;
        let request = http::Request::post(format!("/v2/add-card/{session_id}/verify"))
            .header("content-type", "application/json");
        let response =
            self.sandbox.card_router().oneshot(request.body(card.to_owned()).unwrap()).await.unwrap();
        let verified = String::from_utf8(to_bytes(response.into_body()).await.unwrap()).unwrap();
        assert!(verified.contains("SUCCESS"), "{verified}");
        let session = self.call(&GET_CARD_SESSION, &[&session_id], None).await.unwrap();
        let card_id = text_of(&session, "cardId");

        let fields = self.fill(&RECIPIENT_ACCOUNT_FIELDS, &query, &card_id).await;
        let account = self
            .call(
                &CREATE_RECIPIENT_ACCOUNT,
                &[&recipient_id],
                Some(format!(r#"{{{CORRIDOR},"fields":{fields}}}"#)),
            )
            .await;
        let account = account.unwrap_or_else(|error| panic!("{error:?} {:?}", error.problems()));
        (recipient_id, text_of(&account, "recipientAccountId"))
    }

    /// The transfers that the service knows of.
    async fn recorded(&self) -> Vec<ListedTransfer> {
        let everything = TransferFilter { sender_id: None, limit: None, offset: None };
        self.client.transfers(&everything, &()).await.unwrap()
    }

    async fn transfer_request(&self, recipient_id: &str, account_id: &str) -> String {
        let quote_id = text_of(&self.quote(Some(account_id)).await, "quoteHistoryId");
        let fields = self.fill(&TRANSFER_FIELDS, &format!("{{{CORRIDOR}}}"), "").await;
        format!(
            r#"{{{CORRIDOR},"srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":12550,"quoteHistoryId":"{quote_id}","recipientId":"{recipient_id}","recipientAccountId":"{account_id}","fields":{fields}}}"#
        )
    }
}

fn text_of(json: &str, name: &str) -> String {
    View::new(json)
        .member(name)
        .and_then(View::label)
        .unwrap_or_else(|| panic!("no {name} in {json}"))
        .into_owned()
}

#[tokio::test]
async fn the_five_steps_end_in_one_transfer() {
    let shop = shop();
    let corridors = shop.client.corridors(&()).await.unwrap();
    assert!(corridors.iter().any(|corridor| corridor.transfer_method == TransferMethod::PushToCard));
    let (recipient_id, account_id) = shop.recipient_with_card().await;
    let request = shop.transfer_request(&recipient_id, &account_id).await;
    let outcome = shop.client.prepare_transfer(&request, &()).await.unwrap().submit(&()).await.unwrap();
    assert!(!outcome.recovered);
    let transfer_id = text_of(&outcome.transfer.json, "transferId");
    assert!(!text_of(&outcome.transfer.json, "confirmationNumber").is_empty());

    let transfer = shop.client.get_transfer(&Uuid::new(&transfer_id).unwrap(), &()).await.unwrap();
    assert_eq!(transfer.transfer_id.0, transfer_id);
    let receipt = shop.client.call(&TRANSFER_RECEIPT, &[&transfer_id], None, &()).await.unwrap();
    assert!(receipt.bytes.starts_with(b"%PDF-"));
    assert_eq!(shop.recorded().await.len(), 1);
    let amount = shop.recorded().await[0]
        .quote
        .clone()
        .and_then(|quote| quote.send_amount)
        .and_then(|amount| amount.value);
    assert!(amount.is_some_and(|amount| amount.0.starts_with("125.5")), "a list has decimals");
    let statuses = shop.client.transfer_statuses(&Uuid::new(&transfer_id).unwrap(), &()).await.unwrap();
    assert!(!statuses.statuses.is_empty());

    // The quote is spent: the same transfer once more is the one that exists.
    let again = shop.client.prepare_transfer(&request, &()).await.unwrap().submit(&()).await.unwrap();
    assert!(again.recovered);
    assert_eq!(text_of(&again.transfer.json, "transferId"), transfer_id);
}

#[tokio::test]
async fn an_answer_that_is_lost_after_the_deed_is_recovered() {
    let shop = shop();
    let (recipient_id, account_id) = shop.recipient_with_card().await;
    let request = shop.transfer_request(&recipient_id, &account_id).await;
    let attempt = shop.client.prepare_transfer(&request, &()).await.unwrap();
    shop.lose.set(1);
    let outcome = attempt.submit(&()).await.unwrap();
    assert!(outcome.recovered);
    assert_eq!(shop.recorded().await.len(), 1);
}

#[tokio::test]
async fn what_the_service_refuses_has_its_code_and_a_trace_id() {
    let shop = shop();
    let unknown = "99999999-4f89-41d3-9a0c-0305e82c3301";
    let cases = [
        (shop.call(&GET_TRANSFER, &[unknown], None).await, Code::TransferNotFound, Kind::NotFound),
        (shop.call(&GET_RECIPIENT, &[unknown], None).await, Code::RecipientNotFound, Kind::NotFound),
        (shop.call(&GET_QUOTE, &[unknown], None).await, Code::QuoteHistoryNotFound, Kind::Quote),
        (
            shop.call(&QUOTE, &[], Some(r#"{"transferMethod":"PUSH_TO_CARD","quoteBy":"SEND_AMOUNT","dstCountryIso3Code":"XXX","srcCurrencyIso3Code":"USD","dstCurrencyIso3Code":"MXN","amount":100}"#.into())).await,
            Code::UnsupportedCountry,
            Kind::Quote,
        ),
    ];
    for (result, code, kind) in cases {
        let error = result.unwrap_err();
        assert_eq!((error.code(), error.kind()), (code, kind));
        assert!(error.request_id().is_some() && error.http_status().is_some_and(|status| status >= 400));
        assert!(!error.message().is_empty());
    }
}

#[tokio::test]
async fn amounts_with_no_two_and_three_decimals_come_as_the_service_has_them() {
    let shop = shop();
    let mut seen = std::collections::BTreeSet::new();
    for corridor in shop.client.corridors(&()).await.unwrap() {
        seen.extend(corridor.destination_currency.0.iter().map(|currency| currency.decimal_places));
    }
    assert!([0, 2, 3].iter().all(|places| seen.contains(places)), "{seen:?}");
}

#[tokio::test]
async fn choices_that_depend_on_others_are_fetched_when_those_are_made() {
    let shop = shop();
    let query = r#"{"dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"CASH_PICKUP"}"#;
    let (form, _) = shop.client.field_form(&TRANSFER_FIELDS, query, &()).await.unwrap();
    let options = async |field: &str, values: &str| -> Vec<FieldOption> {
        shop.client.field_options(&form, field, values, &()).await.unwrap().read().unwrap()
    };
    let states = options("PAYER_STATE_PROVINCE", "{}").await;
    assert!(!states.is_empty());
    assert_eq!(options("PAYER_CITY", "{}").await, []);
    let cities = options("PAYER_CITY", &format!(r#"{{"PAYER_STATE_PROVINCE":"{}"}}"#, states[0].id.0)).await;
    assert!(!cities.is_empty() && cities[0] != states[0]);
}
