//! One request with all its attempts: token, retries, trace.

use super::call_context::CallContext;
use super::retry::{AttemptFailure, delay_ms, may_retry, time_limits};
use super::tokens::{Tokens, client_level};
use super::{Answer, Reply, SendFailure, SendResult, TimeLimits, Trace};
use crate::api::json::{Mode, Shape, scan};
use crate::api::{Code, Error, Kind, Method, Operation, Receipt, ReplyKind, Request, error_of_reply};

/// The outcome of a request, all its attempts taken together.
pub(super) enum SendOutcome {
    Reply(Reply),
    /// The service answered with a refusal.
    Refused(Error),
    /// It was sent, and there is no conclusive answer.
    Lost(Error),
    /// It was never sent.
    NotSent(Error),
}

impl SendOutcome {
    pub(super) fn into_result(self) -> Result<Reply, Error> {
        match self {
            SendOutcome::Reply(reply) => Ok(reply),
            SendOutcome::Refused(error) | SendOutcome::Lost(error) | SendOutcome::NotSent(error) => {
                Err(error)
            }
        }
    }

    /// Redacts the tokens that a reply may have echoed.
    fn redacted(self, tokens: &Tokens) -> Self {
        match self {
            SendOutcome::Refused(error) => SendOutcome::Refused(tokens.redact(error)),
            SendOutcome::Lost(error) => SendOutcome::Lost(tokens.redact(error)),
            outcome => outcome,
        }
    }
}

impl CallContext {
    /// Sends a request until it succeeds or may not be sent again.
    pub(super) async fn send(&self, operation: &Operation, mut request: Request) -> SendOutcome {
        let core = &*self.core;
        let platform = &*core.platform;
        if operation.localized {
            request.language = Some(core.options.locale.clone());
        }
        let mut url = core.options.base_url.join(&request.path);
        let marker = self.marker(&request);
        if let Some(marker) = &marker {
            let separator = if url.contains('?') { "&_=" } else { "?_=" };
            url = [url.as_str(), separator, marker].concat();
        }
        let mut started_ms = platform.elapsed_ms();
        let mut attempt = 1;
        let mut was_sent = false;
        let mut was_refreshed = false;
        loop {
            if self.is_aborted() {
                return lost_or_not_sent(was_sent, Error::new(Code::Aborted));
            }
            let token_requested_ms = platform.elapsed_ms();
            let token = match self.token().await {
                Ok(token) => token,
                Err(error) => return lost_or_not_sent(was_sent, error),
            };
            // A client-level token would let the page act for any sender that it names.
            if request.names_a_sender()
                && self.owner_of(&token).is_none()
                && let Err(error) = self.for_sender(None).learn_owner(&token).await
            {
                return lost_or_not_sent(was_sent, error);
            }
            // The wait for the token may have lasted that long.
            if self.is_past(self.sends_until_ms) {
                return lost_or_not_sent(was_sent, Error::new(Code::QuoteExpired));
            }
            if self.before_deadline(u32::MAX) == 0 {
                return lost_or_not_sent(was_sent, Error::new(Code::Timeout));
            }
            let sent_ms = platform.elapsed_ms();
            // A customer who signs in takes none of the request's own time.
            started_ms += sent_ms.saturating_sub(token_requested_ms);
            let limits = time_limits(core.options.timeout_ms, sent_ms.saturating_sub(started_ms));
            let [idle_ms, total_ms] = [limits.idle_ms, limits.total_ms].map(|ms| self.before_deadline(ms));
            let sending = platform.fetch(&url, &request, &token.bearer, TimeLimits { idle_ms, total_ms });
            let mut answer = self.unless_cancelled(sending).await.unwrap_or(Err(SendFailure::Aborted));
            if let (Ok(Answer { url: Some(url), .. }), Some(marker)) = (answer.as_ref(), &marker)
                && !url.contains(marker)
            {
                answer = Err(SendFailure::Network);
            }
            if let Ok(answer) = &mut answer {
                answer.request_id.take_if(|id| core.tokens.occur_in(id));
            }
            platform.trace(Trace {
                operation: operation.name,
                method: request.method.as_str(),
                attempt,
                status: answer.as_ref().map_or(0, |answer| answer.status),
                duration_ms: platform.elapsed_ms().saturating_sub(sent_ms),
                request_id: answer.as_ref().ok().and_then(|answer| answer.request_id.as_deref()),
            });
            let retry_after_s = answer.as_ref().ok().and_then(|answer| answer.retry_after_s);
            if answer.as_ref().is_ok_and(|answer| answer.status == 401) {
                core.tokens.refuse(&token);
                // The request did nothing, unless this answers a copy that the browser sent after the first.
                if !was_refreshed && operation.sending.may_repeat() {
                    was_refreshed = true;
                    was_sent = true;
                    continue;
                }
            }
            let (failure, outcome) = match classify(answer, operation) {
                Ok(reply) => {
                    self.note_owner(operation, &token, &reply);
                    return SendOutcome::Reply(reply);
                }
                // An earlier copy deleted the record, if it is the service that says so.
                Err((_, SendOutcome::Refused(error)))
                    if was_sent && operation.method == Method::Delete && error.kind() == Kind::NotFound =>
                {
                    return match is_gone(operation, &error) {
                        true => SendOutcome::Reply(Reply::of(String::new())),
                        false => SendOutcome::Lost(Error::new(Code::ServiceUnavailable)),
                    };
                }
                Err((failure, SendOutcome::NotSent(error))) => (failure, lost_or_not_sent(was_sent, error)),
                Err((failure, SendOutcome::Refused(error))) if error.code() == Code::SenderUndetermined => {
                    core.tokens.note_client_level(&token);
                    (failure, SendOutcome::Refused(client_level(core.tokens.redact(error))))
                }
                Err((failure, outcome)) => (failure, outcome.redacted(&core.tokens)),
            };
            was_sent = true;
            if !may_retry(operation.sending, attempt, failure) {
                return outcome;
            }
            let elapsed_ms = platform.elapsed_ms().saturating_sub(started_ms);
            let Some(delay) = delay_ms(attempt, retry_after_s, platform.random(), elapsed_ms) else {
                return outcome;
            };
            if !core.budget.borrow_mut().spend(platform.now_ms()) {
                return outcome;
            }
            self.wait(delay).await;
            if self.is_aborted() {
                return lost_or_not_sent(true, Error::new(Code::Aborted));
            }
            attempt += 1;
        }
    }

