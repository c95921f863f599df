//! Corridors: destination country, destination currency and transfer method (interface, parts 1, 2 and 4).

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

/// Countries whose provider does not support quotes by RECEIVE_AMOUNT.
const SEND_ONLY: [&str; 2] = ["CHL", "HND"];

fn currencies(codes: &str) -> Vec<&'static Currency> {
    codes.split(' ').filter_map(currency::by_iso3).collect()
}

fn methods(country: &Country) -> impl Iterator<Item = TransferMethod> {
    let [_, _, methods] = country.corridors;
    methods.chars().map(|method| match method {
        'B' => TransferMethod::BankAccount,
        'C' => TransferMethod::PushToCard,
        'U' => TransferMethod::CashPickup,
        _ => TransferMethod::MobileWallet,
    })
}

/// An enabled corridor: country, destination currency and method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredRoute", try_from = "StoredRoute")]
pub(crate) struct Route {
    pub(crate) country: &'static Country,
    pub(crate) destination: &'static Currency,
    pub(crate) method: TransferMethod,
}

type StoredRoute = (String, String, TransferMethod);

impl From<Route> for StoredRoute {
    fn from(route: Route) -> Self {
        (route.country.iso3_code.into(), route.destination.iso3_code.into(), route.method)
    }
}

impl TryFrom<StoredRoute> for Route {
    type Error = &'static str;

    fn try_from((country, destination, method): StoredRoute) -> Result<Self, Self::Error> {
        let found = country::by_iso3(&country).zip(currency::by_iso3(&destination));
        found.map(|(country, destination)| Self { country, destination, method }).ok_or("no such corridor")
    }
}

impl Route {
    pub(crate) fn has_source(self, source: &'static Currency) -> bool {
        let [_, sources, _] = self.country.corridors;
        currencies(sources).contains(&source)
    }

    pub(crate) fn supports_receive(self) -> bool {
        !SEND_ONLY.contains(&self.country.iso3_code)
    }
}

/// The corridor that a request names, which may not be enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestedRoute(Route);

impl RequestedRoute {
    pub(crate) fn read(input: &mut Input) -> Self {
        Self::read_with(input, Input::variant)
    }

    /// Reads a body, in which the transfer method may be left out.
    pub(crate) fn read_body(input: &mut Input) -> Self {
        Self::read_with(input, Input::variant_or_default)
    }

    fn read_with(input: &mut Input, method: fn(&mut Input, &str) -> TransferMethod) -> Self {
        Self(Route {
            country: input.country("dstCountryIso3Code"),
            destination: input.currency("dstCurrencyIso3Code"),
            method: method(input, "transferMethod"),
        })
    }

    /// Returns the corridor, or fails with `code` if it is not enabled.
    pub(crate) fn enabled_or(self, code: ErrorCode) -> Result<Route> {
        let Self(route) = self;
        let [destinations, _, _] = route.country.corridors;
        let is_enabled = currencies(destinations).contains(&route.destination)
            && methods(route.country).any(|method| method == route.method);
        if is_enabled { Ok(route) } else { Err(Problem::new(code).because(ADVICE).into()) }
    }

    pub(crate) fn enabled(self) -> Result<Route> {
        self.enabled_or(ErrorCode::CC404)
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
    let mut corridors = Vec::new();
    for found in COUNTRIES.iter().filter(|found| is(&country, found.iso3_code)) {
        let [destinations, sources, _] = found.corridors.map(currencies);
        if !any(&destinations, &destination) || !any(&sources, &source) {
            continue;
        }
        for found_method in methods(found).filter(|found| is(&method, found.name())) {
            let Country { name, iso3_code, iso2_code, .. } = found;
            corridors.push(json!({
                "destinationCountry": { "name": name, "iso3Code": iso3_code, "iso2Code": iso2_code },
                "sourceCurrency": sources, "destinationCurrency": destinations,
                "transferMethod": found_method,
            }));
        }
    }
    Ok(corridors.into())
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
