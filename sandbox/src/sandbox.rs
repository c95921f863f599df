//! One running sandbox and its two routers.

use std::io;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use tower_http::cors::{AllowHeaders, Any, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::card::Card;
use crate::clock::Clock;
use crate::config::Config;
use crate::contract::Monitor;
use crate::contract::exchange::watch;
use crate::contract::served;
use crate::endpoint::*;
use crate::faults::inject;
use crate::ids::Ids;
use crate::in_flight::InFlight;
use crate::log::RequestLog;
use crate::log::middleware::{REQUEST_ID, log_request};
use crate::resources::RESOURCES;
use crate::signer::Signer;
use crate::store::{Store, fold_log, lock_file, not_opened};
use crate::webhooks::{self, delivery::Webhooks};
use crate::{additions, card_form, client, contract, control, fixtures, guard, meta, page, rates};

const BODY_LIMIT: usize = 1 << 20;

/// A remittance service on your own machine.
///
/// Clones share the same service. Opening it needs no runtime; its routers need tokio:
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use remitkit_sandbox::{Config, Sandbox};
///
/// let sandbox = Sandbox::open(Config { seed: Some(1), ..Config::default() })?;
/// let api: axum::Router = sandbox.api_router();   // to be driven by tower's `oneshot`, or served
/// let card: axum::Router = sandbox.card_router(); // the hosted card form: another origin
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Sandbox {
    app: Arc<App>,
}

impl Sandbox {
    /// Opens the database and creates its tables and fixtures where they are missing.
    ///
    /// # Errors
    /// Where the database file can't be opened or written, or the configuration is wrong.
    pub fn open(config: Config) -> io::Result<Self> {
        let monitor = Monitor::open(&config).map_err(io::Error::other)?;
        let initial_world = additions::initial(config.world.as_deref())?;
        let file_lock = config.db.as_deref().map(lock_file).transpose()?;
        let clock = Clock::new(config.simulated);
        let seed = config.seed;
        let prepare = |db: &Connection| -> Result<_> {
            let starts = meta::count_start(db)?;
            let stored = meta::clock(db)?.filter(|_| config.now.is_none());
            clock.set(stored.unwrap_or_else(|| clock.starting_at(config.now, config.frozen)));
            meta::set_clock(db, clock.setting())?;
            let key = meta::key(db, &Ids::new(seed, 0, 2))?;
            let world = additions::stored(db, &initial_world)?;
            fixtures::create(db, clock.now(), &world)?;
            Ok((starts, key, world))
        };
        let tables: String =
            [meta::TABLES, additions::TABLES, client::TABLES, rates::TABLES, webhooks::TABLES, Card::SQL]
                .into_iter()
                .chain(RESOURCES.iter().map(|resource| resource.tables))
                .collect();
        let db = config.db.as_deref();
        let (store, prepared) =
            Store::open(db, config.simulated, &tables, prepare).map_err(|error| not_opened(db, error))?;
        let (starts, key, world) = prepared.map_err(|error| not_opened(db, format!("{error:?}")))?;
        let app = App {
            log: RequestLog::new(config.log_capacity),
            ids: Ids::new(seed, starts, 0),
            request_ids: Ids::new(seed, starts, 1),
            signer: Signer::new(key),
            in_flight: InFlight::default(),
            world: Mutex::new(world),
            initial_world,
            controls: Mutex::default(),
            snapshots: Mutex::default(),
            webhooks: Webhooks::new(config.webhook.clone()),
            card_port: OnceLock::new(),
            _file_lock: file_lock,
            monitor,
            config,
            clock,
            store,
        };
        Ok(Self { app: Arc::new(app) })
    }

    /// Returns the service's interface and the control endpoints under `/sandbox`.
    pub fn api_router(&self) -> Router {
        let app = &self.app;
        let cors = CorsLayer::new()
            .allow_origin(Any)
            .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
            // Whatever a page's scripts add to a request, such as the tracing headers of a monitor.
            .allow_headers(AllowHeaders::mirror_request())
            .expose_headers([REQUEST_ID, header::RETRY_AFTER, header::DATE])
            .max_age(Duration::from_secs(600));
        // Requirements change, prices move and records are personal data: no reply may be cached.
        let no_store =
            SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let resources = RESOURCES.iter().map(|resource| (resource.routes)());
        let routes = resources.chain([
            control::routes(),
            webhooks::routes(),
            contract::routes(),
            served::routes(),
            page::routes(),
        ]);
        with_fallbacks(routes.fold(Router::new(), Router::merge))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .layer(no_store)
            .layer(from_fn_with_state(Arc::clone(app), watch))
            .layer(from_fn_with_state(Arc::clone(app), inject))
            .layer(from_fn_with_state(Arc::clone(app), guard::check_host_and_origin))
            .layer(from_fn_with_state(Arc::clone(app), log_request))
            .layer(cors)
            .with_state(Arc::clone(app))
    }

    /// Returns the hosted card form, to be served from an origin of its own.
    pub fn card_router(&self) -> Router {
        let app = &self.app;
        with_fallbacks((card_form::RESOURCE.routes)())
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .layer(from_fn_with_state(Arc::clone(app), watch))
            .layer(from_fn_with_state(Arc::clone(app), card_form::add_headers))
            .layer(from_fn_with_state(Arc::clone(app), inject))
            .layer(from_fn_with_state(Arc::clone(app), guard::check_host_and_origin))
            .layer(from_fn_with_state(Arc::clone(app), log_request))
            .with_state(Arc::clone(app))
    }

    /// Sends webhooks, if there is somewhere to send them. Never ends.
    pub(crate) async fn send_webhooks(&self) {
        webhooks::send_all(&self.app).await;
    }

    pub(crate) fn announce_card_port(&self, port: u16) {
        // Of two servers of one sandbox, the first counts.
        let _ = self.app.card_port.set(port);
    }

    /// Folds the write-ahead log into the database file, so that the file alone can be copied.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn close(&self) -> io::Result<()> {
        let Some(db) = self.app.config.db.as_deref() else { return Ok(()) };
        fold_log(db).map_err(|error| not_opened(Some(db), error))
    }

    /// In a simulation, makes the present state the one that [`Sandbox::rewind`] restores.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn keep(&self) -> io::Result<()> {
        self.app.store.keep().map_err(|error| not_opened(None, error))
    }

    /// In a simulation, restores the state of [`Sandbox::keep`], restarts the clock, and takes identifiers
    /// from this seed. No request may be in progress.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn rewind(&self, seed: u64) -> io::Result<()> {
        let app = &self.app;
        app.store.rewind().map_err(|error| not_opened(None, error))?;
        app.ids.restart(seed, 0);
        app.request_ids.restart(seed, 1);
        app.clock.restart();
        app.in_flight.clear();
        app.clear_control_state();
        Ok(())
    }

    /// Returns the violations of the OpenAPI document so far; needs [`Config::contract`].
    pub fn violations(&self) -> Vec<Value> {
        self.app.monitor.violations()
    }

    /// Returns the id of the announced client.
    pub fn client_id(&self) -> &'static str {
        fixtures::client().client_id
    }

    /// Returns the secret of [`Sandbox::client_id`], which is valid for sandboxes only.
    pub fn client_secret(&self) -> &'static str {
        fixtures::client().client_secret
    }

    /// Returns a sender of type PERSON that every sandbox has.
    pub fn sender_id(&self) -> String {
        fixtures::PERSON.to_string()
    }
}

