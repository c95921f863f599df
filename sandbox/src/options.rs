//! Options that depend on other choices: banks and their branches, and the locations for cash pickup.
//!
//! An identifier contains its parent's (`MEX-1-2-1` is a payer in the second city of Mexico's first state),
//! so inconsistent choices are recognized without a table.

use crate::country::{Country, Location};
use crate::endpoint::*;
use crate::fields::definition::{Choice, Text, choice};
use crate::fields::values::Values;
use crate::world::World;

/// Splits an identifier into its country and its numbers, which count from 1.
fn split(id: &str) -> Option<(&str, Vec<usize>)> {
    let mut parts = id.split('-');
    let country = parts.next()?;
    let numbers: Option<Vec<usize>> = parts.map(|part| part.parse().ok()).collect();
    Some((country, numbers?))
}

fn nth<T>(list: &[T], number: usize) -> Option<&T> {
    list.get(number.checked_sub(1)?)
}

fn numbered<'a>(parent: &str, names: impl IntoIterator<Item = &'a String>) -> Vec<Choice> {
    names.into_iter().enumerate().map(|(at, name)| choice(&format!("{parent}-{}", at + 1), name)).collect()
}

/// Returns the choices below an identifier: a country's states, a state's cities, and so on.
fn children(world: &World, id: &str) -> Option<Vec<Choice>> {
    let (country, numbers) = split(id)?;
    let country = world.country(country).filter(|country| !country.states.is_empty())?;
    let (states, payers) = (&country.states, world.payers(country));
    let cities = |state: usize| states.get_index(state.checked_sub(1)?).map(|(_, cities)| cities);
    let city = |state, number| nth(cities(state)?, number);
    Some(match *numbers.as_slice() {
        [] => numbered(id, states.keys()),
        [state] => numbered(id, cities(state)?),
        [state, number] => {
            city(state, number)?;
            numbered(id, payers.iter().map(|payer| &payer.name))
        }
        [state, number, payer] => {
            city(state, number)?;
            let locations = &nth(payers, payer)?.locations;
            let mut choices = numbered(id, locations.iter().map(|location| &location.name));
            for (choice, Location { min, max, .. }) in choices.iter_mut().zip(locations) {
                choice.description = Some(Text::One(format!("{} to {} USD", min / 100, max / 100)));
            }
            choices
        }
        _ => return None,
    })
}

/// Returns where a choice of a location has cash paid out.
pub(crate) fn location<'a>(world: &'a World, id: &str) -> Option<&'a Location> {
    let (country, numbers) = split(id)?;
    let [_, _, payer, location] = *numbers.as_slice() else { return None };
    nth(&nth(world.payers(world.country(country)?), payer)?.locations, location)
}

fn banks(world: &World, country: &Country) -> Vec<Choice> {
    numbered(&format!("{}-B", country.iso3_code), world.banks(country).keys())
}

fn branches(world: &World, bank: &str) -> Option<Vec<Choice>> {
    let (country, number) = bank.split_once("-B-")?;
    let banks = world.banks(world.country(country)?);
    let (_, branches) = banks.get_index(number.parse::<usize>().ok()?.checked_sub(1)?)?;
    Some(numbered(bank, branches))
}

/// Whether `id` is an option at `source`, whose placeholders stand for field values.
pub(crate) fn has(world: &World, source: &str, values: &Values, id: &str) -> bool {
    let choices = if let Some((_, code)) = source.split_once("countryIso3Code=") {
        world.country(code).map(|country| banks(world, country))
    } else {
        // The parent is in the last placeholder, or is the country itself.
        let parent = source.rsplit_once('{').and_then(|(_, rest)| rest.split_once('}'));
        match parent {
            Some((field, "/branches")) => values.text(field).and_then(|bank| branches(world, bank)),
            Some((field, _)) => values.text(field).and_then(|id| children(world, id)),
            None => source
                .split_once("/countries/")
                .and_then(|(_, rest)| rest.split_once('/'))
                .and_then(|(country, _)| children(world, country)),
        }
    };
    choices.is_some_and(|choices| choices.iter().any(|choice| choice.id == id))
}

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
    reply(call.world.country(&country).map(|country| banks(&call.world, country)))
}

fn list_branches(call: &Call) -> Reply {
    reply(branches(&call.world, call.path_part("bank")))
}

fn list_states(call: &Call) -> Reply {
    call.world.country(call.path_part("country")).ok_or(ErrorCode::UnsupportedCountry)?;
    list_children(call)
}

/// Lists the children of the last choice in the path. Each choice has to belong to the one before.
fn list_children(call: &Call) -> Reply {
    let path = ["state", "city", "payer"].map(|name| call.path_part(name));
    let mut chosen = path.into_iter().filter(|id| !id.is_empty());
    let last = chosen.try_fold(call.path_part("country"), |parent, child| {
        child.rsplit_once('-').filter(|(start, _)| *start == parent).map(|_| child)
    });
    reply(last.and_then(|id| children(&call.world, id)))
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
