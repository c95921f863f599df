//! The typed calls of the interface for Rust. JavaScript has the same names in camel case.

use super::{Client, CompletedTransfer, FetchedForm, PendingCall, Platform, Reply, TransferAttempt};
use crate::api::json::Codec;
use crate::api::*;

/// Passes the calls of one request to a macro, each with its names in Rust and in JavaScript, and what it
/// returns there. The docs are no `///`: in a macro these are raw strings, which wasm-bindgen copies into its
/// output with `r"`.
macro_rules! calls {
    ($make:ident) => {
        $make! {
            forms {
                #[doc = "Fetches the fields of a sender."]
                sender_fields senderFields(SenderFieldsQuery) = SENDER_FIELDS;
                #[doc = "Fetches the fields of a recipient."]
                recipient_fields recipientFields(CorridorFieldsQuery) = RECIPIENT_FIELDS;
                #[doc = "Fetches the fields of a recipient's account."]
                recipient_account_fields recipientAccountFields(CorridorFieldsQuery) = RECIPIENT_ACCOUNT_FIELDS;
                #[doc = "Fetches the fields of a transfer."]
                transfer_fields transferFields(TransferFieldsQuery) = TRANSFER_FIELDS;
            }
            records {
                #[doc = "Lists the enabled corridors that the filter keeps."]
                corridors corridors(; filter: CorridorFilter) -> Vec<Corridor>, "Promise<Corridor[]>" = CORRIDORS;
                #[doc = "Fetches a quote."]
                quote quote(; request: QuoteRequest) -> Quote, "Promise<Quote>" = QUOTE;
                #[doc = "Reads a quote that was given before."]
                get_quote getQuote(quote_history_id: QuoteId) -> Quote, "Promise<Quote>" = GET_QUOTE;
                #[doc = "Returns the sender of the token."]
                sender_id senderId() -> SenderId, "Promise<{ senderId: string }>" = SENDER_ID as sender_id;
                #[doc = "Registers a sender."]
                create_sender createSender(; sender: SenderRequest) -> Sender, "Promise<Sender>" = CREATE_SENDER;
                #[doc = "Changes the included members of a sender."]
                update_sender updateSender(sender_id: SenderId; change: SenderRequest)
                    -> Sender, "Promise<Sender>" = UPDATE_SENDER;
                #[doc = "Replaces a sender."]
                replace_sender replaceSender(sender_id: SenderId; sender: SenderRequest)
                    -> Sender, "Promise<Sender>" = REPLACE_SENDER;
                #[doc = "Reads a sender."]
                get_sender getSender(sender_id: SenderId) -> Sender, "Promise<Sender>" = GET_SENDER;
                #[doc = "Deletes a sender."]
                delete_sender deleteSender(sender_id: SenderId) -> (), "Promise<void>" = DELETE_SENDER as nothing;
                #[doc = "Registers a recipient."]
                create_recipient createRecipient(; recipient: RecipientRequest) -> Recipient, "Promise<Recipient>"
                    = CREATE_RECIPIENT;
                #[doc = "Replaces a recipient."]
                replace_recipient replaceRecipient(recipient_id: RecipientId; recipient: RecipientRequest)
                    -> Recipient, "Promise<Recipient>" = REPLACE_RECIPIENT;
                #[doc = "Reads a recipient."]
                get_recipient getRecipient(recipient_id: RecipientId) -> Recipient, "Promise<Recipient>"
                    = GET_RECIPIENT;
                #[doc = "Deletes a recipient."]
                delete_recipient deleteRecipient(recipient_id: RecipientId) -> (), "Promise<void>"
                    = DELETE_RECIPIENT as nothing;
                #[doc = "Lists the sender's recipients."]
                recipients recipients(; filter: RecipientFilter) -> Vec<Recipient>, "Promise<Recipient[]>"
                    = LIST_RECIPIENTS;
                #[doc = "Adds an account to a recipient."]
                create_recipient_account createRecipientAccount(recipient_id: RecipientId; account: RecipientAccountRequest)
                    -> RecipientAccount, "Promise<RecipientAccount>" = CREATE_RECIPIENT_ACCOUNT;
                #[doc = "Replaces an account."]
                replace_recipient_account replaceRecipientAccount(
                    recipient_id: RecipientId, account_id: RecipientAccountId; account: RecipientAccountRequest
                ) -> RecipientAccount, "Promise<RecipientAccount>" = REPLACE_RECIPIENT_ACCOUNT;
                #[doc = "Reads an account."]
                get_recipient_account getRecipientAccount(recipient_id: RecipientId, account_id: RecipientAccountId)
                    -> RecipientAccount, "Promise<RecipientAccount>" = GET_RECIPIENT_ACCOUNT;
                #[doc = "Deletes an account."]
                delete_recipient_account deleteRecipientAccount(recipient_id: RecipientId, account_id: RecipientAccountId)
                    -> (), "Promise<void>" = DELETE_RECIPIENT_ACCOUNT as nothing;
                #[doc = "Lists a recipient's accounts."]
                recipient_accounts recipientAccounts(recipient_id: RecipientId)
                    -> Vec<RecipientAccount>, "Promise<RecipientAccount[]>" = LIST_RECIPIENT_ACCOUNTS;
                #[doc = "Fetches a nonce for a transfer."]
                nonce nonce() -> Nonce, "Promise<{ nonce: string }>" = NONCE as nonce;
                #[doc = "Creates a session in which a card is entered. Only the newest one counts."]
                create_card_session createCardSession(; request: CardSessionRequest)
                    -> CardSession, "Promise<CardSession>" = CREATE_CARD_SESSION;
                #[doc = "Reads a card session."]
                get_card_session getCardSession(session_id: SessionId) -> CardSession, "Promise<CardSession>"
                    = GET_CARD_SESSION;
                #[doc = "Reads a transfer."]
                get_transfer getTransfer(transfer_id: TransferId) -> Transfer, "Promise<Transfer>" = GET_TRANSFER;
                #[doc = "Lists the sender's transfers."]
                transfers transfers(; filter: TransferFilter) -> Vec<ListedTransfer>, "Promise<ListedTransfer[]>"
                    = LIST_TRANSFERS;
                #[doc = "Lists the statuses of a transfer."]
                transfer_statuses transferStatuses(transfer_id: TransferId)
                    -> TransferStatuses, "Promise<TransferStatuses>" = TRANSFER_STATUSES;
                #[doc = "Returns the progress of a quote's transfer."]
                transfer_progress transferProgress(quote_history_id: QuoteId)
                    -> TransferProgress, "Promise<TransferProgress>" = TRANSFER_PROGRESS;
                #[doc = "Fetches the receipt of a transfer for the customer."]
                transfer_receipt transferReceipt(transfer_id: TransferId) -> Receipt, "Promise<Blob>"
                    = TRANSFER_RECEIPT as receipt;
                #[doc = "Releases a held transfer."]
                release_customer_hold releaseCustomerHold(transfer_id: TransferId) -> (), "Promise<void>"
                    = RELEASE_CUSTOMER_HOLD as nothing;
                #[doc = "Cancels a held transfer."]
                cancel_customer_hold cancelCustomerHold(transfer_id: TransferId; cancellation: HoldCancellation)
                    -> (), "Promise<void>" = CANCEL_CUSTOMER_HOLD as nothing;
                #[doc = "Reads the service's record of a request for a transfer."]
                transfer_request transferRequest(transfer_request_id: TransferRequestId)
                    -> TransferRequestRecord, "Promise<TransferRequestRecord>" = TRANSFER_REQUEST;
            }
        }
    };
}
#[cfg(feature = "js")]
pub(crate) use calls;

