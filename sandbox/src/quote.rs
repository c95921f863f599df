//! Quotes: what a transfer costs and what arrives (interface, part 4).

use crate::client::Client;
use crate::corridor::{ADVICE, QuoteBy, RequestedRoute, Route};
use crate::endpoint::*;
use crate::price::{Adjustments, Price, Terms};
use crate::retention::expired_rows;
use crate::sender::Sender;
use crate::transfer_method::TransferMethod;
use crate::trigger::Operation;
use crate::triggers;
use crate::world::World;
use crate::{disclosures, rates, recipient_account};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Quote {
    pub(crate) id: Uuid,
    client: Uuid,
    sender: Option<Uuid>,
    pub(crate) account: Option<Uuid>,
    pub(crate) route: Route,
    pub(crate) source: String,
    pub(crate) by: QuoteBy,
    pub(crate) amount: i64,
    pub(crate) price: Price,
    pub(crate) expires_at: i64,
    pub(crate) has_failed: bool,
}

record!(Quote, "quotes");

impl Quote {
    /// Whether a quote for the same request would have the same price now.
    pub(crate) fn holds(&self, db: &Connection, world: &World) -> Result<bool> {
        let terms = terms(db, world, &self.route, &self.source, self.account.is_some())?;
        Ok(terms.price(self.by, self.amount) == Some(self.price))
    }

    pub(crate) fn to_wire(&self, world: &World, spanish: bool) -> Reply {
        let (route, price) = (&self.route, self.price);
        let country = world.recorded_country(&route.country)?;
        let destination = world.recorded_currency(&route.destination)?;
        let source = world.recorded_currency(&self.source)?;
        let amount = |value: i64| json!({ "value": value, "currency": source });
        let Adjustments { fee, tax, discount } = price.adjustments;
        let adjustments = [
            ("TransferFee", "Transfer fee", "Comisión de envío", Some(fee)),
            ("Tax", "Tax", "Impuesto", Some(tax).filter(|tax| *tax != 0)),
            ("Discount", "Discount", "Descuento", Some(-discount).filter(|discount| *discount != 0)),
        ];
        let adjustments = adjustments.into_iter().filter_map(|(id, english, other, value)| {
            let label = if spanish { other } else { english };
            value.map(|value| json!({ "id": id, "label": label, "amount": amount(value) }))
        });
        let mut quote = json!({
            "customerId": self.client,
            "senderId": self.sender,
            "sendAmount": amount(price.send),
            "receiveAmount": { "value": price.receive, "currency": destination },
            // At most six decimal places, which a double holds exactly enough to print them back.
            "rate": price.rate_micros as f64 / 1e6,
            "adjustments": adjustments.collect::<Value>(),
            "totalCost": amount(price.total),
            "destinationCountryISO3Code": route.country,
            "destinationCurrencyISO3Code": route.destination,
            "sourceCurrencyIso3Code": self.source,
            "destinationCountry": country,
            "transferMethod": route.method,
            "disclosures": disclosures::before_payment(&self.source, spanish),
            "deliverySLA": delivery(route.method, spanish),
            "quoteHistoryId": self.id,
            "expirationDate": iso(self.expires_at),
        });
        if let (None, Some(quote)) = (self.sender, quote.as_object_mut()) {
            quote.shift_remove("senderId");
        }
        Ok(quote)
    }
}

fn delivery(method: TransferMethod, spanish: bool) -> Value {
    let (id, english, other) = match method {
        TransferMethod::BankAccount => ("ONE_BUSINESS_DAY", "one business day", "un día hábil"),
        TransferMethod::PushToCard => ("THIRTY_MINUTES", "thirty minutes", "treinta minutos"),
        TransferMethod::CashPickup => ("ONE_HOUR", "one hour", "una hora"),
        TransferMethod::MobileWallet => ("FIFTEEN_MINUTES", "fifteen minutes", "quince minutos"),
        TransferMethod::AccountFunding => ("IMMEDIATE", "at once", "de inmediato"),
    };
    json!({ "id": id, "name": if spanish { other } else { english } })
}

