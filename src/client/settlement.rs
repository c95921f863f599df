//! The settlement of an attempt: a pure automaton that takes the results of its POSTs and the answers of
//! `/transfers/progress`, and says what to do next until the outcome is certain.

use super::settlement_input::{Posted, ProgressStatus};
use crate::api::{Code, Error};

/// The delays before each read of the progress.
const PROGRESS_DELAYS_MS: [u32; 6] = [500, 1000, 2000, 4000, 8000, 15_000];
/// The longest `Retry-After` that is honoured.
const MAX_RETRY_AFTER_MS: u64 = 30_000;

#[derive(Debug)]
pub(super) enum Next {
    /// Post the attempt, with the same bytes each time.
    Post,
    /// Wait, then read the progress.
    ReadProgress { after_ms: u32 },
    /// A transfer was made with the quote; one that only the progress shows may be another attempt's.
    Created { recovered: bool },
    /// No transfer was made, and none will be.
    Refused(Error),
    /// Nothing was done, for want of a valid token. The attempt can be submitted as it is.
    NotProcessed(Error),
    /// The outcome could not be learnt. The attempt can be resumed.
    Unknown,
}

/// Why the last answered POST made no transfer, unless another copy of it did.
#[derive(Debug)]
enum Refusal {
    Plain(Error),
    /// The quote or the nonce was used before.
    Duplicate(Error),
    Busy(Error),
    /// The token was refused.
    SignedOut(Error),
}

#[derive(Debug, Default)]
pub(super) struct Settlement {
    /// Whether "no transfer" must not lead to another POST.
    forbids_posts: bool,
    /// Whether a POST may still arrive or be processed unnoticed.
    in_doubt: bool,
    was_signed_out: bool,
    reads: usize,
    refusal: Option<Refusal>,
    /// The last progress since the last POST.
    progress: Option<ProgressStatus>,
}

impl Settlement {
    /// Begins with an attempt that was never sent.
    pub(super) fn new() -> Self {
        Settlement::default()
    }

    /// Begins with an attempt that was sent, and whose answer was lost.
    pub(super) fn resumed() -> Self {
        Settlement { in_doubt: true, ..Settlement::default() }
    }

    /// Begins with an attempt that another page has settled: reads its progress and posts nothing. `failed` is
    /// the error if it made no transfer.
    pub(super) fn settled_elsewhere(failed: Error) -> Self {
        Settlement { forbids_posts: true, refusal: Some(Refusal::Plain(failed)), ..Settlement::default() }
    }

    /// Returns the first step.
    pub(super) fn start(&self) -> Next {
        if self.in_doubt || self.forbids_posts { Next::ReadProgress { after_ms: 0 } } else { Next::Post }
    }

    /// Forbids any further POST: the caller has aborted.
    pub(super) fn forbid_resend(&mut self) {
        self.forbids_posts = true;
    }

    /// Forbids any further POST: the quote has ended.
    pub(super) fn expire(&mut self, expired: Error) -> Next {
        self.forbids_posts = true;
        if !self.in_doubt {
            return Next::Refused(expired);
        }
        self.refusal = Some(Refusal::Plain(expired));
        self.read_again()
    }

    /// Takes the result of a POST.
    pub(super) fn posted(&mut self, posted: Posted) -> Next {
        self.progress = None;
        let refusal = match posted {
            Posted::Created => return Next::Created { recovered: false },
            Posted::NoResponse => {
                self.in_doubt = true;
                self.refusal = None;
                return self.read_again();
            }
            Posted::Duplicate(error) => {
                self.forbids_posts = true;
                self.refusal = Some(Refusal::Duplicate(error));
                return self.read_again();
            }
            Posted::Busy(error) => {
                let retry_after_ms = error.retry_after_ms().unwrap_or(0);
                // No customer waits longer than the bound.
                if retry_after_ms > MAX_RETRY_AFTER_MS {
                    return self.posted(Posted::Refused(error));
                }
                self.refusal = Some(Refusal::Busy(error));
                return match self.read_again() {
                    Next::ReadProgress { after_ms } => Next::ReadProgress {
                        after_ms: u32::try_from(retry_after_ms).unwrap_or(0).max(after_ms),
                    },
                    next => next,
                };
            }
            Posted::NotProcessed(error) => {
                // A new token allows one more POST; a forbidden one is not repeated.
                let may_repeat =
                    error.http_status() == Some(401) && !std::mem::replace(&mut self.was_signed_out, true);
                self.forbids_posts |= !may_repeat && !self.in_doubt;
                Refusal::SignedOut(error)
            }
            Posted::Refused(error) => {
                self.forbids_posts = true;
                Refusal::Plain(error)
            }
        };
        // The browser may have repeated a POST by itself, and this answers the second copy: read the progress.
        let is_second = self.refusal.replace(refusal).is_some() || self.in_doubt;
        if is_second { self.read_again() } else { Next::ReadProgress { after_ms: 0 } }
    }

