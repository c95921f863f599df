//! When a request is sent again: pure tables.

use crate::api::Sending;
use crate::client::{SendFailure, TimeLimits};

/// The upper bound of all attempts of a call together.
pub const TOTAL_MS: u64 = 30_000;
const MAX_RETRY_AFTER_S: u32 = 30;
/// How long the budget of a client takes to earn one retry.
pub const RETRY_COSTS_MS: u64 = 1_000;
/// How many retries a client may make at once.
pub const RETRIES_AT_ONCE: u64 = 20;

/// The retries that all calls of a client share, so that a failing service is not flooded: a token bucket of
/// [`RETRIES_AT_ONCE`], refilled by one each [`RETRY_COSTS_MS`].
#[derive(Debug, Default)]
pub struct Budget {
    /// When the retries so far will have been earned.
    spent_until_ms: u64,
}

impl Budget {
    /// Takes one retry, if one is left.
    pub fn spend(&mut self, now_ms: u64) -> bool {
        let limit_ms = now_ms + RETRIES_AT_ONCE * RETRY_COSTS_MS;
        // Clamped, as a clock may be put back.
        let spent_until_ms = self.spent_until_ms.clamp(now_ms, limit_ms);
        let is_left = spent_until_ms + RETRY_COSTS_MS <= limit_ms;
        self.spent_until_ms = if is_left { spent_until_ms + RETRY_COSTS_MS } else { spent_until_ms };
        is_left
    }
}

/// Returns the limits of the next attempt: `idle_ms` without a byte, and what is left of the whole.
#[must_use]
pub fn time_limits(idle_ms: u32, elapsed_ms: u64) -> TimeLimits {
    let whole_ms = TOTAL_MS.max(u64::from(idle_ms));
    let left_ms = whole_ms.saturating_sub(elapsed_ms).max(1);
    let total_ms = u32::try_from(left_ms).unwrap_or(u32::MAX);
    TimeLimits { idle_ms: idle_ms.min(total_ms), total_ms }
}

/// Why an attempt did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptFailure {
    /// There was no reply.
    Send(SendFailure),
    /// The body of a success could not be read.
    Unreadable,
    /// The status was no success.
    Status(u16),
}

/// Whether the request may be sent again after its `attempt`-th attempt, counted from 1, failed.
#[must_use]
pub fn may_retry(sending: Sending, attempt: u32, failure: AttemptFailure) -> bool {
    let is_transient = match failure {
        AttemptFailure::Send(SendFailure::Network) => true,
        AttemptFailure::Send(
            SendFailure::Aborted
            | SendFailure::Blocked
            | SendFailure::Faulty
            | SendFailure::Missing
            | SendFailure::TooLong,
        ) => return false,
        AttemptFailure::Send(SendFailure::Timeout) | AttemptFailure::Unreadable => sending == Sending::Read,
        AttemptFailure::Status(408) => sending == Sending::Read,
        AttemptFailure::Status(429 | 500 | 502 | 503 | 504) => true,
        AttemptFailure::Status(501 | 505..) => matches!(sending, Sending::CardSession | Sending::Replace),
        AttemptFailure::Status(_) => return false,
    };
    let attempts = match sending {
        Sending::Read => 3,
        Sending::CardSession | Sending::Replace => 2,
        Sending::Once | Sending::CreateOnce | Sending::EndHold | Sending::Transfer => 1,
    };
    is_transient && attempt < attempts
}

