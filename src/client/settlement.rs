//! The settlement of an attempt: a pure state machine that takes the results of its POSTs and the answers of
//! `/transfers/progress`, and returns the next step until the outcome is certain.

use super::settlement_input::{Posted, ProgressStatus};
use crate::api::{Code, Error};

/// The delays before each read of the progress.
const PROGRESS_DELAYS_MS: [u32; 6] = [500, 1000, 2000, 4000, 8000, 15_000];
/// The longest `Retry-After` that is honored.
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
    /// The outcome could not be learned. The attempt can be resumed.
    Unknown,
}

/// The settlement of an attempt; by default of one that was never sent.
#[derive(Debug, Default)]
pub(super) struct Settlement {
    /// Whether "no transfer" must not lead to another POST.
    forbids_posts: bool,
    /// Whether a POST may still arrive or be processed unnoticed.
    in_doubt: bool,
    was_signed_out: bool,
    reads: usize,
    /// The last answered POST that made no transfer, unless another copy of it did.
    refusal: Option<Posted>,
    /// The last progress since the last POST.
    progress: Option<ProgressStatus>,
}

impl Settlement {
    /// Begins with an attempt that was sent, and whose answer was lost.
    pub(super) fn resumed() -> Self {
        Settlement { in_doubt: true, ..Settlement::default() }
    }

    /// Begins with an attempt that another page has settled: reads its progress and posts nothing. `failed`
    /// is the error if it made no transfer.
    pub(super) fn settled_elsewhere(failed: Error) -> Self {
        Settlement { forbids_posts: true, refusal: Some(Posted::Refused(failed)), ..Settlement::default() }
    }

    /// Returns the first step.
    pub(super) fn start(&self) -> Next {
        if self.in_doubt || self.forbids_posts { Next::ReadProgress { after_ms: 0 } } else { Next::Post }
    }

    /// Forbids any further POST: the caller has aborted.
    pub(super) fn forbid_resend(&mut self) {
        self.forbids_posts = true;
    }

    /// Forbids any further POST, as no time is left to ask what becomes of it; asks instead.
    pub(super) fn end_posts(&mut self) -> Next {
        self.forbids_posts = true;
        self.read_again()
    }

    /// Whether the progress has been read since the last POST, successfully or not.
    pub(super) fn has_asked(&self) -> bool {
        self.progress.is_some()
    }

    /// Forbids any further POST: the quote has ended. An attempt that was not posted here may have been sent
    /// from a copy of the journal.
    pub(super) fn expire(&mut self, expired: Error) -> Next {
        self.forbids_posts = true;
        self.refusal = Some(Posted::Refused(expired));
        if self.in_doubt { self.read_again() } else { Next::ReadProgress { after_ms: 0 } }
    }

    /// Takes the result of a POST.
    pub(super) fn posted(&mut self, posted: Posted) -> Next {
        self.progress = None;
        match &posted {
            Posted::Created => return Next::Created { recovered: false },
            Posted::NoResponse => {
                self.in_doubt = true;
                self.refusal = None;
                return self.read_again();
            }
            // No customer waits longer than the bound.
            Posted::Busy(error) if error.retry_after_ms() > Some(MAX_RETRY_AFTER_MS) => {
                return self.posted(Posted::Refused(error.clone()));
            }
            Posted::Busy(error) => {
                let retry_after_ms = u32::try_from(error.retry_after_ms().unwrap_or(0)).unwrap_or(0);
                self.refusal = Some(posted);
                return match self.read_again() {
                    Next::ReadProgress { after_ms } => {
                        Next::ReadProgress { after_ms: retry_after_ms.max(after_ms) }
                    }
                    next => next,
                };
            }
            // A new token allows one more POST; a forbidden one is not repeated.
            Posted::NotProcessed(error) => {
                let may_repeat =
                    error.http_status() == Some(401) && !std::mem::replace(&mut self.was_signed_out, true);
                self.forbids_posts |= !may_repeat && !self.in_doubt;
            }
            Posted::Refused(_) | Posted::Duplicate(_) => self.forbids_posts = true,
        }
        // The browser may have repeated a POST by itself, and this answers the second copy: read the
        // progress.
        let is_duplicate = matches!(posted, Posted::Duplicate(_));
        let is_second = self.refusal.replace(posted).is_some() || self.in_doubt || is_duplicate;
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
                Some(Posted::Refused(error)) => error,
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
        matches!(&self.refusal, Some(Posted::Refused(error)) if error.code() == Code::QuoteHistoryNotFound)
    }

