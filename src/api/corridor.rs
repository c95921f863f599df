//! Where money can go (interface, parts 2 and 4: Corridor).

use super::OneOrMany;
use super::currency::{Country, CountryCode, Currency, CurrencyCode};
use super::json::{Codec, Shape};
use super::operation::{Input, Method, Operation, ReplyKind, Sending};
use super::record::{open_enum, record};

open_enum! {
    /// How the money is paid out (interface, part 2: Transfer method).
    TransferMethod ("a transfer method such as BANK_ACCOUNT or PUSH_TO_CARD") {
        /// To a bank account.
        BankAccount = "BANK_ACCOUNT",
        /// To a card, whose number is entered in the hosted card form alone.
        PushToCard = "PUSH_TO_CARD",
        /// In cash, at a counter.
        CashPickup = "CASH_PICKUP",
        /// To a mobile wallet.
        MobileWallet = "MOBILE_WALLET",
        /// To the sender's own account; on quotes only.
        AccountFunding = "ACCOUNT_FUNDING",
    }
}

record! {
    /// A way for money to go that is enabled.
    Corridor {
        /// The country it leads to.
        required destination_country "destinationCountry": Country,
        /// The currencies that can be paid in.
        required source_currency "sourceCurrency": OneOrMany<Currency>,
        /// The currencies that can be paid out.
        required destination_currency "destinationCurrency": OneOrMany<Currency>,
        /// How the money is paid out.
        required transfer_method "transferMethod": TransferMethod,
    }
}

record! {
    /// Which corridors to keep. The interface knows no such parameters, so the list is narrowed after it has
    /// come.
    CorridorFilter {
        /// The country it leads to.
        optional dst_country "dstCountryIso3Code": CountryCode,
        /// A currency that can be paid out.
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// A currency that can be paid in.
        optional src_currency "srcCurrencyIso3Code": CurrencyCode,
        /// How the money is paid out.
        optional transfer_method "transferMethod": TransferMethod,
    }
}

impl CorridorFilter {
    /// Whether the corridor is one to keep.
    #[must_use]
    pub fn keeps(&self, corridor: &Corridor) -> bool {
        let has = |wanted: &Option<CurrencyCode>, offered: &OneOrMany<Currency>| {
            wanted.as_ref().is_none_or(|code| offered.0.iter().any(|currency| currency.iso3_code == *code))
        };
        self.dst_country.as_ref().is_none_or(|code| corridor.destination_country.iso3_code == *code)
            && has(&self.dst_currency, &corridor.destination_currency)
            && has(&self.src_currency, &corridor.source_currency)
            && self.transfer_method.as_ref().is_none_or(|method| corridor.transfer_method == *method)
    }
}

/// `GET /v1/corridors`.
pub static CORRIDORS: Operation = Operation {
    name: "corridors",
    method: Method::Get,
    path: "/v1/corridors",
    input: Input::None,
    reply: ReplyKind::Json(&Shape::Wrapped("corridors", Corridor::SHAPE)),
    sending: Sending::Read,
    localized: false,
    preceded_by: None,
};
