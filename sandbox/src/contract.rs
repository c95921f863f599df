//! What is said, held against the interface's document, and written down for the measure of coverage.
//!
//! Both lie below the faults: what a tester asked to go wrong is no fault of the service. Values stay out
//! of everything that is kept, but for those of the document's own enumerations.

#[cfg(feature = "contract")]
mod document;
#[cfg(feature = "contract")]
mod exchange;
mod label;
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
mod traffic;
pub(crate) mod violations;
pub(crate) mod watch;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::config::Config;
use crate::control::typed;
use crate::error::ApiError;
use crate::input::Body;
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
        .route("/sandbox/contract", get(contract))
        .route("/sandbox/label", post(set_label))
        .route("/sandbox/traffic", post(add_event))
}

/// The interface's document, for whatever reads OpenAPI.
#[cfg(feature = "contract")]
async fn openapi() -> Result<Json<&'static Value>, ApiError> {
    match document::document() {
        Ok(document) => Ok(Json(document.root())),
        Err(error) => Err(ApiError::internal(error)),
    }
}

/// What strayed from the document so far.
async fn contract(State(app): State<Arc<App>>) -> Json<Value> {
    let (violations, total, checked) = app.watch.violations.all();
    Json(json!({ "on": app.watch.checks, "checked": checked, "total": total, "violations": violations }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewLabel {
    test: Option<String>,
}

/// Names the test that runs, for the record of traffic and for violations.
async fn set_label(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let NewLabel { test } = typed(Value::Object(body.0))?;
    app.watch.label.set(test);
    Ok(Json(json!({ "test": app.watch.label.get() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenEvent {
    event: String,
    test: Option<String>,
}

/// Takes an event of the card form that reached a page: it is no request, so a page has to tell.
async fn add_event(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let SeenEvent { event, test } = typed(Value::Object(body.0))?;
    if let Some(traffic) = &app.watch.traffic {
        let event: String = event.chars().take(64).collect();
        traffic.write(&json!({ "test": test.or(app.watch.label.get()), "event": event }));
    }
    Ok(Json(json!({})))
}
