//! GET /v1/nonce (interface, part 4). A nonce contains a MAC for its customer, so the service recognizes its
//! own without storing unused ones.

use uuid::Builder;

use crate::client::Client;
use crate::endpoint::*;
use crate::ids::Ids;
use crate::signer::{Signer, equal};

pub(crate) const RESOURCE: Resource = Resource { file: file!(), routes, tables: "", document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/nonce", get(plain(create)))
}

fn create(call: &Call) -> Reply {
    Ok(json!({ "nonce": issue(&call.app.signer, &call.app.ids, call.caller.client) }))
}

fn issue(signer: &Signer, ids: &Ids, client: &Client) -> Uuid {
    // The MAC also covers the version bits of the first half.
    let random = Builder::from_random_bytes(ids.bytes()).into_uuid();
    with_mac(signer, client, random.into_bytes())
}

/// Replaces the second half of the bytes by the MAC of the first.
fn with_mac(signer: &Signer, client: &Client, mut bytes: [u8; 16]) -> Uuid {
    let (random, tail) = bytes.split_at_mut(8);
    let mac = signer.mac("nonce", &[client.id.as_bytes(), random]);
    tail.iter_mut().zip(mac).for_each(|(to, from)| *to = from);
    Builder::from_random_bytes(bytes).into_uuid()
}

pub(crate) fn is_own(signer: &Signer, client: &Client, nonce: Uuid) -> bool {
    let expected = with_mac(signer, client, nonce.into_bytes());
    equal(expected.as_bytes(), nonce.as_bytes())
}

const DOCUMENT: &str = r##"
tag: transfer
paths:
  /v1/nonce:
    get: { operationId: nonce, summary: "Issues a nonce, which makes one transfer unrepeatable.",
           x-source: documented,
           responses: { "200": { x-source: published, required: [nonce], properties: { nonce: Uuid } } } }
"##;
