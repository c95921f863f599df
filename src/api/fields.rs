//! Which data must be collected: dynamic, and never to be cached
//! (interface, parts 2 and 4: Field set, fields endpoints).

use super::currency::{CountryCode, CurrencyCode};
use super::json::{Codec, JsonRef, Shape, Writer};
use super::operation::{Input, Method, Operation, ReplyKind, Sending};
use super::record::{open_enum, record};
use super::{Json, PartyType, StringOrNumber, TransferMethod};

open_enum! {
    /// What kind of value a field takes.
    FieldType ("a field type such as TEXT") {
        /// Text.
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
    /// Whether a field is shown, and whether it must be filled in.
    Visibility ("a visibility such as SHOW_AND_REQUIRED") {
        /// Shown, must be filled in.
        ShowAndRequired = "SHOW_AND_REQUIRED",
        /// Shown, may stay empty.
        ShowAndOptional = "SHOW_AND_OPTIONAL",
        /// Not shown, may stay empty.
        HideAndOptional = "HIDE_AND_OPTIONAL",
        /// Not shown, yet must be sent: the page itself fills it in, as with `CARD_ID`.
        HideAndRequired = "HIDE_AND_REQUIRED",
    }
}

open_enum! {
    /// How a dependency compares.
    Comparison ("a comparison such as EQUAL_TO") {
        /// The same as one of the values.
        EqualTo = "EQUAL_TO",
        /// Different from all values.
        NotEqualTo = "NOT_EQUAL_TO",
        /// A number above every value.
        GreaterThan = "GREATER_THAN",
        /// A number below every value.
        LessThan = "LESS_THAN",
    }
}

record! {
    /// A choice of a dropdown.
    FieldOption {
        /// The value to send.
        required id "id": StringOrNumber,
        /// What to show.
        optional name "name": String,
    }
}

record! {
    /// A condition on another field.
    Dependency {
        /// How to compare.
        required comparison "comparisonOperator": Comparison,
        /// With what.
        required values "comparisonValues": Vec<StringOrNumber>,
        /// The other field.
        required field_id "fieldId": String,
    }
}

record! {
    /// What depends on other fields.
    Dependencies {
        /// The field must be filled in when one of these holds.
        optional is_required "isRequired": Vec<Dependency>,
    }
}

record! {
    /// A field to collect.
    FieldDefinition {
        /// Names the field in what is sent.
        required field_id "fieldId": String,
        /// What kind of value it takes.
        required field_type "fieldType": FieldType,
        /// Whether it must be filled in.
        required is_required "isRequired": bool,
        /// The name of the field.
        optional name "name": String,
        /// Whether it is shown.
        optional visibility "visibility": Visibility,
        /// What to show while it is empty.
        optional placeholder_text "placeholderText": String,
        /// What to show beside it.
        optional label "label": String,
        /// What to show below it.
        optional hint_text "hintText": String,
        /// Its place among the fields of the set.
        optional sort_order "sortOrder": i64,
        /// A pattern that the whole value must match.
        optional regex "regex": String,
        /// The fewest characters.
        optional min_length "minLength": i64,
        /// The most characters.
        optional max_length "maxLength": i64,
        /// The earliest date.
        optional min_value "minValue": StringOrNumber,
        /// The latest date.
        optional max_value "maxValue": StringOrNumber,
        /// The choices of a dropdown.
        optional options "options": Vec<FieldOption>,
        /// Where the choices are, with `{FIELD_ID}` for the values of other fields.
        optional options_source "optionsSource": String,
        /// What depends on other fields.
        optional dependencies "dependencies": Dependencies,
    }
}

record! {
    /// Fields that belong together.
    FieldSet {
        /// Names the set.
        required id "fieldSetId": String,
        /// Its heading.
        optional name "fieldSetName": String,
        /// Its fields.
        required fields "fields": Vec<FieldDefinition>,
    }
}

record! {
    /// What a fields endpoint answers.
    FieldSets {
        /// The sets.
        required field_sets "fieldSets": Vec<FieldSet>,
    }
}

record! {
    /// A collected value (interface, part 2: Field value).
    private FieldValue {
        /// The field.
        required id "id": String,
        /// Its value: a string, or a phone number as an object.
        required value "value": Json,
    }
}

/// A phone number.
#[derive(Clone, Copy, Debug)]
pub struct PhoneNumber<'a> {
    /// The number without its calling code: digits.
    pub number: &'a str,
    /// The country, ISO 3166-1 alpha-3.
    pub country: &'a CountryCode,
    /// Its calling code, such as `52`, where it is known.
    pub phone_code: Option<&'a str>,
}

