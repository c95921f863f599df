//! Starts the sandbox.

use std::io::{BufWriter, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use remitkit_sandbox::{
    Config, Sandbox, Servers, WebhookTarget, is_webhook_url, parse_time, recorded_transfers,
};
use tokio::io::AsyncReadExt;

// Replies are trees of small JSON values: glibc's allocator takes a fifth of the time of a quote.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The remittance service on this machine: every endpoint, the hosted card form, and fault injection.
#[derive(Debug, Parser)]
#[command(name = "remitkit-sandbox", version)]
struct Arguments {
    /// The port of the service; 0 takes any free one.
    #[arg(long, default_value_t = 4100)]
    port: u16,
    /// The port of the card form, which has an origin of its own; 0 takes any free one.
    #[arg(long, default_value_t = 4101)]
    card_port: u16,
    /// The address to listen on, such as 0.0.0.0 for all of this machine's, in a container or for a phone.
    /// Whoever reaches it controls the sandbox: keep it to networks that you trust.
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    listen: IpAddr,
    /// Stores everything in this file; without it, the data ends with the process.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Adds countries, corridors, fields and test cards of one's own, from this JSON file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Prints the transfers in the file, one JSON line each, and exits. Starts no service and changes
    /// nothing.
    #[arg(long, requires = "db")]
    list_transfers: bool,
    /// Makes identifiers and numbers repeatable.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The time at which the clock starts, such as 2026-01-31T09:00:00Z. Default: this machine's, or that of
    /// the database file.
    #[arg(long, value_name = "TIME", value_parser = parse_now)]
    now: Option<i64>,
    /// Starts with a clock that stands still.
    #[arg(long)]
    frozen: bool,
    /// Sends each status of a transfer to this http address, once it is reached.
    #[arg(long, value_name = "URL", requires = "webhook_key", value_parser = parse_webhook)]
    webhook: Option<String>,
    /// What the Authorization header of a webhook says.
    #[arg(long, value_name = "KEY", requires = "webhook")]
    webhook_key: Option<String>,
    /// Sends webhooks only by POST /sandbox/webhooks.
    #[arg(long, requires = "webhook")]
    webhook_by_hand: bool,
    /// Prints the addresses as one line of JSON.
    #[arg(long)]
    json: bool,
    /// Also stops when standard input closes, so that a killed parent process leaves nothing behind.
    #[arg(long)]
    stop_with_stdin: bool,
    /// An origin whose pages may embed the card form; repeatable. Default: any port of 127.0.0.1 and
    /// localhost.
    #[arg(long, value_name = "ORIGIN")]
    frame_ancestor: Vec<String>,
    /// An origin whose pages may use the endpoints under /sandbox, such as http://localhost:5173, or with a
    /// port of * for any; repeatable. Default: the sandbox's own page only.
    #[arg(long, value_name = "ORIGIN")]
    control_origin: Vec<String>,
    /// A further accepted host name, such as that of a reverse proxy; repeatable. Default: the names of this
    /// machine.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Validates every exchange against the OpenAPI document; GET /sandbox/contract lists violations.
    #[arg(long)]
    contract: bool,
    /// Appends a JSON line for every exchange to this file: names and codes, no values.
    #[arg(long, value_name = "FILE")]
    traffic: Option<PathBuf>,
    /// Prints the operations, parameters and values of the interface as JSON, and exits.
    #[arg(long)]
    interface: bool,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let ended = runtime.map_err(Into::into).and_then(|runtime| {
        let ended = runtime.block_on(run(arguments));
        // A pending read of standard input cannot be interrupted, so do not wait for it.
        runtime.shutdown_background();
        ended
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("remitkit-sandbox: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.interface {
        writeln!(std::io::stdout(), "{}", remitkit_sandbox::interface()?)?;
        return Ok(());
    }
    if let (true, Some(db)) = (arguments.list_transfers, &arguments.db) {
        return list_transfers(db);
    }
    require_origins("--control-origin", &arguments.control_origin)?;
    require_origins("--frame-ancestor", &arguments.frame_ancestor)?;
    let mut config = Config {
        control_origins: arguments.control_origin,
        hosts: arguments.allow_host,
        is_public: !arguments.listen.is_loopback(),
        now: arguments.now,
        frozen: arguments.frozen,
        webhook: arguments.webhook.zip(arguments.webhook_key).map(|(url, key)| WebhookTarget {
            url,
            key,
            is_automatic: !arguments.webhook_by_hand,
        }),
        db: arguments.db,
        world: arguments.config,
        seed: arguments.seed,
        contract: arguments.contract,
        traffic: arguments.traffic,
        ..Config::default()
    };
    if !arguments.frame_ancestor.is_empty() {
        config.frame_ancestors = arguments.frame_ancestor;
    }
    let sandbox = Sandbox::open(config)?;
    let (address, port, card_port) = (arguments.listen, arguments.port, arguments.card_port);
    let servers = Servers::listen(sandbox.clone(), address, port, card_port).await?;
    if !address.is_loopback() {
        eprintln!(
            "remitkit-sandbox: other machines can reach {address}, and whoever does controls the sandbox."
        );
    }
    // Listen for signals before announcing the sandbox: a reader of the line may end it at once.
    let signal = stop_signal()?;
    announce(&sandbox, &servers, arguments.json)?;
    servers.run(stop(arguments.stop_with_stdin, signal)).await?;
    sandbox.close()?;
    Ok(())
}

fn parse_now(text: &str) -> Result<i64, &'static str> {
    parse_time(text).ok_or("expected a time such as 2026-01-31T09:00:00Z")
}

fn parse_webhook(text: &str) -> Result<String, &'static str> {
    if is_webhook_url(text) { Ok(text.to_owned()) } else { Err("expected an http address") }
}

fn require_origins(option: &str, origins: &[String]) -> Result<(), Failure> {
    // Pages inside an app have schemes of their own, such as `capacitor:`.
    match origins.iter().find(|origin| !origin.contains("://") || origin.contains([';', ',', ' '])) {
        Some(origin) => Err(format!("{option} {origin}: expected an origin").into()),
        None => Ok(()),
    }
}

fn list_transfers(db: &Path) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for transfer in recorded_transfers(db)? {
        writeln!(out, "{transfer}")?;
    }
    Ok(out.flush()?)
}

