//! Where money can go (interface, parts 2 and 4: Corridor, Transfer method).

use super::OneOrMany;
use super::currency::{Country, CountryCode, Currency, CurrencyCode};
use super::json::{Codec, Shape};
use super::operation::{Operation, operations};
use super::record::{open_enum, record};

open_enum! {
    /// How the money is paid out.
    TransferMethod ("a transfer method such as BANK_ACCOUNT or PUSH_TO_CARD") {
        BankAccount = "BANK_ACCOUNT",
        /// To a card, whose number the customer enters only in the hosted card form.
        PushToCard = "PUSH_TO_CARD",
        /// In cash, at a counter.
        CashPickup = "CASH_PICKUP",
        MobileWallet = "MOBILE_WALLET",
        /// To the sender's own account; on quotes only.
        AccountFunding = "ACCOUNT_FUNDING",
    }
}

record! {
    /// An enabled route for money: a country, currencies and a transfer method.
    Corridor {
        required destination_country "destinationCountry": Country,
        /// The currencies that the sender can pay in.
        required source_currency "sourceCurrency": OneOrMany<Currency>,
        /// The currencies that the recipient can get.
        required destination_currency "destinationCurrency": OneOrMany<Currency>,
        required transfer_method "transferMethod": TransferMethod,
    }
}

record! {
    /// Which corridors to list. The client filters the reply, because the interface has no such parameters.
    #[derive(Default)]
    CorridorFilter {
        optional dst_country "dstCountryIso3Code": CountryCode = with_dst_country,
        optional dst_currency "dstCurrencyIso3Code": CurrencyCode = with_dst_currency,
        optional src_currency "srcCurrencyIso3Code": CurrencyCode = with_src_currency,
        optional transfer_method "transferMethod": TransferMethod = with_transfer_method,
    }
}

impl CorridorFilter {
    /// Returns whether the corridor passes the filter.
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

operations!(
    CORRIDORS = Operation::get("corridors", "/v1/corridors", &Shape::Wrapped("corridors", Corridor::SHAPE)),
);
