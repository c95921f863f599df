//! Phone numbers as people and browsers write them.

use super::numerals::to_plain;

/// How the numbers of countries are written, for each group of countries a line: how long fixed and mobile
/// numbers are (two hexadecimal digits), what people dial before them within the country, with spaces between,
/// and the countries (ISO 3166-1 alpha-3), each with its calling code. From Google's libphonenumber; Mexico
/// also has what was dialled until 2019.
static PLANS: &[u8] = include_bytes!("phone_plans.txt");

/// More prefixes than this do not stand before one number.
const MAX_PREFIXES: u32 = 3;

/// How the numbers of a country are written.
#[derive(Clone, Copy)]
pub(super) struct PhonePlan {
    calling_code: &'static [u8],
    min: u8,
    max: u8,
    /// What people dial before a number within the country, with spaces between.
    prefixes: &'static [u8],
}

impl PhonePlan {
    /// Returns the plan of a country.
    pub(super) fn of(country: &str) -> Option<Self> {
        let country = country.as_bytes();
        // No other letters are uppercase, so three of them are one country.
        if country.len() != 3 || !country.iter().all(u8::is_ascii_uppercase) {
            return None;
        }
        let at = PLANS.windows(3).position(|part| part == country)?;
        let (before, after) = PLANS.split_at_checked(at)?;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let row = PLANS.get(start..)?;
        let (min, max) = (length_of(*row.first()?), length_of(*row.get(1)?));
        let calling_code = leading(after.get(3..)?, u8::is_ascii_digit);
        let prefixes = leading(row.get(2..)?, |byte| !byte.is_ascii_uppercase());
        Some(PhonePlan { calling_code, min, max, prefixes })
    }

    /// Returns whether numbers of the country have as many digits, without calling code and prefixes.
    pub(super) fn fits(&self, number: &[u8]) -> bool {
        (usize::from(self.min)..=usize::from(self.max)).contains(&number.len())
    }

    /// Removes what stands before a number: the calling code, also after what is dialled to call abroad, and
    /// what is dialled within the country. `None` if no number remains.
    fn without_prefixes<'a>(&self, digits: &'a [u8], left: u32) -> Option<&'a [u8]> {
        if self.fits(digits) {
            return Some(digits);
        }
        let left = left.checked_sub(1)?;
        for exit in [&b""[..], b"00", b"011"] {
            let rest = digits.strip_prefix(exit).and_then(|rest| rest.strip_prefix(self.calling_code));
            if let Some(number) = rest.and_then(|rest| self.without_prefixes(rest, left)) {
                return Some(number);
            }
        }
        for prefix in self.prefixes.split(|byte| *byte == b' ').filter(|prefix| !prefix.is_empty()) {
            let rest = digits.strip_prefix(prefix);
            if let Some(number) = rest.and_then(|rest| self.without_prefixes(rest, left)) {
                return Some(number);
            }
        }
        None
    }

    fn national<'a>(&self, digits: &'a [u8]) -> &'a [u8] {
        let mut number = digits;
        loop {
            // Where people dial 0 first, numbers do not begin with it.
            let without_zero =
                number.strip_prefix(b"0").filter(|rest| self.prefixes == b"0" && self.fits(rest));
            let shorter = without_zero.filter(|_| !number.starts_with(b"00"));
            match shorter.or_else(|| self.without_prefixes(number, MAX_PREFIXES)) {
                Some(found) if found.len() < number.len() => number = found,
                _ => return number,
            }
        }
    }
}

/// Returns what `text` begins with.
fn leading(text: &[u8], is_part: impl Fn(&u8) -> bool) -> &[u8] {
    let end = text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn length_of(digit: u8) -> u8 {
    if digit > b'9' { digit - b'a' + 10 } else { digit - b'0' }
}

/// Returns the calling code of a country (ISO 3166-1 alpha-3), such as `52`, if it is known.
pub fn calling_code(country: &str) -> Option<&'static str> {
    PhonePlan::of(country).and_then(|plan| std::str::from_utf8(plan.calling_code).ok())
}

/// Returns the digits of a number within its country: without punctuation, calling code, and what people dial
/// before it. `calling_code` is the one that the page knows, if any. `None` if the text is no phone number, or
/// one of another country.
pub(super) fn national_number(text: &str, country: &str, calling_code: &str) -> Option<String> {
    let plan = PhonePlan::of(country);
    let plain = to_plain(text);
    let plain = plain.trim().as_bytes();
    let is_international = plain.starts_with(b"+") || plain.starts_with(b"00");
    let mut digits = String::new();
    for (at, byte) in plain.iter().enumerate() {
        match byte {
            // A 0 in parentheses is dialled only within the country.
            b'0' if is_international && plain.get(at.wrapping_sub(1)..at + 2) == Some(b"(0)") => {}
            b'0'..=b'9' => digits.push(char::from(*byte)),
            b'+' if digits.is_empty() => {}
            b' ' | b'\t' | b'-' | b'.' | b'/' | b'(' | b')' => {}
            _ => return None,
        }
    }
    let mut number = digits.as_bytes();
    if is_international {
        let international = number.strip_prefix(b"00").unwrap_or(number);
        let given: String = calling_code.chars().filter(char::is_ascii_digit).collect();
        let known = plan.map_or(&b""[..], |plan| plan.calling_code);
        let codes = [known, given.as_bytes()];
        let mut of_codes = codes.iter().filter(|code| !code.is_empty());
        match of_codes.find_map(|code| international.strip_prefix(*code)) {
            Some(rest) => number = rest,
            None if plain.starts_with(b"+") => return None,
            None => {}
        }
    }
    let number = plan.map_or(number, |plan| plan.national(number)).len();
    // Only what stands before it was removed.
    digits.drain(..digits.len() - number);
    (number > 0).then_some(digits)
}

