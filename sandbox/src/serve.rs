//! The two servers of a sandbox, on this machine alone.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpListener;

use crate::line::{CuttableListener, Line};
use crate::sandbox::Sandbox;

/// Ports that are taken, with what will answer on them.
#[derive(Debug)]
pub struct Servers {
    sandbox: Sandbox,
    api: TcpListener,
    card: TcpListener,
    api_address: SocketAddr,
    card_address: SocketAddr,
}

impl Servers {
    /// Takes both ports on the loopback interface. Port 0 stands for any free one.
    ///
    /// # Errors
    /// Where a port is taken; the error says which.
    pub async fn bind(sandbox: Sandbox, port: u16, card_port: u16) -> io::Result<Self> {
        let api = bind(port, "--port").await?;
        let card = bind(card_port, "--card-port").await?;
        let (api_address, card_address) = (api.local_addr()?, card.local_addr()?);
        Ok(Self { sandbox, api, card, api_address, card_address })
    }

    /// The address that requests go to, without a version and without a slash at its end.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.api_address)
    }

    /// The origin of the card form.
    pub fn card_url(&self) -> String {
        format!("http://{}", self.card_address)
    }

    /// Answers until `stop` is ready, then ends what is under way.
    ///
    /// # Errors
    /// Where a listening socket fails.
    pub async fn run<F>(self, stop: F) -> io::Result<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (stopping, stopped) = tokio::sync::watch::channel(false);
        let wait = |mut stopped: tokio::sync::watch::Receiver<bool>| async move {
            let _ = stopped.wait_for(|stopped| *stopped).await;
        };
        let api = axum::serve(
            CuttableListener::new(self.api),
            self.sandbox.api_router().into_make_service_with_connect_info::<Line>(),
        )
        .with_graceful_shutdown(wait(stopped.clone()));
        let card = axum::serve(
            CuttableListener::new(self.card),
            self.sandbox.card_router().into_make_service_with_connect_info::<Line>(),
        )
        .with_graceful_shutdown(wait(stopped.clone()));
        tokio::spawn(async move {
            stop.await;
            let _ = stopping.send(true);
        });
        // A caller that keeps its connection busy may not keep the sandbox alive.
        let patience = async move {
            wait(stopped).await;
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        };
        tokio::select! {
            ended = async { tokio::try_join!(api, card) } => ended.map(|_| ()),
            () = patience => Ok(()),
        }
    }
}

async fn bind(port: u16, option: &str) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| {
        let advice = format!(
            "port {port} on 127.0.0.1 can't be used: {error}. Choose another with {option}; 0 takes \
             any that is free."
        );
        io::Error::new(error.kind(), advice)
    })
}
