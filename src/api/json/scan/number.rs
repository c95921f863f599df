//! Numbers of any size, without rounding.

use super::{Checked, Mode, Scanner};
use crate::api::Code;
use crate::api::json::json_ref::BIGINT_END;
use crate::api::json::rows::Edit;
use crate::api::json::writer::SAFE_INTEGER;

/// The start of a string that represents a caller's bigint: a lone surrogate, which no sent text contains.
const BIGINT_START: &str = "\"\\ud800";

impl Scanner<'_> {
    /// Turns an integer of a reply that the engine would round into a string of its digits.
    pub(super) fn any_number(&mut self) -> Checked {
        let start = self.at;
        self.number()?;
        let text = self.text_from(start);
        let is_integer = text.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9'));
        if matches!(self.mode, Mode::Received) && is_integer && !is_safe(text) {
            self.quote(start, "\"");
        }
        Ok(())
    }

    /// Turns a decimal with more digits than a float keeps into a string.
    pub(super) fn decimal(&mut self) -> Checked {
        let start = self.at;
        self.number()?;
        let text = self.text_from(start).as_bytes();
        let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
        let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
        let is_plain = text.iter().all(|byte| matches!(byte, b'-' | b'.' | b'0'..=b'9'));
        // More decimals than any currency has come from a float, which reads them back unchanged.
        if is_plain && digits > 15 && text.len() <= point + 9 {
            self.quote(start, "\"");
        }
        Ok(())
    }

    pub(super) fn integer(&mut self, first: u8, is_amount: bool) -> Checked {
        let start = self.at;
        let is_received = matches!(self.mode, Mode::Received);
        let is_valid = if is_number(first) {
            self.number()?;
            let text = self.text_from(start);
            if is_received && !is_safe(text) {
                self.quote(start, BIGINT_END);
                self.has_bigints = true;
                fits(text)
            } else {
                is_safe(text) && (is_received || first != b'-')
            }
        } else {
            first == b'"' && is_amount && !is_received && self.bigint(start)
        };
        match is_valid {
            true => Ok(()),
            false if is_amount => self.breach(
                "a whole number of minor units, at least 0 (a bigint beyond 2^53)",
                Some(Code::InvalidAmount),
            ),
            false => self.mismatch("a whole number, at least 0"),
        }
    }

    /// Replaces a caller's bigint by its digits; returns false if the string is none.
    fn bigint(&mut self, start: usize) -> bool {
        let marked = self.json.get(start..).and_then(|text| text.strip_prefix(BIGINT_START));
        let digits = marked.and_then(|marked| marked.split_once('"')).map(|(digits, _)| digits);
        let Some(digits) = digits.filter(|digits| !digits.starts_with('-') && fits(digits)) else {
            return false;
        };
        let from = start + BIGINT_START.len();
        self.at = from + digits.len() + 1;
        self.edits.push(Edit { from: start, to: from, with: "" });
        self.edits.push(Edit { from: self.at - 1, to: self.at, with: "" });
        true
    }
}

pub(super) fn is_number(first: u8) -> bool {
    matches!(first, b'-' | b'0'..=b'9')
}

/// Returns whether the text is an integer that a float represents exactly.
fn is_safe(text: &str) -> bool {
    // Fast path: fifteen digits are always safe.
    text.len() < 16 && text.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9'))
        || text.strip_prefix('-').unwrap_or(text).parse().is_ok_and(|size: u64| size <= SAFE_INTEGER)
}

fn fits(digits: &str) -> bool {
    digits.bytes().all(|b| b.is_ascii_digit() || b == b'-') && digits.parse::<i64>().is_ok()
}
