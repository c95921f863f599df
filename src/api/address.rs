use std::net::Ipv4Addr;

use super::Error;
use super::option_name::BASE_URL;

/// The base address of the API or of the card form: `https://host[:port][/path]`, or `http://` on a loopback
/// host.
///
/// Refuses what a browser would silently rewrite, so that [`origin`](Address::origin) equals a message's
/// origin letter by letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    origin: String,
    path: String,
}

const SCHEME: &str = "an https address such as https://api.example.com; \
    http is for a loopback host alone, such as http://127.0.0.1:4100";
const ASCII: &str = "written in ASCII; a host with other letters is written in its punycode form (xn--…)";
const BARE: &str = "an address without user name, query and fragment";
const HOST: &str =
    "an address with a host such as api.example.com, or with an IP address such as 127.0.0.1 or [::1]";
const PORT: &str = "an address whose port, if it has one, is from 1 to 65535";
const PATH: &str = "an address whose path, if it has one, is of plain segments such as /remit/eu";

impl Address {
    /// Parses an address, the value of the option with this name.
    ///
    /// # Errors
    /// [`InvalidConfiguration`](super::Code::InvalidConfiguration), naming the option and what is expected.
    pub fn parse(option: &str, text: &str) -> Result<Self, Error> {
        let address = Self::read(text).map_err(|expected| Error::configuration(option, expected))?;
        // The paths of operations include the version.
        if [BASE_URL.rust, BASE_URL.javascript].contains(&option) && address.path.ends_with("/v1") {
            return Err(Error::configuration(
                option,
                "the base URL without /v1, which is added automatically",
            ));
        }
        Ok(address)
    }

    /// Returns scheme, host and port like a browser: in lower case, without the scheme's default port.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Appends a path with a leading slash, perhaps with a query.
    pub fn join(&self, path: &str) -> String {
        [&self.origin, &self.path, path].concat()
    }

    fn read(text: &str) -> Result<Self, &'static str> {
        if !text.is_ascii() {
            return Err(ASCII);
        }
        let (scheme, default_port, rest) = match (after(text, "https://"), after(text, "http://")) {
            (Some(rest), _) => ("https://", "443", rest),
            (_, Some(rest)) => ("http://", "80", rest),
            _ => return Err(SCHEME),
        };
        let (authority, path) = split_before(rest, '/');
        if rest.contains(['?', '#']) || authority.contains('@') {
            return Err(BARE);
        }
        let authority = authority.to_ascii_lowercase();
        let (host, port) = split_port(&authority)?;
        if !is_host(host) {
            return Err(HOST);
        }
        if scheme == "http://" && !is_loopback(host) {
            return Err(SCHEME);
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        if !path.split('/').skip(1).all(is_plain_segment) {
            return Err(PATH);
        }
        let mut origin = [scheme, host].concat();
        if let Some(port) = port.filter(|port| *port != default_port) {
            origin.push(':');
            origin.push_str(port);
        }
        Ok(Address { origin, path: path.to_owned() })
    }
}

const IPV6_LOOPBACK: &str = "[::1]";

fn after<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

fn split_before(text: &str, separator: char) -> (&str, &str) {
    text.split_at_checked(text.find(separator).unwrap_or(text.len())).unwrap_or((text, ""))
}

fn split_port(authority: &str) -> Result<(&str, Option<&str>), &'static str> {
    let (host, port) = match authority.strip_prefix(IPV6_LOOPBACK) {
        Some(rest) => (IPV6_LOOPBACK, rest),
        None if authority.starts_with('[') => return Err(HOST),
        None => split_before(authority, ':'),
    };
    if port.is_empty() {
        return Ok((host, None));
    }
    let digits = port.strip_prefix(':').ok_or(HOST)?;
    match digits.parse::<u16>() {
        Ok(1..) if is_number(digits) => Ok((host, Some(digits.trim_start_matches('0')))),
        _ => Err(PORT),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Allows no other IPv6 address: browsers rewrite many of them, and none is needed.
fn is_host(host: &str) -> bool {
    if host == IPV6_LOOPBACK {
        return true;
    }
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let mut labels = host.split('.');
    // A browser reads a host that ends in a number as an IPv4 address, in any notation: 127.1, 0x7f.1,
    // 2130706433.
    let ends_in_number = labels.clone().next_back().is_some_and(|last| {
        is_number(last)
            || last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    });
    host.len() <= 253 && labels.all(is_label) && (!ends_in_number || is_ipv4(host))
}

fn is_ipv4(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok()
}

fn is_loopback(host: &str) -> bool {
    host == IPV6_LOOPBACK
        || host == "localhost"
        || host.ends_with(".localhost")
        || (host.starts_with("127.") && is_ipv4(host))
}

/// Allows only characters that a browser leaves unchanged. Without `%`, no dot segment can hide.
fn is_plain_segment(segment: &str) -> bool {
    !matches!(segment, "" | "." | "..")
        && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte))
}

