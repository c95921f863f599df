//! Where money can go (interface, parts 2 and 4: Corridor, Transfer method).

use super::OneOrMany;
use super::currency::{Country, CountryCode, Currency, CurrencyCode};
use super::json::{Codec, JsonRef, Shape};
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

/// The members of a filter, each with the corridor's member that has such codes.
const FILTERED: [(&str, &str); 4] = [
    ("dstCountryIso3Code", "destinationCountry"),
    ("dstCurrencyIso3Code", "destinationCurrency"),
    ("srcCurrencyIso3Code", "sourceCurrency"),
    ("transferMethod", "transferMethod"),
];

impl CorridorFilter {
    /// Returns whether the corridor passes the filter.
    pub fn keeps(&self, corridor: &Corridor) -> bool {
        Self::keeps_json(JsonRef::new(&self.to_json()), JsonRef::new(&corridor.to_json()))
    }

    /// The same for the texts of an object that has the filter's members, maybe among others, and of a corridor,
    /// which stays as the service wrote it.
    pub(crate) fn keeps_json(filter: JsonRef<'_>, corridor: JsonRef<'_>) -> bool {
        FILTERED.iter().all(|(name, place)| {
            let Some(wanted) = filter.text_of(name) else { return true };
            let is_wanted =
                |one: JsonRef<'_>| one.text_of("iso3Code").or_else(|| one.text()) == Some(wanted.clone());
            corridor.member(place).is_some_and(|found| is_wanted(found) || found.items().any(is_wanted))
        })
    }
}

operations!(
    CORRIDORS = Operation::get("corridors", "/v1/corridors", &Shape::Wrapped("corridors", Corridor::SHAPE))
        .with_filter(CorridorFilter::SHAPE, CorridorFilter::keeps_json),
);
