use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

use super::value::{Signal, exact, of_outcome, promise_of, set};
use crate::api::json::JsonRef;
use crate::api::{Code, Error};
use crate::browser::{Browser, future_to_promise};
use crate::client::{Client, Entry, Outcome, Task};

/// One transfer, bound to one quote and one nonce.
#[wasm_bindgen]
pub struct TransferAttempt {
    client: Client<Browser>,
    entry: Box<Entry>,
}

#[wasm_bindgen]
impl TransferAttempt {
    /// Returns what is known of it now: `{ quoteHistoryId, nonce, createdAt, state, expiresAt?, paymentId?,
    /// transferId?, details? }`.
    ///
    /// # Errors
    /// None.
    pub fn record(&self) -> Result<JsValue, JsValue> {
        exact(JsonRef::new(&self.client.latest(&self.entry).summary()))
    }

    /// Settles the attempt: posts it, or first reads its progress. Resolves to the transfer. The error
    /// `PaymentInProgress` has the earlier attempt as its `attempt`.
    pub fn submit(&self, signal: Signal) -> Promise {
        let (client, id) = (self.client.clone(), self.entry.id());
        future_to_promise(async move {
            match client.run(Task::Submit(id), signal.into()).await {
                Ok(outcome) => of_outcome(client, outcome),
                Err(error) => Err(with_earlier_attempt(client, error)),
            }
        })
    }

    /// Discards an attempt that was never sent.
    pub fn discard(&self, signal: Signal) -> Promise {
        promise_of(&self.client, Task::Discard(self.entry.id()), signal, of_outcome)
    }

    /// Removes a made transfer from the journal.
    pub fn acknowledge(&self, signal: Signal) -> Promise {
        promise_of(&self.client, Task::Acknowledge(self.entry.id()), signal, of_outcome)
    }
}

impl TransferAttempt {
    /// Makes the attempt or the attempts of an outcome.
    pub(super) fn of(client: Client<Browser>, outcome: Outcome) -> Result<JsValue, JsValue> {
        let attempt = |entry: Box<Entry>| JsValue::from(TransferAttempt { client: client.clone(), entry });
        match outcome {
            Outcome::Attempt(entry) => Ok(attempt(entry)),
            Outcome::Attempts(entries) => {
                Ok(entries.into_iter().map(|entry| attempt(Box::new(entry))).collect::<Array>().into())
            }
            _ => Err(Error::new(Code::Internal).into()),
        }
    }
}

fn with_earlier_attempt(client: Client<Browser>, error: Error) -> JsValue {
    let earlier = match error.code() {
        Code::PaymentInProgress => client.attempt_of(&error),
        _ => None,
    };
    let error = JsValue::from(error);
    if let Some(entry) = earlier {
        let _ = set(&error, "attempt", &TransferAttempt { client, entry }.into());
    }
    error
}
