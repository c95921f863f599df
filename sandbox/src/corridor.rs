//! Corridors: the ways money can take (interface, parts 1, 2 and 4).

pub(crate) mod endpoints;
pub(crate) mod request;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::country::{self, Country};
use crate::currency::{self, Currency};

/// How the recipient gets the money.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TransferMethod {
    #[default]
    BankAccount,
    PushToCard,
    CashPickup,
    MobileWallet,
    /// On quotes only.
    AccountFunding,
}

impl TransferMethod {
    pub(crate) fn name(self) -> &'static str {
        self.into()
    }
}

/// Which of the two amounts a quote starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum QuoteBy {
    #[default]
    SendAmount,
    ReceiveAmount,
}

/// One enabled way: a country, a method, and the currencies that it takes and gives.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Corridor {
    pub(crate) country: &'static Country,
    pub(crate) method: TransferMethod,
    pub(crate) sources: Vec<&'static Currency>,
    pub(crate) destinations: Vec<&'static Currency>,
    /// Whether the provider behind this corridor quotes by the received amount.
    pub(crate) receive_supported: bool,
}

/// Country, destination currencies, source currencies, and the initials of the methods:
/// Bank account, Card, Cash pickUp, Mobile wallet. Account funding is enabled nowhere.
const ENABLED: [(&str, &str, &str, &str); 27] = [
    ("MEX", "MXN USD", "USD EUR", "BCUM"),
    ("COL", "COP", "USD EUR", "BCU"),
    ("GTM", "GTQ USD", "USD", "BCU"),
    ("SLV", "USD", "USD", "BCU"),
    ("HND", "HNL", "USD", "BU"),
    ("DOM", "DOP USD", "USD EUR", "BCU"),
    ("PER", "PEN USD", "USD", "BU"),
    ("BRA", "BRL", "USD EUR", "BC"),
    ("CHL", "CLP", "USD", "B"),
    ("PHL", "PHP", "USD EUR JPY KWD", "BCUM"),
    ("IND", "INR", "USD EUR GBP KWD", "BC"),
    ("PAK", "PKR", "USD GBP", "BUM"),
    ("BGD", "BDT", "USD GBP", "BM"),
    ("VNM", "VND", "USD JPY", "BCU"),
    ("JPN", "JPY", "USD EUR", "BC"),
    ("KOR", "KRW", "USD JPY", "B"),
    ("NGA", "NGN USD", "USD GBP", "BU"),
    ("GHA", "GHS", "USD GBP", "BM"),
    ("KEN", "KES", "USD GBP", "BM"),
    ("SEN", "XOF", "USD EUR", "UM"),
    ("KWT", "KWD", "USD EUR", "BC"),
    ("BHR", "BHD", "USD", "B"),
    ("JOR", "JOD", "USD EUR", "BCU"),
    ("TUN", "TND", "EUR USD", "B"),
    ("GBR", "GBP", "USD EUR", "BC"),
    ("ESP", "EUR", "USD GBP", "BC"),
    ("USA", "USD", "USD", "C"),
];

/// Countries whose provider does not quote by the received amount.
const SEND_ONLY: [&str; 2] = ["CHL", "HND"];

static CORRIDORS: LazyLock<Vec<Corridor>> = LazyLock::new(|| {
    let currencies = |codes: &str| codes.split(' ').filter_map(currency::by_iso3).collect::<Vec<_>>();
    let mut corridors = Vec::new();
    for (country, destinations, sources, methods) in ENABLED {
        let Some(country) = country::by_iso3(country) else { continue };
        for method in methods.chars() {
            let method = match method {
                'B' => TransferMethod::BankAccount,
                'C' => TransferMethod::PushToCard,
                'U' => TransferMethod::CashPickup,
                _ => TransferMethod::MobileWallet,
            };
            corridors.push(Corridor {
                country,
                method,
                sources: currencies(sources),
                destinations: currencies(destinations),
                receive_supported: !SEND_ONLY.contains(&country.iso3_code),
            });
        }
    }
    corridors
});

/// What a request means by a corridor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Codes", try_from = "Codes")]
pub(crate) struct Route {
    pub(crate) corridor: &'static Corridor,
    pub(crate) destination: &'static Currency,
}

/// A route as the database has it.
#[derive(Serialize, Deserialize)]
struct Codes {
    country: String,
    currency: String,
    method: TransferMethod,
}

impl From<Route> for Codes {
    fn from(route: Route) -> Self {
        let (country, currency) = (route.country().iso3_code.into(), route.destination.iso3_code.into());
        Self { country, currency, method: route.method() }
    }
}

impl TryFrom<Codes> for Route {
    type Error = &'static str;

    fn try_from(Codes { country, currency, method }: Codes) -> Result<Self, Self::Error> {
        let found = country::by_iso3(&country).zip(currency::by_iso3(&currency));
        found.and_then(|(country, currency)| find(country, currency, method)).ok_or("no such corridor")
    }
}

impl Route {
    pub(crate) fn country(self) -> &'static Country {
        self.corridor.country
    }

    pub(crate) fn method(self) -> TransferMethod {
        self.corridor.method
    }
}

/// Finds the corridor to a country in a currency by a method.
pub(crate) fn find(
    country: &Country,
    destination: &'static Currency,
    method: TransferMethod,
) -> Option<Route> {
    CORRIDORS
        .iter()
        .find(|corridor| {
            corridor.country.iso3_code == country.iso3_code
                && corridor.method == method
                && corridor.destinations.contains(&destination)
        })
        .map(|corridor| Route { corridor, destination })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_table_has_no_misspelt_code() {
        for (country, destinations, sources, methods) in ENABLED {
            assert!(country::by_iso3(country).is_some(), "{country}");
            for code in destinations.split(' ').chain(sources.split(' ')) {
                assert!(currency::by_iso3(code).is_some(), "{code}");
            }
            assert!(methods.chars().all(|method| "BCUM".contains(method)));
        }
    }

    #[test]
    fn twelve_countries_and_every_number_of_places_can_be_reached() {
        let countries: HashSet<_> = CORRIDORS.iter().map(|c| c.country.iso3_code).collect();
        assert!(countries.len() >= 12);
        for method in [TransferMethod::BankAccount, TransferMethod::PushToCard] {
            let places: HashSet<_> = CORRIDORS
                .iter()
                .filter(|corridor| corridor.method == method)
                .flat_map(|corridor| corridor.destinations.iter().map(|c| c.decimal_places))
                .collect();
            assert_eq!(places, HashSet::from([0, 2, 3]));
        }
    }
}
