//! Who is calling: bearer tokens of both levels (interface, part 5).

use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::Connection;
use uuid::Uuid;

use crate::client::{self, Client};
use crate::clock::SECOND;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::ids::Ids;
use crate::recipient::Recipient;
use crate::records::Record;
use crate::seal::Seal;
use crate::sender::{self, Sender};

const PURPOSE: &str = "access token";
/// Client, sender (nil for client level), expiry and eight bytes of chance.
const PAYLOAD: usize = 16 + 16 + 8 + 8;

/// The holder of a valid token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) client: &'static Client,
    /// The sender that a sender-level token is bound to.
    sender: Option<Uuid>,
}

impl Caller {
    /// The sender of an operation that needs one: the token's, or the one that the request names.
    pub(crate) fn sender(&self, connection: &Connection, named: Option<Uuid>) -> Result<Sender, ApiError> {
        let id = self.sender.or(named).ok_or(ErrorCode::SenderUndetermined)?;
        // To a sender-level token no other sender exists.
        if named.is_some_and(|named| named != id) {
            return Err(ErrorCode::SenderNotFound.into());
        }
        sender::find(connection, self.client, id)
    }

    /// The same for operations that work without a sender, too.
    pub(crate) fn sender_if_any(
        &self,
        connection: &Connection,
        named: Option<Uuid>,
    ) -> Result<Option<Sender>, ApiError> {
        match self.sender.or(named) {
            None => Ok(None),
            Some(_) => self.sender(connection, named).map(Some),
        }
    }

    /// The sender of an operation on a recipient. A client-level token that names no sender may
    /// work on any of the client's: then it is the one to whom the recipient belongs.
    pub(crate) fn owner_of_recipient(
        &self,
        connection: &Connection,
        named: Option<Uuid>,
        recipient: Uuid,
    ) -> Result<Sender, ApiError> {
        if self.sender.or(named).is_some() {
            return self.sender(connection, named);
        }
        let owner = Recipient::get(connection, recipient)?;
        owner
            .and_then(|recipient| sender::find(connection, self.client, recipient.sender).ok())
            .ok_or_else(|| ErrorCode::RecipientNotFound.into())
    }

    /// Refuses sender-level tokens, for what concerns the client's account as a whole.
    pub(crate) fn require_client_level(&self) -> Result<(), ApiError> {
        if self.sender.is_none() {
            return Ok(());
        }
        Err(Problem::new(ErrorCode::AccessDenied)
            .because("a sender-level token works for its sender alone; this needs a client-level token")
            .into())
    }
}

/// Makes a token.
pub(crate) fn issue(seal: &Seal, ids: &Ids, client: &Client, sender: Option<Uuid>, expires: i64) -> String {
    let mut token = Vec::with_capacity(PAYLOAD + 32);
    token.extend_from_slice(client.id.as_bytes());
    token.extend_from_slice(sender.unwrap_or(Uuid::nil()).as_bytes());
    token.extend_from_slice(&expires.to_be_bytes());
    token.extend_from_slice(&ids.bytes::<8>());
    let mark = seal.mark(PURPOSE, &[&token]);
    token.extend_from_slice(&mark);
    URL_SAFE_NO_PAD.encode(token)
}

/// What is wrong with a token, for the developer.
fn verify(seal: &Seal, now: i64, token: &str) -> Result<Caller, &'static str> {
    const UNKNOWN: &str = "the access token was not issued by this service";
    let token = URL_SAFE_NO_PAD.decode(token).map_err(|_| UNKNOWN)?;
    let (payload, mark) = token.split_at_checked(PAYLOAD).ok_or(UNKNOWN)?;
    if !Seal::matches(&seal.mark(PURPOSE, &[payload]), mark) {
        return Err(UNKNOWN);
    }
    let (client, rest) = payload.split_first_chunk::<16>().ok_or(UNKNOWN)?;
    let (sender, rest) = rest.split_first_chunk::<16>().ok_or(UNKNOWN)?;
    let (expires, _) = rest.split_first_chunk::<8>().ok_or(UNKNOWN)?;
    if i64::from_be_bytes(*expires) <= now {
        return Err("the access token has expired; fetch a new one");
    }
    let client = client::by_id(Uuid::from_bytes(*client)).ok_or(UNKNOWN)?;
    let sender = Some(Uuid::from_bytes(*sender)).filter(|sender| !sender.is_nil());
    Ok(Caller { client, sender })
}

/// Who may ask.
pub(crate) trait Identity: Sized + Send {
    fn of(headers: &HeaderMap, seal: &Seal, now: i64) -> Result<Self, ApiError>;
}

/// Someone whom nobody asked for a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anyone;

impl Identity for Anyone {
    fn of(_: &HeaderMap, _: &Seal, _: i64) -> Result<Self, ApiError> {
        Ok(Self)
    }
}

impl Identity for Caller {
    fn of(headers: &HeaderMap, seal: &Seal, now: i64) -> Result<Self, ApiError> {
        let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let caller = match header.map(|value| value.split_once(' ')) {
            None => Err("send the access token in the header Authorization: Bearer …"),
            Some(Some((scheme, token))) if scheme.eq_ignore_ascii_case("bearer") => {
                verify(seal, now, token.trim())
            }
            Some(_) => Err("the Authorization header has to be Bearer and the access token"),
        };
        caller.map_err(|why| Problem::new(ErrorCode::Unauthorized).because(why).into())
    }
}

/// The expiry of a token that is issued at `now`.
pub(crate) fn expiry(now: i64, seconds: i64) -> i64 {
    now.saturating_add(seconds.saturating_mul(SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::CLIENTS;

    #[test]
    fn a_token_is_good_until_it_expires_or_a_bit_of_it_changes() {
        let seal = Seal::new([7; 32]);
        let ids = Ids::new(Some(1), 1, 0);
        let sender = ids.uuid();
        let token = issue(&seal, &ids, &CLIENTS[0], Some(sender), 100);
        let caller = verify(&seal, 99, &token).unwrap();
        assert_eq!(caller.client.id, CLIENTS[0].id);
        assert_eq!(caller.sender, Some(sender));
        assert!(verify(&seal, 100, &token).is_err());
        assert!(verify(&Seal::new([8; 32]), 99, &token).is_err());

        let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut forged = bytes.clone();
            forged[bit / 8] ^= 1 << (bit % 8);
            assert!(verify(&seal, 0, &URL_SAFE_NO_PAD.encode(forged)).is_err(), "bit {bit}");
        }
        for wrong in ["", "x", "é", token.get(1..).unwrap(), &format!("{token}A")] {
            assert!(verify(&seal, 0, wrong).is_err());
        }
    }
}
