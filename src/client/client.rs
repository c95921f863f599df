use std::cell::RefCell;
use std::rc::Rc;

use super::retry::{Budget, Ending, again, delay_ms, timeout_ms};
use super::seen_quotes::SeenQuotes;
use super::submission::Submission;
use super::tokens::Tokens;
use super::{Answer, Environment, SendFailure, Trace};
use crate::api::json::{Mode, Shape, View, Wire, scan};
use crate::api::{
    Address, Code, Error, FIELD_OPTIONS, FieldForm, Kind, Method, Operation, OptionsAt, Party, Preceding,
    QUOTE, RawRequest, Reply, Request, Sending, error_of_reply,
};

/// How a [`Client`] is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the service is. Paths, which begin with `/v1`, are appended.
    pub base_url: Address,
    /// The `Accept-Language` of what is localized, such as `en-US`.
    pub locale: String,
    /// How long one attempt may take.
    pub timeout_ms: u32,
    /// Which safeguard is missing.
    #[cfg(feature = "weakened")]
    pub weakness: Option<super::Weakness>,
}

/// Calls the service. Cheap to clone; clones share tokens and attempts.
pub struct Client<E: Environment>(pub(super) Rc<Inner<E>>);

pub(super) struct Inner<E> {
    pub(super) environment: Rc<E>,
    pub(super) options: Options,
    tokens: Tokens,
    budget: RefCell<Budget>,
    pub(super) quotes: RefCell<SeenQuotes>,
    pub(super) submissions: RefCell<Vec<Submission>>,
}

/// A reply whose shape is right.
pub struct Received {
    /// The JSON text, in the one form of its shape; empty where there is none.
    pub json: String,
    /// The bytes, where the operation answers with bytes.
    pub bytes: Vec<u8>,
    /// The type of the bytes.
    pub content_type: Option<String>,
    /// Whether a whole number beyond 2^53 stands in the text as a string (see [`crate::api::json::Scanned`]).
    pub has_bigints: bool,
}

impl Received {
    /// Where to read single values.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View::new(&self.json)
    }

    /// The typed record.
    ///
    /// # Errors
    /// `unavailable` ([`Code::UnreadableReply`]) if the text is not of this type.
    pub fn read<T: Wire>(&self) -> Result<T, Error> {
        T::read(self.view()).ok_or_else(|| Error::new(Code::UnreadableReply))
    }
}

/// How one request ended, all its attempts taken together.
pub(super) enum Ended {
    Received(Received),
    /// The service answered, and refused.
    Refused(Error),
    /// It was sent, and there is no answer to go by.
    Lost(Error),
    /// It was never sent.
    NotSent(Error),
}

impl Ended {
    /// The same, with nothing of a token that a reply may have echoed.
    fn hiding(self, bearer: &str) -> Self {
        match self {
            Ended::Refused(error) => Ended::Refused(error.hiding(bearer)),
            Ended::Lost(error) => Ended::Lost(error.hiding(bearer)),
            ended => ended,
        }
    }
}

impl<E: Environment> Clone for Client<E> {
    fn clone(&self) -> Self {
        Client(Rc::clone(&self.0))
    }
}

impl<E: Environment> Client<E> {
    /// A client of the service.
    #[must_use]
    pub fn new(environment: E, options: Options) -> Self {
        Client(Rc::new(Inner {
            environment: Rc::new(environment),
            options,
            tokens: Tokens::new(),
            budget: RefCell::default(),
            quotes: RefCell::default(),
            submissions: RefCell::default(),
        }))
    }

    /// What the client runs in.
    #[must_use]
    pub fn environment(&self) -> &E {
        &self.0.environment
    }

    /// Calls an operation with these ids and this input, as JSON text. What the interface says must be asked before is asked, and
    /// the input held to it.
    ///
    /// # Errors
    /// Any [`Kind`]. Nothing was sent if it is `invalid_request`, `field` or `configuration` without an HTTP status.
    pub async fn call(
        &self,
        operation: &Operation,
        ids: &[&str],
        input: Option<&str>,
        signal: &E::Signal,
    ) -> Result<Received, Error> {
        if operation.sending == Sending::Transfer {
            let expected = "another one: a transfer is made by prepare_transfer, which makes it happen once";
            return Err(Error::invalid(Code::InvalidRequest, "operation", expected));
        }
        let request = operation.request(ids, input)?;
        if let (Some(preceding), Some(body)) = (&operation.preceded_by, &request.body) {
            self.check_fields(preceding, body, operation.method == Method::Patch, signal).await?;
        }
        let received = self.exchange(operation, request, signal).await?;
        if operation.name == QUOTE.name {
            let environment = self.environment();
            let mut quotes = self.0.quotes.borrow_mut();
            quotes.note(&received, environment.now_ms(), |date| environment.parse_time_ms(date));
        }
        Ok(received)
    }

