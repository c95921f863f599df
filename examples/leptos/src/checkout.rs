//! The checkout, from a route to a receipt, without any view.

use futures_channel::mpsc::UnboundedSender;
use leptos::prelude::{GetUntracked, LocalStorage, RwSignal, Set};
use remitkit::api::{
    CARD_ID, Code, Corridor, Country, Destination, Error, FieldValue, JsonRef, MinorUnits, PartyType, Quote,
    QuoteRequest, RecipientAccountRequest, RecipientRequest, Resolution, TransferRequest,
};
use remitkit::browser::Browser;
use remitkit::client::{Client, FetchedForm};

use crate::{Page, shown};

pub type Form = FetchedForm<Browser>;
pub type Answers<T> = UnboundedSender<T>;

/// What the page shows, and where the customer's answers go.
#[derive(Clone)]
pub enum Screen {
    /// Asks for a corridor and an amount as typed.
    Amount(Answers<(Corridor, String)>),
    Fields {
        title: &'static str,
        form: Form,
        country: Option<Country>,
        answers: Answers<Vec<FieldValue>>,
    },
    Card(Answers<Vec<FieldValue>>),
    Review {
        quote: RwSignal<Quote, LocalStorage>,
        form: Form,
        answers: Answers<Vec<FieldValue>>,
    },
    Done(Receipt),
}

#[derive(Clone)]
pub struct Receipt {
    pub confirmation: String,
    pub status: String,
    pub disclaimers: Vec<String>,
    pub pdf: Vec<u8>,
}

/// Leads the customer through the checkout. Each screen stays until the service accepts its answer.
pub async fn checkout(page: Page) {
    let client: &Client<Browser> = &page.client;
    let choose = async |(corridor, typed): (Corridor, String)| {
        let price = price(&corridor, &typed)?;
        let form = client.recipient_fields(&price.recipient_fields(PartyType::Person)).await?;
        Ok((price, Some(corridor.destination_country), form))
    };
    let (price, country, form) = page.ask(Screen::Amount, choose).await;

    let add_recipient = async |fields: Vec<FieldValue>| {
        let request = RecipientRequest::new(PartyType::Person).with_destination(price.destination());
        let request = request.with_fields(fields);
        let recipient = client.create_recipient(&request).await?;
        let form = client.recipient_account_fields(&price.recipient_fields(PartyType::Person)).await?;
        Ok((recipient.recipient_id, form))
    };
    let fields = |title, form, answers| Screen::Fields { title, form, country: country.clone(), answers };
    let ask_recipient = |answers| fields("Who receives?", form, answers);
    let (recipient_id, form) = page.ask(ask_recipient, add_recipient).await;

    let add_account = async |fields: Vec<FieldValue>| {
        let request = RecipientAccountRequest::new(price.destination()).with_fields(fields);
        let account = client.create_recipient_account(&recipient_id, &request).await?;
        let price = price.clone().with_recipient_account_id(account.recipient_account_id);
        let quote = client.quote(&price).await?;
        let form = client.transfer_fields(&price.transfer_fields()).await?;
        Ok((price, quote, form))
    };
    let ask_account = |answers| match form.requires_card() {
        true => Screen::Card(answers),
        false => fields("Which account?", form, answers),
    };
    let (price, quote, form) = page.ask(ask_account, add_account).await;

    let quote = RwSignal::new_local(quote);
    let pay = async |fields: Vec<FieldValue>| {
        let request = TransferRequest::of_quote(&price, &quote.get_untracked(), recipient_id.clone());
        let request = request.with_fields(fields);
        let attempt = client.prepare_transfer(&request).await?;
        let made = attempt.submit().await?.transfer;
        let status = client.get_transfer(&made.transfer_id).await?.status;
        let status = status.map(|status| status.to_string()).unwrap_or_default();
        let pdf = client.transfer_receipt(&made.transfer_id).await?.bytes;
        // The customer sees the result now, so no other page has to show it.
        attempt.acknowledge().await?;
        let confirmation = made.confirmation_number.map(|number| number.to_string()).unwrap_or_default();
        let disclaimers = made.disclaimers.map(|texts| legal_texts(texts.view())).unwrap_or_default();
        Ok(Receipt { confirmation, status, disclaimers, pdf })
    };
    // The review shows the new price, which the customer has to send again.
    let pay_or_quote_again = async |fields: Vec<FieldValue>| {
        let paid: Result<Receipt, Error> = pay(fields).await;
        if paid.as_ref().is_err_and(|error| error.resolution() == Some(Resolution::FetchNewQuote)) {
            quote.set(client.quote(&price).await?);
        }
        paid
    };
    let review = |answers| Screen::Review { quote, form, answers };
    let receipt = page.ask(review, pay_or_quote_again).await;
    page.show(Screen::Done(receipt));
}

/// Returns what is quoted for a typed amount, `125.50`.
pub fn price(corridor: &Corridor, typed: &str) -> Result<QuoteRequest, Error> {
    let none = || Error::invalid(Code::InvalidRequest, "corridor", "one with two currencies");
    let source = corridor.source_currency.0.first().ok_or_else(none)?;
    let destination = corridor.destination_currency.0.first().ok_or_else(none)?;
    let country = corridor.destination_country.iso3_code.clone();
    let destination =
        Destination::new(country, destination.iso3_code.clone(), corridor.transfer_method.clone());
    let amount = MinorUnits::parse(typed, source.decimal_places)?;
    Ok(QuoteRequest::new(destination, source.iso3_code.clone(), amount))
}

pub fn title_of(quote: &Quote) -> String {
    let cost = quote.total_cost.as_ref().unwrap_or(&quote.send_amount);
    let gets = quote.receive_amount.as_ref().map_or_else(String::new, shown);
    format!("You pay {}, they get {gets}", shown(cost))
}

pub fn disclosures(quote: &Quote) -> Vec<String> {
    quote.disclosures.as_ref().map(|texts| legal_texts(texts.view())).unwrap_or_default()
}

/// Returns all texts in their order: the interface does not define the shape of legal texts.
fn legal_texts(json: JsonRef<'_>) -> Vec<String> {
    let inner = || json.items().chain(json.members().map(|(_, member)| member));
    json.text().map_or_else(|| inner().flat_map(legal_texts).collect(), |text| vec![text.into_owned()])
}

pub fn card(card_id: &str) -> Vec<FieldValue> {
    vec![FieldValue::new(CARD_ID, card_id)]
}
