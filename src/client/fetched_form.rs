use super::task::{Outcome, Task};
use super::{Client, PendingCall, Platform};
use crate::api::json::{Codec, write_object};
use crate::api::opaque::opaque_debug;
use crate::api::{Error, FieldForm, FieldOption, FieldProblem, FieldSet, FieldSets, FieldValue, Json};

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
    pub(super) fn of(client: Client<P>, outcome: Outcome) -> Result<Self, Error> {
        let Outcome::Form(rules, reply) = outcome else { return Err(super::client::internal()) };
        let FieldSets { field_sets } = reply.read()?;
        Ok(FetchedForm { client, rules, field_sets })
    }

    fn matcher(&self) -> impl Fn(&str, &str) -> Option<bool> {
        |pattern, text| self.client.core().matches(pattern, text)
    }

    /// Whether a card must be entered in the hosted form. Its id is the value of the field
    /// [`CARD_ID`](crate::api::CARD_ID).
    #[must_use]
    pub fn requires_card(&self) -> bool {
        self.rules.requires_card()
    }

    /// Returns all problems of the values, in the order of the fields. Values are as people type them: they
    /// are checked as [`to_fields`](Self::to_fields) returns them.
    #[must_use]
    pub fn check(&self, values: &[FieldValue]) -> Vec<FieldProblem> {
        let today = self.client.today();
        self.rules.check(&object_of(values), &today, &self.matcher()).unwrap_or_default()
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
        let task = Task::Options(self.rules.clone(), field_id.to_owned(), object_of(values));
        self.client.receive(task, |reply| reply.read())
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
