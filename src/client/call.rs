//! Calls of the service: operations, requests given by their parts, and the fields of a screen.

use std::cell::RefCell;

use super::Reply;
use super::call_context::CallContext;
use crate::api::json::{JsonRef, write_object};
use crate::api::{
    Code, Error, FIELD_OPTIONS, FieldForm, FieldProblem, Kind, Method, Operation, OptionsAt, Party,
    Preceding, QUOTE, RECIPIENT_ACCOUNT_FIELDS, RECIPIENT_FIELDS, RawRequest, Request, Sending,
    UPDATE_SENDER, collect,
};

impl CallContext {
    /// Calls an operation that needs no check before it is sent.
    pub(super) async fn plain_call(
        &self,
        operation: &Operation,
        ids: &[String],
        input: Option<&str>,
    ) -> Result<Reply, Error> {
        let ids = collect(ids.iter().map(String::as_str));
        let reply = self.send(operation, operation.request(&ids, input)?).await.into_result()?;
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
        ids: &[String],
        input: Option<&str>,
    ) -> Result<Reply, Error> {
        if operation.is_plain() {
            return self.plain_call(operation, ids, input).await;
        }
        if operation.sending == Sending::Transfer {
            let expected = "another one: a transfer is made by prepare_transfer, which makes it happen once";
            return Err(Error::invalid(Code::InvalidRequest, "operation", expected));
        }
        let ids = collect(ids.iter().map(String::as_str));
        let request = operation.request(&ids, input)?;
        if let (Some(preceding), Some(body)) = (&operation.preceded_by, &request.body) {
            self.check_fields(preceding, body, operation.method == Method::Patch).await?;
        }
        let mut reply = self.exchange(operation, request).await?;
        // The reply to a change of a sender may lack the id that the path has.
        let is_change = operation.path == UPDATE_SENDER.path && operation.preceded_by.is_some();
        if let (true, [id]) = (is_change, &*ids) {
            reply.add_missing("senderId", id);
        }
        Ok(reply)
    }

    async fn exchange(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
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

    pub(super) async fn field_form(
        &self,
        operation: &Operation,
        query: &str,
    ) -> Result<(FieldForm, Reply), Error> {
        let request = operation.request(&[], Some(query))?;
        let reply = self.exchange(operation, request).await?;
        let form = FieldForm::new(reply.view(), Party::of_fields(operation, JsonRef::new(query)));
        if let Some(last) = self.last_form(operation) {
            last.replace(Some(form.clone()));
        }
        Ok((form, reply))
    }

    /// Returns the place of the last form of this endpoint, if requests may be checked against it.
    fn last_form(&self, operation: &Operation) -> Option<&RefCell<Option<FieldForm>>> {
        let [of_recipient, of_account] = &self.core.0.forms;
        match operation.path {
            path if path == RECIPIENT_FIELDS.path => Some(of_recipient),
            path if path == RECIPIENT_ACCOUNT_FIELDS.path => Some(of_account),
            _ => None,
        }
    }

    pub(super) async fn field_options(
        &self,
        form: &FieldForm,
        field_id: &str,
        values: &str,
    ) -> Result<Reply, Error> {
        let path = match form.options(field_id, values, &self.core.0.options.base_url)? {
            OptionsAt::Here(options) => return Ok(Reply::of(options)),
            OptionsAt::NotYet => return Ok(Reply::of("[]".to_owned())),
            OptionsAt::Path(path) => path,
        };
        let request = Request { method: Method::Get, path, body: None, language: None, wants_bytes: false };
        self.exchange(&FIELD_OPTIONS, request).await
    }

    /// Checks the fields of a request against the form of the endpoint that precedes it.
    pub(super) async fn check_fields(
        &self,
        preceding: &Preceding,
        body: &str,
        partial: bool,
    ) -> Result<(), Error> {
        let body = JsonRef::new(body);
        let mut has_corridor = true;
        let query = write_object(|query| {
            for (parameter, member) in preceding.query {
                match body.text_of(member) {
                    Some(value) => query.text_member(parameter, &value),
                    None => has_corridor &= !member.ends_with("Iso3Code"),
                }
            }
        });
        let mut reply = None;
        let form = if has_corridor {
            let (form, fetched) = self.field_form(preceding.operation, &query).await?;
            reply = Some(fetched);
            form
        } else {
            // A body need not repeat the corridor of the form that was fetched last. Without such a form the
            // service checks it.
            let party_type = body.text_of("userType");
            let last = self.last_form(preceding.operation).and_then(|last| last.borrow().clone());
            match last.filter(|form| form.is_about(party_type.as_deref())) {
                Some(form) => form,
                None => return Ok(()),
            }
        };
        let fields = body.member("fields").unwrap_or(JsonRef::new("[]"));
        let core = &self.core;
        let mut problems =
            form.check_fields(fields, partial, &core.today(), &|pattern, text| core.matches(pattern, text));
        match problems.first() {
            None => Ok(()),
            Some(first) => {
                let error =
                    Error::new(first.code.clone()).with_kind(Kind::Field).with_option(&first.field_id);
                // Ids and labels are texts of the service, which may echo a token.
                let tokens = &self.core.0.tokens;
                if let Some(reply) = &reply {
                    FieldProblem::label_all(&mut problems, reply.view(), |label| !tokens.occur_in(label));
                }
                Err(tokens.redact(error.with_problems(problems)))
            }
        }
    }
}