    async fn exchange(
        &self,
        operation: &Operation,
        request: Request,
        signal: &E::Signal,
    ) -> Result<Received, Error> {
        match self.send(operation, request, signal).await {
            Ended::Received(received) => Ok(received),
            Ended::Refused(error) | Ended::NotSent(error) => Err(error),
            // What creates may have created: only the caller can tell whether to try again.
            Ended::Lost(error) if operation.sending == Sending::CreateOnce => {
                Err(Error::new(Code::OutcomeUnknown).following(&error))
            }
            Ended::Lost(error) => Err(error),
        }
    }

    /// Sends a request that is given by its parts, `{ method, path, query?, body? }` as JSON text.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub async fn request(&self, raw: &str, signal: &E::Signal) -> Result<Received, Error> {
        let (operation, request) = RawRequest::read_request(raw)?;
        self.exchange(&operation, request, signal).await
    }

    /// Fetches the fields that this query, as JSON text, asks for: each time anew.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub async fn field_form(
        &self,
        operation: &Operation,
        query: &str,
        signal: &E::Signal,
    ) -> Result<(FieldForm, Received), Error> {
        let request = operation.request(&[], Some(query))?;
        let received = self.exchange(operation, request, signal).await?;
        let form = FieldForm::new(received.view(), Party::of_fields(operation, View::new(query)));
        Ok((form, received))
    }

    /// The choices of a dropdown, given what is chosen so far: an object from field id to value as JSON text. Those that are not in the
    /// definition are asked of the service, each time anew; there are none while a field that they depend on is empty. Read it as a list of
    /// [`FieldOption`](crate::api::FieldOption).
    ///
    /// # Errors
    /// Those of [`FieldForm::options`], and of the call.
    pub async fn field_options(
        &self,
        form: &FieldForm,
        field_id: &str,
        values: &str,
        signal: &E::Signal,
    ) -> Result<Received, Error> {
        let known = |json| Received { json, bytes: Vec::new(), content_type: None, has_bigints: false };
        let path = match form.options(field_id, values, &self.0.options.base_url)? {
            OptionsAt::Here(options) => return Ok(known(options)),
            OptionsAt::NotYet => return Ok(known("[]".to_owned())),
            OptionsAt::Path(path) => path,
        };
        let request = Request { method: Method::Get, path, body: None, language: None, wants_bytes: false };
        self.exchange(&FIELD_OPTIONS, request, signal).await
    }

    /// Today, as `YYYY-MM-DD` in UTC.
    #[must_use]
    pub fn today(&self) -> String {
        date_of(self.0.environment.now_ms())
    }

    pub(super) async fn check_fields(
        &self,
        preceding: &Preceding,
        body: &str,
        partial: bool,
        signal: &E::Signal,
    ) -> Result<(), Error> {
        let body = View::new(body);
        let mut query = crate::api::json::Writer::default();
        let mut missing = None;
        query.object(|query| {
            for (parameter, member) in preceding.query {
                match body.text_of(member) {
                    Some(value) => query.text_member(parameter, &value),
                    None if member.is_empty() => query.text_member(parameter, "PERSON"),
                    None => missing = Some(*member),
                }
            }
        });
        if let Some(member) = missing {
            let expected = "present: the fields to fill in are asked for by it";
            return Err(Error::invalid(Code::InvalidRequest, member, expected));
        }
        let (form, _) = self.field_form(preceding.operation, &query.finish(), signal).await?;
        let fields = body.member("fields").unwrap_or(View::new("[]"));
        let environment = &self.0.environment;
        let problems = form.check_fields(fields, partial, &self.today(), &|pattern, text| {
            environment.matches(pattern, text)
        });
        match problems.first() {
            None => Ok(()),
            Some(first) => {
                let error = Error::new(first.code.clone()).of_kind(Kind::Field).of_option(&first.field_id);
                Err(error.with_problems(problems))
            }
        }
    }

    pub(super) async fn send(
        &self,
        operation: &Operation,
        mut request: Request,
        signal: &E::Signal,
    ) -> Ended {
        let Inner { environment, options, tokens, .. } = &*self.0;
        if operation.localized {
            request.language = Some(options.locale.clone());
        }
        let url = options.base_url.join(&request.path);
        let started_ms = environment.now_ms();
        let mut attempt = 1;
        let mut sent = false;
        let mut replayed = false;
        loop {
            if environment.is_aborted(signal) {
                return unsent(sent, Error::new(Code::Aborted));
            }
            let token = match tokens.get(environment, signal).await {
                Ok(token) => token,
                Err(error) => return unsent(sent, error),
            };
            let before_ms = environment.now_ms();
            let timeout_ms = timeout_ms(options.timeout_ms, before_ms.saturating_sub(started_ms));
            let answer = environment.send(&url, &request, &token.bearer, timeout_ms, signal).await;
            environment.trace(Trace {
                operation: operation.name,
                method: request.method.as_str(),
                attempt,
                status: answer.as_ref().map_or(0, |answer| answer.status),
                duration_ms: environment.now_ms().saturating_sub(before_ms),
                request_id: answer.as_ref().ok().and_then(|answer| answer.request_id.as_deref()),
            });
            let retry_after_s = answer.as_ref().ok().and_then(|answer| answer.retry_after_s);
            // A refused token means that nothing was done: the same bytes may go again, once, with a new token.
            if let (Ok(Answer { status: 401, .. }), false) = (&answer, replayed) {
                tokens.refuse(&token);
                replayed = true;
                continue;
            }
            let (ending, ended) = match judge(answer, operation) {
                Ok(received) => return Ended::Received(received),
                Err((ending, Ended::NotSent(error))) => (ending, unsent(sent, error)),
                Err((ending, ended)) => (ending, ended.hiding(&token.bearer)),
            };
            sent = true;
            if !again(operation.sending, attempt, ending) {
                return ended;
            }
            let elapsed_ms = environment.now_ms().saturating_sub(started_ms);
            let Some(delay) = delay_ms(attempt, retry_after_s, environment.random(), elapsed_ms) else {
                return ended;
            };
            if !self.0.budget.borrow_mut().spend(environment.now_ms()) {
                return ended;
            }
            if self.pause(delay, signal).await.is_err() {
                return unsent(true, Error::new(Code::Aborted));
            }
            attempt += 1;
        }
    }

    /// Waits, unless the signal ends the call.
    pub(super) async fn pause(&self, ms: u32, signal: &E::Signal) -> Result<(), Error> {
        let environment = self.environment();
        environment.wait(ms, signal).await;
        if environment.is_aborted(signal) { Err(Error::new(Code::Aborted)) } else { Ok(()) }
    }
}

