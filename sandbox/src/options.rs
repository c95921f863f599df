//! Options that depend on other choices: banks and their branches, and the locations for cash pickup.
//!
//! An identifier contains its parent's (`MEX-1-2-1` is a payer in the second city of Mexico's first state),
//! so inconsistent choices are recognised without a table.

use crate::country;
use crate::endpoint::*;
use crate::fields::definition::{Choice, choice};
use crate::fields::values::Values;

/// What a location pays out per transfer, in US cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PayoutBounds {
    pub(crate) min: i64,
    pub(crate) max: i64,
}

type State = (&'static str, [&'static str; 2]);
/// Two states with two cities each, by country.
const STATES: [(&str, [State; 2]); 13] = [
    ("MEX", [("Jalisco", ["Guadalajara", "Zapopan"]), ("Puebla", ["Puebla", "Cholula"])]),
    ("COL", [("Antioquia", ["Medellín", "Envigado"]), ("Valle del Cauca", ["Cali", "Palmira"])]),
    ("GTM", [("Guatemala", ["Mixco", "Villa Nueva"]), ("Sacatepéquez", ["Antigua", "Jocotenango"])]),
    ("SLV", [("San Salvador", ["Soyapango", "Mejicanos"]), ("Santa Ana", ["Santa Ana", "Metapán"])]),
    ("HND", [("Cortés", ["San Pedro Sula", "Choloma"]), ("Atlántida", ["La Ceiba", "Tela"])]),
    ("DOM", [("Santiago", ["Santiago", "Tamboril"]), ("La Vega", ["La Vega", "Jarabacoa"])]),
    ("PER", [("Lima", ["Miraflores", "Barranco"]), ("Cusco", ["Cusco", "Sicuani"])]),
    ("PHL", [("Cebu", ["Cebu City", "Mandaue"]), ("Laguna", ["Calamba", "Santa Rosa"])]),
    ("PAK", [("Punjab", ["Lahore", "Multan"]), ("Sindh", ["Karachi", "Hyderabad"])]),
    ("VNM", [("Đà Nẵng", ["Hải Châu", "Sơn Trà"]), ("Lâm Đồng", ["Đà Lạt", "Bảo Lộc"])]),
    ("NGA", [("Lagos", ["Ikeja", "Epe"]), ("Oyo", ["Ibadan", "Ogbomosho"])]),
    ("SEN", [("Dakar", ["Dakar", "Pikine"]), ("Thiès", ["Thiès", "Mbour"])]),
    ("JOR", [("Amman", ["Amman", "Sahab"]), ("Irbid", ["Irbid", "Ramtha"])]),
];
const PAYERS: [(&str, PayoutBounds); 2] = [
    ("Corner Pay", PayoutBounds { min: 1_000, max: 50_000 }),
    ("Market Cash", PayoutBounds { min: 100, max: 250_000 }),
];
/// Each with the divisor of its payer's maximum.
const LOCATIONS: [(&str, i64); 2] = [("Main Square", 1), ("Bus Station", 2)];
const BANKS: [&str; 3] = ["Banco Primero", "Harbour Bank", "United Savings"];
const BRANCHES: [&str; 2] = ["Head Office", "Old Town"];

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

fn states(country: &str) -> Option<&'static [State; 2]> {
    STATES.iter().find(|(code, _)| *code == country).map(|(_, states)| states)
}

pub(crate) fn has_states(country: &str) -> bool {
    states(country).is_some()
}

fn numbered<'a>(parent: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<Choice> {
    names.into_iter().enumerate().map(|(at, name)| choice(&format!("{parent}-{}", at + 1), name)).collect()
}

/// Returns the choices below an identifier: a country's states, a state's cities, and so on.
fn children(id: &str) -> Option<Vec<Choice>> {
    let (country, numbers) = split(id)?;
    let states = states(country)?;
    let city = |state, city| nth(&nth(states, state)?.1, city);
    Some(match *numbers.as_slice() {
        [] => numbered(id, states.iter().map(|(name, _)| *name)),
        [state] => numbered(id, nth(states, state)?.1),
        [state, number] => {
            city(state, number)?;
            numbered(id, PAYERS.map(|(name, _)| name))
        }
        [state, number, payer] => {
            city(state, number)?;
            nth(&PAYERS, payer)?;
            let mut locations = numbered(id, LOCATIONS.map(|(name, _)| name));
            for location in &mut locations {
                let PayoutBounds { min, max } = payout_bounds(&location.id)?;
                location.description = Some(format!("{} to {} USD", min / 100, max / 100));
            }
            locations
        }
        _ => return None,
    })
}

pub(crate) fn payout_bounds(location: &str) -> Option<PayoutBounds> {
    let [_, _, payer, location] = *split(location)?.1.as_slice() else { return None };
    let (_, PayoutBounds { min, max }) = *nth(&PAYERS, payer)?;
    let (_, divisor) = *nth(&LOCATIONS, location)?;
    Some(PayoutBounds { min, max: max / divisor })
}

fn banks(country: &str) -> Vec<Choice> {
    numbered(&format!("{country}-B"), BANKS)
}

fn branches(bank: &str) -> Option<Vec<Choice>> {
    let (country, number) = bank.split_once("-B-")?;
    country::by_iso3(country)?;
    nth(&BANKS, number.parse().ok()?)?;
    Some(numbered(bank, BRANCHES))
}

/// Returns the address of a country's states, for `optionsSource`.
pub(crate) fn states_source(address: &str, country: &str) -> String {
    format!("{address}/v1/partner/countries/{country}/states-and-provinces")
}

/// Whether `id` is an option at `source`, whose placeholders stand for field values.
pub(crate) fn has(source: &str, values: &Values, id: &str) -> bool {
    let choices = if let Some((_, country)) = source.split_once("countryIso3Code=") {
        Some(banks(country))
    } else {
        // The parent is in the last placeholder, or is the country itself.
        let parent = source.rsplit_once('{').and_then(|(_, rest)| rest.split_once('}'));
        match parent {
            Some((field, "/branches")) => values.text(field).and_then(branches),
            Some((field, _)) => values.text(field).and_then(children),
            None => source
                .split_once("/countries/")
                .and_then(|(_, rest)| rest.split_once('/'))
                .and_then(|(country, _)| children(country)),
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
