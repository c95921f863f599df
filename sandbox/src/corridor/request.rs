//! What a request means by a corridor.

use super::{Route, TransferMethod, find};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::input::{Body, Named};

/// Reads the three parameters of the fields endpoints and finds their corridor.
pub(crate) fn from_request<N: Named>(named: &N, problems: Problems) -> Result<Route, ApiError> {
    read(named, problems, N::transfer_method)
}

/// The same in a body, whose transfer method has a default.
pub(crate) fn from_body(body: &Body, problems: Problems) -> Result<Route, ApiError> {
    read(body, problems, Body::transfer_method_or_default)
}

fn read<N: Named>(
    named: &N,
    mut problems: Problems,
    transfer_method: fn(&N, &str, &mut Problems) -> Option<TransferMethod>,
) -> Result<Route, ApiError> {
    let country = named.country("dstCountryIso3Code", &mut problems);
    let destination = named.currency("dstCurrencyIso3Code", &mut problems);
    let method = transfer_method(named, "transferMethod", &mut problems);
    problems.finish()?;
    let (Some(country), Some(destination), Some(method)) = (country, destination, method) else {
        return Err(ErrorCode::BadRequestError.into());
    };
    find(country, destination, method).ok_or_else(|| {
        Problem::new(ErrorCode::CC404).because("GET /v1/corridors lists what is enabled").into()
    })
}
