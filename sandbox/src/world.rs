//! The service's world as data: `world.json`, and what a tester's file or request adds.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer};

use crate::country::{Banks, Country, Payer};
use crate::currency::Currency;
use crate::error::{ErrorCode, Problem};
use crate::fields::definition::FieldSets;
use crate::sender_limits::Limits;
use crate::test_cards::TestCard;
use crate::trigger::Trigger;

/// Currencies, countries with their corridors, options, fields and test cards.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct World {
    /// Whether the countries and test cards stay that were there before, as they do by default.
    keep_built_in: Option<bool>,
    /// Patterns that fields name.
    pub(crate) patterns: IndexMap<String, String>,
    pub(crate) currencies: Vec<Currency>,
    pub(crate) countries: Vec<Country>,
    banks: Banks,
    pub(crate) payers: Vec<Payer>,
    /// The limits of new senders.
    limits: Option<Limits>,
    pub(crate) cards: Vec<TestCard>,
    /// How to get each error code; a file adds to them.
    pub(crate) triggers: Vec<Trigger>,
    pub(crate) fields: FieldSets,
}

static BUILT_IN: LazyLock<Result<Arc<World>, String>> = LazyLock::new(|| {
    let world = World::default().with(World::parse(include_str!("../world.json"))?)?;
    Ok(Arc::new(world))
});

impl World {
    pub(crate) fn built_in() -> Result<Arc<Self>, String> {
        BUILT_IN.clone().map_err(|why| format!("sandbox/world.json: {why}"))
    }

    /// Reads the text of a file, whose entries are not checked yet.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut json = serde_json::Deserializer::from_str(text);
        let world = Self::read(&mut json)?;
        json.end().map(|()| world).map_err(|error| error.to_string())
    }

    /// Reads a JSON value, and names the member that is wrong.
    pub(crate) fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Self, String> {
        serde_path_to_error::deserialize(json).map_err(|error| match error.path().to_string().as_str() {
            "." | "?" => error.inner().to_string(),
            path => format!("{path}: {}", error.inner()),
        })
    }

    /// Adds to this world. An entry replaces the one with the same code, name or number.
    ///
    /// # Errors
    /// A sentence on an entry that is given twice.
    pub(crate) fn with(&self, more: Self) -> Result<Self, String> {
        let mut world = self.clone();
        if more.keep_built_in == Some(false) {
            world.keep_built_in = more.keep_built_in;
            world.countries.clear();
            world.cards.clear();
        }
        world.patterns.extend(more.patterns);
        merge(&mut world.currencies, more.currencies, |one| &one.iso3_code, "currencies")?;
        merge(&mut world.countries, more.countries, |one| &one.iso3_code, "countries")?;
        merge(&mut world.cards, more.cards, |one| &one.number, "cards")?;
        world.triggers.splice(0..0, more.triggers);
        replace(&mut world.payers, more.payers);
        if !more.banks.is_empty() {
            world.banks = more.banks;
        }
        world.limits = more.limits.or(world.limits);
        replace(&mut world.fields.sender_fields, more.fields.sender_fields);
        replace(&mut world.fields.recipient_fields, more.fields.recipient_fields);
        replace(&mut world.fields.recipient_account_fields, more.fields.recipient_account_fields);
        replace(&mut world.fields.transfer_fields, more.fields.transfer_fields);
        Ok(world)
    }

    pub(crate) fn country(&self, code: &str) -> Option<&Country> {
        self.countries.iter().find(|country| country.iso3_code == code)
    }

    pub(crate) fn currency(&self, code: &str) -> Option<&Currency> {
        self.currencies.iter().find(|currency| currency.iso3_code == code)
    }

    /// Returns a country that was there when a record was written.
    pub(crate) fn recorded_country(&self, code: &str) -> Result<&Country, Problem> {
        self.country(code).ok_or_else(|| missing(ErrorCode::UnsupportedCountry))
    }

    pub(crate) fn recorded_currency(&self, code: &str) -> Result<&Currency, Problem> {
        self.currency(code).ok_or_else(|| missing(ErrorCode::NoCorridorFoundForSpecificValues))
    }

    pub(crate) fn currencies<'a>(&'a self, codes: &'a [String]) -> Vec<&'a Currency> {
        codes.iter().filter_map(|code| self.currency(code)).collect()
    }

    pub(crate) fn banks<'a>(&'a self, country: &'a Country) -> &'a Banks {
        if country.banks.is_empty() { &self.banks } else { &country.banks }
    }

    pub(crate) fn payers<'a>(&'a self, country: &'a Country) -> &'a [Payer] {
        if country.payers.is_empty() { &self.payers } else { &country.payers }
    }

    /// Whether fields may name countries that are not there any more.
    pub(crate) fn has_gaps(&self) -> bool {
        self.keep_built_in == Some(false)
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits.clone().unwrap_or_default()
    }
}

fn missing(code: ErrorCode) -> Problem {
    Problem::new(code).because("the record is of a corridor that this sandbox has no longer")
}

fn replace<T>(known: &mut Vec<T>, more: Vec<T>) {
    if !more.is_empty() {
        *known = more;
    }
}

/// Replaces entries with the same key, and appends the others.
fn merge<T>(known: &mut Vec<T>, more: Vec<T>, key: fn(&T) -> &String, list: &str) -> Result<(), String> {
    let mut given = HashSet::new();
    if let Some(twice) = more.iter().map(key).find(|one| !given.insert(one.as_str())) {
        return Err(format!("{list} has {twice} twice"));
    }
    for one in more {
        match known.iter_mut().find(|other| key(other) == key(&one)) {
            Some(other) => *other = one,
            None => known.push(one),
        }
    }
    Ok(())
}
