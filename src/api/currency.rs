//! Currencies and countries (interface, parts 2 and 8).

use super::StringOrNumber;
use super::record::{record, ruled_text};

ruled_text! {
    /// An ISO 4217 code (interface, part 8).
    CurrencyCode, is_code, "an ISO 4217 currency code of 3 uppercase letters such as USD", InvalidRequest
}
ruled_text! {
    /// An ISO 3166-1 alpha-3 code (interface, part 8).
    CountryCode, is_code, "an ISO 3166-1 country code of 3 uppercase letters such as MEX", InvalidRequest
}

record! {
    /// A currency as the service describes it.
    Currency {
        optional name "name": String = with_name,
        /// ISO 4217, such as `USD`.
        required iso3_code "iso3Code": CurrencyCode,
        optional symbol "symbol": String = with_symbol,
        /// How many decimals the minor unit has: 0, 2 and 3 occur. Use this and no table of your own: tables
        /// differ.
        required decimal_places "decimalPlaces": i64,
        /// How the service rounds; `STANDARD` and `UP` occur.
        optional round_direction "roundDirection": String,
        /// The numeric code of ISO 4217.
        optional iso4217_code "iso4217Code": StringOrNumber,
    }
}

impl Currency {
    /// Creates a currency with this number of minor-unit digits.
    pub fn new(iso3_code: CurrencyCode, decimal_places: i64) -> Self {
        let (name, symbol, round_direction, iso4217_code) = Default::default();
        Currency { name, iso3_code, symbol, decimal_places, round_direction, iso4217_code }
    }
}

record! {
    /// A country as the service describes it.
    Country {
        required name "name": String,
        /// ISO 3166-1 alpha-3, such as `MEX`.
        required iso3_code "iso3Code": CountryCode,
        /// ISO 3166-1 alpha-2, such as `MX`.
        required iso2_code "iso2Code": String,
        /// The calling code, such as `52`. Present in a quote's country, absent in a corridor's.
        optional phone_code "phoneCode": StringOrNumber,
    }
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_three_uppercase_letters() {
        assert!(CountryCode::new("MEX").is_ok());
        for text in ["mex", "ME", "MEXI", "M3X", "", "ÄÖ"] {
            let error = CountryCode::new(text).unwrap_err();
            assert_eq!(error.option(), Some("CountryCode"));
            assert!(error.message().contains("3 uppercase letters"), "{error}");
        }
    }
}
