use super::flow::{Outcome, Task};
use super::{Client, Environment, PendingCall};
use crate::api::json::{Codec, JsonRef, Writer};
use crate::api::{Error, FieldForm, FieldOption, FieldProblem, FieldSet, FieldSets, FieldValue};

/// The fields that one screen collects, as a fields endpoint answered. Fetched for each screen, and not kept
/// beyond it.
pub struct FetchedForm<E: Environment> {
    client: Client<E>,
    rules: FieldForm,
    /// The fields in their sets, in the service's order.
    pub field_sets: Vec<FieldSet>,
}

impl<E: Environment> Clone for FetchedForm<E> {
    fn clone(&self) -> Self {
        let (client, rules) = (self.client.clone(), self.rules.clone());
        FetchedForm { client, rules, field_sets: self.field_sets.clone() }
    }
}

impl<E: Environment> FetchedForm<E> {
    pub(super) fn of(client: Client<E>, outcome: Outcome) -> Result<Self, Error> {
        let Outcome::Form(rules, reply) = outcome else { return Err(super::client::internal()) };
        let FieldSets { field_sets } = reply.read()?;
        Ok(FetchedForm { client, rules, field_sets })
    }

    /// Whether a card must be entered in the hosted form; its id goes into the field
    /// [`CARD_ID`](crate::api::CARD_ID).
    #[must_use]
    pub fn requires_card(&self) -> bool {
        self.rules.requires_card()
    }

    /// All problems of the values at once, in the order of the fields; none where they can be sent.
    #[must_use]
    pub fn check(&self, values: &[FieldValue]) -> Vec<FieldProblem> {
        let core = self.client.core();
        let json = values.to_vec().to_json();
        let matches = |pattern: &str, text: &str| core.matches(pattern, text);
        self.rules.check_fields(JsonRef::new(&json), false, &core.today(), &matches)
    }

    /// The `fields` of a request: every value that is not blank.
    #[must_use]
    pub fn to_fields(&self, values: &[FieldValue]) -> Vec<FieldValue> {
        values.iter().filter(|value| !value.is_blank()).cloned().collect()
    }

    /// The choices of a dropdown, given the values so far. Those that are not in its definition are asked of
    /// the service, each time; there are none while a field that they depend on is blank.
    ///
    /// # Errors
    /// `invalid_request` if there is no such field; those of a call.
    pub fn options(&self, field_id: &str, values: &[FieldValue]) -> PendingCall<E, Vec<FieldOption>> {
        let task = Task::Options(self.rules.clone(), field_id.to_owned(), object_of(values));
        self.client.receive(task, |reply| reply.read())
    }
}

/// An object from field id to value, as JSON text.
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
