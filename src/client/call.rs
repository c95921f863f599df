//! What calls the service: an operation by its name, a request by its parts, the fields of a screen.

use std::cell::RefCell;

use super::Received;
use super::flow::Course;
use crate::api::json::{View, Writer};
use crate::api::{
    Code, Error, FIELD_OPTIONS, FieldForm, Kind, Method, Operation, OptionsAt, Party, Preceding, QUOTE,
    RECIPIENT_ACCOUNT_FIELDS, RECIPIENT_FIELDS, RawRequest, Request, Sending, UPDATE_SENDER, list_of,
};

impl Course {
    /// What the interface says must be asked before is asked, and the input held to it.
    pub(super) async fn call(
        &self,
        operation: &Operation,
        ids: &[String],
        input: Option<&str>,
    ) -> Result<Received, Error> {
        if operation.sending == Sending::Transfer {
            let expected = "another one: a transfer is made by prepare_transfer, which makes it happen once";
            return Err(Error::invalid(Code::InvalidRequest, "operation", expected));
        }
        let ids = list_of(ids.iter().map(String::as_str));
        let request = operation.request(&ids, input)?;
        if let (Some(preceding), Some(body)) = (&operation.preceded_by, &request.body) {
            self.check_fields(preceding, body, operation.method == Method::Patch).await?;
        }
        let mut received = self.exchange(operation, request).await?;
        // A change of a sender may be answered without the id that its path has.
        if let (true, [id]) = (operation.path == UPDATE_SENDER.path && operation.preceded_by.is_some(), &*ids)
        {
            received.add_missing("senderId", id);
        }
        if operation.name == QUOTE.name {
            let shelf = &*self.kit.0;
            shelf.quotes.borrow_mut().note(&received, shelf.host.now_ms());
        }
        Ok(received)
    }

    async fn exchange(&self, operation: &Operation, request: Request) -> Result<Received, Error> {
        match operation.sending {
            Sending::CreateOnce => self.create(operation, request).await,
            Sending::EndHold => self.end_hold(operation, request).await,
            _ => self.send(operation, request).await.into_result(),
        }
    }

    pub(super) async fn request(&self, raw: &str) -> Result<Received, Error> {
        let (operation, request) = RawRequest::read_request(raw)?;
        self.exchange(&operation, request).await
    }

    pub(super) async fn field_form(
        &self,
        operation: &Operation,
        query: &str,
    ) -> Result<(FieldForm, Received), Error> {
        let request = operation.request(&[], Some(query))?;
        let received = self.exchange(operation, request).await?;
        let form = FieldForm::new(received.view(), Party::of_fields(operation, View::new(query)));
        if let Some(last) = self.last_form(operation) {
            last.replace(Some(form.clone()));
        }
        Ok((form, received))
    }

    /// Where the form is that this endpoint was asked for last, if requests may be held to it.
    fn last_form(&self, operation: &Operation) -> Option<&RefCell<Option<FieldForm>>> {
        let [of_recipient, of_account] = &self.kit.0.forms;
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
    ) -> Result<Received, Error> {
        let path = match form.options(field_id, values, &self.kit.0.options.base_url)? {
            OptionsAt::Here(options) => return Ok(Received::of(options)),
            OptionsAt::NotYet => return Ok(Received::of("[]".to_owned())),
            OptionsAt::Path(path) => path,
        };
        let request = Request { method: Method::Get, path, body: None, language: None, wants_bytes: false };
        self.exchange(&FIELD_OPTIONS, request).await
    }

    pub(super) async fn check_fields(
        &self,
        preceding: &Preceding,
        body: &str,
        partial: bool,
    ) -> Result<(), Error> {
        let body = View::new(body);
        let mut query = Writer::default();
        let mut is_whole = true;
        query.object(|query| {
            for (parameter, member) in preceding.query {
                match body.text_of(member) {
                    Some(value) => query.text_member(parameter, &value),
                    None => is_whole &= !member.ends_with("Iso3Code"),
                }
            }
        });
        let form = if is_whole {
            self.field_form(preceding.operation, &query.finish()).await?.0
        } else {
            // What a body need not say, the form that was fetched last says; where there is none, the service judges.
            let party_type = body.text_of("userType");
            let last = self.last_form(preceding.operation).and_then(|last| last.borrow().clone());
            match last.filter(|form| form.is_about(party_type.as_deref())) {
                Some(form) => form,
                None => return Ok(()),
            }
        };
        let fields = body.member("fields").unwrap_or(View::new("[]"));
        let kit = &self.kit;
        let problems =
            form.check_fields(fields, partial, &kit.today(), &|pattern, text| kit.matches(pattern, text));
        match problems.first() {
            None => Ok(()),
            Some(first) => {
                let error = Error::new(first.code.clone()).of_kind(Kind::Field).of_option(&first.field_id);
                // The ids are the service's words.
                Err(self.kit.0.tokens.hide_in(error.with_problems(problems)))
            }
        }
    }
}
