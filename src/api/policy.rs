use std::fmt;

use super::Address;
use super::record::record;

record! {
    /// The directives of the content security policy that a page needs, each with its sources. `Display` writes
    /// them as the value of the header `Content-Security-Policy`.
    ContentSecurityPolicy {
        required script_src "script-src": Vec<String>,
        /// The service, and the card form's server: a frame cannot tell whether its server responds.
        required connect_src "connect-src": Vec<String>,
        required frame_src "frame-src": Vec<String>,
    }
}

impl ContentSecurityPolicy {
    /// Returns the policy for these addresses.
    pub(crate) fn of(base_url: &Address, card_url: &Address) -> Self {
        let (service, card) = (base_url.origin(), card_url.origin());
        let list = |sources: &[&str]| sources.iter().map(|source| (*source).to_owned()).collect();
        ContentSecurityPolicy {
            script_src: list(&["'self'", "'wasm-unsafe-eval'"]),
            connect_src: list(&["'self'", service, card]),
            frame_src: list(&[card]),
        }
    }
}

impl fmt::Display for ContentSecurityPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [script, connect, frame] =
            [&self.script_src, &self.connect_src, &self.frame_src].map(|sources| sources.join(" "));
        write!(f, "script-src {script}; connect-src {connect}; frame-src {frame}")
    }
}
