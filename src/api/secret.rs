//! Detection of secrets in texts from outside.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::{JsonRef, Request};

/// How many consecutive characters of a secret reveal it.
const REVEALING_LENGTH: usize = 16;
/// A shorter token is no service's, and may occur in a text by chance.
const MIN_LENGTH: usize = 6;
/// A shorter value, such as a country, tells nothing of a customer.
const MIN_VALUE_LENGTH: usize = 4;

/// Returns whether the text contains the token or a revealing part of it, in any case and escaping.
pub(crate) fn reveals(text: &str, token: &str) -> bool {
    let (text, token) = (plain(text), plain(token));
    if token.len() < MIN_LENGTH { !token.is_empty() && text == token } else { has_part(&text, &token) }
}

/// Returns whether the text contains the token of a request or what its body sends, or a revealing part of it.
#[cfg(feature = "browser")]
pub(crate) fn repeats_secrets(text: &str, request: &Request, token: &str) -> bool {
    let text = plain(text);
    let mut sent = vec![token.into()];
    collect_labels(JsonRef::new(request.body.as_deref().unwrap_or("")), &mut sent);
    sent.iter()
        .map(|value| plain(value))
        .any(|value| value.len() >= MIN_VALUE_LENGTH && has_part(&text, &value))
}

#[cfg(feature = "browser")]
fn collect_labels<'a>(value: JsonRef<'a>, labels: &mut Vec<Cow<'a, str>>) {
    labels.extend(value.label());
    value.items().for_each(|item| collect_labels(item, labels));
    value.members().for_each(|(_, member)| collect_labels(member, labels));
}

fn has_part(text: &[u8], secret: &[u8]) -> bool {
    let length = secret.len().clamp(1, REVEALING_LENGTH);
    // Most windows differ in their first bytes already.
    let is_part = |part: &[u8]| secret.windows(length).any(|own| own.first() == part.first() && own == part);
    text.windows(length).any(is_part)
}

/// Converts to lower case without percent encoding and backslashes. A single level is enough: JSON texts have
/// been unescaped once before.
fn plain(text: &str) -> Vec<u8> {
    percent_decode_str(text).filter(|byte| *byte != b'\\').map(|byte| byte.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Method;

    const TOKEN: &str = "eyJhbGciOi+J/IUzI1NiJ9.aGVsbG8td29ybGQ=";

    #[test]
    fn a_secret_and_its_revealing_parts_are_found_in_any_encoding() {
        let part = |range: std::ops::Range<usize>| TOKEN.get(range).unwrap();
        for text in [
            TOKEN.to_owned(),
            format!("Bearer {TOKEN} is not valid"),
            TOKEN.to_uppercase(),
            TOKEN.replace('+', "%2b").replace('/', "%2F").replace('=', "%3D"),
            TOKEN.replace('/', "\\/"),
            format!("...{}", part(TOKEN.len() - 16..TOKEN.len())),
            format!("{}…", part(0..16)),
            format!("100%{}%", part(5..25)),
        ] {
            assert!(reveals(&text, TOKEN), "{text}");
        }
        for text in ["", "eyJhbGciOi", "%", "\\u00", "The quote has expired.", part(0..15)] {
            assert!(!reveals(text, TOKEN), "{text}");
        }
    }

    #[test]
    fn what_a_body_sends_is_found_at_any_depth() {
        let body =
            r#"{"pan":4242424242424242,"fields":[{"id":"name","value":"Anna \"Ann\" Lee"},"MEX"],"is":true}"#;
        let request = Request::new(Method::Post, "/v1/later".to_owned(), Some(body.to_owned()));
        for text in
            ["no: 4242424242424242", "ANNA \"ANN\" LEE", r#"{"value":"Anna \"Ann\" Lee"}"#, "a name", TOKEN]
        {
            assert!(repeats_secrets(text, &request, TOKEN), "{text}");
        }
        for text in ["", "Failed to fetch MEX", "true", "4242", "Anna"] {
            assert!(!repeats_secrets(text, &request, TOKEN), "{text}");
        }
    }

    #[test]
    fn a_short_secret_is_found_only_as_the_whole_text() {
        assert!(reveals("What is token-0?", "token-0"));
        assert!(!reveals("What is token-1?", "token-0"));
        assert!(!reveals("firstName", "t") && reveals("T", "t") && !reveals("", ""));
    }
}
