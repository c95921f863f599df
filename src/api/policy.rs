use super::Address;
use super::json::Writer;

/// The directives of a content security policy that a page with this configuration needs, as JSON text: an
/// object from directive to an array of sources.
#[must_use]
pub fn content_security_policy(base_url: &Address, card_url: &Address) -> String {
    let (service, card) = (base_url.origin(), card_url.origin());
    let mut out = Writer::default();
    out.object(|out| {
        for (directive, sources) in [
            ("script-src", ["'self'", "'wasm-unsafe-eval'"].as_slice()),
            // The module itself is fetched under connect-src too.
            // So is the card form's server asked whether it is there, as a frame alone does not tell.
            ("connect-src", &["'self'", service, card]),
            ("frame-src", &[card]),
        ] {
            out.member(directive);
            out.list(|out| {
                for source in sources {
                    out.item();
                    out.text(source);
                }
            });
        }
    });
    out.finish()
}
