//! Real sockets on the loopback interface: what browsers ask, ports, and how it stops.

use std::time::Duration;

use remitkit_sandbox::{Sandbox, Servers};
use serde_json::Value;
use tokio::net::TcpStream;

use super::bench::config;
use super::live::Live;

#[tokio::test]
async fn browsers_may_ask_from_anywhere() {
    let live = Live::start().await;
    let host = live.base.trim_start_matches("http://");
    let preflight = format!(
        "OPTIONS /v1/transfers HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
         origin: https://shop.example\r\naccess-control-request-method: POST\r\n\
         access-control-request-headers: authorization,content-type,accept-language\r\n\r\n"
    );
    let reply = Live::raw(&live.base, &preflight).await.to_ascii_lowercase();
    assert!(reply.starts_with("http/1.1 200"), "{reply}");
    for header in [
        "access-control-allow-origin: *",
        "access-control-max-age: 600",
        "access-control-allow-headers: authorization,content-type,accept-language",
    ] {
        assert!(reply.contains(header), "{header} in {reply}");
    }
    for method in ["get", "post", "put", "patch", "delete"] {
        assert!(reply.contains(method), "{method}");
    }
    // Refusals can be read, too, and named.
    let reply = live.send("GET", "/v1/corridors", "x", &Value::Null).await;
    let reply = reply.to_ascii_lowercase();
    assert!(reply.starts_with("http/1.1 401"));
    assert!(reply.contains("access-control-allow-origin: *"));
    assert!(reply.contains("access-control-expose-headers: request-id,retry-after"));
}

#[tokio::test]
async fn the_card_form_is_another_origin_and_both_stop_when_told() {
    let mut live = Live::start().await;
    assert_ne!(live.base, live.card);
    let host = live.card.trim_start_matches("http://").to_owned();
    let get = format!("GET /assets/form.js HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    let reply = Live::raw(&live.card, &get).await;
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("text/javascript"));
    // An idle connection and an endless fault don't keep it.
    let _idle = TcpStream::connect(&host).await.unwrap();
    live.stop.take();
    let ended = tokio::time::timeout(Duration::from_secs(4), live.task.take().unwrap()).await;
    ended.unwrap().unwrap().unwrap();
    assert!(TcpStream::connect(&host).await.is_err());
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let live = Live::start().await;
    let port: u16 = live.base.rsplit(':').next().unwrap().parse().unwrap();
    let sandbox = Sandbox::open(config()).unwrap();
    let error = Servers::bind(sandbox, port, 0).await.unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
}
