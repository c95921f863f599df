//! The grammar of JSON, whatever the shape.

use std::borrow::Cow;

use super::{Checked, DEEPEST, Mode, Scanner, unescape};
use crate::api::json::schema_error::SchemaError;

impl<'a> Scanner<'a> {
    /// The name of a member, with the colon behind it.
    pub(super) fn name(&mut self) -> Result<Cow<'a, str>, Box<SchemaError>> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(Box::new(SchemaError::Malformed(self.at)));
        }
        self.string()?;
        let name = self.json.get(start..self.at).and_then(unescape).unwrap_or_default();
        self.blank();
        if self.peek() != Some(b':') {
            return Err(Box::new(SchemaError::Malformed(self.at)));
        }
        self.at += 1;
        self.blank();
        Ok(name)
    }

    pub(super) fn enter(&mut self, open: u8) -> Checked {
        if self.peek() != Some(open) {
            return self.malformed();
        }
        if self.depth == DEEPEST {
            return self.mismatch("nested less deeply");
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    pub(super) fn closes(&mut self, close: u8) -> bool {
        self.blank();
        let closes = self.peek() == Some(close);
        if closes {
            self.at += 1;
            self.depth -= 1;
        }
        closes
    }

    /// Whether a list or an object is over; otherwise it has gone over the comma.
    pub(super) fn ends(&mut self, close: u8) -> Result<bool, Box<SchemaError>> {
        self.blank();
        if self.peek() == Some(b',') {
            self.at += 1;
            return Ok(false);
        }
        if self.closes(close) { Ok(true) } else { Err(Box::new(SchemaError::Malformed(self.at))) }
    }

    pub(super) fn number(&mut self) -> Checked {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Checked {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { self.malformed() } else { Ok(()) }
    }

    pub(super) fn string(&mut self) -> Checked {
        self.at += 1;
        loop {
            self.plain();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                _ => return self.malformed(),
            }
        }
    }

    /// Goes on to a quotation mark, a backslash or a control character, eight bytes at a time: names and values
    /// are most of what there is to read.
    fn plain(&mut self) {
        const ONES: u64 = u64::from_ne_bytes([1; 8]);
        let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight;
        while let Some(eight) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
            let eight = u64::from_le_bytes(*eight);
            let control = eight.wrapping_sub(ONES * 0x20) & !eight;
            let quote = zeros(eight ^ (ONES * u64::from(b'"')));
            let backslash = zeros(eight ^ (ONES * u64::from(b'\\')));
            // A borrow may mark a byte too many, but never before the first that is right.
            let marks = (control | quote | backslash) & (ONES * 0x80);
            self.at += marks.trailing_zeros() as usize / 8;
            if marks != 0 {
                return;
            }
        }
        while self.peek().is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
            self.at += 1;
        }
    }

    fn escape(&mut self) -> Checked {
        match self.bytes.get(self.at + 1) {
            Some(b'u') => {
                let unit = self.unit()?;
                // Half a character is a reply's own affair, but would change on its way out.
                if !matches!(self.mode, Mode::Received)
                    && !self.is_left_out
                    && (0xd800..0xe000).contains(&unit)
                {
                    let whole = unit < 0xdc00
                        && self.bytes.get(self.at) == Some(&b'\\')
                        && self.bytes.get(self.at + 1) == Some(&b'u')
                        && (0xdc00..0xe000).contains(&self.unit()?);
                    if !whole {
                        return self.mismatch("well-formed text, without half a surrogate pair");
                    }
                }
                Ok(())
            }
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            _ => self.malformed(),
        }
    }

    fn unit(&mut self) -> Result<u32, Box<SchemaError>> {
        let digits = self.json.get(self.at + 2..self.at + 6);
        let unit = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = unit
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| Box::new(SchemaError::Malformed(self.at)))?;
        self.at += 6;
        Ok(unit)
    }

    pub(super) fn word(&mut self, word: &str) -> bool {
        let found = self.json.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        if found {
            self.at += word.len();
        }
        found
    }

    /// What the service writes has mostly none.
    #[inline(always)]
    pub(super) fn blank(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.blanks();
        }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn malformed(&self) -> Checked {
        Err(Box::new(SchemaError::Malformed(self.at)))
    }
}
