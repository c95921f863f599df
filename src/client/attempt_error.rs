//! What can be wrong with an attempt.

use crate::api::option_name::{PAYMENT_ID, QUOTE_HISTORY_ID};
use crate::api::{Code, Error};

pub(super) fn unknown(quote_history_id: &str) -> Error {
    Error::new(Code::OutcomeUnknown).with_attempt(quote_history_id)
}

pub(super) fn ended() -> Error {
    Error::new(Code::TransferFailed).with_developer_message(
        "This attempt ended earlier, without a transfer, or the page's storage was cleared.",
    )
}

pub(super) fn replaced(quote_history_id: &str) -> Error {
    Error::new(Code::TransferDuplicatedByQuote)
        .with_option_name(&QUOTE_HISTORY_ID)
        .with_developer_message("Another attempt with this quote is in the journal. Resume that one.")
        .with_attempt(quote_history_id)
}

pub(super) fn another() -> Error {
    Error::new(Code::TransferDuplicatedByQuote).with_option_name(&QUOTE_HISTORY_ID).with_developer_message(
        "Another transfer was made with this quote, not this one. Fetch a new quote for this one.",
    )
}

pub(super) fn taken(quote_history_id: &str) -> Error {
    Error::new(Code::TransferDuplicatedByQuote)
        .with_option_name(&QUOTE_HISTORY_ID)
        .with_developer_message(
            "Another transfer was prepared with this quote. Resume that one, or fetch a new quote.",
        )
        .with_attempt(quote_history_id)
}

pub(super) fn in_progress(quote_history_id: &str) -> Error {
    Error::new(Code::PaymentInProgress)
        .with_option_name(&PAYMENT_ID)
        .with_developer_message(
            "An earlier attempt at this payment may have been sent. Resume that one; nothing of this one was sent.",
        )
        .with_attempt(quote_history_id)
}

pub(super) fn sending_elsewhere() -> Error {
    Error::new(Code::Timeout).with_option_name(&PAYMENT_ID).with_developer_message(
        "Another tab sends an attempt at this payment. Nothing of this one was sent; try again later.",
    )
}

pub(super) fn undecided() -> Error {
    Error::new(Code::ServiceUnavailable).with_option_name(&PAYMENT_ID).with_developer_message(
        "Nobody can say now whether an earlier attempt at this payment was sent. Nothing of this one was sent; try \
         again later. An attempt that was never sent counts for a day.",
    )
}

pub(super) fn already_made(transfer: &str) -> Error {
    Error::new(Code::PaymentAlreadyMade)
        .with_option_name(&PAYMENT_ID)
        .with_developer_message(
            "An earlier attempt made this payment's transfer. Nothing of this one was sent.",
        )
        .with_transfer(transfer)
}

pub(super) fn foreign() -> Error {
    Error::new(Code::AccessDenied)
        .with_developer_message("This transfer belongs to another sender or service. Sign in as that sender.")
}
