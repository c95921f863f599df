use super::json_ref::BIGINT_END;

pub(super) const SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Writes JSON text.
#[derive(Default)]
pub struct Writer {
    out: String,
    needs_comma: bool,
}

impl Writer {
    /// The text written so far.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    /// An object; `members` writes its members.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.nest('{', '}', members);
    }

    /// An array; `items` announces each item with [`Writer::item`] and writes it.
    pub fn list(&mut self, items: impl FnOnce(&mut Self)) {
        self.nest('[', ']', items);
    }

    /// Begins a member; its value comes next.
    #[inline(never)]
    pub fn member(&mut self, name: &str) {
        self.item();
        self.text(name);
        self.out.push(':');
    }

    /// A member that is a string.
    #[inline(never)]
    pub fn text_member(&mut self, name: &str, value: &str) {
        self.member(name);
        self.text(value);
    }

    /// A member that is a whole number.
    pub fn number_member(&mut self, name: &str, value: u64) {
        self.member(name);
        self.out.push_str(&digits_of(value));
    }

    /// Begins an item of an array; its value comes next.
    pub fn item(&mut self) {
        if self.needs_comma {
            self.out.push(',');
        }
        self.needs_comma = true;
    }

    /// Text that is JSON already.
    pub fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    /// A string.
    pub fn text(&mut self, value: &str) {
        self.out.push('"');
        // Mostly there is nothing to escape.
        if value.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
            value.chars().for_each(|c| self.escaped(c));
        } else {
            self.out.push_str(value);
        }
        self.out.push('"');
    }

    fn escaped(&mut self, c: char) {
        match c {
            '"' => self.out.push_str("\\\""),
            '\\' => self.out.push_str("\\\\"),
            '\n' => self.out.push_str("\\n"),
            c if c < ' ' => {
                let code = c as u32;
                self.out.push_str("\\u00");
                self.out.push(if code >= 16 { '1' } else { '0' });
                self.out.push(char::from_digit(code % 16, 16).unwrap_or('0'));
            }
            c => self.out.push(c),
        }
    }

    /// A whole number as it stands in a received text: beyond 2^53 it is a string that the boundary makes a
    /// bigint of.
    pub(crate) fn received_integer(&mut self, value: i64) {
        let digits = signed_digits_of(value);
        if value.unsigned_abs() <= SAFE_INTEGER {
            self.raw(&digits);
        } else {
            self.raw("\"");
            self.raw(&digits);
            self.raw(BIGINT_END);
        }
    }

    fn nest(&mut self, open: char, close: char, inside: impl FnOnce(&mut Self)) {
        self.out.push(open);
        self.needs_comma = false;
        inside(self);
        self.out.push(close);
        self.needs_comma = true;
    }
}

/// The decimal digits of a number. `to_string` brings the whole machinery of formats along.
pub(crate) fn digits_of(mut value: u64) -> String {
    let mut digits = String::new();
    loop {
        digits.insert(0, char::from(b"0123456789".get((value % 10) as usize).copied().unwrap_or(b'0')));
        value /= 10;
        if value == 0 {
            return digits;
        }
    }
}

/// The same with a sign before it, where it is below 0.
pub(crate) fn signed_digits_of(value: i64) -> String {
    let digits = digits_of(value.unsigned_abs());
    if value < 0 { ["-", &digits].concat() } else { digits }
}
