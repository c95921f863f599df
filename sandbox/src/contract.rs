//! Validates exchanges against the OpenAPI document, and records them for the coverage report.
//!
//! Both happen below fault injection: an injected fault is no violation. What is kept contains no values
//! except those of the document's own enumerations.

pub(crate) mod coverage;
mod document;
pub(crate) mod exchange;
pub(crate) mod monitor;
mod openapi;

use crate::config::Config;
use crate::endpoint::*;
use monitor::Monitor;

/// Opens the monitor, and the document where the monitor needs it.
pub(crate) fn open(config: &Config) -> Result<Monitor, String> {
    if config.contract || config.traffic.is_some() {
        document::document().as_ref().map_err(Clone::clone)?;
    }
    Monitor::open(config)
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/sandbox/contract", get(plain(get_violations)))
        .route("/sandbox/label", post(plain(set_label)))
        .route("/sandbox/traffic", post(plain(add_event)))
        .route("/sandbox/openapi.json", get(get_document))
}

async fn get_document() -> Result<Json<&'static Value>> {
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
