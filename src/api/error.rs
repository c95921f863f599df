use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::field_problem::FieldProblem;
use super::option_name::OptionName;
use super::secret::reveals;
use super::{Code, Kind, QuoteChange, Resolution};

/// The error of every call. Holds no token and nothing that a person typed.
#[derive(Clone)]
pub struct Error(Box<Details>);

#[derive(Clone)]
struct Details {
    code: Code,
    kind: Kind,
    message: String,
    http_status: Option<u16>,
    request_id: Option<String>,
    option: Option<Named>,
    problems: Vec<FieldProblem>,
    attempt: Option<String>,
    retry_after_ms: Option<u64>,
    quote_change: Option<Arc<QuoteChange>>,
    transfer: Option<Arc<str>>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
    is_of_service: bool,
    has_default_message: bool,
    is_for_customers: bool,
}

/// What an error names as invalid.
#[derive(Clone)]
enum Named {
    Option(&'static OptionName),
    /// A member of a record, a field, or what a caller has named.
    Other(String),
}

impl Error {
    /// Creates an error with its code's kind and message.
    #[inline(never)]
    pub fn new(code: Code) -> Self {
        let (kind, message) = (code.kind(), code.message().to_owned());
        Error(Box::new(Details {
            code,
            kind,
            message,
            http_status: None,
            request_id: None,
            option: None,
            problems: Vec::new(),
            attempt: None,
            retry_after_ms: None,
            quote_change: None,
            transfer: None,
            source: None,
            is_of_service: false,
            has_default_message: true,
            is_for_customers: true,
        }))
    }

    /// Creates the error of an invalid argument: "`option` must be `expected`".
    #[inline(never)]
    pub fn invalid(code: Code, option: &str, expected: &str) -> Self {
        Error::new(code)
            .with_option(option)
            .with_developer_message([option, " must be ", expected, "."].concat())
    }

    /// Creates the error of an invalid configuration option.
    pub fn configuration(option: &str, expected: &str) -> Self {
        Error::invalid(Code::InvalidConfiguration, option, expected)
    }

    /// Creates the error of an option or argument whose name depends on the language.
    pub(crate) fn invalid_option(code: Code, name: &'static OptionName, expected: &str) -> Self {
        Error::invalid(code, name.rust, expected).with_option_name(name)
    }

    /// Creates the error of a member that an option or an input does not have.
    pub(crate) fn unknown_member(code: Code, name: &str) -> Self {
        Error::new(code).with_option(name).with_developer_message(["Unknown member `", name, "`."].concat())
    }

    /// Sets a message for developers.
    #[inline(never)]
    pub(crate) fn with_developer_message(self, message: impl Into<String>) -> Self {
        let mut error = self.with_user_message(message);
        error.0.is_for_customers = false;
        error
    }

    /// Sets the service's message, which is for the end user.
    pub fn with_user_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self.0.has_default_message = false;
        self
    }

    /// Overrides the code's kind.
    pub(crate) fn with_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Sets the name of the invalid option or member.
    #[inline(never)]
    pub fn with_option(mut self, option: &str) -> Self {
        self.0.option = Some(Named::Other(option.to_owned()));
        self
    }

    /// Sets the name of the invalid option, which depends on the language.
    pub(crate) fn with_option_name(mut self, name: &'static OptionName) -> Self {
        self.0.option = Some(Named::Option(name));
        self
    }

    /// Names the invalid option as JavaScript does, also where the message begins with it.
    #[cfg(any(feature = "js", test))]
    pub(crate) fn for_javascript(mut self) -> Self {
        if let Some(Named::Option(name)) = self.0.option {
            if let Some(rest) = self.0.message.strip_prefix(name.rust) {
                self.0.message = [name.javascript, rest].concat();
            }
            self.0.option = Some(Named::Other(name.javascript.to_owned()));
        }
        self
    }

    /// Sets the status and trace id of the reply.
    pub(crate) fn with_reply_status(mut self, http_status: u16, request_id: Option<&str>) -> Self {
        self.0.http_status = Some(http_status);
        self.0.request_id = request_id.map(str::to_owned);
        self
    }

    /// Copies the status and trace id of the error that caused this one.
    pub(crate) fn with_status_of(mut self, other: &Error) -> Self {
        self.0.http_status = other.0.http_status;
        self.0.request_id.clone_from(&other.0.request_id);
        self
    }