    /// There is no transfer, and no further POST.
    fn no_transfer(&mut self, is_open: bool, failed: impl FnOnce() -> Error) -> Next {
        match self.refusal.take() {
            refusal if is_open => {
                self.refusal = refusal;
                self.read_again()
            }
            Some(Posted::NotProcessed(error)) if !self.in_doubt => Next::NotProcessed(error),
            Some(Posted::Refused(error) | Posted::NotProcessed(error)) => Next::Refused(error),
            // The transfer that used it may not show yet; a nonce used for something else never shows.
            Some(Posted::Duplicate(error) | Posted::Busy(error))
                if self.reads >= PROGRESS_DELAYS_MS.len() =>
            {
                // It says that a transfer was made, or is under way.
                Next::Refused(error.with_own_message())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn failed() -> Error {
        Error::new(Code::TransferFailed)
    }

    fn refused(code: Code) -> Posted {
        Posted::Refused(Error::new(code))
    }

    fn not_processed(status: u16) -> Posted {
        let code = if status == 401 { Code::Unauthorized } else { Code::AccessDenied };
        Posted::NotProcessed(Error::new(code).with_reply_status(status, None))
    }

    fn busy(retry_after_ms: u64) -> Posted {
        Posted::Busy(Error::new(Code::TooManyRequests).with_retry_after_ms(Some(retry_after_ms)))
    }

    /// Applies an event of a script.
    fn apply(settlement: &mut Settlement, word: &str) -> Next {
        let (word, is_certain) = word.strip_prefix("certain-").map_or((word, false), |word| (word, true));
        let progress = match word {
            "made" => return settlement.posted(Posted::Created),
            "lost" => return settlement.posted(Posted::NoResponse),
            "refused" => return settlement.posted(refused(Code::RecipientNotFound)),
            "refused-quote" => return settlement.posted(refused(Code::QuoteHistoryNotFound)),
            "used" => {
                return settlement.posted(Posted::Duplicate(Error::new(Code::TransferDuplicatedByQuote)));
            }
            "401" => return settlement.posted(not_processed(401)),
            "403" => return settlement.posted(not_processed(403)),
            "busy-0.1s" => return settlement.posted(busy(100)),
            "busy-7s" => return settlement.posted(busy(7000)),
            "busy-30s" => return settlement.posted(busy(30_000)),
            "busy-31s" => return settlement.posted(busy(31_000)),
            "expire" => return settlement.expire(Error::new(Code::QuoteExpired)),
            "abort" => {
                settlement.forbid_resend();
                return settlement.start();
            }
            "created" => ProgressStatus::Created,
            "failed" => ProgressStatus::Failed,
            "none" => ProgressStatus::NotInProgress,
            "unknown-quote" => ProgressStatus::UnknownQuote,
            "signed-out" => ProgressStatus::SignedOut,
            "unanswered" => ProgressStatus::Unanswered,
            _ => panic!("no event is named {word}"),
        };
        settlement.progressed(progress, is_certain, failed)
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
            ("new", first) => (Settlement::default(), first),
            ("resumed", first) => (Settlement::resumed(), first),
            ("elsewhere", first) => (Settlement::settled_elsewhere(failed()), first),
            other => panic!("{other:?}"),
        };
        assert_eq!(shown(&settlement.start()), first, "{script}");
        for step in events.split(';') {
            let (word, expected) = step.trim().split_once(" > ").unwrap_or((step.trim(), ""));
            let mut next = apply(&mut settlement, word.trim_end_matches('*'));
            while word.ends_with('*') && matches!(next, Next::ReadProgress { .. }) {
                next = apply(&mut settlement, word.trim_end_matches('*'));
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
            "new > post; lost; none > post; refused > read@1000; none; certain-none > RecipientNotFound",
            // One that could not be made while a POST may arrive is not sent again.
            "new > post; lost > read@500; failed > read@1000; none > read@2000; created > Recovered",
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
            "new > post; expire > read@0; none > QuoteExpired",
            "new > post; expire > read@0; created > Recovered",
            "resumed > read@0; none > post; expire; none* > Unknown",
            "resumed > read@0; none > post; expire; certain-none > QuoteExpired",
            "new > post; abort; lost; none > read@1000",
            "new > post; abort > read@0; none* > Unknown",
            // A `Retry-After` is honored up to the bound.
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
        assert!(!Settlement::default().is_in_doubt() && Settlement::resumed().is_in_doubt());
        for word in ["lost", "refused", "used", "401"] {
            let mut settlement = Settlement::default();
            apply(&mut settlement, word);
            assert!(settlement.is_in_doubt(), "{word}");
        }
    }
}
