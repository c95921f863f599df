//! How a transfer is brought to one certain outcome: a pure automaton, driven by what was posted and
//! what `/transfers/progress` told.

use crate::api::{Code, Error, Kind};

/// After each of these the progress is asked for once.
pub(super) const ASK_AFTER_MS: [u32; 6] = [500, 1000, 2000, 4000, 8000, 15_000];
/// The longest `Retry-After` that is waited for.
const LONGEST_PATIENCE_MS: u64 = 30_000;

/// What a POST of the attempt led to.
#[derive(Debug)]
pub enum Posted {
    /// The transfer was made.
    Created,
    /// The service refused it for a reason of its own.
    Refused(Error),
    /// The service says that its quote or nonce was used already. That can mean this very attempt, as a browser may itself repeat
    /// a POST.
    Used(Error),
    /// The service answered, but the transfer may have been made all the same: a 429 or 5xx can come after the deed.
    Doubtful(Error),
    /// It had no valid token, or was not sent after all: no word on the transfer.
    Undone(Error),
    /// The answer was lost, or says nothing.
    Lost,
}

/// What `/transfers/progress` told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The transfer was made.
    Created,
    /// It could not be made.
    Failed,
    /// It is being made.
    Initializing,
    /// There is none.
    NotInProgress,
    /// Nothing was told for want of a valid token.
    SignedOut,
    /// No answer, or one that says nothing.
    Unanswered,
}

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
    /// The transfer was made.
    Created {
        /// Whether that was learnt from the progress.
        recovered: bool,
    },
    /// No transfer was made, and none will be.
    Refused(Error),
    /// Nothing was done, for want of a valid token. The attempt can be submitted as it is.
    Undone(Error),
    /// It could not be learnt. The attempt can be resumed.
    Unknown,
}

/// The way of one attempt to its outcome.
#[derive(Debug)]
pub struct Settlement {
    /// Whether an answer that there is no transfer allows to post again. Each POST has the same bytes, quote and nonce.
    may_post: bool,
    /// Whether a POST of this attempt may have reached the service without an answer.
    in_doubt: bool,
    asked: usize,
    refusal: Option<Error>,
    /// Whether the refusal is one that the service makes only where there is no transfer.
    plainly_refused: bool,
    /// The error of a first POST that had no valid token.
    signed_out: Option<Error>,
    /// What was told since the last POST.
    last: Option<Asked>,
}

impl Settlement {
    /// The way of an attempt of which nothing was sent yet.
    #[must_use]
    pub fn new() -> Self {
        Settlement {
            may_post: true,
            in_doubt: false,
            asked: 0,
            refusal: None,
            plainly_refused: false,
            signed_out: None,
            last: None,
        }
    }

    /// The way of an attempt that was sent before, by a page that is gone.
    #[must_use]
    pub fn resumed() -> Self {
        Settlement { in_doubt: true, ..Settlement::new() }
    }

    /// The way of an attempt that another page has brought to its end: what became of it is asked, and nothing is posted. `failed`
    /// is the outcome where no transfer was made.
    #[must_use]
    pub fn ended_elsewhere(failed: Error) -> Self {
        let refusal = Some(failed);
        Settlement { may_post: false, plainly_refused: true, refusal, ..Settlement::resumed() }
    }

    /// What to do first.
    pub fn start(&mut self) -> Next {
        if self.in_doubt { Next::Ask { after_ms: 0 } } else { Next::Post }
    }

    /// Nothing may be posted any more: the caller has called it off.
    pub fn call_off(&mut self) {
        self.may_post = false;
    }

    /// After a POST.
    pub fn posted(&mut self, posted: Posted) -> Next {
        self.last = None;
        match posted {
            Posted::Created => Next::Created { recovered: false },
            Posted::Refused(error) if !self.in_doubt && !follows_from_transfers(&error) => {
                Next::Refused(error)
            }
            // An earlier POST may have made the transfer, and this refusal be its consequence.
            Posted::Refused(error) if self.in_doubt => self.doubt(Some(error), true).ask(),
            // So may this very one, if the browser has repeated it by itself.
            Posted::Refused(error) => {
                self.doubt(Some(error), true);
                Next::Ask { after_ms: 0 }
            }
            Posted::Used(error) => {
                self.may_post = false;
                self.doubt(Some(error), false).ask()
            }
            Posted::Doubtful(error) => {
                let patience_ms = error.retry_after_ms().unwrap_or(0);
                // To be asked for more patience than a customer has is a refusal.
                let is_refused = patience_ms > LONGEST_PATIENCE_MS;
                match self.doubt(Some(error), is_refused).ask() {
                    Next::Ask { after_ms } if !is_refused => {
                        Next::Ask { after_ms: u32::try_from(patience_ms).unwrap_or(0).max(after_ms) }
                    }
                    next => next,
                }
            }
            // The browser may have repeated a POST by itself and have got this for the second copy: it is asked once.
            Posted::Undone(error) if !self.in_doubt => {
                self.doubt(None, false).signed_out = Some(error);
                Next::Ask { after_ms: 0 }
            }
            Posted::Undone(_) => self.doubt(None, false).ask(),
            Posted::Lost => self.doubt(None, false).ask(),
        }
    }

