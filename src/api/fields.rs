//! The data that a screen must collect; dynamic, and never cached
//! (interface, parts 2 and 4: Field set, fields endpoints).

use super::currency::{CountryCode, CurrencyCode};
use super::json::{Codec, JsonRef, Shape, write_object};
use super::operation::{Operation, operations};
use super::record::{open_enum, record};
use super::{Destination, Json, PartyType, StringOrNumber, TransferMethod};

open_enum! {
    /// What kind of value a field takes.
    FieldType ("a field type such as TEXT") {
        Text = "TEXT",
        /// `{ number, countryIso3Code, countryPhoneCode }`.
        PhoneNumber = "PHONE_NUMBER",
        /// `YYYY-MM-DD`.
        Date = "DATE",
        /// The id of one of the options.
        Dropdown = "DROPDOWN",
    }
}

open_enum! {
    /// Whether a field is shown, and whether it is required.
    Visibility ("a visibility such as SHOW_AND_REQUIRED") {
        ShowAndRequired = "SHOW_AND_REQUIRED",
        ShowAndOptional = "SHOW_AND_OPTIONAL",
        HideAndOptional = "HIDE_AND_OPTIONAL",
        HideAndRequired = "HIDE_AND_REQUIRED",
    }
}

open_enum! {
    /// How a dependency compares the value of another field.
    Comparison ("a comparison such as EQUAL_TO") {
        /// Equals one of the values.
        EqualTo = "EQUAL_TO",
        /// Differs from all values.
        NotEqualTo = "NOT_EQUAL_TO",
        /// A number above every value.
        GreaterThan = "GREATER_THAN",
        /// A number below every value.
        LessThan = "LESS_THAN",
    }
}

record! {
    /// An option of a dropdown.
    FieldOption {
        /// The value to send.
        required id "id": StringOrNumber,
        /// The text to show.
        optional name "name": String,
    }
}

record! {
    /// A condition on another field.
    FieldDependency {
        required comparison "comparisonOperator": Comparison,
        required values "comparisonValues": Vec<StringOrNumber>,
        /// The other field.
        required field_id "fieldId": String,
    }
}

record! {
    /// The conditions on other fields.
    Dependencies {
        /// The field is required if one of these holds.
        optional is_required "isRequired": Vec<FieldDependency>,
    }
}

record! {
    /// A field to collect.
    FieldDefinition {
        /// Identifies the field in requests.
        required field_id "fieldId": String,
        required field_type "fieldType": FieldType,
        required is_required "isRequired": bool,
        optional name "name": String,
        /// The page itself fills in a field that is hidden and required, such as `CARD_ID`.
        optional visibility "visibility": Visibility,
        /// What to show while the field is empty.
        optional placeholder_text "placeholderText": String,
        /// What to show beside the field.
        optional label "label": String,
        /// What to show below the field.
        optional hint_text "hintText": String,
        /// The position within the set.
        optional sort_order "sortOrder": i64,
        /// A pattern that the value must match. RemitKit reads the notation that engines have in common,
        /// with `\p{L}`, `\A`, `\z`, `(?i)` and named groups, and tries it on values up to `maxLength`, for
        /// some hundredths of a second at most. If that does not decide, or engines read the pattern or the
        /// value in different ways, the service decides.
        optional regex "regex": String,
        optional min_length "minLength": i64,
        optional max_length "maxLength": i64,
        /// The earliest date.
        optional min_value "minValue": StringOrNumber,
        /// The latest date.
        optional max_value "maxValue": StringOrNumber,
        /// The choices of a dropdown.
        optional options "options": Vec<FieldOption>,
        /// Where to fetch the choices, with `{FIELD_ID}` for the values of other fields.
        optional options_source "optionsSource": String,
        optional dependencies "dependencies": Dependencies,
    }
}

record! {
    /// A group of fields.
    FieldSet {
        required id "fieldSetId": String,
        /// The heading.
        optional name "fieldSetName": String,
        required fields "fields": Vec<FieldDefinition>,
    }
}

record! {
    /// The reply of a fields endpoint.
    FieldSets {
        required field_sets "fieldSets": Vec<FieldSet>,
    }
}

record! {
    /// A collected value, as requests carry it.
    private FieldValue {
        /// The id of the field.
        required id "id": String,
        /// Text, or a phone number; a date is `YYYY-MM-DD`, a choice is the id of its option.
        required value "value": Json,
    }
}

