use std::time::Duration;

use axum::extract::connect_info::ConnectInfo;
use axum::http::response::Parts;

use super::body;
use super::delivery::{BODY_LIMIT, Delivery};
use super::fault::{Fault, Kind, When};
use crate::connection::ConnectionHandle;
use crate::endpoint::*;
use crate::store;

/// Request extension: how long a transfer stays in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct During(pub(crate) Duration);

/// Response extension: the injected fault, for the request log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InjectedFault(pub(crate) &'static str);

pub(crate) async fn inject(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path.starts_with("/sandbox") {
        return next.run(request).await;
    }
    let chance = || app.request_ids.number(9) % 100;
    let Some(fault) = app.faults.take(request.method().as_str(), path, chance) else {
        return next.run(request).await;
    };
    let connection = request.extensions().get::<ConnectInfo<ConnectionHandle>>().map(|info| info.0.clone());
    let mut response = match (fault.kind, fault.when) {
        (Kind::Latency, When::Before) => {
            tokio::time::sleep(fault.delay()).await;
            next.run(request).await
        }
        (Kind::Latency, When::During) => {
            request.extensions_mut().insert(During(fault.delay()));
            next.run(request).await
        }
        (Kind::Latency, When::Commit | When::After) => {
            let response = run_detached(next, request).await;
            tokio::time::sleep(fault.delay()).await;
            response
        }
        (Kind::Duplicate | Kind::Late, _) => match Delivery::receive(request, next).await {
            Err(refused) => refused,
            Ok(delivery) if fault.kind == Kind::Late => {
                delivery.after(fault.delay());
                dropped(connection, fault.reset)
            }
            Ok(delivery) if fault.delay_milliseconds.is_some() => delivery.again_after(fault.delay()).await,
            Ok(delivery) => delivery.twice().await,
        },
        (Kind::Truncate, _) => {
            let (parts, bytes) = buffered(run_detached(next, request).await).await;
            if let Some(connection) = connection.filter(|_| fault.reset) {
                connection.reset_at_end();
            }
            let half = bytes.slice(..bytes.len() / 2);
            Response::from_parts(parts, body::truncated(half))
        }
        (Kind::Slow, _) => {
            let (parts, bytes) = buffered(run_detached(next, request).await).await;
            Response::from_parts(parts, body::slow(bytes, fault.delay()))
        }
        (Kind::Status | Kind::NonJson | Kind::Drop, when) => {
            match when {
                When::Before => {}
                When::Commit => drop(store::rolled_back(next.run(request)).await),
                _ => drop(run_detached(next, request).await),
            }
            match fault.kind {
                Kind::Drop => dropped(connection, fault.reset),
                Kind::NonJson => gateway_page(&fault),
                _ => status(&fault),
            }
        }
    };
    response.extensions_mut().insert(InjectedFault(fault.kind.into()));
    response
}

/// Runs a request to its end even if the caller hangs up.
async fn run_detached(next: Next, request: Request) -> Response {
    match tokio::spawn(next.run(request)).await {
        Ok(response) => response,
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Buffers the body. The head announces its whole length.
async fn buffered(response: Response) -> (Parts, Bytes) {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    (parts, bytes)
}

/// Closes the connection without an answer. In a test without a connection, the response body fails instead.
fn dropped(connection: Option<ConnectionHandle>, reset: bool) -> Response {
    if let Some(connection) = connection {
        connection.cut(reset);
    }
    Response::new(body::truncated(Bytes::new()))
}

fn gateway_page(fault: &Fault) -> Response {
    let page = "<!DOCTYPE html><html><head><title>Bad gateway</title></head>\
                <body><h1>Bad gateway</h1><hr>gateway</body></html>\n";
    let html = (header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
    (fault.status(StatusCode::BAD_GATEWAY), [html], page).into_response()
}

fn status(fault: &Fault) -> Response {
    let status = fault.status(StatusCode::SERVICE_UNAVAILABLE);
    let code = match status {
        StatusCode::UNAUTHORIZED => ErrorCode::Unauthorized,
        StatusCode::FORBIDDEN => ErrorCode::AccessDenied,
        StatusCode::TOO_MANY_REQUESTS => ErrorCode::TooManyRequests,
        StatusCode::INTERNAL_SERVER_ERROR => ErrorCode::InternalError,
        _ => ErrorCode::ServiceUnavailable,
    };
    let problem = Problem::new(code).because("a fault that was asked for at /sandbox/faults");
    let mut response = (status, Json([problem])).into_response();
    if let Some(seconds) = fault.retry_after_seconds {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response.extensions_mut().insert(AnsweredCodes(vec![code]));
    response
}
