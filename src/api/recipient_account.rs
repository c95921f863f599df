//! Where a recipient gets the money: a bank account, a card, a wallet
//! (interface, part 4: Recipient accounts).

use super::currency::{CountryCode, CurrencyCode};
use super::fields::{FieldValue, RECIPIENT_ACCOUNT_FIELDS, RecordField};
use super::json::{Codec, Shape};
use super::operation::{Operation, Sending, operations};
use super::record::record;
use super::{Destination, RecipientAccountId, StringOrNumber, TransferMethod};

record! {
    /// An account to create or replace. The corridor decides which fields are required; without it the fields
    /// are checked against the form of account fields that was fetched last, if any. Country and currency
    /// codes are three uppercase letters.
    #[derive(Default)]
    private RecipientAccountRequest {
        optional dst_country "dstCountryIso3Code": CountryCode,
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// `BANK_ACCOUNT` by default.
        optional transfer_method "transferMethod": TransferMethod,
        /// The account number, if the transfer method has one. Never a card number.
        optional account_number "accountNumber": String = with_account_number,
        /// The dynamic fields; a card is `{ id: "CARD_ID", value: cardId }`.
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
    /// Where a recipient gets the money: a bank account, a card, a wallet.
    private RecipientAccount {
        required recipient_account_id "recipientAccountId": RecipientAccountId,
        optional dst_country "dstCountryIso3Code": CountryCode,
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        optional transfer_method "transferMethod": TransferMethod,
        /// May be masked.
        optional account_number "accountNumber": StringOrNumber,
        /// ISO 8601.
        optional created_at "createdAt": String,
        optional fields "fields": Vec<RecordField>,
    }
}

operations!(
    CREATE_RECIPIENT_ACCOUNT = Operation::post(
        "createRecipientAccount",
        "/v1/recipients/{recipientId}/accounts",
        Sending::CreateOnce
    )
    .with_body(RecipientAccountRequest::SHAPE)
    .with_reply(RecipientAccount::SHAPE)
    .after(&RECIPIENT_ACCOUNT_FIELDS),
    REPLACE_RECIPIENT_ACCOUNT =
        Operation::put("replaceRecipientAccount", "/v1/recipients/{recipientId}/accounts/{accId}")
            .with_body(RecipientAccountRequest::SHAPE)
            .with_reply(RecipientAccount::SHAPE)
            .after(&RECIPIENT_ACCOUNT_FIELDS),
    GET_RECIPIENT_ACCOUNT = Operation::get(
        "getRecipientAccount",
        "/v1/recipients/{recipientId}/accounts/{accId}",
        RecipientAccount::SHAPE,
    ),
    DELETE_RECIPIENT_ACCOUNT =
        Operation::delete("deleteRecipientAccount", "/v1/recipients/{recipientId}/accounts/{accId}"),
    LIST_RECIPIENT_ACCOUNTS = Operation::get(
        "recipientAccounts",
        "/v1/recipients/{recipientId}/accounts",
        &Shape::Wrapped("accounts", RecipientAccount::SHAPE),
    ),
);
