use super::Address;
use super::json::Writer;

/// Returns the content security policy that this configuration needs: the JSON text of an object from
/// directive to an array of sources.
pub fn content_security_policy(base_url: &Address, card_url: &Address) -> String {
    let (service, card) = (base_url.origin(), card_url.origin());
    let mut out = Writer::default();
    out.object(|out| {
        for (directive, sources) in [
            ("script-src", ["'self'", "'wasm-unsafe-eval'"].as_slice()),
            // For the module, and to check the card form's server, as a frame cannot tell whether it responds.
            ("connect-src", &["'self'", service, card]),
            ("frame-src", &[card]),
        ] {
            out.member(directive);
            out.list_of(sources, |out, source| out.text(source));
        }
    });
    out.finish()
}
