//! One request with all its attempts.

use std::rc::Rc;

use super::effect::{Effect, Outgoing};
use super::flow::FlowContext;
use super::retry::{Ending, again, delay_ms, timeout_ms};
use super::safeguards::Safeguard;
use super::tokens::{Tokens, client_level};
use super::{Answer, Reply, ReplyParts, SendFailure, Trace};
use crate::api::json::{Mode, Shape, scan};
use crate::api::{Code, Error, Kind, Method, Operation, ReplyKind, Request, error_of_reply};

/// How one request ended, all its attempts taken together.
pub(super) enum SendOutcome {
    Reply(Reply),
    /// The service answered, and refused.
    Refused(Error),
    /// It was sent, and there is no answer to go by.
    Lost(Error),
    /// It was never sent.
    NotSent(Error),
}

impl SendOutcome {
    pub(super) fn into_result(self) -> Result<Reply, Error> {
        match self {
            SendOutcome::Reply(received) => Ok(received),
            SendOutcome::Refused(error) | SendOutcome::Lost(error) | SendOutcome::NotSent(error) => {
                Err(error)
            }
        }
    }

    /// The same, with nothing of a token that a reply may have echoed.
    fn hiding(self, tokens: &Tokens) -> Self {
        match self {
            SendOutcome::Refused(error) => SendOutcome::Refused(tokens.hide_in(error)),
            SendOutcome::Lost(error) => SendOutcome::Lost(tokens.hide_in(error)),
            ended => ended,
        }
    }
}

impl FlowContext {
    pub(super) fn send(&self, operation: &Operation, request: Request) -> impl Future<Output = SendOutcome> {
        self.send_until(operation, request, None)
    }

    /// The same, but sends nothing once this time by the page's clock has passed: a token may have been
    /// waited for until then.
    pub(super) async fn send_until(
        &self,
        operation: &Operation,
        mut request: Request,
        ends_at_ms: Option<i64>,
    ) -> SendOutcome {
        let inner = &*self.core.0;
        let host = &*inner.host;
        if operation.localized {
            request.language = Some(inner.options.locale.clone());
        }
        let url = inner.options.base_url.join(&request.path);
        let outgoing = Rc::new(Outgoing { url, request });
        let mut started_ms = host.elapsed_ms();
        let mut attempt = 1;
        let mut sent = false;
        let mut replayed = false;
        loop {
            if self.is_aborted() {
                return unsent(sent, Error::new(Code::Aborted));
            }
            let asked_ms = host.elapsed_ms();
            let token = match self.own_token().await {
                Ok(token) => token,
                Err(error) => return unsent(sent, error),
            };
            // A client-level token would let the page act for any sender that it names.
            if outgoing.request.names_a_sender()
                && self.owner_of(&token).is_none()
                && let Err(error) = self.bound_to(None).learn_owner().await
            {
                return unsent(sent, error);
            }
            if self.is_past(ends_at_ms) {
                return unsent(sent, Error::new(Code::QuoteExpired));
            }
            let before_ms = host.elapsed_ms();
            // A customer who signs in takes none of the request's own time: what is sent is given the time
            // for an answer.
            started_ms += before_ms.saturating_sub(asked_ms);
            let effect = Effect::Send {
                outgoing: Rc::clone(&outgoing),
                token: Rc::clone(&token),
                timeout_ms: self
                    .within(timeout_ms(inner.options.timeout_ms, before_ms.saturating_sub(started_ms))),
            };
            let mut answer = self.answer(effect).await;
            if let Ok(answer) = &mut answer {
                answer.request_id.take_if(|id| inner.tokens.are_told_by(id));
            }
            host.trace(Trace {
                operation: operation.name,
                method: outgoing.request.method.as_str(),
                attempt,
                status: answer.as_ref().map_or(0, |answer| answer.status),
                duration_ms: host.elapsed_ms().saturating_sub(before_ms),
                request_id: answer.as_ref().ok().and_then(|answer| answer.request_id.as_deref()),
            });
            let retry_after_s = answer.as_ref().ok().and_then(|answer| answer.retry_after_s);
            if answer.as_ref().is_ok_and(|answer| answer.status == 401) {
                inner.tokens.refuse(&token);
                // A refused token means that nothing was done, unless a first copy was that the browser has
                // repeated.
                if !replayed && operation.sending.may_repeat() {
                    replayed = true;
                    sent = true;
                    continue;
                }
            }
            let (ending, ended) = match judge(answer, operation) {
                Ok(received) => {
                    self.note_owner(operation, &token, &received);
                    return SendOutcome::Reply(received);
                }
                // The copy before has done it, if it is the service that says so.
                Err((_, SendOutcome::Refused(error)))
                    if sent
                        && operation.method == Method::Delete
                        && error.kind() == Kind::NotFound
                        && !self.core.is_disabled(Safeguard::Delete) =>
                {
                    return match is_gone(operation, &error) {
                        true => SendOutcome::Reply(Reply::of(String::new())),
                        false => SendOutcome::Lost(Error::new(Code::ServiceUnavailable)),
                    };
                }
                Err((ending, SendOutcome::NotSent(error))) => (ending, unsent(sent, error)),
                Err((ending, SendOutcome::Refused(error))) if error.code() == Code::SenderUndetermined => {
                    inner.tokens.note_client_level(&token);
                    (ending, SendOutcome::Refused(client_level(error)))
                }
                Err((ending, ended)) => (ending, ended.hiding(&inner.tokens)),
            };
            sent = true;
            if !again(operation.sending, attempt, ending) {
                return ended;
            }
            let elapsed_ms = host.elapsed_ms().saturating_sub(started_ms);
            let Some(delay) = delay_ms(attempt, retry_after_s, host.random(), elapsed_ms) else {
                return ended;
            };
            if !inner.budget.borrow_mut().spend(host.now_ms()) {
                return ended;
            }
            self.wait(delay).await;
            if self.is_aborted() {
                return unsent(true, Error::new(Code::Aborted));
            }
            attempt += 1;
        }
    }
}

