//! Who receives (interface, part 4: Recipient fields).

use super::currency::{CountryCode, CurrencyCode};
use super::fields::{FieldValue, RecordField};
use super::json::{Codec, Shape};
use super::operation::{Input, Method, Operation, Preceding, ReplyKind, Sending};
use super::record::record;
use super::{PartyType, RecipientId, TransferMethod, Uuid, fields};

record! {
    /// A recipient to create or replace. The corridor says which fields are asked for. The service requires
    /// nothing of it by itself (interface, part 4).
    #[derive(Default)]
    private RecipientRequest {
        /// A person or a business.
        optional user_type "userType": PartyType,
        /// The dynamic fields.
        optional fields "fields": Vec<FieldValue>,
        /// Where the money will go.
        optional dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the recipient will get.
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// How the money will be paid out.
        optional transfer_method "transferMethod": TransferMethod,
        /// The sender, where the token does not name one.
        optional sender_id "senderId": Uuid,
    }
}

record! {
    /// A recipient.
    private Recipient {
        /// Its id.
        required recipient_id "recipientId": RecipientId,
        /// A person or a business.
        optional recipient_type "recipientType": PartyType,
        /// The sender it belongs to.
        optional sender_id "senderId": Uuid,
        /// A person's first name.
        optional first_name "firstName": String,
        /// A person's last name.
        optional last_name "lastName": String,
        /// A business's name.
        optional company_name "companyName": String,
        /// When it was created, ISO 8601.
        optional created_at "createdAt": String,
        /// The dynamic fields.
        optional fields "fields": Vec<RecordField>,
    }
}

record! {
    /// Which recipients to list.
    #[derive(Default)]
    RecipientFilter {
        /// The sender, where the token does not name one.
        optional sender_id "senderId": Uuid,
    }
}

const FIELDS_FIRST: Option<Preceding> = Some(Preceding {
    operation: &fields::RECIPIENT_FIELDS,
    query: &[
        ("dstCountryIso3Code", "dstCountryIso3Code"),
        ("dstCurrencyIso3Code", "dstCurrencyIso3Code"),
        ("transferMethod", "transferMethod"),
        ("recipientType", "userType"),
    ],
});

/// `POST /v1/recipients`.
pub static CREATE_RECIPIENT: Operation = Operation {
    name: "createRecipient",
    method: Method::Post,
    path: "/v1/recipients",
    input: Input::Body(RecipientRequest::SHAPE),
    reply: ReplyKind::Json(Recipient::SHAPE),
    sending: Sending::CreateOnce,
    localized: false,
    preceded_by: FIELDS_FIRST,
};

/// `PUT /v1/recipients/{recipientId}`.
pub static REPLACE_RECIPIENT: Operation = Operation {
    name: "replaceRecipient",
    method: Method::Put,
    path: "/v1/recipients/{recipientId}",
    sending: Sending::Replace,
    ..CREATE_RECIPIENT
};

/// `GET /v1/recipients/{recipientId}`.
pub static GET_RECIPIENT: Operation = Operation {
    name: "getRecipient",
    method: Method::Get,
    input: Input::None,
    sending: Sending::Read,
    preceded_by: None,
    ..REPLACE_RECIPIENT
};

/// `DELETE /v1/recipients/{recipientId}`.
pub static DELETE_RECIPIENT: Operation = Operation {
    name: "deleteRecipient",
    method: Method::Delete,
    reply: ReplyKind::Nothing,
    sending: Sending::Replace,
    ..GET_RECIPIENT
};

/// `GET /v1/recipients`.
pub static LIST_RECIPIENTS: Operation = Operation {
    name: "recipients",
    path: "/v1/recipients",
    input: Input::Query(RecipientFilter::SHAPE),
    reply: ReplyKind::Json(&Shape::Wrapped("recipients", Recipient::SHAPE)),
    ..GET_RECIPIENT
};
