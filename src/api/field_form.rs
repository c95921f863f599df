//! Checks collected values against field sets before anything is sent.

use std::borrow::Cow;
use std::rc::Rc;

use super::field_problem::FieldProblem;
use super::field_rule::FieldRule;
use super::field_text::{Matches, Values};
use super::fields::{fields_of, is_blank};
use super::json::{JsonRef, Mode, Shape, Writer, write_json, write_object};
use super::option_name::FIELD_ID;
use super::party::{Party, party_problems};
use super::request::{check_input, percent_encoded};
use super::{Address, Code, Error, LegalForm};

/// The fields that a screen collects, from one reply of a fields endpoint. Never outlives the screen. Cheap
/// to clone.
#[derive(Clone, Debug)]
pub struct FieldForm {
    rules: Rc<[FieldRule]>,
    party: Party,
}

impl FieldForm {
    /// Creates a form from a checked reply of a fields endpoint, [`FieldSets`](super::FieldSets).
    pub fn new(field_sets: JsonRef<'_>, party: Party) -> Self {
        FieldForm { rules: fields_of(field_sets).into_iter().map(FieldRule::read).collect(), party }
    }

    /// Returns whether the customer must enter a card in the hosted form: [`CARD_ID`](super::CARD_ID) is
    /// required.
    pub fn requires_card(&self) -> bool {
        self.rules.iter().any(FieldRule::is_required_card)
    }

    /// Returns whether the form can be about a party of this type, `PERSON` or `BUSINESS`.
    pub(crate) fn is_about(&self, party_type: Option<&str>) -> bool {
        match self.party {
            Party::Sender(form) | Party::Recipient(form) => {
                party_type.is_none_or(|name| form == LegalForm::of(name))
            }
            Party::None => true,
        }
    }

    /// Returns all problems in the order of the fields. `values` is the JSON text of an object from field id
    /// to value, as people type them, but with each accent joined to its letter (Unicode NFC): they are checked
    /// as [`to_fields`](Self::to_fields) sends them. `today` is `YYYY-MM-DD`.
    ///
    /// # Errors
    /// `invalid_request` if `values` is not an object.
    pub fn check(&self, values: &str, today: &str, matches: Matches<'_>) -> Result<Vec<FieldProblem>, Error> {
        let sent = self.as_sent(values, matches)?;
        Ok(self.problems_of(&Values::new(JsonRef::new(&sent).members()), true, today, matches))
    }

    /// Returns whether a field must be filled in for these values, as for [`check`](Self::check): many fields
    /// depend on others.
    ///
    /// # Errors
    /// `invalid_request` if the field does not exist or `values` is not an object.
    pub fn is_required(&self, field_id: &str, values: &str, matches: Matches<'_>) -> Result<bool, Error> {
        self.rule(field_id)?;
        let sent = self.as_sent(values, matches)?;
        // An empty value is a problem if and only if the field is required, by no rule about today.
        let values = Values::new(JsonRef::new(&sent).members()).without(field_id);
        let problems = self.problems_of(&values, true, "", matches);
        Ok(problems.iter().any(|problem| problem.field_id == field_id))
    }

    /// Returns what a customer may have mistyped, in the order of the fields: check digits that do not fit
    /// ([`CheckDigitMismatch`](Code::CheckDigitMismatch)), phone numbers with too many or too few digits for
    /// their country ([`UnusualPhoneNumber`](Code::UnusualPhoneNumber)). Ask, but send them if the customer
    /// insists: they are no problems for [`check`](Self::check).
    ///
    /// # Errors
    /// `invalid_request` if `values` is not an object.
    pub fn warnings(&self, values: &str, matches: Matches<'_>) -> Result<Vec<FieldProblem>, Error> {
        let sent = self.as_sent(values, matches)?;
        let sent = JsonRef::new(&sent);
        let warning = |rule: &FieldRule| rule.warning_of(sent.member(&rule.id)?);
        Ok(self.rules.iter().filter_map(warning).collect())
    }

    /// Returns the ids of the dropdowns whose options depend on a field, to any depth, in the order of the
    /// fields. When the field changes, their values no longer count.
    pub fn dependents(&self, field_id: &str) -> Vec<String> {
        let rules = &self.rules;
        let mut depends = vec![false; rules.len()];
        let mut changed = vec![field_id];
        while let Some(id) = changed.pop() {
            for (rule, depends) in rules.iter().zip(&mut depends) {
                if !*depends && rule.id != field_id && rule.has_choices_of(id) {
                    *depends = true;
                    changed.push(&rule.id);
                }
            }
        }
        let ids = rules.iter().zip(depends).filter(|(_, depends)| *depends);
        ids.map(|(rule, _)| rule.id.clone()).collect()
    }