    /// Takes a progress. `is_certain` says that no POST can arrive any more; `failed` is the error for a
    /// transfer that could not be made.
    pub(super) fn progressed(
        &mut self,
        progress: ProgressStatus,
        is_certain: bool,
        failed: impl FnOnce() -> Error,
    ) -> Next {
        let before = self.progress.replace(progress);
        // While a POST may be in flight, no transfer now does not mean none later.
        let is_open = self.in_doubt && !is_certain;
        match progress {
            ProgressStatus::Created => Next::Created { recovered: true },
            ProgressStatus::Failed if is_open => {
                self.forbids_posts = true;
                self.read_again()
            }
            ProgressStatus::Failed => Next::Refused(match self.refusal.take() {
                Some(Refusal::Plain(error)) => error,
                _ => failed(),
            }),
            // Without a token there is nothing to learn.
            ProgressStatus::SignedOut if before == Some(ProgressStatus::SignedOut) => Next::Unknown,
            // It proves nothing, unless the POST was refused for the same reason.
            ProgressStatus::UnknownQuote if !self.is_refused_for_unknown_quote() => self.read_again(),
            ProgressStatus::NotInProgress if !self.forbids_posts => {
                // The last read allows a last POST.
                self.forbids_posts = self.reads >= PROGRESS_DELAYS_MS.len();
                Next::Post
            }
            ProgressStatus::NotInProgress | ProgressStatus::UnknownQuote => self.no_transfer(is_open, failed),
            ProgressStatus::Initializing | ProgressStatus::SignedOut | ProgressStatus::Unanswered => {
                self.read_again()
            }
        }
    }

    /// Whether a transfer may have been made unnoticed.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.in_doubt || self.refusal.is_some()
    }

    fn is_refused_for_unknown_quote(&self) -> bool {
        matches!(&self.refusal, Some(Refusal::Plain(error)) if error.code() == Code::QuoteHistoryNotFound)
    }

    /// There is no transfer, and no further POST.
    fn no_transfer(&mut self, is_open: bool, failed: impl FnOnce() -> Error) -> Next {
        match self.refusal.take() {
            refusal if is_open => {
                self.refusal = refusal;
                self.read_again()
            }
            Some(Refusal::SignedOut(error)) if !self.in_doubt => Next::NotProcessed(error),
            Some(Refusal::Plain(error) | Refusal::SignedOut(error)) => Next::Refused(error),
            // The transfer that used it may not show yet; a nonce used for something else never shows.
            Some(Refusal::Duplicate(error) | Refusal::Busy(error))
                if self.reads >= PROGRESS_DELAYS_MS.len() =>
            {
                Next::Refused(error)
            }
            None if self.in_doubt => Next::Refused(failed()),
            refusal => {
                self.refusal = refusal;
                self.read_again()
            }
        }
    }

    fn read_again(&mut self) -> Next {
        match PROGRESS_DELAYS_MS.get(self.reads) {
            Some(after_ms) => {
                self.reads += 1;
                Next::ReadProgress { after_ms: *after_ms }
            }
            // The result of the last POST is still unknown.
            None if self.progress.is_none() => Next::ReadProgress { after_ms: 500 },
            None => Next::Unknown,
        }
    }
}

