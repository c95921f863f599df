use super::task::{Outcome, Task};
use super::{Client, PendingCall, Platform};
use crate::api::json::{Codec, JsonRef, Writer};
use crate::api::{Error, FieldForm, FieldOption, FieldProblem, FieldSet, FieldSets, FieldValue};

/// The fields that one screen collects, as a fields endpoint returned them. Fetch it for each screen, and do
/// not keep it longer.
pub struct FetchedForm<P: Platform> {
    client: Client<P>,
    rules: FieldForm,
    /// The fields in their sets, in the service's order.
    pub field_sets: Vec<FieldSet>,
}

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

    /// Whether a card must be entered in the hosted form. Its id is the value of the field
    /// [`CARD_ID`](crate::api::CARD_ID).
    #[must_use]
    pub fn requires_card(&self) -> bool {
        self.rules.requires_card()
    }

    /// Returns all problems of the values, in the order of the fields.
    #[must_use]
    pub fn check(&self, values: &[FieldValue]) -> Vec<FieldProblem> {
        let core = self.client.core();
        let json = values.to_vec().to_json();
        let matches = |pattern: &str, text: &str| core.matches(pattern, text);
        self.rules.check_fields(JsonRef::new(&json), false, &core.today(), &matches)
    }

    /// Returns the `fields` of a request: every value that is not blank.
    #[must_use]
    pub fn to_fields(&self, values: &[FieldValue]) -> Vec<FieldValue> {
        values.iter().filter(|value| !value.is_blank()).cloned().collect()
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
    let mut out = Writer::default();
    out.object(|out| {
        for FieldValue { id, value } in values {
            out.member(id);
            value.write(out);
        }
    });
    out.finish()
}
