use super::TransferMethod;
use super::currency::{CountryCode, CurrencyCode};

/// Where money goes, and how it is paid out. A corridor offers it for some source currencies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Destination {
    /// The destination country.
    pub country: CountryCode,
    /// The currency that the recipient gets.
    pub currency: CurrencyCode,
    /// The payout method.
    pub transfer_method: TransferMethod,
}

impl Destination {
    /// Creates a destination.
    pub fn new(country: CountryCode, currency: CurrencyCode, transfer_method: TransferMethod) -> Self {
        Destination { country, currency, transfer_method }
    }
}
