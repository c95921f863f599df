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
use crate::browser::{Browser, matches_pattern, now_ms};
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
    promise_of(client, signal, async move |context| {
        let ids: Vec<_> = ids.iter().map(String::as_str).collect();
        of_reply(&context.call(operation, &ids, input.as_deref()).await?)
    })
}

fn request(client: &Client<Browser>, request: String, signal: Signal) -> Promise {
    promise_of(client, signal, async move |context| of_reply(&context.request(&request).await?))
}

fn fetch_form(
    client: &Client<Browser>,
    operation: &'static Operation,
    query: String,
    signal: Signal,
    make: MakeForm,
) -> Promise {
    let own = client.clone();
    promise_of(client, signal, async move |context| {
        let (form, reply) = context.field_form(operation, &query).await?;
        form_of(own, form, &reply, make)
    })
}

fn field_options(
    client: &Client<Browser>,
    form: &FieldForm,
    field_id: String,
    values: String,
    signal: Signal,
) -> Promise {
    let form = form.clone();
    promise_of(client, signal, async move |context| {
        of_reply(&context.field_options(&form, &field_id, &values).await?)
    })
}

fn prepare(client: &Client<Browser>, request: String, signal: Signal, make: MakeAttempt) -> Promise {
    let own = client.clone();
    promise_of(client, signal, async move |context| {
        Ok(make(TransferAttempt::new(own, context.prepare_in_time(&request).await?)))
    })
}

fn pending(client: &Client<Browser>, make: MakeAttempt) -> Promise {
    let own = client.clone();
    promise_of(client, None, async move |context| {
        let attempts = Array::new();
        for entry in context.pending().await? {
            attempts.push(&make(TransferAttempt::new(own.clone(), Box::new(entry))));
        }
        Ok(attempts.into())
    })
}

fn submit(attempt: &TransferAttempt<Browser>, signal: Signal, make: MakeAttempt) -> Promise {
    let (client, id) = (attempt.client().clone(), attempt.id());
    promise_of(attempt.client(), signal, async move |context| {
        let made = context.submit(&id).await.map_err(|error| with_earlier_attempt(&client, error, make))?;
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
    let id = attempt.id();
    promise_of(attempt.client(), signal, async move |context| {
        context.discard(&id).await?;
        Ok(JsValue::UNDEFINED)
    })
}

fn acknowledge(attempt: &TransferAttempt<Browser>, signal: Signal) -> Promise {
    let id = attempt.id();
    promise_of(attempt.client(), signal, async move |context| {
        context.acknowledge(&id).await?;
        Ok(JsValue::UNDEFINED)
    })
}
