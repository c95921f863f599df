use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use super::{CORRIDORS, TransferMethod};
use crate::access::Caller;
use crate::app::App;
use crate::currency::Currency;
use crate::error::{ApiError, Problems};
use crate::input::{Named, Query};
use crate::resource::Resource;

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
