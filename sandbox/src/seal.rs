//! Short texts that only this service can have made: access tokens and nonces.

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// The key of a database, with which it recognises what it handed out.
pub(crate) struct Seal([u8; 32]);

impl std::fmt::Debug for Seal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Seal(…)")
    }
}

impl Seal {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// The mark of `payload`; `purpose` keeps a mark for one use from serving another.
    pub(crate) fn mark(&self, purpose: &str, payload: &[&[u8]]) -> [u8; 32] {
        // HMAC takes keys of any length, so this can't fail; an empty mark would match nothing else.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return [0; 32] };
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        for part in payload {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// Compares a mark with what it should be, in the same time wherever they differ.
    pub(crate) fn matches(expected: &[u8], given: &[u8]) -> bool {
        expected.ct_eq(given).into()
    }
}
