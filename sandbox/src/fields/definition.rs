//! Field definitions as they are on the wire, and how to build them.

use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum Kind {
    #[default]
    Person,
    Business,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum FieldType {
    #[default]
    Text,
    PhoneNumber,
    Date,
    Dropdown,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Visibility {
    #[default]
    ShowAndRequired,
    ShowAndOptional,
    HideAndOptional,
    HideAndRequired,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Choice {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Comparison {
    EqualTo,
    NotEqualTo,
    GreaterThan,
    LessThan,
}

/// Makes a field required when the value of another one compares so with any of these values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Condition {
    pub(crate) comparison_operator: Comparison,
    pub(crate) comparison_values: Vec<String>,
    pub(crate) field_id: &'static str,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dependencies {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) is_required: Vec<Condition>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Field {
    pub(crate) field_type: FieldType,
    pub(crate) field_id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) is_required: bool,
    pub(crate) visibility: Visibility,
    pub(crate) placeholder_text: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) hint_text: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) regex: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_value: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<Choice>,
    /// The address of the options; `{FIELD_ID}` stands for that field's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) options_source: Option<String>,
    pub(crate) sort_order: usize,
    pub(crate) dependencies: Dependencies,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FieldSet {
    pub(crate) field_set_id: &'static str,
    pub(crate) field_set_name: &'static str,
    pub(crate) fields: Vec<Field>,
}

pub(crate) fn field_set(
    field_set_id: &'static str,
    field_set_name: &'static str,
    fields: impl IntoIterator<Item = Field>,
) -> FieldSet {
    let fields = fields.into_iter().enumerate();
    let fields = fields.map(|(at, field)| Field { sort_order: at + 1, ..field }).collect();
    FieldSet { field_set_id, field_set_name, fields }
}

fn field(field_type: FieldType, field_id: &'static str, name: &'static str) -> Field {
    Field {
        field_type,
        field_id,
        name,
        label: name,
        is_required: true,
        placeholder_text: name,
        ..Field::default()
    }
}

/// Lengths are in UTF-16 units, as a browser counts.
pub(crate) fn text(id: &'static str, name: &'static str, (min, max): (usize, usize)) -> Field {
    Field { min_length: Some(min), max_length: Some(max), ..field(FieldType::Text, id, name) }
}

pub(crate) fn phone(id: &'static str, name: &'static str) -> Field {
    let number =
        text(id, name, (7, 15)).pattern("^[0-9]{7,15}$").hint("The number without the country code.");
    Field { field_type: FieldType::PhoneNumber, ..number }
}

/// The bounds are inclusive.
pub(crate) fn date(id: &'static str, name: &'static str, min: String, max: Option<String>) -> Field {
    let date = field(FieldType::Date, id, name);
    Field { placeholder_text: "YYYY-MM-DD", min_value: Some(min), max_value: max, ..date }
}

/// `options` are pairs of identifier and name.
pub(crate) fn dropdown<'a, T: AsRef<str>>(
    id: &'static str,
    name: &'static str,
    options: impl IntoIterator<Item = (T, &'a str)>,
) -> Field {
    let options = options.into_iter().map(|(id, name)| choice(id.as_ref(), name)).collect();
    Field { options, ..field(FieldType::Dropdown, id, name) }
}

/// Splits a list such as `SPOUSE Spouse, PARENT Parent` into pairs of identifier and name.
pub(crate) fn pairs(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.split(", ").filter_map(|option| option.split_once(' '))
}

/// Type and number of an identification, of which the first requires the second.
pub(crate) fn identification(types: &'static str, required: bool) -> [Field; 2] {
    let ids: Vec<&str> = pairs(types).map(|(id, _)| id).collect();
    let number = text("ID_NUMBER", "Identification number", (4, 30)).pattern("^[A-Z0-9]+$");
    [
        dropdown("ID_TYPE", "Type of identification", pairs(types)).required_when(required),
        number.required_if("ID_TYPE", Comparison::EqualTo, &ids),
    ]
}

pub(crate) fn dropdown_from(id: &'static str, name: &'static str, source: String) -> Field {
    Field { options_source: Some(source), ..field(FieldType::Dropdown, id, name) }
}

pub(crate) fn choice(id: &str, name: &str) -> Choice {
    Choice { id: id.to_owned(), name: name.to_owned(), description: None }
}

impl Field {
    pub(crate) fn optional(self) -> Self {
        Self { is_required: false, visibility: Visibility::ShowAndOptional, ..self }
    }

    pub(crate) fn required_when(self, required: bool) -> Self {
        if required { self } else { self.optional() }
    }

    pub(crate) fn hidden(self) -> Self {
        let visibility =
            if self.is_required { Visibility::HideAndRequired } else { Visibility::HideAndOptional };
        Self { visibility, ..self }
    }

    pub(crate) fn pattern(self, regex: &'static str) -> Self {
        Self { regex: Some(regex), ..self }
    }

    pub(crate) fn hint(self, hint_text: &'static str) -> Self {
        Self { hint_text, ..self }
    }

    /// Makes the field optional unless the value of `field_id` compares so with any of `values`.
    pub(crate) fn required_if(
        self,
        field_id: &'static str,
        comparison_operator: Comparison,
        values: &[&str],
    ) -> Self {
        let comparison_values = values.iter().map(|&value| value.to_owned()).collect();
        let condition = Condition { comparison_operator, comparison_values, field_id };
        Self { dependencies: Dependencies { is_required: vec![condition] }, ..self.optional() }
    }
}

/// Names: Latin letters and what may stand between them.
pub(crate) const NAME: &str =
    r"^[A-Za-z\u00C0-\u024F\u1E00-\u1EFF][A-Za-z\u00C0-\u024F\u1E00-\u1EFF .'\u2019\-]*$";
pub(crate) const LATIN: &str = r"^[\x20-\x7E\u00A0-\u024F\u1E00-\u1EFF\u2019]+$";
pub(crate) const EMAIL: &str = r"^[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,24}$";
