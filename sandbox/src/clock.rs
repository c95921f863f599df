//! The clock of the service, which testers can advance. Times are microseconds since 1970, UTC.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use tokio::time::Instant;

use crate::locks::lock;

pub(crate) const SECOND: i64 = 1_000_000;
pub(crate) const DAY: i64 = 86_400 * SECOND;
/// How far the clock can be advanced in all: about twenty years.
pub(crate) const MAX_OFFSET_SECONDS: i64 = 20 * 366 * 86_400;
/// When a simulation begins: 2026-01-05T12:00:00Z.
pub(crate) const SIMULATED_START: i64 = 1_767_614_400 * SECOND;

#[derive(Debug, Default)]
pub(crate) struct Clock {
    offset_seconds: AtomicI64,
    /// The start of a simulation, by tokio's clock.
    simulated_since: Option<Mutex<Instant>>,
}

impl Clock {
    pub(crate) fn new(simulated: bool) -> Self {
        Self { simulated_since: simulated.then(|| Mutex::new(Instant::now())), ..Self::default() }
    }

    pub(crate) fn restart(&self) {
        if let Some(since) = &self.simulated_since {
            *lock(since) = Instant::now();
        }
        self.set_offset_seconds(0);
    }

    pub(crate) fn now(&self) -> i64 {
        let now = match &self.simulated_since {
            None => Timestamp::now().as_microsecond(),
            Some(since) => {
                let elapsed = lock(since).elapsed().as_micros();
                SIMULATED_START + i64::try_from(elapsed).unwrap_or(i64::MAX / 2)
            }
        };
        now + self.offset_seconds() * SECOND
    }

    pub(crate) fn offset_seconds(&self) -> i64 {
        self.offset_seconds.load(Ordering::Relaxed)
    }

    pub(crate) fn set_offset_seconds(&self, offset: i64) {
        self.offset_seconds.store(offset, Ordering::Relaxed);
    }
}

/// Formats a time as the service sends it: `2026-01-31T09:05:07.1234560Z`, with seven fractional digits.
pub(crate) fn iso(micros: i64) -> String {
    Timestamp::from_microsecond(micros).unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S%.6f0Z").to_string()
}

pub(crate) fn day_of(micros: i64) -> Date {
    Timestamp::from_microsecond(micros).map(|time| time.to_zoned(TimeZone::UTC).date()).unwrap_or(Date::ZERO)
}

/// Parses `YYYY-MM-DD` and nothing else.
pub(crate) fn parse_day(text: &str) -> Option<Date> {
    text.parse().ok().filter(|day: &Date| text.len() == 10 && day.to_string() == text)
}

/// Returns the latest birthday of someone who is `years` old on `day`.
pub(crate) fn years_before(day: Date, years: i16) -> Date {
    day.checked_sub(i64::from(years).years()).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_seven_fractional_digits() {
        assert_eq!(iso(1_739_483_197_500_570), "2025-02-13T21:46:37.5005700Z");
        assert_eq!(iso(0), "1970-01-01T00:00:00.0000000Z");
    }

    #[test]
    fn only_iso_dates_are_days() {
        for wrong in ["2023-02-29", "2024-2-29", "20240229", "2024-02-29T00:00", "", "29-02-2024"] {
            assert!(parse_day(wrong).is_none(), "{wrong}");
        }
        assert_eq!(years_before(parse_day("2024-02-29").unwrap(), 18), parse_day("2006-02-28").unwrap());
    }
}
