//! Bodies that fail on the way.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use http_body::{Body, Frame};
use tokio::time::{Sleep, sleep};

type Piece = Poll<Option<Result<Frame<Bytes>, io::Error>>>;

/// How long what was sent has to get away before the connection breaks.
const HEAD_START: Duration = Duration::from_millis(30);

/// Gives what it has, then an error: the connection closes before the reply is whole.
pub(super) struct Broken {
    bytes: Bytes,
    rest: Pin<Box<Sleep>>,
}

impl Broken {
    /// Breaks when `bytes` have been sent.
    pub(super) fn after(bytes: Bytes) -> Self {
        let wait = if bytes.is_empty() { Duration::ZERO } else { HEAD_START };
        Self { bytes, rest: Box::pin(sleep(wait)) }
    }
}

impl Body for Broken {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Piece {
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        if self.rest.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        let cut = io::Error::new(io::ErrorKind::ConnectionReset, "cut by a fault");
        Poll::Ready(Some(Err(cut)))
    }
}

/// Gives its bytes in a few pieces, with pauses between them.
pub(super) struct Dribble {
    left: Bytes,
    pieces: u32,
    pause: Duration,
    sleep: Pin<Box<Sleep>>,
}

const PIECES: u32 = 10;

impl Dribble {
    pub(super) fn new(bytes: Bytes, whole: Duration) -> Self {
        let pause = whole / PIECES;
        Self { left: bytes, pieces: PIECES, pause, sleep: Box::pin(sleep(pause)) }
    }
}

impl Body for Dribble {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Piece {
        if self.left.is_empty() {
            return Poll::Ready(None);
        }
        if self.sleep.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        let pieces = usize::try_from(self.pieces.max(1)).unwrap_or(1);
        let size = self.left.len().div_ceil(pieces);
        let piece = self.left.split_to(size);
        self.pieces = self.pieces.saturating_sub(1);
        self.sleep = Box::pin(sleep(self.pause));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }
}
