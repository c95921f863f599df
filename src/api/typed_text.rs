//! What is sent for a text as it was typed.

use super::numerals::{ascii_digit, is_invisible, to_plain};

/// Returns what is sent for a text that a field refuses as it was typed: the first form of it that the field
/// accepts, without invisible marks, in ASCII digits, without spaces and hyphens, or in capitals. `None` if it
/// accepts none.
pub(super) fn accepted_form(text: &str, accepts: &dyn Fn(&str) -> bool) -> Option<String> {
    let plain = to_plain(text);
    let plain = plain.trim();
    // Spaces and hyphens are part of a name, but not of a number.
    let has_digits = plain.bytes().any(|byte| byte.is_ascii_digit());
    for left_out in 0..if has_digits { 3 } else { 1 } {
        let is_kept = |c: char| match c {
            ' ' | '\t' => left_out == 0,
            '-' => left_out < 2,
            _ => true,
        };
        let form = plain.chars().filter(|c| is_kept(*c)).collect();
        if let Some(form) = in_accepted_case(form, accepts) {
            return Some(form);
        }
    }
    None
}

/// Returns a text as it is or in capitals, whichever is accepted.
pub(super) fn in_accepted_case(mut text: String, accepts: &dyn Fn(&str) -> bool) -> Option<String> {
    if accepts(&text) {
        return Some(text);
    }
    text.make_ascii_uppercase();
    accepts(&text).then_some(text)
}

/// Returns a text without the marks that people paste unseen. The two joiners stay: some scripts need them.
pub(super) fn without_marks(text: &str) -> String {
    let is_kept = |c: &char| !is_invisible(*c) || matches!(c, '\u{200c}' | '\u{200d}');
    text.chars().filter(is_kept).collect::<String>().trim().to_owned()
}

/// Returns a text with the separators that a pattern such as `^[0-9]{3}-[0-9]{2}$` has between fixed numbers of
/// characters: phones' keys for numbers lack them. `None` for other patterns, and for a text of another length.
pub(super) fn with_separators(text: &str, pattern: &str) -> Option<String> {
    let plain = to_plain(text);
    let mut signs = plain.chars().filter(|c| !matches!(c, ' ' | '\t' | '-'));
    let mut pattern = pattern.strip_prefix('^')?.strip_suffix('$')?.chars().peekable();
    let mut form = String::new();
    while let Some(c) = pattern.next() {
        match (c, pattern.peek()) {
            ('[', _) => _ = pattern.find(|c| *c == ']')?,
            ('\\', Some('d' | 'w')) => _ = pattern.next(),
            ('\\', Some('-' | '.' | '/')) => {
                form.extend(pattern.next());
                continue;
            }
            ('-' | '/' | ' ', _) => {
                form.push(c);
                continue;
            }
            _ => return None,
        }
        let count: usize = match pattern.next_if_eq(&'{') {
            Some(_) => pattern.by_ref().take_while(|c| *c != '}').collect::<String>().parse().ok()?,
            None => 1,
        };
        for _ in 0..count {
            form.push(signs.next()?);
        }
    }
    signs.next().is_none().then_some(form)
}

/// Returns a number that is written in other digits, or with invisible marks, in ASCII digits; `None` for any
/// other text, which is sent as it was typed.
pub(super) fn plain_number(text: &str) -> Option<String> {
    let is_number =
        text.chars().all(|c| ascii_digit(c).is_some() || is_invisible(c) || matches!(c, ' ' | '-'));
    let plain = to_plain(text);
    (is_number && plain != text && plain.bytes().any(|byte| byte.is_ascii_digit()))
        .then(|| plain.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_iban(text: &str) -> bool {
        text.len() == 24
            && text.starts_with("ES")
            && text.get(2..).unwrap().bytes().all(|byte| byte.is_ascii_digit())
    }

    #[test]
    fn a_number_is_sent_as_its_field_accepts_it() {
        for typed in [
            "ES91 2100 0418 4502 0005 1332",
            "es9121000418450200051332",
            "ES91-2100-0418-4502-0005-1332",
            "\u{202a}ＥＳ９１ 2100\u{a0}0418\u{2011}4502 0005 1332\u{202c}",
            " es91 ٢١٠٠ 0418 4502 0005 1332\u{200f}",
        ] {
            assert_eq!(
                accepted_form(typed, &is_iban).as_deref(),
                Some("ES9121000418450200051332"),
                "{typed}"
            );
        }
        for typed in ["ES91 2100", "", "ES91.2100.0418.4502.0005.1332", "XX91 2100 0418 4502 0005 1332"] {
            assert_eq!(accepted_form(typed, &is_iban), None, "{typed}");
        }
        // The form that differs least.
        assert_eq!(accepted_form("a-1 b", &|text| !text.contains(' ')).as_deref(), Some("a-1b"));
        assert_eq!(accepted_form("sw1a 1aa", &|text| text == "SW1A 1AA").as_deref(), Some("SW1A 1AA"));
    }

    #[test]
    fn a_name_keeps_its_words() {
        let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
        assert_eq!(accepted_form("Mary Jane", &letters), None);
        assert_eq!(accepted_form(" Mary\u{200b}", &letters).as_deref(), Some("Mary"));
        assert_eq!(accepted_form("caixesbb", &|text| text == "CAIXESBB").as_deref(), Some("CAIXESBB"));
    }

    #[test]
    fn marks_that_nobody_sees_are_left_out() {
        for (typed, sent) in [
            (" Ana\u{200b}María\u{200e} ", "AnaMaría"),
            ("a@b\u{feff}.co", "a@b.co"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ] {
            assert_eq!(without_marks(typed), sent);
        }
    }

    #[test]
    fn separators_that_a_keypad_lacks_are_put_in() {
        for (pattern, typed, sent) in [
            ("^[0-9]{3}-[0-9]{2}-[0-9]{4}$", "123456789", Some("123-45-6789")),
            ("^[0-9]{3}-[0-9]{2}-[0-9]{4}$", " 123 45-٦٧٨٩", Some("123-45-6789")),
            (r"^\d{3}\.\d{3}\.\d{3}\-\d{2}$", "12345678901", Some("123.456.789-01")),
            (r"^\d\d/\d$", "123", Some("12/3")),
            (r"^\d{3}-\d{4}$", "123456", None),
            (r"^\d{3}-\d{4}$", "12345678", None),
            (r"^\d+-\d+$", "1234", None),
            (r"^\d{2,3}-\d$", "123", None),
            (r"^(\d{3})-\d$", "1234", None),
            (r"^\d{3}-?\d$", "1234", None),
            (r"^\d.\d$", "12", None),
            ("^[0-9", "1", None),
            (r"^\d{9999999999}$", "1", None),
        ] {
            assert_eq!(with_separators(typed, pattern).as_deref(), sent, "{pattern} {typed}");
        }
    }

    #[test]
    fn only_numbers_change_without_a_pattern() {
        for (typed, sent) in [
            ("١٢٣ ٤٥", Some("123 45")),
            ("\u{200e}12345", Some("12345")),
            ("１２-３", Some("12-3")),
            ("12345", None),
            ("Calle ٥", None),
            ("", None),
            ("\u{200e}", None),
        ] {
            assert_eq!(plain_number(typed).as_deref(), sent, "{typed}");
        }
    }
}
