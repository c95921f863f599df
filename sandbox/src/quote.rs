//! Quotes: what a transfer costs and brings (interface, part 4).

pub(crate) mod endpoints;
mod reply;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::client::Client;
use crate::corridor::{QuoteBy, Route};
use crate::country::Country;
use crate::currency::{Currency, by_code};
use crate::error::{ApiError, ErrorCode};
use crate::price::{Price, Terms};
use crate::rates;
use crate::records::{Record, record};
use crate::sender::Sender;

/// A quote, as the database has it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Quote {
    pub(crate) id: Uuid,
    client: Uuid,
    sender: Option<Uuid>,
    pub(crate) account: Option<Uuid>,
    pub(crate) route: Route,
    #[serde(with = "by_code")]
    pub(crate) source: &'static Currency,
    pub(crate) by: QuoteBy,
    pub(crate) amount: i64,
    pub(crate) price: Price,
    pub(crate) expires_at: i64,
    /// Whether the provider refused the transfer that was submitted with it.
    pub(crate) has_failed: bool,
}

record!(Quote, "quotes", "", "");

impl Quote {
    /// Whether the same would be quoted now.
    pub(crate) fn holds(&self, connection: &Connection) -> Result<bool, ApiError> {
        let terms = terms(connection, self.route, self.source, self.account.is_some())?;
        Ok(terms.price(self.by, self.amount) == Some(self.price))
    }
}

fn terms(
    connection: &Connection,
    route: Route,
    source: &'static Currency,
    account_known: bool,
) -> Result<Terms, ApiError> {
    Ok(Terms {
        source,
        destination: route.destination,
        method: route.method(),
        tax_basis_points: tax_basis_points(route.country()),
        drift_micros: rates::drift(connection, route.destination)?,
        fee_move_cents: rates::fee_move(connection, route.method())?,
        account_known,
    })
}

/// Finds a quote in the context of a client and, where there is one, of its sender.
pub(crate) fn find(
    connection: &Connection,
    client: &Client,
    sender: Option<&Sender>,
    id: Uuid,
) -> Result<Quote, ApiError> {
    let is_theirs = |quote: &Quote| match (sender, quote.sender) {
        (Some(sender), Some(owner)) => sender.id == owner,
        _ => true,
    };
    Ok(Quote::get(connection, id)?
        .filter(|quote| quote.client == client.id && is_theirs(quote))
        .ok_or(ErrorCode::QuoteHistoryNotFound)?)
}

/// The share that a country taxes, in ten-thousandths.
fn tax_basis_points(country: &Country) -> i64 {
    match country.iso3_code {
        "COL" => 40,
        "DOM" => 15,
        _ => 0,
    }
}
