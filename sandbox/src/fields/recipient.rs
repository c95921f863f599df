//! What has to be known of a recipient (GET /v1/recipient-fields). It differs by country and method.

use super::definition::{
    Comparison, EMAIL, Field, FieldSet, LATIN, NAME, choice, choices, date, dropdown, dropdown_from,
    field_set, phone, text,
};
use super::kind::Kind;
use crate::clock::{day_of, years_before};
use crate::corridor::{Route, TransferMethod};
use crate::country::COUNTRIES;
use crate::options;

/// Countries where people carry two family names.
const TWO_LAST_NAMES: [&str; 8] = ["MEX", "COL", "GTM", "SLV", "HND", "DOM", "PER", "CHL"];
/// Countries that want the recipient's identification.
const IDENTIFIED: [&str; 6] = ["COL", "BRA", "CHL", "PAK", "NGA", "JOR"];
/// Countries that want to know how sender and recipient are related.
const RELATED: [&str; 4] = ["IND", "BGD", "VNM", "KOR"];
/// Countries that want the recipient's date of birth.
const DATED: [&str; 3] = ["IND", "PAK", "NGA"];

/// The field sets of a recipient. Without a corridor, only the names are required.
pub(crate) fn recipient_sets(route: Option<Route>, kind: Kind, now: i64, address: &str) -> Vec<FieldSet> {
    let country = route.map(|route| route.corridor.country.iso3_code);
    let method = route.map(|route| route.corridor.method);
    let among = |countries: &[&str]| country.is_some_and(|code| countries.contains(&code));
    let wants_phone = matches!(method, Some(TransferMethod::CashPickup | TransferMethod::MobileWallet));
    let wants_address = matches!(method, Some(TransferMethod::BankAccount | TransferMethod::PushToCard));
    let identified = among(&IDENTIFIED);

    let mut sets = vec![match kind {
        Kind::Person => {
            let mut fields = vec![
                text("firstName", "First name", (1, 50))
                    .pattern(NAME)
                    .hint("As it appears on the recipient's identification."),
                text("lastName", "Last name", (1, 50)).pattern(NAME),
            ];
            if country.is_none() || among(&TWO_LAST_NAMES) {
                let second = text("SECOND_LAST_NAME", "Second last name", (1, 50));
                fields.push(second.pattern(NAME).optional());
            }
            let today = day_of(now);
            if country.is_none() || among(&DATED) {
                let earliest = years_before(today, 120).to_string();
                fields.push(
                    date("DATE_OF_BIRTH", "Date of birth")
                        .between(Some(earliest), Some(today.to_string()))
                        .required_when(among(&DATED)),
                );
            }
            if country.is_none() || among(&RELATED) {
                fields.push(
                    dropdown("RELATIONSHIP", "Relationship", choices(&RELATIONSHIPS))
                        .required_when(among(&RELATED)),
                );
                fields.push(
                    text("RELATIONSHIP_OTHER", "Which relationship", (2, 40)).pattern(LATIN).required_if(
                        "RELATIONSHIP",
                        Comparison::EqualTo,
                        &["OTHER"],
                    ),
                );
            }
            field_set("PERSONAL_INFORMATION", "Personal information", fields)
        }
        Kind::Business => field_set(
            "COMPANY_INFORMATION",
            "Company information",
            vec![
                text("companyName", "Company name", (2, 120)).pattern(LATIN),
                text("BUSINESS_ACTIVITY", "Line of business", (2, 80)).pattern(LATIN).optional(),
            ],
        ),
    }];

    sets.push(field_set(
        "CONTACT",
        "Contact",
        vec![
            phone("PHONE_NUMBER", "Mobile phone number").required_when(wants_phone),
            text("EMAIL_ADDRESS", "Email", (5, 120)).pattern(EMAIL).optional(),
        ],
    ));

    if country.is_none() || identified {
        let types = id_types(country, kind);
        let all: Vec<&str> = types.iter().map(|(id, _)| *id).collect();
        sets.push(field_set(
            "IDENTIFICATION",
            "Identification",
            vec![
                dropdown("ID_TYPE", "Type of identification", choices(types)).required_when(identified),
                text("ID_NUMBER", "Identification number", (4, 30)).pattern("^[A-Z0-9]+$").required_if(
                    "ID_TYPE",
                    Comparison::EqualTo,
                    &all,
                ),
            ],
        ));
    }

    sets.push(field_set("ADDRESS", "Address", address_fields(country, wants_address, address)));
    sets
}

