//! Sends webhooks, and remembers what came of it.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::Mutex;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Uri, header, uri};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde_json::Value;
use tokio::net::TcpStream;
use uuid::Uuid;

use crate::clock::iso;
use crate::config::WebhookTarget;
use crate::locks::lock;

const TIMEOUT: Duration = Duration::from_secs(30);
const KEPT: usize = 200;

/// One request, and how it ended.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Delivery {
    /// By the sandbox's clock.
    pub(crate) at: String,
    pub(crate) event: Value,
    /// The receiver's answer.
    pub(crate) status: Option<u16>,
    /// Why there was none.
    pub(crate) error: Option<String>,
}

impl Delivery {
    /// Whether the event has to be sent again: a receiver that refuses it would only refuse it again.
    pub(super) fn is_temporary_failure(&self) -> bool {
        self.status.is_none_or(|status| status >= 500 || status == 408 || status == 429)
    }
}

/// The state of a sandbox's webhooks.
#[derive(Debug, Default)]
pub(crate) struct Webhooks {
    pub(super) target: Option<WebhookTarget>,
    /// The newest deliveries, the oldest first.
    deliveries: Mutex<VecDeque<Delivery>>,
    /// The transfers whose events are being sent, one after the other.
    pub(super) busy: Mutex<HashSet<Uuid>>,
}

impl Webhooks {
    pub(crate) fn new(target: Option<WebhookTarget>) -> Self {
        Self { target, ..Self::default() }
    }

    pub(crate) fn deliveries(&self) -> Vec<Delivery> {
        lock(&self.deliveries).iter().cloned().collect()
    }

    pub(crate) fn clear(&self) {
        lock(&self.deliveries).clear();
    }

    pub(super) async fn send(&self, url: &Uri, key: &str, event: Value, now: i64) -> Delivery {
        let answered = tokio::time::timeout(TIMEOUT, post(url, key, &event)).await;
        let (status, error) = match answered {
            Ok(Ok(status)) => (Some(status), None),
            Ok(Err(error)) => (None, Some(error.to_string())),
            Err(_) => (None, Some(format!("no answer within {} seconds", TIMEOUT.as_secs()))),
        };
        let delivery = Delivery { at: iso(now), event, status, error };
        let mut deliveries = lock(&self.deliveries);
        if deliveries.len() == KEPT {
            deliveries.pop_front();
        }
        deliveries.push_back(delivery.clone());
        delivery
    }
}

/// Parses the address of a receiver. Only http: the sandbox carries no certificates.
pub(crate) fn parse_url(text: &str) -> Option<Uri> {
    let url: Uri = text.parse().ok()?;
    (url.scheme() == Some(&uri::Scheme::HTTP) && url.host().is_some()).then_some(url)
}

/// Whether webhooks can be sent to this address.
pub fn is_webhook_url(text: &str) -> bool {
    parse_url(text).is_some()
}

async fn post(url: &Uri, key: &str, event: &Value) -> io::Result<u16> {
    let host = url.host().unwrap_or_default();
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), url.port_u16().unwrap_or(80))).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(connection);
    let path = url.path_and_query().map_or("/", uri::PathAndQuery::as_str);
    let request = Request::post(path)
        .header(header::HOST, url.authority().map_or(host, uri::Authority::as_str))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::AUTHORIZATION, key)
        .body(Body::from(event.to_string()))
        .map_err(io::Error::other)?;
    let response = sender.send_request(request).await.map_err(io::Error::other)?;
    Ok(response.status().as_u16())
}
