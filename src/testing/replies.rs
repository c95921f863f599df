//! What a scripted service replies, by operation.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use super::SentRequest;
use crate::api::{CREATE_TRANSFER, Operation};
use crate::client::{Answer, CALLS, FIELD_CALLS, SendResult};

/// What is replied where a script has no reply: no field is required, and a nonce is new.
const DEFAULTS: [(&str, &str); 5] = [
    ("sender_fields", NO_FIELDS),
    ("recipient_fields", NO_FIELDS),
    ("recipient_account_fields", NO_FIELDS),
    ("transfer_fields", NO_FIELDS),
    ("nonce", r#"{"nonce":"8d7e0a52-5b0e-4e0c-9c39-6f1d5f0b7a11"}"#),
];
const NO_FIELDS: &str = r#"{"fieldSets":[]}"#;

/// Returns a reply with this status and JSON text.
///
/// # Errors
/// Never: it has the type of what may also be a [`SendFailure`](crate::client::SendFailure).
pub fn reply(status: u16, json: &str) -> SendResult {
    Ok(Answer {
        status,
        request_id: Some("r-1".to_owned()),
        retry_after_s: None,
        text: json.to_owned(),
        bytes: Vec::new(),
        content_type: None,
        url: None,
    })
}

/// Returns a refusal with this error code, as the service writes it.
///
/// # Errors
/// Never, as [`reply`].
pub fn refusal(status: u16, code: &str) -> SendResult {
    reply(status, &format!(r#"[{{"code":"{code}","message":"No"}}]"#))
}

/// The replies of each operation, the next one first.
pub(super) struct Replies(RefCell<BTreeMap<&'static str, VecDeque<SendResult>>>);

impl Replies {
    pub(super) fn new<'a>(replies: impl IntoIterator<Item = (&'a str, SendResult)>) -> Self {
        let mut by_method: BTreeMap<_, VecDeque<_>> = BTreeMap::new();
        for (name, reply) in replies {
            let Some((name, _)) = calls().find(|(method, _)| *method == name) else {
                let known: Vec<_> = calls().map(|(method, _)| method).collect();
                panic!("no operation is named `{name}`; there are {}", known.join(", "));
            };
            by_method.entry(name).or_default().push_back(reply);
        }
        Replies(RefCell::new(by_method))
    }

    /// Returns the next reply to a request; the last one is repeated.
    pub(super) fn next(&self, sent: &SentRequest) -> SendResult {
        let (method, path) = sent.route();
        let is_sent =
            |operation: &Operation| operation.method.as_str() == method && is_instance(path, operation.path);
        let found = calls().find(|(_, operation)| is_sent(operation));
        let (name, _) = found.unwrap_or_else(|| panic!("{method} {path} is no operation"));
        let mut replies = self.0.borrow_mut();
        let next = replies.get_mut(name).and_then(|left| match left.len() {
            1 => left.front().cloned(),
            _ => left.pop_front(),
        });
        let default = || DEFAULTS.iter().find(|(of, _)| *of == name).map(|(_, json)| reply(200, json));
        next.or_else(default).unwrap_or_else(|| panic!("the script has no reply to `{name}`"))
    }
}

/// Returns the operations, each with the name of the client's method.
fn calls() -> impl Iterator<Item = (&'static str, &'static Operation)> {
    CALLS.iter().chain(FIELD_CALLS).copied().chain([("transfer", &CREATE_TRANSFER)])
}

/// Whether the path is that of an operation with ids in place of its placeholders.
fn is_instance(path: &str, pattern: &str) -> bool {
    let is_id = |part: &str| part.starts_with('{');
    path.split('/').count() == pattern.split('/').count()
        && path.split('/').zip(pattern.split('/')).all(|(part, expected)| is_id(expected) || part == expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_one_operation() {
        for (method, operation) in calls() {
            let ids = operation.path.split('/').map(|part| if part.starts_with('{') { "id" } else { part });
            let path: Vec<_> = ids.collect();
            let same = |(_, other): &(&str, &Operation)| {
                other.method == operation.method && is_instance(&path.join("/"), other.path)
            };
            let named: Vec<_> = calls().filter(same).map(|(other, _)| other).collect();
            assert_eq!(named, [method]);
        }
    }
}
