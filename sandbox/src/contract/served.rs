//! Serves the OpenAPI documents, and tells which routes there are.

use axum::http::uri::Authority;

use super::document::members;
use super::openapi::{CONTROL, INTERFACE};
use crate::endpoint::*;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/sandbox/openapi.json", get(plain(|call| served(call, &INTERFACE))))
        .route("/sandbox/control.json", get(plain(|call| served(call, &CONTROL))))
}

/// Returns a document with the addresses by which the caller has reached it.
fn served(call: &Call<Anyone>, document: &Result<Value, String>) -> Reply {
    let mut document = document.clone().map_err(ApiError::internal)?;
    let host = call.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = host.and_then(|host| host.parse::<Authority>().ok());
    if let Some(authority) = authority {
        let name = authority.host();
        set_server(&mut document, "/servers/0/url", &format!("http://{authority}"));
        if let Some(port) = call.app.card_port.get() {
            let form = "/paths/~1v2~1add-card~1{sessionId}/servers/0/url";
            set_server(&mut document, form, &format!("http://{name}:{port}"));
        }
    }
    Ok(document)
}

fn set_server(document: &mut Value, place: &str, url: &str) {
    if let Some(server) = document.pointer_mut(place) {
        *server = json!(url);
    }
}

/// Returns method and path of everything that the service and the card form answer; a star is a parameter.
pub(crate) fn routes_of_service() -> Result<Vec<(String, String)>, String> {
    let document = INTERFACE.as_ref().map_err(Clone::clone)?;
    let own = [("GET", "/v2/add-card/*/status"), ("POST", "/v2/add-card/*/verify"), ("GET", "/assets/*")];
    let own = own.into_iter().map(|(method, path)| (method.to_owned(), path.to_owned()));
    let paths = members(document.get("paths"));
    let documented = paths.flat_map(|(path, item)| {
        let path: Vec<&str> =
            path.split('/').map(|part| if part.starts_with('{') { "*" } else { part }).collect();
        let path = path.join("/");
        let methods = members(Some(item)).map(|(method, _)| method.to_ascii_uppercase());
        methods.map(move |method| (method, path.clone()))
    });
    Ok(own.chain(documented).collect())
}
