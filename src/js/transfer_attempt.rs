use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

use super::calls::{Calls, Signal};
use super::value::{exact, of_outcome};
use crate::api::json::JsonRef;
use crate::api::{Code, Error};
use crate::client::{Entry, Outcome, Task};

/// One transfer, bound to one quote and one nonce.
#[wasm_bindgen]
pub struct TransferAttempt {
    calls: Calls,
    entry: Box<Entry>,
}

#[wasm_bindgen]
impl TransferAttempt {
    /// Returns what is known of it now: `{ quoteHistoryId, nonce, createdAt, state, expiresAt?, transferId?, details? }`.
    ///
    /// # Errors
    /// None.
    pub fn record(&self) -> Result<JsValue, JsValue> {
        exact(JsonRef::new(&self.calls.client.latest(&self.entry).summary()))
    }

    /// Settles the attempt: posts it, or first reads its progress. Resolves to the transfer.
    pub fn submit(&self, signal: Signal) -> Promise {
        self.begin(Task::Submit(self.entry.id()), signal)
    }

    /// Discards an attempt that was never sent.
    pub fn discard(&self, signal: Signal) -> Promise {
        self.begin(Task::Discard(self.entry.id()), signal)
    }

    /// Removes a made transfer from the journal.
    pub fn acknowledge(&self, signal: Signal) -> Promise {
        self.begin(Task::Acknowledge(self.entry.id()), signal)
    }
}

impl TransferAttempt {
    /// Makes the attempt or the attempts of an outcome.
    pub(super) fn of(calls: Calls, outcome: Outcome) -> Result<JsValue, JsValue> {
        let attempt = |entry: Box<Entry>| JsValue::from(TransferAttempt { calls: calls.clone(), entry });
        match outcome {
            Outcome::Attempt(entry) => Ok(attempt(entry)),
            Outcome::Attempts(entries) => {
                Ok(entries.into_iter().map(|entry| attempt(Box::new(entry))).collect::<Array>().into())
            }
            _ => Err(Error::new(Code::Internal).into()),
        }
    }

    fn begin(&self, task: Task, signal: Signal) -> Promise {
        self.calls.begin(task, signal, |_, outcome| of_outcome(outcome))
    }
}
