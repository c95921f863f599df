use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantNames};

#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TransferMethod {
    #[default]
    BankAccount,
    PushToCard,
    CashPickup,
    MobileWallet,
    /// On quotes only.
    AccountFunding,
}

impl TransferMethod {
    pub(crate) fn name(self) -> &'static str {
        self.into()
    }
}
