//! Holds collected values to the field sets that asked for them, before anything is sent.

use std::rc::Rc;

use super::field_probe::{FieldProbe, Matches, ProbeResult, probe_all, read_probe_results};
use super::field_problem::FieldProblem;
use super::field_rule::FieldRule;
use super::fields::is_blank;
use super::json::{JsonRef, Shape, Writer};
use super::lean::{collect, is_within};
use super::party::{Party, party_fields, party_problems};
use super::request::{append_encoded, check_argument};
use super::{Address, Code, Error, LegalForm};

/// The fields that a screen collects. Made from one reply of a fields endpoint and never kept beyond the
/// screen. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FieldForm(Rc<Rules>);

#[derive(Debug)]
struct Rules {
    rules: Vec<FieldRule>,
    /// One for each rule's own field, then the fields that rules watch, then those of the rules for a party.
    probes: Vec<FieldProbe>,
    watched: usize,
    party: Party,
}

impl FieldForm {
    /// The form for what a fields endpoint answered: [`FieldSets`](super::FieldSets), as a text that has its
    /// shape.
    #[must_use]
    pub fn new(field_sets: JsonRef<'_>, party: Party) -> Self {
        let (mut rules, mut watched) = (Vec::new(), Vec::new());
        for set in field_sets.member("fieldSets").into_iter().flat_map(JsonRef::items) {
            let fields = set.member("fields").into_iter().flat_map(JsonRef::items);
            fields.for_each(|field| rules.push(FieldRule::read(field, &mut watched)));
        }
        let mut probes = collect(rules.iter().map(FieldRule::probe));
        let count = watched.len();
        probes.append(&mut watched);
        if party != Party::None {
            party_fields().for_each(|field| probes.push(field));
        }
        FieldForm(Rc::new(Rules { rules, probes, watched: count, party }))
    }

    /// Whether a card must be entered in the hosted form: a field [`CARD_ID`](super::CARD_ID) is there.
    #[must_use]
    pub fn requires_card(&self) -> bool {
        self.0.rules.iter().any(FieldRule::is_required_card)
    }

    /// Whether it can be about a party of this type, `PERSON` or `BUSINESS`; about any where none is said.
    pub(crate) fn is_about(&self, party_type: Option<&str>) -> bool {
        match (self.0.party, party_type) {
            (Party::Sender(legal_form) | Party::Recipient(legal_form), Some(name)) => {
                legal_form == LegalForm::of(name)
            }
            _ => true,
        }
    }

    /// All problems at once, in the order of the fields. `values` is the JSON text of an object from field id
    /// to value; `today` is `YYYY-MM-DD`.
    ///
    /// # Errors
    /// `invalid_request` if `values` is no such object.
    pub fn check(&self, values: &str, today: &str, matches: Matches<'_>) -> Result<Vec<FieldProblem>, Error> {
        check_argument("values", values, VALUES)?;
        let values = collect(JsonRef::new(values).members());
        Ok(self.problems_of(&probe_all(&self.0.probes, &values, matches), true, today))
    }

    /// As [`check`](Self::check) for the `fields` array of a request. A `partial` one (PATCH) need not be
    /// complete.
    #[must_use]
    pub fn check_fields(
        &self,
        fields: JsonRef<'_>,
        partial: bool,
        today: &str,
        matches: Matches<'_>,
    ) -> Vec<FieldProblem> {
        let values = fields.items().filter_map(|field| Some((field.text_of("id")?, field.member("value")?)));
        self.problems_of(&probe_all(&self.0.probes, &collect(values), matches), !partial, today)
    }

    /// The probes of the values that [`check_results`](Self::check_results) needs: a JSON array of
    /// `[id, isPhone, reads, pattern?]`, where `reads` says what to read of a text: 0 nothing, 1 a date, 2 a
    /// number, or the texts among which its place is.
    #[must_use]
    pub fn probes(&self) -> String {
        let mut out = Writer::default();
        out.list(|out| {
            for probe in &self.0.probes {
                out.item();
                probe.write(out);
            }
        });
        out.finish()
    }

