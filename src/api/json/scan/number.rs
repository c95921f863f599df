//! Numbers of any size, without rounding.

use super::{Checked, Mode, Scanner};
use crate::api::Code;
use crate::api::json::writer::SAFE_INTEGER;

impl Scanner<'_> {
    /// Turns an integer of a reply that the engine would round into a string of its digits.
    pub(super) fn any_number(&mut self) -> Checked {
        let start = self.at;
        self.number()?;
        let text = self.text_from(start);
        if matches!(self.mode, Mode::Received) && is_integer(text) && !is_safe(text) {
            self.quote(start);
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
            self.quote(start);
        }
        Ok(())
    }

    pub(super) fn integer(&mut self, first: u8, is_amount: bool) -> Checked {
        let start = self.at;
        let is_received = matches!(self.mode, Mode::Received);
        let is_valid = is_number(first) && {
            self.number()?;
            let text = self.text_from(start);
            let is_exact = is_safe(text);
            self.has_bigints |= !is_exact;
            (is_exact || (is_received || is_amount) && fits(text)) && (is_received || first != b'-')
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
}

pub(super) fn is_number(first: u8) -> bool {
    matches!(first, b'-' | b'0'..=b'9')
}

/// Returns whether the text is an integer that a float represents exactly.
pub(in crate::api::json) fn is_safe(text: &str) -> bool {
    // Fast path: fifteen digits are always safe.
    text.len() < 16 && is_integer(text)
        || text.strip_prefix('-').unwrap_or(text).parse().is_ok_and(|size: u64| size <= SAFE_INTEGER)
}

/// Returns whether the text consists of digits.
pub(in crate::api::json) fn is_integer(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9'))
}

fn fits(text: &str) -> bool {
    is_integer(text) && text.parse::<i64>().is_ok()
}
