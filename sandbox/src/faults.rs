//! Fault injection between callers and the service, by method, path and count. README.md describes each kind.

mod fault;

use std::io;
use std::time::Duration;

use axum::extract::connect_info::ConnectInfo;
use axum::http::response::Parts;
use futures_util::stream::{self, StreamExt};
use tokio::sync::oneshot;
use tokio::time::sleep;

pub(crate) use fault::Fault;

use crate::connection::ConnectionHandle;
use crate::endpoint::*;
use crate::store;
use fault::{Kind, When};

const BODY_LIMIT: usize = 16 << 20;
/// The time for the sent bytes to leave before the connection breaks.
const FLUSH_TIME: Duration = Duration::from_millis(30);
const PIECES: u32 = 10;

/// Request extension: how long a transfer stays in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct During(pub(crate) Duration);

/// Response extension: the injected fault, for the request log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InjectedFault(pub(crate) &'static str);

/// Returns the first fault that applies to a request, and counts it down.
fn take(app: &App, request: &Request) -> Option<Fault> {
    let (method, path) = (request.method().as_str(), request.uri().path());
    let chance = || app.request_ids.number(9) % 100;
    let pending = &mut app.controls().faults;
    let at = pending.iter_mut().position(|fault| fault.applies(method, path, chance))?;
    let found = pending.get_mut(at)?;
    if found.count > 1 {
        found.count -= 1;
        return Some(found.clone());
    }
    Some(pending.remove(at))
}

pub(crate) async fn inject(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let is_control = request.uri().path().starts_with("/sandbox");
    let Some(fault) = (if is_control { None } else { take(&app, &request) }) else {
        return next.run(request).await;
    };
    let connection = request.extensions().get::<ConnectInfo<ConnectionHandle>>().map(|info| info.0.clone());
    let mut response = match (fault.kind, fault.when) {
        (Kind::Latency, When::Before) => {
            sleep(fault.delay()).await;
            next.run(request).await
        }
        (Kind::Latency, When::During) => {
            request.extensions_mut().insert(During(fault.delay()));
            next.run(request).await
        }
        (Kind::Latency, When::Commit | When::After) => {
            let response = detached(next.run(request)).await;
            sleep(fault.delay()).await;
            response
        }
        (Kind::Duplicate | Kind::Late, _) => redelivered(&fault, request, next, connection).await,
        (Kind::Truncate, _) => {
            let (parts, bytes) = buffered(detached(next.run(request)).await).await;
            if let Some(connection) = connection.filter(|_| fault.reset) {
                connection.reset_at_end();
            }
            let half = bytes.slice(..bytes.len() / 2);
            Response::from_parts(parts, truncated(half))
        }
        (Kind::Slow, _) => {
            let (parts, bytes) = buffered(detached(next.run(request)).await).await;
            Response::from_parts(parts, slow(bytes, fault.delay()))
        }
        (Kind::Status | Kind::NonJson | Kind::Drop, when) => {
            match when {
                When::Before => {}
                When::Commit => drop(store::rolled_back(next.run(request)).await),
                _ => drop(detached(next.run(request)).await),
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

/// Completes the work even if the caller hangs up.
async fn detached(work: impl Future<Output = Response> + Send + 'static) -> Response {
    let response = tokio::spawn(work).await;
    response.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// Delivers a request twice, as a browser may when a connection closes early, or late. A delayed delivery
/// does not depend on the caller: the gateway has the whole request.
async fn redelivered(
    fault: &Fault,
    request: Request,
    next: Next,
    connection: Option<ConnectionHandle>,
) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, BODY_LIMIT).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let deliver = move || {
        let request = Request::from_parts(parts.clone(), Body::from(bytes.clone()));
        next.clone().run(request)
    };
    let delay = fault.delay();
    if fault.kind == Kind::Late {
        tokio::spawn(async move {
            sleep(delay).await;
            deliver().await
        });
        return dropped(connection, fault.reset);
    }
    if fault.delay_milliseconds.is_none() {
        drop(deliver().await);
        return deliver().await;
    }
    let (answer, answered) = oneshot::channel();
    tokio::spawn(async move {
        // The caller may have hung up, which changes nothing.
        drop(answer.send(deliver().await));
        sleep(delay).await;
        deliver().await
    });
    answered.await.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// Buffers the body. The head announces its whole length.
async fn buffered(response: Response) -> (Parts, Bytes) {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    (parts, bytes)
}

/// Returns a body that fails after its bytes: the connection closes before the answer is complete.
fn truncated(bytes: Bytes) -> Body {
    let wait = if bytes.is_empty() { Duration::ZERO } else { FLUSH_TIME };
    let failure = stream::once(async move {
        sleep(wait).await;
        Err(io::Error::new(io::ErrorKind::ConnectionReset, "cut by a fault"))
    });
    Body::from_stream(stream::iter([Ok(bytes)]).chain(failure))
}

/// Returns a body that is sent in pieces with pauses between them.
fn slow(bytes: Bytes, total: Duration) -> Body {
    let (piece, pause) = (bytes.len().div_ceil(PIECES as usize), total / PIECES);
    Body::from_stream(stream::unfold(bytes, move |mut left| async move {
        if left.is_empty() {
            return None;
        }
        sleep(pause).await;
        let next = left.split_to(piece.min(left.len()));
        Some((Ok::<_, io::Error>(next), left))
    }))
}

/// Closes the connection without an answer. In a test without a connection, the response body fails instead.
fn dropped(connection: Option<ConnectionHandle>, reset: bool) -> Response {
    if let Some(connection) = connection {
        connection.cut(reset);
    }
    Response::new(truncated(Bytes::new()))
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
    let mut response = ApiError::from(problem).with_status(status).into_response();
    if let Some(seconds) = fault.retry_after_seconds {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
