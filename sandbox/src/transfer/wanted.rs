//! What the body of POST /v1/transfers asks for.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::call::Call;
use crate::corridor::{QuoteBy, TransferMethod};
use crate::country::Country;
use crate::currency::Currency;
use crate::error::{ApiError, ErrorCode, Problem, none_of};
use crate::fields::Values;
use crate::input::Input;
use crate::nonce;
use crate::quote::Quote;
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
    pub(super) fn read(call: &Call) -> Result<Self, ApiError> {
        call.body(|body| {
            let wanted = Self {
                country: body.country("dstCountryIso3Code"),
                destination: body.currency("dstCurrencyIso3Code"),
                source: body.currency("srcCurrencyIso3Code"),
                method: body.one_of("transferMethod"),
                by: body.one_of("quoteBy"),
                amount: body.amount("amount"),
                quote: quote(body),
                recipient: body.id("recipientId"),
                account: body.optional_id("recipientAccountId"),
                customer_hold: body.flag("customerHold"),
                nonce: nonce(body, call),
                sender: body.optional_id("senderId"),
                values: values(body),
                source_transfer_method: body.optional("sourceTransferMethod"),
                source_account: body.optional("sourceAccountId"),
            };
            if wanted.method == TransferMethod::AccountFunding {
                let why = "GET /v1/corridors lists what is enabled";
                body.refuse("transferMethod", ErrorCode::NoCorridorFoundForSpecificValues, why);
            }
            let needs_account = wanted.method != TransferMethod::CashPickup;
            let [method, account] = ["transferMethod", "recipientAccountId"].map(|name| body.value(name));
            if needs_account && method.is_some() && account.is_none() {
                body.refuse_empty("recipientAccountId");
            }
            wanted
        })
    }

    /// Whether this is what the quote was made for.
    pub(super) fn check_fits(&self, quote: &Quote) -> Result<(), ApiError> {
        // A trigger ends it whatever was quoted.
        let ends = triggers::by_amount(Operation::Transfer, self.amount).is_err();
        let matches = [
            ("dstCountryIso3Code", self.country == quote.route.country()),
            ("dstCurrencyIso3Code", self.destination == quote.route.destination),
            ("srcCurrencyIso3Code", self.source == quote.source),
            ("transferMethod", self.method == quote.route.method()),
            ("quoteBy", self.by == quote.by),
            ("amount", ends || self.amount == quote.amount),
            ("recipientAccountId", quote.account.is_none() || quote.account == self.account),
        ];
        none_of(matches.into_iter().filter(|(_, fits)| !fits).map(|(name, _)| {
            let problem = Problem::new(ErrorCode::BusinessOrDataValidationError).at(name);
            problem.because("the quote was made for something else")
        }))
    }
}

fn quote(body: &mut Input) -> Uuid {
    if matches!(body.value("quoteHistoryId"), None | Some(Value::String(_)))
        && body.optional("quoteHistoryId").is_none()
    {
        body.refuse_as("quoteHistoryId", ErrorCode::NoQuoteHistoryIdProvided);
        return Uuid::nil();
    }
    body.id("quoteHistoryId")
}

fn nonce(body: &mut Input, call: &Call) -> Option<Uuid> {
    const CODE: ErrorCode = ErrorCode::BadRequestError;
    // An empty one, taken for none, would leave a transfer without the protection that was meant.
    if matches!(body.value("nonce"), Some(Value::String(text)) if text.trim().is_empty()) {
        body.refuse("nonce", CODE, "expected a UUID or null");
    }
    let nonce = body.optional_id("nonce")?;
    if !nonce::is_own(&call.app.seal, call.caller.client, nonce) {
        body.refuse("nonce", CODE, "the nonce does not come from this customer's GET /v1/nonce");
    }
    Some(nonce)
}

/// The fields, with what stands beside them in the body.
fn values(body: &mut Input) -> Values {
    let mut values = Values::read(body);
    for (name, id) in [("purposeOfRemittance", "REMITTANCE_PURPOSE"), ("sourceOfFunds", "SOURCE_OF_FUNDS")] {
        let Some(text) = body.optional(name) else { continue };
        if values.text(id).is_some_and(|field| field != text) {
            let why = format!("{name} and the field {id} differ");
            body.refuse(name, ErrorCode::BusinessOrDataValidationError, why);
        } else {
            values.set(id, json!(text));
        }
    }
    values
}
