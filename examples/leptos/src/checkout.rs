//! The calls of a checkout, from a route to a receipt, without any view.

use remitkit::api::{
    CARD_ID, Corridor, Country, Error, FieldValue, MinorUnits, PartyType, Quote, QuoteBy, QuoteRequest,
    RecipientAccountRequest, RecipientId, RecipientRequest, TransferMethod, TransferRequest, Uuid,
};
use remitkit::browser::Browser;
use remitkit::client::{Client, FetchedForm};

pub type Form = FetchedForm<Browser>;

/// A step of the checkout, with the results so far.
#[derive(Clone)]
pub enum Step {
    Amount,
    Recipient(Route, Form),
    Account(Route, Form, RecipientId),
    Review(Form, TransferRequest, Quote),
    Done(Receipt),
}

/// What is quoted, and the destination country.
#[derive(Clone)]
pub struct Route {
    pub quoted: QuoteRequest,
    pub country: Country,
}

#[derive(Clone)]
pub struct Receipt {
    pub confirmation: String,
    pub status: String,
    pub pdf: Vec<u8>,
}

/// Returns the route of a corridor for a typed amount, `125.50`.
pub fn route(corridor: &Corridor, typed: &str) -> Result<Route, Error> {
    let none = || Error::invalid(remitkit::api::Code::InvalidRequest, "corridor", "one with two currencies");
    let source = corridor.source_currency.0.first().ok_or_else(none)?;
    let destination = corridor.destination_currency.0.first().ok_or_else(none)?;
    let quoted = QuoteRequest {
        transfer_method: corridor.transfer_method.clone(),
        quote_by: QuoteBy::SendAmount,
        dst_country: corridor.destination_country.iso3_code.clone(),
        src_currency: source.iso3_code.clone(),
        dst_currency: destination.iso3_code.clone(),
        amount: MinorUnits::parse(typed, source.decimal_places)?,
        recipient_account_id: None,
    };
    Ok(Route { quoted, country: corridor.destination_country.clone() })
}

pub async fn ask_recipient(client: &Client<Browser>, route: Route) -> Result<Step, Error> {
    let form = client.recipient_fields(&route.quoted.recipient_fields(PartyType::Person)).await?;
    Ok(Step::Recipient(route, form))
}

pub async fn add_recipient(
    client: &Client<Browser>,
    route: Route,
    fields: Vec<FieldValue>,
) -> Result<Step, Error> {
    let (dst_country, dst_currency, transfer_method) = place(&route.quoted);
    let request = RecipientRequest {
        user_type: Some(PartyType::Person),
        fields: Some(fields),
        dst_country,
        dst_currency,
        transfer_method,
        ..RecipientRequest::default()
    };
    let recipient = client.create_recipient(&request).await?;
    let query = route.quoted.recipient_fields(PartyType::Person);
    let form = client.recipient_account_fields(&query).await?;
    Ok(Step::Account(route, form, recipient.recipient_id))
}

/// Adds an account, or the card if the form asks for one.
pub async fn add_account(
    client: &Client<Browser>,
    route: Route,
    recipient_id: RecipientId,
    fields: Vec<FieldValue>,
) -> Result<Step, Error> {
    let (dst_country, dst_currency, transfer_method) = place(&route.quoted);
    let fields = Some(fields);
    let request = RecipientAccountRequest {
        dst_country,
        dst_currency,
        transfer_method,
        fields,
        ..RecipientAccountRequest::default()
    };
    let account = client.create_recipient_account(&recipient_id, &request).await?;
    let quoted = QuoteRequest { recipient_account_id: Some(account.recipient_account_id), ..route.quoted };
    let quote = client.quote(&quoted).await?;
    let form = client.transfer_fields(&quoted.transfer_fields()).await?;
    let request = TransferRequest::of_quote(&quoted, &quote, recipient_id);
    Ok(Step::Review(form, request, quote))
}

pub fn card(card_id: &str) -> Vec<FieldValue> {
    vec![FieldValue::new(CARD_ID, card_id)]
}

pub async fn pay(
    client: &Client<Browser>,
    request: TransferRequest,
    fields: Vec<FieldValue>,
) -> Result<Step, Error> {
    let request = TransferRequest { fields: Some(fields), ..request };
    let attempt = client.prepare_transfer(&request).await?;
    let made = attempt.submit().await?.transfer;
    let transfer_id = Uuid::try_from(&made.transfer_id)?;
    let status = client.get_transfer(&transfer_id).await?.status.unwrap_or_default();
    let pdf = client.transfer_receipt(&transfer_id).await?.bytes;
    // The customer sees the result now, so no other page has to show it.
    attempt.acknowledge().await?;
    let confirmation = made.confirmation_number.map(|number| number.to_string()).unwrap_or_default();
    Ok(Step::Done(Receipt { confirmation, status, pdf }))
}

type Place =
    (Option<remitkit::api::CountryCode>, Option<remitkit::api::CurrencyCode>, Option<TransferMethod>);

fn place(quoted: &QuoteRequest) -> Place {
    let QuoteRequest { dst_country, dst_currency, transfer_method, .. } = quoted.clone();
    (Some(dst_country), Some(dst_currency), Some(transfer_method))
}
