//! Who receives (interface, part 4: Recipient fields).

use super::currency::{CountryCode, CurrencyCode};
use super::fields::{FieldValue, RECIPIENT_FIELDS, RecordField};
use super::json::{Codec, Shape};
use super::operation::{Operation, Sending, operations};
use super::record::record;
use super::{Destination, PartyType, RecipientId, SenderId, TransferMethod};

record! {
    /// A recipient to create or replace. The corridor decides which fields are required; without it the
    /// fields are checked against the form of recipient fields that was fetched last, if any. Country and
    /// currency codes are three uppercase letters.
    #[derive(Default)]
    private RecipientRequest {
        /// A person by default.
        optional user_type "userType": PartyType = with_user_type,
        /// The dynamic fields, as a `FieldForm` makes them of what a customer typed.
        optional fields "fields": Vec<FieldValue> = with_fields,
        optional dst_country "dstCountryIso3Code": CountryCode,
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        optional transfer_method "transferMethod": TransferMethod,
        /// The sender, if the token does not name one.
        optional sender_id "senderId": SenderId = with_sender_id,
    }
}

impl RecipientRequest {
    /// Creates the request for a person or a business.
    pub fn new(user_type: PartyType) -> Self {
        Self::default().with_user_type(user_type)
    }

    /// Sets the corridor, whose fields are required.
    #[must_use]
    pub fn with_destination(self, destination: Destination) -> Self {
        RecipientRequest {
            dst_country: Some(destination.country),
            dst_currency: Some(destination.currency),
            transfer_method: Some(destination.transfer_method),
            ..self
        }
    }
}

record! {
    /// A recipient.
    private Recipient {
        required recipient_id "recipientId": RecipientId,
        optional recipient_type "recipientType": PartyType,
        optional sender_id "senderId": SenderId,
        optional first_name "firstName": String,
        optional last_name "lastName": String,
        optional company_name "companyName": String,
        /// ISO 8601.
        optional created_at "createdAt": String,
        optional fields "fields": Vec<RecordField>,
    }
}

record! {
    /// Which recipients to list.
    #[derive(Default)]
    RecipientFilter {
        /// The sender, if the token does not name one.
        optional sender_id "senderId": SenderId = with_sender_id,
    }
}

operations!(
    CREATE_RECIPIENT = Operation::post("createRecipient", "/v1/recipients", Sending::CreateOnce)
        .with_body(RecipientRequest::SHAPE)
        .with_reply(Recipient::SHAPE)
        .after(&RECIPIENT_FIELDS),
    REPLACE_RECIPIENT = Operation::put("replaceRecipient", "/v1/recipients/{recipientId}")
        .with_body(RecipientRequest::SHAPE)
        .with_reply(Recipient::SHAPE)
        .after(&RECIPIENT_FIELDS),
    GET_RECIPIENT = Operation::get("getRecipient", "/v1/recipients/{recipientId}", Recipient::SHAPE),
    DELETE_RECIPIENT = Operation::delete("deleteRecipient", "/v1/recipients/{recipientId}"),
    LIST_RECIPIENTS =
        Operation::get("recipients", "/v1/recipients", &Shape::Wrapped("recipients", Recipient::SHAPE))
            .with_query(RecipientFilter::SHAPE),
);
