//! The fields of a recipient account (GET /v1/recipient-account-fields).

use super::definition::Comparison::NotEqualTo;
use super::definition::{Field, FieldSet, LATIN, dropdown, dropdown_from, field_set, pairs, phone, text};
use crate::corridor::{Route, TransferMethod};

/// Returns the field sets of an account in a corridor; cash pickup has none.
pub(crate) fn account_sets(route: Route, address: &str) -> Vec<FieldSet> {
    let country = route.country.iso3_code;
    let set = match route.method {
        TransferMethod::BankAccount => {
            field_set("BANK_DETAILS", "Bank details", bank_fields(country, address))
        }
        TransferMethod::PushToCard => {
            let fields = [
                // The card form provides this value.
                text("CARD_ID", "Card", (1, 64)).pattern(r"^[A-Za-z0-9\-]+$").hidden(),
                text("CARD_NICKNAME", "Name for this card", (1, 30)).pattern(LATIN).optional(),
            ];
            field_set("CARD_DETAILS", "Card details", fields)
        }
        TransferMethod::MobileWallet => {
            let fields = [
                dropdown("MOBILE_WALLET_PROVIDER", "Mobile wallet provider", wallets(country)),
                phone("PHONE_NUMBER", "Mobile phone number"),
            ];
            field_set("MOBILE_WALLET_DETAILS", "Mobile wallet details", fields)
        }
        TransferMethod::CashPickup | TransferMethod::AccountFunding => return Vec::new(),
    };
    vec![set]
}

fn wallets(country: &str) -> [(String, &'static str); 2] {
    let [first, second] = match country {
        "PHL" => ["GCash", "Maya"],
        "KEN" => ["M-Pesa", "Airtel Money"],
        "GHA" => ["MTN MoMo", "Telecel Cash"],
        "BGD" => ["bKash", "Nagad"],
        "PAK" => ["Easypaisa", "JazzCash"],
        "SEN" => ["Orange Money", "Wave"],
        "MEX" => ["Mercado Pago", "Spin"],
        _ => ["Wallet One", "Wallet Two"],
    };
    [(format!("{country}W1"), first), (format!("{country}W2"), second)]
}

fn account_number(name: &'static str, lengths: (usize, usize), pattern: &'static str) -> Field {
    text("BANK_ACCOUNT_NUMBER", name, lengths).pattern(pattern)
}

fn account_type() -> Field {
    let types = "CHECKING Checking account, SAVINGS Savings account";
    dropdown("BANK_ACCOUNT_TYPE", "Type of account", pairs(types))
}

fn bank_fields(country: &str, address: &str) -> Vec<Field> {
    let banks = format!("{address}/v1/banks?countryIso3Code={country}");
    let bank = || dropdown_from("BANK_ID", "Bank", banks.clone());
    let branch = || {
        let branch = dropdown_from("BRANCH_ID", "Branch", format!("{address}/v1/banks/{{BANK_ID}}/branches"));
        branch.required_if("BANK_ID", NotEqualTo, &[""])
    };
    match country {
        "MEX" => vec![bank(), account_number("CLABE", (18, 18), "^[0-9]{18}$").hint("18 digits.")],
        "COL" | "PER" | "CHL" | "DOM" | "GTM" | "HND" | "SLV" => {
            vec![bank(), account_type(), account_number("Account number", (6, 20), "^[0-9]{6,20}$")]
        }
        "BRA" => vec![
            bank(),
            branch(),
            account_type(),
            account_number("Account number", (4, 14), r"^[0-9]{3,12}-?[0-9X]$"),
        ],
        "IND" => vec![
            text("IFSC", "IFSC", (11, 11)).pattern("^[A-Z]{4}0[A-Z0-9]{6}$"),
            account_type(),
            account_number("Account number", (9, 18), "^[0-9]{9,18}$"),
        ],
        "GBR" => vec![
            text("SORT_CODE", "Sort code", (6, 8)).pattern(r"^[0-9]{2}-?[0-9]{2}-?[0-9]{2}$"),
            account_number("Account number", (8, 8), "^[0-9]{8}$"),
        ],
        "JPN" | "KOR" | "VNM" => vec![
            bank(),
            branch(),
            account_type().optional(),
            account_number("Account number", (7, 16), "^[0-9]{7,16}$"),
        ],
        "NGA" | "GHA" | "KEN" => {
            vec![bank(), account_number("NUBAN or account number", (10, 13), "^[0-9]{10,13}$")]
        }
        "PAK" | "KWT" | "BHR" | "JOR" | "TUN" | "ESP" => vec![
            account_number("IBAN", (15, 34), "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$"),
            text("SWIFT_CODE", "SWIFT code", (8, 11))
                .pattern("^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$")
                .optional(),
        ],
        _ => vec![bank(), account_number("Account number", (5, 20), "^[0-9A-Z]{5,20}$")],
    }
}
