//! One running sandbox, and its two routers.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::from_fn_with_state;
use tower_http::cors::{Any, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::App;
use crate::card::Card;
use crate::clock::Clock;
use crate::config::Config;
use crate::contract::violations::Violation;
use crate::contract::watch::Watch;
use crate::error::{ApiError, ErrorCode};
use crate::faults::Faults;
use crate::faults::apply::apply;
use crate::ids::Ids;
use crate::in_flight::InFlight;
use crate::lifetimes::Lifetimes;
use crate::log::RequestLog;
use crate::log::record::{REQUEST_ID, record};
use crate::open_error::OpenError;
use crate::records::Record;
use crate::resources::RESOURCES;
use crate::seal::Seal;
use crate::store::Store;
use crate::{card_form, card_session, client, contract, control, guard, meta, page, rates, seed};

/// The largest body that a request may have.
const BODY_LIMIT: usize = 1 << 20;

/// A remittance service on one's own machine.
///
/// Clones share the same service. It needs no runtime to be opened, and one (tokio's) to answer:
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
    /// Opens the database, with its tables and its first senders.
    ///
    /// # Errors
    /// Where the database file can't be opened or written.
    pub fn open(config: Config) -> Result<Self, OpenError> {
        let db = config.db.clone();
        let watch = contract::open(&config).map_err(|cause| OpenError { db: None, cause, of_watch: true })?;
        Self::try_open(config, watch).map_err(|cause| OpenError { db, cause, of_watch: false })
    }

    fn try_open(config: Config, watch: Watch) -> Result<Self, String> {
        let clock = Clock::new(config.simulated);
        let seed = config.seed;
        let prepare = |connection: &rusqlite::Connection| -> Result<_, ApiError> {
            let meta = meta::boot(connection)?;
            clock.set_offset_seconds(meta.clock_offset_seconds);
            let ids = Ids::new(seed, meta.boots, 0);
            let key = meta::key(connection, &Ids::new(seed, 0, 2))?;
            client::seed(connection)?;
            seed::senders(connection, clock.now())?;
            Ok((meta, ids, key))
        };
        let tables: String = [meta::TABLES, client::TABLES, rates::TABLES, Card::SQL]
            .into_iter()
            .chain(RESOURCES.iter().map(|resource| resource.tables))
            .collect();
        let (store, prepared) = Store::open(config.db.as_deref(), config.simulated, &tables, prepare)
            .map_err(|error| error.to_string())?;
        let (meta, ids, key) = prepared.map_err(|error| format!("{error:?}"))?;
        let app = App {
            log: RequestLog::new(config.log_capacity),
            request_ids: Ids::new(seed, meta.boots, 1),
            seal: Seal::new(key),
            faults: Faults::default(),
            in_flight: InFlight::default(),
            card_sessions: card_session::Behaviours::default(),
            lifetimes: Lifetimes::new(&config),
            watch,
            config,
            clock,
            store,
            ids,
        };
        Ok(Self { app: Arc::new(app) })
    }

    /// The service's interface, and the endpoints under `/sandbox` with which a tester steers it.
    pub fn api_router(&self) -> Router {
        let app = &self.app;
        let exposed: [HeaderName; 2] = [REQUEST_ID, header::RETRY_AFTER];
        let cors = CorsLayer::new()
            .allow_origin(Any)
            .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
            .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::ACCEPT_LANGUAGE])
            .expose_headers(exposed)
            .max_age(std::time::Duration::from_secs(600));
        // Requirements change, prices move, records are a person's: no reply is for a cache.
        let no_store =
            SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        RESOURCES
            .iter()
            .fold(Router::new(), |router, resource| router.merge((resource.routes)()))
            .merge(control::routes())
            .merge(contract::routes())
            .merge(page::routes())
            .method_not_allowed_fallback(async || ApiError::from(ErrorCode::MethodNotAllowed))
            .fallback(async || ApiError::from(ErrorCode::NotFound))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .layer(no_store)
            .layer(from_fn_with_state(Arc::clone(app), contract::watch))
            .layer(from_fn_with_state(Arc::clone(app), apply))
            .layer(from_fn_with_state(Arc::clone(app), guard::admit))
            .layer(from_fn_with_state(Arc::clone(app), record))
            .layer(cors)
            .with_state(Arc::clone(app))
    }

    /// The hosted card form, to be served from an origin of its own.
    pub fn card_router(&self) -> Router {
        let app = &self.app;
        (card_form::RESOURCE.routes)()
            .method_not_allowed_fallback(async || ApiError::from(ErrorCode::MethodNotAllowed))
            .fallback(async || ApiError::from(ErrorCode::NotFound))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .layer(from_fn_with_state(Arc::clone(app), contract::watch))
            .layer(from_fn_with_state(Arc::clone(app), card_form::protect))
            .layer(from_fn_with_state(Arc::clone(app), apply))
            .layer(from_fn_with_state(Arc::clone(app), guard::admit))
            .layer(from_fn_with_state(Arc::clone(app), record))
            .with_state(Arc::clone(app))
    }

    /// In a simulation, makes what is there now what [`Sandbox::rewind`] brings back.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn keep(&self) -> Result<(), OpenError> {
        self.app.store.keep().map_err(OpenError::of_simulation)
    }

    /// In a simulation, brings back what [`Sandbox::keep`] has kept, with identifiers that follow from this
    /// seed and a clock that begins again. Nothing may be under way.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn rewind(&self, seed: u64) -> Result<(), OpenError> {
        let app = &self.app;
        app.store.rewind().map_err(OpenError::of_simulation)?;
        app.ids.restart(seed, 0);
        app.request_ids.restart(seed, 1);
        app.clock.restart();
        app.faults.clear();
        app.in_flight.clear();
        app.card_sessions.clear();
        app.lifetimes.reset();
        app.log.clear();
        Ok(())
    }

    /// What strayed from the interface's document so far, where [`Config::contract`] is set.
    pub fn violations(&self) -> Vec<Violation> {
        self.app.watch.violations.all().0
    }

    /// The client id that the sandbox knows.
    pub fn client_id(&self) -> &'static str {
        seed::client().client_id
    }

    /// The secret that goes with [`Sandbox::client_id`]. It opens nothing but a sandbox.
    pub fn client_secret(&self) -> &'static str {
        seed::client().client_secret
    }

    /// A sender of type PERSON that every sandbox has.
    pub fn sender_id(&self) -> String {
        seed::PERSON.to_string()
    }
}

