use js_sys::{Array, Promise};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::calls::{Calls, Signal};
use super::value::{exact, of_outcome, set, to_js};
use crate::api::{Code, Error};
use crate::client::{Entry, Outcome, Task};

/// One transfer, bound to one quote and one nonce.
#[wasm_bindgen]
pub struct TransferAttempt {
    calls: Calls,
    entry: Box<Entry>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Record<'a> {
    quote_history_id: &'a str,
    nonce: &'a str,
    created_at: i64,
    state: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transfer_id: Option<&'a str>,
}

#[wasm_bindgen]
impl TransferAttempt {
    /// Returns `{ quoteHistoryId, nonce, createdAt, state, expiresAt?, transferId?, details? }`.
    ///
    /// # Errors
    /// None.
    pub fn record(&self) -> Result<JsValue, JsValue> {
        let Entry { quote_history_id, nonce, state, transfer_id, .. } = &*self.entry;
        let record = to_js(&Record {
            quote_history_id: quote_history_id.as_str(),
            nonce: nonce.as_str(),
            created_at: self.entry.created_at_ms,
            state: state.as_str(),
            expires_at: self.entry.expires_at_ms,
            transfer_id: transfer_id.as_ref().map(|id| id.as_str()),
        })?;
        if let Some(details) = &self.entry.details {
            set(&record, "details", &exact(details.view())?)?;
        }
        Ok(record)
    }

    /// Returns its state as the client knows it, if it does.
    #[wasm_bindgen(getter)]
    pub fn state(&self) -> Option<String> {
        self.calls.client.state_of(&self.entry.id()).map(|state| state.as_str().to_owned())
    }

    /// Returns the id of its transfer as the client knows it, if it does.
    #[wasm_bindgen(getter, js_name = transferId)]
    pub fn transfer_id(&self) -> Option<String> {
        self.calls.client.transfer_id_of(&self.entry.id())
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
