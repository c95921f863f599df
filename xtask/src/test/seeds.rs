//! The seeds of everything random in the suite, always the same, so that a change fails only for what it
//! broke. The long commands, such as `cargo xtask chaos`, take random ones and print them.

use crate::proof::Seed;

const SEED: u32 = 1;

/// What the tests read: each replaces a random seed, and the last one a time by a number.
pub(super) const SETTINGS: [(&str, &str); 4] = [
    ("MONEY_SEED", "1"),
    ("PROPTEST_RNG_SEED", "1"),
    ("REMITKIT_FIELDS_SEED", "1"),
    ("REMITKIT_FIELDS_SERVICES", "12"),
];

pub(super) fn of_proofs() -> Seed {
    Seed::of(SEED)
}
