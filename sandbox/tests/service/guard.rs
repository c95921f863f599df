//! Which host names the sandbox answers to, and which pages may control it.

use remitkit_sandbox::Config;

use super::harness::*;

async fn send(sandbox: &TestSandbox, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let headers = [&[("content-type", "application/json")], headers].concat();
    let body = if method == "POST" { "{}" } else { "" };
    sandbox.send(request(method, path, &headers, body)).await
}

#[tokio::test]
async fn a_public_sandbox_answers_where_host_is_an_address_and_its_pages_rules_stay() {
    let sandbox = TestSandbox::with(Config { is_public: true, hosts: vec!["sandbox".into()], ..config() });
    for host in ["192.168.1.7:4100", "[fe80::1]:4100", "0.0.0.0:4100", "sandbox:4100", HOST] {
        send(&sandbox, "GET", "/sandbox/clock", &[("host", host)]).await.ok();
        let foreign = [("host", host), ("origin", "http://evil.example")];
        send(&sandbox, "POST", "/sandbox/reset", &foreign).await.fails("AccessDenied");
        let navigated = [("host", host), ("sec-fetch-site", "cross-site")];
        send(&sandbox, "GET", "/sandbox/transfers", &navigated).await.fails("AccessDenied");
    }
    send(&sandbox, "GET", "/sandbox/clock", &[("host", "evil.example")]).await.fails("AccessDenied");
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
async fn only_tools_and_allowed_pages_can_control_the_sandbox() {
    let control_origins = vec!["https://shop.example".into(), "http://localhost:*".into()];
    let sandbox = TestSandbox::with(Config { control_origins, ..config() });
    let cross = ("sec-fetch-site", "cross-site");
    let own = ("sec-fetch-site", "same-origin");
    let cases: &[(bool, &[(&str, &str)])] = &[
        (true, &[]),
        (true, &[("sec-fetch-site", "none")]),
        (true, &[own]),
        (true, &[("origin", "http://127.0.0.1:4100"), own]),
        (true, &[("origin", "https://shop.example"), cross]),
        (true, &[("origin", "http://localhost:5173"), cross]),
        (true, &[("origin", "http://localhost"), cross]),
        (false, &[cross]),
        (false, &[("sec-fetch-site", "same-site")]),
        (false, &[cross, ("sec-fetch-mode", "navigate")]),
        (false, &[("origin", "null")]),
        (false, &[("origin", "https://evil.example")]),
        (false, &[("origin", "http://evil.example"), own]),
        (false, &[("origin", "http://127.0.0.1:9")]),
        (false, &[("origin", "http://127.0.0.1:41000")]),
        (false, &[("origin", "http://127.0.0.1:4100.evil.example")]),
        (false, &[("origin", "http://127.0.0.1:4100"), ("origin", "https://evil.example")]),
        (false, &[("origin", "http://shop.example"), cross]),
        (false, &[("origin", "https://shop.example:8443"), cross]),
        (false, &[("origin", "http://localhost.evil.example"), cross]),
        (false, &[("origin", "http://localhost:80.evil.example"), cross]),
    ];
    for (is_allowed, headers) in cases {
        let headers = [&[("host", HOST)], *headers].concat();
        for (method, path) in [
            ("GET", "/sandbox/transfers"),
            ("GET", "/sandbox/requests"),
            ("GET", "/sandbox/triggers"),
            ("POST", "/sandbox/reset"),
            ("POST", "/sandbox/label"),
            ("DELETE", "/sandbox/faults"),
        ] {
            let reply = send(&sandbox, method, path, &headers).await;
            assert_eq!(reply.status.is_success(), *is_allowed, "{method} {path} {headers:?}");
            assert_eq!(reply.code() == "AccessDenied", !is_allowed, "{method} {path} {headers:?}");
        }
        // The service itself is for pages of shops.
        send(&sandbox, "GET", "/v1/corridors", &headers).await.fails("Unauthorized");
    }
    let link = [("host", HOST), cross, ("sec-fetch-mode", "navigate")];
    assert_eq!(send(&sandbox, "GET", "/sandbox", &link).await.status, 200);
    send(&sandbox, "POST", "/sandbox", &link).await.fails("AccessDenied");
    // DNS rebinding: a page whose own name resolves to this machine.
    let rebound = [("host", "evil.example:4100"), own];
    send(&sandbox, "GET", "/sandbox/transfers", &rebound).await.fails("AccessDenied");
    // Without an option, no other page can.
    let headers = [("host", HOST), ("origin", "http://localhost:5173")];
    send(&TestSandbox::new(), "POST", "/sandbox/reset", &headers).await.fails("AccessDenied");
}