    /// Marks the code as sent by the service.
    pub(crate) fn marked_from_service(mut self) -> Self {
        self.0.is_of_service = true;
        self
    }

    /// Returns whether the service sent the code. Otherwise a proxy may have replied.
    pub fn is_of_service(&self) -> bool {
        self.0.is_of_service
    }

    /// Sets the problems of dynamic fields.
    pub(crate) fn with_problems(mut self, problems: Vec<FieldProblem>) -> Self {
        self.0.problems = problems;
        self
    }

    /// Sets the quote id of the transfer attempt with an unknown outcome.
    #[inline(never)]
    pub(crate) fn with_attempt(mut self, quote_history_id: &str) -> Self {
        self.0.attempt = Some(quote_history_id.to_owned());
        self
    }

    /// Sets the service's `Retry-After`.
    pub(crate) fn with_retry_after_ms(mut self, ms: Option<u64>) -> Self {
        self.0.retry_after_ms = ms;
        self
    }

    /// Redacts a secret that a reply echoed, in all texts.
    pub(crate) fn redacting(mut self, secret: &str) -> Self {
        let is_revealing = |text: &str| reveals(text, secret);
        let Details { code, message, request_id, option, problems, has_default_message, .. } = &mut *self.0;
        *has_default_message |= redact(code, message, secret);
        // A problem is useless without its field.
        problems.retain(|problem| !is_revealing(&problem.field_id));
        for problem in problems {
            redact(&mut problem.code, &mut problem.message, secret);
        }
        request_id.take_if(|id| is_revealing(id));
        option.take_if(|named| matches!(named, Named::Other(name) if is_revealing(name)));
        self
    }

    /// Sets the quote that replaces the outdated one.
    pub(crate) fn with_quote_change(mut self, change: QuoteChange) -> Self {
        self.0.quote_change = Some(Arc::new(change));
        self
    }

    /// Sets the transfer that was made for the payment, as JSON text.
    pub(crate) fn with_transfer(mut self, json: &str) -> Self {
        self.0.transfer = Some(json.into());
        self
    }

    /// Replaces the service's message by the code's own, as what the service says has proved wrong.
    pub(crate) fn with_own_message(mut self) -> Self {
        self.0.message = self.0.code.message().to_owned();
        (self.0.has_default_message, self.0.is_for_customers) = (true, true);
        self
    }

    /// Sets what caused the error, such as the error of the page's own token request. It is in no text of this
    /// error.
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// Returns the error code: a known one, or one that is newer than this version.
    pub fn code(&self) -> Code {
        self.0.code.clone()
    }

    /// Returns the kind, which code that handles errors branches on.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Returns the message for developers.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns a sentence that may be shown to the end user: the service's, or the code's own.
    pub fn user_message(&self) -> &str {
        if self.0.is_for_customers { &self.0.message } else { self.0.code.message() }
    }

    /// Returns whether the message is the code's own, which [`Code::message_in_spanish`] translates.
    pub fn has_default_message(&self) -> bool {
        self.0.has_default_message
    }

    /// Returns what the interface says to do about the error.
    pub fn resolution(&self) -> Option<Resolution> {
        // Of a code that this version does not know, the status has told the kind.
        let is_temporary =
            matches!(self.0.kind, Kind::Unavailable | Kind::Timeout) && !self.0.code.is_known();
        if is_temporary { Some(Resolution::TryAgainLater) } else { self.0.code.resolution() }
    }

    /// Returns the HTTP status, if there was a reply.
    pub fn http_status(&self) -> Option<u16> {
        self.0.http_status
    }

    /// Returns the service's trace id, if there was a reply.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// Returns the name of the invalid option or member.
    pub fn option(&self) -> Option<&str> {
        self.0.option.as_ref().map(|named| match named {
            Named::Option(name) => name.rust,
            Named::Other(name) => name,
        })
    }

    /// Returns the problems of dynamic fields.
    pub fn problems(&self) -> &[FieldProblem] {
        &self.0.problems
    }

    /// Returns the quote id of the transfer attempt with an unknown outcome: this one, or the earlier one
    /// with its payment.
    pub fn attempt(&self) -> Option<&str> {
        self.0.attempt.as_deref()
    }