    /// After the progress was asked for. `under_way` says whether a POST whose answer was lost may still reach the service; `failed`
    /// is the error for a transfer that could not be made.
    pub fn asked(&mut self, asked: Asked, under_way: bool, failed: impl FnOnce() -> Error) -> Next {
        let before = self.last.replace(asked);
        match asked {
            Asked::Created => Next::Created { recovered: true },
            Asked::Failed => {
                Next::Refused(self.refusal.take().filter(|_| self.plainly_refused).unwrap_or_else(failed))
            }
            // While a POST may be on its way, no transfer now does not mean none later.
            Asked::NotInProgress if self.plainly_refused && !under_way => self.refuse(),
            Asked::NotInProgress if self.plainly_refused => self.ask(),
            Asked::NotInProgress if self.signed_out.is_some() => {
                self.signed_out.take().map_or(Next::Unknown, Next::Undone)
            }
            // Without a token there is nothing to learn.
            Asked::SignedOut if before == Some(Asked::SignedOut) => Next::Unknown,
            Asked::NotInProgress if self.may_post => {
                // The last question allows a last POST.
                self.may_post = self.asked < ASK_AFTER_MS.len();
                Next::Post
            }
            Asked::NotInProgress | Asked::Initializing | Asked::SignedOut | Asked::Unanswered => self.ask(),
        }
    }

    /// Whether a transfer may have been made without our knowing.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        self.in_doubt
    }

    fn doubt(&mut self, refusal: Option<Error>, plain: bool) -> &mut Self {
        self.in_doubt = true;
        self.signed_out = None;
        self.refusal = refusal;
        self.plainly_refused = plain;
        self
    }

    fn ask(&mut self) -> Next {
        match ASK_AFTER_MS.get(self.asked) {
            Some(after_ms) => {
                self.asked += 1;
                Next::Ask { after_ms: *after_ms }
            }
            // What became of the last POST is still to be asked.
            None if self.last.is_none() => Next::Ask { after_ms: 500 },
            // The service answered the POST, and keeps saying that there is no transfer: a nonce used for something else, say.
            None if self.last == Some(Asked::NotInProgress) => self.refuse(),
            None => Next::Unknown,
        }
    }

    fn refuse(&mut self) -> Next {
        self.refusal.take().map_or(Next::Unknown, Next::Refused)
    }
}

