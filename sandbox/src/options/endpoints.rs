//! The endpoints that list options.

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

use super::{banks, below, branches};
use crate::app::App;
use crate::call::{Call, Reply, plain};
use crate::country;
use crate::error::{ErrorCode, Problem};
use crate::fields::definition::Choice;
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
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces:
    get:
      operationId: states
      tags: [fields]
      summary: Lists the states of a country.
      x-source: assumed
      x-error-codes: [UnsupportedCountry]
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces/{state}/cities:
    get:
      operationId: cities
      tags: [fields]
      summary: Lists the cities of a state.
      x-source: assumed
      x-error-codes: []
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces/{state}/cities/{city}/payers:
    get:
      operationId: payers
      tags: [fields]
      summary: Lists who pays out cash in a city.
      x-source: assumed
      x-error-codes: []
      responses: *choicesResponses

  /v1/partner/countries/{country}/states-and-provinces/{state}/cities/{city}/payers/{payer}/locations:
    get:
      operationId: locations
      tags: [fields]
      summary: Lists where a payer pays out cash.
      x-source: assumed
      x-error-codes: []
      responses: *choicesResponses

components:

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
        .route("/v1/banks", get(plain(list_banks)))
        .route("/v1/banks/{bank}/branches", get(plain(list_branches)))
        .route(STATES, get(plain(list_states)))
        .route(&format!("{STATES}/{{state}}/cities"), get(plain(list_below)))
        .route(&format!("{STATES}/{{state}}/cities/{{city}}/payers"), get(plain(list_below)))
        .route(
            &format!("{STATES}/{{state}}/cities/{{city}}/payers/{{payer}}/locations"),
            get(plain(list_below)),
        )
}

fn reply(list: Option<Vec<Choice>>) -> Reply {
    let list =
        list.ok_or_else(|| Problem::new(ErrorCode::NotFound).because("no options belong to these choices"))?;
    Ok(Json(json!(list)))
}

fn list_banks(call: &Call) -> Reply {
    let country = call.query(|query| query.country("countryIso3Code"))?;
    reply(Some(banks(country.iso3_code)))
}

fn list_branches(call: &Call) -> Reply {
    reply(branches(call.part("bank")))
}

fn list_states(call: &Call) -> Reply {
    country::by_iso3(call.part("country")).ok_or(ErrorCode::UnsupportedCountry)?;
    list_below(call)
}

/// Lists what is below the last of a chain of choices, each of which has to belong to the one before.
fn list_below(call: &Call) -> Reply {
    let chain = ["state", "city", "payer"].map(|name| call.part(name));
    let last =
        chain.into_iter().filter(|id| !id.is_empty()).try_fold(call.part("country"), |parent, child| {
            child.rsplit_once('-').filter(|(start, _)| *start == parent).map(|_| child)
        });
    reply(last.and_then(below))
}