/// Makes a method for each call, and lists their operations.
macro_rules! methods {
    (
        forms { $( $(#[$form_meta:meta])* $form:ident $form_js_name:ident($Query:ty) = $FIELDS:ident; )* }
        records { $(
            $(#[$meta:meta])*
            $name:ident $js_name:ident($($id:ident: $Id:ty),* $(; $input:ident: $Input:ty)?)
                -> $Output:ty, $promise:tt = $OPERATION:ident $(as $read:path)?;
        )* }
    ) => {
        /// The fields endpoints, each under the name of its method.
        pub static FIELD_CALLS: &[(&str, &Operation)] = &[$( (stringify!($form), &$FIELDS), )*];
        /// The other operations, each under the name of its method.
        pub static CALLS: &[(&str, &Operation)] = &[$( (stringify!($name), &$OPERATION), )*];

        impl<P: Platform> Client<P> {
            $(
                $(#[$form_meta])*
                ///
                /// # Errors
                /// Those of a call.
                pub fn $form(&self, query: &$Query) -> PendingCall<P, FetchedForm<P>> {
                    self.fetch_form(&$FIELDS, query.to_json())
                }
            )*
            $(
                $(#[$meta])*
                ///
                /// # Errors
                /// Any [`Kind`]. Nothing was sent if it is `invalid_request`, `field` or `configuration`
                /// without an HTTP status.
                pub fn $name(&self, $($id: &$Id,)* $($input: &$Input)?) -> PendingCall<P, $Output> {
                    let ids = vec![$( $id.as_str().to_owned() ),*];
                    #[allow(unused_mut, unused_assignments, reason = "only some operations take an input")]
                    let mut json = None;
                    $( json = Some($input.to_json()); )?
                    self.call_and_read(&$OPERATION, ids, json, methods!(@read $($read)?))
                }
            )*
        }
    };
    (@read) => { Reply::read };
    (@read $read:path) => { $read };
}

calls!(methods);

fn nothing(_: &Reply) -> Result<(), Error> {
    Ok(())
}

fn sender_id(reply: &Reply) -> Result<SenderId, Error> {
    reply.read_member("senderId")
}

fn nonce(reply: &Reply) -> Result<Nonce, Error> {
    reply.read_member("nonce")
}

fn receipt(reply: &Reply) -> Result<Receipt, Error> {
    reply.receipt().cloned().ok_or_else(|| Error::new(Code::UnreadableReply))
}

// Calls of more than one request, or that return more than a record.
impl<P: Platform> Client<P> {
    /// Binds a transfer to its quote, a nonce and its body, and saves it in the journal. Fetches the transfer
    /// fields and checks the request against them. Sends nothing that moves money.
    ///
    /// # Errors
    /// `invalid_request` or `field`, naming what is wrong; `conflict` if another transfer was prepared
    /// with this quote; `quote` with a fresh one if this quote has expired.
    pub fn prepare_transfer(&self, request: &TransferRequest) -> PendingCall<P, TransferAttempt<P>> {
        self.prepare_json(request.to_json())
    }

    /// [Prepares](Client::prepare_transfer) a transfer and [submits](TransferAttempt::submit) it.
    ///
    /// # Errors
    /// Those of both. After `outcome_unknown` the attempt is among the [pending](Client::pending_transfers)
    /// ones.
    pub fn transfer(&self, request: &TransferRequest) -> PendingCall<P, CompletedTransfer> {
        let prepared = self.prepare_transfer(request);
        PendingCall::new(async move |signal| {
            let signal: P::Signal = signal.take();
            let attempt = prepared.with_signal(signal.clone()).await?;
            attempt.submit().with_signal(signal).await
        })
    }

    /// Lists the attempts in the journal, the oldest first: prepared, sent without a certain outcome, or made
    /// so recently that the page may not have shown it.
    ///
    /// # Errors
    /// Those of the journal; those of asking for the sender, [retryable](Error::retryable) if the service
    /// does not name it and an attempt that was sent may be this sender's.
    pub fn pending_transfers(&self) -> PendingCall<P, Vec<TransferAttempt<P>>> {
        let client = self.clone();
        self.start(async move |context| {
            let attempt = |entry| TransferAttempt { client: client.clone(), entry: Box::new(entry) };
            Ok(context.pending().await?.into_iter().map(attempt).collect())
        })
    }

    /// Sends a request that is given by its parts, for operations that the interface gains later, with the
    /// same token, retries and errors. Returns the reply's body, `null` if it has none.
    ///
    /// # Errors
    /// Those of a call; `invalid_request` for a transfer, which must be an attempt to happen once.
    pub fn request(&self, request: &RawRequest) -> PendingCall<P, Json> {
        let request = request.to_json();
        self.start(async move |context| Ok(Json::new(context.request(&request).await?.into_json())))
    }

    /// Creates the account of a card after its [creation](Client::create_recipient_account) had no answer
    /// (`outcome_unknown`), unless the recipient has it by now. Reads the recipient's accounts three times
    /// within four seconds.
    ///
    /// # Errors
    /// Those of a call; `outcome_unknown` again if an account does not show its card.
    pub fn recover_card_account(
        &self,
        recipient_id: &RecipientId,
        account: &RecipientAccountRequest,
    ) -> PendingCall<P, RecipientAccount> {
        let (recipient_id, account) = (recipient_id.clone(), account.to_json());
        self.start(async move |context| {
            context.recover_card_account(recipient_id.as_str(), &account).await?.read()
        })
    }

    /// Opens the session of a card form: the given one, or a new one.
    ///
    /// # Errors
    /// Those of a call; `card` if the given session has expired.
    pub fn open_card(&self, session_id: Option<&SessionId>) -> PendingCall<P, CardSession> {
        let session_id = session_id.cloned();
        self.start(async move |context| context.open_card(session_id).await?.read())
    }

    /// Reads the session of a card form.
    #[cfg(feature = "browser")]
    pub(crate) fn card_session(&self, session_id: &SessionId) -> PendingCall<P, CardSession> {
        let session_id = session_id.clone();
        self.start(async move |context| context.card_session(&session_id).await?.read())
    }

    /// Reads the id of the card that was entered in a session, after the form has reported a success.
    ///
    /// # Errors
    /// Those of a call; `card` if the session has no card.
    pub fn read_card(&self, session_id: &SessionId) -> PendingCall<P, String> {
        let session_id = session_id.clone();
        self.start(async move |context| context.read_card(&session_id).await)
    }
}

#[cfg(test)]
mod tests {
    use super::{CALLS, FIELD_CALLS};

    #[test]
    fn an_operation_has_the_name_of_its_method() {
        for (method, operation) in FIELD_CALLS.iter().chain(CALLS) {
            let mut camel_case = String::new();
            for (at, word) in method.split('_').enumerate() {
                let (first, rest) = word.split_at(1);
                camel_case += &if at == 0 { first.to_owned() } else { first.to_ascii_uppercase() };
                camel_case += rest;
            }
            assert_eq!(operation.name, camel_case);
        }
    }
}
