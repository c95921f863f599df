//! The tokens that a token source returns (interface, part 5).

use super::json::{Codec, JsonRef, Mode, Shape, deserialize_text, scan, serialize_text};
use super::opaque::opaque_debug;
use super::record::record;
use super::{Code, Error, StringOrNumber};

record! {
    /// The token endpoint's reply to a request with a `sender_id`. Deserializing it refuses client credentials.
    private SenderToken {
        /// The bearer token.
        required access_token "access_token": String,
        /// The lifetime in seconds. A service may send the digits as text.
        optional expires_in "expires_in" as StringOrNumber: i64 = with_expires_in,
        /// Always `Bearer`.
        optional token_type "token_type": String,
    } without serde
}

impl<'de> serde::Deserialize<'de> for SenderToken {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let reply = deserialize_text(deserializer)?;
        Self::from_source(&reply).map_err(serde::de::Error::custom)
    }
}

impl serde::Serialize for SenderToken {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(&self.to_json(), serializer)
    }
}

impl SenderToken {
    /// Creates a token without a known lifetime.
    pub fn new(access_token: &str) -> Self {
        SenderToken { access_token: access_token.to_owned(), expires_in: None, token_type: None }
    }

    /// Reads the JSON text that a token source returned.
    ///
    /// # Errors
    /// `configuration` for client credentials, which must never reach a browser; `authentication` for
    /// anything else that is no token.
    pub fn from_source(json: &str) -> Result<Self, Error> {
        let unavailable = |message: &str| {
            Error::new(Code::TokenUnavailable).with_option("token").with_developer_message(message)
        };
        let no_token = || {
            unavailable(
                "The token source must give a sender-level token: a string, or { access_token, expires_in, token_type }.",
            )
        };
        scan(json, &Shape::Any, Mode::Received).map_err(|_| no_token())?;
        let view = JsonRef::new(json);
        if ["client_secret", "client_id", "grant_type"].iter().any(|name| view.member(name).is_some()) {
            return Err(Error::configuration(
                "token",
                "a sender-level token; client credentials must stay on your server and never reach a browser",
            ));
        }
        let token = match view.text() {
            Some(text) => Self::new(&text),
            None => {
                if view.member("access_token").is_none() && json.starts_with('{') {
                    return Err(unavailable(
                        "The token source gave an object without access_token. If your server has refused, look at reply.ok first.",
                    ));
                }
                scan(json, Self::SHAPE, Mode::Received).map_err(|_| no_token())?;
                Self::read(view).ok_or_else(no_token)?
            }
        };
        // Refuse what a header cannot carry. Refuse quotes too: unparsed JSON may hold client credentials.
        let sendable = !token.access_token.is_empty()
            && token.access_token.bytes().all(|b| b.is_ascii_graphic() && b != b'"');
        let bearer = token.token_type.as_ref().is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
        if sendable && bearer { Ok(token) } else { Err(no_token()) }
    }
}

/// What a token source returns: a [`SenderToken`], or the token endpoint's reply as JSON text.
#[derive(Clone)]
pub struct TokenReply(String);

impl From<SenderToken> for TokenReply {
    fn from(token: SenderToken) -> Self {
        TokenReply(token.to_json())
    }
}

impl From<String> for TokenReply {
    fn from(json: String) -> Self {
        TokenReply(json)
    }
}

impl From<TokenReply> for String {
    fn from(reply: TokenReply) -> Self {
        reply.0
    }
}

opaque_debug!([] TokenReply);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;

    #[test]
    fn a_string_and_the_token_reply_are_tokens() {
        assert_eq!(SenderToken::from_source(r#""abc""#).unwrap().access_token, "abc");
        let json = r#"{"access_token":"abc","expires_in":60,"token_type":"Bearer","scope":"x"}"#;
        let token = SenderToken::from_source(json).unwrap();
        assert_eq!(token.expires_in, Some(60));
        let digits = SenderToken::from_source(&json.replace("60", "\"60\"")).unwrap();
        assert_eq!(digits, token);
        assert!(!format!("{token:?}").contains("abc"));
    }

    #[test]
    fn client_credentials_are_refused_and_not_repeated() {
        for json in [
            r#"{"client_secret":"sesame","access_token":"abc"}"#,
            r#"{"client_id":"sesame"}"#,
            r#"{"grant_type":"sesame"}"#,
        ] {
            let error = SenderToken::from_source(json).unwrap_err();
            assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("token")));
            assert!(!format!("{error} {error:?}").contains("sesame"));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for json in [
            "null",
            "7",
            "{}",
            r#"{"access_token":7}"#,
            r#"{"access_token":""}"#,
            r#""a b""#,
            r#""é""#,
            "\"a\\nb\"",
            r#""{\"access_token\":\"abc\"}""#,
            r#"{"access_token":"abc","token_type":"mac"}"#,
            r#"{"access_token":"abc","expires_in":1.5}"#,
            r#"{"access_token":"abc","expires_in":"1h"}"#,
            r#"{"access_token":"abc","expires_in":""}"#,
        ] {
            assert_eq!(SenderToken::from_source(json).unwrap_err().kind(), Kind::Authentication, "{json}");
        }
    }
}