// proptest needs the system's randomness, which wasm lacks.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A saved number that is sent again stays as it is.
        #[test]
        fn a_number_that_was_read_is_read_as_itself(text in "[+0-9 ()-]{0,20}", at in 0usize..240) {
            let country = countries()[at];
            if let Some(number) = national_number(&text, country, "") {
                let again = national_number(&number, country, "");
                prop_assert_eq!(again, Some(number), "{} in {}", text, country);
            }
        }
    }

    fn countries() -> Vec<&'static str> {
        let of_row = |row: &'static str| {
            let (start, _) = row.char_indices().find(|(_, c)| c.is_ascii_uppercase()).unwrap();
            row.get(start..)
                .unwrap()
                .split(|c: char| c.is_ascii_digit())
                .filter(|country| !country.is_empty())
        };
        std::str::from_utf8(PLANS).unwrap().lines().flat_map(of_row).collect()
    }

    #[test]
    fn every_plan_can_be_read() {
        let countries = countries();
        for country in &countries {
            let plan = PhonePlan::of(country).unwrap();
            assert!(plan.min <= plan.max && plan.max <= 15, "{country}");
            assert!(
                calling_code(country).unwrap().parse::<u32>().is_ok_and(|code| (1..999).contains(&code)),
                "{country}"
            );
        }
        assert_eq!(countries.len(), 243);
        assert_eq!(countries.iter().collect::<std::collections::HashSet<_>>().len(), 243);
        for (country, code) in [("MEX", "52"), ("USA", "1"), ("GBR", "44"), ("DOM", "1"), ("ZWE", "263")] {
            assert_eq!(calling_code(country), Some(code));
        }
        for other in ["XXX", "", "M", "ME", "MEX52", "X52", "52", "mex", "|", "0|A", "\u{e9}A"] {
            assert_eq!(calling_code(other), None, "{other}");
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (country, expected, texts) in [
            (
                "MEX",
                "5512345678",
                &[
                    "55 1234 5678",
                    "+52 55 1234 5678",
                    "(55) 1234-5678",
                    "55\u{a0}1234\u{202f}5678",
                    "044 55 1234 5678",
                    "045 55 1234 5678",
                    "01 55 1234 5678",
                    "1 55 1234 5678",
                    "+52 1 55 1234 5678",
                    "52 55 1234 5678",
                    "+52 52 55 1234 5678",
                    "0052 55 1234 5678",
                    "011 52 1 55 1234 5678",
                    "+52 044 55 1234 5678",
                    "٥٥ ١٢٣٤ ٥٦٧٨",
                    "５５－１２３４－５６７８",
                    "\u{202a}+52 55 1234 5678\u{202c}",
                    "55.1234.5678",
                    "55/12345678",
                ][..],
            ),
            (
                "GBR",
                "7911123456",
                &[
                    "07911 123456",
                    "+44 (0)7911 123456",
                    "+44 7911 123456",
                    "0044 7911 123456",
                    "447911123456",
                ],
            ),
            (
                "DEU",
                "15123456789",
                &["0151 23456789", "+49 151 23456789", "+49 (0) 151 23456789", "0049 151/23456789"],
            ),
            ("IND", "9876543210", &["098765 43210", "+91-98765-43210", "91 98765 43210", "९८७६५४३२१०"]),
            (
                "PHL",
                "9171234567",
                &["0917 123 4567", "+63 917 123 4567", "63 917 123 4567", "(0917) 123-4567"],
            ),
            ("USA", "9125550142", &["(912) 555-0142", "+1 912 555 0142", "1-912-555-0142", "912.555.0142"]),
            ("RUS", "9123456789", &["8 912 345-67-89", "+7 912 345-67-89", "7 912 345 67 89"]),
            ("HUN", "301234567", &["06 30 123 4567", "+36 30 123 4567", "+36 06 30 123 4567"]),
            // Part of the number.
            ("ITA", "0612345678", &["06 1234 5678", "+39 06 1234 5678"]),
            ("CIV", "0712345678", &["07 12 34 56 78", "+225 07 12 34 56 78"]),
            // Too few digits: nothing is guessed.
            ("MEX", "551234567", &["55-1234-567"]),
            ("XXX", "05512345678", &["055 1234-5678"]),
        ] {
            for text in texts {
                assert_eq!(
                    national_number(text, country, "").as_deref(),
                    Some(expected),
                    "{text} in {country}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_number_of_the_country_stays() {
        for text in [
            "+1 912 555 0142",
            "call me",
            "55 1234 5678 ext. 9",
            "55 1234 5678 x9",
            "",
            "+",
            "()",
            "5512+345678",
        ] {
            assert_eq!(national_number(text, "MEX", "52"), None, "{text}");
        }
        assert_eq!(national_number("+999 1234", "XXX", "+999").as_deref(), Some("1234"));
        // A service may count the area into the calling code.
        assert_eq!(national_number("+1 809 555 0142", "DOM", "1809").as_deref(), Some("8095550142"));
    }
}
