//! The body of POST /v1/transfers.

use crate::corridor::{ADVICE, QuoteBy};
use crate::endpoint::*;
use crate::fields::Values;
use crate::input::Input;
use crate::nonce;
use crate::quote::Quote;
use crate::transfer_method::TransferMethod;
use crate::trigger::Operation;
use crate::triggers;
use crate::world::World;

#[derive(Debug)]
pub(super) struct TransferRequest {
    country: String,
    destination: String,
    source: String,
    pub(super) method: TransferMethod,
    by: QuoteBy,
    pub(super) amount: i64,
    pub(super) quote: Uuid,
    pub(super) recipient: Uuid,
    pub(super) account: Option<Uuid>,
    pub(super) customer_hold: bool,
    pub(super) nonce: Option<Uuid>,
    pub(super) sender: Option<Uuid>,
    /// The fields, including those that the body has as members.
    pub(super) values: Values,
    pub(super) source_transfer_method: Option<String>,
    pub(super) source_account: Option<String>,
}

impl TransferRequest {
    pub(super) fn read(call: &Call) -> Result<Self> {
        call.body(|body| {
            let request = Self {
                country: body.country("dstCountryIso3Code"),
                destination: body.currency("dstCurrencyIso3Code"),
                source: body.currency("srcCurrencyIso3Code"),
                method: body.variant("transferMethod"),
                by: body.variant("quoteBy"),
                amount: body.amount("amount"),
                quote: read_quote(body),
                recipient: body.id("recipientId"),
                account: body.optional_id("recipientAccountId"),
                customer_hold: body.flag("customerHold"),
                nonce: read_nonce(body, call),
                sender: body.optional_id("senderId"),
                values: read_values(body),
                source_transfer_method: body.optional("sourceTransferMethod"),
                source_account: body.optional("sourceAccountId"),
            };
            if request.method == TransferMethod::AccountFunding {
                body.reject("transferMethod", ErrorCode::NoCorridorFoundForSpecificValues, ADVICE);
            }
            let needs_account = request.method != TransferMethod::CashPickup;
            let [method, account] = ["transferMethod", "recipientAccountId"].map(|name| body.value(name));
            if needs_account && method.is_some() && account.is_none() {
                body.reject_as("recipientAccountId", ErrorCode::NotEmptyValidator);
            }
            request
        })
    }

    pub(super) fn check_quote(&self, quote: &Quote, world: &World) -> Result {
        // The amount of a trigger fails later, whatever was quoted.
        let is_trigger = triggers::by_amount(world, Operation::Transfer, self.amount).is_err();
        let matches = [
            ("dstCountryIso3Code", self.country == quote.route.country),
            ("dstCurrencyIso3Code", self.destination == quote.route.destination),
            ("srcCurrencyIso3Code", self.source == quote.source),
            ("transferMethod", self.method == quote.route.method),
            ("quoteBy", self.by == quote.by),
            ("amount", is_trigger || self.amount == quote.amount),
            ("recipientAccountId", quote.account.is_none() || quote.account == self.account),
        ];
        reject_if_any(matches.into_iter().filter(|(_, fits)| !fits).map(|(name, _)| {
            let problem = Problem::new(ErrorCode::BusinessOrDataValidationError).at(name);
            problem.because("the quote was made for something else")
        }))
    }
}

fn read_quote(body: &mut Input) -> Uuid {
    const NAME: &str = "quoteHistoryId";
    let is_absent_or_text = matches!(body.value(NAME), None | Some(Value::String(_)));
    if is_absent_or_text && body.optional(NAME).is_none() {
        body.reject_as(NAME, ErrorCode::NoQuoteHistoryIdProvided);
        return Uuid::nil();
    }
    body.id(NAME)
}

fn read_nonce(body: &mut Input, call: &Call) -> Option<Uuid> {
    const CODE: ErrorCode = ErrorCode::BadRequestError;
    // An empty nonce must not silently mean none: the transfer would lose its protection.
    if matches!(body.value("nonce"), Some(Value::String(text)) if text.trim().is_empty()) {
        body.reject("nonce", CODE, "expected a UUID or null");
    }
    let nonce = body.optional_id("nonce")?;
    if !nonce::is_own(&call.app.signer, call.caller.client, nonce) {
        body.reject("nonce", CODE, "the nonce does not come from this customer's GET /v1/nonce");
    }
    Some(nonce)
}

fn read_values(body: &mut Input) -> Values {
    let mut values = Values::read(body);
    for (name, id) in [("purposeOfRemittance", "REMITTANCE_PURPOSE"), ("sourceOfFunds", "SOURCE_OF_FUNDS")] {
        let Some(text) = body.optional(name) else { continue };
        if values.text(id).is_some_and(|field| field != text) {
            let why = format!("{name} and the field {id} differ");
            body.reject(name, ErrorCode::BusinessOrDataValidationError, why);
        } else {
            values.set(id, json!(text));
        }
    }
    values
}
