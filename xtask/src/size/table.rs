//! Tables on the terminal: a name and numbers in columns.

use std::fmt::Write as _;

use super::bytes::Bytes;

pub(super) struct Table {
    head: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    pub(super) fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|name| (*name).to_owned()).collect(), rows: Vec::new() }
    }

    /// A table of bytes in their three forms.
    pub(super) fn of_bytes<'a>(name: &str, rows: impl IntoIterator<Item = (&'a str, Bytes)>) -> Table {
        let mut table = Table::new(&[name, "raw", "gzip 9", "brotli 11"]);
        for (name, bytes) in rows {
            table.row(name, &[bytes.raw, bytes.gzip, bytes.brotli]);
        }
        table
    }

    pub(super) fn row(&mut self, name: &str, numbers: &[usize]) {
        self.rows.push((name.to_owned(), numbers.iter().map(|number| grouped(*number)).collect()));
    }

    pub(super) fn text(&self) -> String {
        let names = self.rows.iter().map(|(name, _)| name).chain(self.head.first());
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let mut lines = Vec::new();
        if let Some((name, columns)) = self.head.split_first() {
            lines.push(line(width, name, columns));
        }
        lines.extend(self.rows.iter().map(|(name, columns)| line(width, name, columns)));
        lines.join("\n")
    }
}

fn line(width: usize, name: &str, columns: &[String]) -> String {
    let mut text = format!("{name:<width$}");
    for column in columns {
        let _ = write!(text, "  {column:>10}");
    }
    text
}

/// `1234567` as `1,234,567`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn columns_line_up() {
        let bytes = |raw| Bytes { raw, gzip: raw / 2, brotli: raw / 3 };
        let rows = [("wasm", bytes(150_000)), ("first load", bytes(1_234_567))];
        let table = Table::of_bytes("bytes", rows).text();
        let lengths: Vec<usize> = table.lines().map(str::len).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{table}");
        assert!(table.contains("1,234,567     617,283     411,522"), "{table}");
    }
}
