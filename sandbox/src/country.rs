use serde::Serialize;

/// A destination country, as quotes contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Country {
    pub(crate) name: &'static str,
    pub(crate) iso3_code: &'static str,
    pub(crate) iso2_code: &'static str,
    pub(crate) phone_code: &'static str,
    #[serde(skip)]
    pub(crate) corridors: Corridors,
}

/// Destination currencies, source currencies, and the methods: B for bank account, C for card, U for cash
/// pickup, M for mobile wallet. Account funding is enabled nowhere.
pub(crate) type Corridors = [&'static str; 3];

const fn country([iso3, iso2, phone, name]: [&'static str; 4], corridors: Corridors) -> Country {
    Country { name, iso3_code: iso3, iso2_code: iso2, phone_code: phone, corridors }
}

const NONE: Corridors = ["", "", ""];

pub(crate) static COUNTRIES: [Country; 31] = [
    country(["MEX", "MX", "52", "Mexico"], ["MXN USD", "USD EUR", "BCUM"]),
    country(["COL", "CO", "57", "Colombia"], ["COP", "USD EUR", "BCU"]),
    country(["GTM", "GT", "502", "Guatemala"], ["GTQ USD", "USD", "BCU"]),
    country(["SLV", "SV", "503", "El Salvador"], ["USD", "USD", "BCU"]),
    country(["HND", "HN", "504", "Honduras"], ["HNL", "USD", "BU"]),
    country(["DOM", "DO", "1", "Dominican Republic"], ["DOP USD", "USD EUR", "BCU"]),
    country(["PER", "PE", "51", "Peru"], ["PEN USD", "USD", "BU"]),
    country(["BRA", "BR", "55", "Brazil"], ["BRL", "USD EUR", "BC"]),
    country(["CHL", "CL", "56", "Chile"], ["CLP", "USD", "B"]),
    country(["PHL", "PH", "63", "Philippines"], ["PHP", "USD EUR JPY KWD", "BCUM"]),
    country(["IND", "IN", "91", "India"], ["INR", "USD EUR GBP KWD", "BC"]),
    country(["PAK", "PK", "92", "Pakistan"], ["PKR", "USD GBP", "BUM"]),
    country(["BGD", "BD", "880", "Bangladesh"], ["BDT", "USD GBP", "BM"]),
    country(["VNM", "VN", "84", "Vietnam"], ["VND", "USD JPY", "BCU"]),
    country(["JPN", "JP", "81", "Japan"], ["JPY", "USD EUR", "BC"]),
    country(["KOR", "KR", "82", "South Korea"], ["KRW", "USD JPY", "B"]),
    country(["NGA", "NG", "234", "Nigeria"], ["NGN USD", "USD GBP", "BU"]),
    country(["GHA", "GH", "233", "Ghana"], ["GHS", "USD GBP", "BM"]),
    country(["KEN", "KE", "254", "Kenya"], ["KES", "USD GBP", "BM"]),
    country(["SEN", "SN", "221", "Senegal"], ["XOF", "USD EUR", "UM"]),
    country(["KWT", "KW", "965", "Kuwait"], ["KWD", "USD EUR", "BC"]),
    country(["BHR", "BH", "973", "Bahrain"], ["BHD", "USD", "B"]),
    country(["JOR", "JO", "962", "Jordan"], ["JOD", "USD EUR", "BCU"]),
    country(["TUN", "TN", "216", "Tunisia"], ["TND", "EUR USD", "B"]),
    country(["GBR", "GB", "44", "United Kingdom"], ["GBP", "USD EUR", "BC"]),
    country(["ESP", "ES", "34", "Spain"], ["EUR", "USD GBP", "BC"]),
    country(["CAN", "CA", "1", "Canada"], NONE),
    country(["USA", "US", "1", "United States"], ["USD", "USD", "C"]),
    country(["DEU", "DE", "49", "Germany"], NONE),
    country(["AUS", "AU", "61", "Australia"], NONE),
    country(["ZAF", "ZA", "27", "South Africa"], NONE),
];

pub(crate) fn by_iso3(code: &str) -> Option<&'static Country> {
    COUNTRIES.iter().find(|country| country.iso3_code == code)
}
