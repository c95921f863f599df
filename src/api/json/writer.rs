use crate::api::opaque::opaque_debug;

pub(super) const SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Writes JSON text.
#[derive(Default)]
pub struct Writer {
    out: String,
    needs_comma: bool,
}

opaque_debug!([] Writer);

impl Writer {
    /// Writes an object; `members` writes its members.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.nest('{', '}', members);
    }

    /// Writes an array of what `write` writes for each item.
    pub(crate) fn list_of<T>(&mut self, items: impl IntoIterator<Item = T>, write: impl Fn(&mut Self, T)) {
        self.nest('[', ']', |out| {
            for item in items {
                out.separate();
                write(out, item);
            }
        });
    }

    /// Begins a member; its value must follow.
    #[inline(never)]
    pub fn member(&mut self, name: &str) {
        self.separate();
        self.text(name);
        self.out.push(':');
    }

    /// Writes a string member.
    #[inline(never)]
    pub fn text_member(&mut self, name: &str, value: &str) {
        self.member(name);
        self.text(value);
    }

    /// Writes a member whose value is JSON text.
    pub fn raw_member(&mut self, name: &str, json: &str) {
        self.member(name);
        self.raw(json);
    }

    fn separate(&mut self) {
        if self.needs_comma {
            self.out.push(',');
        }
        self.needs_comma = true;
    }

    /// Writes JSON text.
    pub fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    /// Writes a string.
    pub fn text(&mut self, value: &str) {
        self.out.push('"');
        // Fast path: most texts have nothing to escape.
        if value.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
            value.chars().for_each(|c| self.escape(c));
        } else {
            self.out.push_str(value);
        }
        self.out.push('"');
    }

    fn escape(&mut self, c: char) {
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

    fn nest(&mut self, open: char, close: char, inside: impl FnOnce(&mut Self)) {
        self.out.push(open);
        self.needs_comma = false;
        inside(self);
        self.out.push(close);
        self.needs_comma = true;
    }
}

/// Returns the JSON text that `write` writes.
pub(crate) fn write_json(write: impl FnOnce(&mut Writer)) -> String {
    let mut out = Writer::default();
    write(&mut out);
    out.out
}

/// Returns the JSON text of an object, whose members `write` writes.
pub(crate) fn write_object(write: impl FnOnce(&mut Writer)) -> String {
    write_json(|out| out.object(write))
}