// Natively alone: proptest draws on the system's randomness.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn failed() -> Error {
        Error::new(Code::TransferFailed)
    }

    fn refused(code: Code) -> Posted {
        Posted::Refused(Error::new(code))
    }

    fn not_processed(status: u16) -> Posted {
        let code = if status == 401 { Code::Unauthorized } else { Code::AccessDenied };
        Posted::NotProcessed(Error::new(code).from_reply(status, None))
    }

    /// What happens in a script.
    #[derive(Clone, Copy)]
    enum Event {
        Posted(fn() -> Posted),
        Progress(ProgressStatus),
        /// The same, once no POST can arrive any more.
        Certain(ProgressStatus),
        Aborted,
        Expired,
    }

    fn event(word: &str) -> Event {
        match word {
            "made" => Event::Posted(|| Posted::Created),
            "lost" => Event::Posted(|| Posted::NoResponse),
            "refused" => Event::Posted(|| refused(Code::RecipientNotFound)),
            "refused-quote" => Event::Posted(|| refused(Code::QuoteHistoryNotFound)),
            "used" => Event::Posted(|| Posted::Duplicate(Error::new(Code::TransferDuplicatedByQuote))),
            "401" => Event::Posted(|| not_processed(401)),
            "403" => Event::Posted(|| not_processed(403)),
            "busy-0.1s" => Event::Posted(|| busy(100)),
            "busy-7s" => Event::Posted(|| busy(7000)),
            "busy-30s" => Event::Posted(|| busy(30_000)),
            "busy-31s" => Event::Posted(|| busy(31_000)),
            "abort" => Event::Aborted,
            "expire" => Event::Expired,
            word => match word.strip_prefix("certain-") {
                Some(word) => Event::Certain(progress(word)),
                None => Event::Progress(progress(word)),
            },
        }
    }

    fn busy(retry_after_ms: u64) -> Posted {
        Posted::Busy(Error::new(Code::TooManyRequests).with_retry_after_ms(Some(retry_after_ms)))
    }

    fn progress(word: &str) -> ProgressStatus {
        match word {
            "created" => ProgressStatus::Created,
            "failed" => ProgressStatus::Failed,
            "none" => ProgressStatus::NotInProgress,
            "unknown-quote" => ProgressStatus::UnknownQuote,
            "signed-out" => ProgressStatus::SignedOut,
            "unanswered" => ProgressStatus::Unanswered,
            _ => panic!("no event is named {word}"),
        }
    }

    fn shown(next: &Next) -> String {
        match next {
            Next::Post => "post".to_owned(),
            Next::ReadProgress { after_ms } => format!("read@{after_ms}"),
            Next::Created { recovered: false } => "Created".to_owned(),
            Next::Created { recovered: true } => "Recovered".to_owned(),
            Next::Refused(error) => format!("{:?}", error.code()),
            Next::NotProcessed(error) => format!("{:?}:unprocessed", error.code()),
            Next::Unknown => "Unknown".to_owned(),
        }
    }

    /// Plays a script of events, each with the step that must follow it. `*` repeats a progress until
    /// something other than another read follows.
    fn play(script: &str) {
        let (first, events) = script.split_once(';').unwrap();
        let (mut settlement, first) = match first.split_once(" > ").unwrap() {
            ("new", first) => (Settlement::new(), first),
            ("resumed", first) => (Settlement::resumed(), first),
            ("elsewhere", first) => (Settlement::settled_elsewhere(failed()), first),
            other => panic!("{other:?}"),
        };
        assert_eq!(shown(&settlement.start()), first, "{script}");
        for step in events.split(';') {
            let (word, expected) = step.trim().split_once(" > ").unwrap_or((step.trim(), ""));
            let mut apply = || match event(word.trim_end_matches('*')) {
                Event::Posted(posted) => settlement.posted(posted()),
                Event::Progress(progress) => settlement.progressed(progress, false, failed),
                Event::Certain(progress) => settlement.progressed(progress, true, failed),
                Event::Expired => settlement.expire(Error::new(Code::QuoteExpired)),
                Event::Aborted => {
                    settlement.forbid_resend();
                    settlement.start()
                }
            };
            let mut next = apply();
            while word.ends_with('*') && matches!(next, Next::ReadProgress { .. }) {
                next = apply();
            }
            assert!(expected.is_empty() || shown(&next) == expected, "{script}: {word} > {}", shown(&next));
        }
    }

    #[test]
    fn each_event_has_its_next_step() {
        for script in [
            // A success is final; a refusal is checked once, and outlasts a transfer that could not be made.
            "new > post; made > Created",
            "new > post; refused > read@0; created > Recovered",
            "new > post; refused > read@0; none > RecipientNotFound",
            "new > post; refused > read@0; failed > RecipientNotFound",
            // A refusal after an earlier copy leaves that one time to arrive.
            "new > post; 401; none > post; refused > read@500",
            "new > post; lost; none > post; refused > read@1000; none* > Unknown",
            "new > post; lost; none > post; refused > read@1000; failed* > Unknown",
            "new > post; lost; none > post; refused > read@1000; certain-none* > RecipientNotFound",
            "new > post; lost; none > post; refused > read@1000; certain-failed > RecipientNotFound",
            // A lost POST is sent again after each "no transfer"; the last one is read once more.
            "new > post; lost > read@500; none > post; lost > read@1000; none > post; lost > read@2000; \
             none > post; lost > read@4000; none > post; lost > read@8000; none > post; lost > read@15000; \
             none > post; lost > read@500; none* > Unknown",
            // An attempt of an earlier page reads before it posts.
            "resumed > read@0; none > post",
            "resumed > read@0; abort; certain-none > TransferFailed",
            "resumed > read@0; unknown-quote* > Unknown",
            "resumed > read@0; unanswered; signed-out; unanswered; signed-out > read@4000; \
             signed-out > Unknown",
            // An unknown quote proves nothing, unless the POST was refused for it.
            "new > post; refused; unknown-quote* > Unknown",
            "new > post; refused-quote; unknown-quote > QuoteHistoryNotFound",
            // A refused token says nothing about the transfer, and a new token allows one more POST.
            "new > post; 401 > read@0; created > Recovered",
            "new > post; 401; none > post; 401; none* > Unauthorized:unprocessed",
            "new > post; 401; signed-out* > Unknown",
            "new > post; 403; none > AccessDenied:unprocessed",
            "new > post; lost; none > post; 401; none > post",
            "new > post; lost; none > post; 401; abort; certain-none > Unauthorized",
            // A used nonce is a refusal if its transfer never shows.
            "new > post; used > read@500; none > read@1000; none > read@2000; none > read@4000; \
             none > read@8000; none > read@15000; none > TransferDuplicatedByQuote",
            // Nothing is posted after the end of the quote, nor after an abort.
            "new > post; expire > QuoteExpired",
            "resumed > read@0; none > post; expire; none* > Unknown",
            "resumed > read@0; none > post; expire; certain-none > QuoteExpired",
            "new > post; abort; lost; none > read@1000",
            "new > post; abort > read@0; none* > Unknown",
            // A `Retry-After` is honoured up to the bound.
            "new > post; busy-7s > read@7000; none > post; busy-0.1s > read@1000; none > post; \
             busy-30s > read@30000; none > post; busy-31s; none* > TooManyRequests",
            // An attempt that another page has settled is never posted.
            "elsewhere > read@0; unanswered > read@500; created > Recovered",
            "elsewhere > read@0; none > TransferFailed",
        ] {
            play(script);
        }
    }

    #[test]
    fn a_posted_attempt_is_in_doubt() {
        assert!(!Settlement::new().is_in_doubt() && Settlement::resumed().is_in_doubt());
        for word in ["lost", "refused", "used", "401"] {
            let (mut settlement, Event::Posted(posted)) = (Settlement::new(), event(word)) else { panic!() };
            settlement.posted(posted());
            assert!(settlement.is_in_doubt(), "{word}");
        }
    }

    prop_compose! {
        fn turn()(
            commits: bool,
            repeated: bool,
            checks_limits_first: bool,
            signed_out: bool,
            answer_lost: bool,
            fails: bool,
            arrives_after in proptest::option::of(0..30u8),
            progress in 0..8u8,
        ) -> Turn {
            let rules = [commits, repeated, checks_limits_first, signed_out, answer_lost, fails];
            Turn { rules, arrives_after, progress }
        }
    }

    /// A service that may make the transfer at each POST, lose each answer, process a lost POST any time
    /// later, and answer each read or not; and a browser that may repeat a POST by itself.
    #[derive(Clone, Debug)]
    struct Turn {
        rules: [bool; 6],
        arrives_after: Option<u8>,
        progress: u8,
    }

    #[derive(Default)]
    struct Service {
        made: bool,
        failed: bool,
        /// The quote has ended: no transfer is made any more.
        has_expired: bool,
    }

    impl Service {
        fn serve(&mut self, [commits, _, checks_limits_first, signed_out, _, fails]: [bool; 6]) -> Posted {
            match self.made {
                _ if signed_out => not_processed(401),
                true if checks_limits_first => refused(Code::Max24HourSendAmountLimitReached),
                true => Posted::Duplicate(Error::new(Code::TransferDuplicatedByQuote)),
                false if self.has_expired => refused(Code::QuoteExpired),
                false if commits => {
                    self.made = true;
                    Posted::Created
                }
                false => {
                    self.failed |= fails;
                    refused(Code::RecipientNotFound)
                }
            }
        }

        fn progress(&self, number: u8) -> ProgressStatus {
            match number {
                0 => ProgressStatus::SignedOut,
                1 => ProgressStatus::Unanswered,
                2 => ProgressStatus::Initializing,
                _ if self.made => ProgressStatus::Created,
                _ if self.failed => ProgressStatus::Failed,
                _ => ProgressStatus::NotInProgress,
            }
        }
    }

    proptest! {
        /// Whatever the service does, "created" is made, "refused" is not made and will not be, each POST but
        /// the first follows a "no transfer" of the service, and there is an end.
        #[test]
        fn the_outcome_is_true(
            turns in proptest::collection::vec(turn(), 24),
            resumed: bool,
            committed_before: bool,
            expires_after in 0..40usize,
        ) {
            let mut service = Service { made: resumed && committed_before, ..Service::default() };
            let mut settlement = if resumed { Settlement::resumed() } else { Settlement::new() };
            let mut may_post = !resumed;
            // In how many turns each POST in flight arrives; one may be of an earlier page.
            let mut in_flight: Vec<u8> = if resumed && !committed_before { vec![5] } else { Vec::new() };
            let mut next = settlement.start();
            for (at, Turn { rules, arrives_after, progress }) in turns.iter().enumerate() {
                service.has_expired = at >= expires_after;
                let arrived = in_flight.iter().filter(|turns| **turns == 0).count();
                in_flight.retain(|turns| *turns > 0);
                in_flight.iter_mut().for_each(|turns| *turns -= 1);
                service.made |= arrived > 0 && !service.has_expired;
                let [commits, repeated, limits, signed_out, answer_lost, fails] = *rules;
                next = match next {
                    Next::Post => {
                        prop_assert!(std::mem::take(&mut may_post));
                        if let (true, Some(turns)) = (answer_lost, arrives_after) {
                            in_flight.push(*turns);
                            settlement.posted(Posted::NoResponse)
                        } else {
                            let signed_out = signed_out && !repeated;
                            let first = [commits, repeated, limits, signed_out, answer_lost, fails];
                            let mut posted = service.serve(first);
                            if repeated {
                                posted = service.serve(*rules);
                            }
                            settlement.posted(if answer_lost { Posted::NoResponse } else { posted })
                        }
                    }
                    Next::ReadProgress { .. } => {
                        let progress = service.progress(*progress);
                        may_post = progress == ProgressStatus::NotInProgress;
                        settlement.progressed(progress, service.has_expired, failed)
                    }
                    Next::Created { .. } => { prop_assert!(service.made); return Ok(()) }
                    Next::Refused(_) | Next::NotProcessed(_) => {
                        prop_assert!(!service.made && (in_flight.is_empty() || service.has_expired));
                        return Ok(())
                    }
                    Next::Unknown => return Ok(()),
                };
            }
            let has_ended = !matches!(next, Next::Post | Next::ReadProgress { .. });
            prop_assert!(has_ended, "no end: {next:?}");
        }
    }
}
