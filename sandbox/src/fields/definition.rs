//! Field definitions as they are on the wire, and what `world.json` adds to them: when an entry applies, and
//! texts in several languages.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};

use crate::transfer_method::TransferMethod;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum Kind {
    #[default]
    Person,
    Business,
}

/// What the fields and their values belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Sender,
    Recipient,
    Account,
    Transfer,
}

/// The field sets of each fields endpoint. Of several entries for one set, or of one field, the first that
/// applies counts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct FieldSets {
    pub(crate) sender_fields: Vec<FieldSet>,
    pub(crate) recipient_fields: Vec<FieldSet>,
    pub(crate) recipient_account_fields: Vec<FieldSet>,
    pub(crate) transfer_fields: Vec<FieldSet>,
}

impl FieldSets {
    pub(crate) fn of(&self, subject: Subject) -> &[FieldSet] {
        match subject {
            Subject::Sender => &self.sender_fields,
            Subject::Recipient => &self.recipient_fields,
            Subject::Account => &self.recipient_account_fields,
            Subject::Transfer => &self.transfer_fields,
        }
    }
}

/// When an entry applies: where each of the members that are given fits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct When {
    /// Destination countries; NONE stands for a request that names no corridor.
    pub(crate) countries: Vec<String>,
    pub(crate) transfer_methods: Vec<TransferMethod>,
    pub(crate) types: Vec<Kind>,
    /// Whether the destination country has a list of states.
    pub(crate) states: Option<bool>,
}

/// Text in one language, or in several by their codes, the first being the default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected text, or texts by language such as {\"en\": …, \"es\": …}")]
pub(crate) enum Text {
    One(String),
    ByLanguage(IndexMap<String, String>),
}

impl Text {
    pub(crate) fn in_language(&self, language: &str) -> &str {
        match self {
            Self::One(text) => text,
            Self::ByLanguage(texts) => {
                let found = texts.get(language).or_else(|| texts.values().next());
                found.map_or("", String::as_str)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum FieldType {
    #[default]
    Text,
    PhoneNumber,
    Date,
    Dropdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Visibility {
    ShowAndRequired,
    ShowAndOptional,
    HideAndOptional,
    HideAndRequired,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choice {
    pub(crate) id: String,
    pub(crate) name: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<Text>,
}

pub(crate) fn choice(id: &str, name: &str) -> Choice {
    Choice { id: id.to_owned(), name: Text::One(name.to_owned()), description: None }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a list of {id, name}, names by id such as {\"CHECKING\": \"Checking account\"}, or \
                 \"COUNTRIES\""
)]
pub(crate) enum Options {
    List(Vec<Choice>),
    Names(IndexMap<String, Text>),
    /// The destination country, or all countries where there is none.
    Countries(AllCountries),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AllCountries {
    Countries,
}

impl Default for Options {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Options {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::List(choices) => choices.is_empty(),
            Self::Names(names) => names.is_empty(),
            Self::Countries(_) => false,
        }
    }

    pub(crate) fn ids(&self) -> Vec<&str> {
        match self {
            Self::List(choices) => choices.iter().map(|choice| choice.id.as_str()).collect(),
            Self::Names(names) => names.keys().map(String::as_str).collect(),
            Self::Countries(_) => Vec::new(),
        }
    }
}

/// Whether a field is required: always, or where the conditions hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected true, false, or when, such as {\"countries\": [\"MEX\"]}")]
pub(crate) enum Required {
    Always(bool),
    When(When),
}

impl Default for Required {
    fn default() -> Self {
        Self::Always(false)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Comparison {
    EqualTo,
    NotEqualTo,
    GreaterThan,
    LessThan,
}

/// Makes a field required when the value of another one compares so with any of these values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Condition {
    pub(crate) comparison_operator: Comparison,
    pub(crate) comparison_values: Vec<String>,
    pub(crate) field_id: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Dependencies {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) is_required: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Field {
    #[serde(skip_serializing, default)]
    pub(crate) when: When,
    #[serde(default)]
    pub(crate) field_type: FieldType,
    pub(crate) field_id: String,
    pub(crate) name: Text,
    /// The name by default.
    pub(crate) label: Option<Text>,
    #[serde(default)]
    pub(crate) is_required: Required,
    /// Shown by default.
    pub(crate) visibility: Option<Visibility>,
    /// The name by default.
    pub(crate) placeholder_text: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint_text: Option<Text>,
    /// A pattern, or the name of one of the world's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) regex: Option<String>,
    /// In UTF-16 units, as a browser counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_length: Option<usize>,
    /// An inclusive bound: a day, `today`, or years from it such as `today-18y`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_value: Option<String>,
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub(crate) options: Options,
    /// The path of the options; `{FIELD_ID}` stands for that field's value, `{country}` for the destination.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) options_source: Option<String>,
    #[serde(default)]
    pub(crate) sort_order: usize,
    #[serde(default)]
    pub(crate) dependencies: Dependencies,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FieldSet {
    #[serde(skip_serializing, default)]
    pub(crate) when: When,
    pub(crate) field_set_id: String,
    pub(crate) field_set_name: Text,
    pub(crate) fields: Vec<Field>,
}

/// Returns the years of a bound such as `today-18y`.
pub(crate) fn years_from_today(bound: &str) -> Option<i16> {
    match bound.strip_prefix("today")? {
        "" => Some(0),
        years => years.strip_suffix('y')?.parse().ok(),
    }
}
