use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::CORRIDORS;
use crate::access::{Anyone, Caller};
use crate::app::App;
use crate::call::{Call, Reply, plain};
use crate::currency::Currency;
use crate::resource::Resource;

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
    Router::new()
        .route("/v1/corridors", get(plain(list::<Caller>)))
        // The same for testers, who need no token.
        .route("/sandbox/corridors", get(plain(list::<Anyone>)))
}

/// Lists the enabled corridors that a query asks for.
fn list<C>(call: &Call<C>) -> Reply {
    let [country, destination, source, method] = call.query(|query| {
        ["dstCountryIso3Code", "dstCurrencyIso3Code", "srcCurrencyIso3Code", "transferMethod"]
            .map(|name| query.optional(name))
    })?;
    let is = |wanted: &Option<String>, code: &str| wanted.as_ref().is_none_or(|wanted| wanted == code);
    let offers = |currencies: &[&Currency], code| currencies.iter().any(|one| is(code, one.iso3_code));
    let corridors = CORRIDORS.iter().filter(|corridor| {
        is(&country, corridor.country.iso3_code)
            && is(&method, corridor.method.name())
            && offers(&corridor.destinations, &destination)
            && offers(&corridor.sources, &source)
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
    Ok(Json(corridors.collect::<Value>()))
}
