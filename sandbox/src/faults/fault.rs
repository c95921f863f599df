use std::fmt;
use std::time::Duration;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// What happens to a request; README.md describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub(super) enum Kind {
    Latency,
    Status,
    Drop,
    Truncate,
    NonJson,
    Duplicate,
    Late,
    Slow,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum When {
    /// Before the service has done anything.
    #[default]
    Before,
    /// While a transfer is in progress: for `latency` of POST /v1/transfers only.
    During,
    /// After everything is done, which is rolled back.
    Commit,
    /// After the commit.
    After,
}

const LONGEST_DELAY: Duration = Duration::from_millis(600_000);

fn one() -> u32 {
    1
}

fn hundred() -> u64 {
    100
}

/// A fault as testers define it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Fault {
    pub(super) kind: Kind,
    #[serde(default)]
    pub(super) when: When,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    path: String,
    #[serde(default = "one")]
    pub(super) count: u32,
    #[serde(default)]
    skip: u32,
    #[serde(default = "hundred")]
    percent: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) retry_after_seconds: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) delay_milliseconds: Option<u64>,
    #[serde(default)]
    pub(super) reset: bool,
}

impl Fault {
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let needs_delay = matches!(self.kind, Kind::Latency | Kind::Slow | Kind::Late);
        let replaces_answer = matches!(self.kind, Kind::Status | Kind::NonJson | Kind::Drop);
        let (is_latency, is_late) = (self.kind == Kind::Latency, self.kind == Kind::Late);
        let (at_commit, is_before) = (self.when == When::Commit, self.when == When::Before);
        let rules = [
            (!self.path.starts_with(['/', '*']), "path has to begin with / or *"),
            (self.count == 0, "count has to be at least 1"),
            (!(1..=100).contains(&self.percent), "percent has to be from 1 to 100"),
            (needs_delay && self.delay_milliseconds.is_none(), "this kind needs delayMilliseconds"),
            (self.delay() > LONGEST_DELAY, "delayMilliseconds has to be at most 600000"),
            (self.when == When::During && !is_latency, "only latency can come during"),
            (at_commit && !replaces_answer, "only status, drop and nonJson can come at the commit"),
            (is_late && !is_before, "late takes no when: it comes before the service has done anything"),
            (!(200..=599).contains(&self.status.unwrap_or(503)), "status has to be from 200 to 599"),
        ];
        rules.into_iter().find_map(|(is_violated, why)| is_violated.then_some(why))
    }

    /// Whether any of these routes, as method and path, can be what the fault is for.
    pub(crate) fn can_meet(&self, routes: &[(String, String)]) -> bool {
        routes.iter().any(|(method, path)| {
            let wanted = self.method.as_deref();
            // Every route also answers these two.
            let is_implied =
                |wanted: &str| ["HEAD", "OPTIONS"].iter().any(|one| wanted.eq_ignore_ascii_case(one));
            wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(method) || is_implied(wanted))
                && overlaps(&self.path, path)
        })
    }

    pub(super) fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_milliseconds.unwrap_or(0))
    }

    pub(super) fn status(&self, default: StatusCode) -> StatusCode {
        self.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(default)
    }

    /// Whether the fault applies to this request. Counts skipped requests.
    pub(super) fn applies(&mut self, method: &str, path: &str, chance: impl Fn() -> u64) -> bool {
        let has_method = self.method.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(method));
        if !has_method || !matches_pattern(&self.path, path) {
            return false;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.percent >= 100 || chance() < self.percent
    }
}

fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match text.split_once(part) {
            Some((_, rest)) => text = rest,
            None => return false,
        }
    }
    text.ends_with(last)
}

/// Whether a text could match both patterns. In `route`, a star is a parameter.
fn overlaps(pattern: &str, route: &str) -> bool {
    // `reached[at]`: the part of the route before `at` matches the part of the pattern so far.
    let route = route.as_bytes();
    let mut reached = vec![false; route.len() + 1];
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    let skip_stars = |reached: &mut Vec<bool>| {
        for (at, byte) in route.iter().enumerate() {
            if *byte == b'*' && reached.get(at) == Some(&true) {
                reached.splice(at + 1..at + 2, [true]);
            }
        }
    };
    skip_stars(&mut reached);
    for wanted in pattern.bytes() {
        let mut next = vec![false; route.len() + 1];
        let mut any = false;
        for (at, place) in next.iter_mut().enumerate() {
            let was = |at: usize| reached.get(at) == Some(&true);
            let before = at.checked_sub(1).filter(|before| was(*before));
            any |= was(at);
            let is_parameter = route.get(at) == Some(&b'*') && was(at) && wanted != b'/';
            *place = is_parameter
                || if wanted == b'*' {
                    any
                } else {
                    before.is_some_and(|before| route.get(before) == Some(&wanted))
                };
        }
        reached = next;
        skip_stars(&mut reached);
    }
    reached.last() == Some(&true)
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = self.method.as_deref().map(|method| format!("{} ", method.to_ascii_uppercase()));
        write!(formatter, "{}{}", method.unwrap_or_default(), self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_text() {
        for (pattern, text, expected) in [
            ("/v1/transfers", "/v1/transfers", true),
            ("/v1/transfers", "/v1/transfers/1", false),
            ("/v1/transfers/*", "/v1/transfers/1", true),
            ("/v1/transfers/*", "/v1/transfers", false),
            ("*", "/v1/quote", true),
            ("*/accounts", "/v1/recipients/1/accounts", true),
            ("/v1/*/1/*", "/v1/recipients/1/accounts", true),
            ("/v1/*/2/*", "/v1/recipients/1/accounts", false),
            ("/v1/*s", "/v1/s", true),
            ("/v1/.*", "/v1/s", false),
        ] {
            assert_eq!(matches_pattern(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_meets_a_route_if_some_path_matches_both() {
        for (pattern, route, expected) in [
            ("/v1/quote", "/v1/quote", true),
            ("/v1/qoute", "/v1/quote", false),
            ("*", "/v1/quote", true),
            ("/v1/*", "/v1/quote", true),
            ("/v2/*", "/v1/quote", false),
            ("/v1/transfers/7/receipt", "/v1/transfers/*/receipt", true),
            ("/v1/transfers/*", "/v1/transfers/*/receipt", true),
            ("/v1/transfers/7/a/receipt", "/v1/transfers/*/receipt", false),
            ("/v1/transfers/7", "/v1/transfers/*/receipt", false),
            ("*/receipt", "/v1/transfers/*/receipt", true),
            ("*/accounts", "/v1/recipients/*", true),
            ("/v1/transfers", "/v1/transfers/*", false),
            ("/v1/transfers/", "/v1/transfers/*", true),
            ("/**v1**", "/v1/quote", true),
            ("/v1/quote*x", "/v1/quote", false),
        ] {
            assert_eq!(overlaps(pattern, route), expected, "{pattern} {route}");
        }
    }
}
