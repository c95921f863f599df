//! POST /v1/transfers: the one call that moves money.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::record::{NewTransfer, check_unused, find_made, remember_failure};
use super::wanted::Wanted;
use crate::access::Caller;
use crate::app::App;
use crate::card;
use crate::client;
use crate::clock::{SECOND, day_of, iso};
use crate::corridor::TransferMethod;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::faults::apply::During;
use crate::fields::{Kind, Subject, check, transfer_sets};
use crate::input::Body;
use crate::limits::{self, Planned};
use crate::options;
use crate::price::in_cents;
use crate::quote::{self, Quote};
use crate::recipient;
use crate::recipient_account::{self, Account};
use crate::sender::Sender;
use crate::transfer_status;
use crate::triggers::{self, FAILING_TRANSFER_AMOUNT, Operation};

/// From this on, in US cents, a transfer is looked at before it is processed.
const REVIEW_CENTS: i64 = 250_000;
/// How long that takes if nobody hurries it.
const REVIEW: i64 = 3_600 * SECOND;

/// How a submission ended that left something in the database either way.
enum Submission {
    Made(Value),
    /// The provider refused it, which the service remembers.
    Refused(ApiError),
}

/// Identifiers that a transfer will have.
struct NewIds {
    transfer: String,
    request: String,
    confirmation: u64,
}

pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    during: Option<Extension<During>>,
    body: Body,
) -> Result<Json<Value>, ApiError> {
    let wanted = Wanted::read(&body, caller.client, &app.seal)?;
    // As long as this lives, GET /v1/transfers/progress says Initializing.
    let _in_flight = app.in_flight.enter(wanted.quote);
    if let Some(Extension(During(delay))) = during {
        tokio::time::sleep(delay).await;
    }
    let ids = NewIds {
        transfer: app.ids.uuid().to_string(),
        request: app.ids.uuid().to_string(),
        confirmation: app.ids.number(17),
    };
    let now = app.clock.now();
    let submission = app.store.write(move |db| submit(db, caller, &wanted, &ids, now)).await?;
    match submission {
        Submission::Made(record) => Ok(Json(record)),
        Submission::Refused(error) => Err(error),
    }
}

fn submit(
    db: &Connection,
    caller: Caller,
    wanted: &Wanted,
    ids: &NewIds,
    now: i64,
) -> Result<Submission, ApiError> {
    let client_id = caller.client.id.to_string();
    let quote_id = wanted.quote.to_string();
    let nonce = wanted.nonce.map(|nonce| nonce.to_string());
    let sender = caller.sender(db, wanted.sender)?;
    let quote = quote::find(db, caller.client, Some(&sender), wanted.quote)?;
    check_unused(db, &client_id, &quote_id, nonce.as_deref())?;
    wanted.check_fits(&quote)?;

    let recipient = recipient::find(db, &sender, wanted.recipient)?;
    let account = match wanted.account {
        None => None,
        Some(id) => {
            let account = recipient_account::find(db, &recipient, id)?;
            if !account.fits(quote.route) {
                return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
                    .at("recipientAccountId")
                    .because("the account belongs to another corridor")
                    .into());
            }
            Some(account)
        }
    };
    if let Err(error) = triggers::by_amount(Operation::Transfer, wanted.amount) {
        if error.codes().contains(&ErrorCode::RspTransferException) {
            remember_failure(db, &quote_id)?;
            return Ok(Submission::Refused(error));
        }
        return Err(error);
    }
    check_fields(wanted, &quote, &sender, now)?;
    let pulls = check_source(db, caller, wanted, &sender, account.as_ref())?;
    if let Some(card_id) = account.as_ref().map(Account::card_id).transpose()?.flatten() {
        let card = card::find(db, &sender, &card_id)?;
        card.check_active()?;
        card.check_receives(quote.route.destination)?;
    }
    if !quote.holds(db)? {
        return Err(ErrorCode::QuoteAmountChanged.into());
    }

    let too_large = || ApiError::from(ErrorCode::MaxLimitOutOfRange);
    let cents = in_cents(quote.price.send, quote.source).ok_or_else(too_large)?;
    let cost_cents = in_cents(quote.price.total, quote.source).ok_or_else(too_large)?;
    check_payout(wanted, cents)?;
    let (sender_id, recipient_id) = (sender.id.to_string(), recipient.id.to_string());
    let planned = Planned { sender: &sender_id, recipient: &recipient_id, cents, cost_cents, now };
    limits::check(db, &sender.limits()?, &planned)?;
    let will_fail = wanted.amount == FAILING_TRANSFER_AMOUNT;
    // A card pays for itself; a transfer that will fail is not charged.
    let debited_cents = if pulls || will_fail { 0 } else { cost_cents };
    client::debit(db, caller.client, debited_cents)?;

    let confirmation = confirmation(wanted.method, ids.confirmation);
    let record = json!({
        "transferId": ids.transfer,
        "transferRequestId": ids.request,
        "confirmationNumber": confirmation,
        "quote": quote.reply(false),
        "senderDetails": sender.record(now)?,
        "recipientDetails": recipient.record()?,
        "recipientAccountDetails": account.as_ref().map(Account::record).transpose()?,
        "disclaimers": [],
        "createdAt": iso(now),
        "fields": wanted.values.record(&transfer_sets(quote.route, ""), ""),
        "customer": customer(caller),
        "dateAvailable": iso(now + transfer_status::delivery_time(wanted.method)),
    });
    let transfer = NewTransfer {
        id: &ids.transfer,
        request_id: &ids.request,
        confirmation: &ids.confirmation.to_string(),
        client: &client_id,
        sender: &sender_id,
        recipient: &recipient_id,
        quote: &quote_id,
        nonce,
        method: wanted.method,
        customer_hold: wanted.customer_hold,
        system_hold_until: (cents >= REVIEW_CENTS).then_some(now + REVIEW),
        will_fail,
        cents,
        cost_cents,
        debited_cents,
        record: &record,
        created_at: now,
    };
    transfer.insert(db)?;
    transfer_status::begin(db, &ids.transfer, now)?;
    let transfer = find_made(db, &ids.transfer)?;
    transfer.schedule(db, now)?;
    transfer.record(db, now).map(Submission::Made)
}

