//! Corridors: the ways money can take (interface, parts 1, 2 and 4).

use std::sync::{Arc, LazyLock};

use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use crate::access::Caller;
use crate::app::App;
use crate::country::{self, Country};
use crate::currency::{self, Currency};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::input::{Body, Named, Query};
use crate::resource::Resource;

/// How the recipient gets the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TransferMethod {
    BankAccount,
    PushToCard,
    CashPickup,
    MobileWallet,
    /// On quotes only.
    AccountFunding,
}

impl TransferMethod {
    pub(crate) const ALL: [Self; 5] =
        [Self::BankAccount, Self::PushToCard, Self::CashPickup, Self::MobileWallet, Self::AccountFunding];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::BankAccount => "BANK_ACCOUNT",
            Self::PushToCard => "PUSH_TO_CARD",
            Self::CashPickup => "CASH_PICKUP",
            Self::MobileWallet => "MOBILE_WALLET",
            Self::AccountFunding => "ACCOUNT_FUNDING",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == text)
    }
}

/// Which of the two amounts a quote starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum QuoteBy {
    SendAmount,
    ReceiveAmount,
}

impl QuoteBy {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::SendAmount => "SEND_AMOUNT",
            Self::ReceiveAmount => "RECEIVE_AMOUNT",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::SendAmount, Self::ReceiveAmount].into_iter().find(|by| by.name() == text)
    }
}

/// One enabled way: a country, a method, and the currencies that it takes and gives.
#[derive(Debug)]
pub(crate) struct Corridor {
    pub(crate) country: &'static Country,
    pub(crate) method: TransferMethod,
    pub(crate) sources: Vec<&'static Currency>,
    pub(crate) destinations: Vec<&'static Currency>,
    /// Whether the provider behind this corridor quotes by the received amount.
    pub(crate) receive_supported: bool,
}

/// The element of the reply.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CorridorReply<'a> {
    destination_country: CountryReply,
    source_currency: &'a [&'static Currency],
    destination_currency: &'a [&'static Currency],
    transfer_method: TransferMethod,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CountryReply {
    name: &'static str,
    iso3_code: &'static str,
    iso2_code: &'static str,
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    pub(crate) corridor: &'static Corridor,
    pub(crate) destination: &'static Currency,
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

/// Reads the three parameters of the fields endpoints and finds their corridor.
pub(crate) fn from_request<N: Named>(named: &N, problems: Problems) -> Result<Route, ApiError> {
    read(named, problems, N::transfer_method)
}

/// The same in a body, whose transfer method has a default.
pub(crate) fn from_body(body: &Body, problems: Problems) -> Result<Route, ApiError> {
    read(body, problems, Body::transfer_method_or_default)
}

fn read<N: Named>(
    named: &N,
    mut problems: Problems,
    transfer_method: fn(&N, &str, &mut Problems) -> Option<TransferMethod>,
) -> Result<Route, ApiError> {
    let country = named.country("dstCountryIso3Code", &mut problems);
    let destination = named.currency("dstCurrencyIso3Code", &mut problems);
    let method = transfer_method(named, "transferMethod", &mut problems);
    problems.finish()?;
    let (Some(country), Some(destination), Some(method)) = (country, destination, method) else {
        return Err(ErrorCode::BadRequestError.into());
    };
    find(country, destination, method).ok_or_else(|| {
        Problem::new(ErrorCode::CC404).because("GET /v1/corridors lists what is enabled").into()
    })
}

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/corridors:
    get:
      operationId: corridors
      tags: [quote]
      summary: Lists the ways for money to go that are enabled.
      x-source: documented
      x-error-codes: []
      parameters:
        - { name: dstCountryIso3Code, in: query, x-source: assumed, schema: { type: string } }
        - { name: dstCurrencyIso3Code, in: query, x-source: assumed, schema: { type: string } }
        - { name: srcCurrencyIso3Code, in: query, x-source: assumed, schema: { type: string } }
        - { name: transferMethod, in: query, x-source: assumed, schema: { $ref: "#/components/schemas/TransferMethod" } }
      responses:
        "200":
          description: The corridors.
          content:
            application/json:
              schema:
                type: array
                items: { $ref: "#/components/schemas/Corridor" }

components:
  schemas:
    Corridor:
      type: object
      x-source: documented
      required: [destinationCountry, sourceCurrency, destinationCurrency, transferMethod]
      properties:
        destinationCountry: { $ref: "#/components/schemas/Country" }
        sourceCurrency: { type: array, items: { $ref: "#/components/schemas/Currency" } }
        destinationCurrency: { type: array, items: { $ref: "#/components/schemas/Currency" } }
        transferMethod: { $ref: "#/components/schemas/TransferMethod" }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/corridors", get(list))
}

/// The same for testers, who need no token.
pub(crate) async fn list_openly(query: Query) -> Result<Json<Vec<CorridorReply<'static>>>, ApiError> {
    matching(&query).map(Json)
}

async fn list(_: Caller, query: Query) -> Result<Json<Vec<CorridorReply<'static>>>, ApiError> {
    matching(&query).map(Json)
}

/// The enabled corridors that a query asks for.
fn matching(query: &Query) -> Result<Vec<CorridorReply<'static>>, ApiError> {
    let mut problems = Problems::default();
    let country = query.optional("dstCountryIso3Code", &mut problems).map(str::to_owned);
    let destination = query.optional("dstCurrencyIso3Code", &mut problems).map(str::to_owned);
    let source = query.optional("srcCurrencyIso3Code", &mut problems).map(str::to_owned);
    let method = query.optional("transferMethod", &mut problems).map(str::to_owned);
    problems.finish()?;
    let offers = |currencies: &[&Currency], code: &Option<String>| {
        code.as_ref().is_none_or(|code| currencies.iter().any(|c| c.iso3_code == code))
    };
    let corridors = CORRIDORS
        .iter()
        .filter(|corridor| country.as_ref().is_none_or(|code| corridor.country.iso3_code == code))
        .filter(|corridor| method.as_ref().is_none_or(|name| corridor.method.name() == name))
        .filter(|corridor| offers(&corridor.destinations, &destination))
        .filter(|corridor| offers(&corridor.sources, &source))
        .map(|corridor| CorridorReply {
            destination_country: CountryReply {
                name: corridor.country.name,
                iso3_code: corridor.country.iso3_code,
                iso2_code: corridor.country.iso2_code,
            },
            source_currency: &corridor.sources,
            destination_currency: &corridor.destinations,
            transfer_method: corridor.method,
        })
        .collect();
    Ok(corridors)
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
