//! Currencies and amounts (interface, part 2).

use serde::{Deserialize, Serialize};

/// How the service rounds computed amounts of a currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum RoundDirection {
    /// To the nearest minor unit; halves up.
    #[default]
    Standard,
    /// Up to the next minor unit.
    Up,
}

/// An ISO 4217 number, which the service sends as text or as a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number of three digits, or text")]
pub(crate) enum NumericCode {
    Text(String),
    Number(u16),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Currency {
    pub(crate) name: String,
    pub(crate) iso3_code: String,
    pub(crate) symbol: String,
    pub(crate) decimal_places: u32,
    #[serde(default)]
    pub(crate) round_direction: RoundDirection,
    pub(crate) iso4217_code: NumericCode,
    /// The price of a US dollar, in millionths of a major unit.
    #[serde(skip_serializing)]
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