impl FieldValue {
    /// A text: of a date `YYYY-MM-DD`, of a dropdown the id of the choice.
    #[must_use]
    pub fn new(id: &str, text: &str) -> Self {
        FieldValue { id: id.to_owned(), value: Json::text(text) }
    }

    /// A phone number.
    #[must_use]
    pub fn phone(id: &str, phone: PhoneNumber<'_>) -> Self {
        let mut out = Writer::default();
        out.object(|out| {
            out.text_member("number", phone.number);
            out.text_member("countryIso3Code", phone.country.as_str());
            if let Some(code) = phone.phone_code {
                out.text_member("countryPhoneCode", code);
            }
        });
        FieldValue { id: id.to_owned(), value: Json::new(out.finish()) }
    }

    /// Whether it is `null`, or a text of blanks alone.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        is_blank(self.value.view())
    }
}

pub(super) fn is_blank(value: JsonRef<'_>) -> bool {
    value.is_null() || value.text().is_some_and(|text| text.trim().is_empty())
}

record! {
    /// A value as records of the service carry it.
    private RecordField {
        /// The field.
        required id "id": String,
        /// Its name.
        optional name "name": String,
        /// Its type.
        optional field_type "type": String,
        /// Its value.
        optional value "value": Json,
    }
}

record! {
    /// Which recipient or account fields are asked for. All four are sent (interface, part 4).
    CorridorFieldsQuery {
        /// Where the money goes.
        required dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the recipient gets.
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// How the money is paid out.
        required transfer_method "transferMethod": TransferMethod,
        /// A person or a business.
        required recipient_type "recipientType": PartyType,
    }
}

record! {
    /// Which sender fields are asked for.
    SenderFieldsQuery {
        /// A person or a business.
        required sender_type "senderType": PartyType,
    }
}

record! {
    /// Which transfer fields are asked for.
    TransferFieldsQuery {
        /// Where the money goes.
        required dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the recipient gets.
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// How the money is paid out.
        required transfer_method "transferMethod": TransferMethod,
    }
}

/// `GET /v1/recipient-account-fields`.
pub static RECIPIENT_ACCOUNT_FIELDS: Operation = Operation {
    name: "recipientAccountFields",
    method: Method::Get,
    path: "/v1/recipient-account-fields",
    input: Input::Query(CorridorFieldsQuery::SHAPE),
    reply: ReplyKind::Json(FieldSets::SHAPE),
    sending: Sending::Read,
    localized: false,
    preceded_by: None,
};

/// `GET /v1/recipient-fields`.
pub static RECIPIENT_FIELDS: Operation =
    Operation { name: "recipientFields", path: "/v1/recipient-fields", ..RECIPIENT_ACCOUNT_FIELDS };

/// `GET /v1/sender-fields`.
pub static SENDER_FIELDS: Operation = Operation {
    name: "senderFields",
    path: "/v1/sender-fields",
    input: Input::Query(SenderFieldsQuery::SHAPE),
    ..RECIPIENT_ACCOUNT_FIELDS
};

/// `GET /v1/transfer-fields`.
pub static TRANSFER_FIELDS: Operation = Operation {
    name: "transferFields",
    path: "/v1/transfer-fields",
    input: Input::Query(TransferFieldsQuery::SHAPE),
    ..RECIPIENT_ACCOUNT_FIELDS
};

/// The choices of a dropdown that depend on others, at the path that its definition names.
pub static FIELD_OPTIONS: Operation = Operation {
    name: "fieldOptions",
    path: "",
    input: Input::None,
    reply: ReplyKind::Json(&Shape::Wrapped("options", FieldOption::SHAPE)),
    ..RECIPIENT_ACCOUNT_FIELDS
};
