//! The endpoints of quotes.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;

use super::reply::wants_spanish;
use super::{Quote, find, terms};
use crate::app::App;
use crate::call::{Call, Reply, read, write};
use crate::client::Client;
use crate::clock::SECOND;
use crate::corridor::{self, QuoteBy, Route, TransferMethod};
use crate::error::{ApiError, ErrorCode, Problem};
use crate::outdated::outdated_by;
use crate::recipient_account;
use crate::records::Record;
use crate::resource::Resource;
use crate::triggers::{self, Operation};

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: Quote::SQL,
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
        - transferMethod
        - name: quoteBy
          in: query
          required: true
          x-source: documented
          example: SEND_AMOUNT
          schema: { $ref: "#/components/schemas/QuoteBy" }
        - dstCountryIso3Code
        - name: srcCurrencyIso3Code
          in: query
          required: true
          x-source: documented
          example: USD
          schema: { $ref: "#/components/schemas/CurrencyCode" }
        - dstCurrencyIso3Code
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
        - senderId
        - acceptLanguage
      responses:
        "200": Quote

  /v1/quote/{quoteHistoryId}:
    get:
      operationId: getQuote
      tags: [quote]
      summary: Reads a quote again.
      x-source: published
      x-error-codes: [QuoteHistoryNotFound, SenderNotFound]
      parameters: [acceptLanguage]
      responses:
        "200": Quote

components:
  parameters:
    acceptLanguage:
      name: Accept-Language
      in: header
      x-source: documented
      description: The language of labels, such as `es-MX`.
      schema: { type: string }

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
      properties: &quoteProperties
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
        customerId: { $ref: "#/components/schemas/Label" }
        senderId: { $ref: "#/components/schemas/Label" }
        rate: { type: number, description: What one unit of the sending currency buys. }
        destinationCountryISO3Code: { $ref: "#/components/schemas/CountryCode" }
        destinationCurrencyISO3Code: { $ref: "#/components/schemas/CurrencyCode" }
        sourceCurrencyIso3Code: { $ref: "#/components/schemas/CurrencyCode" }
        destinationCountry: { $ref: "#/components/schemas/Country" }
        transferMethod: { $ref: "#/components/schemas/TransferMethod" }
        disclosures: { type: array }
        deliverySLA:
          type: object
          properties:
            id: { $ref: "#/components/schemas/Label" }
            name: { type: string }
        expirationDate:
          $ref: "#/components/schemas/Timestamp"
          x-source: assumed
          description: Until when the price is meant to hold. What a transfer is refused for is a rate or fee that has changed.
    ListedQuote:
      type: object
      x-source: published
      required: [sendAmount, quoteHistoryId]
      properties:
        <<: *quoteProperties
        sendAmount: { $ref: "#/components/schemas/ListedAmount" }
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
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/quote", get(write(StatusCode::OK, create)))
        .route("/v1/quote/{quote}", get(read(get_one)))
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
    if route.method() == TransferMethod::CashPickup {
        return refused(ErrorCode::QuoteByReceiveForTransferMethodNotEnabled);
    }
    if !route.corridor.receive_supported {
        return refused(ErrorCode::QuoteByReceiveNotSupported);
    }
    Ok(())
}

fn create(call: &Call, db: &Connection) -> Reply {
    let (country, destination, source, method, by, amount, account, sender) = call.query(|query| {
        (
            query.country("dstCountryIso3Code"),
            query.currency("dstCurrencyIso3Code"),
            query.currency("srcCurrencyIso3Code"),
            query.one_of("transferMethod"),
            query.one_of("quoteBy"),
            query.amount("amount"),
            query.optional_id("recipientAccountId"),
            query.optional_id("senderId"),
        )
    })?;
    let route = corridor::find(country, destination, method)
        .filter(|route| route.corridor.sources.contains(&source))
        .ok_or_else(|| {
            Problem::new(ErrorCode::NoCorridorFoundForSpecificValues)
                .because("GET /v1/corridors lists what is enabled")
        })?;
    check_direction(call.caller.client, route, by)?;
    triggers::by_amount(Operation::Quote, amount)?;

    let sender = call.caller.sender_if_any(db, sender)?;
    if let Some(account) = account {
        let sender = sender.as_ref().ok_or(ErrorCode::SenderUndetermined)?;
        if recipient_account::find_of_sender(db, sender, account)?.route != route {
            return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
                .at("recipientAccountId")
                .because("the account belongs to another corridor")
                .into());
        }
    }
    let price = terms(db, route, source, account.is_some())?.price(by, amount).ok_or_else(|| {
        Problem::new(ErrorCode::InvalidAmount).at("amount").because("the amount is too large")
    })?;
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
        expires_at: call.now + call.app.lifetimes.get().quote_seconds * SECOND,
        has_failed: false,
    };
    if let Some(outdated) = outdated_by(quote.insert(db)?, call.app.config.keep_rows) {
        db.prepare_cached(
            "DELETE FROM quotes WHERE number BETWEEN ?1 AND ?2 AND NOT EXISTS
             (SELECT 1 FROM transfers WHERE quote = quotes.id)",
        )?
        .execute(outdated)?;
    }
    Ok(Json(quote.reply(wants_spanish(&call.headers))))
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    let id = call.id("quote", "quoteHistoryId")?;
    let sender = call.caller.sender_if_any(db, None)?;
    let quote = find(db, call.caller.client, sender.as_ref(), id)?;
    Ok(Json(quote.reply(wants_spanish(&call.headers))))
}
