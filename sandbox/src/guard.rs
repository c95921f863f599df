//! Which hosts and origins the sandbox answers. It has no password, and any page in a browser on this machine
//! can reach it: through DNS rebinding, or across origins.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::uri::Authority;

use crate::config::Config;
use crate::endpoint::*;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

pub(crate) async fn check_host_and_origin(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    match refusal(&app.config, &request) {
        None => next.run(request).await,
        Some(why) => ApiError::from(Problem::new(ErrorCode::AccessDenied).because(why)).into_response(),
    }
}

fn refusal(config: &Config, request: &Request) -> Option<&'static str> {
    if !hosts(request).all(|host| host.is_some_and(|host| is_known(config, &host))) {
        return Some("the Host is no name of this machine, such as 127.0.0.1; --allow-host adds another");
    }
    let path = request.uri().path();
    let is_control = path == "/sandbox" || path.starts_with("/sandbox/");
    (is_control && !may_control(config, request)).then_some(
        "pages of another origin may not control the sandbox; --control-origin names those that may",
    )
}

/// Returns every authority that the request names; HTTP/1.0 requests may name none.
fn hosts(request: &Request) -> impl Iterator<Item = Option<Authority>> {
    let named = request.headers().get_all(header::HOST).iter();
    let named = named.map(|host| host.to_str().ok()?.parse().ok());
    named.chain(request.uri().authority().cloned().map(Some))
}

fn is_known(config: &Config, authority: &Authority) -> bool {
    let host = authority.host().to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || host.trim_matches(['[', ']']).parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback())
        // No page of another origin can have an address of this machine as its own: rebinding is of names.
        || config.is_public && host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
        || config.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
}

/// Tools send neither `Origin` nor `Sec-Fetch-Site`; browsers send at least one for whatever a page requests.
fn may_control(config: &Config, request: &Request) -> bool {
    let headers = request.headers();
    let mut origins = headers.get_all(header::ORIGIN).iter().map(|origin| origin.to_str().ok()).peekable();
    if origins.peek().is_some() {
        return origins.all(|origin| {
            origin.is_some_and(|origin| {
                is_own(origin, headers) || config.control_origins.iter().any(|known| matches(known, origin))
            })
        });
    }
    match text(headers, &FETCH_SITE) {
        None | Some("none" | "same-origin") => true,
        // A link to the control page: the linking page cannot read it.
        Some(_) => {
            request.method() == Method::GET
                && request.uri().path() == "/sandbox"
                && text(headers, &FETCH_MODE) == Some("navigate")
        }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// Whether the origin is the sandbox's own. The `Host` has been checked before.
fn is_own(origin: &str, headers: &HeaderMap) -> bool {
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.is_some() && authority == text(headers, &header::HOST)
}

fn matches(known: &str, origin: &str) -> bool {
    let Some(start) = known.strip_suffix(":*") else { return known == origin };
    origin.strip_prefix(start).is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
    })
}
