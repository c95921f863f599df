//! What a sandbox is started with.

use std::path::PathBuf;
use std::time::Duration;

/// The settings of one sandbox.
///
/// `Config::default()` is what the binary uses without arguments: a database in memory, identifiers
/// from the system's randomness, and the card form embeddable by pages on this machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// The database file, or `None` for a database that lives as long as the sandbox.
    pub db: Option<PathBuf>,
    /// Makes every identifier and number follow from this value and from the order of requests.
    pub seed: Option<u64>,
    /// The origins that may embed the card form (the `frame-ancestors` of its policy).
    pub frame_ancestors: Vec<String>,
    /// The origins whose pages may steer the sandbox and look into it, beside its own. A port of `*`
    /// stands for any.
    pub control_origins: Vec<String>,
    /// The names by which it may be asked, beside those of this machine, as a proxy in front of it has.
    pub hosts: Vec<String>,
    /// How long an access token is valid, in seconds.
    pub token_seconds: i64,
    /// How long the price of a quote is held, in seconds.
    pub quote_seconds: i64,
    /// How long a card onboarding session can be used, in seconds.
    pub card_session_seconds: i64,
    /// How long the card form takes to verify a card.
    pub verify_delay: Duration,
    /// How many requests the log keeps.
    pub log_capacity: usize,
    /// How many unused quotes and how many card sessions are kept; the oldest go first.
    pub keep_rows: i64,
    /// Holds every exchange against the interface's document; see
    /// [`Sandbox::violations`](crate::Sandbox::violations).
    pub contract: bool,
    /// Appends a line of JSON for every exchange to this file: names and codes, no values.
    pub traffic: Option<PathBuf>,
    /// Works in the thread that asks, in memory, and by the time of tokio's clock: for tests in virtual time,
    /// where nothing else decides what happens next. See [`Sandbox::rewind`](crate::Sandbox::rewind).
    pub simulated: bool,
    /// The test that runs, for `traffic` and for violations; `POST /sandbox/label` changes it.
    pub label: Option<String>,
}

impl Config {
    /// What tests start with: the exchanges are held against the document, and where the variable
    /// `REMITKIT_TRAFFIC` of the environment names a folder, they are recorded there under the name
    /// of the thread, which is that of the test.
    pub fn for_tests() -> Self {
        let folder = std::env::var_os("REMITKIT_TRAFFIC").filter(|folder| !folder.is_empty());
        Self {
            contract: true,
            traffic: folder.map(|folder| PathBuf::from(folder).join(format!("{}.jsonl", std::process::id()))),
            label: std::thread::current().name().map(str::to_owned),
            ..Self::default()
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            db: None,
            seed: None,
            frame_ancestors: vec!["http://127.0.0.1:*".into(), "http://localhost:*".into()],
            control_origins: Vec::new(),
            hosts: Vec::new(),
            token_seconds: 3_600,
            quote_seconds: 900,
            card_session_seconds: 1_800,
            verify_delay: Duration::from_millis(900),
            log_capacity: 2_000,
            keep_rows: 20_000,
            contract: false,
            traffic: None,
            simulated: false,
            label: None,
        }
    }
}
