//! How a text that nothing may show is found in what others wrote.

/// So many characters of a secret tell it.
const TELLING: usize = 16;
/// What is shorter is no token of a service, and stands in many a text by chance.
const SHORTEST: usize = 6;

/// Whether the text holds the secret or a part of it that tells, in whatever case and however it is escaped.
pub(crate) fn tells(text: &str, secret: &str) -> bool {
    let (text, secret) = (plain(text), plain(secret));
    if secret.len() < SHORTEST {
        return !secret.is_empty() && text == secret;
    }
    let length = secret.len().min(TELLING);
    text.windows(length).any(|part| secret.windows(length).any(|own| own == part))
}

/// In lower case, without percent encoding and JSON's escapes.
fn plain(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits_at = match (byte, bytes.get(at + 1)) {
            (b'%', _) => Some(at + 1),
            (b'\\', Some(b'u')) => Some(at + 4),
            _ => None,
        };
        let digit = |at| char::from(bytes.get(at).copied().unwrap_or(0)).to_digit(16);
        let escaped = digits_at.and_then(|at| u8::try_from(digit(at)? * 16 + digit(at + 1)?).ok());
        match (escaped, digits_at) {
            (Some(escaped), Some(digits_at)) => {
                out.push(escaped.to_ascii_lowercase());
                at = digits_at + 2;
            }
            _ => {
                if byte != b'\\' {
                    out.push(byte.to_ascii_lowercase());
                }
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "eyJhbGciOi+J/IUzI1NiJ9.aGVsbG8td29ybGQ=";

    #[test]
    fn a_secret_and_each_telling_part_of_it_is_found_however_it_is_written() {
        for text in [
            TOKEN.to_owned(),
            format!("Bearer {TOKEN} is not valid"),
            TOKEN.to_uppercase(),
            TOKEN.replace('+', "%2b").replace('/', "%2F").replace('=', "%3D"),
            TOKEN.replace('/', "\\/").replace('+', "\\u002B"),
            format!("...{}", &TOKEN[TOKEN.len() - 16..]),
            format!("{}…", &TOKEN[..16]),
            format!("100%{}%", &TOKEN[5..25]),
        ] {
            assert!(tells(&text, TOKEN), "{text}");
        }
        for text in ["", "eyJhbGciOi", "%", "\\u00", "The quote has expired.", &TOKEN[..15]] {
            assert!(!tells(text, TOKEN), "{text}");
        }
    }

    #[test]
    fn a_short_secret_is_found_whole() {
        assert!(tells("What is token-0?", "token-0"));
        assert!(!tells("What is token-1?", "token-0"));
        assert!(!tells("firstName", "t") && tells("T", "t") && !tells("", ""));
    }
}