fn terms<'a>(
    db: &Connection,
    world: &'a World,
    route: &Route,
    source: &str,
    account_known: bool,
) -> Result<Terms<'a>> {
    let destination = world.recorded_currency(&route.destination)?;
    Ok(Terms {
        source: world.recorded_currency(source)?,
        destination,
        method: route.method,
        tax_basis_points: world.recorded_country(&route.country)?.tax_basis_points,
        drift_micros: rates::drift(db, destination)?,
        fee_change_cents: rates::fee_change(db, route.method)?,
        account_known,
    })
}

/// Finds a quote of a client and, where both have one, of the sender.
pub(crate) fn find(db: &Connection, client: &Client, sender: Option<&Sender>, id: Uuid) -> Result<Quote> {
    let is_of_sender = |quote: &Quote| match (sender, quote.sender) {
        (Some(sender), Some(owner)) => sender.id == owner,
        _ => true,
    };
    Ok(Quote::get(db, id)?
        .filter(|quote| quote.client == client.id && is_of_sender(quote))
        .ok_or(ErrorCode::QuoteHistoryNotFound)?)
}

pub(crate) const RESOURCE: Resource =
    Resource { file: file!(), routes, tables: Quote::SQL, document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/quote", get(write(StatusCode::OK, create)))
        .route("/v1/quote/{quoteHistoryId}", get(read(get_one)))
}

fn create(call: &Call, db: &Connection) -> Reply {
    let (route, source, by, amount, account, sender) = call.query(|query| {
        (
            RequestedRoute::read(query),
            query.currency("srcCurrencyIso3Code"),
            query.variant("quoteBy"),
            query.amount("amount"),
            query.optional_id("recipientAccountId"),
            query.optional_id("senderId"),
        )
    })?;
    const NO_CORRIDOR: ErrorCode = ErrorCode::NoCorridorFoundForSpecificValues;
    let world = &call.world;
    let route = route.enabled_or(world, NO_CORRIDOR)?;
    let country = world.recorded_country(&route.country)?;
    if !country.source_currencies.contains(&source) {
        return Err(Problem::new(NO_CORRIDOR).because(ADVICE).into());
    }
    check_direction(call.caller.client, &route, country.quote_by_receive_amount, by)?;
    triggers::by_amount(&call.world, Operation::Quote, amount)?;

    let sender = call.caller.sender_if_any(db, sender)?;
    if let Some(account) = account {
        let sender = sender.as_ref().ok_or(ErrorCode::SenderUndetermined)?;
        recipient_account::find_of_sender(db, sender, account)?.check_route(&route)?;
    }
    let too_large = || Problem::new(ErrorCode::InvalidAmount).at("amount").because("the amount is too large");
    let price =
        terms(db, world, &route, &source, account.is_some())?.price(by, amount).ok_or_else(too_large)?;
    let quote = Quote {
        id: call.app.ids.uuid(),
        client: call.caller.client.id,
        sender: sender.map(|sender| sender.id),
        account,
        route,
        source,
        by,
        amount,
        price,
        expires_at: call.now + call.app.controls().lifetimes.quote_seconds * SECOND,
        has_failed: false,
    };
    if let Some(expired) = expired_rows(quote.insert(db)?, call.app.config.keep_rows) {
        let delete = "DELETE FROM quotes WHERE number BETWEEN ?1 AND ?2 AND NOT EXISTS
            (SELECT 1 FROM transfers WHERE quote = quotes.id)";
        db.prepare_cached(delete)?.execute(expired)?;
    }
    quote.to_wire(&call.world, call.language() == "es")
}

