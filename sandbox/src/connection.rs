//! TCP connections that faults can cut.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

const OPEN: u8 = 0;
const CLOSED: u8 = 1;
const RESET: u8 = 2;
const RESET_AT_END: u8 = 3;

#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionHandle(Arc<AtomicU8>);

impl ConnectionHandle {
    /// Closes the connection without writing anything more; with `reset`, by a TCP reset.
    pub(crate) fn cut(&self, reset: bool) {
        self.0.store(if reset { RESET } else { CLOSED }, Ordering::Release);
    }

    /// Ends the connection by a TCP reset once what is left has been written.
    pub(crate) fn reset_at_end(&self) {
        self.0.store(RESET_AT_END, Ordering::Release);
    }
}

#[derive(Debug)]
pub(crate) struct CuttableListener(pub(crate) TcpListener);

impl Listener for CuttableListener {
    type Io = CuttableStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        // Send small replies at once.
        let _ = stream.set_nodelay(true);
        (CuttableStream { stream, handle: ConnectionHandle::default() }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, CuttableListener>> for ConnectionHandle {
    fn connect_info(stream: IncomingStream<'_, CuttableListener>) -> Self {
        stream.io().handle.clone()
    }
}

#[derive(Debug)]
pub(crate) struct CuttableStream {
    stream: TcpStream,
    handle: ConnectionHandle,
}

impl CuttableStream {
    fn inner(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        match self.handle.0.load(Ordering::Acquire) {
            OPEN | RESET_AT_END => Ok(Pin::new(&mut self.stream)),
            _ => Err(io::Error::new(io::ErrorKind::ConnectionReset, "cut by a fault")),
        }
    }
}

impl Drop for CuttableStream {
    fn drop(&mut self) {
        if matches!(self.handle.0.load(Ordering::Acquire), RESET | RESET_AT_END) {
            // Closing with zero linger sends a reset.
            let _ = self.stream.set_zero_linger();
        }
    }
}

type Progress<T> = Poll<io::Result<T>>;

impl AsyncRead for CuttableStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Progress<()> {
        self.inner()?.poll_read(cx, buffer)
    }
}

impl AsyncWrite for CuttableStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Progress<usize> {
        self.inner()?.poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Progress<()> {
        self.inner()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Progress<()> {
        self.inner()?.poll_shutdown(cx)
    }
}
