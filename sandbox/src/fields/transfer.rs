//! The fields of a transfer (GET /v1/transfer-fields).

use super::definition::Comparison::EqualTo;
use super::definition::{FieldSet, LATIN, dropdown, dropdown_from, field_set, pairs, text};
use crate::corridor::{Route, TransferMethod};
use crate::options;

const PURPOSE_REQUIRED: [&str; 6] = ["IND", "BGD", "PAK", "NGA", "VNM", "KOR"];
const SOURCE_REQUIRED: [&str; 3] = ["NGA", "JOR", "TUN"];

const PURPOSES: &str = "FAMILY_MAINTENANCE Family maintenance, EDUCATION Education, \
    MEDICAL Medical treatment, GIFT Gift, GOODS_AND_SERVICES Goods and services, OTHER Other";
const SOURCES: &str = "SALARY Salary, SAVINGS Savings, PENSION Pension, INVESTMENTS Investments, \
    BUSINESS Business, PULL_FROM_CARD From a card";

pub(crate) fn transfer_sets(route: Route, address: &str) -> Vec<FieldSet> {
    let country = route.country.iso3_code;
    let purpose = dropdown("REMITTANCE_PURPOSE", "Purpose of the transfer", pairs(PURPOSES));
    let other = text("REMITTANCE_PURPOSE_OTHER", "Which purpose", (3, 60)).pattern(LATIN);
    let source = dropdown("SOURCE_OF_FUNDS", "Source of the money", pairs(SOURCES));
    let fields = [
        purpose.required_when(PURPOSE_REQUIRED.contains(&country)),
        other.required_if("REMITTANCE_PURPOSE", EqualTo, &["OTHER"]),
        source.required_when(SOURCE_REQUIRED.contains(&country)),
        text("REFERENCE", "Reference", (1, 35)).pattern(LATIN).optional(),
        text("CARD_PROXY_NUMBER", "Card proxy number", (5, 30)).pattern("^[0-9]+$").optional().hidden(),
    ];
    let mut sets = vec![field_set("TRANSFER_FIELDS", "Transfer", fields)];
    if route.method == TransferMethod::CashPickup {
        let states = options::states_source(address, country);
        let cities = format!("{states}/{{PAYER_STATE_PROVINCE}}/cities");
        let payers = format!("{cities}/{{PAYER_CITY}}/payers");
        let locations = format!("{payers}/{{PAYER}}/locations");
        let fields = [
            ("PAYER_STATE_PROVINCE", "State or province", states),
            ("PAYER_CITY", "City", cities),
            ("PAYER", "Payer", payers),
            ("PAYER_LOCATION", "Location", locations),
        ];
        let fields = fields.map(|(id, name, source)| dropdown_from(id, name, source));
        sets.push(field_set("PAYER_INFORMATION", "Where the money is picked up", fields));
    }
    sets
}
