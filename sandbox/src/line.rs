//! The connection beneath a request, which a fault can cut.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

const WHOLE: u8 = 0;
const CLOSED: u8 = 1;
const RESET: u8 = 2;
const RESET_AT_END: u8 = 3;

/// A handle on the connection of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(Arc<AtomicU8>);

impl Line {
    /// Nothing more is written; the connection ends, with `reset` by a TCP reset.
    pub(crate) fn cut(&self, reset: bool) {
        self.0.store(if reset { RESET } else { CLOSED }, Ordering::Release);
    }

    /// What is still to be written is; then the connection ends by a TCP reset.
    pub(crate) fn reset_at_end(&self) {
        self.0.store(RESET_AT_END, Ordering::Release);
    }
}

/// Accepts connections that can be cut.
#[derive(Debug)]
pub(crate) struct CuttableListener(TcpListener);

impl CuttableListener {
    pub(crate) fn new(listener: TcpListener) -> Self {
        Self(listener)
    }
}

impl Listener for CuttableListener {
    type Io = CuttableStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            match self.0.accept().await {
                Ok((stream, address)) => {
                    // Small replies should leave at once.
                    let _ = stream.set_nodelay(true);
                    return (CuttableStream { stream, line: Line::default() }, address);
                }
                // Out of file descriptors, or gone before it was accepted: others may succeed.
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, CuttableListener>> for Line {
    fn connect_info(stream: IncomingStream<'_, CuttableListener>) -> Self {
        stream.io().line.clone()
    }
}

/// A connection that can be cut.
#[derive(Debug)]
pub(crate) struct CuttableStream {
    stream: TcpStream,
    line: Line,
}

impl CuttableStream {
    fn check(&self) -> io::Result<()> {
        match self.line.0.load(Ordering::Acquire) {
            WHOLE | RESET_AT_END => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::ConnectionReset, "cut by a fault")),
        }
    }
}

impl Drop for CuttableStream {
    fn drop(&mut self) {
        if matches!(self.line.0.load(Ordering::Acquire), RESET | RESET_AT_END) {
            // Closing without lingering is what sends a reset.
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for CuttableStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for CuttableStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
