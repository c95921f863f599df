//! What has to be known of a transfer (GET /v1/transfer-fields).

use super::definition::{Comparison, FieldSet, LATIN, choices, dropdown, dropdown_from, field_set, text};
use crate::corridor::{Route, TransferMethod};
use crate::options;

/// Countries that want the purpose of every transfer.
const PURPOSE: [&str; 6] = ["IND", "BGD", "PAK", "NGA", "VNM", "KOR"];
/// Countries that want to know where the money comes from.
const SOURCE: [&str; 3] = ["NGA", "JOR", "TUN"];

/// The field sets of a transfer in a corridor.
pub(crate) fn transfer_sets(route: Route, address: &str) -> Vec<FieldSet> {
    let country = route.corridor.country.iso3_code;
    let mut sets = vec![field_set(
        "TRANSFER_FIELDS",
        "Transfer",
        vec![
            dropdown("REMITTANCE_PURPOSE", "Purpose of the transfer", choices(&PURPOSES))
                .required_when(PURPOSE.contains(&country)),
            text("REMITTANCE_PURPOSE_OTHER", "Which purpose", (3, 60)).pattern(LATIN).required_if(
                "REMITTANCE_PURPOSE",
                Comparison::EqualTo,
                &["OTHER"],
            ),
            dropdown("SOURCE_OF_FUNDS", "Source of the money", choices(&SOURCES))
                .required_when(SOURCE.contains(&country)),
            text("REFERENCE", "Reference", (1, 35)).pattern(LATIN).optional(),
            text("CARD_PROXY_NUMBER", "Card proxy number", (5, 30)).pattern("^[0-9]+$").optional().hidden(),
        ],
    )];
    if route.corridor.method == TransferMethod::CashPickup {
        sets.push(field_set(
            "PAYER_INFORMATION",
            "Where the money is picked up",
            vec![
                dropdown_from(
                    "PAYER_STATE_PROVINCE",
                    "State or province",
                    options::states_source(address, country),
                ),
                dropdown_from(
                    "PAYER_CITY",
                    "City",
                    options::cities_source(address, country, "PAYER_STATE_PROVINCE"),
                ),
                dropdown_from("PAYER", "Payer", options::payers_source(address, country)),
                dropdown_from("PAYER_LOCATION", "Location", options::locations_source(address, country)),
            ],
        ));
    }
    sets
}

const PURPOSES: [(&str, &str); 6] = [
    ("FAMILY_MAINTENANCE", "Family maintenance"),
    ("EDUCATION", "Education"),
    ("MEDICAL", "Medical treatment"),
    ("GIFT", "Gift"),
    ("GOODS_AND_SERVICES", "Goods and services"),
    ("OTHER", "Other"),
];

const SOURCES: [(&str, &str); 6] = [
    ("SALARY", "Salary"),
    ("SAVINGS", "Savings"),
    ("PENSION", "Pension"),
    ("INVESTMENTS", "Investments"),
    ("BUSINESS", "Business"),
    ("PULL_FROM_CARD", "From a card"),
];
