//! The operations by name and type, for Rust. JavaScript has the same names in its own spelling.

use super::{Client, Environment};
use crate::api::json::Wire;
use crate::api::*;

macro_rules! methods {
    ($( $(#[$meta:meta])* $name:ident($($id:ident: $Id:ty),* $(; $input:ident: $Input:ty)?) -> $Output:ty = $OPERATION:ident; )*) => {
        impl<E: Environment> Client<E> {
            $(
                $(#[$meta])*
                ///
                /// # Errors
                /// As [`Client::call`].
                pub async fn $name(&self, $($id: &$Id,)* $($input: &$Input,)? signal: &E::Signal) -> Result<$Output, Error> {
                    #[allow(unused_mut, unused_assignments, reason = "only some operations take an input")]
                    let mut json: Option<String> = None;
                    $( json = Some($input.to_json()); )?
                    self.call(&$OPERATION, &[$($id.as_str()),*], json.as_deref(), signal).await?.read()
                }
            )*
        }
    };
}

methods! {
    /// The corridors that are enabled.
    corridors() -> Vec<Corridor> = CORRIDORS;
    /// A price.
    quote(; request: QuoteRequest) -> Quote = QUOTE;
    /// A price that was given before.
    get_quote(quote_history_id: Uuid) -> Quote = GET_QUOTE;
    /// The sender that the token stands for.
    sender_id() -> SenderId = SENDER_ID;
    /// Registers a sender.
    create_sender(; sender: SenderRequest) -> Sender = CREATE_SENDER;
    /// Changes what is included, and leaves the rest.
    update_sender(sender_id: Uuid; change: SenderRequest) -> Sender = UPDATE_SENDER;
    /// Replaces a sender's whole record.
    replace_sender(sender_id: Uuid; sender: SenderRequest) -> Sender = REPLACE_SENDER;
    /// Reads a sender.
    get_sender(sender_id: Uuid) -> Sender = GET_SENDER;
    /// Registers a recipient.
    create_recipient(; recipient: RecipientRequest) -> Recipient = CREATE_RECIPIENT;
    /// Replaces a recipient's whole record.
    replace_recipient(recipient_id: RecipientId; recipient: RecipientRequest) -> Recipient = REPLACE_RECIPIENT;
    /// Reads a recipient.
    get_recipient(recipient_id: RecipientId) -> Recipient = GET_RECIPIENT;
    /// The sender's recipients.
    recipients(; filter: RecipientFilter) -> Vec<Recipient> = LIST_RECIPIENTS;
    /// Adds an account to a recipient.
    create_recipient_account(recipient_id: RecipientId; account: RecipientAccountRequest) -> RecipientAccount = CREATE_RECIPIENT_ACCOUNT;
    /// Replaces an account's whole record.
    replace_recipient_account(recipient_id: RecipientId, account_id: RecipientAccountId; account: RecipientAccountRequest) -> RecipientAccount = REPLACE_RECIPIENT_ACCOUNT;
    /// Reads an account.
    get_recipient_account(recipient_id: RecipientId, account_id: RecipientAccountId) -> RecipientAccount = GET_RECIPIENT_ACCOUNT;
    /// A recipient's accounts.
    recipient_accounts(recipient_id: RecipientId) -> Vec<RecipientAccount> = LIST_RECIPIENT_ACCOUNTS;
    /// A nonce for a transfer.
    nonce() -> Nonce = NONCE;
    /// Begins a session in which a card is entered. Only the newest one counts.
    create_card_session(; request: CardSessionRequest) -> CardSession = CREATE_CARD_SESSION;
    /// Reads a card session.
    get_card_session(session_id: Uuid) -> CardSession = GET_CARD_SESSION;
    /// Reads a transfer.
    get_transfer(transfer_id: Uuid) -> Transfer = GET_TRANSFER;
    /// The sender's transfers.
    transfers(; filter: TransferFilter) -> Vec<ListedTransfer> = LIST_TRANSFERS;
    /// The life of a transfer.
    transfer_statuses(transfer_id: Uuid) -> TransferStatuses = TRANSFER_STATUSES;
    /// What became of a quote's transfer.
    transfer_progress(quote_history_id: Uuid) -> TransferProgress = TRANSFER_PROGRESS;
    /// How far the service is with a request for a transfer.
    transfer_request(transfer_request_id: Uuid) -> TransferRequestRecord = TRANSFER_REQUEST;
}
