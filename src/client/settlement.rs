//! How a transfer is brought to one certain outcome: a pure automaton, driven by what was posted and
//! what `/transfers/progress` told.

use super::{Posted, ProgressStatus};
use crate::api::{Code, Error};

/// After each of these the progress is asked for once.
pub(super) const ASK_AFTER_MS: [u32; 6] = [500, 1000, 2000, 4000, 8000, 15_000];
/// The longest `Retry-After` that is waited for.
const LONGEST_PATIENCE_MS: u64 = 30_000;

/// What to do next.
#[derive(Debug)]
pub enum Next {
    /// Post the attempt, byte by byte the same each time.
    Post,
    /// Wait, then ask for the progress.
    Ask {
        /// How long to wait.
        after_ms: u32,
    },
    /// A transfer was made with this quote.
    Created {
        /// Whether that was learnt from the progress: then it may be another attempt's.
        recovered: bool,
    },
    /// No transfer was made, and none will be.
    Refused(Error),
    /// Nothing was done, for want of a valid token. The attempt can be submitted as it is.
    NotProcessed(Error),
    /// It could not be learnt. The attempt can be resumed.
    Unknown,
}

/// Why the last POST that was answered made no transfer, as far as its answer is believed.
#[derive(Debug)]
enum Refusal {
    /// A rule of the service.
    Plain(Error),
    /// Its quote or nonce was used.
    Duplicate(Error),
    /// The service was busy.
    Busy(Error),
    /// The token was refused.
    SignedOut(Error),
}

/// The reconciliation of one attempt: what to do next, given all that the service has said.
#[derive(Debug)]
pub struct Settlement {
    /// Whether an answer that there is no transfer allows to post again. Each POST has the same bytes, quote
    /// and nonce.
    may_post: bool,
    /// Whether a POST of this attempt may still arrive, or be taken up, without our knowing.
    in_doubt: bool,
    /// Whether a token was refused before.
    signed_out: bool,
    asked: usize,
    refusal: Option<Refusal>,
    /// What was told since the last POST.
    last: Option<ProgressStatus>,
}

impl Settlement {
    /// Of an attempt of which nothing was sent yet.
    #[must_use]
    pub fn new() -> Self {
        Settlement { may_post: true, in_doubt: false, signed_out: false, asked: 0, refusal: None, last: None }
    }

    /// Of an attempt that was sent before, and whose answer was lost.
    #[must_use]
    pub fn resumed() -> Self {
        Settlement { in_doubt: true, ..Settlement::new() }
    }

    /// Of an attempt that another page has settled: its result is asked for, and nothing is posted. `failed`
    /// is the error for one that has made no transfer.
    #[must_use]
    pub fn ended_elsewhere(failed: Error) -> Self {
        Settlement { may_post: false, refusal: Some(Refusal::Plain(failed)), ..Settlement::new() }
    }

    /// What to do first.
    pub fn start(&mut self) -> Next {
        if self.in_doubt || !self.may_post { Next::Ask { after_ms: 0 } } else { Next::Post }
    }

    /// Forbids any further POST: the caller has aborted, or the quote has ended.
    pub fn forbid_resend(&mut self) {
        self.may_post = false;
    }

    /// Nothing may be posted any more, as the quote has ended.
    pub fn expire(&mut self, expired: Error) -> Next {
        self.may_post = false;
        if !self.in_doubt {
            return Next::Refused(expired);
        }
        self.refusal = Some(Refusal::Plain(expired));
        self.ask()
    }

