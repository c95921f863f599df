//! The fields of a recipient (GET /v1/recipient-fields), which depend on country and method.

use super::definition::Comparison::{EqualTo, NotEqualTo};
use super::definition::{
    EMAIL, Field, FieldSet, Kind, LATIN, NAME, date, dropdown, dropdown_from, field_set, identification,
    pairs, phone, text,
};
use crate::clock::{day_of, years_before};
use crate::corridor::{Route, TransferMethod};
use crate::country::COUNTRIES;
use crate::options;

/// Countries where people have two family names.
const TWO_LAST_NAMES: [&str; 8] = ["MEX", "COL", "GTM", "SLV", "HND", "DOM", "PER", "CHL"];
const ID_REQUIRED: [&str; 6] = ["COL", "BRA", "CHL", "PAK", "NGA", "JOR"];
const RELATIONSHIP_REQUIRED: [&str; 4] = ["IND", "BGD", "VNM", "KOR"];
const BIRTH_REQUIRED: [&str; 3] = ["IND", "PAK", "NGA"];

const RELATIONSHIPS: &str =
    "SPOUSE Spouse, PARENT Parent, CHILD Child, SIBLING Sibling, FRIEND Friend, OTHER Other";

/// Returns the field sets of a recipient. Without a corridor, only the names are required.
pub(crate) fn recipient_sets(route: Option<Route>, kind: Kind, now: i64, address: &str) -> Vec<FieldSet> {
    let country = route.map(|route| route.country.iso3_code);
    let method = route.map(|route| route.method);
    let wants_phone = matches!(method, Some(TransferMethod::CashPickup | TransferMethod::MobileWallet));
    let wants_address = matches!(method, Some(TransferMethod::BankAccount | TransferMethod::PushToCard));
    let contact = [
        phone("PHONE_NUMBER", "Mobile phone number").required_when(wants_phone),
        text("EMAIL_ADDRESS", "Email", (5, 120)).pattern(EMAIL).optional(),
    ];
    let mut sets = vec![identity(country, kind, now), field_set("CONTACT", "Contact", contact)];
    sets.extend(identification_set(country, kind));
    sets.push(field_set("ADDRESS", "Address", address_fields(country, wants_address, address)));
    sets
}

fn identity(country: Option<&str>, kind: Kind, now: i64) -> FieldSet {
    if kind == Kind::Business {
        let fields = [
            text("companyName", "Company name", (2, 120)).pattern(LATIN),
            text("BUSINESS_ACTIVITY", "Line of business", (2, 80)).pattern(LATIN).optional(),
        ];
        return field_set("COMPANY_INFORMATION", "Company information", fields);
    }
    let is_among = |countries: &[&str]| country.is_some_and(|code| countries.contains(&code));
    let asks_for = |countries: &[&str]| country.is_none() || is_among(countries);
    let first_name = text("firstName", "First name", (1, 50)).pattern(NAME);
    let mut fields = vec![
        first_name.hint("As it appears on the recipient's identification."),
        text("lastName", "Last name", (1, 50)).pattern(NAME),
    ];
    if asks_for(&TWO_LAST_NAMES) {
        fields.push(text("SECOND_LAST_NAME", "Second last name", (1, 50)).pattern(NAME).optional());
    }
    if asks_for(&BIRTH_REQUIRED) {
        let (earliest, latest) = (years_before(day_of(now), 120).to_string(), day_of(now).to_string());
        let birth = date("DATE_OF_BIRTH", "Date of birth", earliest, Some(latest));
        fields.push(birth.required_when(is_among(&BIRTH_REQUIRED)));
    }
    if asks_for(&RELATIONSHIP_REQUIRED) {
        let relationship = dropdown("RELATIONSHIP", "Relationship", pairs(RELATIONSHIPS));
        let other = text("RELATIONSHIP_OTHER", "Which relationship", (2, 40)).pattern(LATIN);
        fields.extend([
            relationship.required_when(is_among(&RELATIONSHIP_REQUIRED)),
            other.required_if("RELATIONSHIP", EqualTo, &["OTHER"]),
        ]);
    }
    field_set("PERSONAL_INFORMATION", "Personal information", fields)
}

fn identification_set(country: Option<&str>, kind: Kind) -> Option<FieldSet> {
    let required = country.is_some_and(|code| ID_REQUIRED.contains(&code));
    let fields = identification(id_types(country, kind), required);
    (country.is_none() || required).then(|| field_set("IDENTIFICATION", "Identification", fields))
}

fn address_fields(country: Option<&str>, required: bool, address: &str) -> Vec<Field> {
    let known = COUNTRIES.iter().filter(|known| country.is_none_or(|code| code == known.iso3_code));
    let countries = known.map(|known| (known.iso3_code, known.name));
    let (state, city) = match country {
        Some(code) if options::has_states(code) => {
            let states = options::states_source(address, code);
            let cities = format!("{states}/{{ADDRESS_STATE}}/cities");
            let city = dropdown_from("ADDRESS_CITY", "City", cities);
            let state = dropdown_from("ADDRESS_STATE", "State or province", states).optional();
            (state, city.required_if("ADDRESS_STATE", NotEqualTo, &[""]))
        }
        _ => (
            text("ADDRESS_STATE", "State or province", (1, 60)).pattern(LATIN).optional(),
            text("ADDRESS_CITY", "City", (1, 60)).pattern(LATIN).required_when(required),
        ),
    };
    let (name, lengths, pattern) = match country {
        Some("JPN") => ("Postal code", (7, 8), r"^[0-9]{3}-?[0-9]{4}$"),
        Some("GBR") => ("Postcode", (5, 8), r"^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$"),
        _ => ("Postal code", (3, 12), r"^[A-Za-z0-9 \-]+$"),
    };
    let zip_required = required && matches!(country, Some("JPN" | "GBR"));
    let zip = text("ADDRESS_ZIP", name, lengths).pattern(pattern).required_when(zip_required);
    vec![
        text("ADDRESS_LINE_1", "Address", (1, 100)).pattern(LATIN).required_when(required),
        state,
        city,
        zip,
        dropdown("ADDRESS_COUNTRY", "Country", countries).optional().hidden(),
    ]
}

fn id_types(country: Option<&str>, kind: Kind) -> &'static str {
    match (country, kind) {
        (None, _) => {
            "PASSPORT Passport, GID Government identification, SSN Social security number, \
             TIN Taxpayer identification number, CC Cédula de ciudadanía, CPF CPF, RUT RUT, CNIC CNIC"
        }
        (Some(_), Kind::Business) => "TIN Taxpayer identification number",
        (Some("COL"), _) => {
            "CC Cédula de ciudadanía, CE Cédula de extranjería, PASSPORT Passport, \
             TIN Taxpayer identification number"
        }
        (Some("BRA"), _) => "CPF CPF",
        (Some("CHL"), _) => "RUT RUT, PASSPORT Passport",
        (Some("PAK"), _) => "CNIC CNIC, PASSPORT Passport",
        (Some(_), _) => "PASSPORT Passport, GID Government identification",
    }
}
