//! The price of a transfer (interface, parts 2 and 4: quoteBy, Quote).

use super::currency::{Country, CountryCode, CurrencyCode};
use super::json::{Codec, JsonRef};
use super::money::{Amount, MinorUnits};
use super::operation::{Operation, operations};
use super::record::{open_enum, record};
use super::{
    CorridorFieldsQuery, Decimal, Destination, Json, PartyType, QuoteChange, QuoteId, RecipientAccountId,
    SenderId, StringOrNumber, TransferFieldsQuery, TransferMethod,
};

open_enum! {
    /// Which side of the quote the amount fixes: what is paid in, or what is paid out.
    QuoteBy ("a way to quote such as SEND_AMOUNT or RECEIVE_AMOUNT") {
        /// The amount is what the sender pays in.
        SendAmount = "SEND_AMOUNT",
        /// The amount is what the recipient gets.
        ReceiveAmount = "RECEIVE_AMOUNT",
    }
}

record! {
    /// What to quote. Country and currency codes are three uppercase letters.
    QuoteRequest {
        required transfer_method "transferMethod": TransferMethod,
        required quote_by "quoteBy": QuoteBy = with_quote_by,
        required dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the sender pays in.
        required src_currency "srcCurrencyIso3Code": CurrencyCode,
        /// The currency that the recipient gets.
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// Minor units of the currency on the side that `quoteBy` fixes, at least 0.
        required amount "amount": MinorUnits,
        /// The recipient's account; makes a quote for PUSH_TO_CARD most accurate.
        optional recipient_account_id "recipientAccountId": RecipientAccountId = with_recipient_account_id,
    }
}

impl QuoteRequest {
    /// Creates the request for an amount that the sender pays in, in minor units of the source currency.
    pub fn new(destination: Destination, src_currency: CurrencyCode, amount: MinorUnits) -> Self {
        QuoteRequest {
            transfer_method: destination.transfer_method,
            quote_by: QuoteBy::SendAmount,
            dst_country: destination.country,
            src_currency,
            dst_currency: destination.currency,
            amount,
            recipient_account_id: None,
        }
    }

    /// Returns where the money goes.
    pub fn destination(&self) -> Destination {
        Destination {
            country: self.dst_country.clone(),
            currency: self.dst_currency.clone(),
            transfer_method: self.transfer_method.clone(),
        }
    }

    /// Creates the query for the fields of a recipient or an account on this route.
    pub fn recipient_fields(&self, recipient_type: PartyType) -> CorridorFieldsQuery {
        CorridorFieldsQuery::new(self.destination(), recipient_type)
    }

    /// Creates the query for the fields of a transfer on this route.
    pub fn transfer_fields(&self) -> TransferFieldsQuery {
        TransferFieldsQuery::new(self.destination())
    }
}

record! {
    /// A part of the price, such as a fee or a rebate.
    Adjustment {
        optional id "id": StringOrNumber,
        optional label "label": String,
        /// Negative if it is in the sender's favor.
        optional amount "amount": Amount,
    }
}

record! {
    /// How long delivery takes.
    DeliverySla {
        optional id "id": StringOrNumber,
        optional name "name": String,
    }
}

record! {
    /// A price, for one transfer at most.
    Quote {
        /// What the sender pays in, without fees.
        required send_amount "sendAmount": Amount,
        /// Identifies the quote in a transfer.
        required quote_history_id "quoteHistoryId": QuoteId,
        /// What the recipient gets.
        optional receive_amount "receiveAmount": Amount,
        /// How much of the receiving currency one unit of the other buys. For display, not for calculation.
        optional rate "rate": Decimal,
        /// Fees and rebates.
        optional adjustments "adjustments": Vec<Adjustment>,
        /// What the sender pays in total.
        optional total_cost "totalCost": Amount,
        /// How long delivery takes.
        optional delivery_sla "deliverySLA": DeliverySla,
        /// Legal texts to show before the customer pays. The interface does not define their shape.
        optional disclosures "disclosures": Json,
        optional transfer_method "transferMethod": TransferMethod,
        optional destination_country "destinationCountry": Country,
        /// The sender that the quote is for.
        optional sender_id "senderId" as StringOrNumber: SenderId,
        /// The client that the quote is for.
        optional customer_id "customerId": StringOrNumber,
        /// When it expires, ISO 8601, if the service says so.
        optional expiration_date "expirationDate": String,
    } unread ["destinationCountryISO3Code", "destinationCurrencyISO3Code", "sourceCurrencyIso3Code"]
}

impl QuoteChange {
    /// Returns the quote to show to the customer now.
    pub fn quote(&self) -> Option<Quote> {
        Quote::read(JsonRef::new(&self.fresh))
    }

    /// Returns the quote that the customer has seen, if still known.
    pub fn previous_quote(&self) -> Option<Quote> {
        Quote::read(JsonRef::new(self.previous.as_deref()?))
    }
}

operations!(
    QUOTE = Operation {
        localized: true,
        ..Operation::get("quote", "/v1/quote", Quote::SHAPE).with_query(QuoteRequest::SHAPE)
    },
    GET_QUOTE = Operation {
        localized: true,
        ..Operation::get("getQuote", "/v1/quote/{quoteHistoryId}", Quote::SHAPE)
    },
);
