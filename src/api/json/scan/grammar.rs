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
        let name = unescape(self.text_from(start)).unwrap_or_default();
        self.skip_blanks();
        if !self.take(b':') {
            return self.malformed();
        }
        self.skip_blanks();
        Ok(name)
    }

    pub(super) fn enter(&mut self, open: u8) -> Checked {
        if !self.take(open) {
            return self.malformed();
        }
        if self.depth == MAX_DEPTH {
            return self.mismatch("nested less deeply");
        }
        self.depth += 1;
        Ok(())
    }

    /// Returns whether the list or object closes here.
    pub(super) fn closes(&mut self, close: u8) -> bool {
        self.skip_blanks();
        let closes = self.take(close);
        self.depth -= usize::from(closes);
        closes
    }

    /// Returns whether the list or object closes here; otherwise advances over the comma.
    pub(super) fn ends(&mut self, close: u8) -> Result<bool, Box<SchemaError>> {
        if self.closes(close) {
            return Ok(true);
        }
        if !self.take(b',') {
            return self.malformed();
        }
        self.skip_blanks();
        Ok(false)
    }

    pub(super) fn number(&mut self) -> Checked {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
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
                Some(b'\\') => self.escape()?,
                _ if self.take(b'"') => return Ok(()),
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
                    let has_next = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"\\u"));
                    if unit >= 0xdc00 || !has_next || !(0xdc00..0xe000).contains(&self.unit()?) {
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

    /// Advances over a byte, if it is this one.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn malformed<T>(&self) -> Result<T, Box<SchemaError>> {
        Err(Box::new(SchemaError::Malformed(self.at)))
    }
}
