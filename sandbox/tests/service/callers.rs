//! Whom the sandbox answers: by which names of this machine, and which pages may steer it.

use axum::body::Body;
use axum::http::Request;
use remitkit_sandbox::Config;

use super::bench::{Bench, config};

const OWN: &str = "127.0.0.1:4100";

fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut builder = Request::builder().method(method).uri(path).header("content-type", "application/json");
    for (name, value) in headers {
        builder = builder.header(*name, *value);
    }
    builder.body(Body::from(if method == "POST" { "{}" } else { "" })).unwrap()
}

async fn status(bench: &Bench, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
    bench.send(request(method, path, headers)).await.status.as_u16()
}

#[tokio::test]
async fn only_names_of_this_machine_are_served() {
    let bench = Bench::with(Config { hosts: vec!["sandbox.test".into()], ..config() });
    for host in [
        OWN,
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
            assert_ne!(status(&bench, "GET", path, &[("host", host)]).await, 403, "{host}");
        }
        let reply = bench.send_card(request("GET", "/assets/form.js", &[("host", host)])).await;
        assert!(reply.status.is_success(), "{host}");
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
            bench.send(request("GET", path, &[("host", host)])).await.fails(403, "AccessDenied");
        }
        bench
            .send_card(request("GET", "/assets/form.js", &[("host", host)]))
            .await
            .fails(403, "AccessDenied");
    }
    let two = [("host", OWN), ("host", "evil.example")];
    bench.send(request("GET", "/sandbox/clock", &two)).await.fails(403, "AccessDenied");
    let absolute = request("GET", "http://evil.example/sandbox/clock", &[("host", OWN)]);
    bench.send(absolute).await.fails(403, "AccessDenied");
}

#[tokio::test]
async fn a_foreign_page_can_not_steer_or_look() {
    let bench = Bench::new();
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
        let headers = [&[("host", OWN)], *headers].concat();
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
            bench.send(request(method, path, &headers)).await.fails(403, "AccessDenied");
        }
        // The service itself is for shops' pages.
        assert_eq!(status(&bench, "GET", "/v1/corridors", &headers).await, 401);
    }
    // What a page that takes a name of its own for this machine would send.
    let rebound = [("host", "evil.example:4100"), ("sec-fetch-site", "same-origin")];
    bench.send(request("GET", "/sandbox/transfers", &rebound)).await.fails(403, "AccessDenied");
}

#[tokio::test]
async fn tools_and_the_sandbox_s_own_page_steer_it() {
    let bench = Bench::new();
    let own: &[&[(&str, &str)]] = &[
        &[],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", "same-origin")],
        &[("origin", "http://127.0.0.1:4100"), ("sec-fetch-site", "same-origin")],
    ];
    for headers in own {
        let headers = [&[("host", OWN)], *headers].concat();
        assert_eq!(status(&bench, "GET", "/sandbox/transfers", &headers).await, 200);
        assert_eq!(status(&bench, "POST", "/sandbox/reset", &headers).await, 200);
    }
    // A link to the page, which no other page can read.
    let link = [("host", OWN), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    assert_eq!(status(&bench, "GET", "/sandbox", &link).await, 200);
}

#[tokio::test]
async fn pages_that_the_sandbox_was_told_of_steer_it() {
    let control_origins = vec!["https://shop.example".into(), "http://localhost:*".into()];
    let bench = Bench::with(Config { control_origins, ..config() });
    let ask = async |origin: &str| {
        let headers = [("host", OWN), ("origin", origin), ("sec-fetch-site", "cross-site")];
        status(&bench, "POST", "/sandbox/reset", &headers).await
    };
    for origin in ["https://shop.example", "http://localhost:5173", "http://localhost"] {
        assert_eq!(ask(origin).await, 200, "{origin}");
    }
    for origin in [
        "http://shop.example",
        "https://shop.example:8443",
        "http://localhost.evil.example",
        "http://localhost:80.evil.example",
        "http://127.0.0.1:5173",
    ] {
        assert_eq!(ask(origin).await, 403, "{origin}");
    }
}
