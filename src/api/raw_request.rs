//! The escape hatch for endpoints that this version does not know.

use super::json::{Codec, JsonRef, Mode, Shape};
use super::operation::{Method, Operation, Sending};
use super::record::record;
use super::request::{Request, append_query, check_input, percent_encoded};
use super::{Code, Error, Json};

const NAME: &str = "request";

record! {
    /// A request to any endpoint: `{ method, path, query?, body? }`.
    private RawRequest {
        /// GET, POST, PUT, PATCH or DELETE.
        required method "method": String,
        /// Relative to the base address, with a leading slash.
        required path "path": String,
        /// An object of strings, whole numbers and booleans.
        optional query "query": Json,
        optional body "body": Json,
    }
}

impl RawRequest {
    /// Creates a request for a path relative to the base address, such as `/v1/corridors`.
    pub fn new(method: Method, path: &str) -> Self {
        RawRequest { method: method.as_str().to_owned(), path: path.to_owned(), query: None, body: None }
    }

    /// Reads the JSON text of a request. A `POST` is never resent.
    ///
    /// # Errors
    /// `invalid_request`, naming the member. Transfers are refused: only an attempt sends them once.
    pub fn read_request(json: &str) -> Result<(Operation, Request), Error> {
        let invalid = |option: &str, expected: &str| Error::invalid(Code::InvalidRequest, option, expected);
        let json = check_input(Mode::Sent, NAME, json, Self::SHAPE)?;
        let raw = Self::read(JsonRef::new(&json))
            .ok_or_else(|| invalid(NAME, "given as { method, path, query?, body? }"))?;
        let method = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete]
            .into_iter()
            .find(|method| method.as_str() == raw.method)
            .ok_or_else(|| invalid("method", "GET, POST, PUT, PATCH or DELETE"))?;
        let is_plain =
            |segment: &str| !matches!(segment, "" | "." | "..") && percent_encoded(segment).eq([segment]);
        let mut path = raw.path;
        if !path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_plain)) {
            return Err(invalid(
                "path",
                "a path such as /v1/corridors, of plain segments and without a query",
            ));
        }
        // The service may route case-insensitively.
        if method == Method::Post && path.eq_ignore_ascii_case(super::CREATE_TRANSFER.path) {
            return Err(invalid(
                "path",
                "another one: a transfer is made by prepareTransfer or transfer, which make it happen once",
            ));
        }
        if let Some(query) = &raw.query {
            let is_scalar = |value: JsonRef<'_>| {
                value.text().is_some() || value.integer().is_some() || value.boolean().is_some()
            };
            let is_object = query.view().raw().starts_with('{');
            if !is_object || !query.view().members().all(|(_, value)| is_scalar(value)) {
                return Err(invalid("query", "an object of strings, whole numbers and truth values"));
            }
            append_query(&mut path, query.view());
        }
        if method == Method::Get && raw.body.is_some() {
            return Err(invalid("body", "left out of a GET"));
        }
        let sending = match method {
            Method::Get => Sending::Read,
            Method::Post => Sending::CreateOnce,
            Method::Put | Method::Patch | Method::Delete => Sending::Replace,
        };
        let operation = Operation::new(NAME, method, "", sending).with_reply(&Shape::Any);
        let body = raw.body.map(|body| body.view().raw().to_owned());
        Ok((operation, Request::new(method, path, body)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_encodes_the_query_and_limits_resending() {
        let json = r#"{"method":"GET","path":"/v1/later","query":{"a":"b c","n":7,"t":true}}"#;
        let (operation, request) = RawRequest::read_request(json).unwrap();
        assert_eq!(operation.sending, Sending::Read);
        assert_eq!(request.path, "/v1/later?a=b%20c&n=7&t=true");
        let json = r#"{"method":"POST","path":"/v1/later","body":[1]}"#;
        let (operation, request) = RawRequest::read_request(json).unwrap();
        assert_eq!((operation.sending, request.body.as_deref()), (Sending::CreateOnce, Some("[1]")));
    }

    #[test]
    fn foreign_paths_transfers_and_invalid_parts_are_refused() {
        for (json, option) in [
            (r#"{"method":"get","path":"/v1/x"}"#, "method"),
            (r#"{"method":"GET","path":"//evil.example/x"}"#, "path"),
            (r#"{"method":"GET","path":"/v1/../x"}"#, "path"),
            (r#"{"method":"GET","path":"/v1/x?y"}"#, "path"),
            (r#"{"method":"GET","path":"@evil.example"}"#, "path"),
            (r#"{"method":"GET","path":"/v1/%2e%2e"}"#, "path"),
            (r#"{"method":"POST","path":"/v1/transfers","body":{}}"#, "path"),
            (r#"{"method":"POST","path":"/V1/Transfers","body":{}}"#, "path"),
            (r#"{"method":"GET","path":"/v1/x","query":{"a":{}}}"#, "query"),
            (r#"{"method":"GET","path":"/v1/x","query":[]}"#, "query"),
            (r#"{"method":"GET","path":"/v1/x","body":1}"#, "body"),
            (r#"{"method":"GET","path":"/v1/x","headers":{}}"#, "headers"),
        ] {
            assert_eq!(RawRequest::read_request(json).unwrap_err().option(), Some(option), "{json}");
        }
    }
}
