//! Currencies and amounts (interface, part 2).

use serde::Serialize;

use NumericCode::{Number, Text};

/// How the service rounds computed amounts of a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum RoundDirection {
    /// To the nearest minor unit; halves up.
    Standard,
    /// Up to the next minor unit.
    Up,
}

/// An ISO 4217 number, which the service sends as text or as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum NumericCode {
    Text(&'static str),
    Number(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Currency {
    pub(crate) name: &'static str,
    pub(crate) iso3_code: &'static str,
    pub(crate) symbol: &'static str,
    pub(crate) decimal_places: u32,
    pub(crate) round_direction: RoundDirection,
    pub(crate) iso4217_code: NumericCode,
    /// The price of a US dollar, in millionths of a major unit.
    #[serde(skip)]
    pub(crate) micros_per_dollar: i64,
}

/// Formats minor units as a decimal: `2999` with two places is `29.99`.
pub(crate) fn decimal(value: i64, places: u32) -> String {
    let scale = 10_u64.saturating_pow(places);
    let sign = if value < 0 { "-" } else { "" };
    let value = value.unsigned_abs();
    if places == 0 {
        return format!("{sign}{value}");
    }
    format!("{sign}{}.{:0width$}", value / scale, value % scale, width = places as usize)
}

const fn currency(
    iso3_code: &'static str,
    iso4217_code: NumericCode,
    name: &'static str,
    symbol: &'static str,
    decimal_places: u32,
    micros_per_dollar: i64,
) -> Currency {
    Currency {
        name,
        iso3_code,
        symbol,
        decimal_places,
        round_direction: RoundDirection::Standard,
        iso4217_code,
        micros_per_dollar,
    }
}

const fn rounding_up(mut currency: Currency) -> Currency {
    currency.round_direction = RoundDirection::Up;
    currency
}

pub(crate) static CURRENCIES: [Currency; 27] = [
    currency("USD", Text("840"), "US Dollar", "$", 2, 1_000_000),
    currency("EUR", Text("978"), "Euro", "€", 2, 920_340),
    currency("GBP", Text("826"), "Pound Sterling", "£", 2, 789_120),
    currency("CAD", Text("124"), "Canadian Dollar", "CA$", 2, 1_364_100),
    currency("MXN", Text("484"), "Mexican Peso", "MX$", 2, 18_431_200),
    currency("COP", Text("170"), "Colombian Peso", "COL$", 2, 4_012_550_000),
    currency("GTQ", Text("320"), "Guatemalan Quetzal", "Q", 2, 7_741_200),
    currency("HNL", Text("340"), "Honduran Lempira", "L", 2, 24_713_000),
    currency("DOP", Text("214"), "Dominican Peso", "RD$", 2, 59_142_000),
    currency("PEN", Text("604"), "Peruvian Sol", "S/", 2, 3_712_500),
    currency("BRL", Text("986"), "Brazilian Real", "R$", 2, 5_402_100),
    currency("CLP", Number(152), "Chilean Peso", "CLP$", 0, 936_240_000),
    rounding_up(currency("PHP", Text("608"), "Philippine Peso", "₱", 2, 56_213_400)),
    currency("INR", Text("356"), "Indian Rupee", "₹", 2, 83_447_100),
    currency("PKR", Text("586"), "Pakistani Rupee", "₨", 2, 278_350_000),
    currency("BDT", Text("050"), "Bangladeshi Taka", "৳", 2, 117_420_000),
    currency("VND", Text("704"), "Vietnamese Dong", "₫", 0, 25_385_000_000),
    currency("JPY", Number(392), "Japanese Yen", "¥", 0, 151_273_400),
    currency("KRW", Text("410"), "South Korean Won", "₩", 0, 1_376_420_000),
    currency("NGN", Text("566"), "Nigerian Naira", "₦", 2, 1_552_300_000),
    currency("GHS", Text("936"), "Ghanaian Cedi", "GH₵", 2, 15_120_000),
    currency("KES", Text("404"), "Kenyan Shilling", "KSh", 2, 129_430_000),
    currency("XOF", Text("952"), "West African CFA Franc", "F CFA", 0, 603_680_000),
    currency("KWD", Number(414), "Kuwaiti Dinar", "KD", 3, 307_120),
    currency("BHD", Text("048"), "Bahraini Dinar", "BD", 3, 376_000),
    rounding_up(currency("JOD", Text("400"), "Jordanian Dinar", "JD", 3, 709_000)),
    currency("TND", Text("788"), "Tunisian Dinar", "DT", 3, 3_118_400),
];

pub(crate) fn by_iso3(code: &str) -> Option<&'static Currency> {
    CURRENCIES.iter().find(|currency| currency.iso3_code == code)
}

pub(crate) mod by_code {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Currency;

    pub(crate) fn serialize<S: Serializer>(currency: &Currency, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(currency.iso3_code)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Currency, D::Error> {
        let code = String::deserialize(from)?;
        super::by_iso3(&code).ok_or_else(|| serde::de::Error::custom("no such currency"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(decimal(2_999, 2), "29.99");
        assert_eq!(decimal(-5, 2), "-0.05");
        assert_eq!(decimal(7, 0), "7");
        assert_eq!(decimal(1_234_567, 3), "1234.567");
        assert_eq!(decimal(i64::MIN, 3), "-9223372036854775.808");
    }
}
