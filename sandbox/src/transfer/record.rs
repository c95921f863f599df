//! A transfer as it is in the database and on the wire.

use super::status::Steps;
use crate::currency::decimal;
use crate::endpoint::*;
use crate::records::value;
use crate::transfer_method::TransferMethod;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Hold {
    None,
    Held,
    Released,
    Canceled,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Transfer {
    pub(crate) id: Uuid,
    pub(crate) request: Uuid,
    pub(crate) confirmation: u64,
    pub(crate) client: Uuid,
    pub(crate) sender: Uuid,
    pub(crate) recipient: Uuid,
    pub(crate) quote: Uuid,
    pub(crate) nonce: Option<Uuid>,
    pub(crate) method: TransferMethod,
    pub(crate) hold: Hold,
    pub(crate) system_hold_until: Option<i64>,
    pub(crate) will_fail: bool,
    pub(crate) cents: i64,
    pub(crate) cost_cents: i64,
    pub(crate) debited_cents: i64,
    /// The wire record as it was created, without the status.
    pub(crate) record: Value,
    pub(crate) steps: Steps,
    pub(crate) created_at: i64,
}

// The UNIQUE constraints guarantee one transfer per quote and per nonce, whatever the code does.
record!(
    Transfer,
    "transfers",
    ", client TEXT NOT NULL AS (data->>'client') STORED,
    sender TEXT NOT NULL AS (data->>'sender') STORED,
    recipient TEXT NOT NULL AS (data->>'recipient') STORED,
    quote TEXT NOT NULL UNIQUE AS (data->>'quote') STORED,
    request TEXT NOT NULL UNIQUE AS (data->>'request') STORED,
    nonce TEXT AS (data->>'nonce') STORED,
    counts INTEGER NOT NULL AS (data->>'hold' <> 'CANCELED') STORED,
    cents INTEGER NOT NULL AS (data->>'cents') STORED,
    cost_cents INTEGER NOT NULL AS (data->>'cost_cents') STORED,
    created_at INTEGER NOT NULL AS (data->>'created_at') STORED,
    UNIQUE (client, nonce)",
    "CREATE INDEX IF NOT EXISTS transfers_of_sender ON transfers (sender, created_at);
    CREATE INDEX IF NOT EXISTS transfers_of_recipient ON transfers (recipient, created_at);"
);

impl Transfer {
    pub(crate) fn is_held(&self, now: i64) -> bool {
        self.hold == Hold::Held || self.system_hold_until.is_some_and(|until| now < until)
    }

    /// Replaces the future steps: none while the customer holds the transfer.
    pub(crate) fn schedule(&mut self, now: i64) {
        self.steps.drop_future(now);
        if self.hold != Hold::Held {
            let released = self.system_hold_until.map_or(now, |until| until.max(now));
            self.steps.schedule(self.method, released, self.will_fail);
        }
    }

    pub(crate) fn to_wire(&self, now: i64) -> Value {
        let mut transfer = self.record.clone();
        if let Some(transfer) = transfer.as_object_mut() {
            transfer.insert("status".into(), json!(self.steps.latest(now).status));
        }
        transfer
    }

    pub(crate) fn for_testers(&self, now: i64) -> Value {
        let amount = |name: &str| self.record.pointer(&format!("/quote/{name}"));
        json!({
            "transferId": self.id, "transferRequestId": self.request,
            "confirmationNumber": self.confirmation.to_string(), "senderId": self.sender,
            "recipientId": self.recipient, "quoteHistoryId": self.quote, "nonce": self.nonce,
            "transferMethod": self.method, "customerHold": self.hold,
            "systemHoldUntil": self.system_hold_until.map(iso), "held": self.is_held(now),
            "status": self.steps.latest(now).status, "reason": self.steps.latest(now).reason, "sendAmount": amount("sendAmount"),
            "receiveAmount": amount("receiveAmount"), "totalCost": amount("totalCost"),
            "createdAt": iso(self.created_at),
        })
    }

    /// Inserts the row; the constraints of the table detect a duplicate.
    pub(super) fn insert_once(&self, db: &Connection) -> Result {
        self.insert(db).map(|_| ()).map_err(|error| {
            let message = error.to_string();
            if message.contains("transfers.quote") {
                ErrorCode::TransferDuplicatedByQuote.into()
            } else if message.contains("transfers.nonce") {
                ErrorCode::NonceAlreadyUsed.into()
            } else {
                error.into()
            }
        })
    }
}

/// Fails where the quote or the nonce already has a transfer. Runs before all other checks, so that a
/// repeated request always gets this answer.
pub(super) fn check_unused(db: &Connection, client: Uuid, quote: Uuid, nonce: Option<Uuid>) -> Result {
    let found = "SELECT 1 FROM transfers WHERE quote = ?1";
    if value::<i64>(db, found, [quote.to_string()])?.is_some() {
        return Err(ErrorCode::TransferDuplicatedByQuote.into());
    }
    let found = "SELECT 1 FROM transfers WHERE client = ?1 AND nonce = ?2";
    let nonce = nonce.map(|nonce| nonce.to_string());
    if value::<i64>(db, found, (client.to_string(), nonce))?.is_some() {
        return Err(ErrorCode::NonceAlreadyUsed.into());
    }
    Ok(())
}

pub(crate) fn find(call: &Call, db: &Connection) -> Result<Transfer> {
    find_by(db, call.caller, "id", call.path_id("transferId")?)?
        .ok_or_else(|| ErrorCode::TransferNotFound.into())
}

/// Finds a transfer by one of its unique columns, in the caller's context.
pub(crate) fn find_by(
    db: &Connection,
    caller: Caller,
    column: &'static str,
    id: Uuid,
) -> Result<Option<Transfer>> {
    let sender = caller.sender_if_any(db, None)?;
    let found = Transfer::list(db, &format!("WHERE {column} = ?1"), [id.to_string()])?.pop();
    Ok(found.filter(|transfer| {
        transfer.client == caller.client.id && sender.is_none_or(|sender| sender.id == transfer.sender)
    }))
}

/// Converts all amounts from minor units to decimals, which only the list of transfers has.
pub(super) fn amounts_to_decimals(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(amounts_to_decimals),
        Value::Object(object) => {
            let places = object
                .get("currency")
                .and_then(|currency| currency.get("decimalPlaces"))
                .and_then(Value::as_u64)
                .and_then(|places| u32::try_from(places).ok());
            let minor = object.get("value").and_then(Value::as_i64);
            if let (Some(places), Some(minor)) = (places, minor) {
                // Parsing the decimal text gives the double that prints as this text.
                if let Ok(number) = decimal(minor, places).parse::<f64>() {
                    object.insert("value".into(), json!(number));
                }
            } else {
                object.values_mut().for_each(amounts_to_decimals);
            }
        }
        _ => {}
    }
}