fn check_direction(client: &Client, route: &Route, supported: bool, by: QuoteBy) -> Result {
    let code = if by == QuoteBy::SendAmount {
        return Ok(());
    } else if !client.quote_by_receive {
        ErrorCode::QuoteByReceiveNotEnabled
    } else if route.method == TransferMethod::CashPickup {
        ErrorCode::QuoteByReceiveForTransferMethodNotEnabled
    } else if !supported {
        ErrorCode::QuoteByReceiveNotSupported
    } else {
        return Ok(());
    };
    Err(Problem::new(code).at("quoteBy").into())
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    let id = call.path_id("quoteHistoryId")?;
    let sender = call.caller.sender_if_any(db, None)?;
    let quote = find(db, call.caller.client, sender.as_ref(), id)?;
    quote.to_wire(&call.world, call.language() == "es")
}

const DOCUMENT: &str = r##"
tag: quote
paths:
  /v1/quote:
    get:
      operationId: quote
      summary: Prices a transfer.
      x-source: documented
      x-error-codes:
        [NotEmptyValidator, UnsupportedCountry, NoCorridorFoundForSpecificValues, InvalidAmount,
         InvalidRecipientAccountId, RecipientAccountNotFound, SenderUndetermined, SenderNotFound,
         BusinessOrDataValidationError, QuoteByReceiveNotSupported, QuoteByReceiveNotEnabled,
         QuoteByReceiveForTransferMethodNotEnabled, ErrorGettingQuote]
      parameters:
        - transferMethod
        - { name: quoteBy, required: true, x-source: documented, example: SEND_AMOUNT, schema: QuoteBy }
        - dstCountryIso3Code
        - { name: srcCurrencyIso3Code, required: true, x-source: documented, example: USD,
            schema: CurrencyCode }
        - dstCurrencyIso3Code
        - { name: amount, required: true, x-source: documented, example: 10000, schema: MinorUnits,
            description: Minor units of the currency on the side that `quoteBy` fixes. }
        - { name: recipientAccountId, x-source: published, schema: OptionalUuid,
            description: The account that receives the money. It makes a quote for PUSH_TO_CARD exact. }
        - senderId
        - acceptLanguage
      responses: { "200": Quote }
  /v1/quote/{quoteHistoryId}:
    get: { operationId: getQuote, summary: Reads a quote., x-source: published,
           x-error-codes: [QuoteHistoryNotFound, SenderNotFound], parameters: [acceptLanguage],
           responses: { "200": Quote } }

parameters:
  acceptLanguage: { name: Accept-Language, in: header, x-source: documented, schema: string,
                    description: "The language of labels, such as `es-MX`." }

schemas:
  QuoteBy:
    description: The side that the amount fixes. SEND_AMOUNT is the default.
    x-source: documented
    x-known-values: [SEND_AMOUNT, RECEIVE_AMOUNT]
  Quote:
    x-source: published
    required: &required [sendAmount, quoteHistoryId]
    properties: &properties
      { sendAmount: Amount documented, quoteHistoryId: Uuid documented, receiveAmount: Amount,
        totalCost: Amount, customerId: StringOrNumber, senderId: StringOrNumber,
        adjustments: [{ properties: { id: StringOrNumber, label: string, amount: Amount } }],
        rate: { type: number, description: What one unit of the source currency buys. },
        destinationCountryISO3Code: CountryCode, destinationCurrencyISO3Code: CurrencyCode,
        sourceCurrencyIso3Code: CurrencyCode, destinationCountry: Country, transferMethod: TransferMethod,
        disclosures: array, deliverySLA: { properties: { id: StringOrNumber, name: string } },
        expirationDate: {
          $ref: "#/components/schemas/Timestamp", x-source: assumed,
          description: "The intended end of the price. A transfer is refused only where rate or fee have
                        changed." } }
  ListedQuote:
    x-source: published
    required: *required
    properties: {
      <<: *properties, sendAmount: ListedAmount, receiveAmount: ListedAmount, totalCost: ListedAmount,
      adjustments: [{ properties: { id: StringOrNumber, label: string, amount: ListedAmount } }] }
"##;
