//! Where identifiers come from: one stream of randomness, which `--seed` makes repeatable.

use std::sync::{Mutex, PoisonError};

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use uuid::{Builder, Uuid};

/// A source of identifiers that many requests share.
#[derive(Debug)]
pub(crate) struct Ids(Mutex<ChaCha12Rng>);

impl Ids {
    /// `boots` counts the starts on one database, so that the second start with the same seed does
    /// not hand out the identifiers of the first again. `stream` separates independent users.
    pub(crate) fn new(seed: Option<u64>, boots: u64, stream: u64) -> Self {
        Self(Mutex::new(Self::stream(seed, boots, stream)))
    }

    /// Goes on as another source.
    pub(crate) fn restart(&self, seed: u64, stream: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Self::stream(Some(seed), 0, stream);
    }

    fn stream(seed: Option<u64>, boots: u64, stream: u64) -> ChaCha12Rng {
        let mut rng = match seed {
            Some(seed) => {
                let mut bytes = [0; 32];
                let parts = seed.to_le_bytes().into_iter().chain(boots.to_le_bytes());
                bytes.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
                ChaCha12Rng::from_seed(bytes)
            }
            None => ChaCha12Rng::from_os_rng(),
        };
        rng.set_stream(stream);
        rng
    }

    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        bytes
    }

    pub(crate) fn uuid(&self) -> Uuid {
        Builder::from_random_bytes(self.bytes()).into_uuid()
    }

    /// A number of exactly `digits` decimal digits (1 to 18) that does not start with zero.
    pub(crate) fn number(&self, digits: u32) -> u64 {
        let low = 10_u64.saturating_pow(digits.saturating_sub(1));
        let high = low.saturating_mul(9);
        low + u64::from_le_bytes(self.bytes()) % high.max(1)
    }
}

/// Reads an identifier in the usual form of 36 characters, and no other.
pub(crate) fn parse_uuid(text: &str) -> Option<Uuid> {
    if text.len() != 36 {
        return None;
    }
    Uuid::try_parse(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_another_start_does_not() {
        let first = Ids::new(Some(7), 1, 0).uuid();
        assert_eq!(first, Ids::new(Some(7), 1, 0).uuid());
        assert_ne!(first, Ids::new(Some(7), 2, 0).uuid());
        assert_ne!(first, Ids::new(Some(8), 1, 0).uuid());
        assert_ne!(Ids::new(None, 1, 0).uuid(), Ids::new(None, 1, 0).uuid());
    }

    #[test]
    fn numbers_have_their_digits() {
        let ids = Ids::new(Some(1), 1, 0);
        for digits in 1..=18 {
            assert_eq!(ids.number(digits).to_string().len(), digits as usize);
        }
    }

    #[test]
    fn only_the_usual_form_is_an_identifier() {
        assert!(parse_uuid("4d5a7d05-cce5-49ec-ad67-7b5eb7035e5a").is_some());
        for wrong in ["", "4d5a7d05cce549ecad677b5eb7035e5a", "{4d5a7d05-cce5-49ec-ad67-7b5eb7035e5a}", "x"] {
            assert!(parse_uuid(wrong).is_none(), "{wrong}");
        }
    }
}
