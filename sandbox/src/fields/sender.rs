//! The fields of a sender (GET /v1/sender-fields).

use super::definition::Comparison::{EqualTo, GreaterThan, LessThan};
use super::definition::{
    EMAIL, FieldSet, Kind, LATIN, NAME, date, dropdown, field_set, identification, pairs, phone, text,
};
use crate::clock::{day_of, years_before};
use crate::country::COUNTRIES;

/// Returns the field sets of a sender. The present day bounds the dates.
pub(crate) fn sender_sets(kind: Kind, now: i64) -> Vec<FieldSet> {
    vec![identity(kind, now), address(), contact(), identification_set(kind, now)]
}

fn identity(kind: Kind, now: i64) -> FieldSet {
    let [earliest, latest] = [120, 18].map(|years| years_before(day_of(now), years).to_string());
    match kind {
        Kind::Person => {
            let fields = [
                text("firstName", "First name", (1, 80))
                    .pattern(NAME)
                    .hint("As it appears on the identification."),
                text("MIDDLE_NAME", "Middle name", (1, 80)).pattern(NAME).optional(),
                text("lastName", "Last name", (1, 80)).pattern(NAME),
                date("DATE_OF_BIRTH", "Date of birth", earliest, Some(latest)),
                // A pattern that JavaScript does not support, as .NET services may have.
                text("NICKNAME", "Nickname", (1, 30)).pattern(r"^(?i)[a-z][a-z ]*$").optional(),
            ];
            field_set("PERSONAL_INFORMATION", "Personal information", fields)
        }
        Kind::Business => {
            let fields = [
                text("companyName", "Company name", (2, 120)).pattern(LATIN),
                text("YEARS_IN_BUSINESS", "Years in business", (1, 3)).pattern("^[0-9]{1,3}$").optional(),
                text("GUARANTOR_NAME", "Name of a guarantor", (2, 120))
                    .pattern(NAME)
                    .hint("For companies younger than two years.")
                    .required_if("YEARS_IN_BUSINESS", LessThan, &["2"]),
                text("EMPLOYEE_COUNT", "Number of employees", (1, 6)).pattern("^[0-9]{1,6}$").optional(),
                text("REGISTRATION_NUMBER", "Registration number", (4, 20))
                    .pattern("^[A-Z0-9]+$")
                    .hint("For companies of more than 50 employees.")
                    .required_if("EMPLOYEE_COUNT", GreaterThan, &["50"]),
            ];
            field_set("COMPANY_INFORMATION", "Company information", fields)
        }
    }
}

fn address() -> FieldSet {
    let fields = [
        text("ADDRESS_LINE_1", "Address", (1, 100)).pattern(LATIN),
        text("ADDRESS_LINE_2", "Address, second line", (1, 100)).pattern(LATIN).optional(),
        text("ADDRESS_CITY", "City", (1, 60)).pattern(LATIN),
        dropdown("ADDRESS_STATE", "State", pairs(STATES)),
        text("ADDRESS_ZIP", "Zip code", (5, 10)).pattern(r"^[0-9]{5}(-[0-9]{4})?$"),
        dropdown("ADDRESS_COUNTRY", "Country", [("USA", "United States")]).optional().hidden(),
    ];
    field_set("ADDRESS", "Address", fields)
}

fn contact() -> FieldSet {
    let fields = [
        phone("PHONE_NUMBER", "Phone number"),
        text("EMAIL_ADDRESS", "Email", (5, 120)).pattern(EMAIL).optional(),
    ];
    field_set("CONTACT", "Contact", fields)
}

fn identification_set(kind: Kind, now: i64) -> FieldSet {
    let types = match kind {
        Kind::Person => {
            "SSN Social security number, PASSPORT Passport, DRIVERS_LICENSE Driver's license, \
             GID Government identification"
        }
        Kind::Business => "TIN Taxpayer identification number",
    };
    let mut fields = Vec::from(identification(types, false));
    if kind == Kind::Person {
        let countries = COUNTRIES.iter().map(|country| (country.iso3_code, country.name));
        let valid_until = date("ID_EXPIRATION_DATE", "Valid until", day_of(now).to_string(), None);
        let issued_in = dropdown("ID_ISSUING_COUNTRY", "Issued in", countries);
        fields.extend([
            valid_until.required_if("ID_TYPE", EqualTo, &["PASSPORT", "DRIVERS_LICENSE"]),
            issued_in.required_if("ID_TYPE", EqualTo, &["PASSPORT", "GID"]),
        ]);
    }
    field_set("IDENTIFICATION", "Identification", fields)
}

const STATES: &str = "\
    AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, \
    DC District of Columbia, DE Delaware, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, \
    IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, \
    MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, \
    NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, \
    OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island, SC South Carolina, \
    SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington, \
    WV West Virginia, WI Wisconsin, WY Wyoming";