fn unsent(sent: bool, error: Error) -> Ended {
    if sent { Ended::Lost(error) } else { Ended::NotSent(error) }
}

/// What an answer comes to: what was received, or how the attempt ended.
fn judge(answer: Result<Answer, SendFailure>, operation: &Operation) -> Result<Received, (Ending, Ended)> {
    let answer = answer.map_err(|failure| {
        let code = match failure {
            SendFailure::Network => Code::NetworkFailure,
            SendFailure::Timeout => Code::Timeout,
            SendFailure::Aborted => Code::Aborted,
            SendFailure::Blocked => {
                let expected = "a directive of the page's content security policy that allows baseUrl, as contentSecurityPolicy() gives it";
                let ended = Ended::NotSent(Error::configuration("connect-src", expected));
                return (Ending::Failure(failure), ended);
            }
        };
        (Ending::Failure(failure), Ended::Lost(Error::new(code)))
    })?;
    let (status, request_id) = (answer.status, answer.request_id.as_deref());
    if !(200..300).contains(&status) {
        let retry_after_ms = answer.retry_after_s.map(|seconds| u64::from(seconds) * 1000);
        let error = error_of_reply(status, request_id, &answer.text).with_retry_after_ms(retry_after_ms);
        // A reply from 500 on without the service's own word for it may come after the deed.
        let lost = status == 408 || status >= 500 && !error.is_of_service();
        return Err((Ending::Status(status), if lost { Ended::Lost(error) } else { Ended::Refused(error) }));
    }
    let received =
        |json: String, has_bigints| Received { json, bytes: Vec::new(), content_type: None, has_bigints };
    match operation.reply {
        Reply::Nothing => Ok(received(String::new(), false)),
        Reply::Bytes => Ok(Received {
            json: String::new(),
            bytes: answer.bytes,
            content_type: answer.content_type,
            has_bigints: false,
        }),
        Reply::Json(Shape::Any) if answer.text.is_empty() => Ok(received(String::new(), false)),
        Reply::Json(shape) => match in_shape(answer.text, shape) {
            Some((json, has_bigints)) => Ok(received(json, has_bigints)),
            None => {
                let error = Error::new(Code::UnreadableReply).from_reply(status, request_id);
                Err((Ending::Unreadable, Ended::Lost(error)))
            }
        },
    }
}

fn in_shape(text: String, shape: &Shape) -> Option<(String, bool)> {
    let scanned = scan(&text, shape, Mode::Received).ok()?;
    let has_bigints = scanned.has_bigints;
    let edited = match scanned.apply(&text) {
        std::borrow::Cow::Owned(edited) => edited,
        std::borrow::Cow::Borrowed(_) => text,
    };
    Some((edited, has_bigints))
}

/// The day of a time, `YYYY-MM-DD` in UTC (the civil calendar from days, after Howard Hinnant's published algorithm).
fn date_of(ms: u64) -> String {
    let days = ms / 86_400_000 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let two = |part: u64| [if part < 10 { "0" } else { "" }, &part.to_string()].concat();
    [year.to_string(), two(month), two(day)].join("-")
}

#[cfg(test)]
mod tests {
    use super::date_of;

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(date_of(0), "1970-01-01");
        assert_eq!(date_of(951_782_400_000), "2000-02-29");
        assert_eq!(date_of(1_795_219_200_000 - 1), "2026-11-20");
        assert_eq!(date_of(1_795_219_200_000), "2026-11-21");
    }
}
