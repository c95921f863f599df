//! What a gateway may do to a request: deliver it twice, or late.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::oneshot;
use tokio::time::sleep;

pub(super) const BODY_LIMIT: usize = 16 << 20;

/// A request that was read completely, so that it no longer depends on its caller.
pub(super) struct Delivery {
    parts: Parts,
    bytes: Bytes,
    next: Next,
}

impl Delivery {
    pub(super) async fn receive(request: Request, next: Next) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        match to_bytes(body, BODY_LIMIT).await {
            Ok(bytes) => Ok(Self { parts, bytes, next }),
            Err(_) => Err(StatusCode::BAD_REQUEST.into_response()),
        }
    }

    async fn run(&self) -> Response {
        let request = Request::from_parts(self.parts.clone(), Body::from(self.bytes.clone()));
        self.next.clone().run(request).await
    }

    /// Delivers the request twice, as a browser may when a connection closes early. Returns the second
    /// answer.
    pub(super) async fn twice(self) -> Response {
        drop(self.run().await);
        self.run().await
    }

    /// Delivers the request now and again after `delay`. Returns the first answer.
    pub(super) async fn again_after(self, delay: Duration) -> Response {
        let (answer, answered) = oneshot::channel();
        tokio::spawn(async move {
            // The caller may have hung up, which changes nothing.
            drop(answer.send(self.run().await));
            sleep(delay).await;
            self.run().await
        });
        answered.await.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
    }

    pub(super) fn after(self, delay: Duration) {
        tokio::spawn(async move {
            sleep(delay).await;
            self.run().await
        });
    }
}
