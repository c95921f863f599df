//! Check digits, with which a number finds out itself that it was mistyped.

/// Returns whether the check digits of an IBAN are right (ISO 7064, mod 97-10); `None` for what is no IBAN.
pub(super) fn iban(text: &str) -> Option<bool> {
    let bytes = text.as_bytes();
    let length = bytes.len();
    if !(15..=34).contains(&length) {
        return None;
    }
    let mut rest = 0;
    // The country and the check digits count last.
    for at in (4..length).chain(0..4) {
        rest = match bytes.get(at)? {
            byte @ b'0'..=b'9' if at > 1 => (rest * 10 + u32::from(byte - b'0')) % 97,
            byte @ b'A'..=b'Z' if !(2..4).contains(&at) => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
            _ => return None,
        };
    }
    Some(rest == 1)
}

/// Returns whether the last digit of a Mexican CLABE is right; `None` for what is no CLABE.
pub(super) fn clabe(text: &str) -> Option<bool> {
    weighted_sum(text, 18, 18, &[1, 7, 3], 0).map(|sum| sum % 10 == 0)
}

/// Returns whether the last digit of a card's number is right (Luhn); `None` for what is no card's number.
pub(super) fn luhn(text: &str) -> Option<bool> {
    weighted_sum(text, 12, 19, &[1, 2], 1).map(|sum| sum % 10 == 0)
}

/// Returns the sum of the weighted digits of a number of `min` to `max` digits, with weights from its end. Of
/// each product, the tens count `tens` times.
fn weighted_sum(text: &str, min: usize, max: usize, weights: &[u32], tens: u32) -> Option<u32> {
    if !(min..=max).contains(&text.len()) {
        return None;
    }
    let mut sum = 0;
    for (byte, weight) in text.bytes().rev().zip(weights.iter().cycle()) {
        let digit = Some(byte).filter(u8::is_ascii_digit)?;
        let product = u32::from(digit - b'0') * weight;
        sum += product % 10 + product / 10 * tens;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_number_is_found() {
        for (check, right) in [
            (iban as fn(&str) -> Option<bool>, "ES9121000418450200051332"),
            (iban, "GB29NWBK60161331926819"),
            (iban, "NO9386011117947"),
            (clabe, "032180000118359719"),
            (clabe, "002010077777777771"),
            (luhn, "4111111111111111"),
            (luhn, "378282246310005"),
        ] {
            assert_eq!(check(right), Some(true), "{right}");
            // Each other last digit is wrong.
            let start = right.get(..right.len() - 1).unwrap();
            let wrong = (0..10).filter(|digit| check(&format!("{start}{digit}")) == Some(false)).count();
            assert_eq!(wrong, 9, "{right}");
        }
        assert_eq!(clabe("032180000118359710"), Some(false));
        assert_eq!(iban("ES9121000418450200051333"), Some(false));
    }

    #[test]
    fn another_kind_of_number_is_not_judged() {
        for text in
            ["", "12345678", "es9121000418450200051332", "ES91 2100 0418", "E19121000418450200051332", "É"]
        {
            assert_eq!((iban(text), clabe(text), luhn(text)), (None, None, None), "{text}");
        }
        assert_eq!(clabe("03218000011835971X"), None);
        assert_eq!(luhn("4111-1111-1111-1111"), None);
    }
}
