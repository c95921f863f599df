//! The endpoints that list options.

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::get;

use super::{Choice, banks, below, branches};
use crate::access::Caller;
use crate::app::App;
use crate::country;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fresh::fresh;
use crate::input::{Named, Path, Query};
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/banks:
    get:
      operationId: banks
      tags: [fields]
      summary: Lists the banks of a country, an `optionsSource` of account fields.
      x-source: assumed
      x-error-codes: [NotEmptyValidator, UnsupportedCountry]
      parameters:
        - name: countryIso3Code
          in: query
          required: true
          example: MEX
          schema: { $ref: "#/components/schemas/CountryCode" }
      responses: &choicesResponses
        "200": { $ref: "#/components/responses/Choices" }

  /v1/banks/{bank}/branches:
    get:
      operationId: branches
      tags: [fields]
      summary: Lists the branches of a bank.
      x-source: assumed
      x-error-codes: []
      parameters:
        - { $ref: "#/components/parameters/bank" }
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces:
    get:
      operationId: states
      tags: [fields]
      summary: Lists the states of a country.
      x-source: assumed
      x-error-codes: [UnsupportedCountry]
      parameters:
        - { $ref: "#/components/parameters/country" }
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces/{state}/cities:
    get:
      operationId: cities
      tags: [fields]
      summary: Lists the cities of a state.
      x-source: assumed
      x-error-codes: []
      parameters:
        - { $ref: "#/components/parameters/country" }
        - { $ref: "#/components/parameters/state" }
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces/{state}/cities/{city}/payers:
    get:
      operationId: payers
      tags: [fields]
      summary: Lists who pays out cash in a city.
      x-source: assumed
      x-error-codes: []
      parameters:
        - { $ref: "#/components/parameters/country" }
        - { $ref: "#/components/parameters/state" }
        - { $ref: "#/components/parameters/city" }
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces/{state}/cities/{city}/payers/{payer}/locations:
    get:
      operationId: locations
      tags: [fields]
      summary: Lists where a payer pays out cash.
      x-source: assumed
      x-error-codes: []
      parameters:
        - { $ref: "#/components/parameters/country" }
        - { $ref: "#/components/parameters/state" }
        - { $ref: "#/components/parameters/city" }
        - { $ref: "#/components/parameters/payer" }
      responses: *choicesResponses

components:
  parameters:
    bank: { name: bank, in: path, required: true, x-source: assumed, schema: { $ref: "#/components/schemas/ChoiceId" } }
    country: { name: country, in: path, required: true, x-source: assumed, schema: { $ref: "#/components/schemas/CountryCode" } }
    state: { name: state, in: path, required: true, x-source: assumed, schema: { $ref: "#/components/schemas/ChoiceId" } }
    city: { name: city, in: path, required: true, x-source: assumed, schema: { $ref: "#/components/schemas/ChoiceId" } }
    payer: { name: payer, in: path, required: true, x-source: assumed, schema: { $ref: "#/components/schemas/ChoiceId" } }

  responses:
    Choices:
      description: The choices.
      content:
        application/json:
          schema:
            type: array
            items: { $ref: "#/components/schemas/Choice" }

  schemas:
    ChoiceId: { type: string, x-source: published, pattern: "^[A-Za-z0-9_-]{1,64}$", example: MEX-1 }
    Choice:
      type: object
      x-source: published
      required: [id, name]
      properties:
        id: { type: string }
        name: { type: string }
        description: { type: string, x-source: assumed }
"##,
};

fn routes() -> Router<Arc<App>> {
    const STATES: &str = "/v1/partner/countries/{country}/states-and-provinces";
    Router::new()
        .route("/v1/banks", get(list_banks))
        .route("/v1/banks/{bank}/branches", get(list_branches))
        .route(STATES, get(list_states))
        .route(&format!("{STATES}/{{state}}/cities"), get(list_cities))
        .route(&format!("{STATES}/{{state}}/cities/{{city}}/payers"), get(list_payers))
        .route(&format!("{STATES}/{{state}}/cities/{{city}}/payers/{{payer}}/locations"), get(list_locations))
}

fn reply(list: Option<Vec<Choice>>) -> Result<Response, ApiError> {
    let list =
        list.ok_or_else(|| Problem::new(ErrorCode::NotFound).because("no options belong to these choices"))?;
    Ok(fresh(list))
}

async fn list_banks(_: Caller, query: Query) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let country = query.country("countryIso3Code", &mut problems);
    problems.finish()?;
    reply(country.map(|country| banks(country.iso3_code)))
}

async fn list_branches(_: Caller, Path(bank): Path<String>) -> Result<Response, ApiError> {
    reply(branches(&bank))
}

async fn list_states(_: Caller, Path(country): Path<String>) -> Result<Response, ApiError> {
    if country::by_iso3(&country).is_none() {
        return Err(ErrorCode::UnsupportedCountry.into());
    }
    reply(below(&country))
}

/// Lists what is below the last of a chain of choices, each of which has to belong to the one before.
fn chained(chain: &[&str]) -> Result<Response, ApiError> {
    let linked = chain.windows(2).all(|pair| match pair {
        [parent, child] => child.rsplit_once('-').is_some_and(|(start, _)| start == *parent),
        _ => true,
    });
    reply(chain.last().filter(|_| linked).and_then(|last| below(last)))
}

async fn list_cities(
    _: Caller,
    Path((country, state)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    chained(&[&country, &state])
}

async fn list_payers(
    _: Caller,
    Path((country, state, city)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    chained(&[&country, &state, &city])
}

async fn list_locations(
    _: Caller,
    Path((country, state, city, payer)): Path<(String, String, String, String)>,
) -> Result<Response, ApiError> {
    chained(&[&country, &state, &city, &payer])
}
