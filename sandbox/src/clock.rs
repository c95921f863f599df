//! The clock of the service, which testers can advance. Times are microseconds since 1970, UTC.

use std::sync::Mutex;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::locks::lock;

pub(crate) const SECOND: i64 = 1_000_000;
pub(crate) const DAY: i64 = 86_400 * SECOND;
/// When a simulation begins: 2026-01-05T12:00:00Z.
pub(crate) const SIMULATED_START: i64 = 1_767_614_400 * SECOND;

/// How a clock deviates from the machine's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setting {
    /// How far testers have advanced it, in whole seconds. Rates follow this.
    pub(crate) advanced_seconds: i64,
    /// How far it was from the machine's clock at the start, in microseconds.
    pub(crate) base: i64,
    /// The machine's time at which it stands still.
    pub(crate) frozen: Option<i64>,
}

#[derive(Debug, Default)]
pub(crate) struct Clock {
    setting: Mutex<Setting>,
    /// The start of a simulation, by tokio's clock.
    simulated_since: Option<Mutex<Instant>>,
}

impl Clock {
    pub(crate) fn new(simulated: bool) -> Self {
        Self { simulated_since: simulated.then(|| Mutex::new(Instant::now())), ..Self::default() }
    }

    /// Returns the setting by which it is `time` now.
    pub(crate) fn starting_at(&self, time: Option<i64>, is_frozen: bool) -> Setting {
        let machine = self.machine_time();
        let base = time.map_or(0, |time| time - machine);
        Setting { advanced_seconds: 0, base, frozen: is_frozen.then_some(machine) }
    }

    pub(crate) fn restart(&self) {
        if let Some(since) = &self.simulated_since {
            *lock(since) = Instant::now();
        }
        self.set(Setting::default());
    }

    pub(crate) fn now(&self) -> i64 {
        self.now_by(self.setting())
    }

    pub(crate) fn now_by(&self, setting: Setting) -> i64 {
        let Setting { advanced_seconds, base, frozen } = setting;
        frozen.unwrap_or_else(|| self.machine_time()) + base + advanced_seconds * SECOND
    }

    pub(crate) fn machine_time(&self) -> i64 {
        match &self.simulated_since {
            None => Timestamp::now().as_microsecond(),
            Some(since) => {
                let elapsed = lock(since).elapsed().as_micros();
                SIMULATED_START + i64::try_from(elapsed).unwrap_or(i64::MAX / 2)
            }
        }
    }

    pub(crate) fn setting(&self) -> Setting {
        *lock(&self.setting)
    }

    pub(crate) fn set(&self, setting: Setting) {
        *lock(&self.setting) = setting;
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