/// Whether transfers that were made can be the reason of a refusal, this attempt's own among them.
fn follows_from_transfers(refusal: &Error) -> bool {
    refusal.kind() == Kind::Limit || refusal.code() == Code::InsufficientFunds
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
        Posted::Used(Error::new(Code::TransferDuplicatedByQuote))
    }

    #[test]
    fn a_plain_answer_is_final() {
        let mut way = Settlement::new();
        assert!(matches!(way.start(), Next::Post));
        assert!(matches!(way.posted(Posted::Created), Next::Created { recovered: false }));
        let mut way = Settlement::new();
        way.start();
        assert!(matches!(way.posted(Posted::Refused(refusal())), Next::Refused(_)));
    }

    #[test]
    fn a_lost_answer_is_asked_for_and_posted_again_each_time_there_is_no_transfer() {
        let mut way = Settlement::new();
        way.start();
        for after in ASK_AFTER_MS {
            assert!(matches!(way.posted(Posted::Lost), Next::Ask { after_ms } if after_ms == after));
            assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Post));
        }
        assert!(matches!(way.posted(Posted::Lost), Next::Ask { .. }));
        assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Unknown));

        let mut way = Settlement::new();
        way.start();
        way.posted(Posted::Lost);
        way.asked(Asked::NotInProgress, false, failed);
        assert!(matches!(way.posted(used()), Next::Ask { after_ms: 1000 }));
        assert!(matches!(way.asked(Asked::Created, false, failed), Next::Created { recovered: true }));
    }

    #[test]
    fn a_refusal_after_a_lost_answer_is_believed_only_when_what_was_lost_can_no_longer_arrive() {
        let refused = || {
            let mut way = Settlement::new();
            way.start();
            way.posted(Posted::Lost);
            way.asked(Asked::NotInProgress, true, failed);
            assert!(matches!(way.posted(Posted::Refused(refusal())), Next::Ask { .. }));
            assert!(matches!(way.asked(Asked::NotInProgress, true, failed), Next::Ask { .. }));
            way
        };
        assert!(matches!(refused().asked(Asked::Created, true, failed), Next::Created { recovered: true }));
        assert!(matches!(refused().asked(Asked::NotInProgress, false, failed), Next::Refused(_)));
        // The questions end later than anything lost arrives.
        let mut way = refused();
        let mut next = Next::Ask { after_ms: 0 };
        while matches!(next, Next::Ask { .. }) {
            next = way.asked(Asked::NotInProgress, true, failed);
        }
        assert!(matches!(next, Next::Refused(_)));
    }

    #[test]
    fn a_refused_token_is_no_word_on_the_transfer() {
        let signed_out = || Posted::Undone(Error::new(Code::Unauthorized));
        for told in [Asked::Created, Asked::NotInProgress, Asked::SignedOut] {
            let mut way = Settlement::new();
            way.start();
            assert!(matches!(way.posted(signed_out()), Next::Ask { after_ms: 0 }));
            let next = way.asked(told, false, failed);
            match told {
                Asked::Created => assert!(matches!(next, Next::Created { recovered: true })),
                Asked::NotInProgress => assert!(matches!(next, Next::Undone(_))),
                _ => {
                    assert!(matches!(next, Next::Ask { after_ms: 500 }));
                    assert!(matches!(way.asked(Asked::SignedOut, false, failed), Next::Unknown));
                }
            }
        }
        // After a lost answer it leaves everything open.
        let mut way = Settlement::new();
        way.start();
        way.posted(Posted::Lost);
        way.asked(Asked::NotInProgress, false, failed);
        way.posted(signed_out());
        assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Post));
    }

    #[test]
    fn an_attempt_of_a_page_that_is_gone_asks_before_it_posts() {
        let mut way = Settlement::resumed();
        assert!(matches!(way.start(), Next::Ask { after_ms: 0 }));
        assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Post));
    }

    #[test]
    fn a_nonce_that_another_transfer_used_is_a_refusal_in_the_end() {
        let mut way = Settlement::new();
        way.start();
        let mut next = way.posted(used());
        for _ in 0..20 {
            next = match next {
                Next::Ask { .. } => way.asked(Asked::NotInProgress, false, failed),
                Next::Post => way.posted(used()),
                end => {
                    assert!(
                        matches!(end, Next::Refused(error) if error.code() == Code::TransferDuplicatedByQuote)
                    );
                    return;
                }
            };
        }
        panic!("no end");
    }

    #[test]
    fn a_refusal_that_transfers_bring_about_is_believed_only_when_there_is_no_transfer() {
        for code in [Code::Max24HourTransferCountLimitReached, Code::InsufficientFunds] {
            for (told, created) in [(Asked::Created, true), (Asked::NotInProgress, false)] {
                let mut way = Settlement::new();
                way.start();
                let next = way.posted(Posted::Refused(Error::new(code.clone())));
                assert!(matches!(next, Next::Ask { after_ms: 0 }));
                let next = way.asked(told, false, failed);
                assert_eq!(matches!(next, Next::Created { recovered: true }), created);
                assert_eq!(matches!(next, Next::Refused(error) if error.code() == code), !created);
            }
        }
    }

    #[test]
    fn what_the_service_asks_to_wait_is_waited_up_to_a_bound() {
        let busy = |ms| Posted::Doubtful(Error::new(Code::TooManyRequests).with_retry_after_ms(Some(ms)));
        let mut way = Settlement::new();
        way.start();
        assert!(matches!(way.posted(busy(7000)), Next::Ask { after_ms: 7000 }));
        assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Post));
        assert!(matches!(way.posted(busy(100)), Next::Ask { after_ms: 1000 }));
        way.asked(Asked::NotInProgress, false, failed);
        assert!(matches!(way.posted(busy(31_000)), Next::Ask { after_ms: 2000 }));
        assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Refused(_)));
    }

    #[test]
    fn an_attempt_that_ended_elsewhere_is_asked_for_and_never_posted() {
        let mut way = Settlement::ended_elsewhere(failed());
        assert!(matches!(way.start(), Next::Ask { after_ms: 0 }));
        assert!(matches!(way.asked(Asked::Unanswered, false, failed), Next::Ask { after_ms: 500 }));
        assert!(matches!(way.asked(Asked::Created, false, failed), Next::Created { recovered: true }));
        let mut way = Settlement::ended_elsewhere(failed());
        way.start();
        assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Refused(_)));
    }

    #[test]
    fn called_off_it_posts_nothing_more() {
        let mut way = Settlement::new();
        way.start();
        way.call_off();
        way.posted(Posted::Lost);
        assert!(matches!(way.asked(Asked::NotInProgress, false, failed), Next::Ask { .. }));
    }

    /// A service that may make the transfer at each POST, lose each answer, take a lost POST up only later, and answer each question or
    /// not; and a browser that may repeat a POST by itself.
    #[derive(Clone, Debug)]
    struct Turn {
        commits: bool,
        repeated: bool,
        looks_at_limits_first: bool,
        signed_out: bool,
        answer_lost: bool,
        arrives_later: bool,
        unanswered: bool,
        initializing: bool,
    }

    fn turns() -> impl Strategy<Value = Vec<Turn>> {
        let turn = any::<[bool; 8]>().prop_map(
            |[
                commits,
                repeated,
                looks_at_limits_first,
                signed_out,
                answer_lost,
                arrives_later,
                unanswered,
                initializing,
            ]| Turn {
                commits,
                repeated,
                looks_at_limits_first,
                signed_out,
                answer_lost,
                arrives_later,
                unanswered,
                initializing,
            },
        );
        proptest::collection::vec(turn, 24)
    }

    /// What the service answers to a POST.
    fn served(made: &mut bool, turn: &Turn) -> Posted {
        match (std::mem::replace(made, *made || turn.commits), turn) {
            (true, Turn { looks_at_limits_first: true, .. }) => {
                Posted::Refused(Error::new(Code::Max24HourSendAmountLimitReached))
            }
            (true, _) => used(),
            (false, Turn { commits: true, .. }) => Posted::Created,
            (false, _) => Posted::Refused(refusal()),
        }
    }

    proptest! {
        /// Whatever the service does, what is reported as made is made, what is reported as refused is not and will not be, each POST
        /// but the first follows the service's word that there is no transfer, and there is an end.
        #[test]
        fn the_outcome_is_the_truth(turns in turns(), resumed: bool, committed_before: bool) {
            let mut made = resumed && committed_before;
            let mut way = if resumed { Settlement::resumed() } else { Settlement::new() };
            let mut none_told = !resumed;
            // In how many turns a POST arrives that is on its way, and for how many more the caller reckons with one.
            let mut under_way = Vec::new();
            let mut reckoned = 0u32;
            let mut next = way.start();
            for turn in turns {
                reckoned = reckoned.saturating_sub(1);
                under_way.iter_mut().for_each(|turns: &mut u32| *turns -= 1);
                made |= under_way.contains(&0);
                under_way.retain(|turns| *turns > 0);
                next = match next {
                    Next::Post => {
                        prop_assert!(std::mem::take(&mut none_told));
                        if turn.answer_lost && turn.arrives_later && !made {
                            under_way.push(2);
                            reckoned = 3;
                            way.posted(Posted::Lost)
                        } else {
                            let mut posted = if turn.signed_out && !turn.repeated {
                                Posted::Undone(Error::new(Code::Unauthorized))
                            } else {
                                served(&mut made, &turn)
                            };
                            if turn.repeated {
                                posted = if turn.signed_out {
                                    Posted::Undone(Error::new(Code::Unauthorized))
                                } else {
                                    served(&mut made, &turn)
                                };
                            }
                            if turn.answer_lost {
                                reckoned = 3;
                                posted = Posted::Lost;
                            }
                            way.posted(posted)
                        }
                    }
                    Next::Ask { .. } => {
                        let asked = match (turn.unanswered, turn.initializing, made) {
                            (true, true, _) => Asked::SignedOut,
                            (true, ..) => Asked::Unanswered,
                            (_, true, _) => Asked::Initializing,
                            (_, _, true) => Asked::Created,
                            (_, _, false) => Asked::NotInProgress,
                        };
                        none_told = asked == Asked::NotInProgress;
                        way.asked(asked, reckoned > 0, failed)
                    }
                    Next::Created { .. } => { prop_assert!(made); return Ok(()) }
                    Next::Refused(_) | Next::Undone(_) => {
                        prop_assert!(!made && under_way.is_empty());
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
