//! Checks the world's data: what is wrong, in which entry, and what to do.

use std::collections::HashSet;

use fancy_regex::Regex;

use crate::clock::parse_day;
use crate::country::{Country, Location};
use crate::currency::Currency;
use crate::fields::definition::{Field, FieldSet, FieldSets, FieldType, Subject, When, years_from_today};
use crate::test_cards::{CardResult, TestCard, is_card_number};
use crate::transfer_method::TransferMethod;
use crate::world::World;

const SUBJECTS: [(&str, Subject); 4] = [
    ("senderFields", Subject::Sender),
    ("recipientFields", Subject::Recipient),
    ("recipientAccountFields", Subject::Account),
    ("transferFields", Subject::Transfer),
];

/// Returns a sentence on the first entry that is wrong.
pub(crate) fn check(world: &World) -> Result<(), String> {
    for (name, regex) in &world.patterns {
        check_pattern(regex).map_err(|why| format!("patterns.{name}: {why}"))?;
    }
    for currency in &world.currencies {
        check_currency(currency).map_err(|why| format!("currency {}: {why}", currency.iso3_code))?;
    }
    for country in &world.countries {
        check_country(world, country).map_err(|why| format!("country {}: {why}", country.iso3_code))?;
    }
    for payer in world.countries.iter().flat_map(|country| &country.payers).chain(&world.payers) {
        let fits = |location: &Location| (0..=location.max).contains(&location.min);
        if !payer.locations.iter().all(fits) {
            return Err(format!("payer {}: min and max have to be US cents, min not above max", payer.name));
        }
    }
    for card in &world.cards {
        check_card(world, card).map_err(|why| format!("card {}: {why}", card.number))?;
    }
    check_fields(world, &world.fields)
}

fn check_country(world: &World, country: &Country) -> Result<(), String> {
    ensure(is_code(&country.iso3_code, 3), "iso3Code has to be three uppercase letters")?;
    ensure(country.iso3_code != "NONE", "NONE stands for a request without a corridor")?;
    ensure(is_code(&country.iso2_code, 2), "iso2Code has to be two uppercase letters")?;
    let digits = country.phone_code.bytes().all(|byte| byte.is_ascii_digit());
    ensure(
        digits && (1..=6).contains(&country.phone_code.len()),
        "phoneCode has to be 1 to 6 digits, without +",
    )?;
    ensure((0..=10_000).contains(&country.tax_basis_points), "taxBasisPoints has to be from 0 to 10000")?;
    let lists = [&country.destination_currencies, &country.source_currencies];
    if let Some(code) = lists.into_iter().flatten().find(|code| world.currency(code).is_none()) {
        return Err(format!("the currency {code} is not known; add it to currencies"));
    }
    let empty = [lists[0].is_empty(), lists[1].is_empty(), country.transfer_methods.is_empty()];
    ensure(
        empty == [true; 3] || empty == [false; 3],
        "a corridor needs destinationCurrencies, sourceCurrencies and transferMethods: give all three or none",
    )?;
    ensure(
        !country.transfer_methods.contains(&TransferMethod::AccountFunding),
        "ACCOUNT_FUNDING is no method of a corridor",
    )?;
    check_fields(world, &country.fields).map_err(|why| format!("fields.{why}"))
}

fn check_card(world: &World, card: &TestCard) -> Result<(), String> {
    ensure(
        is_card_number(&card.number),
        "number has to be 13 to 19 digits of which the last is the check digit (Luhn)",
    )?;
    let names = world.cards.iter().filter(|other| card.name.is_some() && other.name == card.name);
    ensure(names.count() <= 1, "another card has the same name")?;
    ensure(card.code.is_none() || card.result == CardResult::Fail, "code goes with the result fail only")?;
    let in_currency = card.result == CardResult::SuccessInCurrency;
    ensure(
        card.currency.is_some() == in_currency,
        "currency goes with the result successInCurrency, and only with it",
    )?;
    let known = card.currency.as_ref().is_none_or(|code| world.currency(code).is_some());
    ensure(known, "its currency is not known; add it to currencies")
}

fn check_fields(world: &World, fields: &FieldSets) -> Result<(), String> {
    for (name, subject) in SUBJECTS {
        let sets = fields.of(subject);
        for set in sets {
            let place = format!("{name}, set {}", set.field_set_id);
            ensure(!set.field_set_id.is_empty(), "a set needs a fieldSetId")
                .map_err(|why| format!("{name}: {why}"))?;
            check_when(world, &set.when).map_err(|why| format!("{place}: {why}"))?;
            for field in &set.fields {
                check_field(world, field, sets)
                    .map_err(|why| format!("{place}, field {}: {why}", field.field_id))?;
            }
        }
    }
    Ok(())
}

fn check_when(world: &World, when: &When) -> Result<(), String> {
    match when.countries.iter().find(|code| *code != "NONE" && world.country(code).is_none()) {
        Some(code) if !world.has_gaps() => Err(format!("when names {code}, which is no country here")),
        _ => Ok(()),
    }
}