    /// Returns the service's `Retry-After`.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after_ms().map(Duration::from_millis)
    }

    pub(crate) fn retry_after_ms(&self) -> Option<u64> {
        self.0.retry_after_ms
    }

    /// Returns the replacement of an outdated quote, if one could be fetched.
    pub fn quote_change(&self) -> Option<&QuoteChange> {
        self.0.quote_change.as_deref()
    }

    /// Returns the transfer that was made for the payment, as JSON text, if the code is `PaymentAlreadyMade`.
    pub fn transfer_json(&self) -> Option<&str> {
        self.0.transfer.as_deref()
    }

    /// Returns whether the same call may succeed later.
    pub fn retryable(&self) -> bool {
        // `Authentication` is a token source that failed: its own network may have.
        matches!(self.0.kind, Kind::Unavailable | Kind::Timeout | Kind::Quote | Kind::Authentication)
            && self.resolution() == Some(Resolution::TryAgainLater)
    }
}

/// Redacts a secret and returns whether the code's own message replaced the message.
#[inline(never)]
fn redact(code: &mut Code, message: &mut String, secret: &str) -> bool {
    if reveals(code.as_str(), secret) {
        *code = Code::BadRequestError;
    }
    let is_revealing = reveals(message, secret);
    if is_revealing {
        *message = code.message().to_owned();
    }
    is_revealing
}

/// What an error shows, in JavaScript's names.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<&'a str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    retryable: bool,
    has_default_message: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    problems: &'a [FieldProblem],
}

impl Serialize for Error {
    /// Serializes `{ code, message, userMessage?, kind, resolution?, requestId?, option?, httpStatus?,
    /// retryAfterMs?, retryable, hasDefaultMessage, problems? }`, with `userMessage` where it differs.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        View {
            code: self.0.code.as_str(),
            message: self.message(),
            user_message: Some(self.user_message()).filter(|text| *text != self.message()),
            kind: self.kind().as_str(),
            resolution: self.resolution().map(Resolution::as_str),
            request_id: self.request_id(),
            option: self.option(),
            http_status: self.http_status(),
            retry_after_ms: self.retry_after_ms(),
            retryable: self.retryable(),
            has_default_message: self.has_default_message(),
            problems: self.problems(),
        }
        .serialize(serializer)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({}, {:?})", self.0.code.as_str(), self.0.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::option_name::{CARD_URL, PAYMENT_ID};

    #[test]
    fn an_option_has_the_name_of_the_caller_s_language() {
        let expected = "an https URL, unlike card_url";
        let error = Error::invalid_option(Code::InvalidConfiguration, &CARD_URL, expected);
        let shown = |error: &Error| (error.option().map(str::to_owned), error.message().to_owned());
        assert_eq!(shown(&error), (Some("card_url".into()), format!("card_url must be {expected}.")));
        let for_javascript = (Some("cardUrl".into()), format!("cardUrl must be {expected}."));
        assert_eq!(shown(&error.for_javascript()), for_javascript);

        let error = || Error::new(Code::PaymentInProgress).with_option_name(&PAYMENT_ID);
        assert_eq!(error().option(), Some("payment_id"));
        assert_eq!(error().for_javascript().option(), Some("paymentId"));
        // What the service, a page or a field calls so keeps its name, in every language.
        for name in ["payment_id", "recipientId", "fields[0].value", "PHONE_NUMBER"] {
            for error in [error().with_option(name), Error::unknown_member(Code::InvalidRequest, name)] {
                let before = shown(&error);
                assert_eq!(shown(&error.for_javascript()), before);
                assert_eq!(before.0.as_deref(), Some(name));
            }
        }
    }

    #[test]
    fn an_error_keeps_its_source_and_repeats_nothing_of_it() {
        let cause = || std::fmt::Error;
        let error = Error::new(Code::TokenUnavailable).with_source(cause());
        assert!(StdError::source(&error).is_some_and(|source| source.is::<std::fmt::Error>()));
        for text in [format!("{error}"), format!("{error:?}")] {
            assert!(!text.contains(&cause().to_string()), "{text}");
        }
        let passed: Box<dyn StdError + Send + Sync> = error.clone().into();
        assert!(passed.source().is_some() && StdError::source(&Error::new(Code::Aborted)).is_none());
    }
}
