//! What a fresh sandbox contains: balances, and senders of both clients.

use uuid::uuid;

use crate::client::{self, CLIENTS, Client};
use crate::endpoint::*;
use crate::fields::{Kind, Values};
use crate::sender::{GROUPS, Sender};
use crate::sender_limits::Limits;
use crate::world::World;

/// The announced sender: a person with hardly any limits.
pub(crate) const PERSON: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e001");
pub(crate) const BUSINESS: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e002");
/// A person of the same client with the limits of a new sender.
pub(crate) const LIMITED: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e003");
/// A person of the other client.
pub(crate) const FOREIGN: Uuid = uuid!("1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e004");

pub(crate) fn client() -> &'static Client {
    let [announced, _] = &CLIENTS;
    announced
}

/// Creates the balances and senders that are missing.
pub(crate) fn create(db: &Connection, now: i64, world: &World) -> Result {
    client::create_balances(db)?;
    let person = |first: &str, last: &str| {
        vec![("firstName", json!(first)), ("lastName", json!(last)), ("DATE_OF_BIRTH", json!("1986-04-17"))]
    };
    let business = vec![("companyName", json!("Northwind Imports LLC")), ("EMPLOYEE_COUNT", json!("12"))];
    let [announced, other] = &CLIENTS;
    let [group, _] = GROUPS;
    for (id, client, kind, limits, own) in [
        (PERSON, announced, Kind::Person, Limits::wide(), person("Elena", "Marsh")),
        (BUSINESS, announced, Kind::Business, Limits::wide(), business),
        (LIMITED, announced, Kind::Person, world.limits(), person("Jonas", "Reed")),
        (FOREIGN, other, Kind::Person, Limits::wide(), person("Maya", "Stone")),
    ] {
        if Sender::get(db, id)?.is_none() {
            let (client, values) = (client.id, with_address(own));
            Sender { id, client, kind, group, limits, values, created_at: now, deactivated: false }
                .insert(db)?;
        }
    }
    Ok(())
}

fn with_address(own: Vec<(&str, Value)>) -> Values {
    let phone = json!({ "number": "9125550142", "countryIso3Code": "USA", "countryPhoneCode": "1" });
    let address = [
        ("ADDRESS_LINE_1", json!("12 Harbour Street")),
        ("ADDRESS_CITY", json!("Savannah")),
        ("ADDRESS_STATE", json!("GA")),
        ("ADDRESS_ZIP", json!("31401")),
        ("PHONE_NUMBER", phone),
        ("EMAIL_ADDRESS", json!("sender@example.com")),
    ];
    let mut values = Values::default();
    for (id, value) in own.into_iter().chain(address) {
        values.set(id, value);
    }
    values
}
