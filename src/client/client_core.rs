use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};

use super::Platform;
use super::call_context::Cancellation;
use super::journal::Entry;
use super::known_attempts::KnownAttempts;
use super::quotes::SeenQuotes;
use super::retry::Budget;
use super::submission_run::Run;
use super::tokens::Tokens;
use crate::api::{Address, FieldForm, Nonce, SenderId};

/// The configuration of a [`Client`](super::Client).
pub(crate) struct Options {
    /// The service's address, to which paths such as `/v1/quote` are appended.
    pub(crate) base_url: Address,
    /// The `Accept-Language` of localized operations.
    pub(crate) locale: String,
    /// How long nothing of a reply may arrive before an attempt ends.
    pub(crate) timeout_ms: u32,
    /// The sender of the tokens, if the page knows it; otherwise the client asks the service.
    pub(crate) sender_id: Option<SenderId>,
}

/// The state that all calls of a client share: its token, its retry budget, the quotes it received.
pub(super) struct ClientCore {
    pub(super) platform: Rc<dyn Platform>,
    pub(super) options: Options,
    pub(super) tokens: Tokens,
    pub(super) budget: RefCell<Budget>,
    pub(super) quotes: RefCell<SeenQuotes>,
    pub(super) attempts: RefCell<KnownAttempts>,
    /// The latest nonces that were fetched, of attempts that are still being prepared too.
    pub(super) nonces: RefCell<Vec<Nonce>>,
    /// The last forms of a recipient and of an account.
    pub(super) forms: [RefCell<Option<FieldForm>>; 2],
    /// The paths of deletions whose outcome is unknown.
    pub(super) open_deletions: RefCell<Vec<String>>,
    /// The submissions in progress.
    pub(super) runs: RefCell<Vec<Rc<Run>>>,
    /// Ends what goes on without a caller.
    pub(super) closing: Cancellation,
}

impl ClientCore {
    pub(super) fn new(platform: Rc<dyn Platform>, options: Options) -> Self {
        ClientCore {
            platform,
            options,
            tokens: Tokens::default(),
            budget: RefCell::default(),
            quotes: RefCell::default(),
            attempts: RefCell::default(),
            nonces: RefCell::default(),
            forms: Default::default(),
            open_deletions: RefCell::default(),
            runs: RefCell::default(),
            closing: Cancellation::new(),
        }
    }

    /// Waits for the work for a limited time; `None` if it takes longer.
    pub(super) async fn in_time<T>(&self, ms: u32, work: impl Future<Output = T>) -> Option<T> {
        match select(pin!(work), self.platform.sleep(ms)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// Returns the service's address, which identifies it.
    pub(super) fn service(&self) -> String {
        self.options.base_url.join("")
    }

    pub(super) fn note_attempt(&self, entry: &Entry) {
        self.attempts.borrow_mut().note(entry, self.platform.now_ms(), self.platform.elapsed_ms());
    }

    /// Returns today's date, `YYYY-MM-DD` in UTC.
    pub(super) fn today(&self) -> String {
        date_of(self.platform.now_ms())
    }
}

/// Returns the date of a time in milliseconds since 1970, `YYYY-MM-DD` in UTC, by Howard Hinnant's
/// `civil_from_days`.
pub(crate) fn date_of(ms: u64) -> String {
    let days = ms / 86_400_000 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let two = |part: u64| [if part < 10 { "0" } else { "" }, &part.to_string()].concat();
    [year.to_string(), two(month), two(day)].join("-")
}

#[cfg(test)]
mod tests {
    use super::date_of;

    #[test]
    fn dates_are_those_of_the_calendar_for_four_hundred_years() {
        let mut days = 0;
        for year in 1970..2371 {
            let february = if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) { 29 } else { 28 };
            for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1..=length {
                    let expected = format!("{year}-{month:02}-{day:02}");
                    assert_eq!(date_of(days * 86_400_000), expected);
                    assert_eq!(date_of((days + 1) * 86_400_000 - 1), expected);
                    days += 1;
                }
            }
        }
    }
}
