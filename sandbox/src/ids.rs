//! The source of identifiers. `--seed` makes it repeatable.

use std::sync::Mutex;

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use uuid::{Builder, Uuid};

use crate::locks::lock;

#[derive(Debug)]
pub(crate) struct Ids(Mutex<ChaCha12Rng>);

impl Ids {
    /// `starts` counts the starts on one database, so that a second start with the same seed repeats no
    /// identifier of the first. `stream` separates independent users of one seed.
    pub(crate) fn new(seed: Option<u64>, starts: u64, stream: u64) -> Self {
        Self(Mutex::new(Self::generator(seed, starts, stream)))
    }

    pub(crate) fn restart(&self, seed: u64, stream: u64) {
        *lock(&self.0) = Self::generator(Some(seed), 0, stream);
    }

    fn generator(seed: Option<u64>, starts: u64, stream: u64) -> ChaCha12Rng {
        let mut generator = match seed {
            Some(seed) => {
                let mut bytes = [0; 32];
                let parts = seed.to_le_bytes().into_iter().chain(starts.to_le_bytes());
                bytes.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
                ChaCha12Rng::from_seed(bytes)
            }
            None => ChaCha12Rng::from_os_rng(),
        };
        generator.set_stream(stream);
        generator
    }

    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        lock(&self.0).fill_bytes(&mut bytes);
        bytes
    }

    pub(crate) fn uuid(&self) -> Uuid {
        Builder::from_random_bytes(self.bytes()).into_uuid()
    }

    /// Returns a number of exactly `digits` decimal digits (1 to 18).
    pub(crate) fn number(&self, digits: u32) -> u64 {
        let low = 10_u64.saturating_pow(digits.saturating_sub(1));
        let high = low.saturating_mul(9);
        low + u64::from_le_bytes(self.bytes()) % high.max(1)
    }
}

/// Parses the hyphenated form of 36 characters, and no other.
pub(crate) fn parse_uuid(text: &str) -> Option<Uuid> {
    if text.len() == 36 { Uuid::try_parse(text).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_seed_start_and_stream_repeat_identifiers() {
        let first = |seed, starts, stream| Ids::new(seed, starts, stream).uuid();
        assert_eq!(first(Some(1), 1, 0), first(Some(1), 1, 0));
        for (seed, starts, stream) in [(Some(2), 1, 0), (Some(1), 2, 0), (Some(1), 1, 1), (None, 1, 0)] {
            assert_ne!(first(seed, starts, stream), first(Some(1), 1, 0));
        }
        assert_ne!(first(None, 1, 0), first(None, 1, 0));
    }

    #[test]
    fn numbers_have_exactly_their_digits() {
        let ids = Ids::new(Some(1), 1, 0);
        for digits in 1..=18 {
            assert_eq!(ids.number(digits).to_string().len(), digits as usize);
        }
    }

    #[test]
    fn only_the_hyphenated_form_is_a_uuid() {
        assert!(parse_uuid("4d5a7d05-cce5-49ec-ad67-7b5eb7035e5a").is_some());
        for wrong in ["", "4d5a7d05cce549ecad677b5eb7035e5a", "{4d5a7d05-cce5-49ec-ad67-7b5eb7035e5a}", "x"] {
            assert!(parse_uuid(wrong).is_none(), "{wrong}");
        }
    }
}
