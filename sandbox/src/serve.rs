//! The two servers of a sandbox: on the loopback interface, unless they are to be public.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::connection::{ConnectionHandle, CuttableListener};
use crate::sandbox::Sandbox;

/// How long a busy connection may delay the end of a sandbox.
const GRACE_PERIOD: Duration = Duration::from_secs(2);

/// A sandbox with its two listening sockets.
#[derive(Debug)]
pub struct Servers {
    sandbox: Sandbox,
    api: TcpListener,
    card: TcpListener,
    api_address: SocketAddr,
    card_address: SocketAddr,
}

impl Servers {
    /// Listens on both ports of this machine's loopback interface. Port 0 takes any free one.
    ///
    /// # Errors
    /// Where a port is taken; the error names it.
    pub async fn bind(sandbox: Sandbox, port: u16, card_port: u16) -> io::Result<Self> {
        Self::listen(sandbox, Ipv4Addr::LOCALHOST.into(), port, card_port).await
    }

    /// Listens on both ports of an address, such as `0.0.0.0`. Whoever reaches it controls the sandbox.
    ///
    /// # Errors
    /// Where a port is taken or the address is none of this machine's; the error names it.
    pub async fn listen(sandbox: Sandbox, address: IpAddr, port: u16, card_port: u16) -> io::Result<Self> {
        let api = bind(address, port, "--port").await?;
        let card = bind(address, card_port, "--card-port").await?;
        let (api_address, card_address) = (reachable(api.local_addr()?), reachable(card.local_addr()?));
        sandbox.announce_card_port(card_address.port());
        Ok(Self { sandbox, api, card, api_address, card_address })
    }

    /// Returns the base address of the service, without a version or trailing slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.api_address)
    }

    /// Returns the origin of the card form.
    pub fn card_url(&self) -> String {
        format!("http://{}", self.card_address)
    }

    /// Serves until `stop` is ready, then lets open requests finish for at most two seconds.
    ///
    /// # Errors
    /// Where a listening socket fails.
    pub async fn run<F>(self, stop: F) -> io::Result<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (stopping, stopped) = watch::channel(false);
        let wait = |mut stopped: watch::Receiver<bool>| async move {
            let _ = stopped.wait_for(|stopped| *stopped).await;
        };
        let serve = |listener, router: axum::Router| {
            let service = router.into_make_service_with_connect_info::<ConnectionHandle>();
            axum::serve(CuttableListener(listener), service).with_graceful_shutdown(wait(stopped.clone()))
        };
        let api = serve(self.api, self.sandbox.api_router());
        let card = serve(self.card, self.sandbox.card_router());
        tokio::spawn(async move {
            stop.await;
            let _ = stopping.send(true);
        });
        let sandbox = &self.sandbox;
        let grace_period_over = async {
            wait(stopped.clone()).await;
            tokio::time::sleep(GRACE_PERIOD).await;
        };
        tokio::select! {
            ended = async { tokio::try_join!(api, card) } => ended.map(|_| ()),
            () = grace_period_over => Ok(()),
            () = sandbox.send_webhooks() => Ok(()),
        }
    }
}

/// Returns an address by which this machine reaches the socket.
fn reachable(address: SocketAddr) -> SocketAddr {
    let own = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    if address.ip().is_unspecified() { SocketAddr::new(own, address.port()) } else { address }
}

async fn bind(address: IpAddr, port: u16, option: &str) -> io::Result<TcpListener> {
    TcpListener::bind((address, port)).await.map_err(|error| {
        let advice = format!(
            "port {port} on {address} can't be used: {error}. Choose another with {option}; \
             0 takes any free one."
        );
        io::Error::new(error.kind(), advice)
    })
}
