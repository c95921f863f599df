use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

use super::parts::transfer_part;
use super::value::{Signal, exact, of_reply, promise_of, set};
use crate::api::json::JsonRef;
use crate::api::{Code, Error};
use crate::browser::{Browser, future_to_promise};
use crate::client::{self, Client};

/// One transfer, bound to one quote and one nonce.
#[wasm_bindgen]
pub struct TransferAttempt(client::TransferAttempt<Browser>);

#[wasm_bindgen]
impl TransferAttempt {
    /// Returns what is known of it now: `{ quoteHistoryId, nonce, createdAt, state, expiresAt?, paymentId?,
    /// transferId?, details? }`.
    ///
    /// # Errors
    /// None.
    #[wasm_bindgen(unchecked_return_type = "TransferRecord")]
    pub fn record(&self) -> Result<JsValue, JsValue> {
        exact(JsonRef::new(&self.0.summary()))
    }

    /// Settles the attempt: posts it, or first reads its progress. Resolves to the transfer. The error
    /// `PaymentInProgress` has the earlier attempt as its `attempt`.
    #[wasm_bindgen(unchecked_return_type = "Promise<TransferResult>")]
    pub fn submit(&self, signal: Signal) -> Promise {
        (transfer_part().submit)(&self.0, signal)
    }

    /// Discards an attempt that was never sent.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn discard(&self, signal: Signal) -> Promise {
        (transfer_part().discard)(&self.0, signal)
    }

    /// Removes a made transfer from the journal.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn acknowledge(&self, signal: Signal) -> Promise {
        (transfer_part().acknowledge)(&self.0, signal)
    }
}

/// Prepares a transfer, given as JSON text.
pub(super) fn prepare(client: &Client<Browser>, request: String, signal: Signal) -> Promise {
    promise_of(client.prepare_json(request), signal, |attempt| Ok(TransferAttempt(attempt).into()))
}

pub(super) fn pending(client: &Client<Browser>) -> Promise {
    let pending = client.pending_transfers();
    promise_of(pending, None, |attempts| {
        Ok(attempts
            .into_iter()
            .map(|attempt| JsValue::from(TransferAttempt(attempt)))
            .collect::<Array>()
            .into())
    })
}

pub(super) fn submit(attempt: &client::TransferAttempt<Browser>, signal: Signal) -> Promise {
    let (client, settling) = (attempt.client().clone(), attempt.settle().with_signal(signal));
    future_to_promise(async move {
        let made = settling.await.map_err(|error| with_earlier_attempt(&client, error))?;
        let transfer = of_reply(&made.transfer)?;
        set(&transfer, "recovered", &made.recovered.into())?;
        Ok(transfer)
    })
}

fn with_earlier_attempt(client: &Client<Browser>, error: Error) -> JsValue {
    let earlier = match error.code() {
        Code::PaymentInProgress => client.attempt_of(&error),
        _ => None,
    };
    let error = JsValue::from(error);
    if let Some(attempt) = earlier {
        let _ = set(&error, "attempt", &TransferAttempt(attempt).into());
    }
    error
}

pub(super) fn discard(attempt: &client::TransferAttempt<Browser>, signal: Signal) -> Promise {
    promise_of(attempt.discard(), signal, |()| Ok(JsValue::UNDEFINED))
}

pub(super) fn acknowledge(attempt: &client::TransferAttempt<Browser>, signal: Signal) -> Promise {
    promise_of(attempt.acknowledge(), signal, |()| Ok(JsValue::UNDEFINED))
}
