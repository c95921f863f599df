use std::cell::RefCell;

use super::call_context::CallContext;
use super::{Client, ClientCore, PendingCall, Platform, Reply};
use crate::api::json::{Codec, JsonRef, Shape, write_object};
use crate::api::opaque::opaque_debug;
use crate::api::{
    Code, Error, FIELD_OPTIONS, FieldForm, FieldOption, FieldProblem, FieldSet, FieldSets, FieldValue, Input,
    Json, Kind, Method, Operation, OptionsAt, Party, RECIPIENT_ACCOUNT_FIELDS, RECIPIENT_FIELDS, Request,
};

/// The fields that one screen collects, as a fields endpoint returned them. Fetch it for each screen, and do
/// not keep it longer.
pub struct FetchedForm<P: Platform> {
    client: Client<P>,
    rules: FieldForm,
    /// The fields in their sets, in the service's order.
    pub field_sets: Vec<FieldSet>,
}

opaque_debug!([P: Platform] FetchedForm<P>);

impl<P: Platform> Clone for FetchedForm<P> {
    fn clone(&self) -> Self {
        let (client, rules) = (self.client.clone(), self.rules.clone());
        FetchedForm { client, rules, field_sets: self.field_sets.clone() }
    }
}

impl<P: Platform> FetchedForm<P> {
    pub(super) fn new(client: Client<P>, rules: FieldForm, field_sets: Vec<FieldSet>) -> Self {
        FetchedForm { client, rules, field_sets }
    }

    fn matcher(&self) -> impl Fn(&str, &str) -> Option<bool> {
        |pattern, text| self.client.core().platform.matches(pattern, text)
    }

    /// Whether a card must be entered in the hosted form. Its id is the value of the field
    /// [`CARD_ID`](crate::api::CARD_ID).
    #[must_use]
    pub fn requires_card(&self) -> bool {
        self.rules.requires_card()
    }

    /// Returns all problems of the values, in the order of the fields. Values are as people type them: they
    /// are checked as [`to_fields`](Self::to_fields) returns them.
    ///
    /// An accent may be typed apart from its letter, and many patterns refuse that. Join them first (Unicode
    /// NFC), here and for `to_fields`: in a page by the engine's `String.prototype.normalize`, elsewhere by the
    /// crate `unicode-normalization`. The npm package does so itself.
    #[must_use]
    pub fn check(&self, values: &[FieldValue]) -> Vec<FieldProblem> {
        let today = self.client.today();
        self.rules.check(&object_of(values), &today, &self.matcher()).unwrap_or_default()
    }

    /// Returns whether a field must be filled in for these values: many fields depend on others.
    ///
    /// # Errors
    /// `invalid_request` if the form has no such field.
    pub fn is_required(&self, field_id: &str, values: &[FieldValue]) -> Result<bool, Error> {
        self.rules.is_required(field_id, &object_of(values), &self.matcher())
    }

    /// Returns what a customer may have mistyped, as [`FieldForm::warnings`] describes.
    #[must_use]
    pub fn warnings(&self, values: &[FieldValue]) -> Vec<FieldProblem> {
        self.rules.warnings(&object_of(values), &self.matcher()).unwrap_or_default()
    }

    /// Returns the ids of the dropdowns whose options depend on a field, to any depth. When the field
    /// changes, their values no longer count.
    #[must_use]
    pub fn dependents(&self, field_id: &str) -> Vec<String> {
        self.rules.dependents(field_id)
    }

    /// Returns the `fields` of a request: every value that is not blank, in the form that its field accepts,
    /// as [`FieldForm::to_fields`] describes.
    #[must_use]
    pub fn to_fields(&self, values: &[FieldValue]) -> Vec<FieldValue> {
        let matches = self.matcher();
        let sent = |given: &FieldValue| {
            let sent = self.rules.sent_form(&given.id, given.value.view(), &matches);
            FieldValue { id: given.id.clone(), value: sent.map_or_else(|| given.value.clone(), Json::new) }
        };
        values.iter().filter(|value| !value.is_blank()).map(sent).collect()
    }

