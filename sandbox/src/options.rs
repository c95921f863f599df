//! Options that depend on other choices: banks and branches, and the places where cash is picked up.
//!
//! An identifier contains that of what it belongs to (`MEX-1-2-1` is a payer in the second city of
//! Mexico's first state), so what was chosen out of order is recognised without a table.

pub(crate) mod endpoints;

use crate::country;
use crate::fields::definition::{Choice, choice};
use crate::fields::values::Values;

/// What a location pays out at once, in US cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PayoutBounds {
    pub(crate) least: i64,
    pub(crate) most: i64,
}

/// Two states with two cities each, by country.
type State = (&'static str, [&'static str; 2]);
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
    ("Corner Pay", PayoutBounds { least: 1_000, most: 50_000 }),
    ("Market Cash", PayoutBounds { least: 100, most: 250_000 }),
];
/// With what each can pay of what its payer can at most, as a divisor.
const LOCATIONS: [(&str, i64); 2] = [("Main Square", 1), ("Bus Station", 2)];
const BANKS: [&str; 3] = ["Banco Primero", "Harbour Bank", "United Savings"];
const BRANCHES: [&str; 2] = ["Head Office", "Old Town"];

/// The parts of an identifier after its country; each counts from 1.
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

/// Numbers the names that belong to `parent`.
fn numbered<'a>(parent: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<Choice> {
    names.into_iter().enumerate().map(|(at, name)| choice(&format!("{parent}-{}", at + 1), name)).collect()
}

/// What belongs to an identifier: a country's states, a state's cities, and so on.
fn below(id: &str) -> Option<Vec<Choice>> {
    let (country, numbers) = split(id)?;
    let states = states(country)?;
    Some(match *numbers.as_slice() {
        [] => numbered(id, states.iter().map(|(name, _)| *name)),
        [state] => numbered(id, nth(states, state)?.1),
        [state, city] => {
            nth(&nth(states, state)?.1, city)?;
            numbered(id, PAYERS.iter().map(|(name, _)| *name))
        }
        [state, city, payer] => {
            nth(&nth(states, state)?.1, city)?;
            nth(&PAYERS, payer)?;
            let mut locations = numbered(id, LOCATIONS.map(|(name, _)| name));
            for location in &mut locations {
                let PayoutBounds { least, most } = payout_bounds(&location.id)?;
                location.description = Some(format!("{} to {} USD", least / 100, most / 100));
            }
            locations
        }
        _ => return None,
    })
}

/// What the location with this identifier pays out at once.
pub(crate) fn payout_bounds(location: &str) -> Option<PayoutBounds> {
    let [_, _, payer, location] = *split(location)?.1.as_slice() else { return None };
    let (_, PayoutBounds { least, most }) = *nth(&PAYERS, payer)?;
    let (_, divisor) = *nth(&LOCATIONS, location)?;
    Some(PayoutBounds { least, most: most / divisor })
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

pub(crate) fn banks_source(address: &str, country: &str) -> String {
    format!("{address}/v1/banks?countryIso3Code={country}")
}

pub(crate) fn branches_source(address: &str, bank_field: &str) -> String {
    format!("{address}/v1/banks/{{{bank_field}}}/branches")
}

pub(crate) fn states_source(address: &str, country: &str) -> String {
    format!("{address}/v1/partner/countries/{country}/states-and-provinces")
}

pub(crate) fn cities_source(address: &str, country: &str, state_field: &str) -> String {
    format!("{}/{{{state_field}}}/cities", states_source(address, country))
}

pub(crate) fn payers_source(address: &str, country: &str) -> String {
    let cities = cities_source(address, country, "PAYER_STATE_PROVINCE");
    format!("{cities}/{{PAYER_CITY}}/payers")
}

pub(crate) fn locations_source(address: &str, country: &str) -> String {
    format!("{}/{{PAYER}}/locations", payers_source(address, country))
}

/// Whether `id` is one of the options at `source`, with the fields' values in its placeholders.
pub(crate) fn has(source: &str, values: &Values, id: &str) -> bool {
    let list = if let Some((_, country)) = source.split_once("countryIso3Code=") {
        Some(banks(country))
    } else {
        // What an option belongs to stands in the last placeholder, or is the country itself.
        let parent = source.rsplit_once('{').and_then(|(_, rest)| rest.split_once('}'));
        match parent {
            Some((field, "/branches")) => values.text(field).and_then(branches),
            Some((field, _)) => values.text(field).and_then(below),
            None => source
                .split_once("/countries/")
                .and_then(|(_, rest)| rest.split_once('/'))
                .and_then(|(country, _)| below(country)),
        }
    };
    list.is_some_and(|list| list.iter().any(|option| option.id == id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_choice_narrows_the_next() {
        let mut values = Values::default();
        let cities = cities_source("", "MEX", "PAYER_STATE_PROVINCE");
        assert!(!has(&cities, &values, "MEX-1-1"));
        values.set("PAYER_STATE_PROVINCE", json!("MEX-1"));
        assert!(has(&cities, &values, "MEX-1-2"));
        assert!(!has(&cities, &values, "MEX-2-1"));
        assert!(!has(&cities, &values, "MEX-1-3"));
        assert!(has(&states_source("http://h", "MEX"), &values, "MEX-2"));
        assert!(!has(&states_source("http://h", "MEX"), &values, "COL-2"));
        values.set("PAYER", json!("MEX-1-2-1"));
        assert!(has(&locations_source("", "MEX"), &values, "MEX-1-2-1-2"));
        assert!(has(&banks_source("", "MEX"), &values, "MEX-B-3"));
        assert!(!has(&banks_source("", "MEX"), &values, "MEX-B-4"));
        values.set("BANK_ID", json!("MEX-B-3"));
        assert!(has(&branches_source("", "BANK_ID"), &values, "MEX-B-3-1"));
        assert!(!has(&branches_source("", "BANK_ID"), &values, "MEX-B-2-1"));
    }

    #[test]
    fn what_is_no_identifier_has_nothing_below() {
        for id in ["", "MEX-0", "MEX-3", "MEX-1-0", "MEX-1-1-1-1", "XXX", "MEX-1-x", "MEX-"] {
            assert!(below(id).is_none(), "{id}");
        }
    }
}
