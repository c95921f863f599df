//! What a fresh sandbox holds: senders of both clients.

use rusqlite::Connection;
use serde_json::json;
use uuid::{Uuid, uuid};

use crate::client::{CLIENTS, Client};
use crate::error::ApiError;
use crate::fields::{Kind, Values};
use crate::limits::Limits;
use crate::records::Record;
use crate::sender::{GROUPS, Sender};

/// The sender that the sandbox announces: a person whose limits hardly bind.
pub(crate) const PERSON: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e001");
/// A company of the same client.
pub(crate) const BUSINESS: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e002");
/// A person of the same client with the limits of a new sender.
pub(crate) const LIMITED: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e003");
/// A person of the other client.
pub(crate) const FOREIGN: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e004");

/// The client that the sandbox announces.
pub(crate) fn client() -> &'static Client {
    let [first, _] = &CLIENTS;
    first
}

fn other_client() -> &'static Client {
    let [_, second] = &CLIENTS;
    second
}

/// Writes the senders that are missing.
pub(crate) fn senders(connection: &Connection, now: i64) -> Result<(), ApiError> {
    let person = |first: &str, last: &str| {
        values(&[
            ("firstName", json!(first)),
            ("lastName", json!(last)),
            ("DATE_OF_BIRTH", json!("1986-04-17")),
        ])
    };
    let company = values(&[("companyName", json!("Northwind Imports LLC")), ("EMPLOYEE_COUNT", json!("12"))]);
    let all = [
        (PERSON, client(), Kind::Person, Limits::wide(), person("Elena", "Marsh")),
        (BUSINESS, client(), Kind::Business, Limits::wide(), company),
        (LIMITED, client(), Kind::Person, Limits::standard(), person("Jonas", "Reed")),
        (FOREIGN, other_client(), Kind::Person, Limits::wide(), person("Maya", "Stone")),
    ];
    let [group, _] = GROUPS;
    for (id, client, kind, limits, values) in all {
        if Sender::get(connection, id)?.is_none() {
            let client = client.id;
            Sender { id, client, kind, group, limits, values, created_at: now, deactivated: false }
                .insert(connection)?;
        }
    }
    Ok(())
}

fn values(own: &[(&str, serde_json::Value)]) -> Values {
    let mut values = Values::default();
    let address = [
        ("ADDRESS_LINE_1", json!("12 Harbour Street")),
        ("ADDRESS_CITY", json!("Savannah")),
        ("ADDRESS_STATE", json!("GA")),
        ("ADDRESS_ZIP", json!("31401")),
        (
            "PHONE_NUMBER",
            json!({ "number": "9125550142", "countryIso3Code": "USA", "countryPhoneCode": "1" }),
        ),
        ("EMAIL_ADDRESS", json!("sender@example.com")),
    ];
    for (id, value) in own.iter().chain(&address) {
        values.set(id, value.clone());
    }
    values
}
