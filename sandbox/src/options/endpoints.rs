use super::{banks, branches, children};
use crate::country;
use crate::endpoint::*;
use crate::fields::definition::Choice;

pub(crate) const RESOURCE: Resource = Resource { file: file!(), routes, tables: "", document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    const STATES: &str = "/v1/partner/countries/{country}/states-and-provinces";
    let cities = format!("{STATES}/{{state}}/cities");
    let payers = format!("{cities}/{{city}}/payers");
    Router::new()
        .route("/v1/banks", get(plain(list_banks)))
        .route("/v1/banks/{bank}/branches", get(plain(list_branches)))
        .route(STATES, get(plain(list_states)))
        .route(&cities, get(plain(list_children)))
        .route(&payers, get(plain(list_children)))
        .route(&format!("{payers}/{{payer}}/locations"), get(plain(list_children)))
}

fn reply(choices: Option<Vec<Choice>>) -> Reply {
    let missing = || Problem::new(ErrorCode::NotFound).because("no options belong to these choices");
    Ok(json!(choices.ok_or_else(missing)?))
}

fn list_banks(call: &Call) -> Reply {
    let country = call.query(|query| query.country("countryIso3Code"))?;
    reply(Some(banks(country.iso3_code)))
}

fn list_branches(call: &Call) -> Reply {
    reply(branches(call.path_part("bank")))
}

fn list_states(call: &Call) -> Reply {
    country::by_iso3(call.path_part("country")).ok_or(ErrorCode::UnsupportedCountry)?;
    list_children(call)
}

/// Lists the children of the last choice in the path. Each choice has to belong to the one before.
fn list_children(call: &Call) -> Reply {
    let path = ["state", "city", "payer"].map(|name| call.path_part(name));
    let mut chosen = path.into_iter().filter(|id| !id.is_empty());
    let last = chosen.try_fold(call.path_part("country"), |parent, child| {
        child.rsplit_once('-').filter(|(start, _)| *start == parent).map(|_| child)
    });
    reply(last.and_then(children))
}

const DOCUMENT: &str = r##"
tag: fields
paths:
  /v1/banks:
    get: { operationId: banks, summary: "Lists the banks of a country, an `optionsSource` of account fields.",
           x-source: assumed, x-error-codes: [NotEmptyValidator, UnsupportedCountry],
           parameters: [{ name: countryIso3Code, required: true, example: MEX, schema: CountryCode }],
           responses: { "200": [Choice] } }
  /v1/banks/{bank}/branches:
    get: { operationId: branches, summary: Lists the branches of a bank., x-source: assumed,
           responses: { "200": [Choice] } }
  /v1/partner/countries/{country}/states-and-provinces:
    get: { operationId: states, summary: Lists the states of a country., x-source: assumed,
           x-error-codes: [UnsupportedCountry], responses: { "200": [Choice] } }
  /v1/partner/countries/{country}/states-and-provinces/{state}/cities:
    get: { operationId: cities, summary: Lists the cities of a state., x-source: assumed,
           responses: { "200": [Choice] } }
  /v1/partner/countries/{country}/states-and-provinces/{state}/cities/{city}/payers:
    get: { operationId: payers, summary: Lists the payers of cash in a city., x-source: assumed,
           responses: { "200": [Choice] } }
  /v1/partner/countries/{country}/states-and-provinces/{state}/cities/{city}/payers/{payer}/locations:
    get: { operationId: locations, summary: Lists the pickup locations of a payer., x-source: assumed,
           responses: { "200": [Choice] } }

schemas:
  ChoiceId: { type: string, x-source: published, pattern: "^[A-Za-z0-9_-]{1,64}$", example: MEX-1 }
  Choice: { x-source: published, required: [id, name],
            properties: { id: string, name: string, description: string assumed } }
"##;
