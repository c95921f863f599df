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

/// In lower case, without percent encoding, and without what escapes in JSON: its texts have been read
/// already, once.
fn plain(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let digit = |at: usize| char::from(*others.get(at)?).to_digit(16);
        let escaped = if *first == b'%' { digit(0).zip(digit(1)) } else { None };
        let (byte, others) = match escaped {
            Some((high, low)) => ((high * 16 + low) as u8, others.get(2..).unwrap_or(&[])),
            None => (*first, others),
        };
        if byte != b'\\' {
            out.push(byte.to_ascii_lowercase());
        }
        rest = others;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "eyJhbGciOi+J/IUzI1NiJ9.aGVsbG8td29ybGQ=";

    fn part(range: std::ops::Range<usize>) -> &'static str {
        TOKEN.get(range).unwrap()
    }

    #[test]
    fn a_secret_and_each_telling_part_of_it_is_found_however_it_is_written() {
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
            assert!(tells(&text, TOKEN), "{text}");
        }
        for text in ["", "eyJhbGciOi", "%", "\\u00", "The quote has expired.", part(0..15)] {
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