#[cfg(all(test, feature = "contract"))]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_rewound_simulation_repeats_itself() {
        let config = Config { seed: Some(1), simulated: true, ..Config::default() };
        let sandbox = Sandbox::open(config).unwrap();
        sandbox.keep().unwrap();
        let mut taken = Vec::new();
        for seed in [7, 7, 8] {
            sandbox.rewind(seed).unwrap();
            let made = sandbox.app.store.write(|db| {
                let made = db.execute("INSERT INTO balances VALUES ('a client', 1)", [])?;
                Ok(made)
            });
            assert_eq!(made.await.unwrap(), 1);
            taken.push(sandbox.app.ids.uuid());
        }
        assert_eq!(taken[0], taken[1]);
        assert_ne!(taken[1], taken[2]);
        assert!(sandbox.app.clock.now() - crate::clock::SIMULATED_START < 60 * crate::clock::SECOND);
    }

    #[tokio::test]
    async fn an_endpoint_that_nobody_has_described_strays() {
        let sandbox = Sandbox::open(Config { contract: true, ..Config::default() }).unwrap();
        let router: Router = Router::new()
            .route("/v1/new/{id}", get(async || "new"))
            .route("/sandbox/new", get(async || "new"))
            .layer(from_fn_with_state(Arc::clone(&sandbox.app), contract::watch))
            .with_state(());
        for (method, path) in
            [("GET", "/sandbox/new"), ("HEAD", "/v1/new/1"), ("POST", "/v1/new/1"), ("GET", "/v1/new/1")]
        {
            let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
            router.clone().oneshot(request).await.unwrap();
        }
        let [violation] = sandbox.violations().try_into().unwrap();
        assert_eq!(
            (violation.operation.as_str(), violation.rule.as_str()),
            ("GET /v1/new/{id}", "is not in the document")
        );
    }
}
