//! A transfer as the database has it, and as it stands on the wire.

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::Caller;
use crate::clock::iso;
use crate::corridor::TransferMethod;
use crate::currency::decimal;
use crate::error::{ApiError, ErrorCode};
use crate::transfer_status;

/// A recorded transfer.
#[derive(Debug)]
pub(crate) struct Transfer {
    pub(crate) id: String,
    pub(crate) request_id: String,
    pub(crate) confirmation: String,
    pub(crate) client: String,
    pub(crate) sender: String,
    pub(crate) recipient: String,
    pub(crate) quote: String,
    pub(crate) nonce: Option<String>,
    pub(crate) method: TransferMethod,
    pub(crate) customer_hold: String,
    pub(crate) system_hold_until: Option<i64>,
    pub(crate) will_fail: bool,
    pub(crate) debited_cents: i64,
    record: String,
    pub(crate) created_at: i64,
}

const COLUMNS: &str = "id, request_id, confirmation, client_id, sender_id, recipient_id,
    quote_history_id, nonce, method, customer_hold, system_hold_until, will_fail, debited_cents,
    record, created_at";

impl Transfer {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let method: String = row.get(8)?;
        Ok(Self {
            id: row.get(0)?,
            request_id: row.get(1)?,
            confirmation: row.get(2)?,
            client: row.get(3)?,
            sender: row.get(4)?,
            recipient: row.get(5)?,
            quote: row.get(6)?,
            nonce: row.get(7)?,
            method: TransferMethod::parse(&method).unwrap_or(TransferMethod::BankAccount),
            customer_hold: row.get(9)?,
            system_hold_until: row.get(10)?,
            will_fail: row.get(11)?,
            debited_cents: row.get(12)?,
            record: row.get(13)?,
            created_at: row.get(14)?,
        })
    }

    /// Whether any hold keeps the transfer from being processed.
    pub(crate) fn is_held(&self, now: i64) -> bool {
        self.customer_hold == "HELD" || self.system_hold_until.is_some_and(|until| now < until)
    }

    /// The record that was made at the start, with the status of now.
    pub(crate) fn record(&self, connection: &Connection, now: i64) -> Result<Value, ApiError> {
        let mut record: Value = serde_json::from_str(&self.record)?;
        let status = transfer_status::at(connection, &self.id, now)?;
        if let Some(record) = record.as_object_mut() {
            record.insert("status".into(), json!(status));
        }
        Ok(record)
    }

    /// Writes down what happens once the last hold is released. While the customer holds the transfer, that
    /// is nothing.
    pub(crate) fn schedule(&self, connection: &Connection, now: i64) -> Result<(), ApiError> {
        transfer_status::forget_future(connection, &self.id, now)?;
        if self.customer_hold == "HELD" {
            return Ok(());
        }
        let released = self.system_hold_until.map_or(now, |until| until.max(now));
        transfer_status::schedule(connection, &self.id, self.method, released, self.will_fail)
    }

    /// What a tester sees of it.
    fn overview(&self, connection: &Connection, now: i64) -> Result<Value, ApiError> {
        let record: Value = serde_json::from_str(&self.record)?;
        let amount = |name: &str| {
            record.get("quote").and_then(|quote| quote.get(name)).cloned().unwrap_or(Value::Null)
        };
        Ok(json!({
            "transferId": self.id,
            "transferRequestId": self.request_id,
            "confirmationNumber": self.confirmation,
            "senderId": self.sender,
            "recipientId": self.recipient,
            "quoteHistoryId": self.quote,
            "nonce": self.nonce,
            "transferMethod": self.method,
            "customerHold": self.customer_hold,
            "systemHoldUntil": self.system_hold_until.map(iso),
            "held": self.is_held(now),
            "status": transfer_status::at(connection, &self.id, now)?,
            "sendAmount": amount("sendAmount"),
            "receiveAmount": amount("receiveAmount"),
            "totalCost": amount("totalCost"),
            "createdAt": iso(self.created_at),
        }))
    }
}

/// What is written when a transfer is made.
pub(super) struct NewTransfer<'a> {
    pub(super) id: &'a str,
    pub(super) request_id: &'a str,
    pub(super) confirmation: &'a str,
    pub(super) client: &'a str,
    pub(super) sender: &'a str,
    pub(super) recipient: &'a str,
    pub(super) quote: &'a str,
    pub(super) nonce: Option<String>,
    pub(super) method: TransferMethod,
    pub(super) customer_hold: bool,
    pub(super) system_hold_until: Option<i64>,
    pub(super) will_fail: bool,
    pub(super) cents: i64,
    pub(super) cost_cents: i64,
    pub(super) debited_cents: i64,
    pub(super) record: &'a Value,
    pub(super) created_at: i64,
}

impl NewTransfer<'_> {
    /// Writes the row. The database's own constraints decide whether there was one before.
    pub(super) fn insert(&self, connection: &Connection) -> Result<(), ApiError> {
        let inserted = connection
            .prepare_cached(
                "INSERT INTO transfers (id, request_id, confirmation, client_id, sender_id,
                 recipient_id, quote_history_id, nonce, method, customer_hold, system_hold_until,
                 will_fail, cents, cost_cents, debited_cents, record, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                 ?17)",
            )?
            .execute(params![
                self.id,
                self.request_id,
                self.confirmation,
                self.client,
                self.sender,
                self.recipient,
                self.quote,
                self.nonce,
                self.method.name(),
                if self.customer_hold { "HELD" } else { "NONE" },
                self.system_hold_until,
                self.will_fail,
                self.cents,
                self.cost_cents,
                self.debited_cents,
                self.record.to_string(),
                self.created_at,
            ]);
        match inserted {
            Ok(_) => Ok(()),
            Err(error) => Err(taken(&error).map_or_else(|| error.into(), ApiError::from)),
        }
    }
}

