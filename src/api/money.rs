//! Amounts: whole numbers of minor units, never floats (interface, part 2: Amount object).

use super::currency::Currency;
use super::json::{Codec, JsonRef, Shape, Writer, serde_by_codec};
use super::numerals::{ascii_digit, is_invisible};
use super::record::record;
use super::{Code, Error};

/// More decimal places than any currency has would hide a mistake.
const MAX_DECIMAL_PLACES: i64 = 8;
const ZEROS: &str = "00000000";

record! {
    /// An amount of money: `value / 10^currency.decimalPlaces`.
    Amount {
        /// Minor units; negative for a rebate among a quote's adjustments.
        required value "value": i64,
        required currency "currency": Currency,
    }
}

record! {
    /// A decimal amount in a list of transfers, such as `29.99`. For display, not for calculation.
    ListedAmount {
        /// A number, or exact text from 2^53 minor units on, where JavaScript would round a number.
        optional value "value": ListedValue,
        optional currency "currency": Currency,
    }
}

/// A decimal number of any length, digit by digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedValue(pub String);

impl Codec for ListedValue {
    const SHAPE: &'static Shape = &Shape::Decimal;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        view.owned_string_or_number().map(ListedValue)
    }
    fn write(&self, out: &mut Writer) {
        out.raw(&self.0);
    }
}

serde_by_codec!(ListedValue, "a number");

/// A whole number of minor units, at least 0: an amount that may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MinorUnits(i64);

impl MinorUnits {
    /// Wraps a number of minor units.
    ///
    /// # Errors
    /// [`Code::InvalidAmount`] if it is negative.
    pub fn new(value: i64) -> Result<Self, Error> {
        if value < 0 {
            return Err(Error::invalid(Code::InvalidAmount, "amount", "at least 0"));
        }
        Ok(MinorUnits(value))
    }

    /// Returns the number of minor units.
    pub fn value(self) -> i64 {
        self.0
    }

    /// Parses digits of any script with at most one decimal point, such as `125.50`, without sign, grouping or
    /// exponent. Invisible marks, as pasted texts have them, are ignored.
    ///
    /// # Errors
    /// [`Code::InvalidAmount`] for any other text, more decimals than the currency has, or overflow.
    pub fn parse(text: &str, decimal_places: i64) -> Result<Self, Error> {
        let refuse = |expected: &str| Error::invalid(Code::InvalidAmount, "amount", expected);
        let places = places(decimal_places)?;
        let text: String = text.chars().filter(|c| !is_invisible(*c)).map(plain_sign).collect();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || text.ends_with('.') || !digits(whole) || !digits(fraction) {
            return Err(refuse(
                "a decimal number such as 125.50: digits and a point, without sign or grouping",
            ));
        }
        if fraction.len() > places {
            return Err(refuse("written with no more decimals than the currency has"));
        }
        let minor = [whole, fraction, ZEROS.get(..places - fraction.len()).unwrap_or("")].concat();
        minor.parse().map(MinorUnits).map_err(|_| refuse("smaller: it does not fit"))
    }

    /// Formats the amount as decimal text such as `125.50`, with all decimals of the currency.
    ///
    /// # Errors
    /// [`Code::InvalidAmount`] if `decimal_places` is not from 0 to 8.
    pub fn to_decimal(self, decimal_places: i64) -> Result<String, Error> {
        decimal(self.0, decimal_places)
    }
}

impl Codec for MinorUnits {
    const SHAPE: &'static Shape = &Shape::MinorUnits;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        view.integer().and_then(|value| MinorUnits::new(value).ok())
    }
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }
}

serde_by_codec!(MinorUnits, "a whole number of at least 0");

impl Amount {
    /// Creates an amount of minor units.
    pub fn new(value: i64, currency: Currency) -> Self {
        Amount { value, currency }
    }

