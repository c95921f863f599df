use serde_json::{Map, Value};

use crate::clock::day_of;
use crate::error::ErrorCode;

/// A card as it was typed into the form. Not `Debug`, so that it can't be printed by mistake.
pub(super) struct CardEntry {
    pub(super) number: String,
    month: String,
    year: String,
    name: String,
    security_code: String,
}

impl CardEntry {
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

    /// Returns the first problem of anything but the number.
    pub(super) fn problem(&self, now: i64) -> Option<ErrorCode> {
        if self.month.is_empty() || self.year.is_empty() {
            return Some(ErrorCode::ExpiryDateRequired);
        }
        if self.name.split_whitespace().count() < 2 {
            return Some(ErrorCode::MinCardholderNames);
        }
        let code = &self.security_code;
        let code_is_valid = matches!(code.len(), 3 | 4) && code.bytes().all(|byte| byte.is_ascii_digit());
        let month = self.month.parse().ok().filter(|month: &i8| (1..=12).contains(month));
        let year =
            self.year.parse().ok().map(|year: i16| if (0..100).contains(&year) { year + 2000 } else { year });
        let today = day_of(now);
        let is_current = year.zip(month).is_some_and(|expiry| expiry >= (today.year(), today.month()));
        (!code_is_valid || !is_current).then_some(ErrorCode::CardProvidedCannotBeUsedForThisTransaction)
    }

    /// The number must have been found valid: all its characters are digits.
    pub(super) fn last_four(&self) -> String {
        let start = self.number.len().saturating_sub(4);
        self.number.get(start..).unwrap_or_default().to_owned()
    }
}