fn address_fields(country: Option<&str>, wanted: bool, address: &str) -> Vec<Field> {
    let countries = COUNTRIES
        .iter()
        .filter(|known| country.is_none_or(|code| code == known.iso3_code))
        .map(|known| choice(known.iso3_code, known.name))
        .collect();
    let mut fields = vec![text("ADDRESS_LINE_1", "Address", (1, 100)).pattern(LATIN).required_when(wanted)];
    match country {
        Some(code) if options::has_states(code) => {
            let states = options::states_source(address, code);
            let cities = options::cities_source(address, code, "ADDRESS_STATE");
            fields.push(dropdown_from("ADDRESS_STATE", "State or province", states).optional());
            fields.push(dropdown_from("ADDRESS_CITY", "City", cities).required_if(
                "ADDRESS_STATE",
                Comparison::NotEqualTo,
                &[""],
            ));
        }
        _ => {
            fields.push(text("ADDRESS_STATE", "State or province", (1, 60)).pattern(LATIN).optional());
            fields.push(text("ADDRESS_CITY", "City", (1, 60)).pattern(LATIN).required_when(wanted));
        }
    }
    fields.push(match country {
        Some("JPN") => {
            text("ADDRESS_ZIP", "Postal code", (7, 8)).pattern(r"^[0-9]{3}-?[0-9]{4}$").required_when(wanted)
        }
        Some("GBR") => text("ADDRESS_ZIP", "Postcode", (5, 8))
            .pattern(r"^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$")
            .required_when(wanted),
        _ => text("ADDRESS_ZIP", "Postal code", (3, 12)).pattern(r"^[A-Za-z0-9 \-]+$").optional(),
    });
    fields.push(dropdown("ADDRESS_COUNTRY", "Country", countries).optional().hidden());
    fields
}

fn id_types(country: Option<&str>, kind: Kind) -> &'static [(&'static str, &'static str)] {
    match (country, kind) {
        (None, _) => &[
            ("PASSPORT", "Passport"),
            ("GID", "Government identification"),
            ("SSN", "Social security number"),
            ("TIN", "Taxpayer identification number"),
            ("CC", "Cédula de ciudadanía"),
            ("CPF", "CPF"),
            ("RUT", "RUT"),
            ("CNIC", "CNIC"),
        ],
        (Some(_), Kind::Business) => &[("TIN", "Taxpayer identification number")],
        (Some("COL"), _) => &[
            ("CC", "Cédula de ciudadanía"),
            ("CE", "Cédula de extranjería"),
            ("PASSPORT", "Passport"),
            ("TIN", "Taxpayer identification number"),
        ],
        (Some("BRA"), _) => &[("CPF", "CPF")],
        (Some("CHL"), _) => &[("RUT", "RUT"), ("PASSPORT", "Passport")],
        (Some("PAK"), _) => &[("CNIC", "CNIC"), ("PASSPORT", "Passport")],
        (Some(_), _) => &[("PASSPORT", "Passport"), ("GID", "Government identification")],
    }
}

const RELATIONSHIPS: [(&str, &str); 6] = [
    ("SPOUSE", "Spouse"),
    ("PARENT", "Parent"),
    ("CHILD", "Child"),
    ("SIBLING", "Sibling"),
    ("FRIEND", "Friend"),
    ("OTHER", "Other"),
];
