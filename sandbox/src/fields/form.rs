//! What a fields endpoint returns: the entries of the world's data that apply to one request.

use super::definition::{
    Choice, Field, FieldSet, FieldType, Kind, Options, Required, Subject, Text, Visibility, When, choice,
    years_from_today,
};
use crate::clock::{day_of, years_before};
use crate::corridor::Route;
use crate::country::Country;
use crate::world::World;

/// A request for fields, or the values that are to be checked against them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form<'a> {
    pub(crate) world: &'a World,
    pub(crate) subject: Subject,
    pub(crate) route: Option<&'a Route>,
    pub(crate) kind: Kind,
    /// The present day bounds dates.
    pub(crate) now: i64,
    /// Comes before the paths of options.
    pub(crate) address: &'a str,
    pub(crate) language: &'a str,
}

impl<'a> Form<'a> {
    /// Without a corridor, in the default language.
    pub(crate) fn new(world: &'a World, subject: Subject, now: i64) -> Self {
        Self { world, subject, route: None, kind: Kind::default(), now, address: "", language: "" }
    }

    pub(crate) fn in_corridor(self, route: &'a Route) -> Self {
        Self { route: Some(route), ..self }
    }

    pub(crate) fn with_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub(crate) fn sets(&self) -> Vec<FieldSet> {
        let own = self.country().map(|country| country.fields.of(self.subject));
        let all = own.filter(|own| !own.is_empty()).unwrap_or(self.world.fields.of(self.subject));
        let mut sets: Vec<FieldSet> = Vec::new();
        for set in all.iter().filter(|set| self.applies(&set.when)) {
            if sets.iter().any(|known| known.field_set_id == set.field_set_id) {
                continue;
            }
            let mut fields: Vec<Field> = Vec::new();
            for field in set.fields.iter().filter(|field| self.applies(&field.when)) {
                if !fields.iter().any(|known| known.field_id == field.field_id) {
                    fields.push(self.field(field, fields.len() + 1));
                }
            }
            let (field_set_id, name) = (set.field_set_id.clone(), self.text(&set.field_set_name));
            sets.push(FieldSet { when: When::default(), field_set_id, field_set_name: name, fields });
        }
        sets
    }

    fn country(&self) -> Option<&'a Country> {
        self.world.country(&self.route?.country)
    }

    fn applies(&self, when: &When) -> bool {
        let country = self.route.map_or("NONE", |route| &route.country);
        let method = self.route.map(|route| route.method);
        let has_states = self.country().is_some_and(|country| !country.states.is_empty());
        (when.countries.is_empty() || when.countries.iter().any(|one| one == country))
            && (when.transfer_methods.is_empty()
                || method.is_some_and(|method| when.transfer_methods.contains(&method)))
            && (when.types.is_empty() || when.types.contains(&self.kind))
            && when.states.is_none_or(|states| states == has_states)
    }

    fn text(&self, text: &Text) -> Text {
        Text::One(text.in_language(self.language).to_owned())
    }

    fn field(&self, field: &Field, number: usize) -> Field {
        let name = self.text(&field.name);
        let is_required = match &field.is_required {
            Required::Always(required) => *required,
            Required::When(when) => self.applies(when),
        };
        let shown = if is_required { Visibility::ShowAndRequired } else { Visibility::ShowAndOptional };
        let placeholder = match (&field.placeholder_text, field.field_type) {
            (Some(text), _) => self.text(text),
            (None, FieldType::Date) => Text::One("YYYY-MM-DD".to_owned()),
            (None, _) => name.clone(),
        };
        let pattern = |regex: &String| self.world.patterns.get(regex).unwrap_or(regex).clone();
        let code = self.route.map_or("", |route| &route.country);
        let source = |path: &String| format!("{}{}", self.address, path.replace("{country}", code));
        Field {
            when: When::default(),
            label: Some(field.label.as_ref().map_or_else(|| name.clone(), |label| self.text(label))),
            is_required: Required::Always(is_required),
            visibility: Some(field.visibility.unwrap_or(shown)),
            placeholder_text: Some(placeholder),
            hint_text: field.hint_text.as_ref().map(|text| self.text(text)),
            regex: field.regex.as_ref().map(pattern),
            min_value: field.min_value.as_ref().map(|bound| self.day(bound)),
            max_value: field.max_value.as_ref().map(|bound| self.day(bound)),
            options: Options::List(self.options(&field.options)),
            options_source: field.options_source.as_ref().map(source),
            sort_order: number,
            name,
            ..field.clone()
        }
    }

    fn day(&self, bound: &str) -> String {
        match years_from_today(bound) {
            Some(years) => years_before(day_of(self.now), years.saturating_neg()).to_string(),
            None => bound.to_owned(),
        }
    }

    fn options(&self, options: &Options) -> Vec<Choice> {
        let option =
            |id: &String, name: &Text| Choice { id: id.clone(), name: self.text(name), description: None };
        match options {
            Options::List(choices) => {
                let description = |choice: &Choice| choice.description.as_ref().map(|text| self.text(text));
                let shown =
                    |one: &Choice| Choice { description: description(one), ..option(&one.id, &one.name) };
                choices.iter().map(shown).collect()
            }
            Options::Names(names) => names.iter().map(|(id, name)| option(id, name)).collect(),
            Options::Countries(_) => {
                let all = self.world.countries.iter();
                let named = all.filter(|one| self.route.is_none_or(|route| route.country == one.iso3_code));
                named.map(|country| choice(&country.iso3_code, &country.name)).collect()
            }
        }
    }
}