/// Whether the service says of the record itself that it is gone, and not of the recipient whose account it
/// is.
pub(super) fn is_gone(operation: &Operation, error: &Error) -> bool {
    let is_account = operation.path.ends_with("{accId}");
    error.is_of_service() && !(is_account && matches!(error.code(), Code::RecipientNotFound))
}

fn unsent(sent: bool, error: Error) -> SendOutcome {
    if sent { SendOutcome::Lost(error) } else { SendOutcome::NotSent(error) }
}

/// Judges an answer: the reply, or how the attempt ended.
fn judge(
    answer: Result<Box<Answer>, SendFailure>,
    operation: &Operation,
) -> Result<Reply, (Ending, SendOutcome)> {
    let answer = answer.map_err(|failure| {
        let code = match failure {
            SendFailure::Network => Code::NetworkFailure,
            SendFailure::Timeout => Code::Timeout,
            SendFailure::Aborted => Code::Aborted,
            SendFailure::Blocked => {
                let expected = "a directive of the page's content security policy that allows baseUrl, as contentSecurityPolicy() gives it";
                let ended = SendOutcome::NotSent(Error::configuration("connect-src", expected));
                return (Ending::Failure(failure), ended);
            }
        };
        (Ending::Failure(failure), SendOutcome::Lost(Error::new(code)))
    })?;
    let (status, request_id) = (answer.status, answer.request_id.as_deref());
    if !(200..300).contains(&status) {
        let retry_after_ms = answer.retry_after_s.map(|seconds| u64::from(seconds) * 1000);
        let error = error_of_reply(status, request_id, &answer.text).with_retry_after_ms(retry_after_ms);
        // A 5xx without a code of the service may come after the commit.
        let lost = status == 408 || status >= 500 && !error.is_of_service();
        return Err((
            Ending::Status(status),
            if lost { SendOutcome::Lost(error) } else { SendOutcome::Refused(error) },
        ));
    }
    match operation.reply {
        ReplyKind::Nothing => Ok(Reply::of(String::new())),
        ReplyKind::Bytes => {
            let (bytes, content_type) = (answer.bytes, answer.content_type);
            Ok(ReplyParts { bytes, content_type, is_as_sent: true, ..ReplyParts::default() }.into())
        }
        ReplyKind::Json(Shape::Any) if answer.text.is_empty() => Ok(Reply::of(String::new())),
        ReplyKind::Json(shape) => match in_shape(answer.text, shape) {
            Some(received) => Ok(received),
            None => {
                let error = Error::new(Code::UnreadableReply).from_reply(status, request_id);
                Err((Ending::Unreadable, SendOutcome::Lost(error)))
            }
        },
    }
}

fn in_shape(text: String, shape: &Shape) -> Option<Reply> {
    let mut scanned = scan(&text, shape, Mode::Received).ok()?;
    let (has_bigints, rows) = (scanned.has_bigints, scanned.rows.take());
    let parts = match scanned.apply(&text) {
        std::borrow::Cow::Owned(json) => ReplyParts { json, has_bigints, ..ReplyParts::default() },
        std::borrow::Cow::Borrowed(_) => {
            ReplyParts { json: text, is_as_sent: true, rows, ..ReplyParts::default() }
        }
    };
    Some(parts.into())
}
