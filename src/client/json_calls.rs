//! The calls with JSON text in place of records, as tests write it. Members that this version does not know
//! stay in the text.

use super::{Client, PendingCall, Platform, Reply, TransferAttempt};
use crate::api::{Error, FieldForm, Operation};

impl<P: Platform> Client<P> {
    /// Calls an operation with its ids and its input.
    #[doc(hidden)]
    pub fn call_json(
        &self,
        operation: &'static Operation,
        ids: Vec<String>,
        input: Option<String>,
    ) -> PendingCall<P, Reply> {
        self.start(async move |context| context.call(operation, &as_strs(&ids), input.as_deref()).await)
    }

    /// Calls an operation, and reads its reply.
    pub(super) fn call_and_read<T: 'static>(
        &self,
        operation: &'static Operation,
        ids: Vec<String>,
        input: Option<String>,
        read: fn(&Reply) -> Result<T, Error>,
    ) -> PendingCall<P, T> {
        self.start(async move |context| {
            read(&context.call(operation, &as_strs(&ids), input.as_deref()).await?)
        })
    }

    /// Sends a request that is given by its parts.
    #[doc(hidden)]
    pub fn request_json(&self, request: String) -> PendingCall<P, Reply> {
        self.start(async move |context| context.request(&request).await)
    }

    /// Fetches the rules of a form, and the reply that they were made from.
    #[doc(hidden)]
    pub fn field_form_json(
        &self,
        operation: &'static Operation,
        query: String,
    ) -> PendingCall<P, (FieldForm, Reply)> {
        self.start(async move |context| context.field_form(operation, &query).await)
    }

    /// Prepares a transfer.
    #[doc(hidden)]
    pub fn prepare_json(&self, request: String) -> PendingCall<P, TransferAttempt<P>> {
        let client = self.clone();
        self.start(async move |context| {
            let entry = context.prepare_in_time(&request).await?;
            Ok(TransferAttempt { client, entry })
        })
    }
}

fn as_strs(ids: &[String]) -> Vec<&str> {
    ids.iter().map(String::as_str).collect()
}
