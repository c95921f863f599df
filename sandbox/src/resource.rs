//! A resource of the service: all that a further one brings along.

use std::sync::Arc;

use axum::Router;

use crate::app::App;

/// What answers for a resource, what it keeps, and how the interface describes it. Handlers and description
/// lie in one file, so that an endpoint does too.
#[derive(Debug)]
#[cfg_attr(not(feature = "contract"), allow(dead_code))]
pub(crate) struct Resource {
    /// `file!()`, for whoever has to find what is wrong in its description.
    pub(crate) file: &'static str,
    pub(crate) routes: fn() -> Router<Arc<App>>,
    /// Its tables in SQL, or nothing.
    pub(crate) tables: &'static str,
    /// Its part of the interface's document: OpenAPI in YAML, `paths` and the `components` that it alone
    /// brings. `contract::openapi` writes out what it says in short: shared parameters by name, JSON bodies and
    /// replies by the name of their schema; parameters of the path and the usual errors go without saying.
    pub(crate) interface: &'static str,
}