fn announce(sandbox: &Sandbox, servers: &Servers, json: bool) -> std::io::Result<()> {
    let (base, card) = (servers.base_url(), servers.card_url());
    let (id, secret, sender) = (sandbox.client_id(), sandbox.client_secret(), sandbox.sender_id());
    let mut out = std::io::stdout().lock();
    if json {
        let addresses = serde_json::json!({
            "baseUrl": base, "cardUrl": card, "clientId": id, "clientSecret": secret, "senderId": sender,
        });
        writeln!(out, "{addresses}")?;
    } else {
        writeln!(out, "remitkit-sandbox is ready: {base} (card form: {card})")?;
        writeln!(out, "  client id      {id}")?;
        writeln!(out, "  client secret  {secret}")?;
        writeln!(out, "  sender id      {sender}")?;
        writeln!(out, "  every error, card and fault to try: {base}/sandbox/triggers")?;
        if std::io::stdout().is_terminal() {
            writeln!(out, "  Ctrl-C stops it.")?;
        }
    }
    out.flush()
}

async fn stop(with_stdin: bool, signal: impl Future<Output = ()>) {
    let stdin_closed = async {
        if !with_stdin {
            return std::future::pending().await;
        }
        let mut buffer = [0; 256];
        let mut stdin = tokio::io::stdin();
        while stdin.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
    };
    tokio::select! {
        () = stdin_closed => {}
        () = signal => {}
    }
}

/// Registers the signal handlers now, and returns a future that completes when a signal arrives.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
