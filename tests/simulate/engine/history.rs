//! A history as data: who does what when, and what fails. Everything else follows from its seed.

use std::fmt::Write as _;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct History {
    pub(crate) seed: u64,
    pub(crate) pages: Vec<Page>,
    pub(crate) intents: Vec<Intent>,
    pub(crate) steps: Vec<Step>,
    pub(crate) faults: Vec<Fault>,
}

/// A tab. Pages with equal `journal` share a journal, those with equal `locks` their locks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Page {
    pub(crate) journal: u8,
    pub(crate) locks: u8,
    /// 0 and 1 are senders of the first service, 2 and 3 of the second.
    pub(crate) customer: u8,
    /// Whether the page configures the client with its sender's id.
    pub(crate) knows_sender: bool,
    pub(crate) worker: Worker,
    /// Whether it has a later version of the SDK, which writes its entries in another format.
    pub(crate) version: Version,
}

/// The format of a page's entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    #[default]
    Current,
    // Names another format, and changes nothing else.
    Newer,
    // Names another format, in which the present version can read no request.
    NewerUnreadable,
}

/// The service worker that answers a page's reads from its cache when the network fails; all pages that have
/// one share the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Worker {
    #[default]
    None,
    // Its cache finds the same address.
    Exact,
    // Its cache ignores queries.
    IgnoresQueries,
}

/// A transfer that a customer wants to happen once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Intent {
    pub(crate) customer: u8,
    /// The index among the customer's recipients.
    pub(crate) recipient: u8,
    /// The intent whose quote this one uses instead of its own.
    pub(crate) quote_of: Option<u8>,
    pub(crate) hold: bool,
    /// Whether the shop names the payment. Its customer may then be careless.
    pub(crate) is_named: bool,
}

/// What the customer of a page does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) at_ms: u64,
    pub(crate) page: u8,
    pub(crate) action: Action,
    /// The intent that the action is about, if it is about one.
    pub(crate) intent: u8,
    /// After how many milliseconds the customer aborts what can be aborted.
    pub(crate) abort: Option<u32>,
}

// No doc comments on the variants: rustfmt would spread each over several lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    // Resumes what is pending; prepares and submits where nothing is.
    Pay,
    Prepare,
    // Submits an attempt that this page holds, however old.
    Submit,
    Discard,
    // The page takes what it lists into its hands.
    HoldListed,
    // The loop over the pending transfers that the documentation shows.
    Resume,
    Reload { customer: u8 },
    // The page goes away after this many more awaits.
    Die { awaits: u32 },
    // The browser freezes the page after this many more awaits: it does nothing more, and keeps its locks.
    Freeze { awaits: u32 },
    // The customer duplicates the tab: that page opens with a copy of the journal.
    Duplicate { to: u8 },
    // The page's clock is wrong by this much from now on.
    Clock { off_by_s: i64 },
    CreateRecipient,
    CreateAccount,
    DeleteRecipient { recipient: u8 },
    DeleteAccount { recipient: u8 },
    Release,
    Cancel,
}

/// A fault that hits the n-th operation of its kind (from 0) of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) page: u8,
    pub(crate) nth: u8,
    pub(crate) kind: FaultKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FaultKind {
    Net(Target, NetFault),
    Journal(JournalOp, JournalFault),
    Token(TokenFault),
}

/// The kind of an operation, by which a page counts them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operation {
    Net(Target),
    Journal(JournalOp),
    Token,
}

/// The kind of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    #[default]
    Transfer,
    Progress,
    Nonce,
    Quote,
    Fields,
    ReadTransfer,
    Create,
    Delete,
    Hold,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NetFault {
    LoseRequest,
    LoseAnswer,
    // The page sees a network error, or nothing, and the request arrives this much later.
    Late { ms: u32, fails: bool },
    // The request takes this long to arrive, and is answered then.
    Slow { ms: u32 },
    SlowAnswer { ms: u32 },
    // The bytes of the answer arrive all this time.
    Trickle { ms: u32 },
    // The service takes this long before it commits.
    During { ms: u32 },
    // The browser repeats the request. The second answer counts: the service's, or this one.
    Twice { gap_ms: u32, second: Option<(u16, &'static str)> },
    // The request is answered, and a copy arrives later.
    Again { ms: u32 },
    // An answer in place of the service's, before or after the commit.
    Answer { status: u16, code: &'static str, commit: bool, retry_after_s: Option<u32> },
    // The body of a success is cut off in the middle.
    Garbled,
    // A cache between page and service answers with the nonce that the page load sent last.
    Replay,
    // The remittance provider refuses the transfer, which the progress then shows.
    ProviderFails,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JournalOp {
    Load,
    Save,
    Remove,
    Keys,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JournalFault {
    Fails,
    FailsAfter,
    Hangs,
    Lags { ms: u32, effect_first: bool },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenFault {
    Rejects,
    Stalls,
    Delays { ms: u32 },
    // The service refuses this token, this much later.
    EndsAfter { ms: u32 },
}

impl FaultKind {
    /// Returns the kind of the operations that it can hit.
    pub(crate) fn operation(self) -> Operation {
        match self {
            FaultKind::Net(target, _) => Operation::Net(target),
            FaultKind::Journal(op, _) => Operation::Journal(op),
            FaultKind::Token(_) => Operation::Token,
        }
    }

    /// Returns its duration, if it has one.
    pub(crate) fn ms_mut(&mut self) -> Option<&mut u32> {
        match self {
            FaultKind::Net(_, NetFault::Twice { gap_ms: ms, .. })
            | FaultKind::Net(
                _,
                NetFault::Late { ms, .. } | NetFault::Slow { ms } | NetFault::During { ms },
            )
            | FaultKind::Net(
                _,
                NetFault::SlowAnswer { ms } | NetFault::Trickle { ms } | NetFault::Again { ms },
            )
            | FaultKind::Journal(_, JournalFault::Lags { ms, .. })
            | FaultKind::Token(TokenFault::Delays { ms } | TokenFault::EndsAfter { ms }) => Some(ms),
            _ => None,
        }
    }
}

impl History {
    /// Whether a tab is duplicated, and with it the journal.
    pub(crate) fn has_copies(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.action, Action::Duplicate { .. }))
    }

    /// Returns the amount of an intent, which identifies it; an intent with another's quote has that one's
    /// amount. Some held transfers are so large that the system holds them too.
    pub(crate) fn amount(&self, intent: usize) -> i64 {
        let root = self.intents[intent].quote_of.map_or(intent, usize::from);
        let is_large = self.intents[root].hold && self.seed.is_multiple_of(3);
        (if is_large { 250_000 } else { 10_300 }) + 171 * root as i64
    }

    /// Returns the history as a test of `found.rs`, named for the rule that it breaks.
    pub(crate) fn as_test(&self, rule: &str) -> String {
        let History { seed, pages, intents, steps, faults } = self;
        let name = rule.replace("'s", "s").replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
        let mut out =
            format!("#[test]\nfn {name}_{seed}() {{\n    history({seed}, &{pages:?}, &{intents:?})\n");
        for Step { at_ms, page, action, intent, abort } in steps {
            let _ = match intent {
                0 => writeln!(out, "        .step({at_ms}, {page}, {action:?})"),
                _ => writeln!(out, "        .step_of({at_ms}, {page}, {action:?}, {intent})"),
            };
            let _ = abort.map_or(Ok(()), |ms| writeln!(out, "        .aborted({ms})"));
        }
        for Fault { page, nth, kind } in faults {
            let _ = writeln!(out, "        .fault({page}, {nth}, {kind:?})");
        }
        out + "        .assert_clean();\n}"
    }
}
