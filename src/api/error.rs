use std::fmt;
use std::rc::Rc;

use super::field_problem::FieldProblem;
use super::json::{JsonRef, Writer, serialize_json_ref};
use super::secret::tells;
use super::{Code, Kind, QuoteChange, Resolution};

/// Everything that can go wrong, as one type. Holds no token and nothing a person typed.
#[derive(Clone)]
pub struct Error(Box<Details>);

#[derive(Clone)]
struct Details {
    code: Code,
    kind: Kind,
    message: String,
    http_status: Option<u16>,
    request_id: Option<String>,
    option: Option<String>,
    problems: Vec<FieldProblem>,
    attempt: Option<String>,
    retry_after_ms: Option<u64>,
    quote_change: Option<Rc<QuoteChange>>,
    is_of_service: bool,
    is_default_message: bool,
    is_for_customers: bool,
}

impl Error {
    /// An error with the kind and the message that belong to its code.
    #[must_use]
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
            is_of_service: false,
            is_default_message: true,
            is_for_customers: true,
        }))
    }

    /// An argument that breaks a rule: "`option` must be `expected`".
    #[must_use]
    #[inline(never)]
    pub fn invalid(code: Code, option: &str, expected: &str) -> Self {
        Error::new(code).of_option(option).saying([option, " must be ", expected, "."].concat())
    }

    /// A set-up option that breaks a rule.
    #[must_use]
    pub fn configuration(option: &str, expected: &str) -> Self {
        Error::invalid(Code::InvalidConfiguration, option, expected)
    }

    /// With a message for developers.
    #[must_use]
    #[inline(never)]
    pub fn saying(self, message: impl Into<String>) -> Self {
        let mut error = self.telling(message);
        error.0.is_for_customers = false;
        error
    }

    /// With the service's own message, which is for the end user.
    #[must_use]
    pub fn telling(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self.0.is_default_message = false;
        self
    }

    /// With another kind, where the status or the place says more than the code.
    #[must_use]
    pub fn of_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// With the name of the option or member at fault.
    #[must_use]
    #[inline(never)]
    pub fn of_option(mut self, option: &str) -> Self {
        self.0.option = Some(option.to_owned());
        self
    }

    /// With what the reply said beside its body.
    #[must_use]
    pub fn from_reply(mut self, http_status: u16, request_id: Option<&str>) -> Self {
        self.0.http_status = Some(http_status);
        self.0.request_id = request_id.map(str::to_owned);
        self
    }

    /// With what the reply of another error said, as this one follows from it.
    #[must_use]
    pub fn following(mut self, other: &Error) -> Self {
        self.0.http_status = other.0.http_status;
        self.0.request_id.clone_from(&other.0.request_id);
        self
    }

    /// Marks that the service itself named the code.
    #[must_use]
    pub fn by_service(mut self) -> Self {
        self.0.is_of_service = true;
        self
    }

    /// Whether the service itself named the code. Where not, anything on the way may have answered.
    #[must_use]
    pub fn is_of_service(&self) -> bool {
        self.0.is_of_service
    }

    /// With the fields that are at fault.
    #[must_use]
    pub fn with_problems(mut self, problems: Vec<FieldProblem>) -> Self {
        self.0.problems = problems;
        self
    }

    /// With the quote id of the transfer attempt whose outcome is open.
    #[must_use]
    #[inline(never)]
    pub fn with_attempt(mut self, quote_history_id: &str) -> Self {
        self.0.attempt = Some(quote_history_id.to_owned());
        self
    }

    /// With how long the service asks to wait.
    #[must_use]
    pub fn with_retry_after_ms(mut self, ms: Option<u64>) -> Self {
        self.0.retry_after_ms = ms;
        self
    }

    /// Without a secret that a reply has echoed, in any of its texts.
    #[must_use]
    pub fn hiding(mut self, secret: &str) -> Self {
        let is_told = |text: &str| tells(text, secret);
        let Details { code, message, request_id, option, problems, is_default_message, .. } = &mut *self.0;
        *is_default_message |= is_cleaned(code, message, secret);
        // Without its field a problem says nothing.
        problems.retain(|problem| !is_told(&problem.field_id));
        for problem in problems {
            is_cleaned(&mut problem.code, &mut problem.message, secret);
        }
        for text in [request_id, option] {
            if text.as_deref().is_some_and(is_told) {
                *text = None;
            }
        }
        self
    }

    /// With the quote that replaces the one which no longer holds.
    #[must_use]
    pub fn with_quote_change(mut self, change: QuoteChange) -> Self {
        self.0.quote_change = Some(Rc::new(change));
        self
    }

    /// What happened. One of the documented codes, or one that came later.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code.clone()
    }

    /// What sort of thing happened.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// What happened, and where the page is at fault what to do: for developers.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// A sentence that may be shown to the end user: the service's, or the code's own.
    #[must_use]
    pub fn user_message(&self) -> &str {
        if self.0.is_for_customers { &self.0.message } else { self.0.code.message() }
    }

    /// Whether the message is the code's own, which [`Code::message_in_spanish`] says in Spanish.
    #[must_use]
    pub fn has_default_message(&self) -> bool {
        self.0.is_default_message
    }

    /// What to do about it, where the interface says so.
    #[must_use]
    pub fn resolution(&self) -> Option<Resolution> {
        self.0.code.resolution()
    }

    /// The HTTP status, if there was a reply.
    #[must_use]
    pub fn http_status(&self) -> Option<u16> {
        self.0.http_status
    }

    /// The service's trace id, if there was a reply.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// The option or member at fault, if it is a matter of one.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        self.0.option.as_deref()
    }

    /// The dynamic fields at fault.
    #[must_use]
    pub fn problems(&self) -> &[FieldProblem] {
        &self.0.problems
    }

    /// The quote id of the transfer attempt whose outcome is open.
    #[must_use]
    pub fn attempt(&self) -> Option<&str> {
        self.0.attempt.as_deref()
    }

    /// How long the service asks to wait before it is called again, in milliseconds.
    #[must_use]
    pub fn retry_after_ms(&self) -> Option<u64> {
        self.0.retry_after_ms
    }

    /// The fresh quote beside the one that no longer holds, where the error is about a quote and a fresh one
    /// could be had.
    #[must_use]
    pub fn quote_change(&self) -> Option<&QuoteChange> {
        self.0.quote_change.as_deref()
    }

    /// As an object: `code`, `message`, `userMessage?` where it differs, `kind`, `resolution?`, `requestId?`,
    /// `option?`, `httpStatus?`, `retryAfterMs?`, `retryable`, `hasDefaultMessage` and `problems?`.
    pub(crate) fn write(&self, out: &mut Writer) {
        let text = |out: &mut Writer, name: &str, value: Option<&str>| {
            if let Some(value) = value {
                out.text_member(name, value);
            }
        };
        let flag = |out: &mut Writer, name: &str, value: bool| {
            out.member(name);
            out.raw(if value { "true" } else { "false" });
        };
        out.object(|out| {
            text(out, "code", Some(self.0.code.as_str()));
            text(out, "message", Some(self.message()));
            text(out, "userMessage", Some(self.user_message()).filter(|told| *told != self.message()));
            text(out, "kind", Some(self.kind().as_str()));
            text(out, "resolution", self.resolution().map(Resolution::as_str));
            text(out, "requestId", self.request_id());
            text(out, "option", self.option());
            if let Some(status) = self.http_status() {
                out.number_member("httpStatus", u64::from(status));
            }
            if let Some(ms) = self.retry_after_ms() {
                out.number_member("retryAfterMs", ms);
            }
            flag(out, "retryable", self.retryable());
            flag(out, "hasDefaultMessage", self.has_default_message());
            if !self.problems().is_empty() {
                out.member("problems");
                FieldProblem::write_all(self.problems(), out);
            }
        });
    }

    /// Whether the same call may succeed later with nothing changed.
    #[must_use]
    pub fn retryable(&self) -> bool {
        matches!(self.0.kind, Kind::Unavailable | Kind::Timeout | Kind::Quote)
            && self.resolution() == Some(Resolution::TryAgainLater)
    }
}

/// Takes a secret out of a code and its message; whether the message has become the code's own.
#[inline(never)]
fn is_cleaned(code: &mut Code, message: &mut String, secret: &str) -> bool {
    if tells(code.as_str(), secret) {
        *code = Code::BadRequestError;
    }
    let is_told = tells(message, secret);
    if is_told {
        *message = code.message().to_owned();
    }
    is_told
}

impl serde::Serialize for Error {
    /// `{ code, message, userMessage?, kind, resolution?, requestId?, option?, httpStatus?, retryAfterMs?,
    /// retryable, hasDefaultMessage, problems? }`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = Writer::default();
        self.write(&mut out);
        serialize_json_ref(JsonRef::new(&out.finish()), serializer)
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

impl std::error::Error for Error {}