    /// As [`check`](Self::check), from the results of [`probes`](Self::probes), two numbers each. The first
    /// has in its lowest three bits what is given (0 nothing, 1 `null`, 2 blanks, 3 text, 4 a number, 5
    /// anything else; of a phone number its `number` counts), then a bit for whether it matches the pattern,
    /// then the length in UTF-16 code units, 65,535 where it is longer. The second is what was read: the
    /// digits of a date, a place from 1, or a number of up to nine digits plus 2^31; 0 for what cannot be
    /// read.
    ///
    /// # Errors
    /// `internal` if they are not results of this form.
    pub fn check_results(&self, results: &[u32], today: &str) -> Result<Vec<FieldProblem>, Error> {
        Ok(self.problems_of(&read_probe_results(&self.0.probes, results)?, true, today))
    }

    fn problems_of(&self, results: &[ProbeResult], complete: bool, today: &str) -> Vec<FieldProblem> {
        let Rules { rules, watched, party, .. } = &*self.0;
        let (own, others) = results.split_at_checked(rules.len()).unwrap_or((results, &[]));
        let (watched, others) = others.split_at_checked(*watched).unwrap_or((others, &[]));
        let mut problems = collect(
            rules
                .iter()
                .zip(own)
                .filter_map(|(rule, result)| rule.problem_of(result, watched, *party, complete)),
        );
        for found in party_problems(*party, others, complete, today) {
            let told = problems.iter_mut().find(|told| is_same_field(&told.field_id, &found.field_id));
            match told {
                None => problems.push(found),
                // The rule for the party says more than the field's own has.
                Some(told) => (told.code, told.message) = (found.code, found.message),
            }
        }
        problems
    }

    /// The `fields` array for a request: every value that is not empty.
    ///
    /// # Errors
    /// `invalid_request` if `values` is no object from field id to value.
    pub fn to_fields(&self, values: &str) -> Result<String, Error> {
        check_argument("values", values, VALUES)?;
        let mut out = Writer::default();
        out.list(|out| {
            for (id, value) in JsonRef::new(values).members().filter(|(_, value)| !is_blank(*value)) {
                out.item();
                out.object(|out| {
                    out.text_member("id", &id);
                    out.member("value");
                    out.raw(value.raw());
                });
            }
        });
        Ok(out.finish())
    }

    /// Where the choices of a dropdown are, given what is chosen so far: `values` as for
    /// [`check`](Self::check).
    ///
    /// # Errors
    /// `invalid_request` if there is no such field or `values` is no object; `unavailable` if the service
    /// named a place that is not its own.
    pub fn options(&self, field_id: &str, values: &str, base_url: &Address) -> Result<OptionsAt, Error> {
        check_argument("values", values, VALUES)?;
        let rule = self.0.rules.iter().find(|rule| rule.id == field_id);
        let rule = rule.ok_or_else(|| {
            Error::invalid(Code::InvalidRequest, "fieldId", "the id of a field of this form")
        })?;
        let Some(source) = rule.options_source.as_deref() else {
            return Ok(OptionsAt::Here(rule.options.clone().unwrap_or_else(|| "[]".to_owned())));
        };
        let (mut path, values) = (String::new(), JsonRef::new(values));
        for (i, part) in source.split(['{', '}']).enumerate() {
            if i % 2 == 0 {
                path.push_str(part);
                continue;
            }
            let chosen = values.member(part).filter(|value| !is_blank(*value)).and_then(JsonRef::label);
            let Some(chosen) = chosen else { return Ok(OptionsAt::NotYet) };
            append_encoded(&mut path, &chosen);
        }
        // The token goes with the request, so it goes to the service alone.
        let own = path.strip_prefix(&base_url.join("")).unwrap_or(&path);
        let plain = own.starts_with('/') && !own.starts_with("//") && !is_within("..", own);
        if plain && own.bytes().all(|b| b.is_ascii_graphic() && b != b'\\') {
            return Ok(OptionsAt::Path(own.to_owned()));
        }
        Err(Error::new(Code::UnreadableReply).of_option(field_id))
    }
}

