//! The service's clock: advanced, set, frozen.

use jiff::Timestamp;

use super::{Call, bad_request};
use crate::clock::Setting;
use crate::endpoint::*;
use crate::meta;

/// How far the clock can be advanced in all: about twenty years.
const MAX_ADVANCED_SECONDS: i64 = 20 * 366 * 86_400;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Change {
    advance_seconds: Option<i64>,
    now: Option<String>,
    frozen: Option<bool>,
}

pub(super) fn read(call: &Call) -> Reply {
    let clock = &call.app.clock;
    let setting = clock.setting();
    Ok(json!({
        "now": iso(clock.now()), "offsetSeconds": setting.advanced_seconds, "frozen": setting.frozen.is_some(),
    }))
}

/// Parses a time such as `2026-01-31T09:00:00Z`, as microseconds since 1970.
pub fn parse_time(text: &str) -> Option<i64> {
    text.parse::<Timestamp>().ok().map(Timestamp::as_microsecond)
}

/// Moves the clock on, to a time or by seconds, and stops or starts it. Moving it back would undo events,
/// which only a reset can.
pub(super) fn change(call: &Call, db: &Connection) -> Reply {
    let Change { advance_seconds, now, frozen } = call.typed()?;
    if advance_seconds.is_none() && now.is_none() && frozen.is_none() {
        return Err(bad_request("give advanceSeconds, now or frozen"));
    }
    let clock = &call.app.clock;
    let mut setting = clock.setting();
    if let Some(text) = now {
        let why = "now has to be a time such as 2026-01-31T09:00:00Z, and not before that of the clock";
        let time = parse_time(&text).ok_or_else(|| bad_request(why))?;
        let rest = time - clock.now_by(setting);
        if rest < 0 {
            return Err(bad_request(why));
        }
        setting.base += rest.rem_euclid(SECOND);
        setting.advanced_seconds += rest.div_euclid(SECOND);
    }
    if let Some(seconds) = advance_seconds {
        let sum = setting.advanced_seconds.checked_add(seconds).filter(|_| seconds >= 0);
        setting.advanced_seconds = sum.unwrap_or(i64::MAX);
    }
    if setting.advanced_seconds > MAX_ADVANCED_SECONDS {
        return Err(bad_request("advanceSeconds has to be from 0 to some twenty years in all"));
    }
    let machine = clock.machine_time();
    match (frozen, setting.frozen) {
        (Some(true), None) => setting.frozen = Some(machine),
        (Some(false), Some(since)) => {
            setting.base -= machine - since;
            setting.frozen = None;
        }
        _ => {}
    }
    set(call, db, setting)?;
    read(call)
}

pub(super) fn set(call: &Call, db: &Connection, setting: Setting) -> Result {
    meta::set_clock(db, setting)?;
    call.app.clock.set(setting);
    Ok(())
}
