use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::transfer_part::transfer_part;
use super::value::{Signal, exact};
use crate::api::json::JsonRef;
use crate::browser::Browser;
use crate::client;

/// One transfer, bound to one quote and one nonce.
#[wasm_bindgen]
pub struct TransferAttempt(pub(super) client::TransferAttempt<Browser>);

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
        (transfer_part().submit)(&self.0, signal, Self::make)
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

impl TransferAttempt {
    pub(super) fn make(attempt: client::TransferAttempt<Browser>) -> JsValue {
        TransferAttempt(attempt).into()
    }
}
