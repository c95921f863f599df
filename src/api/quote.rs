//! The price of a transfer (interface, part 4: Quote).

use super::currency::{Country, CountryCode, CurrencyCode};
use super::json::{Codec, JsonRef};
use super::money::{Amount, MinorUnits};
use super::operation::{Input, Method, Operation, ReplyKind, Sending};
use super::record::{open_enum, record};
use super::{
    CorridorFieldsQuery, Decimal, Json, PartyType, QuoteChange, RecipientAccountId, StringOrNumber,
    TransferFieldsQuery, TransferMethod, Uuid,
};

open_enum! {
    /// Which side of the quote the amount fixes (interface, part 2: quoteBy).
    QuoteBy ("a way to quote such as SEND_AMOUNT or RECEIVE_AMOUNT") {
        /// The amount is what the sender pays in.
        SendAmount = "SEND_AMOUNT",
        /// The amount is what the recipient gets.
        ReceiveAmount = "RECEIVE_AMOUNT",
    }
}

record! {
    /// What to quote.
    QuoteRequest {
        /// How the money is paid out.
        required transfer_method "transferMethod": TransferMethod,
        /// Which side the amount fixes.
        required quote_by "quoteBy": QuoteBy,
        /// Where the money goes.
        required dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the sender pays in.
        required src_currency "srcCurrencyIso3Code": CurrencyCode,
        /// The currency that the recipient gets.
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// Minor units of the currency on the side that `quote_by` fixes.
        required amount "amount": MinorUnits,
        /// The account that the money goes to; with it a quote for PUSH_TO_CARD is most accurate.
        optional recipient_account_id "recipientAccountId": RecipientAccountId,
    }
}

impl QuoteRequest {
    /// The query for the fields of a recipient or an account on this route.
    #[must_use]
    pub fn recipient_fields(&self, recipient_type: PartyType) -> CorridorFieldsQuery {
        CorridorFieldsQuery {
            dst_country: self.dst_country.clone(),
            dst_currency: self.dst_currency.clone(),
            transfer_method: self.transfer_method.clone(),
            recipient_type,
        }
    }

    /// The query for the fields of a transfer on this route.
    #[must_use]
    pub fn transfer_fields(&self) -> TransferFieldsQuery {
        TransferFieldsQuery {
            dst_country: self.dst_country.clone(),
            dst_currency: self.dst_currency.clone(),
            transfer_method: self.transfer_method.clone(),
        }
    }
}

record! {
    /// A part of the price, such as a fee or a rebate.
    Adjustment {
        /// Names the part.
        optional id "id": StringOrNumber,
        /// The part in words.
        optional label "label": String,
        /// How much; negative if it is in the sender's favour.
        optional amount "amount": Amount,
    }
}

record! {
    /// How long delivery takes.
    DeliverySla {
        /// Names the promise.
        optional id "id": StringOrNumber,
        /// The promise in words.
        optional name "name": String,
    }
}

record! {
    /// A price. It backs one transfer at most.
    Quote {
        /// What the sender pays in, without fees.
        required send_amount "sendAmount": Amount,
        /// Names the quote in a transfer.
        required quote_history_id "quoteHistoryId": Uuid,
        /// What the recipient gets.
        optional receive_amount "receiveAmount": Amount,
        /// How much of the receiving currency one unit of the sending currency is.
        optional rate "rate": Decimal,
        /// Fees and rebates.
        optional adjustments "adjustments": Vec<Adjustment>,
        /// What the sender pays in all.
        optional total_cost "totalCost": Amount,
        /// How long delivery takes.
        optional delivery_sla "deliverySLA": DeliverySla,
        /// Texts that the customer must be shown.
        optional disclosures "disclosures": Json,
        /// How the money is paid out.
        optional transfer_method "transferMethod": TransferMethod,
        /// Where the money goes.
        optional destination_country "destinationCountry": Country,
        /// The sender it was made for.
        optional sender_id "senderId": StringOrNumber,
        /// The client it was made for.
        optional customer_id "customerId": StringOrNumber,
        /// When it can no longer be used, where the service says so.
        optional expiration_date "expirationDate": String,
    }
}

impl QuoteChange {
    /// The quote to show to the customer now.
    #[must_use]
    pub fn quote(&self) -> Option<Quote> {
        Quote::read(JsonRef::new(&self.fresh))
    }

    /// The quote that the customer has seen.
    #[must_use]
    pub fn previous_quote(&self) -> Option<Quote> {
        Quote::read(JsonRef::new(self.previous.as_deref()?))
    }
}

/// `GET /v1/quote`.
pub static QUOTE: Operation = Operation {
    name: "quote",
    method: Method::Get,
    path: "/v1/quote",
    input: Input::Query(QuoteRequest::SHAPE),
    reply: ReplyKind::Json(Quote::SHAPE),
    sending: Sending::Read,
    localized: true,
    preceded_by: None,
};

/// `GET /v1/quote/{quoteHistoryId}`.
pub static GET_QUOTE: Operation =
    Operation { name: "getQuote", path: "/v1/quote/{quoteHistoryId}", input: Input::None, ..QUOTE };
