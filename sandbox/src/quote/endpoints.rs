//! The endpoints of quotes.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;

use super::reply::wants_spanish;
use super::{Quote, TABLES, find, insert, terms};
use crate::access::Caller;
use crate::app::App;
use crate::client::Client;
use crate::clock::SECOND;
use crate::corridor::{self, QuoteBy, Route, TransferMethod};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fresh::fresh;
use crate::input::{Named, Path, Query, path_uuid};
use crate::recipient_account;
use crate::resource::Resource;
use crate::triggers::{self, Operation};

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: TABLES,
    interface: r##"
paths:
  /v1/quote:
    get:
      operationId: quote
      tags: [quote]
      summary: Prices a transfer.
      x-source: documented
      x-error-codes:
        - NotEmptyValidator
        - UnsupportedCountry
        - NoCorridorFoundForSpecificValues
        - InvalidAmount
        - InvalidRecipientAccountId
        - RecipientAccountNotFound
        - SenderUndetermined
        - SenderNotFound
        - BusinessOrDataValidationError
        - QuoteByReceiveNotSupported
        - QuoteByReceiveNotEnabled
        - QuoteByReceiveForTransferMethodNotEnabled
        - ErrorGettingQuote
      parameters:
        - { $ref: "#/components/parameters/transferMethod" }
        - name: quoteBy
          in: query
          required: true
          x-source: documented
          example: SEND_AMOUNT
          schema: { $ref: "#/components/schemas/QuoteBy" }
        - { $ref: "#/components/parameters/dstCountryIso3Code" }
        - name: srcCurrencyIso3Code
          in: query
          required: true
          x-source: documented
          example: USD
          schema: { $ref: "#/components/schemas/CurrencyCode" }
        - { $ref: "#/components/parameters/dstCurrencyIso3Code" }
        - name: amount
          in: query
          required: true
          x-source: documented
          description: Minor units of the currency on the side that `quoteBy` fixes.
          example: 10000
          schema: { $ref: "#/components/schemas/MinorUnits" }
        - name: recipientAccountId
          in: query
          x-source: published
          description: The account that the money will go to; with it a quote for PUSH_TO_CARD is exact.
          schema: { $ref: "#/components/schemas/OptionalUuid" }
        - { $ref: "#/components/parameters/senderId" }
        - { $ref: "#/components/parameters/acceptLanguage" }
      responses:
        "200": { $ref: "#/components/responses/Quote" }

  /v1/quote/{quoteHistoryId}:
    get:
      operationId: getQuote
      tags: [quote]
      summary: Reads a quote again.
      x-source: published
      x-error-codes: [QuoteHistoryNotFound, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/quoteHistoryId" }
        - { $ref: "#/components/parameters/acceptLanguage" }
      responses:
        "200": { $ref: "#/components/responses/Quote" }

components:
  parameters:
    acceptLanguage:
      name: Accept-Language
      in: header
      x-source: documented
      description: The language of labels, such as `es-MX`.
      schema: { type: string }
    quoteHistoryId:
      name: quoteHistoryId
      in: path
      required: true
      x-source: published
      schema: { $ref: "#/components/schemas/Uuid" }

  responses:
    Quote:
      description: The price.
      content:
        application/json:
          schema: { $ref: "#/components/schemas/Quote" }

  schemas:
    QuoteBy:
      type: string
      description: Which side the amount fixes. SEND_AMOUNT is the default.
      x-source: documented
      x-known-values: { SEND_AMOUNT: documented, RECEIVE_AMOUNT: documented }
    Quote:
      type: object
      x-source: published
      required: [sendAmount, quoteHistoryId]
      properties:
        sendAmount: { $ref: "#/components/schemas/Amount", x-source: documented }
        quoteHistoryId: { $ref: "#/components/schemas/Uuid", x-source: documented }
        receiveAmount: { $ref: "#/components/schemas/Amount" }
        totalCost: { $ref: "#/components/schemas/Amount" }
        adjustments:
          type: array
          items:
            type: object
            properties:
              id: { $ref: "#/components/schemas/Label" }
              label: { type: string }
              amount: { $ref: "#/components/schemas/Amount" }
        customerId: &label { $ref: "#/components/schemas/Label" }
        senderId: *label
        rate: &rate { type: number, description: What one unit of the sending currency buys. }
        destinationCountryISO3Code: &countryCode { $ref: "#/components/schemas/CountryCode" }
        destinationCurrencyISO3Code: &currencyCode { $ref: "#/components/schemas/CurrencyCode" }
        sourceCurrencyIso3Code: *currencyCode
        destinationCountry: &country { $ref: "#/components/schemas/Country" }
        transferMethod: &transferMethod { $ref: "#/components/schemas/TransferMethod" }
        disclosures: &disclosures { type: array }
        deliverySLA: &deliverySla
          type: object
          properties:
            id: { $ref: "#/components/schemas/Label" }
            name: { type: string }
        expirationDate: &expirationDate
          $ref: "#/components/schemas/Timestamp"
          x-source: assumed
          description: Until when the price is meant to hold. What a transfer is refused for is a rate or fee that has changed.
    ListedQuote:
      type: object
      x-source: published
      required: [sendAmount, quoteHistoryId]
      properties:
        sendAmount: { $ref: "#/components/schemas/ListedAmount" }
        quoteHistoryId: { $ref: "#/components/schemas/Uuid" }
        receiveAmount: { $ref: "#/components/schemas/ListedAmount" }
        totalCost: { $ref: "#/components/schemas/ListedAmount" }
        adjustments:
          type: array
          items:
            type: object
            properties:
              id: { $ref: "#/components/schemas/Label" }
              label: { type: string }
              amount: { $ref: "#/components/schemas/ListedAmount" }
        customerId: *label
        senderId: *label
        rate: *rate
        destinationCountryISO3Code: *countryCode
        destinationCurrencyISO3Code: *currencyCode
        sourceCurrencyIso3Code: *currencyCode
        destinationCountry: *country
        transferMethod: *transferMethod
        disclosures: *disclosures
        deliverySLA: *deliverySla
        expirationDate: *expirationDate
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/quote", get(create)).route("/v1/quote/{quote}", get(read))
}

