//! Message authentication codes for access tokens and nonces.

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// The secret key of a database.
pub(crate) struct Signer([u8; 32]);

impl std::fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Signer(…)")
    }
}

impl Signer {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Returns the MAC of `payload`. `purpose` separates tokens from nonces.
    pub(crate) fn mac(&self, purpose: &str, payload: &[&[u8]]) -> [u8; 32] {
        // HMAC accepts keys of any length, so this cannot fail.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return [0; 32] };
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        for part in payload {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// Compares secrets in constant time.
pub(crate) fn equal(expected: &[u8], given: &[u8]) -> bool {
    expected.ct_eq(given).into()
}
