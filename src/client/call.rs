//! Calls of operations, and of requests given by their parts.

use super::Reply;
use super::call_context::CallContext;
use crate::api::json::JsonRef;
use crate::api::{Code, Error, Input, Method, Operation, QUOTE, RawRequest, Request, Sending, UPDATE_SENDER};

impl CallContext {
    /// Calls an operation that needs no check before it is sent.
    pub(crate) async fn plain_call(
        &self,
        operation: &Operation,
        ids: &[&str],
        input: Option<&str>,
    ) -> Result<Reply, Error> {
        let mut reply = self.send(operation, operation.request(ids, input)?).await.into_result()?;
        if operation.name == QUOTE.name {
            self.note_quote(&reply);
        }
        let (Input::Filter(_, keeps), Some(filter)) = (operation.input, input.map(JsonRef::new)) else {
            return Ok(reply);
        };
        // A list may have thousands of items, and most calls take them all.
        if filter.members().next().is_none() {
            return Ok(reply);
        }
        reply.retain(|item| keeps(filter, item));
        Ok(reply)
    }

    /// Calls an operation, after fetching the fields that the interface requires and checking the input
    /// against them.
    pub(crate) async fn call(
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

    pub(crate) async fn request(&self, raw: &str) -> Result<Reply, Error> {
        let (operation, request) = RawRequest::read_request(raw)?;
        self.exchange(&operation, request).await
    }
}
