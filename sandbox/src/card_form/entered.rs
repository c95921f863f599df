//! A card as it was typed into the form.

use serde_json::{Map, Value};

use crate::clock::day_of;
use crate::error::ErrorCode;

/// What the form sends. It has no `Debug`, so that it can't be printed by mistake.
pub(super) struct Entered {
    pub(super) number: String,
    month: String,
    year: String,
    name: String,
    security_code: String,
}

impl Entered {
    pub(super) fn read(body: &Map<String, Value>) -> Self {
        let text = |name: &str| match body.get(name) {
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        Self {
            number: text("number").replace([' ', '-'], ""),
            month: text("expiryMonth"),
            year: text("expiryYear"),
            name: text("name"),
            security_code: text("securityCode"),
        }
    }

    /// The first thing that is wrong with what was entered, before the card itself is looked at.
    pub(super) fn problem(&self, now: i64) -> Option<ErrorCode> {
        if self.month.is_empty() || self.year.is_empty() {
            return Some(ErrorCode::ExpiryDateRequired);
        }
        if self.name.split_whitespace().count() < 2 {
            return Some(ErrorCode::MinCardholderNames);
        }
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let code_is_good = matches!(self.security_code.len(), 3 | 4) && digits(&self.security_code);
        let today = day_of(now);
        let month = self.month.parse::<i8>().ok().filter(|month| (1..=12).contains(month));
        let year = self.year.parse::<i16>().ok().map(|year| match year {
            0..100 => year + 2000,
            _ => year,
        });
        let still_valid = match (month, year) {
            (Some(month), Some(year)) => (year, month) >= (today.year(), today.month()),
            _ => false,
        };
        if !code_is_good || !still_valid {
            return Some(ErrorCode::CardProvidedCannotBeUsedForThisTransaction);
        }
        None
    }

    pub(super) fn last_four(&self) -> String {
        let mut last: Vec<char> = self.number.chars().rev().take(4).collect();
        last.reverse();
        last.into_iter().collect()
    }
}
