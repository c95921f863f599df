//! GET /v1/nonce: what makes a transfer unrepeatable (interface, part 4).
//!
//! A nonce carries a mark of the customer it was made for, so that the service recognises its own
//! without keeping a list of those that were never used.

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use uuid::{Builder, Uuid};

use crate::app::App;
use crate::call::{Call, Reply, plain};
use crate::client::Client;
use crate::ids::Ids;
use crate::resource::Resource;
use crate::seal::Seal;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/nonce:
    get:
      operationId: nonce
      tags: [transfer]
      summary: Gives a value that makes one transfer unrepeatable.
      x-source: documented
      x-error-codes: []
      responses:
        "200":
          description: A nonce for one use.
          content:
            application/json:
              schema:
                type: object
                x-source: published
                required: [nonce]
                properties:
                  nonce: { $ref: "#/components/schemas/Uuid" }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/nonce", get(plain(take)))
}

fn take(call: &Call) -> Reply {
    let nonce = make(&call.app.seal, &call.app.ids, call.caller.client);
    Ok(Json(json!({ "nonce": nonce })))
}

/// The second half of a nonce follows from its first half and the customer.
fn with_mark(seal: &Seal, client: &Client, mut bytes: [u8; 16]) -> Uuid {
    let (chance, tail) = bytes.split_at_mut(8);
    let mark = seal.mark("nonce", &[client.id.as_bytes(), chance]);
    tail.iter_mut().zip(mark).for_each(|(to, from)| *to = from);
    Builder::from_random_bytes(bytes).into_uuid()
}

fn make(seal: &Seal, ids: &Ids, client: &Client) -> Uuid {
    // The version's bits are part of what is marked.
    let chance = Builder::from_random_bytes(ids.bytes()).into_uuid();
    with_mark(seal, client, chance.into_bytes())
}

/// Whether a nonce was made here for this customer.
pub(crate) fn is_own(seal: &Seal, client: &Client, nonce: Uuid) -> bool {
    let expected = with_mark(seal, client, nonce.into_bytes());
    Seal::matches(expected.as_bytes(), nonce.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::CLIENTS;

    #[test]
    fn a_nonce_is_known_to_its_customer_alone() {
        let seal = Seal::new([3; 32]);
        let ids = Ids::new(Some(1), 1, 0);
        let [ours, theirs] = &CLIENTS;
        for _ in 0..100 {
            let nonce = make(&seal, &ids, ours);
            assert_eq!(nonce.get_version_num(), 4);
            assert!(is_own(&seal, ours, nonce));
            assert!(!is_own(&seal, theirs, nonce));
            assert!(!is_own(&Seal::new([4; 32]), ours, nonce));
            assert!(!is_own(&seal, ours, ids.uuid()));
        }
    }
}
