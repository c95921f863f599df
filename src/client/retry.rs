//! When a request is sent again: a pure table.

use crate::api::Sending;
use crate::client::SendFailure;

/// All attempts of a call together end after this.
pub const TOTAL_MS: u64 = 30_000;
const LONGEST_RETRY_AFTER_S: u32 = 30;

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
        Ending::Failure(SendFailure::Aborted) => return false,
        Ending::Failure(SendFailure::Timeout) | Ending::Unreadable => sending == Sending::Read,
        Ending::Status(408) => sending == Sending::Read,
        Ending::Status(429 | 500 | 502 | 503 | 504) => true,
        Ending::Status(501 | 505..) => matches!(sending, Sending::CardSession | Sending::Replace),
        Ending::Status(_) => return false,
    };
    let attempts = match sending {
        Sending::Read => 3,
        Sending::CardSession | Sending::Replace => 2,
        Sending::CreateOnce | Sending::Transfer => 1,
    };
    passing && attempt < attempts
}

/// How long to wait after the `attempt`-th attempt: `min(0.5 * 2^attempt, 5)` seconds times a random half to whole, or what the
/// service asks for. `None` if it asks for more than 30 s, or the call would last longer than [`TOTAL_MS`].
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

    #[test]
    fn the_table_is_the_documented_one() {
        use Sending::*;
        let network = Ending::Failure(SendFailure::Network);
        let timeout = Ending::Failure(SendFailure::Timeout);
        let aborted = Ending::Failure(SendFailure::Aborted);
        // What is sent again at least once: sending, then each ending.
        let table = [
            (network, [true, true, true, false, false]),
            (timeout, [true, false, false, false, false]),
            (Ending::Unreadable, [true, false, false, false, false]),
            (aborted, [false; 5]),
            (Ending::Status(408), [true, false, false, false, false]),
            (Ending::Status(429), [true, true, true, false, false]),
            (Ending::Status(500), [true, true, true, false, false]),
            (Ending::Status(501), [false, true, true, false, false]),
            (Ending::Status(504), [true, true, true, false, false]),
        ];
        for (ending, expected) in table {
            let found =
                [Read, CardSession, Replace, CreateOnce, Transfer].map(|sending| again(sending, 1, ending));
            assert_eq!(found, expected, "{ending:?}");
        }
        for status in (200..408).chain(409..429).chain(430..500) {
            assert!(!again(Read, 1, Ending::Status(status)), "{status}");
        }
        assert!(again(Read, 2, network) && !again(Read, 3, network) && !again(Replace, 2, network));
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