/// Where the choices of a dropdown are.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionsAt {
    /// In the field's own definition, a list of [`FieldOption`](super::FieldOption) as JSON text; empty for a
    /// field that is no dropdown.
    Here(String),
    /// At this path of the service.
    Path(String),
    /// Nowhere, until a field that they depend on is filled in.
    NotYet,
}

const VALUES: &Shape = &Shape::Object;

/// Whether the ids are one, or the two that a known field has: `firstName` and `FIRST_NAME`.
fn is_same_field(a: &str, b: &str) -> bool {
    letters(a).eq(letters(b))
}

fn letters(id: &str) -> impl Iterator<Item = u8> {
    id.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETS: &str = r#"{"fieldSets":[{"fieldSetId":"a","fieldSetName":"A","fields":[
        {"fieldType":"TEXT","fieldId":"firstName","name":"n","isRequired":true,"visibility":"SHOW_AND_REQUIRED","placeholderText":"","maxLength":5},
        {"fieldType":"TEXT","fieldId":"lastName","name":"n","isRequired":true,"regex":"^[A-Z]"},
        {"fieldType":"TEXT","fieldId":"broken","name":"n","isRequired":false,"regex":"("},
        {"fieldType":"DATE","fieldId":"dateOfBirth","name":"n","isRequired":false,"maxValue":"2020-01-01"},
        {"fieldType":"DROPDOWN","fieldId":"ID_TYPE","name":"n","isRequired":false,"options":[{"id":"SSN","name":"x"},{"id":"TIN","name":"y"}]},
        {"fieldType":"TEXT","fieldId":"ID_NUMBER","name":"n","isRequired":false,
         "dependencies":{"isRequired":[{"comparisonOperator":"EQUAL_TO","comparisonValues":["SSN"],"fieldId":"ID_TYPE"}]}},
        {"fieldType":"PHONE_NUMBER","fieldId":"phone","name":"n","isRequired":false,"regex":"^[0-9]+$"},
        {"fieldType":"TEXT","fieldId":"CARD_ID","name":"n","isRequired":false,"visibility":"HIDE_AND_REQUIRED"}]}]}"#;

    /// Enough of a pattern matcher for these patterns.
    fn matches(pattern: &str, text: &str) -> Option<bool> {
        match pattern {
            "^[A-Z]" => Some(text.starts_with(|c: char| c.is_ascii_uppercase())),
            "^[0-9]+$" => Some(text.bytes().all(|b| b.is_ascii_digit())),
            _ => None,
        }
    }

    fn form(party: Party) -> FieldForm {
        FieldForm::new(JsonRef::new(SETS), party)
    }

    fn problems(party: Party, values: &str) -> Vec<(String, String)> {
        let found = form(party).check(values, "2026-11-21", &matches).unwrap();
        found.into_iter().map(|p| (p.field_id, p.code.as_str().to_owned())).collect()
    }

    fn codes(found: &[(String, String)]) -> Vec<(&str, &str)> {
        found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect()
    }

    #[test]
    fn all_problems_are_found_at_once() {
        let found = problems(
            Party::None,
            r#"{"firstName":"Maximilian","lastName":"doe","broken":"x","dateOfBirth":"2021-02-29","ID_TYPE":"SSN","phone":{"number":"1a"}}"#,
        );
        assert_eq!(
            codes(&found),
            [
                ("firstName", "ValueRegexFailure"),
                ("lastName", "ValueRegexFailure"),
                ("dateOfBirth", "ValueRegexFailure"),
                ("ID_NUMBER", "MissingRequiredField"),
                ("phone", "ValueRegexFailure"),
                ("CARD_ID", "MissingRequiredField"),
            ]
        );
        assert!(form(Party::None).requires_card());
    }

    #[test]
    fn what_is_too_long_is_not_held_to_the_pattern() {
        let sets =
            r#"{"fieldSets":[{"fields":[{"fieldId":"a","fieldType":"TEXT","maxLength":3,"regex":"^a+$"}]}]}"#;
        let form = FieldForm::new(JsonRef::new(sets), Party::None);
        let tried = std::cell::Cell::new(0);
        let matches = |_: &str, _: &str| Some(tried.replace(tried.get() + 1) > 9);
        for (value, times) in [(r#"{"a":"aaaa"}"#, 0), (r#"{"a":"aaa"}"#, 1)] {
            let found = form.check(value, "2026-11-21", &matches).unwrap();
            assert_eq!((found.len(), tried.get()), (1, times), "{value}");
        }
        assert_eq!(form.probes(), r#"[["a",0,0,"^a+$",3]]"#);
    }

    #[test]
    fn what_is_right_passes_and_becomes_fields() {
        let values = r#"{"firstName":"Ana","lastName":"D","ID_TYPE":"TIN","phone":{"number":"55","countryIso3Code":"MEX"},"CARD_ID":"c","empty":" ","none":null}"#;
        assert_eq!(problems(Party::None, values), []);
        assert_eq!(
            form(Party::None).to_fields(values).unwrap(),
            r#"[{"id":"firstName","value":"Ana"},{"id":"lastName","value":"D"},{"id":"ID_TYPE","value":"TIN"},{"id":"phone","value":{"number":"55","countryIso3Code":"MEX"}},{"id":"CARD_ID","value":"c"}]"#
        );
        assert!(form(Party::None).check("[]", "2026-11-21", &matches).is_err());
    }

    #[test]
    fn the_rules_for_a_sender_are_the_interfaces() {
        let found = problems(
            Party::Sender(LegalForm::Person),
            r#"{"firstName":" ","lastName":"D","dateOfBirth":"2008-11-22","ID_TYPE":"TIN","ID_NUMBER":"12345678","CARD_ID":"c","phone":{"number":""}}"#,
        );
        assert_eq!(
            codes(&found),
            [
                ("firstName", "InvalidSenderName"),
                ("phone", "ValueRegexFailure"),
                ("ID_TYPE", "InvalidTypeOfId"),
                ("ID_NUMBER", "SenderInvalidTypeOfIdLength"),
                ("dateOfBirth", "SenderInvalidDateOfBirthUnder18"),
            ]
        );
        let born = |day: &str| {
            format!(r#"{{"firstName":"A","lastName":"D","DATE_OF_BIRTH":"{day}","CARD_ID":"c"}}"#)
        };
        assert_eq!(problems(Party::Sender(LegalForm::Person), &born("2008-11-21")), [], "18 today");
        assert_eq!(
            codes(&problems(Party::Sender(LegalForm::Person), &born("2008-11-22"))),
            [("DATE_OF_BIRTH", "SenderInvalidDateOfBirthUnder18")]
        );
    }

    #[test]
    fn a_field_has_one_problem_for_each_cause() {
        let sets = SETS.replace("firstName", "FIRST_NAME");
        let sets = sets.replace(r#""regex":"^[A-Z]""#, r#""maxLength":40"#);
        let form = FieldForm::new(JsonRef::new(&sets), Party::Recipient(LegalForm::Person));
        for (values, expected) in [
            (r#"{"lastName":"","CARD_ID":"c"}"#, ["FIRST_NAME", "lastName"]),
            (
                r#"{"firstName":"","lastName":null,"FIRST_NAME":" ","CARD_ID":"c"}"#,
                ["FIRST_NAME", "lastName"],
            ),
        ] {
            let found = form.check(values, "2026-11-21", &matches).unwrap();
            let found: Vec<_> = found.into_iter().map(|p| (p.field_id, p.code)).collect();
            assert_eq!(found, expected.map(|id| (id.to_owned(), Code::InvalidRecipientName)), "{values}");
        }
        let id = r#"{"firstName":"A","lastName":"D","CARD_ID":"c","ID_TYPE":"X","DATE_OF_BIRTH":"2020-02-02","dateOfBirth":"2020-02-02"}"#;
        let found = problems(Party::Sender(LegalForm::Person), id);
        assert_eq!(
            codes(&found),
            [("dateOfBirth", "SenderInvalidDateOfBirthUnder18"), ("ID_TYPE", "InvalidTypeOfId")]
        );
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_found() {
        let sets = r#"{"fieldSets":[{"fieldSetId":"a","fields":[
            {"fieldType":"TEXT","fieldId":"T","isRequired":false},{"fieldType":"DATE","fieldId":"D","isRequired":false},
            {"fieldType":"DROPDOWN","fieldId":"C","isRequired":false,"options":[{"id":"7"}]},
            {"fieldType":"PHONE_NUMBER","fieldId":"P","isRequired":false},{"fieldType":"NUMBER","fieldId":"N","isRequired":false}]}]}"#;
        let form = FieldForm::new(JsonRef::new(sets), Party::None);
        let right = r#"{"T":"a","D":"2020-02-29","C":"7","P":{"number":"55"},"N":7}"#;
        assert_eq!(form.check(right, "2026-11-21", &matches).unwrap(), []);
        for wrong in ["7", "true", "[]", "{}", r#"["a"]"#] {
            for id in ["T", "D", "C", "P"] {
                let values = format!(r#"{{"{id}":{wrong}}}"#);
                let found = form.check(&values, "2026-11-21", &matches).unwrap();
                assert_eq!(found, [FieldProblem::new(id, Code::ValueRegexFailure)], "{values}");
            }
        }
    }

    #[test]
    fn choices_that_depend_on_others_are_asked_of_the_service_alone() {
        let base = Address::parse("baseUrl", "https://api.example.com/remit").unwrap();
        let at = |source: &str, values: &str| {
            let sets = format!(
                r#"{{"fieldSets":[{{"fieldSetId":"a","fields":[{{"fieldType":"DROPDOWN","fieldId":"CITY","isRequired":true,"optionsSource":"{source}"}}]}}]}}"#
            );
            FieldForm::new(JsonRef::new(&sets), Party::None).options("CITY", values, &base)
        };
        let path = |text: &str| Ok(OptionsAt::Path(text.into()));
        let same = |a: Result<OptionsAt, Error>, b: Result<OptionsAt, Error>| assert_eq!(a.ok(), b.ok());
        same(
            at("/v1/states/{STATE}/cities", r#"{"STATE":"N L/é"}"#),
            path("/v1/states/N%20L%2F%C3%A9/cities"),
        );
        same(at("https://api.example.com/remit/v1/c?s={STATE}", r#"{"STATE":"7"}"#), path("/v1/c?s=7"));
        same(at("/v1/states/{STATE}/cities", r#"{"STATE":""}"#), Ok(OptionsAt::NotYet));
        for foreign in [
            "https://evil.example/v1",
            "//evil.example/v1",
            "https://api.example.com.evil.example/",
            "v1/x",
            "/v1/../x",
            "/v1/a b",
        ] {
            assert_eq!(at(foreign, "{}").unwrap_err().code(), Code::UnreadableReply, "{foreign}");
        }
        assert_eq!(form(Party::None).options("nope", "{}", &base).unwrap_err().option(), Some("fieldId"));
        let here = form(Party::None).options("ID_TYPE", "{}", &base).unwrap();
        assert!(matches!(here, OptionsAt::Here(options) if JsonRef::new(&options).items().count() == 2));
    }

    #[test]
    fn a_partial_change_need_not_be_complete() {
        let fields = JsonRef::new(r#"[{"id":"lastName","value":"doe"}]"#);
        let found = form(Party::Sender(LegalForm::Person)).check_fields(fields, true, "2026-11-21", &matches);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].code, Code::ValueRegexFailure);
        let emptied = JsonRef::new(r#"[{"id":"lastName","value":""}]"#);
        let found =
            form(Party::Sender(LegalForm::Person)).check_fields(emptied, true, "2026-11-21", &matches);
        assert!(found.iter().any(|p| p.code == Code::InvalidSenderName));
    }
}
