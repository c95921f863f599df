use super::CORRIDORS;
use crate::access::Caller;
use crate::currency::Currency;
use crate::endpoint::*;

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
