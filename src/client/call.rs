//! What a call does, and its result: operations, and requests given by their parts. The parts of the module
//! begin here.

use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;

use super::Reply;
use super::call_context::CallContext;
use super::journal::{AttemptId, Entry};
use crate::api::opaque::opaque_debug;
use crate::api::part::part;
use crate::api::{
    Code, Error, FieldForm, Method, Operation, QUOTE, RawRequest, Request, Sending, SessionId, UPDATE_SENDER,
};

/// What a call does.
pub enum Task {
    /// Calls an operation with its ids and its input as JSON text.
    Call(&'static Operation, Vec<String>, Option<String>),
    /// Sends a request that is given by its parts, as JSON text.
    Request(String),
    /// Finds or creates the account of a recipient for a card, given as JSON text.
    RecoverCardAccount(String, String),
    /// Fetches the form for a query, as JSON text.
    Fields(&'static Operation, String),
    /// Fetches the options of a dropdown, given its form and the values so far.
    Options(FieldForm, String, String),
    /// Prepares a transfer, given as JSON text.
    Prepare(String),
    /// Submits a prepared transfer.
    Submit(AttemptId),
    /// Discards a prepared transfer.
    Discard(AttemptId),
    /// Lists the transfers in the journal.
    Pending,
    /// Removes a made transfer from the journal, as its customer knows of it.
    Acknowledge(AttemptId),
    /// Opens this session of a card form, or a new one.
    OpenCard(Option<SessionId>),
    /// Reads the card that was entered in a session.
    ReadCard(SessionId),
}

/// The result of a call.
pub enum Outcome {
    /// No value.
    Nothing,
    /// A reply.
    Reply(Reply),
    /// A form, and the reply that it was made from.
    Form(FieldForm, Reply),
    /// An attempt.
    Attempt(Box<Entry>),
    /// Attempts, the oldest first.
    Attempts(Vec<Entry>),
    /// A transfer.
    Transfer(Rc<TransferOutcome>),
    /// The id of a card.
    Card(String),
}

/// A transfer that was made.
pub struct TransferOutcome {
    /// The transfer.
    pub transfer: Reply,
    /// Whether the first answer was lost, and the transfer was found later.
    pub recovered: bool,
}

opaque_debug!([] Task);

opaque_debug!([] Outcome);

opaque_debug!([] TransferOutcome);

type Work = LocalBoxFuture<'static, Result<Outcome, Error>>;

/// Begins a call, which does nothing before it is polled.
pub(super) fn perform(context: CallContext, task: Task) -> Work {
    match task {
        Task::Call(operation, ids, input) if operation.is_plain() => async move {
            let ids: Vec<_> = ids.iter().map(String::as_str).collect();
            Ok(Outcome::Reply(context.plain_call(operation, &ids, input.as_deref()).await?))
        }
        .boxed_local(),
        Task::OpenCard(_) | Task::ReadCard(_) => (card_calls().perform)(context, task),
        task => (later_calls().perform)(context, task),
    }
}

/// The entry point into the calls of a part of the module.
struct Calls {
    perform: fn(CallContext, Task) -> Work,
}

part! {
    "card", "0f10",
    fn card_calls() -> Calls {
        Calls { perform: |context, task| async move { context.perform_card(task).await }.boxed_local() }
    }
}

part! {
    "transfer", "1035",
    fn later_calls() -> Calls {
        Calls {
            perform: |context, task| {
                Code::load_later_messages();
                async move { context.perform(task).await }.boxed_local()
            },
        }
    }
}

impl CallContext {
    async fn perform(&self, task: Task) -> Result<Outcome, Error> {
        Ok(match task {
            Task::Call(operation, ids, input) => {
                let ids: Vec<_> = ids.iter().map(String::as_str).collect();
                Outcome::Reply(self.call(operation, &ids, input.as_deref()).await?)
            }
            Task::Request(raw) => Outcome::Reply(self.request(&raw).await?),
            Task::RecoverCardAccount(recipient_id, request) => {
                Outcome::Reply(self.recover_card_account(&recipient_id, &request).await?)
            }
            Task::Fields(operation, query) => {
                let (form, reply) = self.field_form(operation, &query).await?;
                Outcome::Form(form, reply)
            }
            Task::Options(form, field_id, values) => {
                Outcome::Reply(self.field_options(&form, &field_id, &values).await?)
            }
            Task::Prepare(request) => {
                Outcome::Attempt(self.with_deadline().prepare(&request).await.map_err(|error| {
                    let is_late = error.code() == Code::Aborted && !self.caller_cancelled();
                    if is_late { Error::new(Code::Timeout) } else { error }
                })?)
            }
            Task::Submit(id) => Outcome::Transfer(self.submit(&id).await?),
            Task::Discard(id) => self.discard(&id).await.map(|()| Outcome::Nothing)?,
            Task::Pending => Outcome::Attempts(self.pending().await?),
            Task::Acknowledge(id) => self.acknowledge(&id).await.map(|()| Outcome::Nothing)?,
            // In the part of the card form.
            Task::OpenCard(_) | Task::ReadCard(_) => return Err(Error::new(Code::Internal)),
        })
    }

    async fn perform_card(&self, task: Task) -> Result<Outcome, Error> {
        Ok(match task {
            Task::OpenCard(session_id) => Outcome::Reply(self.open_card(session_id).await?),
            Task::ReadCard(session_id) => Outcome::Card(self.read_card(&session_id).await?),
            _ => return Err(Error::new(Code::Internal)),
        })
    }

    /// Calls an operation that needs no check before it is sent.
    pub(super) async fn plain_call(
        &self,
        operation: &Operation,
        ids: &[&str],
        input: Option<&str>,
    ) -> Result<Reply, Error> {
        let reply = self.send(operation, operation.request(ids, input)?).await.into_result()?;
        if operation.name == QUOTE.name {
            self.note_quote(&reply);
        }
        Ok(reply)
    }

    /// Calls an operation, after fetching the fields that the interface requires and checking the input
    /// against them.
    pub(super) async fn call(
        &self,
        operation: &Operation,
        ids: &[&str],
        input: Option<&str>,
    ) -> Result<Reply, Error> {
        if operation.is_plain() {
            return self.plain_call(operation, ids, input).await;
        }
        if operation.sending == Sending::Transfer {
            let expected = "another one: a transfer is made by prepare_transfer, which makes it happen once";
            return Err(Error::invalid(Code::InvalidRequest, "operation", expected));
        }
        let request = operation.request(ids, input)?;
        if let (Some(fields), Some(body)) = (operation.preceded_by, &request.body) {
            self.check_fields(fields, body, operation.method == Method::Patch).await?;
        }
        let mut reply = self.exchange(operation, request).await?;
        // The reply to a change of a sender may lack the id that the path has.
        let is_change = operation.path == UPDATE_SENDER.path && operation.preceded_by.is_some();
        if let (true, [id]) = (is_change, ids) {
            reply.add_missing("senderId", id);
        }
        Ok(reply)
    }

    pub(super) async fn exchange(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        match operation.sending {
            Sending::CreateOnce => self.create(operation, request).await,
            Sending::EndHold => self.end_hold(operation, request).await,
            Sending::Replace if operation.method == Method::Delete => self.delete(operation, request).await,
            _ => self.send(operation, request).await.into_result(),
        }
    }

    pub(super) async fn request(&self, raw: &str) -> Result<Reply, Error> {
        let (operation, request) = RawRequest::read_request(raw)?;
        self.exchange(&operation, request).await
    }
}
