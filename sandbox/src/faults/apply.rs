//! What a fault does to a request or its reply.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::broken_body::{Broken, Dribble};
use super::delivery::{BODY_LIMIT, Delivery};
use super::spec::{Fault, Kind, When};
use crate::app::App;
use crate::error::{AnsweredCodes, ErrorCode, Problem};
use crate::line::Line;
use crate::store;

/// Tells the handler of a transfer to wait while it is in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct During(pub(crate) Duration);

/// Tells the log what was done to a reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AppliedFault(pub(crate) &'static str);

/// Lets a request through, or whatever a tester wants instead.
pub(crate) async fn apply(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path.starts_with("/sandbox") {
        return next.run(request).await;
    }
    let chance = || app.request_ids.number(9) % 100;
    let Some(fault) = app.faults.take(request.method().as_str(), path, chance) else {
        return next.run(request).await;
    };
    let line = request.extensions().get::<ConnectInfo<Line>>().map(|info| info.0.clone());
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
            let response = finish(next, request).await;
            tokio::time::sleep(fault.delay()).await;
            response
        }
        (Kind::Duplicate | Kind::Late, _) => match Delivery::of(request, next).await {
            Err(refused) => refused,
            Ok(delivery) if fault.kind == Kind::Late => {
                delivery.after(fault.delay());
                dropped(line, fault.reset)
            }
            Ok(delivery) if fault.delay_milliseconds.is_some() => delivery.again_after(fault.delay()).await,
            Ok(delivery) => delivery.twice().await,
        },
        (Kind::Truncate, _) => {
            let response = finish(next, request).await;
            if let Some(line) = line.filter(|_| fault.reset) {
                line.reset_at_end();
            }
            truncated(response).await
        }
        (Kind::Slow, _) => {
            let response = finish(next, request).await;
            slow(response, fault.delay()).await
        }
        (Kind::Status | Kind::NonJson | Kind::Drop, when) => {
            match when {
                When::Before => {}
                When::Commit => drop(store::undone(next.run(request)).await),
                _ => drop(finish(next, request).await),
            }
            match fault.kind {
                Kind::Drop => dropped(line, fault.reset),
                Kind::NonJson => gateway_page(&fault),
                _ => status(&fault),
            }
        }
    };
    response.extensions_mut().insert(AppliedFault(fault.kind.into()));
    response
}

/// Runs a request to its end, also when the caller hangs up meanwhile: what happens "after" must have
/// happened.
async fn finish(next: Next, request: Request) -> Response {
    match tokio::spawn(next.run(request)).await {
        Ok(response) => response,
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Takes a reply apart. Its head announces the whole length.
async fn split(response: Response) -> (axum::http::response::Parts, Bytes) {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    (parts, bytes)
}

/// Announces the whole reply, sends the first half, and breaks off.
async fn truncated(response: Response) -> Response {
    let (parts, bytes) = split(response).await;
    let half = bytes.slice(..bytes.len() / 2);
    Response::from_parts(parts, Body::new(Broken::after(half)))
}

/// Sends the reply in pieces, spread over a time.
async fn slow(response: Response, delay: Duration) -> Response {
    let (parts, bytes) = split(response).await;
    Response::from_parts(parts, Body::new(Dribble::new(bytes, delay)))
}

/// Closes the connection without a word. Where there is none, in a test within one process, the
/// body of the reply fails instead.
fn dropped(line: Option<Line>, reset: bool) -> Response {
    if let Some(line) = line {
        line.cut(reset);
    }
    Response::new(Body::new(Broken::after(Bytes::new())))
}

/// What a gateway says when the service behind it doesn't answer.
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
    let mut response = (status, axum::Json([problem])).into_response();
    if let Some(seconds) = fault.retry_after_seconds {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response.extensions_mut().insert(AnsweredCodes(vec![code]));
    response
}
