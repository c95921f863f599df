use serde::Serialize;

/// A destination country, as quotes contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Country {
    pub(crate) name: &'static str,
    pub(crate) iso3_code: &'static str,
    pub(crate) iso2_code: &'static str,
    pub(crate) phone_code: &'static str,
}

const fn country(
    iso3_code: &'static str,
    iso2_code: &'static str,
    phone_code: &'static str,
    name: &'static str,
) -> Country {
    Country { name, iso3_code, iso2_code, phone_code }
}

/// All known countries. The last few have no corridor.
pub(crate) static COUNTRIES: [Country; 31] = [
    country("MEX", "MX", "52", "Mexico"),
    country("COL", "CO", "57", "Colombia"),
    country("GTM", "GT", "502", "Guatemala"),
    country("SLV", "SV", "503", "El Salvador"),
    country("HND", "HN", "504", "Honduras"),
    country("DOM", "DO", "1", "Dominican Republic"),
    country("PER", "PE", "51", "Peru"),
    country("BRA", "BR", "55", "Brazil"),
    country("CHL", "CL", "56", "Chile"),
    country("PHL", "PH", "63", "Philippines"),
    country("IND", "IN", "91", "India"),
    country("PAK", "PK", "92", "Pakistan"),
    country("BGD", "BD", "880", "Bangladesh"),
    country("VNM", "VN", "84", "Vietnam"),
    country("JPN", "JP", "81", "Japan"),
    country("KOR", "KR", "82", "South Korea"),
    country("NGA", "NG", "234", "Nigeria"),
    country("GHA", "GH", "233", "Ghana"),
    country("KEN", "KE", "254", "Kenya"),
    country("SEN", "SN", "221", "Senegal"),
    country("KWT", "KW", "965", "Kuwait"),
    country("BHR", "BH", "973", "Bahrain"),
    country("JOR", "JO", "962", "Jordan"),
    country("TUN", "TN", "216", "Tunisia"),
    country("GBR", "GB", "44", "United Kingdom"),
    country("ESP", "ES", "34", "Spain"),
    country("CAN", "CA", "1", "Canada"),
    country("USA", "US", "1", "United States"),
    country("DEU", "DE", "49", "Germany"),
    country("AUS", "AU", "61", "Australia"),
    country("ZAF", "ZA", "27", "South Africa"),
];

pub(crate) fn by_iso3(code: &str) -> Option<&'static Country> {
    COUNTRIES.iter().find(|country| country.iso3_code == code)
}