    fn rule(&self, field_id: &str) -> Result<&FieldRule, Error> {
        self.rules.iter().find(|rule| rule.id == field_id).ok_or_else(|| {
            Error::invalid_option(Code::InvalidRequest, &FIELD_ID, "the id of a field of this form")
        })
    }

    /// Returns the values as they are sent, an object as JSON text.
    fn as_sent(&self, values: &str, matches: Matches<'_>) -> Result<String, Error> {
        check_input(Mode::Sent, "values", values, VALUES)?;
        Ok(write_object(|out| {
            for (id, value) in JsonRef::new(values).members() {
                let sent = self.sent_form(&id, value, matches);
                out.raw_member(&id, sent.as_deref().unwrap_or(value.raw()));
            }
        }))
    }

    /// Returns what is sent for a value as it was typed, as JSON text; `None` for the value itself.
    pub(crate) fn sent_form(&self, id: &str, value: JsonRef<'_>, matches: Matches<'_>) -> Option<String> {
        self.rules.iter().find(|rule| rule.id == id)?.sent_form(value, matches)
    }

    /// Checks the `fields` array of a request like [`check`](Self::check). A `partial` one (PATCH) may lack
    /// fields.
    pub fn check_fields(
        &self,
        fields: JsonRef<'_>,
        partial: bool,
        today: &str,
        matches: Matches<'_>,
    ) -> Vec<FieldProblem> {
        let values = fields.items().filter_map(|field| Some((field.text_of("id")?, field.member("value")?)));
        self.problems_of(&Values::new(values), !partial, today, matches)
    }

    fn problems_of(
        &self,
        values: &Values<'_>,
        complete: bool,
        today: &str,
        matches: Matches<'_>,
    ) -> Vec<FieldProblem> {
        let problem = |rule: &FieldRule| rule.problem_of(values, self.party, complete, matches);
        let mut problems: Vec<_> = self.rules.iter().filter_map(problem).collect();
        for found in party_problems(self.party, values, complete, today) {
            match problems.iter_mut().find(|known| is_same_field(&known.field_id, &found.field_id)) {
                None => problems.push(found),
                // The rule for the party is more specific than that of the field.
                Some(known) => (known.code, known.message) = (found.code, found.message),
            }
        }
        problems
    }

    /// Returns the `fields` array for a request, without blank values and the blanks around others. A text
    /// that its field refuses is sent in the form that the field accepts: in ASCII digits, without spaces and
    /// hyphens, in capitals. A phone number is sent without punctuation, calling code and what is dialled
    /// within its country; if it has no `countryPhoneCode`, it gets its country's.
    ///
    /// # Errors
    /// `invalid_request` if `values` is not an object.
    pub fn to_fields(&self, values: &str, matches: Matches<'_>) -> Result<String, Error> {
        let sent = self.as_sent(values, matches)?;
        let members = JsonRef::new(&sent).members().filter(|(_, value)| !is_blank(*value));
        let write_field = |out: &mut Writer, (id, value): (Cow<'_, str>, JsonRef<'_>)| {
            out.object(|out| {
                out.text_member("id", &id);
                out.raw_member("value", value.raw());
            });
        };
        Ok(write_json(|out| out.list_of(members, write_field)))
    }

    /// Returns where to find the options of a dropdown, given the current `values` as for
    /// [`check`](Self::check).
    ///
    /// # Errors
    /// `invalid_request` if the field does not exist or `values` is not an object; `unavailable` if the
    /// service names a foreign address.
    pub fn options(&self, field_id: &str, values: &str, base_url: &Address) -> Result<OptionsAt, Error> {
        check_input(Mode::Sent, "values", values, VALUES)?;
        let rule = self.rule(field_id)?;
        let Some(source) = rule.options_source.as_deref() else {
            return Ok(OptionsAt::Here(rule.options.clone().unwrap_or_else(|| "[]".to_owned())));
        };
        let (mut path, values) = (String::new(), JsonRef::new(values));
        for (i, part) in source.split(['{', '}']).enumerate() {
            if i % 2 == 0 {
                path.push_str(part);
                continue;
            }
            let value = values.member(part).filter(|value| !is_blank(*value)).and_then(JsonRef::label);
            let Some(value) = value else { return Ok(OptionsAt::NotYet) };
            path.extend(percent_encoded(&value));
        }
        // The request carries the token, so send it only to the service.
        let own = path.strip_prefix(&base_url.join("")).unwrap_or(&path);
        let plain = own.starts_with('/') && !own.starts_with("//") && !own.contains("..");
        if plain && own.bytes().all(|b| b.is_ascii_graphic() && b != b'\\') {
            return Ok(OptionsAt::Path(own.to_owned()));
        }
        Err(Error::new(Code::UnreadableReply).with_option(field_id))
    }
}