// proptest needs the system's randomness, which wasm lacks.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BASE_URL: &str = "base_url";
    const CARD_URL: &str = "card_url";

    #[test]
    fn the_origin_is_what_a_browser_writes() {
        for (text, expected) in [
            ("https://api.example.com", "https://api.example.com"),
            ("HTTPS://API.Example.COM:443/", "https://api.example.com"),
            ("https://api.example.com:00443", "https://api.example.com"),
            ("https://api.example.com:80", "https://api.example.com:80"),
            ("https://api.example.com:08443/v/", "https://api.example.com:8443"),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("https://10.0.0.255", "https://10.0.0.255"),
            ("http://127.0.0.1:4101", "http://127.0.0.1:4101"),
            ("http://127.9.8.7:80", "http://127.9.8.7"),
            ("http://LocalHost:4101", "http://localhost:4101"),
            ("http://card.localhost:443", "http://card.localhost:443"),
            ("http://[::1]:4101", "http://[::1]:4101"),
            ("https://[::1]", "https://[::1]"),
        ] {
            assert_eq!(Address::parse(BASE_URL, text).unwrap().origin(), expected, "{text}");
        }
    }

    #[test]
    fn the_base_address_must_not_end_with_the_version() {
        for text in ["https://api.example.com/v1", "https://api.example.com/remit/v1/"] {
            // In Rust and in JavaScript.
            for option in [BASE_URL, "baseUrl"] {
                let error = Address::parse(option, text).unwrap_err();
                assert_eq!(error.option(), Some(option));
                assert!(error.message().contains("without /v1"), "{error}");
            }
        }
        for (option, text) in [
            (BASE_URL, "https://api.example.com/v10"),
            (BASE_URL, "https://api.example.com/v1/eu"),
            (BASE_URL, "https://v1.example.com"),
            (CARD_URL, "https://card.example.com/v1"),
        ] {
            assert!(Address::parse(option, text).is_ok(), "{text}");
        }
    }

    #[test]
    #[rustfmt::skip]
    fn addresses_that_a_browser_would_rewrite_are_refused_with_a_reason() {
        let long = format!("https://{}.com", "a".repeat(250));
        for (expected, texts) in [
            (SCHEME, &[
                "", "api.example.com", "//api.example.com", "https:api.example.com", "https:/api.example.com",
                "ftp://example.com", "javascript://example.com", " https://example.com", "http://example.com",
                "http://127.example.com", "http://localhost.example.com", "http://128.0.0.1", "http://notlocalhost",
            ][..]),
            (ASCII, &[
                "https://bücher.example", "https://example.com/ü", "https://example。com",
                "https://\u{202e}example.com",
            ]),
            (BARE, &[
                "https://user@example.com", "https://user:pass@example.com", "https://example.com@evil.com",
                "https://example.com?a", "https://example.com/?", "https://example.com/a#b",
                "https://example.com#@evil.com",
            ]),
            (HOST, &[
                "https://", "https:///path", "https://:80", "https://a..b", "https://.a", "https://example.com.",
                "https://exa mple.com", "https://example.com\t", "https://example.com\n",
                "https://example.com\\evil.com", "https://exa%6dple.com", "https://a\0b", "https://exam*ple.com",
                "https://a^b", "https://a|b", "https://[::2]", "https://[::1", "https://[::1]x",
                "https://[0:0:0:0:0:0:0:1]", "https://127.1", "https://2130706433", "https://0x7f.1", "https://0x",
                "https://a.0x1f", "https://example.123", "https://1.2.3.256", "https://1.2.3.04",
                "https://1.2.3.4.5", &long,
            ]),
            (PORT, &[
                "https://example.com:", "https://example.com:0", "https://example.com:65536",
                "https://example.com:+80", "https://example.com:80a", "https://a:b:c", "https://[::1]:",
            ]),
            (PATH, &[
                "https://example.com//", "https://example.com//a", "https://example.com/a//b",
                "https://example.com/.", "https://example.com/a/../b", "https://example.com/%2e%2e",
                "https://example.com/a b", "https://example.com/a\\b", "https://example.com/\"",
                "https://example.com/<x>",
            ]),
        ] {
            for text in texts {
                let error = Address::parse(CARD_URL, text).expect_err(text);
                assert_eq!(error.message(), format!("card_url must be {expected}."), "{text:?}");
                assert_eq!(error.option(), Some(CARD_URL));
                assert_eq!(error.code(), crate::api::Code::InvalidConfiguration);
            }
        }
    }

    #[test]
    fn a_path_is_joined_with_one_slash() {
        for (base, joined) in [
            ("https://example.com", "https://example.com/v1/quote?amount=1"),
            ("https://example.com/", "https://example.com/v1/quote?amount=1"),
            ("https://example.com:8443/Remit/eu/", "https://example.com:8443/Remit/eu/v1/quote?amount=1"),
        ] {
            let address = Address::parse(BASE_URL, base).unwrap();
            assert_eq!(address.join("/v1/quote?amount=1"), joined);
        }
    }

    fn host() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zA-Z][a-zA-Z0-9-]{0,8}(\\.[a-zA-Z][a-z0-9]{0,5}){0,3}",
            Just("127.0.0.1".into()),
            Just("[::1]".into())
        ]
    }

    proptest! {
        #[test]
        fn plain_addresses_are_accepted_and_survive_a_round_trip(
            host in host(), port in proptest::option::of(1u16..), path in "(/[a-z0-9._~-]{1,5}x){0,3}/?",
        ) {
            let port_text = port.map(|port| format!(":{port}")).unwrap_or_default();
            let address = Address::parse(BASE_URL, &format!("https://{host}{port_text}{path}")).unwrap();
            let expected = if port == Some(443) { String::new() } else { port_text };
            prop_assert_eq!(address.origin(), format!("https://{}{expected}", host.to_ascii_lowercase()));
            prop_assert_eq!(&Address::parse(BASE_URL, &address.join("")).unwrap(), &address);
        }
    }
}