    /// After a POST.
    pub fn posted(&mut self, posted: Posted) -> Next {
        self.last = None;
        let refusal = match posted {
            Posted::Created => return Next::Created { recovered: false },
            Posted::NoResponse => {
                self.in_doubt = true;
                self.refusal = None;
                return self.ask();
            }
            Posted::Duplicate(error) => {
                self.may_post = false;
                self.refusal = Some(Refusal::Duplicate(error));
                return self.ask();
            }
            Posted::Busy(error) => {
                let patience_ms = error.retry_after_ms().unwrap_or(0);
                // To be asked for more patience than a customer has is a refusal.
                if patience_ms > LONGEST_PATIENCE_MS {
                    return self.posted(Posted::Refused(error));
                }
                self.refusal = Some(Refusal::Busy(error));
                return match self.ask() {
                    Next::Ask { after_ms } => {
                        Next::Ask { after_ms: u32::try_from(patience_ms).unwrap_or(0).max(after_ms) }
                    }
                    next => next,
                };
            }
            Posted::NotProcessed(error) => {
                // With a new token it may go once more; what is forbidden may not.
                let may_go =
                    error.http_status() == Some(401) && !std::mem::replace(&mut self.signed_out, true);
                self.may_post &= may_go || self.in_doubt;
                Refusal::SignedOut(error)
            }
            Posted::Refused(error) => {
                self.may_post = false;
                Refusal::Plain(error)
            }
        };
        // The browser may have repeated a POST by itself and have got this for the second copy: it is asked.
        let is_second = self.refusal.replace(refusal).is_some() || self.in_doubt;
        if is_second { self.ask() } else { Next::Ask { after_ms: 0 } }
    }

    /// After the progress was asked for. `is_over` says that nothing that was sent can arrive any more;
    /// `failed` is the error for a transfer that could not be made.
    pub fn asked(&mut self, asked: ProgressStatus, is_over: bool, failed: impl FnOnce() -> Error) -> Next {
        let before = self.last.replace(asked);
        // While a POST may be on its way, no transfer now does not mean none later.
        let is_open = self.in_doubt && !is_over;
        match asked {
            ProgressStatus::Created => Next::Created { recovered: true },
            ProgressStatus::Failed if is_open => {
                self.may_post = false;
                self.ask()
            }
            ProgressStatus::Failed => Next::Refused(match self.refusal.take() {
                Some(Refusal::Plain(error)) => error,
                _ => failed(),
            }),
            // Without a token there is nothing to learn.
            ProgressStatus::SignedOut if before == Some(ProgressStatus::SignedOut) => Next::Unknown,
            // It proves nothing, unless the POST was refused for the same reason.
            ProgressStatus::UnknownQuote if !self.is_for_unknown_quote() => self.ask(),
            ProgressStatus::NotInProgress if self.may_post => {
                // The last question allows a last POST.
                self.may_post = self.asked < ASK_AFTER_MS.len();
                Next::Post
            }
            ProgressStatus::NotInProgress | ProgressStatus::UnknownQuote => self.none(is_open, failed),
            ProgressStatus::Initializing | ProgressStatus::SignedOut | ProgressStatus::Unanswered => {
                self.ask()
            }
        }
    }

    /// Whether a transfer may have been made without our knowing.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        self.in_doubt || self.refusal.is_some()
    }

    fn is_for_unknown_quote(&self) -> bool {
        matches!(&self.refusal, Some(Refusal::Plain(error)) if error.code() == Code::QuoteHistoryNotFound)
    }

    /// There is no transfer, and nothing more is posted.
    fn none(&mut self, is_open: bool, failed: impl FnOnce() -> Error) -> Next {
        match self.refusal.take() {
            refusal if is_open => {
                self.refusal = refusal;
                self.ask()
            }
            Some(Refusal::SignedOut(error)) if !self.in_doubt => Next::NotProcessed(error),
            Some(Refusal::Plain(error) | Refusal::SignedOut(error)) => Next::Refused(error),
            // The transfer that used it may not be shown yet; a nonce used for something else never is.
            Some(Refusal::Duplicate(error) | Refusal::Busy(error)) if self.asked >= ASK_AFTER_MS.len() => {
                Next::Refused(error)
            }
            None if self.in_doubt => Next::Refused(failed()),
            refusal => {
                self.refusal = refusal;
                self.ask()
            }
        }
    }

    fn ask(&mut self) -> Next {
        match ASK_AFTER_MS.get(self.asked) {
            Some(after_ms) => {
                self.asked += 1;
                Next::Ask { after_ms: *after_ms }
            }
            // The result of the last POST is still unknown.
            None if self.last.is_none() => Next::Ask { after_ms: 500 },
            None => Next::Unknown,
        }
    }
}

