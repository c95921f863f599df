//! POST /v1/transfers: the one call that moves money.

use axum::{Extension, Json};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::record::{Hold, Transfer, check_unused};
use super::wanted::Wanted;
use crate::call::{Call, Reply};
use crate::card;
use crate::client::{self, Client};
use crate::clock::{SECOND, day_of, iso};
use crate::corridor::TransferMethod;
use crate::error::{ApiError, ErrorCode, Problem, none_of};
use crate::faults::apply::During;
use crate::fields::{Kind, Subject, check, transfer_sets};
use crate::limits::{self, Planned};
use crate::options;
use crate::price::in_cents;
use crate::quote::{self, Quote};
use crate::recipient;
use crate::recipient_account::{self, Account};
use crate::records::Record;
use crate::sender::Sender;
use crate::transfer_status::{Steps, delivery_time};
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

pub(super) async fn create(during: Option<Extension<During>>, mut call: Call) -> Reply {
    let wanted = Wanted::read(&call)?;
    // As long as this lives, GET /v1/transfers/progress says Initializing.
    let _in_flight = call.app.in_flight.enter(wanted.quote);
    if let Some(Extension(During(delay))) = during {
        tokio::time::sleep(delay).await;
    }
    call.now = call.app.clock.now();
    let store = call.app.store.clone();
    match store.write(move |db| submit(db, &call, &wanted)).await? {
        Submission::Made(record) => Ok(Json(record)),
        Submission::Refused(error) => Err(error),
    }
}

fn submit(db: &Connection, call: &Call, wanted: &Wanted) -> Result<Submission, ApiError> {
    let (client, now) = (call.caller.client, call.now);
    let sender = call.caller.sender(db, wanted.sender)?;
    let mut quote = quote::find(db, client, Some(&sender), wanted.quote)?;
    check_unused(db, client.id, quote.id, wanted.nonce)?;
    wanted.check_fits(&quote)?;

    let recipient = recipient::find(db, &sender, wanted.recipient)?;
    let account = wanted.account.map(|id| recipient_account::find(db, &recipient, id)).transpose()?;
    if account.as_ref().is_some_and(|account| account.route != quote.route) {
        return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
            .at("recipientAccountId")
            .because("the account belongs to another corridor")
            .into());
    }
    if let Err(error) = triggers::by_amount(Operation::Transfer, wanted.amount) {
        if error.codes().contains(&ErrorCode::RspTransferException) {
            quote.has_failed = true;
            quote.update(db)?;
            return Ok(Submission::Refused(error));
        }
        return Err(error);
    }
    check_fields(wanted, &quote, &sender, now)?;
    let card_id = account.as_ref().and_then(Account::card_id);
    let pulls = check_source(db, client, wanted, &sender, card_id)?;
    if let Some(card_id) = card_id {
        let card = card::find(db, sender.id, card_id)?;
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
    let planned = Planned { sender: sender.id, recipient: recipient.id, cents, cost_cents, now };
    limits::check(db, &sender.limits, &planned)?;
    let will_fail = wanted.amount == FAILING_TRANSFER_AMOUNT;
    // A card pays for itself; a transfer that will fail is not charged.
    let debited_cents = if pulls || will_fail { 0 } else { cost_cents };
    client::debit(db, client, debited_cents)?;

    let ids = &call.app.ids;
    let (id, request, confirmation) = (ids.uuid(), ids.uuid(), ids.number(17));
    let record = json!({
        "transferId": id,
        "transferRequestId": request,
        "confirmationNumber": confirmation_number(wanted.method, confirmation),
        "quote": quote.reply(false),
        "senderDetails": sender.record(now),
        "recipientDetails": recipient.record(),
        "recipientAccountDetails": account.as_ref().map(Account::record),
        "disclaimers": [],
        "createdAt": iso(now),
        "fields": wanted.values.record(&transfer_sets(quote.route, ""), ""),
        "customer": customer(client),
        "dateAvailable": iso(now + delivery_time(wanted.method)),
    });
    let mut transfer = Transfer {
        id,
        request,
        confirmation,
        client: client.id,
        sender: sender.id,
        recipient: recipient.id,
        quote: quote.id,
        nonce: wanted.nonce,
        method: wanted.method,
        hold: if wanted.customer_hold { Hold::Held } else { Hold::None },
        system_hold_until: (cents >= REVIEW_CENTS).then_some(now + REVIEW),
        will_fail,
        cents,
        cost_cents,
        debited_cents,
        record,
        steps: Steps::begin(now),
        created_at: now,
    };
    transfer.schedule(now);
    transfer.insert_once(db)?;
    Ok(Submission::Made(transfer.record(now)))
}

/// A number for a bank, as some providers make it, and text for everyone else.
fn confirmation_number(method: TransferMethod, number: u64) -> Value {
    match method {
        TransferMethod::BankAccount => json!(number),
        _ => json!(number.to_string()),
    }
}

fn customer(client: &Client) -> Value {
    json!({
        "name": client.name,
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
    let sets = transfer_sets(quote.route, "");
    let mut problems = check(&sets, &wanted.values, Subject::Transfer, day_of(now));
    let code = match wanted.values.text("SOURCE_OF_FUNDS") {
        _ if sender.kind == Kind::Person => None,
        None => Some(ErrorCode::SourceOfFundsRequired),
        Some("BUSINESS" | "PULL_FROM_CARD") => None,
        Some(_) => Some(ErrorCode::SourceOfFundsInvalid),
    };
    problems.extend(code.map(|code| Problem::new(code).at("sourceOfFunds")));
    none_of(problems)
}

/// Checks what pays for the transfer. Says whether that is a card of the sender.
fn check_source(
    db: &Connection,
    client: &Client,
    wanted: &Wanted,
    sender: &Sender,
    receiving_card: Option<&str>,
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
    if !client.pull_from_card {
        return Err(Problem::new(ErrorCode::SourceAccountNotSupported).at("sourceOfFunds").into());
    }
    let Some(source) = &wanted.source_account else {
        return Err(Problem::new(ErrorCode::NotEmptyValidator).at("sourceAccountId").into());
    };
    let source = card::find(db, sender.id, source)?;
    source.check_active()?;
    source.check_pays()?;
    if let Some(card_id) = receiving_card
        && card::find(db, sender.id, card_id).is_ok_and(|card| card.is_same(&source))
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
