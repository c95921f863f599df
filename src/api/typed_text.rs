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
        let mut form: String = plain.chars().filter(|c| is_kept(*c)).collect();
        if accepts(&form) {
            return Some(form);
        }
        form.make_ascii_uppercase();
        if accepts(&form) {
            return Some(form);
        }
    }
    None
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
