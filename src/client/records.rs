//! Creating and deleting records. A creation is resent only if it certainly did nothing; a record that is
//! gone is no error if an earlier deletion had no answer.

use super::Reply;
use super::call_context::CallContext;
use super::exchange::{SendOutcome, is_gone};
use crate::api::json::JsonRef;
use crate::api::{
    CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, Code, Error, Kind, LIST_RECIPIENT_ACCOUNTS, LIST_RECIPIENTS,
    Operation, Request,
};

/// How many pages of records are read before it counts as unknown whether one is among them.
const MAX_PAGES: u32 = 20;

impl CallContext {
    pub(super) async fn create(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let mut outcome = self.send(operation, request.clone()).await;
        let mut is_repeated = false;
        while let SendOutcome::Refused(error) = &outcome
            && error.http_status() == Some(401)
        {
            // The browser may have repeated the request by itself, and this answers the second copy.
            if !self.is_absent(operation, &request).await {
                return Err(Error::new(Code::OutcomeUnknown).with_status_of(error));
            }
            if std::mem::replace(&mut is_repeated, true) {
                return outcome.into_result();
            }
            outcome = self.send(operation, request.clone()).await;
        }
        match outcome {
            SendOutcome::Lost(error) => Err(Error::new(Code::OutcomeUnknown).with_status_of(&error)),
            SendOutcome::Refused(error) if may_follow_commit(&error) => {
                Err(Error::new(Code::OutcomeUnknown).with_status_of(&error))
            }
            outcome => outcome.into_result(),
        }
    }

    pub(super) async fn delete(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let path = request.path.clone();
        let outcome = self.send(operation, request).await;
        let mut open = self.core.open_deletions.borrow_mut();
        let was_open = open.contains(&path);
        let is_open = match &outcome {
            SendOutcome::Reply(_) => false,
            SendOutcome::Refused(error) if was_open && error.kind() == Kind::NotFound => {
                !is_gone(operation, error)
            }
            SendOutcome::Refused(error) => was_open || may_follow_commit(error),
            SendOutcome::Lost(_) => true,
            SendOutcome::NotSent(_) => was_open,
        };
        if is_open && !was_open {
            open.push(path);
        } else if was_open && !is_open {
            open.retain(|one| *one != path);
            if let SendOutcome::Refused(_) = outcome {
                return Ok(Reply::of(String::new()));
            }
        }
        outcome.into_result()
    }

    /// Whether the service lists no record that this request may have created. It may list them in pages.
    async fn is_absent(&self, operation: &Operation, request: &Request) -> bool {
        let list = match operation.name {
            name if name == CREATE_RECIPIENT.name => &LIST_RECIPIENTS,
            name if name == CREATE_RECIPIENT_ACCOUNT.name => &LIST_RECIPIENT_ACCOUNTS,
            _ => return false,
        };
        let body = JsonRef::new(request.body.as_deref().unwrap_or_default());
        let (mut count, mut first) = (0, String::new());
        for _ in 0..MAX_PAGES {
            let mut page = Request { method: list.method, body: None, ..request.clone() };
            if count > 0 {
                page.path = [&page.path, "?offset=", &count.to_string()].concat();
            }
            let listed = match self.send(list, page).await {
                SendOutcome::Reply(listed) => listed,
                // It knows no offset, so it has listed all of them.
                SendOutcome::Refused(error) if count > 0 && error.http_status() == Some(400) => return true,
                _ => return false,
            };
            let records = || listed.view().items();
            if !records().all(|record| is_another(record, body)) {
                return false;
            }
            // A service that ignores the offset lists the same again.
            match records().next() {
                Some(record) if record.raw() != first => first = record.raw().to_owned(),
                _ => return true,
            }
            count += records().count() as u64;
        }
        false
    }
}

/// Whether a refusal can follow the commit: of a service in trouble, or of a gateway that answered in its
/// place.
pub(super) fn may_follow_commit(error: &Error) -> bool {
    !error.is_of_service() || matches!(error.http_status(), Some(429 | 500..))
}

/// Whether the record differs from the request in a field that both have, and equals it in none: a service
/// may format values in its own way.
fn is_another(record: JsonRef<'_>, body: JsonRef<'_>) -> bool {
    let value_of = |owner: JsonRef<'_>, id: &str| {
        owner
            .items_of("fields")
            .find(|field| field.text_of("id").is_some_and(|found| found == id))?
            .text_of("value")
            .map(std::borrow::Cow::into_owned)
    };
    let (mut has_equal, mut has_different) = (false, false);
    for id in body.items_of("fields").filter_map(|field| field.text_of("id")) {
        if let (Some(shown), Some(sent)) = (value_of(record, &id), value_of(body, &id)) {
            has_equal |= shown == sent;
            has_different |= differ(&shown, &sent);
        }
    }
    has_different && !has_equal
}

/// Whether two values certainly differ. A service shows some in groups, masked, or by their end alone.
fn differ(shown: &str, sent: &str) -> bool {
    let plain = |text: &str| {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let (plain_shown, plain_sent) = (plain(shown), plain(sent));
    shown.is_ascii()
        && sent.is_ascii()
        && !shown.contains(['*', 'X'])
        && !plain_sent.ends_with(&plain_shown)
        && !plain_shown.ends_with(&plain_sent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_another_if_a_field_certainly_differs_and_none_is_equal() {
        let body = r#"{"fields":[{"id":"FIRST_NAME","value":"Ana"},{"id":"CITY","value":"Lima"},
            {"id":"PHONE","value":{"number":"1"}}]}"#;
        for (fields, expected) in [
            (&[("FIRST_NAME", "Ana")][..], false),
            (&[("FIRST_NAME", "Eva")], true),
            (&[("FIRST_NAME", "Ana"), ("CITY", "Cali")], false),
            (&[("FIRST_NAME", "***")], false),
            (&[("FIRST_NAME", "E**a")], false),
            (&[("FIRST_NAME", "Éva")], false),
            (&[("FIRST_NAME", "na")], false),
            (&[("FIRST_NAME", "A-na")], false),
            (&[("LAST_NAME", "Eva")], false),
            (&[], false),
        ] {
            let fields: Vec<_> =
                fields.iter().map(|(id, value)| format!(r#"{{"id":"{id}","value":"{value}"}}"#)).collect();
            let record = format!(r#"{{"recipientId":"1","fields":[{}]}}"#, fields.join(","));
            assert_eq!(is_another(JsonRef::new(&record), JsonRef::new(body)), expected, "{record}");
        }
        assert!(!is_another(JsonRef::new(r#"{"recipientId":"1"}"#), JsonRef::new(body)));
    }
}
