//! Corridors: destination country, destination currency and transfer method (interface, parts 1, 2 and 4).

use strum::{EnumString, VariantNames};

use crate::country::Country;
use crate::currency::Currency;
use crate::endpoint::*;
use crate::input::Input;
use crate::transfer_method::TransferMethod;
use crate::world::World;

/// Tells a developer where to look when no corridor fits.
pub(crate) const ADVICE: &str = "GET /v1/corridors lists what is enabled";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum QuoteBy {
    #[default]
    SendAmount,
    ReceiveAmount,
}

/// A corridor: country, destination currency and method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Route {
    pub(crate) country: String,
    pub(crate) destination: String,
    pub(crate) method: TransferMethod,
}

/// The corridor that a request names, which may not be enabled.
#[derive(Clone, Debug)]
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
    pub(crate) fn enabled_or(self, world: &World, code: ErrorCode) -> Result<Route> {
        let Self(route) = self;
        let is_enabled = world.country(&route.country).is_some_and(|country| {
            country.destination_currencies.contains(&route.destination)
                && country.transfer_methods.contains(&route.method)
        });
        if is_enabled { Ok(route) } else { Err(Problem::new(code).because(ADVICE).into()) }
    }

    pub(crate) fn enabled(self, world: &World) -> Result<Route> {
        self.enabled_or(world, ErrorCode::CC404)
    }
}

pub(crate) const RESOURCE: Resource = Resource { file: file!(), routes, tables: "", document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/corridors", get(plain(list::<Caller>)))
}

pub(crate) fn list<C>(call: &Call<C>) -> Reply {
    enabled(call, &call.world)
}

/// Lists the corridors of a world that a query asks for.
pub(crate) fn enabled<C>(call: &Call<C>, world: &World) -> Reply {
    let [country, destination, source, method] = call.query(|query| {
        ["dstCountryIso3Code", "dstCurrencyIso3Code", "srcCurrencyIso3Code", "transferMethod"]
            .map(|name| query.optional(name))
    })?;
    let is = |wanted: &Option<String>, code: &str| wanted.as_ref().is_none_or(|wanted| wanted == code);
    let any =
        |currencies: &[&Currency], code| currencies.iter().any(|currency| is(code, &currency.iso3_code));
    let mut corridors = Vec::new();
    for found in world.countries.iter().filter(|found| is(&country, &found.iso3_code)) {
        let destinations = world.currencies(&found.destination_currencies);
        let sources = world.currencies(&found.source_currencies);
        if !any(&destinations, &destination) || !any(&sources, &source) {
            continue;
        }
        for found_method in found.transfer_methods.iter().filter(|found| is(&method, found.name())) {
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