fn check_field(world: &World, field: &Field, sets: &[FieldSet]) -> Result<(), String> {
    ensure(!field.field_id.is_empty(), "a field needs a fieldId")?;
    check_when(world, &field.when)?;
    if let Some(regex) = &field.regex {
        check_pattern(world.patterns.get(regex).unwrap_or(regex)).map_err(|why| format!("regex: {why}"))?;
    }
    let lengths = field.min_length.zip(field.max_length);
    ensure(lengths.is_none_or(|(min, max)| min <= max), "minLength is above maxLength")?;
    let is_date = field.field_type == FieldType::Date;
    for bound in [&field.min_value, &field.max_value].into_iter().flatten() {
        let is_day = parse_day(bound).is_some() || years_from_today(bound).is_some();
        ensure(
            is_date && is_day,
            "minValue and maxValue are for a DATE: a day, or today, or such as today-18y",
        )?;
    }
    let is_dropdown = field.field_type == FieldType::Dropdown;
    let sources = [!field.options.is_empty(), field.options_source.is_some()];
    ensure(
        sources.contains(&true) == is_dropdown && sources != [true; 2],
        "a DROPDOWN needs either options or optionsSource, and no other field has them",
    )?;
    let ids = field.options.ids();
    let mut seen = HashSet::new();
    ensure(
        ids.iter().all(|id| !id.is_empty() && seen.insert(*id)),
        "its options need ids, each another one",
    )?;
    if let Some(source) = &field.options_source {
        let served = ["/v1/banks", "/v1/partner/countries/"].iter().any(|path| source.starts_with(path));
        ensure(
            served,
            "optionsSource has to be a path that the sandbox serves, such as /v1/banks?countryIso3Code={country}",
        )?;
    }
    let fields = || sets.iter().flat_map(|set| &set.fields);
    let mut conditions = field.dependencies.is_required.iter();
    match conditions.find(|one| !fields().any(|field| field.field_id == one.field_id)) {
        Some(missing) => Err(format!("it depends on {}, which is no field here", missing.field_id)),
        None => Ok(()),
    }
}

fn is_code(code: &str, length: usize) -> bool {
    code.len() == length && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn ensure(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.to_owned()) }
}

fn check_pattern(regex: &str) -> Result<(), String> {
    Regex::new(regex).map(|_| ()).map_err(|error| format!("the sandbox cannot match this pattern: {error}"))
}

fn check_currency(currency: &Currency) -> Result<(), String> {
    ensure(is_code(&currency.iso3_code, 3), "iso3Code has to be three uppercase letters")?;
    ensure(currency.decimal_places <= 4, "decimalPlaces has to be from 0 to 4")?;
    // Products of the price fit 128 bits.
    ensure((1..1 << 44).contains(&currency.micros_per_dollar), "microsPerDollar has to be from 1 to 2^44")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(json: &str) -> String {
        let world = World::parse(json).and_then(|more| World::built_in()?.with(more));
        world.and_then(|world| check(&world)).unwrap_err()
    }

    #[test]
    fn the_built_in_world_is_valid() {
        assert_eq!(check(&World::built_in().unwrap()), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_told_by_entry_and_member() {
        let country = |more: &str| {
            let known = r#""name": "Testland", "iso3Code": "TST", "iso2Code": "TS", "phoneCode": "990""#;
            format!(r#"{{ "countries": [{{ {known}{more} }}] }}"#)
        };
        let field = |more: &str| {
            let field = format!(r#"{{ "fieldId": "A", "name": "A"{more} }}"#);
            let set = format!(r#"{{ "fieldSetId": "S", "fieldSetName": "S", "fields": [{field}] }}"#);
            country(&format!(r#", "fields": {{ "recipientFields": [{set}] }}"#))
        };
        let corridor = r#", "destinationCurrencies": ["TSC"], "sourceCurrencies": ["USD"]"#;
        for (json, part) in [
            (r#"{ "countrys": [] }"#.to_owned(), "unknown field `countrys`, expected one of"),
            (country(r#", "regex": 1"#), "countries[0].regex: unknown field `regex`"),
            (country(corridor), "country TST: the currency TSC is not known; add it to currencies"),
            (
                country(r#", "sourceCurrencies": ["USD"]"#),
                "country TST: a corridor needs destinationCurrencies",
            ),
            (country("").replace("TST", "Tst"), "country Tst: iso3Code has to be three uppercase letters"),
            (
                field(r#", "regex": "(""#),
                "fields.recipientFields, set S, field A: regex: the sandbox cannot match",
            ),
            (
                field(r#", "fieldType": "DROPDOWN""#),
                "field A: a DROPDOWN needs either options or optionsSource",
            ),
            (field(r#", "options": 1"#), "options: expected a list of {id, name}"),
            (field(r#", "minLength": 2, "maxLength": 1"#), "field A: minLength is above maxLength"),
            (
                field(r#", "when": { "countries": ["ZZZ"] }"#),
                "field A: when names ZZZ, which is no country here",
            ),
            (
                field(r#", "fieldType": "DROPDOWN", "optionsSource": "/v1/mine""#),
                "optionsSource has to be a path that the sandbox serves",
            ),
            (
                field(
                    r#", "dependencies": { "isRequired": [{ "comparisonOperator": "EQUAL_TO",
                       "comparisonValues": ["x"], "fieldId": "B" }] }"#,
                ),
                "field A: it depends on B, which is no field here",
            ),
            (
                r#"{ "cards": [{ "number": "4", "result": "success" }] }"#.to_owned(),
                "card 4: number has to be 13",
            ),
            (
                r#"{ "cards": [{ "number": "4242424242424242", "result": "fail", "code": "Nope" }] }"#
                    .to_owned(),
                "cards[0].code: unknown variant `Nope`",
            ),
            (
                r#"{ "patterns": { "P": "[" } }"#.to_owned(),
                "patterns.P: the sandbox cannot match this pattern",
            ),
        ] {
            let problem = problem(&json);
            assert!(problem.contains(part), "{json}\n{problem}");
        }
    }
}
