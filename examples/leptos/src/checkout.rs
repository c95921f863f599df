//! The checkout, from a route to a receipt, without any view.

use futures_channel::mpsc::UnboundedSender;
use leptos::prelude::{GetUntracked, LocalStorage, RwSignal, Set};
use remitkit::api::{
    Code, Corridor, Country, Destination, Error, FieldValue, JsonRef, Kind, MinorUnits, PartyType, Quote,
    QuoteRequest, RecipientAccountRequest, RecipientId, RecipientRequest, Resolution, TransferMethod,
    TransferRequest,
};
use remitkit::browser::Browser;
use remitkit::client::{Client, FetchedForm, PushToCardStep, TransferAttempt};

use crate::fields::has_shown_fields;
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
    /// Asks for a card, by its id.
    Card(Answers<String>),
    Review {
        quote: RwSignal<Quote, LocalStorage>,
        form: Form,
        answers: Answers<Vec<FieldValue>>,
    },
    Retry(Answers<()>),
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
        Ok(client.create_recipient(&request.with_fields(fields)).await?.recipient_id)
    };
    let ask_recipient = |answers| fields_of("Who receives?", form, &country, answers);
    let recipient_id = page.ask(ask_recipient, add_recipient).await;

    let receipt = match price.transfer_method {
        TransferMethod::PushToCard => pay_to_card(&page, &price, &recipient_id, &country).await,
        _ => pay_to_account(&page, price, recipient_id, &country).await,
    };
    page.show(Screen::Done(receipt));
}

/// Pays to a card of the recipient: the flow knows what comes next, also after an error.
async fn pay_to_card(
    page: &Page,
    price: &QuoteRequest,
    recipient_id: &RecipientId,
    country: &Option<Country>,
) -> Receipt {
    let client = &page.client;
    let mut flow = client.push_to_card(price, recipient_id);
    let mut quoted = None;
    loop {
        let taken = match flow.next_step().await {
            Ok(PushToCardStep::AccountFields(form)) if has_shown_fields(&form) => {
                let ask = |answers| fields_of("Which account?", form, country, answers);
                let fields = page.ask(ask, async |fields: Vec<FieldValue>| Ok(fields)).await;
                flow.set_account_fields(&fields)
            }
            Ok(PushToCardStep::AccountFields(_)) => flow.set_account_fields(&[]),
            Ok(PushToCardStep::Card) => {
                flow.set_card(&page.ask(Screen::Card, async |card_id: String| Ok(card_id)).await);
                Ok(())
            }
            Ok(PushToCardStep::Quote(quote)) => {
                quoted = Some(quote);
                Ok(())
            }
            Ok(PushToCardStep::Details(request)) => review(page, price, quoted.clone())
                .await
                .map(|fields| flow.set_details(&request.with_fields(fields))),
            Ok(PushToCardStep::Transfer(attempt)) => match submit_until_certain(page, &attempt).await {
                Ok(receipt) => return receipt,
                // No transfer was made.
                Err(error) => {
                    flow.renew_quote();
                    Err(error)
                }
            },
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = taken {
            page.fail_until_retried(&error).await;
        }
    }
}

/// Submits the same attempt until its outcome is certain: another could pay twice.
async fn submit_until_certain(page: &Page, attempt: &TransferAttempt<Browser>) -> Result<Receipt, Error> {
    loop {
        match receipt_of(attempt).await {
            Err(error) if error.kind() == Kind::OutcomeUnknown => page.fail_until_retried(&error).await,
            outcome => return outcome,
        }
    }
}

/// Shows a quote until the customer sends the fields of its transfer.
async fn review(page: &Page, price: &QuoteRequest, quote: Option<Quote>) -> Result<Vec<FieldValue>, Error> {
    let quote = RwSignal::new_local(quote.ok_or_else(|| Error::new(Code::QuoteExpired))?);
    let form = page.client.transfer_fields(&price.transfer_fields()).await?;
    let ask = |answers| Screen::Review { quote, form, answers };
    Ok(page.ask(ask, async |fields: Vec<FieldValue>| Ok(fields)).await)
}

async fn pay_to_account(
    page: &Page,
    price: QuoteRequest,
    recipient_id: RecipientId,
    country: &Option<Country>,
) -> Receipt {
    let client = &page.client;
    let add_account = async |fields: Vec<FieldValue>| {
        let request = RecipientAccountRequest::new(price.destination()).with_fields(fields);
        let account = client.create_recipient_account(&recipient_id, &request).await?;
        let price = price.clone().with_recipient_account_id(account.recipient_account_id);
        let quote = client.quote(&price).await?;
        let form = client.transfer_fields(&price.transfer_fields()).await?;
        Ok((price, quote, form))
    };
    let query = price.recipient_fields(PartyType::Person);
    let form = loop {
        match client.recipient_account_fields(&query).await {
            Ok(form) => break form,
            Err(error) => page.fail_until_retried(&error).await,
        }
    };
    let ask_account = |answers| fields_of("Which account?", form, country, answers);
    let (price, quote, form) = page.ask(ask_account, add_account).await;

    let quote = RwSignal::new_local(quote);
    // The review shows the new price, which the customer has to send again.
    let pay_or_quote_again = async |fields: Vec<FieldValue>| {
        let request = TransferRequest::of_quote(&price, &quote.get_untracked(), recipient_id.clone());
        let paid = match client.prepare_transfer(&request.with_fields(fields)).await {
            Ok(attempt) => receipt_of(&attempt).await,
            Err(error) => Err(error),
        };
        if paid.as_ref().is_err_and(|error| error.resolution() == Some(Resolution::FetchNewQuote)) {
            quote.set(client.quote(&price).await?);
        }
        paid
    };
    let review = |answers| Screen::Review { quote, form, answers };
    page.ask(review, pay_or_quote_again).await
}

/// Submits a transfer. Once it was made, nothing is an error any more: who tries again would pay twice.
async fn receipt_of(attempt: &TransferAttempt<Browser>) -> Result<Receipt, Error> {
    let client = attempt.client();
    let made = attempt.submit().await?.transfer;
    let status = client.get_transfer(&made.transfer_id).await.map_or(made.status, |latest| latest.status);
    let status = status.map(|status| status.to_string()).unwrap_or_default();
    let pdf =
        client.transfer_receipt(&made.transfer_id).await.map(|receipt| receipt.bytes).unwrap_or_default();
    // The customer sees the result now, so no other page has to show it.
    let _ = attempt.acknowledge().await;
    let confirmation = made.confirmation_number.map(|number| number.to_string()).unwrap_or_default();
    let disclaimers = made.disclaimers.map(|texts| legal_texts(texts.view())).unwrap_or_default();
    Ok(Receipt { confirmation, status, disclaimers, pdf })
}

fn fields_of(
    title: &'static str,
    form: Form,
    country: &Option<Country>,
    answers: Answers<Vec<FieldValue>>,
) -> Screen {
    Screen::Fields { title, form, country: country.clone(), answers }
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
