//! Creating a record: sent again only where nothing was certainly done.

use super::Reply;
use super::exchange::SendOutcome;
use super::flow::FlowContext;
use super::safeguards::Safeguard;
use crate::api::json::JsonRef;
use crate::api::{
    CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, Code, Error, LIST_RECIPIENT_ACCOUNTS, LIST_RECIPIENTS,
    Operation, Request,
};

impl FlowContext {
    pub(super) async fn create(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let mut ended = self.send(operation, request.clone()).await;
        let mut is_repeated = false;
        while matches!(&ended, SendOutcome::Refused(error) if error.http_status() == Some(401)) {
            // The browser may have repeated it by itself, and have got this for the second copy.
            if !self.core.is_disabled(Safeguard::Replay) && !self.is_absent(operation, &request).await {
                return Err(Error::new(Code::OutcomeUnknown));
            }
            if std::mem::replace(&mut is_repeated, true) {
                return ended.into_result();
            }
            ended = self.send(operation, request.clone()).await;
        }
        match ended {
            SendOutcome::Lost(error) => Err(Error::new(Code::OutcomeUnknown).following(&error)),
            SendOutcome::Refused(error)
                if may_be_done(&error) && !self.core.is_disabled(Safeguard::Create) =>
            {
                Err(Error::new(Code::OutcomeUnknown).following(&error))
            }
            ended => ended.into_result(),
        }
    }

    /// Whether the service has no record that could be the one which this request creates.
    async fn is_absent(&self, operation: &Operation, request: &Request) -> bool {
        let list = match operation.name {
            name if name == CREATE_RECIPIENT.name => &LIST_RECIPIENTS,
            name if name == CREATE_RECIPIENT_ACCOUNT.name => &LIST_RECIPIENT_ACCOUNTS,
            _ => return false,
        };
        let question = Request { method: list.method, body: None, ..request.clone() };
        let SendOutcome::Reply(listed) = self.send(list, question).await else { return false };
        let body = JsonRef::new(request.body.as_deref().unwrap_or_default());
        listed.view().items().all(|record| is_another(record, body))
    }
}

/// Whether a refusal can come after the commit: of a service in trouble, or of anything on the way that has
/// answered in its place.
pub(super) fn may_be_done(error: &Error) -> bool {
    !error.is_of_service() || matches!(error.http_status(), Some(429 | 500..))
}

/// Whether the record has another value than the request in a field that both have, and the same in none: a
/// service may write a value in its own way.
fn is_another(record: JsonRef<'_>, body: JsonRef<'_>) -> bool {
    let value_of = |fields: Option<JsonRef<'_>>, id: &str| {
        fields?
            .items()
            .find(|field| field.text_of("id").is_some_and(|found| found == id))?
            .text_of("value")
            .map(std::borrow::Cow::into_owned)
    };
    let asked = body.member("fields");
    let (mut is_alike, mut is_different) = (false, false);
    for id in asked.into_iter().flat_map(JsonRef::items).filter_map(|field| field.text_of("id")) {
        if let (Some(shown), Some(asked)) = (value_of(record.member("fields"), &id), value_of(asked, &id)) {
            is_alike |= shown == asked;
            is_different |= differ(&shown, &asked);
        }
    }
    is_different && !is_alike
}

/// Whether two values are of different things. A service shows some of them in groups, masked, or their end
/// alone.
fn differ(shown: &str, asked: &str) -> bool {
    let plain = |text: &str| {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let (plain_shown, plain_asked) = (plain(shown), plain(asked));
    shown.is_ascii()
        && asked.is_ascii()
        && !shown.contains(['*', 'X'])
        && !plain_asked.ends_with(&plain_shown)
        && !plain_shown.ends_with(&plain_asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_another_where_a_field_differs() {
        let body = r#"{"fields":[{"id":"FIRST_NAME","value":"Ana"},{"id":"CITY","value":"Lima"},{"id":"PHONE","value":{"number":"1"}}]}"#;
        for (record, another) in [
            (r#"{"fields":[{"id":"FIRST_NAME","value":"Ana"}]}"#, false),
            (r#"{"fields":[{"id":"FIRST_NAME","value":"Eva"}]}"#, true),
            (r#"{"fields":[{"id":"FIRST_NAME","value":"Ana"},{"id":"CITY","value":"Cali"}]}"#, false),
            (r#"{"fields":[{"id":"FIRST_NAME","value":"***"}]}"#, false),
            (r#"{"fields":[{"id":"FIRST_NAME","value":"E**a"}]}"#, false),
            (r#"{"fields":[{"id":"FIRST_NAME","value":"Éva"}]}"#, false),
            (r#"{"fields":[{"id":"FIRST_NAME","value":"na"}]}"#, false),
            (r#"{"fields":[{"id":"LAST_NAME","value":"Eva"}]}"#, false),
            (r#"{"recipientId":"1"}"#, false),
        ] {
            assert_eq!(is_another(JsonRef::new(record), JsonRef::new(body)), another, "{record}");
        }
    }
}
