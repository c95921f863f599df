//! Response bodies that fail or stall.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use http_body::{Body, Frame};
use tokio::time::{Sleep, sleep};

type NextFrame = Poll<Option<Result<Frame<Bytes>, io::Error>>>;

/// The time for the sent bytes to leave before the connection breaks.
const FLUSH_TIME: Duration = Duration::from_millis(30);

/// A body that fails after its bytes: the connection closes before the answer is complete.
pub(super) struct TruncatedBody {
    bytes: Bytes,
    flushed: Pin<Box<Sleep>>,
}

impl TruncatedBody {
    pub(super) fn new(bytes: Bytes) -> Self {
        let wait = if bytes.is_empty() { Duration::ZERO } else { FLUSH_TIME };
        Self { bytes, flushed: Box::pin(sleep(wait)) }
    }
}

impl Body for TruncatedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> NextFrame {
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        if self.flushed.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        let cut = io::Error::new(io::ErrorKind::ConnectionReset, "cut by a fault");
        Poll::Ready(Some(Err(cut)))
    }
}

const PIECES: u32 = 10;

/// A body that is sent in pieces with pauses between them.
pub(super) struct SlowBody {
    left: Bytes,
    piece: usize,
    pause: Duration,
    paused: Pin<Box<Sleep>>,
}

impl SlowBody {
    pub(super) fn new(left: Bytes, total: Duration) -> Self {
        let (piece, pause) = (left.len().div_ceil(PIECES as usize), total / PIECES);
        Self { left, piece, pause, paused: Box::pin(sleep(pause)) }
    }
}

impl Body for SlowBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> NextFrame {
        if self.left.is_empty() {
            return Poll::Ready(None);
        }
        if self.paused.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        let size = self.piece.min(self.left.len());
        let piece = self.left.split_to(size);
        self.paused = Box::pin(sleep(self.pause));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }
}
