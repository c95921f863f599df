//! Which host names the sandbox answers to, and which pages may control it.

use std::sync::Arc;

use remitkit_sandbox::Config;

use super::harness::*;

async fn send(sandbox: &TestSandbox, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let headers = [&[("content-type", "application/json")], headers].concat();
    let body = if method == "POST" { "{}" } else { "" };
    sandbox.send(request(method, path, &headers, body)).await
}

#[tokio::test]
async fn only_names_of_this_machine_are_served() {
    let sandbox = TestSandbox::with(Config { hosts: vec!["sandbox.test".into()], ..config() });
    for host in [
        HOST,
        "127.0.0.1",
        "127.8.7.6:1",
        "localhost:5000",
        "LOCALHOST",
        "localhost.:80",
        "card.localhost:4101",
        "[::1]:4100",
        "sandbox.test",
        "Sandbox.Test:8443",
    ] {
        for path in ["/sandbox/clock", "/v1/corridors"] {
            assert_ne!(send(&sandbox, "GET", path, &[("host", host)]).await.status, 403, "{host}");
        }
        let asset = request("GET", "/assets/form.js", &[("host", host)], "");
        assert!(sandbox.send_card(asset).await.status.is_success(), "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:4100",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evillocalhost",
        "127.0.0.1@evil.example",
        "0.0.0.0:4100",
        "192.168.1.7:4100",
        "[::]:4100",
        "not.sandbox.test",
        "",
        "a b",
    ] {
        for path in ["/sandbox/clock", "/v1/corridors"] {
            send(&sandbox, "GET", path, &[("host", host)]).await.fails("AccessDenied");
        }
        let asset = request("GET", "/assets/form.js", &[("host", host)], "");
        assert_eq!(sandbox.send_card(asset).await.status, 403, "{host}");
    }
    let two_hosts = [("host", HOST), ("host", "evil.example")];
    send(&sandbox, "GET", "/sandbox/clock", &two_hosts).await.fails("AccessDenied");
    let absolute = "http://evil.example/sandbox/clock";
    send(&sandbox, "GET", absolute, &[("host", HOST)]).await.fails("AccessDenied");
}

#[tokio::test]
async fn pages_of_other_origins_can_neither_control_nor_read() {
    let sandbox = TestSandbox::new();
    let foreign: &[&[(&str, &str)]] = &[
        &[("origin", "https://evil.example")],
        &[("origin", "http://evil.example"), ("sec-fetch-site", "same-origin")],
        &[("origin", "http://127.0.0.1:9")],
        &[("origin", "http://127.0.0.1:41000")],
        &[("origin", "null")],
        &[("origin", "http://127.0.0.1:4100.evil.example")],
        &[("origin", "http://127.0.0.1:4100"), ("origin", "https://evil.example")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
    ];
    for headers in foreign {
        let headers = [&[("host", HOST)], *headers].concat();
        for (method, path) in [
            ("GET", "/sandbox/transfers"),
            ("GET", "/sandbox/requests"),
            ("GET", "/sandbox/triggers"),
            ("POST", "/sandbox/reset"),
            ("POST", "/sandbox/clock"),
            ("POST", "/sandbox/label"),
            ("DELETE", "/sandbox/faults"),
            ("POST", "/sandbox"),
        ] {
            send(&sandbox, method, path, &headers).await.fails("AccessDenied");
        }
        // The service itself is for pages of shops.
        send(&sandbox, "GET", "/v1/corridors", &headers).await.fails("Unauthorized");
    }
    // DNS rebinding: a page whose own name resolves to this machine.
    let rebound = [("host", "evil.example:4100"), ("sec-fetch-site", "same-origin")];
    send(&sandbox, "GET", "/sandbox/transfers", &rebound).await.fails("AccessDenied");
}

#[tokio::test]
async fn tools_and_the_control_page_can_control_the_sandbox() {
    let sandbox = TestSandbox::new();
    let own: &[&[(&str, &str)]] = &[
        &[],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", "same-origin")],
        &[("origin", "http://127.0.0.1:4100"), ("sec-fetch-site", "same-origin")],
    ];
    for headers in own {
        let headers = [&[("host", HOST)], *headers].concat();
        for (method, path) in [("GET", "/sandbox/transfers"), ("POST", "/sandbox/reset")] {
            assert_eq!(send(&sandbox, method, path, &headers).await.status, 200);
        }
    }
    let link = [("host", HOST), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    assert_eq!(send(&sandbox, "GET", "/sandbox", &link).await.status, 200);
}

#[tokio::test]
async fn pages_of_allowed_origins_can_control_the_sandbox() {
    let control_origins = vec!["https://shop.example".into(), "http://localhost:*".into()];
    let sandbox: Arc<TestSandbox> = TestSandbox::with(Config { control_origins, ..config() });
    for (origin, status) in [
        ("https://shop.example", 200),
        ("http://localhost:5173", 200),
        ("http://localhost", 200),
        ("http://shop.example", 403),
        ("https://shop.example:8443", 403),
        ("http://localhost.evil.example", 403),
        ("http://localhost:80.evil.example", 403),
        ("http://127.0.0.1:5173", 403),
    ] {
        let headers = [("host", HOST), ("origin", origin), ("sec-fetch-site", "cross-site")];
        assert_eq!(send(&sandbox, "POST", "/sandbox/reset", &headers).await.status, status, "{origin}");
    }
}
