//! When a request is sent again: a pure table.

use crate::api::Sending;
use crate::client::SendFailure;

/// All attempts of a call together end after this.
pub const TOTAL_MS: u64 = 30_000;
const LONGEST_RETRY_AFTER_S: u32 = 30;

/// What all calls of a client together may spend on sending again, so that a service in trouble is not
/// hammered: so many at once, and then one each [`RETRY_COSTS_MS`].
#[derive(Debug, Default)]
pub struct Budget {
    /// Until when the retries so far have used it up.
    spent_until_ms: u64,
}

/// How long the budget of a client takes to earn one retry.
pub const RETRY_COSTS_MS: u64 = 1_000;
/// How many retries a client may make at once.
pub const RETRIES_AT_ONCE: u64 = 20;

impl Budget {
    /// Takes one retry out, if one is left.
    pub fn spend(&mut self, now_ms: u64) -> bool {
        let limit_ms = now_ms + RETRIES_AT_ONCE * RETRY_COSTS_MS;
        // Clamped, as a clock may be put back.
        let spent_until_ms = self.spent_until_ms.clamp(now_ms, limit_ms);
        let is_left = spent_until_ms + RETRY_COSTS_MS <= limit_ms;
        self.spent_until_ms = if is_left { spent_until_ms + RETRY_COSTS_MS } else { spent_until_ms };
        is_left
    }
}

/// How long the next attempt may take: as long as one may, and no longer than what is left of the whole.
#[must_use]
pub fn timeout_ms(one_ms: u32, elapsed_ms: u64) -> u32 {
    let whole_ms = TOTAL_MS.max(u64::from(one_ms));
    let left_ms = whole_ms.saturating_sub(elapsed_ms).max(1);
    u32::try_from(left_ms).map_or(one_ms, |left_ms| left_ms.min(one_ms))
}

/// How an attempt ended without success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No reply.
    Failure(SendFailure),
    /// A success whose body could not be read.
    Unreadable,
    /// A reply that is no success.
    Status(u16),
}

/// Whether the request may be sent once more after its `attempt`-th attempt, counted from 1, ended so.
#[must_use]
pub fn again(sending: Sending, attempt: u32, ending: Ending) -> bool {
    let passing = match ending {
        Ending::Failure(SendFailure::Network) => true,
        Ending::Failure(SendFailure::Aborted | SendFailure::Blocked) => return false,
        Ending::Failure(SendFailure::Timeout) | Ending::Unreadable => sending == Sending::Read,
        Ending::Status(408) => sending == Sending::Read,
        Ending::Status(429 | 500 | 502 | 503 | 504) => true,
        Ending::Status(501 | 505..) => matches!(sending, Sending::CardSession | Sending::Replace),
        Ending::Status(_) => return false,
    };
    let attempts = match sending {
        Sending::Read => 3,
        Sending::CardSession | Sending::Replace => 2,
        Sending::Once | Sending::CreateOnce | Sending::EndHold | Sending::Transfer => 1,
    };
    passing && attempt < attempts
}

/// How long to wait after the `attempt`-th attempt: `min(0.5 * 2^attempt, 5)` seconds times a random half to
/// whole, or what the service asks for. `None` if it asks for more than 30 s, or the call would last longer
/// than [`TOTAL_MS`].
#[must_use]
pub fn delay_ms(attempt: u32, retry_after_s: Option<u32>, random: f64, elapsed_ms: u64) -> Option<u32> {
    let delay = match retry_after_s {
        Some(seconds) if seconds > LONGEST_RETRY_AFTER_S => return None,
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

    /// What the documentation says of each way of sending: attempts, whether a lost network, a timeout and an
    /// unreadable body are tried again, and which statuses.
    fn documented(sending: Sending) -> (u32, [bool; 3], fn(u16) -> bool) {
        match sending {
            Sending::Read => (3, [true; 3], |status| [408, 429, 500, 502, 503, 504].contains(&status)),
            Sending::CardSession | Sending::Replace => {
                (2, [true, false, false], |status| status == 429 || (500..600).contains(&status))
            }
            Sending::Once | Sending::CreateOnce | Sending::EndHold | Sending::Transfer => {
                (1, [false; 3], |_| false)
            }
        }
    }

    #[test]
    fn the_table_is_the_documented_one_for_every_ending_and_attempt() {
        let all = [
            Sending::Read,
            Sending::CardSession,
            Sending::Replace,
            Sending::Once,
            Sending::CreateOnce,
            Sending::EndHold,
            Sending::Transfer,
        ];
        for sending in all {
            let (attempts, [network, timeout, unreadable], status) = documented(sending);
            for attempt in 1..=5 {
                let left = attempt < attempts;
                let check = |ending, expected: bool| {
                    assert_eq!(
                        again(sending, attempt, ending),
                        expected && left,
                        "{sending:?} {attempt} {ending:?}"
                    );
                };
                check(Ending::Failure(SendFailure::Network), network);
                check(Ending::Failure(SendFailure::Timeout), timeout);
                check(Ending::Failure(SendFailure::Aborted), false);
                check(Ending::Failure(SendFailure::Blocked), false);
                check(Ending::Unreadable, unreadable);
                (100..600).for_each(|number| check(Ending::Status(number), status(number)));
            }
        }
    }

    #[test]
    fn a_client_makes_so_many_retries_at_once_and_then_one_each_second() {
        let mut budget = Budget::default();
        assert_eq!((0..100).filter(|_| budget.spend(5_000)).count(), 20);
        assert_eq!((0..100).filter(|_| budget.spend(5_999)).count(), 0);
        assert_eq!((0..100).filter(|_| budget.spend(6_000)).count(), 1);
        assert_eq!((0..100).filter(|_| budget.spend(9_000)).count(), 3);
        assert_eq!((0..100).filter(|_| budget.spend(600_000)).count(), 20);
        // A clock that is put back does not stop retries for good.
        assert_eq!((0..100).filter(|_| budget.spend(1_000)).count(), 0);
        assert_eq!((0..100).filter(|_| budget.spend(3_000)).count(), 2);
    }

    #[test]
    fn an_attempt_ends_with_the_whole() {
        assert_eq!(timeout_ms(10_000, 0), 10_000);
        assert_eq!(timeout_ms(10_000, 25_000), 5_000);
        assert_eq!(timeout_ms(10_000, 40_000), 1);
        assert_eq!(timeout_ms(120_000, 0), 120_000);
        assert_eq!(timeout_ms(120_000, 119_000), 1_000);
    }

    #[test]
    fn delays_grow_and_stay_within_their_bounds() {
        assert_eq!(
            [1, 2, 3, 4, 9].map(|n| delay_ms(n, None, 1.0, 0)),
            [1000, 2000, 4000, 5000, 5000].map(Some)
        );
        assert_eq!(delay_ms(1, None, 0.0, 0), Some(500));
        assert_eq!(delay_ms(1, Some(7), 0.5, 0), Some(7000));
        assert_eq!(delay_ms(1, Some(31), 0.5, 0), None);
        assert_eq!(delay_ms(1, Some(u32::MAX), 0.5, 0), None);
        assert_eq!(delay_ms(1, Some(20), 0.5, 10_000), None);
        assert_eq!(delay_ms(1, None, 0.0, 29_500), None);
    }
}
