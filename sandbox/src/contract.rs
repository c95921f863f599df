//! What is said, held against the interface's document, and written down for the measure of coverage.
//!
//! Both lie below the faults: what a tester asked to go wrong is no fault of the service. Values stay out
//! of everything that is kept, but for those of the document's own enumerations.

#[cfg(feature = "contract")]
mod document;
#[cfg(feature = "contract")]
mod exchange;
#[cfg(feature = "contract")]
mod members;
#[cfg(feature = "contract")]
mod openapi;
#[cfg(feature = "contract")]
mod operation;
#[cfg(feature = "contract")]
mod schemas;
#[cfg(feature = "contract")]
mod targets;
pub(crate) mod violations;
pub(crate) mod watch;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use crate::access::Anyone;
use crate::app::App;
use crate::call::{Call, Reply, plain};
use crate::config::Config;
#[cfg(feature = "contract")]
pub use targets::interface;
use watch::Watch;

/// What watches the exchanges, with a document that can be read.
pub(crate) fn open(config: &Config) -> Result<Watch, String> {
    if config.contract || config.traffic.is_some() {
        ready()?;
    }
    Watch::open(config)
}

#[cfg(feature = "contract")]
fn ready() -> Result<(), String> {
    document::document().as_ref().map(|_| ()).map_err(Clone::clone)
}

#[cfg(not(feature = "contract"))]
fn ready() -> Result<(), String> {
    Err("this sandbox was built without its feature `contract`".to_owned())
}

/// Lets an exchange pass, and looks at it.
pub(crate) async fn watch(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !app.watch.is_on() {
        return next.run(request).await;
    }
    #[cfg(feature = "contract")]
    return exchange::watched(&app, request, next).await;
    #[cfg(not(feature = "contract"))]
    next.run(request).await
}

pub(crate) fn routes() -> Router<Arc<App>> {
    #[cfg(feature = "contract")]
    let router = Router::new().route("/sandbox/openapi.json", get(openapi));
    #[cfg(not(feature = "contract"))]
    let router = Router::new();
    router
        .route("/sandbox/contract", get(plain(contract)))
        .route("/sandbox/label", post(plain(set_label)))
        .route("/sandbox/traffic", post(plain(add_event)))
}

/// The interface's document, for whatever reads OpenAPI.
#[cfg(feature = "contract")]
async fn openapi() -> Result<Json<&'static serde_json::Value>, crate::error::ApiError> {
    let document = document::document().as_ref().map_err(crate::error::ApiError::internal)?;
    Ok(Json(document.root()))
}

/// What strayed from the document so far.
fn contract(call: &Call<Anyone>) -> Reply {
    let watch = &call.app.watch;
    let (violations, total, checked) = watch.violations.all();
    Ok(Json(json!({ "on": watch.checks, "checked": checked, "total": total, "violations": violations })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewLabel {
    test: Option<String>,
}

/// Names the test that runs, for the record of traffic and for violations.
fn set_label(call: &Call<Anyone>) -> Reply {
    let NewLabel { test } = call.typed()?;
    let watch = &call.app.watch;
    watch.set_label(test);
    Ok(Json(json!({ "test": watch.label() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenEvent {
    event: String,
    test: Option<String>,
}

/// Takes an event of the card form that reached a page: it is no request, so a page has to tell.
fn add_event(call: &Call<Anyone>) -> Reply {
    let SeenEvent { event, test } = call.typed()?;
    let watch = &call.app.watch;
    let event: String = event.chars().take(64).collect();
    watch.record(|| json!({ "test": test.or(watch.label()), "event": event }));
    Ok(Json(json!({})))
}