/// Which of the two uniqueness rules an insertion broke, if it was one of them.
fn taken(error: &rusqlite::Error) -> Option<ErrorCode> {
    let rusqlite::Error::SqliteFailure(failure, Some(message)) = error else { return None };
    if failure.extended_code != rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE {
        None
    } else if message.contains("transfers.quote_history_id") {
        Some(ErrorCode::TransferDuplicatedByQuote)
    } else if message.contains("transfers.nonce") {
        Some(ErrorCode::NonceAlreadyUsed)
    } else {
        None
    }
}

/// Fails where the quote or the nonce already made a transfer. Before everything else is checked, so
/// that the same request sent again is always answered so.
pub(super) fn check_unused(
    connection: &Connection,
    client: &str,
    quote: &str,
    nonce: Option<&str>,
) -> Result<(), ApiError> {
    let used: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM transfers WHERE quote_history_id = ?1)")?
        .query_row([quote], |row| row.get(0))?;
    if used {
        return Err(ErrorCode::TransferDuplicatedByQuote.into());
    }
    let used: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM transfers WHERE client_id = ?1 AND nonce = ?2)")?
        .query_row(params![client, nonce], |row| row.get(0))?;
    if used { Err(ErrorCode::NonceAlreadyUsed.into()) } else { Ok(()) }
}

/// Finds a transfer in the caller's context.
pub(crate) fn find(connection: &Connection, caller: Caller, id: Uuid) -> Result<Transfer, ApiError> {
    find_where(connection, caller, "id", &id.to_string())?.ok_or_else(|| ErrorCode::TransferNotFound.into())
}

/// Finds a transfer that was just written, or whose owner was checked.
pub(crate) fn find_made(connection: &Connection, id: &str) -> Result<Transfer, ApiError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM transfers WHERE id = ?1"))?
        .query_row([id], Transfer::from_row)
        .optional()?
        .ok_or_else(|| ErrorCode::TransferNotFound.into())
}

/// Finds a transfer by one of its unique columns, in the caller's context.
pub(crate) fn find_where(
    connection: &Connection,
    caller: Caller,
    column: &'static str,
    value: &str,
) -> Result<Option<Transfer>, ApiError> {
    let sender = caller.sender_if_any(connection, None)?.map(|sender| sender.id.to_string());
    Ok(connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM transfers WHERE {column} = ?1 AND client_id = ?2
             AND (?3 IS NULL OR sender_id = ?3)"
        ))?
        .query_row(params![value, caller.client.id.to_string(), sender], Transfer::from_row)
        .optional()?)
}

/// A page of a sender's transfers, the newest first.
pub(super) fn page(
    connection: &Connection,
    sender: &str,
    limit: i64,
    offset: i64,
) -> Result<Vec<Transfer>, ApiError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM transfers WHERE sender_id = ?1
         ORDER BY created_at DESC, number DESC LIMIT ?2 OFFSET ?3"
    ))?;
    let rows = statement.query_map(params![sender, limit, offset], Transfer::from_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Every recorded transfer in the order of their making, for testers: straight from the database. With
/// `newest`, so many of the last ones, the last first.
pub(crate) fn recorded(connection: &Connection, newest: i64, now: i64) -> Result<Vec<Value>, ApiError> {
    let order = if newest > 0 { "DESC LIMIT ?1" } else { "ASC LIMIT -1 + 0 * ?1" };
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM transfers ORDER BY number {order}"))?;
    let rows = statement.query_map([newest], Transfer::from_row)?;
    let mut transfers = Vec::new();
    for transfer in rows {
        transfers.push(transfer?.overview(connection, now)?);
    }
    Ok(transfers)
}

/// The list carries amounts as decimal numbers, unlike everything else.
pub(super) fn amounts_as_decimals(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(amounts_as_decimals),
        Value::Object(object) => {
            let places = object
                .get("currency")
                .and_then(|currency| currency.get("decimalPlaces"))
                .and_then(Value::as_u64)
                .and_then(|places| u32::try_from(places).ok());
            let minor = object.get("value").and_then(Value::as_i64);
            if let (Some(places), Some(minor)) = (places, minor) {
                // Read back from its digits, so that the nearest double is the one that prints so.
                if let Ok(number) = decimal(minor, places).parse::<f64>() {
                    object.insert("value".into(), json!(number));
                }
            } else {
                object.values_mut().for_each(amounts_as_decimals);
            }
        }
        _ => {}
    }
}

/// Remembers that the provider refused a submission.
pub(super) fn remember_failure(connection: &Connection, quote: &str) -> Result<(), ApiError> {
    connection.prepare_cached("INSERT OR IGNORE INTO failed_submissions VALUES (?1)")?.execute([quote])?;
    Ok(())
}

pub(crate) fn has_failed(connection: &Connection, quote: &str) -> Result<bool, ApiError> {
    Ok(connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM failed_submissions WHERE quote_history_id = ?1)")?
        .query_row([quote], |row| row.get(0))?)
}
