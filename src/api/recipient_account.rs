//! Where a recipient gets the money: a bank account, a card, a wallet
//! (interface, part 4: Recipient accounts).

use super::currency::{CountryCode, CurrencyCode};
use super::fields::{FieldValue, RECIPIENT_ACCOUNT_FIELDS, RecordField};
use super::json::{Codec, Shape};
use super::operation::{Operation, Preceding, Sending};
use super::record::record;
use super::{Destination, RecipientAccountId, StringOrNumber, TransferMethod};

record! {
    /// An account to create or replace. The service requires no member by itself (interface, part 4).
    #[derive(Default)]
    private RecipientAccountRequest {
        optional dst_country "dstCountryIso3Code": CountryCode,
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        optional transfer_method "transferMethod": TransferMethod,
        /// The number of the account, if the transfer method has one. Never a card number.
        optional account_number "accountNumber": String = with_account_number,
        /// The dynamic fields; a card is the field `CARD_ID` with the id from the card session.
        optional fields "fields": Vec<FieldValue> = with_fields,
    }
}

impl RecipientAccountRequest {
    /// Creates the request for an account on a corridor.
    pub fn new(destination: Destination) -> Self {
        RecipientAccountRequest {
            dst_country: Some(destination.country),
            dst_currency: Some(destination.currency),
            transfer_method: Some(destination.transfer_method),
            ..Self::default()
        }
    }
}

record! {
    /// A recipient's account.
    private RecipientAccount {
        required recipient_account_id "recipientAccountId": RecipientAccountId,
        optional dst_country "dstCountryIso3Code": CountryCode,
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        optional transfer_method "transferMethod": TransferMethod,
        /// The number, perhaps masked.
        optional account_number "accountNumber": StringOrNumber,
        /// ISO 8601.
        optional created_at "createdAt": String,
        optional fields "fields": Vec<RecordField>,
    }
}

const FIELDS_FIRST: Preceding = Preceding {
    operation: &RECIPIENT_ACCOUNT_FIELDS,
    query: &[
        ("dstCountryIso3Code", "dstCountryIso3Code"),
        ("dstCurrencyIso3Code", "dstCurrencyIso3Code"),
        ("transferMethod", "transferMethod"),
        // The body does not say what the recipient is; the interface defaults to a person.
        ("recipientType", ""),
    ],
};

/// `POST /v1/recipients/{recipientId}/accounts`.
#[doc(hidden)]
pub static CREATE_RECIPIENT_ACCOUNT: Operation =
    Operation::post("createRecipientAccount", "/v1/recipients/{recipientId}/accounts", Sending::CreateOnce)
        .with_body(RecipientAccountRequest::SHAPE)
        .with_reply(RecipientAccount::SHAPE)
        .after(FIELDS_FIRST);

/// `PUT /v1/recipients/{recipientId}/accounts/{accId}`: replaces the whole record.
#[doc(hidden)]
pub static REPLACE_RECIPIENT_ACCOUNT: Operation =
    Operation::put("replaceRecipientAccount", "/v1/recipients/{recipientId}/accounts/{accId}")
        .with_body(RecipientAccountRequest::SHAPE)
        .with_reply(RecipientAccount::SHAPE)
        .after(FIELDS_FIRST);

/// `GET /v1/recipients/{recipientId}/accounts/{accId}`.
#[doc(hidden)]
pub static GET_RECIPIENT_ACCOUNT: Operation = Operation::get(
    "getRecipientAccount",
    "/v1/recipients/{recipientId}/accounts/{accId}",
    RecipientAccount::SHAPE,
);

/// `DELETE /v1/recipients/{recipientId}/accounts/{accId}`.
#[doc(hidden)]
pub static DELETE_RECIPIENT_ACCOUNT: Operation =
    Operation::delete("deleteRecipientAccount", "/v1/recipients/{recipientId}/accounts/{accId}");

/// `GET /v1/recipients/{recipientId}/accounts`.
#[doc(hidden)]
pub static LIST_RECIPIENT_ACCOUNTS: Operation = Operation::get(
    "recipientAccounts",
    "/v1/recipients/{recipientId}/accounts",
    &Shape::Wrapped("accounts", RecipientAccount::SHAPE),
);
