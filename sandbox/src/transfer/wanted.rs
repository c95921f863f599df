//! What the body of POST /v1/transfers asks for.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::Client;
use crate::corridor::{QuoteBy, TransferMethod};
use crate::country::Country;
use crate::currency::Currency;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fields::Values;
use crate::input::{Body, Named};
use crate::nonce;
use crate::quote::Quote;
use crate::seal::Seal;
use crate::triggers::{self, Operation};

/// A well-formed wish.
#[derive(Debug)]
pub(super) struct Wanted {
    country: &'static Country,
    destination: &'static Currency,
    source: &'static Currency,
    pub(super) method: TransferMethod,
    by: QuoteBy,
    pub(super) amount: i64,
    pub(super) quote: Uuid,
    pub(super) recipient: Uuid,
    pub(super) account: Option<Uuid>,
    pub(super) customer_hold: bool,
    pub(super) nonce: Option<Uuid>,
    pub(super) sender: Option<Uuid>,
    /// The fields, with what stands beside them in the body.
    pub(super) values: Values,
    pub(super) source_transfer_method: Option<String>,
    pub(super) source_account: Option<String>,
}

impl Wanted {
    pub(super) fn read(body: &Body, client: &Client, seal: &Seal) -> Result<Self, ApiError> {
        let mut problems = Problems::default();
        let country = body.country("dstCountryIso3Code", &mut problems);
        let destination = body.currency("dstCurrencyIso3Code", &mut problems);
        let source = body.currency("srcCurrencyIso3Code", &mut problems);
        let method = body.transfer_method("transferMethod", &mut problems);
        let by = body.quote_by("quoteBy", &mut problems);
        let amount = body.amount("amount", &mut problems);
        let quote = match body.optional("quoteHistoryId", &mut problems) {
            Some(_) => body.required_uuid("quoteHistoryId", ErrorCode::BadRequestError, &mut problems),
            None => {
                let problem = Problem::new(ErrorCode::NoQuoteHistoryIdProvided);
                problems.add(problem.at("quoteHistoryId"));
                None
            }
        };
        let recipient = body.required_uuid("recipientId", ErrorCode::InvalidRecipientId, &mut problems);
        let account =
            body.optional_uuid("recipientAccountId", ErrorCode::InvalidRecipientAccountId, &mut problems);
        let customer_hold = body.flag("customerHold", &mut problems);
        let nonce = body.optional_uuid("nonce", ErrorCode::BadRequestError, &mut problems);
        // An empty one, taken for none, would leave a transfer without the protection that was meant.
        if nonce.is_none()
            && matches!(body.0.get("nonce"), Some(Value::String(text)) if text.trim().is_empty())
        {
            problems
                .add(Problem::new(ErrorCode::BadRequestError).at("nonce").because("expected a UUID or null"));
        }
        if nonce.is_some_and(|nonce| !nonce::is_own(seal, client, nonce)) {
            problems.add(
                Problem::new(ErrorCode::BadRequestError)
                    .at("nonce")
                    .because("the nonce does not come from this customer's GET /v1/nonce"),
            );
        }
        let sender = body.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
        let mut values = Values::read(body.0.get("fields"), &mut problems);
        for (name, id) in
            [("purposeOfRemittance", "REMITTANCE_PURPOSE"), ("sourceOfFunds", "SOURCE_OF_FUNDS")]
        {
            let Some(text) = body.optional(name, &mut problems) else { continue };
            match values.text(id) {
                Some(field) if field != text => problems.add(
                    Problem::new(ErrorCode::BusinessOrDataValidationError)
                        .at(name)
                        .because(format!("{name} and the field {id} differ")),
                ),
                _ => values.set(id, json!(text)),
            }
        }
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let source_transfer_method = owned(body.optional("sourceTransferMethod", &mut problems));
        let source_account = owned(body.optional("sourceAccountId", &mut problems));
        if method == Some(TransferMethod::AccountFunding) {
            problems.add(
                Problem::new(ErrorCode::NoCorridorFoundForSpecificValues)
                    .at("transferMethod")
                    .because("GET /v1/corridors lists what is enabled"),
            );
        }
        let needs_account = method.is_some_and(|method| method != TransferMethod::CashPickup);
        if needs_account && body.0.get("recipientAccountId").is_none_or(Value::is_null) {
            problems.add(Problem::new(ErrorCode::NotEmptyValidator).at("recipientAccountId"));
        }
        problems.finish()?;

        let (Some(country), Some(destination), Some(source), Some(method), Some(by)) =
            (country, destination, source, method, by)
        else {
            return Err(ErrorCode::BadRequestError.into());
        };
        let (Some(amount), Some(quote), Some(recipient)) = (amount, quote, recipient) else {
            return Err(ErrorCode::BadRequestError.into());
        };
        Ok(Self {
            country,
            destination,
            source,
            method,
            by,
            amount,
            quote,
            recipient,
            account,
            customer_hold,
            nonce,
            sender,
            values,
            source_transfer_method,
            source_account,
        })
    }

    /// Whether this is what the quote was made for.
    pub(super) fn check_fits(&self, quote: &Quote) -> Result<(), ApiError> {
        let mut problems = Problems::default();
        let account = self.account.map(|account| account.to_string());
        // A trigger ends it whatever was quoted.
        let ends = triggers::by_amount(Operation::Transfer, self.amount).is_err();
        let matches = [
            ("dstCountryIso3Code", self.country.iso3_code == quote.route.corridor.country.iso3_code),
            ("dstCurrencyIso3Code", self.destination == quote.route.destination),
            ("srcCurrencyIso3Code", self.source == quote.source),
            ("transferMethod", self.method == quote.route.corridor.method),
            ("quoteBy", self.by == quote.by),
            ("amount", ends || self.amount == quote.amount),
            ("recipientAccountId", quote.account.is_none() || quote.account == account),
        ];
        for (name, fits) in matches {
            if !fits {
                problems.add(
                    Problem::new(ErrorCode::BusinessOrDataValidationError)
                        .at(name)
                        .because("the quote was made for something else"),
                );
            }
        }
        problems.finish()
    }
}