/// Where to find the options of a dropdown.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionsAt {
    /// The JSON text of a list of [`FieldOption`](super::FieldOption); empty if the field is no dropdown.
    Here(String),
    /// A path of the service.
    Path(String),
    /// A field that the options depend on is blank.
    NotYet,
}

const VALUES: &Shape = &Shape::Object;

/// Returns whether the ids name the same field, such as `firstName` and `FIRST_NAME`.
fn is_same_field(a: &str, b: &str) -> bool {
    letters(a).eq(letters(b))
}

fn letters(id: &str) -> impl Iterator<Item = u8> {
    id.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = r#"
        {"fieldType":"TEXT","fieldId":"firstName","isRequired":true,"visibility":"SHOW_AND_REQUIRED","maxLength":5},
        {"fieldType":"TEXT","fieldId":"lastName","isRequired":true,"regex":"^[A-Z]"},
        {"fieldType":"TEXT","fieldId":"broken","isRequired":false,"regex":"("},
        {"fieldType":"DATE","fieldId":"dateOfBirth","isRequired":false,"maxValue":"2020-01-01"},
        {"fieldType":"DROPDOWN","fieldId":"ID_TYPE","isRequired":false,"options":[{"id":"SSN","name":"x"},{"id":"TIN","name":"y"}]},
        {"fieldType":"TEXT","fieldId":"ID_NUMBER","isRequired":false,
         "dependencies":{"isRequired":[{"comparisonOperator":"EQUAL_TO","comparisonValues":["SSN"],"fieldId":"ID_TYPE"}]}},
        {"fieldType":"PHONE_NUMBER","fieldId":"phone","isRequired":false,"regex":"^[0-9]+$"},
        {"fieldType":"TEXT","fieldId":"CARD_ID","isRequired":false,"visibility":"HIDE_AND_REQUIRED"}"#;

    const SENDER: Party = Party::Sender(LegalForm::Person);

    /// Matches only the patterns of these tests.
    fn matches(pattern: &str, text: &str) -> Option<bool> {
        match pattern {
            "^[A-Z]" => Some(text.starts_with(|c: char| c.is_ascii_uppercase())),
            "^[0-9]+$" => Some(text.bytes().all(|b| b.is_ascii_digit())),
            _ => None,
        }
    }

    fn form(fields: &str, party: Party) -> FieldForm {
        let sets = format!(r#"{{"fieldSets":[{{"fieldSetId":"a","fields":[{fields}]}}]}}"#);
        FieldForm::new(JsonRef::new(&sets), party)
    }

    #[track_caller]
    fn assert_problems(form: &FieldForm, values: &str, expected: &[(&str, Code)]) {
        let found = form.check(values, "2026-11-21", &matches).unwrap();
        let found: Vec<_> = found.iter().map(|p| (&*p.field_id, p.code.clone())).collect();
        assert_eq!(found, expected, "{values}");
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let form = form(FIELDS, Party::None);
        assert_problems(
            &form,
            r#"{"firstName":"Maximilian","lastName":"1doe","broken":"x","dateOfBirth":"2021-02-29","ID_TYPE":"SSN","phone":{"number":"1a"}}"#,
            &[
                ("firstName", Code::ValueRegexFailure),
                ("lastName", Code::ValueRegexFailure),
                ("dateOfBirth", Code::ValueRegexFailure),
                ("ID_NUMBER", Code::MissingRequiredField),
                ("phone", Code::ValueRegexFailure),
                ("CARD_ID", Code::MissingRequiredField),
            ],
        );
        assert!(form.requires_card());
    }

    #[test]
    fn a_text_that_is_too_long_is_not_matched() {
        let field = r#"{"fieldId":"a","fieldType":"TEXT","maxLength":3,"regex":"^a+$"}"#;
        let form = form(field, Party::None);
        let calls = std::cell::Cell::new(0);
        let matches = |_: &str, _: &str| Some(calls.replace(calls.get() + 1) > 9);
        for (value, expected) in [(r#"{"a":"aaaa"}"#, 0), (r#"{"a":"aaa"}"#, 3)] {
            let found = form.check(value, "2026-11-21", &matches).unwrap();
            assert_eq!((found.len(), calls.get()), (1, expected), "{value}");
        }
    }

    #[test]
    fn valid_values_become_fields_without_blanks() {
        let form = form(FIELDS, Party::None);
        let values = r#"{"firstName":"Ana","lastName":"D","ID_TYPE":"TIN","phone":{"number":"55","countryIso3Code":"MEX"},"CARD_ID":"c","empty":" ","none":null}"#;
        assert_problems(&form, values, &[]);
        assert_eq!(
            form.to_fields(values, &matches).unwrap(),
            r#"[{"id":"firstName","value":"Ana"},{"id":"lastName","value":"D"},{"id":"ID_TYPE","value":"TIN"},{"id":"phone","value":{"number":"55","countryIso3Code":"MEX","countryPhoneCode":"52"}},{"id":"CARD_ID","value":"c"}]"#
        );
        assert!(form.check("[]", "2026-11-21", &matches).is_err());
    }

    #[test]
    fn a_sender_is_checked_by_the_rules_of_the_interface() {
        let form = form(FIELDS, SENDER);
        assert_problems(
            &form,
            r#"{"firstName":" ","lastName":"D","dateOfBirth":"2008-11-22","ID_TYPE":"TIN","ID_NUMBER":"12345678","CARD_ID":"c","phone":{"number":""}}"#,
            &[
                ("firstName", Code::InvalidSenderName),
                ("phone", Code::ValueRegexFailure),
                ("ID_TYPE", Code::InvalidTypeOfId),
                ("ID_NUMBER", Code::SenderInvalidTypeOfIdLength),
                ("dateOfBirth", Code::SenderInvalidDateOfBirthUnder18),
            ],
        );
        let under_18 = [("DATE_OF_BIRTH", Code::SenderInvalidDateOfBirthUnder18)];
        for (day, expected) in [("2008-11-21", &[][..]), ("2008-11-22", &under_18)] {
            let values =
                format!(r#"{{"firstName":"A","lastName":"D","DATE_OF_BIRTH":"{day}","CARD_ID":"c"}}"#);
            assert_problems(&form, &values, expected);
        }
    }

    #[test]
    fn a_field_is_required_if_it_must_not_be_empty() {
        let form = |party| form(FIELDS, party);
        let (plain, sender) = (form(Party::None), form(SENDER));
        for (id, values, expected) in [
            ("firstName", "{}", true),
            // Its own value does not matter.
            ("firstName", r#"{"firstName":"Ana"}"#, true),
            ("broken", "{}", false),
            ("CARD_ID", "{}", true),
            ("ID_NUMBER", "{}", false),
            ("ID_NUMBER", r#"{"ID_TYPE":"TIN"}"#, false),
            ("ID_NUMBER", r#"{"ID_TYPE":" SSN"}"#, false),
            ("ID_NUMBER", r#"{"ID_TYPE":"SSN","ID_NUMBER":"123456789"}"#, true),
        ] {
            for form in [&plain, &sender] {
                assert_eq!(form.is_required(id, values, &matches).unwrap(), expected, "{id} {values}");
            }
        }
        // The party needs a name that the definition does not.
        let optional = r#"{"fieldType":"TEXT","fieldId":"LAST_NAME","isRequired":false}"#;
        let required = |party| self::form(optional, party).is_required("LAST_NAME", "{}", &matches).unwrap();
        assert_eq!([Party::None, SENDER].map(required), [false, true]);
        for (id, values, option) in [("none", "{}", FIELD_ID.rust), ("firstName", "[]", "values")] {
            let error = plain.is_required(id, values, &matches).unwrap_err();
            assert_eq!((error.code(), error.option()), (Code::InvalidRequest, Some(option)));
        }
    }

    #[test]
    fn identification_that_is_left_blank_is_not_refused() {
        let optional = form(&FIELDS.replace(r#"["SSN"]"#, r#"["GID"]"#), SENDER);
        let form = form(FIELDS, SENDER);
        let with = |own: &str| format!(r#"{{"firstName":"A","lastName":"D","CARD_ID":"c",{own}}}"#);
        for blank in [r#""""#, r#"" ""#, "null"] {
            assert_problems(&form, &with(&format!(r#""ID_TYPE":{blank}"#)), &[]);
            // A type that is blank says nothing about the number.
            assert_problems(&form, &with(&format!(r#""ID_TYPE":{blank},"ID_NUMBER":"1""#)), &[]);
            let number = with(&format!(r#""ID_TYPE":"SSN","ID_NUMBER":{blank}"#));
            assert_problems(&optional, &number, &[]);
            // This form requires a number with this type.
            assert_problems(&form, &number, &[("ID_NUMBER", Code::NotEmptyValidator)]);
        }
        let changed = r#"[{"id":"ID_TYPE","value":""}]"#;
        assert_eq!(form.check_fields(JsonRef::new(changed), true, "2026-11-21", &matches), []);
        assert_problems(&form, &with(r#""ID_TYPE":"X""#), &[("ID_TYPE", Code::InvalidTypeOfId)]);
    }

    #[test]
    fn one_cause_is_one_problem() {
        let renamed =
            FIELDS.replace("firstName", "FIRST_NAME").replace(r#""regex":"^[A-Z]""#, r#""maxLength":40"#);
        let recipient = form(&renamed, Party::Recipient(LegalForm::Person));
        let expected = ["FIRST_NAME", "lastName"].map(|id| (id, Code::InvalidRecipientName));
        assert_problems(&recipient, r#"{"lastName":"","CARD_ID":"c"}"#, &expected);
        let both_names = r#"{"firstName":"","lastName":null,"FIRST_NAME":" ","CARD_ID":"c"}"#;
        assert_problems(&recipient, both_names, &expected);
        assert_problems(
            &form(FIELDS, SENDER),
            r#"{"firstName":"A","lastName":"D","CARD_ID":"c","ID_TYPE":"X","DATE_OF_BIRTH":"2020-02-02","dateOfBirth":"2020-02-02"}"#,
            &[("dateOfBirth", Code::SenderInvalidDateOfBirthUnder18), ("ID_TYPE", Code::InvalidTypeOfId)],
        );
    }

    #[test]
    fn values_of_the_wrong_type_are_reported() {
        let fields = r#"{"fieldType":"TEXT","fieldId":"T","isRequired":false},{"fieldType":"DATE","fieldId":"D","isRequired":false},
            {"fieldType":"DROPDOWN","fieldId":"C","isRequired":false,"options":[{"id":"7"}]},
            {"fieldType":"PHONE_NUMBER","fieldId":"P","isRequired":false},{"fieldType":"NUMBER","fieldId":"N","isRequired":false}"#;
        let form = form(fields, Party::None);
        assert_problems(&form, r#"{"T":"a","D":"2020-02-29","C":"7","P":{"number":"55"},"N":7}"#, &[]);
        for (id, wrong) in [("C", "8"), ("D", "1900-02-29"), ("D", "2026-04-31"), ("D", "2026-00-10")] {
            assert_problems(&form, &format!(r#"{{"{id}":"{wrong}"}}"#), &[(id, Code::ValueRegexFailure)]);
        }
        assert_problems(&form, r#"{"D":"2000-02-29"}"#, &[]);
        for wrong in ["7", "true", "[]", "{}", r#"["a"]"#] {
            for id in ["T", "D", "C", "P"] {
                assert_problems(&form, &format!(r#"{{"{id}":{wrong}}}"#), &[(id, Code::ValueRegexFailure)]);
            }
        }
    }

    #[test]
    fn a_dependency_compares_the_value_of_its_own_field() {
        let fields = [
            ("A", "EQUAL_TO", r#""x","y""#, "S"),
            ("B", "NOT_EQUAL_TO", r#""x""#, "S"),
            ("C", "GREATER_THAN", r#""7","-9""#, "N"),
            ("D", "LESS_THAN", r#"7"#, "N"),
            ("E", "EQUAL_TO", r#""7""#, "N"),
            ("F", "NEWER", r#""7""#, "N"),
        ]
        .map(|(id, operator, values, of)| {
            let dependency = format!(
                r#"{{"comparisonOperator":"{operator}","comparisonValues":[{values}],"fieldId":"{of}"}}"#
            );
            format!(
                r#"{{"fieldType":"TEXT","fieldId":"{id}","dependencies":{{"isRequired":[{dependency}]}}}}"#
            )
        });
        let form = form(&fields.join(","), Party::None);
        for (values, required) in [
            ("{}", &[][..]),
            (r#"{"S":"x"}"#, &["A"]),
            (r#"{"S":"y"}"#, &["A", "B"]),
            (r#"{"S":"z","N":"8"}"#, &["B", "C"]),
            (r#"{"N":"-10"}"#, &["D"]),
            (r#"{"N":7}"#, &["E"]),
            (r#"{"N":"x"}"#, &[]),
        ] {
            let expected: Vec<_> = required.iter().map(|id| (*id, Code::MissingRequiredField)).collect();
            assert_problems(&form, values, &expected);
        }
    }

    #[test]
    fn options_are_fetched_only_from_the_service() {
        let base = Address::parse("base_url", "https://api.example.com/remit").unwrap();
        let options = |source: &str, values: &str| {
            let field = format!(r#"{{"fieldType":"DROPDOWN","fieldId":"CITY","optionsSource":"{source}"}}"#);
            form(&field, Party::None).options("CITY", values, &base)
        };
        let cities = "/v1/states/{STATE}/cities";
        let absolute = "https://api.example.com/remit/v1/c?s={STATE}";
        for (source, values, expected) in [
            (cities, r#"{"STATE":"N L/é"}"#, OptionsAt::Path("/v1/states/N%20L%2F%C3%A9/cities".into())),
            (absolute, r#"{"STATE":"7"}"#, OptionsAt::Path("/v1/c?s=7".into())),
            (cities, r#"{"STATE":""}"#, OptionsAt::NotYet),
        ] {
            assert_eq!(options(source, values).ok(), Some(expected));
        }
        for foreign in [
            "https://evil.example/v1",
            "//evil.example/v1",
            "https://api.example.com.evil.example/",
            "v1/x",
            "/v1/../x",
            "/v1/a b",
            r"/v1\\x",
        ] {
            assert_eq!(options(foreign, "{}").unwrap_err().code(), Code::UnreadableReply, "{foreign}");
        }
        let form = form(FIELDS, Party::None);
        assert_eq!(form.options("nope", "{}", &base).unwrap_err().option(), Some("field_id"));
        let here = form.options("ID_TYPE", "{}", &base).unwrap();
        assert!(matches!(here, OptionsAt::Here(options) if JsonRef::new(&options).items().count() == 2));
    }

    #[test]
    fn a_partial_change_may_lack_fields_but_not_clear_them() {
        let form = form(FIELDS, SENDER);
        for (value, code) in [("doe", Code::ValueRegexFailure), ("", Code::InvalidSenderName)] {
            let fields = format!(r#"[{{"id":"lastName","value":"{value}"}}]"#);
            let found = form.check_fields(JsonRef::new(&fields), true, "2026-11-21", &matches);
            assert_eq!((found.len(), &found[0].code), (1, &code), "{found:?}");
        }
    }

    /// Matches the patterns of these tests like an engine.
    fn engine(pattern: &str, text: &str) -> Option<bool> {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        match pattern {
            "^[0-9]{18}$" => Some(digits == 18 && text.len() == 18),
            "^ES[0-9]{22}$" => Some(digits == 22 && text.len() == 24 && text.starts_with("ES")),
            "^[0-9]{7,15}$" => Some((7..=15).contains(&digits) && digits == text.len()),
            "^[A-Za-z’ ]+$" => Some(digits == 0),
            "^[A-Za-z’]+$" => Some(text.chars().all(|c| c.is_ascii_alphabetic() || c == '’')),
            r"^[\w ]{2,40}$" if text.is_ascii() => Some(!text.contains('-')),
            "^[A-Z]{4}-[0-9]{6}$" => Some(text.split_once('-').is_some_and(|(letters, number)| {
                letters.bytes().all(|byte| byte.is_ascii_uppercase())
                    && number.bytes().all(|byte| byte.is_ascii_digit())
                    && (letters.len(), number.len()) == (4, 6)
            })),
            _ => None,
        }
    }

    const TYPED: &str = r#"
        {"fieldType":"TEXT","fieldId":"BANK_ACCOUNT_NUMBER","name":"CLABE","isRequired":true,"minLength":18,"maxLength":18,"regex":"^[0-9]{18}$"},
        {"fieldType":"TEXT","fieldId":"IBAN","isRequired":false,"regex":"^ES[0-9]{22}$"},
        {"fieldType":"TEXT","fieldId":"CARD_NUMBER","isRequired":false},
        {"fieldType":"TEXT","fieldId":"NOTE","isRequired":false,"maxLength":8},
        {"fieldType":"TEXT","fieldId":"LAST_NAME","isRequired":false,"regex":"^[A-Za-z’ ]+$"},
        {"fieldType":"DATE","fieldId":"DATE_OF_BIRTH","isRequired":false},
        {"fieldType":"PHONE_NUMBER","fieldId":"PHONE","isRequired":false,"regex":"^[0-9]{7,15}$"}"#;

    #[test]
    fn values_are_checked_and_sent_as_people_mean_them() {
        let form = form(TYPED, Party::None);
        for (values, sent) in [
            (
                r#"{"BANK_ACCOUNT_NUMBER":"0321 8000 0118 3597 19","IBAN":"es91 2100-0418 4502 0005 1332"}"#,
                r#"[{"id":"BANK_ACCOUNT_NUMBER","value":"032180000118359719"},{"id":"IBAN","value":"ES9121000418450200051332"}]"#,
            ),
            (
                r#"{"BANK_ACCOUNT_NUMBER":"٠٣٢١٨٠٠٠٠١١٨٣٥٩٧١٩","NOTE":"a b-c","DATE_OF_BIRTH":"１９９０-０５-１７","CARD_NUMBER":"4111 1111"}"#,
                r#"[{"id":"BANK_ACCOUNT_NUMBER","value":"032180000118359719"},{"id":"NOTE","value":"a b-c"},{"id":"DATE_OF_BIRTH","value":"1990-05-17"},{"id":"CARD_NUMBER","value":"4111 1111"}]"#,
            ),
            (
                r#"{"BANK_ACCOUNT_NUMBER":" 032180000118359719","NOTE":" a b-c  ","LAST_NAME":"O’Brien Diaz "}"#,
                r#"[{"id":"BANK_ACCOUNT_NUMBER","value":"032180000118359719"},{"id":"NOTE","value":"a b-c"},{"id":"LAST_NAME","value":"O’Brien Diaz"}]"#,
            ),
            (
                r#"{"BANK_ACCOUNT_NUMBER":"032180000118359719","PHONE":{"countryPhoneCode":null,"number":"5512345678","countryIso3Code":"MEX"}}"#,
                r#"[{"id":"BANK_ACCOUNT_NUMBER","value":"032180000118359719"},{"id":"PHONE","value":{"number":"5512345678","countryIso3Code":"MEX","countryPhoneCode":"52"}}]"#,
            ),
            (
                r#"{"BANK_ACCOUNT_NUMBER":"032180000118359719","PHONE":{"number":"5512345678","countryIso3Code":"ZZZ"}}"#,
                r#"[{"id":"BANK_ACCOUNT_NUMBER","value":"032180000118359719"},{"id":"PHONE","value":{"number":"5512345678","countryIso3Code":"ZZZ"}}]"#,
            ),
            (
                r#"{"BANK_ACCOUNT_NUMBER":"032180000118359719","PHONE":{"number":"+52 1 (55) 1234-5678","countryIso3Code":"MEX","countryPhoneCode":52}}"#,
                r#"[{"id":"BANK_ACCOUNT_NUMBER","value":"032180000118359719"},{"id":"PHONE","value":{"number":"5512345678","countryIso3Code":"MEX","countryPhoneCode":52}}]"#,
            ),
        ] {
            assert_eq!(form.check(values, "2026-11-21", &engine).unwrap(), [], "{values}");
            assert_eq!(form.to_fields(values, &engine).unwrap(), sent);
            assert_eq!(form.warnings(values, &engine).unwrap(), []);
        }
        for (values, problem) in [
            (r#"{"BANK_ACCOUNT_NUMBER":"0321 8000"}"#, "BANK_ACCOUNT_NUMBER"),
            (r#"{"BANK_ACCOUNT_NUMBER":"032180000118359719","NOTE":"a b c d e"}"#, "NOTE"),
            (
                r#"{"BANK_ACCOUNT_NUMBER":"032180000118359719","PHONE":{"number":"+1 912 555 0142","countryIso3Code":"MEX"}}"#,
                "PHONE",
            ),
        ] {
            let found = form.check(values, "2026-11-21", &engine).unwrap();
            assert_eq!((found.len(), &*found[0].field_id), (1, problem), "{values}");
        }
    }

    #[test]
    fn a_text_changes_no_more_than_its_pattern_needs() {
        for (pattern, typed, sent) in [
            // Whether `\w` takes é depends on the engine.
            (r"^[\w ]{2,40}$", "José\u{200b} ", "José"),
            (r"^[\w ]{2,40}$", "José Ruiz", "José Ruiz"),
            (r"^[\w ]{2,40}$", "Ana\u{200b} ", "Ana"),
            (r"^[\w ]{2,40}$", "José ٥", "José ٥"),
            ("^[A-Za-z’]+$", "O’Brien ", "O’Brien"),
            ("^[A-Za-z’]+$", "O’Brien", "O’Brien"),
            ("^[A-Z]{4}-[0-9]{6}$", "abcd123456", "ABCD-123456"),
            ("^[A-Z]{4}-[0-9]{6}$", "ABCD123456", "ABCD-123456"),
            ("^[A-Z]{4}-[0-9]{6}$", "abcd-123456", "ABCD-123456"),
            ("^[A-Z]{4}-[0-9]{6}$", "ABCD-123456", "ABCD-123456"),
        ] {
            let field = format!(
                r#"{{"fieldType":"TEXT","fieldId":"T","regex":{}}}"#,
                write_json(|out| out.text(pattern))
            );
            let values = write_object(|out| out.text_member("T", typed));
            let form = form(&field, Party::None);
            assert_eq!(form.check(&values, "2026-11-21", &engine).unwrap(), [], "{pattern} {typed}");
            let expected = format!(r#"[{{"id":"T","value":"{sent}"}}]"#);
            assert_eq!(form.to_fields(&values, &engine).unwrap(), expected, "{pattern} {typed}");
        }
    }

    #[test]
    fn what_may_be_mistyped_is_a_warning() {
        let form = form(TYPED, Party::None);
        for (values, expected) in [
            (
                r#"{"BANK_ACCOUNT_NUMBER":"0321 8000 0118 3597 10"}"#,
                &[("BANK_ACCOUNT_NUMBER", Code::CheckDigitMismatch)][..],
            ),
            (r#"{"IBAN":"es91 2100 0418 4502 0005 1333"}"#, &[("IBAN", Code::CheckDigitMismatch)]),
            (r#"{"CARD_NUMBER":"4111 1111 1111 1112"}"#, &[("CARD_NUMBER", Code::CheckDigitMismatch)]),
            (
                r#"{"PHONE":{"number":"55-1234-567","countryIso3Code":"MEX"}}"#,
                &[("PHONE", Code::UnusualPhoneNumber)],
            ),
            (
                r#"{"PHONE":{"number":"55-1234-567","countryIso3Code":"ZZZ"},"IBAN":"12345678","NOTE":"1234567890123"}"#,
                &[],
            ),
            (r#"{"PHONE":{"number":" ","countryIso3Code":"MEX"},"IBAN":null,"CARD_NUMBER":7}"#, &[]),
        ] {
            let found = form.warnings(values, &engine).unwrap();
            let found: Vec<_> = found.iter().map(|found| (&*found.field_id, found.code.clone())).collect();
            assert_eq!(found, expected, "{values}");
        }
        assert!(form.warnings("[]", &engine).is_err());
    }

    const VECTORS: &str = include_str!("../../tests/field-form-vectors.json");

    #[test]
    fn a_field_knows_what_depends_on_it_to_any_depth() {
        let vectors = JsonRef::new(VECTORS);
        let fields: Vec<_> = vectors.member("fields").unwrap().items().map(JsonRef::raw).collect();
        let form = form(&fields.join(","), Party::None);
        for (id, expected) in vectors.member("dependents").unwrap().members() {
            let expected: Vec<_> = expected.items().filter_map(JsonRef::text).collect();
            assert_eq!(form.dependents(&id), expected, "{id}");
        }
    }

    #[test]
    fn known_fields_have_two_ids() {
        for pair in JsonRef::new(VECTORS).member("sameField").unwrap().items() {
            let ids: Vec<_> = pair.items().filter_map(JsonRef::text).collect();
            let is_same = pair.items().nth(2).and_then(JsonRef::boolean);
            assert_eq!(Some(is_same_field(&ids[0], &ids[1])), is_same, "{ids:?}");
        }
    }
}
