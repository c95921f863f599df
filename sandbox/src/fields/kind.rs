//! Whether someone is a human being.

use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};

/// Whether a sender or a recipient is a human being.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum Kind {
    #[default]
    Person,
    Business,
}
