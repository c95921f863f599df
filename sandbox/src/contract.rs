//! Validates exchanges against the OpenAPI document, and records them for the coverage report.
//!
//! Both happen below fault injection: an injected fault is no violation. What is kept contains no values
//! except those of the document's own enumerations.

#[cfg(feature = "contract")]
pub(crate) mod coverage;
#[cfg(feature = "contract")]
mod document;
#[cfg(feature = "contract")]
mod exchange;
pub(crate) mod monitor;
#[cfg(feature = "contract")]
mod openapi;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::config::Config;
use crate::endpoint::*;
use monitor::Monitor;

/// Opens the monitor, and the document where the monitor needs it.
pub(crate) fn open(config: &Config) -> Result<Monitor, String> {
    if config.contract || config.traffic.is_some() {
        #[cfg(feature = "contract")]
        document::document().as_ref().map_err(Clone::clone)?;
        #[cfg(not(feature = "contract"))]
        return Err("this sandbox was built without its feature `contract`".to_owned());
    }
    Monitor::open(config)
}

/// Middleware: passes a request on, and monitors the exchange.
pub(crate) async fn watch(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !app.monitor.is_on() {
        return next.run(request).await;
    }
    #[cfg(feature = "contract")]
    return exchange::watch(&app, request, next).await;
    #[cfg(not(feature = "contract"))]
    next.run(request).await
}

pub(crate) fn routes() -> Router<Arc<App>> {
    let router = Router::new()
        .route("/sandbox/contract", get(plain(get_violations)))
        .route("/sandbox/label", post(plain(set_label)))
        .route("/sandbox/traffic", post(plain(add_event)));
    #[cfg(feature = "contract")]
    let router = router.route("/sandbox/openapi.json", get(get_document));
    router
}

#[cfg(feature = "contract")]
async fn get_document() -> Result<Json<&'static Value>, ApiError> {
    Ok(Json(document::document().as_ref().map_err(ApiError::internal)?.root()))
}

fn get_violations(call: &Call<Anyone>) -> Reply {
    Ok(call.app.monitor.summary())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Label {
    test: Option<String>,
}

/// Sets the name of the running test.
fn set_label(call: &Call<Anyone>) -> Reply {
    let Label { test } = call.typed()?;
    call.app.monitor.set_label(test);
    Ok(json!({ "test": call.app.monitor.label() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReceivedEvent {
    event: String,
    test: Option<String>,
}

/// Records an event of the card form that a page received. It is no request, so the page has to report it.
fn add_event(call: &Call<Anyone>) -> Reply {
    let ReceivedEvent { event, test } = call.typed()?;
    let monitor = &call.app.monitor;
    let event: String = event.chars().take(64).collect();
    monitor.record(|| json!({ "test": test.or(monitor.label()), "event": event }));
    Ok(json!({}))
}
