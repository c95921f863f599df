//! The grammar of JSON, independent of shapes.

use std::borrow::Cow;

use super::{Checked, MAX_DEPTH, Mode, Scanner, unescape};
use crate::api::json::schema_error::SchemaError;

impl<'a> Scanner<'a> {
    /// Reads the name of a member and the colon.
    pub(super) fn name(&mut self) -> Result<Cow<'a, str>, Box<SchemaError>> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.malformed();
        }
        self.string()?;
        let name = self.json.get(start..self.at).and_then(unescape).unwrap_or_default();
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return self.malformed();
        }
        self.at += 1;
        self.skip_blanks();
        Ok(name)
    }

    pub(super) fn enter(&mut self, open: u8) -> Checked {
        if self.peek() != Some(open) {
            return self.malformed();
        }
        if self.depth == MAX_DEPTH {
            return self.mismatch("nested less deeply");
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Returns whether the list or object closes here.
    pub(super) fn closes(&mut self, close: u8) -> bool {
        self.skip_blanks();
        let closes = self.peek() == Some(close);
        if closes {
            self.at += 1;
            self.depth -= 1;
        }
        closes
    }

    /// Returns whether the list or object closes here; otherwise consumes the comma.
    pub(super) fn ends(&mut self, close: u8) -> Result<bool, Box<SchemaError>> {
        self.skip_blanks();
        if self.peek() == Some(b',') {
            self.at += 1;
            return Ok(false);
        }
        if self.closes(close) { Ok(true) } else { self.malformed() }
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
            self.skip_plain();
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

    /// Advances to a quotation mark, backslash or control character, eight bytes at a time: names and values
    /// are most of a text.
    fn skip_plain(&mut self) {
        const ONES: u64 = u64::from_ne_bytes([1; 8]);
        let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight;
        while let Some(eight) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
            let eight = u64::from_le_bytes(*eight);
            let control = eight.wrapping_sub(ONES * 0x20) & !eight;
            let quote = zeros(eight ^ (ONES * u64::from(b'"')));
            let backslash = zeros(eight ^ (ONES * u64::from(b'\\')));
            // A borrow may mark a wrong byte, but never before the first right one.
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
                // `fetch` would replace a lone surrogate in what is sent.
                if !matches!(self.mode, Mode::Received)
                    && !self.is_ignored
                    && (0xd800..0xe000).contains(&unit)
                {
                    let is_pair = unit < 0xdc00
                        && self.bytes.get(self.at) == Some(&b'\\')
                        && self.bytes.get(self.at + 1) == Some(&b'u')
                        && (0xdc00..0xe000).contains(&self.unit()?);
                    if !is_pair {
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
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(unit) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return self.malformed();
        };
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

    /// Inlines only the check: the service's replies have almost no blanks.
    #[inline(always)]
    pub(super) fn skip_blanks(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.skip_all_blanks();
        }
    }

    fn skip_all_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn malformed<T>(&self) -> Result<T, Box<SchemaError>> {
        Err(Box::new(SchemaError::Malformed(self.at)))
    }
}