    /// Returns the options of a dropdown for the values so far. Options outside its definition are fetched
    /// each time; there are none while a field that they depend on is blank.
    ///
    /// # Errors
    /// `invalid_request` if there is no such field; those of a call.
    pub fn options(&self, field_id: &str, values: &[FieldValue]) -> PendingCall<P, Vec<FieldOption>> {
        let (rules, field_id, values) = (self.rules.clone(), field_id.to_owned(), object_of(values));
        self.client
            .start(async move |context| context.field_options(&rules, &field_id, &values).await?.read())
    }
}

impl<P: Platform> Client<P> {
    pub(super) fn fetch_form(
        &self,
        operation: &'static Operation,
        query: String,
    ) -> PendingCall<P, FetchedForm<P>> {
        let client = self.clone();
        self.start(async move |context| {
            let (rules, reply) = context.field_form(operation, &query).await?;
            let FieldSets { field_sets } = reply.read()?;
            Ok(FetchedForm::new(client, rules, field_sets))
        })
    }
}

/// Returns an object from field id to value, as JSON text.
fn object_of(values: &[FieldValue]) -> String {
    write_object(|out| {
        for FieldValue { id, value } in values {
            out.member(id);
            value.write(out);
        }
    })
}

impl CallContext {
    pub(crate) async fn field_form(
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
        let [of_recipient, of_account] = &self.core.forms;
        match operation.path {
            path if path == RECIPIENT_FIELDS.path => Some(of_recipient),
            path if path == RECIPIENT_ACCOUNT_FIELDS.path => Some(of_account),
            _ => None,
        }
    }

    pub(crate) async fn field_options(
        &self,
        form: &FieldForm,
        field_id: &str,
        values: &str,
    ) -> Result<Reply, Error> {
        let path = match form.options(field_id, values, &self.core.options.base_url)? {
            OptionsAt::Here(options) => return Ok(Reply::of(options)),
            OptionsAt::NotYet => return Ok(Reply::of("[]".to_owned())),
            OptionsAt::Path(path) => path,
        };
        self.exchange(&FIELD_OPTIONS, Request::new(Method::Get, path, None)).await
    }

    /// Checks the fields of a request against the form of the endpoint that precedes it.
    pub(super) async fn check_fields(
        &self,
        preceding: &Operation,
        body: &str,
        partial: bool,
    ) -> Result<(), Error> {
        let body = JsonRef::new(body);
        let mut has_corridor = true;
        let Input::Query(Shape::Record(parameters)) = preceding.input else {
            return Err(Error::new(Code::Internal));
        };
        let query = write_object(|query| {
            for parameter in parameters.iter().map(|parameter| parameter.name) {
                // The one that a body names otherwise, if it has it.
                let member = if parameter == "recipientType" { "userType" } else { parameter };
                match body.text_of(member) {
                    Some(value) => query.text_member(parameter, &value),
                    None => has_corridor &= !member.ends_with("Iso3Code"),
                }
            }
        });
        let mut reply = None;
        let form = if has_corridor {
            let (form, fetched) = self.field_form(preceding, &query).await?;
            reply = Some(fetched);
            form
        } else {
            // A body need not repeat the corridor of the form that was fetched last. Without such a form the
            // service checks it.
            let party_type = body.text_of("userType");
            let last = self.last_form(preceding).and_then(|last| last.borrow().clone());
            match last.filter(|form| form.is_about(party_type.as_deref())) {
                Some(form) => form,
                None => return Ok(()),
            }
        };
        let fields = body.member("fields").unwrap_or(JsonRef::new("[]"));
        let core = &self.core;
        let problems = form.check_fields(fields, partial, &core.today(), &|pattern, text| {
            core.platform.matches(pattern, text)
        });
        failure_of(core, problems, reply.as_ref())
    }
}

/// Fails if there are problems, with the first one's code, and with the labels of the form.
pub(super) fn failure_of(
    core: &ClientCore,
    mut problems: Vec<FieldProblem>,
    form: Option<&Reply>,
) -> Result<(), Error> {
    let Some(first) = problems.first() else { return Ok(()) };
    let error = Error::new(first.code.clone()).with_kind(Kind::Field).with_option(&first.field_id);
    // Ids and labels are texts of the service, which may echo a token.
    if let Some(form) = form {
        FieldProblem::label_all(&mut problems, form.view(), |label| !core.tokens.occur_in(label));
    }
    Err(core.tokens.redact(error.with_problems(problems)))
}