    /// Formats the amount as decimal text such as `-3.00`, with all decimals of the currency.
    ///
    /// # Errors
    /// [`Code::InvalidAmount`] if the currency's `decimal_places` are not from 0 to 8.
    pub fn to_decimal(&self) -> Result<String, Error> {
        decimal(self.value, self.currency.decimal_places)
    }
}

/// Returns the digit or the decimal point in ASCII; Arabic and full-width writing have points of their own.
fn plain_sign(c: char) -> char {
    match c {
        '\u{66b}' | '\u{ff0e}' => '.',
        _ => ascii_digit(c).unwrap_or(c),
    }
}

fn places(decimal_places: i64) -> Result<usize, Error> {
    usize::try_from(decimal_places)
        .ok()
        .filter(|_| decimal_places <= MAX_DECIMAL_PLACES)
        .ok_or_else(|| Error::invalid(Code::InvalidAmount, "decimal_places", "a whole number from 0 to 8"))
}

fn decimal(value: i64, decimal_places: i64) -> Result<String, Error> {
    let places = places(decimal_places)?;
    let digits = value.unsigned_abs().to_string();
    let padding = ZEROS.get(..(places + 1).saturating_sub(digits.len())).unwrap_or("");
    let mut text = [if value < 0 { "-" } else { "" }, padding, &digits].concat();
    if places > 0 {
        text.insert(text.len() - places, '.');
    }
    Ok(text)
}

// proptest needs the system's randomness, which wasm lacks.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn invalid_amounts_are_refused_with_a_reason() {
        for (text, places, reason) in [
            ("1.005", 2, "decimals"),
            ("-1", 2, "sign"),
            ("92233720368547758.08", 2, "fit"),
            ("1", 9, "0 to 8"),
            ("1", -1, "0 to 8"),
        ] {
            let error = MinorUnits::parse(text, places).unwrap_err();
            assert_eq!(error.code(), Code::InvalidAmount);
            assert!(error.message().contains(reason), "{text}: {error}");
        }
        assert!(MinorUnits::new(0).is_ok() && MinorUnits::new(-1).is_err());
    }

    /// The package's JavaScript functions pass the same table. Here, amounts beyond 64 bits are refused.
    #[test]
    fn amounts_convert_as_in_the_shared_table() {
        let table = JsonRef::new(include_str!("../../tests/money-vectors.json"));
        let number = |view: JsonRef<'_>| view.text().and_then(|digits| digits.parse::<i64>().ok());
        let rows = |name| table.member(name).unwrap().items();
        for row in rows("toMinorUnits") {
            let (text, places) = (row.text_of("text").unwrap(), row.member("decimals").unwrap().integer());
            let found =
                places.and_then(|places| MinorUnits::parse(&text, places).ok()).map(MinorUnits::value);
            assert_eq!(found, row.member("minor").and_then(number), "{}", row.raw());
        }
        for text in rows("notAmounts") {
            assert!(MinorUnits::parse(&text.text().unwrap(), 2).is_err(), "{}", text.raw());
        }
        for row in rows("fromMinorUnits") {
            let places = row.member("decimals").unwrap().integer();
            let Some(value) = row.member("minor").and_then(number) else { continue };
            let found = places.and_then(|places| decimal(value, places).ok());
            assert_eq!(found.as_deref(), row.text_of("text").as_deref(), "{}", row.raw());
        }
        assert!(
            rows("toMinorUnits").count() > 25
                && rows("notAmounts").count() > 25
                && rows("fromMinorUnits").count() > 15
        );
    }

    proptest! {
        #[test]
        fn minor_units_survive_a_round_trip_through_decimal_text(value in 0i64.., places in 0i64..=8) {
            let text = MinorUnits(value).to_decimal(places).unwrap();
            prop_assert_eq!(MinorUnits::parse(&text, places).unwrap().value(), value);
        }

        #[test]
        fn parsing_never_panics(text in ".*", places: i64) {
            let _ = MinorUnits::parse(&text, places);
        }
    }
}
