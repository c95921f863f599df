//! The part for fields and transfers: calls that are checked by fields or have an attempt, as promises.

mod make;
mod push_to_card;

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

use self::make::{MakeAttempt, MakeForm, form_of};
pub(super) use self::push_to_card::Flow;
use super::journal;
use super::part::part;
use super::value::{Signal, of_reply, promise_of, set};
use crate::api::{Code, Error, FieldForm, FieldProblem, Operation, date_of};
use crate::browser::{Browser, future_to_promise, matches_pattern, now_ms};
use crate::client::{Client, Journal, TransferAttempt};

/// Calls an operation with its ids and its input.
type Call = fn(&Client<Browser>, &'static Operation, Vec<String>, Option<String>, Signal) -> Promise;
/// Fetches the form of an operation for a query, and makes an object of its rules and its field sets.
type FetchForm = fn(&Client<Browser>, &'static Operation, String, Signal, MakeForm) -> Promise;

pub(super) struct TransferPart {
    load_messages: fn(),
    pub(super) call: Call,
    pub(super) request: fn(&Client<Browser>, String, Signal) -> Promise,
    pub(super) fetch_form: FetchForm,
    pub(super) requires_card: fn(&FieldForm) -> bool,
    pub(super) check: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
    pub(super) warnings: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
    pub(super) is_required: fn(&FieldForm, &str, &str) -> Result<bool, Error>,
    pub(super) to_fields: fn(&FieldForm, &str) -> Result<String, Error>,
    pub(super) field_options: fn(&Client<Browser>, &FieldForm, String, String, Signal) -> Promise,
    pub(super) open_journal: fn(JsValue) -> Box<dyn Journal>,
    pub(super) prepare: fn(&Client<Browser>, String, Signal, MakeAttempt) -> Promise,
    pub(super) pending: fn(&Client<Browser>, MakeAttempt) -> Promise,
    pub(super) submit: fn(&TransferAttempt<Browser>, Signal, MakeAttempt) -> Promise,
    pub(super) discard: fn(&TransferAttempt<Browser>, Signal) -> Promise,
    pub(super) acknowledge: fn(&TransferAttempt<Browser>, Signal) -> Promise,
    pub(super) push_to_card: push_to_card::Begin,
}

part! {
    "transfer", "1035",
    fn table() -> TransferPart {
        TransferPart {
            load_messages: Code::load_later_messages,
            call,
            request,
            fetch_form,
            requires_card: FieldForm::requires_card,
            check: |form, values| form.check(values, &date_of(now_ms()), &matches_pattern),
            warnings: |form, values| form.warnings(values, &matches_pattern),
            is_required: |form, field_id, values| form.is_required(field_id, values, &matches_pattern),
            to_fields: |form, values| form.to_fields(values, &matches_pattern),
            field_options,
            open_journal: journal::open,
            prepare,
            pending,
            submit,
            discard,
            acknowledge,
            push_to_card: push_to_card::begin,
        }
    }
}

pub(super) fn transfer_part() -> &'static TransferPart {
    let part = table();
    (part.load_messages)();
    part
}

fn call(
    client: &Client<Browser>,
    operation: &'static Operation,
    ids: Vec<String>,
    input: Option<String>,
    signal: Signal,
) -> Promise {
    promise_of(client.call_json(operation, ids, input), signal, |reply| of_reply(&reply))
}

fn request(client: &Client<Browser>, request: String, signal: Signal) -> Promise {
    promise_of(client.request_json(request), signal, |reply| of_reply(&reply))
}

fn fetch_form(
    client: &Client<Browser>,
    operation: &'static Operation,
    query: String,
    signal: Signal,
    make: MakeForm,
) -> Promise {
    let (fetching, client) = (client.field_form_json(operation, query), client.clone());
    promise_of(fetching, signal, move |(form, reply)| form_of(client, form, &reply, make))
}

fn field_options(
    client: &Client<Browser>,
    form: &FieldForm,
    field_id: String,
    values: String,
    signal: Signal,
) -> Promise {
    promise_of(client.field_options_json(form, field_id, values), signal, |reply| of_reply(&reply))
}

fn prepare(client: &Client<Browser>, request: String, signal: Signal, make: MakeAttempt) -> Promise {
    promise_of(client.prepare_json(request), signal, move |attempt| Ok(make(attempt)))
}

fn pending(client: &Client<Browser>, make: MakeAttempt) -> Promise {
    let pending = client.pending_transfers();
    promise_of(pending, None, move |attempts| Ok(attempts.into_iter().map(make).collect::<Array>().into()))
}

fn submit(attempt: &TransferAttempt<Browser>, signal: Signal, make: MakeAttempt) -> Promise {
    let (client, settling) = (attempt.client().clone(), attempt.settle().with_signal(signal));
    future_to_promise(async move {
        let made = settling.await.map_err(|error| with_earlier_attempt(&client, error, make))?;
        let transfer = of_reply(&made.transfer)?;
        set(&transfer, "recovered", &made.recovered.into())?;
        Ok(transfer)
    })
}

fn with_earlier_attempt(client: &Client<Browser>, error: Error, make: MakeAttempt) -> JsValue {
    let earlier = match error.code() {
        Code::PaymentInProgress => client.attempt_of(&error),
        _ => None,
    };
    let error = JsValue::from(error);
    if let Some(attempt) = earlier {
        let _ = set(&error, "attempt", &make(attempt));
    }
    error
}

fn discard(attempt: &TransferAttempt<Browser>, signal: Signal) -> Promise {
    promise_of(attempt.discard(), signal, |()| Ok(JsValue::UNDEFINED))
}

fn acknowledge(attempt: &TransferAttempt<Browser>, signal: Signal) -> Promise {
    promise_of(attempt.acknowledge(), signal, |()| Ok(JsValue::UNDEFINED))
}