/// A number for a bank, as some providers make it, and text for everyone else.
fn confirmation(method: TransferMethod, number: u64) -> Value {
    match method {
        TransferMethod::BankAccount => json!(number),
        _ => json!(number.to_string()),
    }
}

fn customer(caller: Caller) -> Value {
    json!({
        "name": caller.client.name,
        "addressLine1": "40 Harbour Street",
        "addressLine2": "",
        "addressCity": "Savannah",
        "addressState": "GA",
        "addressCountry": "USA",
        "addressZipCode": "31401",
        "phoneNumber": "+1 912 555 0100",
        "website": "https://shop.example",
    })
}

fn check_fields(wanted: &Wanted, quote: &Quote, sender: &Sender, now: i64) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    let sets = transfer_sets(quote.route, "");
    problems.extend(check(&sets, &wanted.values, Subject::Transfer, day_of(now)));
    if sender.kind == Kind::Business {
        let code = match wanted.values.text("SOURCE_OF_FUNDS") {
            None => Some(ErrorCode::SourceOfFundsRequired),
            Some("BUSINESS" | "PULL_FROM_CARD") => None,
            Some(_) => Some(ErrorCode::SourceOfFundsInvalid),
        };
        if let Some(code) = code {
            problems.add(Problem::new(code).at("sourceOfFunds"));
        }
    }
    problems.finish()
}

/// Checks what pays for the transfer. Says whether that is a card of the sender.
fn check_source(
    db: &Connection,
    caller: Caller,
    wanted: &Wanted,
    sender: &Sender,
    account: Option<&Account>,
) -> Result<bool, ApiError> {
    let method = wanted.source_transfer_method.as_deref();
    if method.is_some_and(|method| !matches!(method, "PREFUNDING" | "PULL_FROM_CARD")) {
        return Err(Problem::new(ErrorCode::SourceTransferMethodNotFound)
            .at("sourceTransferMethod")
            .because("expected PREFUNDING or PULL_FROM_CARD")
            .into());
    }
    let pulls =
        method == Some("PULL_FROM_CARD") || wanted.values.text("SOURCE_OF_FUNDS") == Some("PULL_FROM_CARD");
    if !pulls {
        return Ok(false);
    }
    if !caller.client.pull_from_card {
        return Err(Problem::new(ErrorCode::SourceAccountNotSupported).at("sourceOfFunds").into());
    }
    let Some(source) = &wanted.source_account else {
        return Err(Problem::new(ErrorCode::NotEmptyValidator).at("sourceAccountId").into());
    };
    let source = card::find(db, sender, source)?;
    source.check_active()?;
    source.check_pays()?;
    if let Some(card_id) = account.map(Account::card_id).transpose()?.flatten()
        && card::find(db, sender, &card_id).is_ok_and(|card| card.is_same(&source))
    {
        return Err(ErrorCode::SourceCardAndReceivingCardMustBeUnique.into());
    }
    Ok(true)
}

/// Holds the amount against what the chosen pickup location pays out.
fn check_payout(wanted: &Wanted, cents: i64) -> Result<(), ApiError> {
    if wanted.method != TransferMethod::CashPickup {
        return Ok(());
    }
    let Some(bounds) = wanted.values.text("PAYER_LOCATION").and_then(options::payout_bounds) else {
        return Ok(());
    };
    if cents < bounds.least {
        return Err(ErrorCode::MinCashPayerTransactionLimitNotReached.into());
    }
    if cents > bounds.most {
        return Err(ErrorCode::MaxCashPayerTransactionLimitExceeded.into());
    }
    Ok(())
}