impl Default for Settlement {
    fn default() -> Self {
        Settlement::new()
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

    fn refusal() -> Error {
        Error::new(Code::RecipientNotFound)
    }

    fn used() -> Posted {
        Posted::Duplicate(Error::new(Code::TransferDuplicatedByQuote))
    }

    fn signed_out() -> Posted {
        Posted::NotProcessed(Error::new(Code::Unauthorized).from_reply(401, None))
    }

    fn started() -> Settlement {
        let mut settlement = Settlement::new();
        assert!(matches!(settlement.start(), Next::Post));
        settlement
    }

    /// Asks until there is something else to do.
    fn ask_on(settlement: &mut Settlement, mut next: Next, asked: ProgressStatus, is_over: bool) -> Next {
        while matches!(next, Next::Ask { .. }) {
            next = settlement.asked(asked, is_over, failed);
        }
        next
    }

    #[test]
    fn a_success_is_final_and_a_refusal_is_asked_about_once() {
        assert!(matches!(started().posted(Posted::Created), Next::Created { recovered: false }));
        for (told, created) in [(ProgressStatus::Created, true), (ProgressStatus::NotInProgress, false)] {
            let mut settlement = started();
            assert!(matches!(settlement.posted(Posted::Refused(refusal())), Next::Ask { after_ms: 0 }));
            let next = settlement.asked(told, false, failed);
            assert_eq!(matches!(next, Next::Created { recovered: true }), created);
            assert_eq!(
                matches!(next, Next::Refused(error) if error.code() == Code::RecipientNotFound),
                !created
            );
        }
    }

    #[test]
    fn a_transfer_that_could_not_be_made_is_told_as_the_post_was_refused() {
        let mut settlement = started();
        settlement.posted(Posted::Refused(refusal()));
        let next = settlement.asked(ProgressStatus::Failed, false, failed);
        assert!(matches!(next, Next::Refused(error) if error.code() == Code::RecipientNotFound));
    }

    #[test]
    fn a_refusal_of_what_was_sent_before_leaves_time_for_the_first_copy() {
        // After a refused token, and after a lost answer.
        for (first, after) in [(signed_out(), 500), (Posted::NoResponse, 1000)] {
            let mut settlement = started();
            settlement.posted(first);
            assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Post));
            let next = settlement.posted(Posted::Refused(refusal()));
            assert!(matches!(next, Next::Ask { after_ms } if after_ms == after), "{next:?}");
        }
    }

    #[test]
    fn whatever_was_sent_is_in_doubt_until_it_is_settled() {
        assert!(!started().is_in_doubt() && Settlement::resumed().is_in_doubt());
        for posted in [Posted::NoResponse, Posted::Refused(refusal()), used(), signed_out()] {
            let mut settlement = started();
            settlement.posted(posted);
            assert!(settlement.is_in_doubt());
        }
    }

    #[test]
    fn without_a_token_it_asks_twice_and_learns_nothing() {
        let mut settlement = Settlement::resumed();
        settlement.start();
        for asked in [ProgressStatus::Unanswered, ProgressStatus::SignedOut, ProgressStatus::Unanswered] {
            assert!(matches!(settlement.asked(asked, false, failed), Next::Ask { .. }));
        }
        assert!(matches!(settlement.asked(ProgressStatus::SignedOut, false, failed), Next::Ask { .. }));
        assert!(matches!(settlement.asked(ProgressStatus::SignedOut, false, failed), Next::Unknown));
    }

    #[test]
    fn once_nothing_can_arrive_what_was_lost_is_refused_at_the_first_word() {
        let mut settlement = Settlement::resumed();
        settlement.forbid_resend();
        settlement.start();
        let next = settlement.asked(ProgressStatus::NotInProgress, true, failed);
        assert!(matches!(next, Next::Refused(error) if error.code() == Code::TransferFailed));
        // It was sent, so it is not one that can be submitted as it is.
        let mut settlement = started();
        settlement.posted(Posted::NoResponse);
        settlement.asked(ProgressStatus::NotInProgress, false, failed);
        settlement.posted(signed_out());
        settlement.forbid_resend();
        let next = settlement.asked(ProgressStatus::NotInProgress, true, failed);
        assert!(matches!(next, Next::Refused(error) if error.code() == Code::Unauthorized));
    }

    #[test]
    fn no_word_is_given_on_what_this_page_has_not_sent() {
        let mut settlement = Settlement::new();
        settlement.forbid_resend();
        assert!(matches!(settlement.start(), Next::Ask { after_ms: 0 }));
        let next = settlement.asked(ProgressStatus::NotInProgress, false, failed);
        assert!(matches!(ask_on(&mut settlement, next, ProgressStatus::NotInProgress, false), Next::Unknown));
    }

    #[test]
    fn a_lost_answer_is_asked_for_and_posted_again_each_time_there_is_no_transfer() {
        let mut settlement = started();
        for after in ASK_AFTER_MS {
            assert!(
                matches!(settlement.posted(Posted::NoResponse), Next::Ask { after_ms } if after_ms == after)
            );
            assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Post));
        }
        let next = settlement.posted(Posted::NoResponse);
        assert!(matches!(next, Next::Ask { after_ms: 500 }), "the last POST is asked about too");
        assert!(matches!(ask_on(&mut settlement, next, ProgressStatus::NotInProgress, false), Next::Unknown));
    }

    #[test]
    fn nothing_is_refused_while_a_lost_post_may_arrive() {
        for (told, is_over) in [
            (ProgressStatus::NotInProgress, false),
            (ProgressStatus::Failed, false),
            (ProgressStatus::NotInProgress, true),
            (ProgressStatus::Failed, true),
        ] {
            let mut settlement = started();
            settlement.posted(Posted::NoResponse);
            settlement.asked(ProgressStatus::NotInProgress, false, failed);
            let next = settlement.posted(Posted::Refused(refusal()));
            let next = ask_on(&mut settlement, next, told, is_over);
            assert_eq!(matches!(next, Next::Refused(_)), is_over, "{told:?}");
            assert_eq!(matches!(next, Next::Unknown), !is_over, "{told:?}");
        }
    }

    #[test]
    fn a_quote_that_the_service_does_not_know_proves_nothing() {
        let mut settlement = Settlement::resumed();
        let next = settlement.start();
        assert!(matches!(ask_on(&mut settlement, next, ProgressStatus::UnknownQuote, true), Next::Unknown));
        for (code, is_refused) in [(Code::RecipientNotFound, false), (Code::QuoteHistoryNotFound, true)] {
            let mut settlement = started();
            let next = settlement.posted(Posted::Refused(Error::new(code)));
            let next = ask_on(&mut settlement, next, ProgressStatus::UnknownQuote, false);
            assert_eq!(matches!(next, Next::Refused(_)), is_refused);
        }
    }

    #[test]
    fn a_refused_token_is_no_word_on_the_transfer() {
        let mut settlement = started();
        assert!(matches!(settlement.posted(signed_out()), Next::Ask { after_ms: 0 }));
        assert!(matches!(
            settlement.asked(ProgressStatus::Created, false, failed),
            Next::Created { recovered: true }
        ));
        // The question had a new token, with which it goes once more.
        let mut settlement = started();
        settlement.posted(signed_out());
        assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Post));
        let next = settlement.posted(signed_out());
        assert!(matches!(
            ask_on(&mut settlement, next, ProgressStatus::NotInProgress, false),
            Next::NotProcessed(_)
        ));
        let mut settlement = started();
        let next = settlement.posted(signed_out());
        assert!(matches!(ask_on(&mut settlement, next, ProgressStatus::SignedOut, false), Next::Unknown));
        // What is forbidden is not sent again.
        let mut settlement = started();
        settlement.posted(Posted::NotProcessed(Error::new(Code::AccessDenied).from_reply(403, None)));
        assert!(matches!(
            settlement.asked(ProgressStatus::NotInProgress, false, failed),
            Next::NotProcessed(_)
        ));
        // After a lost answer it leaves everything open.
        let mut settlement = started();
        settlement.posted(Posted::NoResponse);
        settlement.asked(ProgressStatus::NotInProgress, false, failed);
        settlement.posted(signed_out());
        assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Post));
    }

    #[test]
    fn an_attempt_of_a_page_that_is_gone_asks_before_it_posts() {
        let mut settlement = Settlement::resumed();
        assert!(matches!(settlement.start(), Next::Ask { after_ms: 0 }));
        assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Post));
    }

    #[test]
    fn a_nonce_that_another_transfer_used_is_a_refusal_in_the_end() {
        let mut settlement = started();
        let mut next = settlement.posted(used());
        for after in ASK_AFTER_MS {
            assert!(matches!(next, Next::Ask { after_ms } if after_ms == after), "{next:?}");
            next = settlement.asked(ProgressStatus::NotInProgress, false, failed);
        }
        assert!(matches!(next, Next::Refused(error) if error.code() == Code::TransferDuplicatedByQuote));
    }

    #[test]
    fn nothing_is_posted_after_the_end_of_the_quote() {
        let expired = || Error::new(Code::QuoteExpired);
        assert!(matches!(Settlement::new().expire(expired()), Next::Refused(_)));
        for is_over in [false, true] {
            let mut settlement = Settlement::resumed();
            settlement.start();
            assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, is_over, failed), Next::Post));
            let next = settlement.expire(expired());
            let next = ask_on(&mut settlement, next, ProgressStatus::NotInProgress, is_over);
            assert_eq!(matches!(next, Next::Refused(error) if error.code() == Code::QuoteExpired), is_over);
        }
    }

    #[test]
    fn what_the_service_asks_to_wait_is_waited_up_to_a_bound() {
        let busy = |ms| Posted::Busy(Error::new(Code::TooManyRequests).with_retry_after_ms(Some(ms)));
        let mut settlement = started();
        assert!(matches!(settlement.posted(busy(7000)), Next::Ask { after_ms: 7000 }));
        assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Post));
        assert!(matches!(settlement.posted(busy(100)), Next::Ask { after_ms: 1000 }));
        settlement.asked(ProgressStatus::NotInProgress, false, failed);
        assert!(matches!(settlement.posted(busy(30_000)), Next::Ask { after_ms: 30_000 }));
        settlement.asked(ProgressStatus::NotInProgress, false, failed);
        let next = settlement.posted(busy(31_000));
        assert!(matches!(
            ask_on(&mut settlement, next, ProgressStatus::NotInProgress, false),
            Next::Refused(_)
        ));
    }

    #[test]
    fn an_attempt_that_ended_elsewhere_is_asked_for_and_never_posted() {
        let mut settlement = Settlement::ended_elsewhere(failed());
        assert!(matches!(settlement.start(), Next::Ask { after_ms: 0 }));
        assert!(matches!(
            settlement.asked(ProgressStatus::Unanswered, false, failed),
            Next::Ask { after_ms: 500 }
        ));
        assert!(matches!(
            settlement.asked(ProgressStatus::Created, false, failed),
            Next::Created { recovered: true }
        ));
        let mut settlement = Settlement::ended_elsewhere(failed());
        settlement.start();
        assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Refused(_)));
    }

    #[test]
    fn called_off_it_posts_nothing_more() {
        let mut settlement = started();
        settlement.forbid_resend();
        settlement.posted(Posted::NoResponse);
        assert!(matches!(settlement.asked(ProgressStatus::NotInProgress, false, failed), Next::Ask { .. }));
    }

    /// A service that may make the transfer at each POST, lose each answer, take a lost POST up any time
    /// later, and answer each question or not; and a browser that may repeat a POST by itself.
    #[derive(Clone, Debug)]
    struct Turn {
        commits: bool,
        repeated: bool,
        looks_at_limits_first: bool,
        signed_out: bool,
        answer_lost: bool,
        arrives_after: Option<u8>,
        fails: bool,
        told: u8,
    }

    fn turns() -> impl Strategy<Value = Vec<Turn>> {
        let turn = (any::<[bool; 6]>(), proptest::option::of(0..30u8), 0..8u8).prop_map(
            |(
                [commits, repeated, looks_at_limits_first, signed_out, answer_lost, fails],
                arrives_after,
                told,
            )| Turn {
                commits,
                repeated,
                looks_at_limits_first,
                signed_out,
                answer_lost,
                arrives_after,
                fails,
                told,
            },
        );
        proptest::collection::vec(turn, 24)
    }

    #[derive(Default)]
    struct Service {
        made: bool,
        failed: bool,
        /// The quote has ended: nothing is made any more.
        over: bool,
    }

    impl Service {
        fn serve(&mut self, turn: &Turn) -> Posted {
            match (self.made, turn) {
                (_, Turn { signed_out: true, .. }) => signed_out(),
                (true, Turn { looks_at_limits_first: true, .. }) => {
                    Posted::Refused(Error::new(Code::Max24HourSendAmountLimitReached))
                }
                (true, _) => used(),
                (false, _) if self.over => Posted::Refused(Error::new(Code::QuoteExpired)),
                (false, Turn { commits: true, .. }) => {
                    self.made = true;
                    Posted::Created
                }
                (false, Turn { fails, .. }) => {
                    self.failed |= *fails;
                    Posted::Refused(refusal())
                }
            }
        }
    }

    proptest! {
        /// Whatever the service does, what is reported as made is made, what is reported as refused is not
        /// and will not be, each POST but the first follows the service's word that there is no transfer, and
        /// there is an end.
        #[test]
        fn the_outcome_is_the_truth(turns in turns(), resumed: bool, committed_before: bool, ends_after in 0..40usize) {
            let mut service = Service { made: resumed && committed_before, ..Service::default() };
            let mut settlement = if resumed { Settlement::resumed() } else { Settlement::new() };
            let mut none_told = !resumed;
            // In how many turns each POST arrives that is on its way: perhaps one of a page before.
            let mut under_way: Vec<u8> = if resumed && !committed_before { vec![5] } else { Vec::new() };
            let mut next = settlement.start();
            for (at, turn) in turns.iter().enumerate() {
                service.over = at >= ends_after;
                let arrived = under_way.iter().filter(|turns| **turns == 0).count();
                under_way.retain(|turns| *turns > 0);
                under_way.iter_mut().for_each(|turns| *turns -= 1);
                service.made |= arrived > 0 && !service.over;
                next = match next {
                    Next::Post => {
                        prop_assert!(std::mem::take(&mut none_told));
                        if turn.answer_lost && let Some(turns) = turn.arrives_after {
                            under_way.push(turns);
                            settlement.posted(Posted::NoResponse)
                        } else {
                            let first = Turn { signed_out: turn.signed_out && !turn.repeated, ..turn.clone() };
                            let mut posted = service.serve(&first);
                            if turn.repeated {
                                posted = service.serve(turn);
                            }
                            settlement.posted(if turn.answer_lost { Posted::NoResponse } else { posted })
                        }
                    }
                    Next::Ask { .. } => {
                        let asked = match turn.told {
                            0 => ProgressStatus::SignedOut,
                            1 => ProgressStatus::Unanswered,
                            2 => ProgressStatus::Initializing,
                            _ if service.made => ProgressStatus::Created,
                            _ if service.failed => ProgressStatus::Failed,
                            _ => ProgressStatus::NotInProgress,
                        };
                        none_told = asked == ProgressStatus::NotInProgress;
                        settlement.asked(asked, service.over, failed)
                    }
                    Next::Created { .. } => { prop_assert!(service.made); return Ok(()) }
                    Next::Refused(_) | Next::NotProcessed(_) => {
                        prop_assert!(!service.made && (under_way.is_empty() || service.over));
                        return Ok(())
                    }
                    Next::Unknown => return Ok(()),
                };
            }
            let has_ended = !matches!(next, Next::Post | Next::Ask { .. });
            prop_assert!(has_ended, "no end: {next:?}");
        }
    }
}
