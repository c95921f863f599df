//! A field definition, as it stands on the wire.

use serde::Serialize;

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

/// A field becomes required when another one compares so with any of these values.
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
    pub(crate) placeholder_text: String,
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
    /// Where the options come from; `{FIELD_ID}` stands for that field's value.
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

/// Numbers the fields as they stand.
pub(crate) fn field_set(
    field_set_id: &'static str,
    field_set_name: &'static str,
    mut fields: Vec<Field>,
) -> FieldSet {
    for (at, field) in fields.iter_mut().enumerate() {
        field.sort_order = at + 1;
    }
    FieldSet { field_set_id, field_set_name, fields }
}

fn field(field_type: FieldType, field_id: &'static str, name: &'static str) -> Field {
    Field {
        field_type,
        field_id,
        name,
        label: name,
        is_required: true,
        placeholder_text: String::from(name),
        ..Field::default()
    }
}

/// A line of text of so many characters (UTF-16 units, as a browser counts them).
pub(crate) fn text(id: &'static str, name: &'static str, (least, most): (usize, usize)) -> Field {
    Field { min_length: Some(least), max_length: Some(most), ..field(FieldType::Text, id, name) }
}

pub(crate) fn phone(id: &'static str, name: &'static str) -> Field {
    let number =
        text(id, name, (7, 15)).pattern("^[0-9]{7,15}$").hint("The number without the country code.");
    Field { field_type: FieldType::PhoneNumber, ..number }
}

pub(crate) fn date(id: &'static str, name: &'static str) -> Field {
    Field { placeholder_text: String::from("YYYY-MM-DD"), ..field(FieldType::Date, id, name) }
}

pub(crate) fn dropdown(id: &'static str, name: &'static str, options: Vec<Choice>) -> Field {
    Field { options, ..field(FieldType::Dropdown, id, name) }
}

/// A choice whose options another endpoint lists.
pub(crate) fn dropdown_from(id: &'static str, name: &'static str, source: String) -> Field {
    Field { options_source: Some(source), ..field(FieldType::Dropdown, id, name) }
}

pub(crate) fn choices(pairs: &[(&str, &str)]) -> Vec<Choice> {
    pairs.iter().map(|(id, name)| choice(id, name)).collect()
}

pub(crate) fn choice(id: &str, name: &str) -> Choice {
    Choice { id: id.to_owned(), name: name.to_owned(), description: None }
}

impl Field {
    pub(crate) fn optional(mut self) -> Self {
        self.is_required = false;
        self.visibility = Visibility::ShowAndOptional;
        self
    }

    pub(crate) fn required_when(self, required: bool) -> Self {
        if required { self } else { self.optional() }
    }

    pub(crate) fn hidden(mut self) -> Self {
        self.visibility = match self.is_required {
            true => Visibility::HideAndRequired,
            false => Visibility::HideAndOptional,
        };
        self
    }

    pub(crate) fn pattern(mut self, regex: &'static str) -> Self {
        self.regex = Some(regex);
        self
    }

    pub(crate) fn hint(mut self, hint: &'static str) -> Self {
        self.hint_text = hint;
        self
    }

    pub(crate) fn between(mut self, low: Option<String>, high: Option<String>) -> Self {
        self.min_value = low;
        self.max_value = high;
        self
    }

    /// Optional, but required when `field_id` compares so with any of `values`.
    pub(crate) fn required_if(
        mut self,
        field_id: &'static str,
        comparison_operator: Comparison,
        values: &[&str],
    ) -> Self {
        self = self.optional();
        self.dependencies.is_required.push(Condition {
            comparison_operator,
            comparison_values: values.iter().map(|&value| value.to_owned()).collect(),
            field_id,
        });
        self
    }
}

/// Names as banks take them: letters of the Latin alphabets, with what stands between them.
pub(crate) const NAME: &str =
    r"^[A-Za-z\u00C0-\u024F\u1E00-\u1EFF][A-Za-z\u00C0-\u024F\u1E00-\u1EFF .'\u2019\-]*$";
/// Printable Latin text.
pub(crate) const LATIN: &str = r"^[\x20-\x7E\u00A0-\u024F\u1E00-\u1EFF\u2019]+$";
pub(crate) const EMAIL: &str = r"^[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,24}$";
