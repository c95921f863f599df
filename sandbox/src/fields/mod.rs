//! Dynamic fields: what has to be collected, as data (interface, parts 2 and 4).
//!
//! Each of the four fields endpoints has a file that says what it asks for; `check` holds the values
//! against that, wherever a resource takes fields.

mod account;
mod check;
mod definition;
mod recipient;
mod sender;
mod transfer;
mod values;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

pub(crate) use account::account_sets;
pub(crate) use check::{Subject, check};
pub(crate) use definition::FieldSet;
pub(crate) use recipient::recipient_sets;
pub(crate) use sender::sender_sets;
pub(crate) use transfer::transfer_sets;
pub(crate) use values::{Values, masked};

use crate::access::Caller;
use crate::app::App;
use crate::corridor::{self, Route};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::input::{Named, Query};

/// Whether a sender or a recipient is a human being.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Kind {
    Person,
    Business,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Person => "PERSON",
            Self::Business => "BUSINESS",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Person, Self::Business].into_iter().find(|kind| kind.name() == text)
    }

    /// Reads the type of a sender or recipient.
    pub(crate) fn read(named: &impl Named, name: &str, problems: &mut Problems) -> Option<Self> {
        let text = named.required(name, problems)?;
        let found = Self::parse(text);
        if found.is_none() {
            problems.add(
                Problem::new(ErrorCode::BadRequestError).at(name).because("expected PERSON or BUSINESS"),
            );
        }
        found
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    field_sets: Vec<FieldSet>,
}

/// Field requirements change; nobody may keep them.
fn reply(field_sets: Vec<FieldSet>) -> Response {
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    ([no_store], Json(Reply { field_sets })).into_response()
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/sender-fields", get(for_senders))
        .route("/v1/recipient-fields", get(for_recipients))
        .route("/v1/recipient-account-fields", get(for_accounts))
        .route("/v1/transfer-fields", get(for_transfers))
}

async fn for_senders(State(app): State<Arc<App>>, _: Caller, query: Query) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let kind = Kind::read(&query, "senderType", &mut problems);
    problems.finish()?;
    let kind = kind.ok_or(ErrorCode::BadRequestError)?;
    Ok(reply(sender_sets(kind, app.clock.now())))
}

fn route_and_kind(query: &Query) -> Result<(Route, Kind), ApiError> {
    let mut problems = Problems::default();
    let kind = Kind::read(query, "recipientType", &mut problems);
    let route = corridor::from_request(query, problems)?;
    Ok((route, kind.ok_or(ErrorCode::BadRequestError)?))
}

async fn for_recipients(
    State(app): State<Arc<App>>,
    _: Caller,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ApiError> {
    let (route, kind) = route_and_kind(&query)?;
    Ok(reply(recipient_sets(Some(route), kind, app.clock.now(), &own_address(&headers))))
}

async fn for_accounts(_: Caller, headers: HeaderMap, query: Query) -> Result<Response, ApiError> {
    let (route, _) = route_and_kind(&query)?;
    Ok(reply(account_sets(route, &own_address(&headers))))
}

async fn for_transfers(_: Caller, headers: HeaderMap, query: Query) -> Result<Response, ApiError> {
    let route = corridor::from_request(&query, Problems::default())?;
    Ok(reply(transfer_sets(route, &own_address(&headers))))
}

/// The address under which the caller reached the service, for the sources of options.
pub(crate) fn own_address(headers: &HeaderMap) -> String {
    headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .map(|host| format!("http://{host}"))
        .unwrap_or_default()
}
