//! Requests of operations, and the checks of their input.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

use super::json::{JsonRef, Mode, SchemaError, Shape, scan, write_json};
use super::{Code, Error, Input, Kind, Method, Operation, ReplyKind, is_uuid};

/// A request without its token; a value that a transport sends.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// HTTP method.
    pub method: Method,
    /// Path and query, relative to the base address.
    pub path: String,
    /// JSON body.
    pub body: Option<String>,
    /// `Accept-Language`.
    pub language: Option<String>,
    /// Whether the reply is bytes instead of text.
    pub wants_bytes: bool,
}

impl Request {
    pub(crate) fn new(method: Method, path: String, body: Option<String>) -> Self {
        Request { method, path, body, language: None, wants_bytes: false }
    }

    /// Returns whether the body names the sender.
    pub(crate) fn names_a_sender(&self) -> bool {
        self.body.as_deref().is_some_and(|body| JsonRef::new(body).member("senderId").is_some())
    }
}

impl std::fmt::Debug for Request {
    /// Leaves out the body and the query, which hold personal data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.method, self.path.split('?').next().unwrap_or(""))
    }
}

impl Operation {
    /// Creates a request from ids and the JSON text of the input.
    ///
    /// # Errors
    /// `invalid_request`, naming an id that is not a UUID or a member of the input.
    pub fn request(&self, ids: &[&str], input: Option<&str>) -> Result<Request, Error> {
        let mut path = self.path_with(ids)?;
        let mut body = None;
        let invalid = |what: &str| {
            let error = Error::new(Code::InvalidRequest).with_option(self.name);
            Err(error.with_developer_message([self.name, what].concat()))
        };
        match (&self.input, input) {
            (Input::None, None) => {}
            (Input::None, Some(_)) => return invalid(" takes no body."),
            (Input::Body(_), None) => return invalid(" requires a body."),
            (Input::Body(shape), Some(input)) => {
                body = Some(check_input(Mode::Request, self.name, input, shape)?);
            }
            (Input::Query(shape), input) => {
                let text = check_input(Mode::Request, self.name, input.unwrap_or("{}"), shape)?;
                append_query(&mut path, JsonRef::new(&text));
            }
            (Input::Filter(shape, _), input) => {
                check_input(Mode::Sent, "filter", input.unwrap_or("{}"), shape)?;
            }
        }
        let wants_bytes = matches!(self.reply, ReplyKind::Bytes);
        Ok(Request { wants_bytes, ..Request::new(self.method, path, body) })
    }

    fn path_with(&self, ids: &[&str]) -> Result<String, Error> {
        let mut path = String::with_capacity(self.path.len() + 40 * ids.len());
        let mut ids = ids.iter();
        for (i, part) in self.path.split(['{', '}']).enumerate() {
            if i % 2 == 0 {
                path.push_str(part);
                continue;
            }
            let id = ids.next().copied().unwrap_or("");
            if !is_uuid(id) {
                let code = match part {
                    "recipientId" => Code::InvalidRecipientId,
                    "accId" => Code::InvalidRecipientAccountId,
                    _ => Code::BadRequestError,
                };
                let error = Error::invalid(code, part, "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301");
                return Err(error.with_kind(Kind::InvalidRequest));
            }
            path.push_str(id);
        }
        Ok(path)
    }
}

/// Checks an argument, such as the input of an operation, and returns the text to send.
///
/// # Errors
/// `invalid_request`, naming the member and what is expected.
pub(crate) fn check_input(mode: Mode, name: &str, json: &str, shape: &Shape) -> Result<String, Error> {
    let invalid = |path: &str, expected: &str, code: Code| {
        let option = if path.is_empty() { name } else { path };
        Err(Error::invalid(code, option, expected))
    };
    match scan(json, shape, mode) {
        Ok(scanned) if scanned.has_extras => {
            Ok(write_json(|out| out.shaped(JsonRef::new(&scanned.apply(json)), shape)))
        }
        Ok(scanned) => Ok(scanned.apply(json).into_owned()),
        Err(SchemaError::Mismatch { path, expected, code }) => {
            invalid(&path, expected, code.unwrap_or(Code::InvalidRequest))
        }
        Err(SchemaError::Unknown { path }) => Err(Error::unknown_member(Code::InvalidRequest, &path)),
        Err(SchemaError::Malformed(_)) => invalid("", "plain JSON data", Code::InvalidRequest),
    }
}

pub(super) fn append_query(path: &mut String, query: JsonRef<'_>) {
    for (name, value) in query.members().filter(|(_, value)| !value.is_null()) {
        path.push(if path.contains('?') { '&' } else { '?' });
        path.extend(percent_encoded(&name));
        path.push('=');
        path.extend(percent_encoded(&value.text().unwrap_or(value.raw().into())));
    }
}

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Encodes a text for a query or for a part of a path.
pub(crate) fn percent_encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, RESERVED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::*;

    const ID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

    #[test]
    fn ids_query_and_body_become_a_request() {
        let query = r#"{"dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"PUSH_TO_CARD","recipientType":"PERSON"}"#;
        let request = RECIPIENT_FIELDS.request(&[], Some(query)).unwrap();
        assert_eq!(
            request.path,
            "/v1/recipient-fields?dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN&transferMethod=PUSH_TO_CARD&recipientType=PERSON"
        );
        let account = r#"{"dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"PUSH_TO_CARD","fields":[{"id":"CARD_ID","value":"x"}]}"#;
        let request = REPLACE_RECIPIENT_ACCOUNT.request(&[ID, ID], Some(account)).unwrap();
        assert_eq!(request.path, format!("/v1/recipients/{ID}/accounts/{ID}"));
        assert_eq!((request.method, request.body.as_deref()), (Method::Put, Some(account)));
        assert!(!format!("{request:?}").contains("CARD_ID"));
    }

    #[test]
    fn only_uuids_reach_a_path() {
        for id in ["", "7", "../x", "3f2504e0-4f89-41d3-9a0c-0305e82c3301?x"] {
            let error = CREATE_RECIPIENT_ACCOUNT.request(&[id], Some("{}")).unwrap_err();
            assert_eq!((error.kind(), error.option()), (Kind::InvalidRequest, Some("recipientId")));
        }
        assert_eq!(GET_TRANSFER.request(&[], None).unwrap_err().option(), Some("transferId"));
    }

    #[test]
    fn missing_unexpected_and_incomplete_bodies_are_refused() {
        assert_eq!(CREATE_RECIPIENT.request(&[], None).unwrap_err().kind(), Kind::InvalidRequest);
        assert_eq!(SENDER_ID.request(&[], Some("{}")).unwrap_err().kind(), Kind::InvalidRequest);
        let incomplete = r#"{"userType":"PERSON","fields":[{"id":"a"}]}"#;
        let error = CREATE_RECIPIENT.request(&[], Some(incomplete)).unwrap_err();
        assert_eq!(error.option(), Some("fields[0].value"));
    }

    #[test]
    fn a_query_is_percent_encoded() {
        let out: String = percent_encoded("a b&c=é/?#%+~").collect();
        assert_eq!(out, "a%20b%26c%3D%C3%A9%2F%3F%23%25%2B~");
    }
}
