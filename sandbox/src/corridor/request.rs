//! What a request means by a corridor.

use super::{Route, TransferMethod, find};
use crate::country::Country;
use crate::currency::Currency;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::input::Input;

/// A country, a currency and a method that belong to a corridor, or to none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub(crate) country: &'static Country,
    pub(crate) destination: &'static Currency,
    pub(crate) method: TransferMethod,
}

impl Named {
    /// Reads the three parameters of the fields endpoints.
    pub(crate) fn read(input: &mut Input) -> Self {
        let (country, destination) = places(input);
        Self { country, destination, method: input.one_of("transferMethod") }
    }

    /// The same in a body, whose transfer method has a default.
    pub(crate) fn read_from_body(input: &mut Input) -> Self {
        let (country, destination) = places(input);
        Self { country, destination, method: input.one_of_or_default("transferMethod") }
    }

    pub(crate) fn route(self) -> Result<Route, ApiError> {
        find(self.country, self.destination, self.method).ok_or_else(|| {
            Problem::new(ErrorCode::CC404).because("GET /v1/corridors lists what is enabled").into()
        })
    }
}

fn places(input: &mut Input) -> (&'static Country, &'static Currency) {
    (input.country("dstCountryIso3Code"), input.currency("dstCurrencyIso3Code"))
}
