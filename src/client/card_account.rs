//! The account of a card whose creation had no answer: found again in the recipient's list, or created.

use super::Reply;
use super::call_context::CallContext;
use crate::api::json::JsonRef;
use crate::api::{CARD_ID, CREATE_RECIPIENT_ACCOUNT, Code, Error, LIST_RECIPIENT_ACCOUNTS, TransferMethod};

/// The delays before each read of the list: the service may still process the lost request.
const READ_DELAYS_MS: [u32; 3] = [0, 1000, 3000];

impl CallContext {
    /// Returns the account with the card of this request, given as JSON text, or creates it if no account can
    /// be the lost one.
    pub(super) async fn recover_card_account(
        &self,
        recipient_id: &str,
        request: &str,
    ) -> Result<Reply, Error> {
        let ids = [recipient_id];
        let card_id = card_of(JsonRef::new(request));
        if card_id.is_none() {
            return Err(Error::invalid(Code::InvalidRequest, "fields", "those of a card's account"));
        }
        let mut is_open = true;
        for after_ms in READ_DELAYS_MS {
            self.wait(after_ms).await;
            let listed = self.plain_call(&LIST_RECIPIENT_ACCOUNTS, &ids, None).await?;
            let accounts = || listed.view().items();
            if let Some(found) = accounts().find(|account| card_of(*account) == card_id) {
                return Ok(Reply::with_bigints(found.raw().to_owned(), listed.has_bigints()));
            }
            is_open = accounts().any(hides_card);
        }
        if is_open {
            return Err(Error::new(Code::OutcomeUnknown));
        }
        self.call(&CREATE_RECIPIENT_ACCOUNT, &ids, Some(request)).await
    }
}

fn card_of(record: JsonRef<'_>) -> Option<String> {
    let mut fields = record.member("fields")?.items();
    let field = fields.find(|field| field.text_of("id").is_some_and(|id| id == CARD_ID))?;
    field.member("value")?.owned_string_or_number()
}

/// Whether an account may be for any card: it shows none, or a masked one.
fn hides_card(account: JsonRef<'_>) -> bool {
    let method = account.text_of("transferMethod");
    method.is_none_or(|method| method == TransferMethod::PushToCard.as_str())
        && card_of(account).is_none_or(|card_id| card_id.contains(['*', '•']))
}