    /// Returns what no earlier read had in its query, where a cache may answer in the service's place: another
    /// customer's sender or an earlier nonce must not be believed. A cache that ignores queries is found out
    /// by the address that its answer came from.
    fn marker(&self, request: &Request) -> Option<String> {
        let platform = &*self.core.platform;
        let is_needed = request.method == Method::Get && platform.may_be_cached();
        let random = (platform.random() * f64::from(u32::MAX)) as u64;
        is_needed.then(|| platform.now_ms().to_string() + &random.to_string())
    }
}

/// Whether the service says that the record itself is gone, and not the recipient whose account it is.
pub(super) fn is_gone(operation: &Operation, error: &Error) -> bool {
    let is_account = operation.path.ends_with("{accId}");
    error.is_of_service() && !(is_account && matches!(error.code(), Code::RecipientNotFound))
}

fn lost_or_not_sent(was_sent: bool, error: Error) -> SendOutcome {
    if was_sent { SendOutcome::Lost(error) } else { SendOutcome::NotSent(error) }
}

/// Reads the answer to one attempt: the reply, or why there is none.
fn classify(answer: SendResult, operation: &Operation) -> Result<Reply, (AttemptFailure, SendOutcome)> {
    let answer = answer.map_err(|failure| {
        let code = match failure {
            SendFailure::Network => Code::NetworkFailure,
            SendFailure::Timeout => Code::Timeout,
            SendFailure::Aborted => Code::Aborted,
            SendFailure::TooLong => Code::UnreadableReply,
            SendFailure::Blocked => {
                let expected = "a directive of the page's content security policy that allows baseUrl, \
                                as contentSecurityPolicy() gives it";
                let error = Error::configuration("connect-src", expected);
                return (AttemptFailure::Send(failure), SendOutcome::NotSent(error));
            }
            SendFailure::Faulty | SendFailure::Missing => {
                let expected = "a function that resolves with a Response which nobody has read yet";
                let error = Error::configuration("fetch", expected);
                let was_called = failure == SendFailure::Faulty;
                return (AttemptFailure::Send(failure), lost_or_not_sent(was_called, error));
            }
        };
        (AttemptFailure::Send(failure), SendOutcome::Lost(Error::new(code)))
    })?;
    let (status, request_id) = (answer.status, answer.request_id.as_deref());
    if !(200..300).contains(&status) {
        let retry_after_ms = answer.retry_after_s.map(|seconds| u64::from(seconds) * 1000);
        let error = error_of_reply(status, request_id, &answer.text).with_retry_after_ms(retry_after_ms);
        // A 5xx without a code of the service may follow the commit.
        let is_lost = status == 408 || status >= 500 && !error.is_of_service();
        let outcome = if is_lost { SendOutcome::Lost(error) } else { SendOutcome::Refused(error) };
        return Err((AttemptFailure::Status(status), outcome));
    }
    match operation.reply {
        ReplyKind::Nothing => Ok(Reply::of(String::new())),
        ReplyKind::Bytes => Ok(Reply::of_receipt(Receipt::new(answer.bytes, answer.content_type))),
        ReplyKind::Json(Shape::Any) if answer.text.is_empty() => Ok(Reply::of(String::new())),
        ReplyKind::Json(shape) => match in_shape(answer.text, shape) {
            Some(reply) => Ok(reply),
            None => {
                let error = Error::new(Code::UnreadableReply).with_reply_status(status, request_id);
                Err((AttemptFailure::Unreadable, SendOutcome::Lost(error)))
            }
        },
    }
}

fn in_shape(text: String, shape: &Shape) -> Option<Reply> {
    let scanned = scan(&text, shape, Mode::Received).ok()?;
    let has_bigints = scanned.has_bigints;
    let json = match scanned.apply(&text) {
        std::borrow::Cow::Owned(json) => json,
        std::borrow::Cow::Borrowed(_) => text,
    };
    Some(Reply::with_bigints(json, has_bigints))
}
