use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::field_form::FieldForm;
use super::transfer_attempt::TransferAttempt;
use super::transfer_part::Flow;

/// The steps of a transfer to a card.
#[wasm_bindgen]
pub struct PushToCard(Box<dyn Flow>);

#[wasm_bindgen]
impl PushToCard {
    /// Takes the next step, one at a time. Resolves to what was done, or to what the flow asks for.
    #[wasm_bindgen(unchecked_return_type = "Promise<PushToCardStep>")]
    pub fn next(&self) -> Promise {
        self.0.next(FieldForm::make, TransferAttempt::make)
    }

    /// Answers the last step: `ACCOUNT_FIELDS` with a list of `{ id, value }` as JSON text, `CARD` with the id
    /// of the card, `DETAILS` with an object of further members of the transfer as JSON text.
    ///
    /// # Errors
    /// `field` or `invalid_request`.
    pub fn answer(&self, text: String) -> Result<(), JsValue> {
        Ok(self.0.answer(text)?)
    }
}

impl PushToCard {
    pub(super) fn new(flow: Box<dyn Flow>) -> Self {
        PushToCard(flow)
    }
}