/// A phone number.
#[derive(Clone, Copy, Debug)]
pub struct PhoneNumber<'a> {
    /// The digits without calling code.
    pub number: &'a str,
    /// The country, ISO 3166-1 alpha-3.
    pub country: &'a CountryCode,
    /// The calling code, such as `52`, if known.
    pub phone_code: Option<&'a str>,
}

impl FieldValue {
    /// Creates a text value: `YYYY-MM-DD` for a date, the id of the option for a dropdown.
    pub fn new(id: &str, text: &str) -> Self {
        FieldValue { id: id.to_owned(), value: Json::text(text) }
    }

    /// Creates a phone number.
    pub fn phone(id: &str, phone: PhoneNumber<'_>) -> Self {
        FieldValue {
            id: id.to_owned(),
            value: Json::new(write_object(|out| {
                out.text_member("number", phone.number);
                out.text_member("countryIso3Code", phone.country.as_str());
                if let Some(phone_code) = phone.phone_code {
                    out.text_member("countryPhoneCode", phone_code);
                }
            })),
        }
    }

    /// Returns whether the value is `null` or a blank string.
    pub fn is_blank(&self) -> bool {
        is_blank(self.value.view())
    }
}

/// Returns the fields of all sets in a reply of a fields endpoint.
pub(super) fn fields_of(reply: JsonRef<'_>) -> Vec<JsonRef<'_>> {
    let mut fields = Vec::new();
    for set in reply.items_of("fieldSets") {
        fields.extend(set.items_of("fields"));
    }
    fields
}

pub(super) fn is_blank(value: JsonRef<'_>) -> bool {
    value.is_null() || value.text().is_some_and(|text| text.trim().is_empty())
}

record! {
    /// A value as the service's records carry it.
    private RecordField {
        /// The id of the field.
        required id "id": String,
        optional name "name": String,
        optional field_type "type": String,
        optional value "value": Json,
    }
}

record! {
    /// For which corridor to fetch recipient or account fields. Country and currency codes are three
    /// uppercase letters.
    CorridorFieldsQuery {
        required dst_country "dstCountryIso3Code": CountryCode,
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        required transfer_method "transferMethod": TransferMethod,
        required recipient_type "recipientType": PartyType,
    }
}

impl CorridorFieldsQuery {
    /// Creates the query.
    pub fn new(destination: Destination, recipient_type: PartyType) -> Self {
        CorridorFieldsQuery {
            dst_country: destination.country,
            dst_currency: destination.currency,
            transfer_method: destination.transfer_method,
            recipient_type,
        }
    }
}

record! {
    /// For what kind of sender to fetch fields.
    SenderFieldsQuery {
        required sender_type "senderType": PartyType,
    }
}

impl SenderFieldsQuery {
    /// Creates the query.
    pub fn new(sender_type: PartyType) -> Self {
        SenderFieldsQuery { sender_type }
    }
}

record! {
    /// For which corridor to fetch transfer fields. Country and currency codes are three uppercase letters.
    TransferFieldsQuery {
        required dst_country "dstCountryIso3Code": CountryCode,
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        required transfer_method "transferMethod": TransferMethod,
    }
}

impl TransferFieldsQuery {
    /// Creates the query.
    pub fn new(destination: Destination) -> Self {
        TransferFieldsQuery {
            dst_country: destination.country,
            dst_currency: destination.currency,
            transfer_method: destination.transfer_method,
        }
    }
}

operations!(
    RECIPIENT_ACCOUNT_FIELDS =
        Operation::get("recipientAccountFields", "/v1/recipient-account-fields", FieldSets::SHAPE)
            .with_query(CorridorFieldsQuery::SHAPE),
    RECIPIENT_FIELDS = Operation::get("recipientFields", "/v1/recipient-fields", FieldSets::SHAPE)
        .with_query(CorridorFieldsQuery::SHAPE),
    SENDER_FIELDS = Operation::get("senderFields", "/v1/sender-fields", FieldSets::SHAPE)
        .with_query(SenderFieldsQuery::SHAPE),
    TRANSFER_FIELDS = Operation::get("transferFields", "/v1/transfer-fields", FieldSets::SHAPE)
        .with_query(TransferFieldsQuery::SHAPE),
    // The options of a dropdown, at the path that the field's definition names.
    FIELD_OPTIONS = Operation::get("fieldOptions", "", &Shape::Wrapped("options", FieldOption::SHAPE)),
);
