//! Where a recipient gets the money: a bank account, a card, a wallet
//! (interface, part 4: Recipient accounts).

use super::currency::{CountryCode, CurrencyCode};
use super::fields::{FieldValue, RecordField};
use super::json::{Codec, Shape};
use super::operation::{Input, Method, Operation, Preceding, ReplyKind, Sending};
use super::record::record;
use super::{RecipientAccountId, StringOrNumber, TransferMethod, fields};

record! {
    /// An account to create or replace. The service requires nothing of it by itself (interface, part 4).
    #[derive(Default)]
    private RecipientAccountRequest {
        /// Where the money goes.
        optional dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the recipient gets.
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// How the money is paid out.
        optional transfer_method "transferMethod": TransferMethod,
        /// The number of the account, where the transfer method has one. Never a card's.
        optional account_number "accountNumber": String,
        /// The dynamic fields; a card is `CARD_ID` with the id from the card session.
        optional fields "fields": Vec<FieldValue>,
    }
}

record! {
    /// A recipient's account.
    private RecipientAccount {
        /// Its id.
        required recipient_account_id "recipientAccountId": RecipientAccountId,
        /// Where the money goes.
        optional dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the recipient gets.
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// How the money is paid out.
        optional transfer_method "transferMethod": TransferMethod,
        /// The number, perhaps masked.
        optional account_number "accountNumber": StringOrNumber,
        /// When it was created, ISO 8601.
        optional created_at "createdAt": String,
        /// The dynamic fields.
        optional fields "fields": Vec<RecordField>,
    }
}

/// `POST /v1/recipients/{recipientId}/accounts`.
pub static CREATE_RECIPIENT_ACCOUNT: Operation = Operation {
    name: "createRecipientAccount",
    method: Method::Post,
    path: "/v1/recipients/{recipientId}/accounts",
    input: Input::Body(RecipientAccountRequest::SHAPE),
    reply: ReplyKind::Json(RecipientAccount::SHAPE),
    sending: Sending::CreateOnce,
    localized: false,
    preceded_by: Some(Preceding {
        operation: &fields::RECIPIENT_ACCOUNT_FIELDS,
        query: &[
            ("dstCountryIso3Code", "dstCountryIso3Code"),
            ("dstCurrencyIso3Code", "dstCurrencyIso3Code"),
            ("transferMethod", "transferMethod"),
            // The body does not say whether the recipient is a person; the interface's default is.
            ("recipientType", ""),
        ],
    }),
};

/// `PUT /v1/recipients/{recipientId}/accounts/{accId}`: the whole record is replaced.
pub static REPLACE_RECIPIENT_ACCOUNT: Operation = Operation {
    name: "replaceRecipientAccount",
    method: Method::Put,
    path: "/v1/recipients/{recipientId}/accounts/{accId}",
    sending: Sending::Replace,
    ..CREATE_RECIPIENT_ACCOUNT
};

/// `GET /v1/recipients/{recipientId}/accounts/{accId}`.
pub static GET_RECIPIENT_ACCOUNT: Operation = Operation {
    name: "getRecipientAccount",
    method: Method::Get,
    input: Input::None,
    sending: Sending::Read,
    preceded_by: None,
    ..REPLACE_RECIPIENT_ACCOUNT
};

/// `DELETE /v1/recipients/{recipientId}/accounts/{accId}`.
pub static DELETE_RECIPIENT_ACCOUNT: Operation = Operation {
    name: "deleteRecipientAccount",
    method: Method::Delete,
    reply: ReplyKind::Nothing,
    sending: Sending::Replace,
    ..GET_RECIPIENT_ACCOUNT
};

/// `GET /v1/recipients/{recipientId}/accounts`.
pub static LIST_RECIPIENT_ACCOUNTS: Operation = Operation {
    name: "recipientAccounts",
    path: "/v1/recipients/{recipientId}/accounts",
    reply: ReplyKind::Json(&Shape::Wrapped("accounts", RecipientAccount::SHAPE)),
    ..GET_RECIPIENT_ACCOUNT
};
