//! What a gateway makes of a request: it hands it on twice, or late.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::oneshot;
use tokio::time::sleep;

/// The largest body that is held, to be broken or delivered again.
pub(super) const BODY_LIMIT: usize = 16 << 20;

/// A request that was read to its end, so that nothing of it depends on its caller any more.
pub(super) struct Delivery {
    parts: Parts,
    bytes: Bytes,
    next: Next,
}

impl Delivery {
    pub(super) async fn of(request: Request, next: Next) -> Result<Self, Response> {
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

    /// Delivers it twice, as a browser may when a connection closes early; the second answer counts.
    pub(super) async fn twice(self) -> Response {
        drop(self.run().await);
        self.run().await
    }

    /// Delivers it now, which is answered, and once more so much later.
    pub(super) async fn again_after(self, delay: Duration) -> Response {
        let (answer, answered) = oneshot::channel();
        tokio::spawn(async move {
            // Nobody takes it when the caller has hung up, which the gateway doesn't mind.
            drop(answer.send(self.run().await));
            sleep(delay).await;
            self.run().await
        });
        answered.await.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
    }

    /// Delivers it so much later, to nobody's knowledge.
    pub(super) fn after(self, delay: Duration) {
        tokio::spawn(async move {
            sleep(delay).await;
            self.run().await
        });
    }
}
