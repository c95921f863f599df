//! Detection of secrets in texts from outside.

use percent_encoding::percent_decode_str;

/// How many consecutive characters of a secret reveal it.
const REVEALING_LENGTH: usize = 16;
/// A shorter secret is no service's token and may occur in a text by chance.
const MIN_LENGTH: usize = 6;

/// Returns whether the text contains the secret or a revealing part of it, in any case and escaping.
pub(crate) fn reveals(text: &str, secret: &str) -> bool {
    let (text, secret) = (plain(text), plain(secret));
    if secret.len() < MIN_LENGTH {
        return !secret.is_empty() && text == secret;
    }
    let length = secret.len().min(REVEALING_LENGTH);
    text.windows(length).any(|part| secret.windows(length).any(|own| own == part))
}

/// Converts to lower case without percent encoding and backslashes. A single level is enough: JSON texts have
/// been unescaped once before.
fn plain(text: &str) -> Vec<u8> {
    percent_decode_str(text).filter(|byte| *byte != b'\\').map(|byte| byte.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_short_secret_is_found_only_as_the_whole_text() {
        assert!(reveals("What is token-0?", "token-0"));
        assert!(!reveals("What is token-1?", "token-0"));
        assert!(!reveals("firstName", "t") && reveals("T", "t") && !reveals("", ""));
    }
}
