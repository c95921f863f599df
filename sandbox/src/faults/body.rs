//! Response bodies that fail or stall.

use std::io;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream::{self, StreamExt};
use tokio::time::sleep;

/// The time for the sent bytes to leave before the connection breaks.
const FLUSH_TIME: Duration = Duration::from_millis(30);
const PIECES: u32 = 10;

/// Returns a body that fails after its bytes: the connection closes before the answer is complete.
pub(super) fn truncated(bytes: Bytes) -> Body {
    let wait = if bytes.is_empty() { Duration::ZERO } else { FLUSH_TIME };
    let failure = stream::once(async move {
        sleep(wait).await;
        Err(io::Error::new(io::ErrorKind::ConnectionReset, "cut by a fault"))
    });
    Body::from_stream(stream::iter([Ok(bytes)]).chain(failure))
}

/// Returns a body that is sent in pieces with pauses between them.
pub(super) fn slow(bytes: Bytes, total: Duration) -> Body {
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