fn answer(quote: &Quote, headers: &HeaderMap) -> Response {
    fresh(quote.reply(wants_spanish(headers)))
}

/// Checks what depends on the direction of a quote.
fn check_direction(client: &Client, route: Route, by: QuoteBy) -> Result<(), ApiError> {
    if by == QuoteBy::SendAmount {
        return Ok(());
    }
    let refused = |code| Err(Problem::new(code).at("quoteBy").into());
    if !client.quote_by_receive {
        return refused(ErrorCode::QuoteByReceiveNotEnabled);
    }
    if route.corridor.method == TransferMethod::CashPickup {
        return refused(ErrorCode::QuoteByReceiveForTransferMethodNotEnabled);
    }
    if !route.corridor.receive_supported {
        return refused(ErrorCode::QuoteByReceiveNotSupported);
    }
    Ok(())
}

async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let country = query.country("dstCountryIso3Code", &mut problems);
    let destination = query.currency("dstCurrencyIso3Code", &mut problems);
    let source = query.currency("srcCurrencyIso3Code", &mut problems);
    let method = query.transfer_method("transferMethod", &mut problems);
    let by = query.quote_by("quoteBy", &mut problems);
    let amount = query.amount("amount", &mut problems);
    let account =
        query.optional_uuid("recipientAccountId", ErrorCode::InvalidRecipientAccountId, &mut problems);
    let named = query.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    problems.finish()?;
    let (Some(country), Some(destination), Some(source), Some(method), Some(by), Some(amount)) =
        (country, destination, source, method, by, amount)
    else {
        return Err(ErrorCode::BadRequestError.into());
    };
    let route = corridor::find(country, destination, method)
        .filter(|route| route.corridor.sources.contains(&source))
        .ok_or_else(|| {
            Problem::new(ErrorCode::NoCorridorFoundForSpecificValues)
                .because("GET /v1/corridors lists what is enabled")
        })?;
    check_direction(caller.client, route, by)?;
    triggers::by_amount(Operation::Quote, amount)?;

    let (id, now) = (app.ids.uuid(), app.clock.now());
    let expires_at = now + app.lifetimes.get().quote_seconds * SECOND;
    let keep = app.config.keep_rows;
    let quote = app
        .store
        .write(move |db| {
            let sender = caller.sender_if_any(db, named)?;
            if let Some(account) = account {
                let sender = sender.as_ref().ok_or(ErrorCode::SenderUndetermined)?;
                let found = recipient_account::find_of_sender(db, sender, account)?;
                if !found.fits(route) {
                    return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
                        .at("recipientAccountId")
                        .because("the account belongs to another corridor")
                        .into());
                }
            }
            let terms = terms(db, route, source, account.is_some())?;
            let price = terms.price(by, amount).ok_or_else(|| {
                Problem::new(ErrorCode::InvalidAmount).at("amount").because("the amount is too large")
            })?;
            let quote = Quote {
                id,
                client: caller.client.id.to_string(),
                sender: sender.map(|sender| sender.id.to_string()),
                account: account.map(|account| account.to_string()),
                route,
                source,
                by,
                amount,
                price,
                expires_at,
            };
            insert(db, &quote, now, keep)?;
            Ok(quote)
        })
        .await?;
    Ok(answer(&quote, &headers))
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = path_uuid(&id, "quoteHistoryId", ErrorCode::BadRequestError)?;
    let quote = app
        .store
        .read(move |db| {
            let sender = caller.sender_if_any(db, None)?;
            find(db, caller.client, sender.as_ref(), id)
        })
        .await?;
    Ok(answer(&quote, &headers))
}