/// Returns the delay after the `attempt`-th attempt: `min(0.5 * 2^attempt, 5)` seconds times a random ½ to 1,
/// or the `Retry-After`. `None` if that exceeds 30 s, or the call would exceed [`TOTAL_MS`].
#[must_use]
pub fn delay_ms(attempt: u32, retry_after_s: Option<u32>, random: f64, elapsed_ms: u64) -> Option<u32> {
    let delay = match retry_after_s {
        Some(seconds) if seconds > MAX_RETRY_AFTER_S => return None,
        Some(seconds) => seconds * 1000,
        None => {
            let whole = 500u32.saturating_mul(1 << attempt.min(8)).min(5000);
            whole / 2 + (f64::from(whole / 2) * random) as u32
        }
    };
    (elapsed_ms + u64::from(delay) < TOTAL_MS).then_some(delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_follow_the_documented_table() {
        use Sending::{CardSession, CreateOnce, EndHold, Once, Read, Replace, Transfer};
        // Attempts; whether a lost network, a timeout and an unreadable body are retried; and which statuses.
        type Documented = (Sending, u32, [bool; 3], fn(u16) -> bool);
        let table: [Documented; 7] = [
            (Read, 3, [true; 3], |status| [408, 429, 500, 502, 503, 504].contains(&status)),
            (CardSession, 2, [true, false, false], |status| status == 429 || status >= 500),
            (Replace, 2, [true, false, false], |status| status == 429 || status >= 500),
            (Once, 1, [false; 3], |_| false),
            (CreateOnce, 1, [false; 3], |_| false),
            (EndHold, 1, [false; 3], |_| false),
            (Transfer, 1, [false; 3], |_| false),
        ];
        for (sending, attempts, [network, timeout, unreadable], status) in table {
            for attempt in 1..=5 {
                let check = |failure, expected: bool| {
                    let may_retry = may_retry(sending, attempt, failure);
                    assert_eq!(
                        may_retry,
                        expected && attempt < attempts,
                        "{sending:?} {attempt} {failure:?}"
                    );
                };
                check(AttemptFailure::Send(SendFailure::Network), network);
                check(AttemptFailure::Send(SendFailure::Timeout), timeout);
                check(AttemptFailure::Send(SendFailure::Aborted), false);
                check(AttemptFailure::Send(SendFailure::Blocked), false);
                check(AttemptFailure::Send(SendFailure::Faulty), false);
                check(AttemptFailure::Send(SendFailure::Missing), false);
                check(AttemptFailure::Send(SendFailure::TooLong), false);
                check(AttemptFailure::Unreadable, unreadable);
                (100..600).for_each(|number| check(AttemptFailure::Status(number), status(number)));
            }
        }
    }

    #[test]
    fn a_client_makes_twenty_retries_at_once_and_then_one_each_second() {
        let mut budget = Budget::default();
        for (now_ms, retries) in [
            (5_000, 20),
            (5_999, 0),
            (6_000, 1),
            (9_000, 3),
            (600_000, 20),
            // A clock that is put back does not stop retries for good.
            (1_000, 0),
            (3_000, 2),
        ] {
            assert_eq!((0..100).filter(|_| budget.spend(now_ms)).count(), retries, "{now_ms}");
        }
    }

    #[test]
    fn an_attempt_ends_with_the_whole() {
        for (timeout_ms, elapsed_ms, idle_ms, total_ms) in [
            (10_000, 0, 10_000, 30_000),
            (10_000, 25_000, 5_000, 5_000),
            (10_000, 40_000, 1, 1),
            (120_000, 0, 120_000, 120_000),
            (120_000, 119_000, 1_000, 1_000),
        ] {
            assert_eq!(time_limits(timeout_ms, elapsed_ms), TimeLimits { idle_ms, total_ms });
        }
    }

    #[test]
    fn delays_grow_and_stay_within_their_bounds() {
        for (attempt, retry_after_s, random, elapsed_ms, expected) in [
            (1, None, 1.0, 0, Some(1000)),
            (2, None, 1.0, 0, Some(2000)),
            (3, None, 1.0, 0, Some(4000)),
            (4, None, 1.0, 0, Some(5000)),
            (9, None, 1.0, 0, Some(5000)),
            (1, None, 0.0, 0, Some(500)),
            (1, Some(7), 0.5, 0, Some(7000)),
            (1, Some(31), 0.5, 0, None),
            (1, Some(u32::MAX), 0.5, 0, None),
            (1, Some(20), 0.5, 10_000, None),
            (1, None, 0.0, 29_500, None),
        ] {
            assert_eq!(delay_ms(attempt, retry_after_s, random, elapsed_ms), expected);
        }
    }
}