fn with_fallbacks(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router
        .method_not_allowed_fallback(async || ApiError::from(ErrorCode::MethodNotAllowed))
        .fallback(async || ApiError::from(ErrorCode::NotFound))
}

#[cfg(test)]
mod tests {
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn rewinding_a_simulation_restores_rows_identifiers_and_clock() {
        let config = Config { seed: Some(1), simulated: true, ..Config::default() };
        let sandbox = Sandbox::open(config).unwrap();
        sandbox.keep().unwrap();
        let mut ids = Vec::new();
        for seed in [7, 7, 8] {
            sandbox.rewind(seed).unwrap();
            let insert = "INSERT INTO balances VALUES ('a client', 1)";
            let inserted = sandbox.app.store.write(|db| Ok(db.execute(insert, [])?));
            assert_eq!(inserted.await.unwrap(), 1);
            ids.push(sandbox.app.ids.uuid());
        }
        assert!(ids[0] == ids[1] && ids[1] != ids[2]);
        assert!(sandbox.app.clock.now() - crate::clock::SIMULATED_START < 60 * crate::clock::SECOND);
    }

    #[tokio::test]
    async fn undocumented_endpoints_and_codes_are_violations() {
        let sandbox = Sandbox::open(Config { contract: true, ..Config::default() }).unwrap();
        let router: Router = Router::new()
            .route("/v1/new/{id}", get(async || "new"))
            .route("/sandbox/new", get(async || "new"))
            .route("/v1/nonce", get(async || ApiError::from(ErrorCode::SenderNotFound)))
            .layer(from_fn_with_state(Arc::clone(&sandbox.app), watch))
            .with_state(());
        for (method, path) in [
            ("GET", "/sandbox/new"),
            ("HEAD", "/v1/new/1"),
            ("POST", "/v1/new/1"),
            ("GET", "/v1/new/1"),
            ("GET", "/v1/nonce"),
        ] {
            let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
            router.clone().oneshot(request).await.unwrap();
        }
        let violations = sandbox.violations();
        let violations = violations.iter().map(|one| [&one["operation"], &one["rule"]].map(Value::to_string));
        assert_eq!(
            violations.collect::<Vec<_>>(),
            [
                ["\"GET /v1/new/{id}\"", "\"is not in the document\""],
                ["\"nonce\"", "\"the document does not list SenderNotFound for this operation\""],
            ]
        );
    }
}
