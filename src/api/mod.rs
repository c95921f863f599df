//! The service's interface: one file per resource, with its types, rules and requests. Pure.
//!
//! An endpoint is an `Operation`, which is data; a call becomes a [`Request`], which is a value. Only this
//! layer contains wire names.

mod address;
mod card_session;
mod check_digits;
mod code;
mod corridor;
mod currency;
mod date;
mod destination;
mod error;
mod error_body;
mod field_form;
mod field_problem;
mod field_rule;
mod field_text;
mod fields;
mod id;
#[doc(hidden)]
pub mod json;
mod kind;
mod money;
mod numerals;
pub(crate) mod opaque;
mod operation;
pub(crate) mod option_name;
mod party;
mod phone;
mod policy;
mod quote;
mod quote_change;
mod raw_request;
mod recipient;
mod recipient_account;
pub(crate) mod record;
mod related_members;
mod request;
mod secret;
mod sender;
mod string_or_number;
mod token;
mod transfer;
mod transfer_request;
mod typed_text;

pub use self::{
    card_session::*, corridor::*, fields::*, quote::*, recipient::*, recipient_account::*, sender::*,
    transfer::*, transfer_request::*,
};
pub use address::Address;
pub use code::Code;
pub use currency::{Country, CountryCode, Currency, CurrencyCode};
pub(crate) use date::date_of;
pub use destination::Destination;
pub use error::Error;
pub(crate) use error_body::error_of_reply;
pub use field_form::{FieldForm, OptionsAt};
pub use field_problem::FieldProblem;
pub use field_rule::CARD_ID;
pub use field_text::Matches;
pub use id::{
    Nonce, PaymentId, QuoteId, RecipientAccountId, RecipientId, SenderGroupId, SenderId, SessionId,
    TransferId, TransferRequestId, Uuid, is_uuid,
};
pub use json::JsonRef;
pub use kind::{Kind, Resolution};
pub use money::{Amount, ListedAmount, ListedValue, MinorUnits};
pub use operation::Method;
#[doc(hidden)]
pub use operation::{Input, Operation, ReplyKind, Sending};
pub use party::{LegalForm, Party, PartyType};
pub use phone::calling_code;
pub use policy::ContentSecurityPolicy;
pub use quote_change::QuoteChange;
pub use raw_request::RawRequest;
pub use request::Request;
pub(crate) use request::{check_input, percent_encoded};
#[cfg(feature = "browser")]
pub(crate) use secret::repeats_secrets;
pub(crate) use secret::reveals;
pub use string_or_number::{Decimal, Json, OneOrMany, StringOrNumber};
pub use token::{SenderToken, TokenReply};
