//! POST /v1/transfers: the one call that moves money.

use axum::Extension;

use super::record::{Hold, Transfer, check_unused};
use super::request::TransferRequest;
use super::status::{Steps, delivery_time};
use crate::card;
use crate::client::{self, Client};
use crate::disclosures;
use crate::endpoint::*;
use crate::faults::During;
use crate::fields::{Form, Kind, Subject, check};
use crate::limits::{self, Planned};
use crate::options;
use crate::price::in_cents;
use crate::quote;
use crate::recipient;
use crate::recipient_account::{self, Account};
use crate::sender::Sender;
use crate::transfer_method::TransferMethod;
use crate::trigger::Operation;
use crate::triggers::{self, FAILING_TRANSFER_AMOUNT};

/// The amount in US cents from which on the system holds a transfer for review.
const REVIEW_CENTS: i64 = 250_000;
const REVIEW_TIME: i64 = 3_600 * SECOND;

/// The result of a submission that is committed.
enum Submitted {
    Created(Value),
    /// The provider rejected the transfer, which is recorded with the quote.
    Rejected(ApiError),
}

pub(super) async fn create(during: Option<Extension<During>>, mut call: Call) -> Result<Json<Value>> {
    let request = TransferRequest::read(&call)?;
    // Until this is dropped, GET /v1/transfers/progress answers Initializing.
    let _in_flight = call.app.in_flight.enter(request.quote);
    if let Some(Extension(During(delay))) = during {
        tokio::time::sleep(delay).await;
    }
    call.now = call.app.clock.now();
    let store = call.app.store.clone();
    match store.write(move |db| submit(db, &call, &request)).await? {
        Submitted::Created(record) => Ok(Json(record)),
        Submitted::Rejected(error) => Err(error),
    }
}

fn submit(db: &Connection, call: &Call, request: &TransferRequest) -> Result<Submitted> {
    let (client, now) = (call.caller.client, call.now);
    let sender = call.caller.sender(db, request.sender)?;
    let mut quote = quote::find(db, client, Some(&sender), request.quote)?;
    check_unused(db, client.id, quote.id, request.nonce)?;
    request.check_quote(&quote, &call.world)?;

    let recipient = recipient::find(db, &sender, request.recipient)?;
    let account = request.account.map(|id| recipient_account::find(db, &recipient, id)).transpose()?;
    if let Some(account) = &account {
        account.check_route(&quote.route)?;
    }
    if let Err(error) = triggers::by_amount(&call.world, Operation::Transfer, request.amount) {
        if error.codes().contains(&ErrorCode::RspTransferException) {
            quote.has_failed = true;
            quote.update(db)?;
            return Ok(Submitted::Rejected(error));
        }
        return Err(error);
    }
    let form = Form::new(&call.world, Subject::Transfer, now).in_corridor(&quote.route);
    check_fields(request, form, &sender)?;
    let card_id = account.as_ref().and_then(Account::card_id);
    let pulls = check_source(db, client, request, &sender, card_id)?;
    if let Some(card_id) = card_id {
        let card = card::find(db, sender.id, card_id)?;
        card.check_active()?;
        card.check_receives(&quote.route.destination)?;
    }
    if !quote.holds(db, &call.world)? {
        return Err(ErrorCode::QuoteAmountChanged.into());
    }

    let too_large = || ApiError::from(ErrorCode::MaxLimitOutOfRange);
    let source = call.world.recorded_currency(&quote.source)?;
    let cents = in_cents(quote.price.send, source).ok_or_else(too_large)?;
    let cost_cents = in_cents(quote.price.total, source).ok_or_else(too_large)?;
    check_payout(call, request, cents)?;
    let planned = Planned { sender: sender.id, recipient: recipient.id, cents, cost_cents, now };
    limits::check(db, &sender.limits, &planned)?;
    let will_fail = request.amount == FAILING_TRANSFER_AMOUNT;
    // The settlement account pays neither for transfers from a card nor for those that will fail.
    let debited_cents = if pulls || will_fail { 0 } else { cost_cents };
    client::debit(db, client, debited_cents)?;

    let ids = &call.app.ids;
    let (id, order, confirmation) = (ids.uuid(), ids.uuid(), ids.number(17));
    let record = json!({
        "transferId": id, "transferRequestId": order,
        "confirmationNumber": confirmation_number(request.method, confirmation),
        "quote": quote.to_wire(&call.world, false)?, "senderDetails": sender.to_wire(&call.world, now),
        "recipientDetails": recipient.to_wire(&call.world),
        "recipientAccountDetails": account.as_ref().map(|account| account.to_wire(&call.world)),
        "disclaimers": disclosures::with_receipt(&quote.source, call.language() == "es"),
        "createdAt": iso(now), "fields": request.values.to_wire(&form.sets(), ""),
        "customer": customer(client), "dateAvailable": iso(now + delivery_time(request.method)),
    });
    let mut transfer = Transfer {
        id,
        request: order,
        confirmation,
        client: client.id,
        sender: sender.id,
        recipient: recipient.id,
        quote: quote.id,
        nonce: request.nonce,
        method: request.method,
        hold: if request.customer_hold { Hold::Held } else { Hold::None },
        system_hold_until: (cents >= REVIEW_CENTS).then_some(now + REVIEW_TIME),
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
    Ok(Submitted::Created(transfer.to_wire(now)))
}

/// Services send numbers as well as texts.
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

fn check_fields(request: &TransferRequest, form: Form<'_>, sender: &Sender) -> Result {
    let mut problems = check(form, &request.values);
    let code = match request.values.text("SOURCE_OF_FUNDS") {
        _ if sender.kind == Kind::Person => None,
        None => Some(ErrorCode::SourceOfFundsRequired),
        Some("BUSINESS" | "PULL_FROM_CARD") => None,
        Some(_) => Some(ErrorCode::SourceOfFundsInvalid),
    };
    problems.extend(code.map(|code| Problem::new(code).at("sourceOfFunds")));
    reject_if_any(problems)
}

/// Checks the source of funds. Returns whether a card of the sender pays.
fn check_source(
    db: &Connection,
    client: &Client,
    request: &TransferRequest,
    sender: &Sender,
    receiving_card: Option<&str>,
) -> Result<bool> {
    let method = request.source_transfer_method.as_deref();
    if method.is_some_and(|method| !matches!(method, "PREFUNDING" | "PULL_FROM_CARD")) {
        return Err(Problem::new(ErrorCode::SourceTransferMethodNotFound)
            .at("sourceTransferMethod")
            .because("expected PREFUNDING or PULL_FROM_CARD")
            .into());
    }
    let pulls =
        method == Some("PULL_FROM_CARD") || request.values.text("SOURCE_OF_FUNDS") == Some("PULL_FROM_CARD");
    if !pulls {
        return Ok(false);
    }
    if !client.pull_from_card {
        return Err(Problem::new(ErrorCode::SourceAccountNotSupported).at("sourceOfFunds").into());
    }
    let Some(source) = &request.source_account else {
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

fn check_payout(call: &Call, request: &TransferRequest, cents: i64) -> Result {
    if request.method != TransferMethod::CashPickup {
        return Ok(());
    }
    let location = request.values.text("PAYER_LOCATION");
    let Some(bounds) = location.and_then(|id| options::location(&call.world, id)) else {
        return Ok(());
    };
    if cents < bounds.min {
        return Err(ErrorCode::MinCashPayerTransactionLimitNotReached.into());
    }
    if cents > bounds.max {
        return Err(ErrorCode::MaxCashPayerTransactionLimitExceeded.into());
    }
    Ok(())
}
