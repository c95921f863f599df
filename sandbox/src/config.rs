use std::path::PathBuf;
use std::time::Duration;

/// The settings of one sandbox.
///
/// The default is what the program uses without arguments: a database in memory, random identifiers, and a
/// card form that pages on this machine may embed.
#[derive(Clone, Debug)]
pub struct Config {
    /// The database file; `None` keeps the database in memory.
    pub db: Option<PathBuf>,
    /// A JSON file that adds countries, corridors, fields and test cards to the built-in ones.
    pub world: Option<PathBuf>,
    /// Makes identifiers and numbers depend on this value and the order of requests alone.
    pub seed: Option<u64>,
    /// The origins that may embed the card form (CSP `frame-ancestors`).
    pub frame_ancestors: Vec<String>,
    /// Further origins whose pages may use `/sandbox`. A port of `*` stands for any.
    pub control_origins: Vec<String>,
    /// When the clock starts, in microseconds since 1970; `None` for the machine's time, or where the
    /// database's clock is.
    pub now: Option<i64>,
    /// Whether the clock stands still at first.
    pub frozen: bool,
    /// Where to send webhooks.
    pub webhook: Option<WebhookTarget>,
    /// Whether other machines reach the sandbox, which then also answers where `Host` is an IP address.
    pub is_public: bool,
    /// Further accepted `Host` names, such as that of a reverse proxy.
    pub hosts: Vec<String>,
    /// How long the card form takes to verify a card.
    pub verify_delay: Duration,
    /// The capacity of the request log.
    pub log_capacity: usize,
    /// How many unused quotes and how many card sessions are kept; the oldest are deleted first.
    pub keep_rows: i64,
    /// Validates every exchange against the OpenAPI document; see
    /// [`Sandbox::violations`](crate::Sandbox::violations).
    pub contract: bool,
    /// Appends a JSON line for every exchange to this file: names and codes, no values.
    pub traffic: Option<PathBuf>,
    /// For tests in virtual time: runs on the caller's thread, in memory, and by tokio's clock. See
    /// [`Sandbox::rewind`](crate::Sandbox::rewind).
    pub simulated: bool,
    /// The running test, recorded in `traffic` and in violations; `POST /sandbox/label` changes it.
    pub label: Option<String>,
}

/// Where the events of transfers are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookTarget {
    /// An http address.
    pub url: String,
    /// What the `Authorization` header says.
    pub key: String,
    /// Whether each status is sent when it is reached, or only where a tester delivers it.
    pub is_automatic: bool,
}

impl Config {
    /// Returns the settings for tests: exchanges are validated, and recorded under the name of the thread
    /// (that is, of the test) in the folder that the environment variable `REMITKIT_TRAFFIC` names.
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
            world: None,
            seed: None,
            frame_ancestors: vec!["http://127.0.0.1:*".into(), "http://localhost:*".into()],
            control_origins: Vec::new(),
            now: None,
            frozen: false,
            webhook: None,
            is_public: false,
            hosts: Vec::new(),
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
