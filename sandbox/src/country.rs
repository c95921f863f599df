use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::fields::definition::FieldSets;
use crate::transfer_method::TransferMethod;

/// A country, as quotes contain it, with its corridors and what they ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Country {
    pub(crate) name: String,
    pub(crate) iso3_code: String,
    pub(crate) iso2_code: String,
    pub(crate) phone_code: String,
    #[serde(skip_serializing, default)]
    pub(crate) destination_currencies: Vec<String>,
    #[serde(skip_serializing, default)]
    pub(crate) source_currencies: Vec<String>,
    #[serde(skip_serializing, default)]
    pub(crate) transfer_methods: Vec<TransferMethod>,
    /// Whether the country's provider supports quotes by RECEIVE_AMOUNT.
    #[serde(skip_serializing, default = "yes")]
    pub(crate) quote_by_receive_amount: bool,
    /// The tax on the amount sent.
    #[serde(skip_serializing, default)]
    pub(crate) tax_basis_points: i64,
    /// Cities by state, where cash can be picked up.
    #[serde(skip_serializing, default)]
    pub(crate) states: IndexMap<String, Vec<String>>,
    /// Instead of everyone's.
    #[serde(skip_serializing, default)]
    pub(crate) banks: Banks,
    /// Instead of everyone's.
    #[serde(skip_serializing, default)]
    pub(crate) payers: Vec<Payer>,
    /// Instead of those that all countries have.
    #[serde(skip_serializing, default)]
    pub(crate) fields: FieldSets,
}

fn yes() -> bool {
    true
}

/// Branches by bank.
pub(crate) type Banks = IndexMap<String, Vec<String>>;

/// Who pays out cash, in any city.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Payer {
    pub(crate) name: String,
    pub(crate) locations: Vec<Location>,
}

/// Where cash is paid out, and how much per transfer, in US cents.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Location {
    pub(crate) name: String,
    pub(crate) min: i64,
    pub(crate) max: i64,
}
