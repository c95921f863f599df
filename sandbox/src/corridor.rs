//! Corridors: destination country, destination currency and transfer method (interface, parts 1, 2 and 4).

use std::sync::LazyLock;

use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::country::{self, COUNTRIES, Country};
use crate::currency::{self, Currency};
use crate::endpoint::*;
use crate::input::Input;

/// Tells a developer where to look when no corridor fits.
pub(crate) const ADVICE: &str = "GET /v1/corridors lists what is enabled";

#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum QuoteBy {
    #[default]
    SendAmount,
    ReceiveAmount,
}

/// The enabled corridors of one country and transfer method.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Corridor {
    pub(crate) country: &'static Country,
    pub(crate) method: TransferMethod,
    pub(crate) sources: Vec<&'static Currency>,
    pub(crate) destinations: Vec<&'static Currency>,
    /// Whether the provider supports quotes by RECEIVE_AMOUNT.
    pub(crate) receive_supported: bool,
}

const SEND_ONLY: [&str; 2] = ["CHL", "HND"];

static CORRIDORS: LazyLock<Vec<Corridor>> = LazyLock::new(|| {
    let currencies = |codes: &str| codes.split(' ').filter_map(currency::by_iso3).collect::<Vec<_>>();
    let mut corridors = Vec::new();
    for country in &COUNTRIES {
        let [destinations, sources, methods] = country.corridors;
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

/// A corridor with one of its destination currencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredRoute", try_from = "StoredRoute")]
pub(crate) struct Route {
    pub(crate) corridor: &'static Corridor,
    pub(crate) destination: &'static Currency,
}

#[derive(Serialize, Deserialize)]
struct StoredRoute {
    country: String,
    currency: String,
    method: TransferMethod,
}

impl From<Route> for StoredRoute {
    fn from(route: Route) -> Self {
        let (country, currency) = (route.country().iso3_code.into(), route.destination.iso3_code.into());
        Self { country, currency, method: route.method() }
    }
}

impl TryFrom<StoredRoute> for Route {
    type Error = &'static str;

    fn try_from(StoredRoute { country, currency, method }: StoredRoute) -> Result<Self, Self::Error> {
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

pub(crate) fn find(
    country: &Country,
    destination: &'static Currency,
    method: TransferMethod,
) -> Option<Route> {
    let mut corridors = CORRIDORS.iter();
    let corridor = corridors.find(|corridor| {
        corridor.country == country
            && corridor.method == method
            && corridor.destinations.contains(&destination)
    });
    corridor.map(|corridor| Route { corridor, destination })
}

/// The country, currency and method that a request names, which may not be an enabled corridor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestedRoute {
    country: &'static Country,
    destination: &'static Currency,
    method: TransferMethod,
}

impl RequestedRoute {
    pub(crate) fn read(input: &mut Input) -> Self {
        Self::read_with(input, Input::variant)
    }

    /// Reads a body, in which the transfer method may be left out.
    pub(crate) fn read_body(input: &mut Input) -> Self {
        Self::read_with(input, Input::variant_or_default)
    }

    fn read_with(input: &mut Input, method: fn(&mut Input, &str) -> TransferMethod) -> Self {
        let (country, destination) =
            (input.country("dstCountryIso3Code"), input.currency("dstCurrencyIso3Code"));
        Self { country, destination, method: method(input, "transferMethod") }
    }

    pub(crate) fn enabled(self) -> Result<Route> {
        find(self.country, self.destination, self.method)
            .ok_or_else(|| Problem::new(ErrorCode::CC404).because(ADVICE).into())
    }
}

pub(crate) const RESOURCE: Resource = Resource { file: file!(), routes, tables: "", document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    // Testers need no token.
    Router::new()
        .route("/v1/corridors", get(plain(list::<Caller>)))
        .route("/sandbox/corridors", get(plain(list::<Anyone>)))
}

fn list<C>(call: &Call<C>) -> Reply {
    let [country, destination, source, method] = call.query(|query| {
        ["dstCountryIso3Code", "dstCurrencyIso3Code", "srcCurrencyIso3Code", "transferMethod"]
            .map(|name| query.optional(name))
    })?;
    let is = |wanted: &Option<String>, code: &str| wanted.as_ref().is_none_or(|wanted| wanted == code);
    let any = |currencies: &[&Currency], code| currencies.iter().any(|currency| is(code, currency.iso3_code));
    let corridors = CORRIDORS.iter().filter(|corridor| {
        is(&country, corridor.country.iso3_code)
            && is(&method, corridor.method.name())
            && any(&corridor.destinations, &destination)
            && any(&corridor.sources, &source)
    });
    let corridors = corridors.map(|corridor| {
        let country = corridor.country;
        json!({
            "destinationCountry": {
                "name": country.name, "iso3Code": country.iso3_code, "iso2Code": country.iso2_code,
            },
            "sourceCurrency": corridor.sources,
            "destinationCurrency": corridor.destinations,
            "transferMethod": corridor.method,
        })
    });
    Ok(corridors.collect())
}

const DOCUMENT: &str = r##"
tag: quote
paths:
  /v1/corridors:
    get:
      operationId: corridors
      summary: Lists the enabled corridors.
      x-source: documented
      parameters:
        - { name: dstCountryIso3Code, x-source: assumed, schema: string }
        - { name: dstCurrencyIso3Code, x-source: assumed, schema: string }
        - { name: srcCurrencyIso3Code, x-source: assumed, schema: string }
        - { name: transferMethod, x-source: assumed, schema: TransferMethod }
      responses: { "200": [Corridor] }
schemas:
  Corridor:
    x-source: documented
    required: [destinationCountry, sourceCurrency, destinationCurrency, transferMethod]
    properties: { destinationCountry: Country, sourceCurrency: [Currency], destinationCurrency: [Currency],
                  transferMethod: TransferMethod }
"##;

#[cfg(test)]
mod tests {
    use super::*;

    /// Unknown codes would be skipped silently.
    #[test]
    fn corridors_name_known_currencies_and_methods() {
        for [destinations, sources, methods] in COUNTRIES.map(|country| country.corridors) {
            let codes = [destinations, sources].into_iter().flat_map(|codes| codes.split_terminator(' '));
            codes.for_each(|code| assert!(currency::by_iso3(code).is_some(), "{code}"));
            assert!(methods.chars().all(|method| "BCUM".contains(method)));
        }
    }
}
