//! Access tokens of both levels, and what their callers may do (interface, part 5).

use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::client::{self, Client};
use crate::error::{ErrorCode, Problem, Result};
use crate::ids::Ids;
use crate::signer::{Signer, equal};

const PURPOSE: &str = "access token";
/// Client, sender (nil at client level), expiry, and eight random bytes.
const PAYLOAD: usize = 16 + 16 + 8 + 8;

/// The holder of a valid token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) client: &'static Client,
    pub(crate) sender: Option<Uuid>,
}

impl Caller {
    pub(crate) fn require_client_level(&self) -> Result {
        if self.sender.is_none() {
            return Ok(());
        }
        let why = "a sender-level token works for its sender alone; this needs a client-level token";
        Err(Problem::new(ErrorCode::AccessDenied).because(why).into())
    }
}

pub(crate) fn issue(
    signer: &Signer,
    ids: &Ids,
    client: &Client,
    sender: Option<Uuid>,
    expires: i64,
) -> String {
    let sender = sender.unwrap_or(Uuid::nil());
    let (expires, random) = (expires.to_be_bytes(), ids.bytes::<8>());
    let payload = [client.id.as_bytes(), sender.as_bytes(), expires.as_slice(), random.as_slice()].concat();
    let mac = signer.mac(PURPOSE, &[&payload]);
    URL_SAFE_NO_PAD.encode([payload.as_slice(), &mac].concat())
}

/// Verifies a token. The error is a text for developers.
fn verify(signer: &Signer, now: i64, token: &str) -> Result<Caller, &'static str> {
    const UNKNOWN: &str = "the access token was not issued by this service";
    let token = URL_SAFE_NO_PAD.decode(token).map_err(|_| UNKNOWN)?;
    let (payload, mac) = token.split_at_checked(PAYLOAD).ok_or(UNKNOWN)?;
    if !equal(&signer.mac(PURPOSE, &[payload]), mac) {
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

/// What a request must prove about its caller.
pub(crate) trait Identity: Sized + Send {
    fn identify(headers: &HeaderMap, signer: &Signer, now: i64) -> Result<Self>;
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Anyone;

impl Identity for Anyone {
    fn identify(_: &HeaderMap, _: &Signer, _: i64) -> Result<Self> {
        Ok(Self)
    }
}

impl Identity for Caller {
    fn identify(headers: &HeaderMap, signer: &Signer, now: i64) -> Result<Self> {
        let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let caller = match header.map(|value| value.split_once(' ')) {
            None => Err("send the access token in the header Authorization: Bearer …"),
            Some(Some((scheme, token))) if scheme.eq_ignore_ascii_case("bearer") => {
                verify(signer, now, token.trim())
            }
            Some(_) => Err("the Authorization header has to be Bearer and the access token"),
        };
        caller.map_err(|why| Problem::new(ErrorCode::Unauthorized).because(why).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::CLIENTS;

    #[test]
    fn tokens_are_rejected_once_expired_or_with_any_bit_changed() {
        let signer = Signer::new([7; 32]);
        let ids = Ids::new(Some(1), 1, 0);
        let sender = ids.uuid();
        let token = issue(&signer, &ids, &CLIENTS[0], Some(sender), 100);
        let caller = verify(&signer, 99, &token).unwrap();
        assert_eq!((caller.client.id, caller.sender), (CLIENTS[0].id, Some(sender)));
        assert!(verify(&signer, 100, &token).is_err());
        assert!(verify(&Signer::new([8; 32]), 99, &token).is_err());

        let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut forged = bytes.clone();
            forged[bit / 8] ^= 1 << (bit % 8);
            assert!(verify(&signer, 0, &URL_SAFE_NO_PAD.encode(forged)).is_err(), "bit {bit}");
        }
        for wrong in ["", "x", "é", token.get(1..).unwrap(), &format!("{token}A")] {
            assert!(verify(&signer, 0, wrong).is_err());
        }
    }
}
