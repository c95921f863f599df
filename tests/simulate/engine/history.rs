//! A history as data: who does what when, and what fails. Everything else follows from its seed.

/// What happens in one run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct History {
    pub(crate) seed: u64,
    pub(crate) pages: Vec<Page>,
    pub(crate) intents: Vec<Intent>,
    pub(crate) steps: Vec<Step>,
    pub(crate) faults: Vec<Fault>,
}

/// A tab. Pages with one journal share it, and so do those with one domain of locks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Page {
    pub(crate) journal: u8,
    pub(crate) locks: u8,
    /// 0 and 1 are senders of the first service, 2 and 3 of the second.
    pub(crate) customer: u8,
    /// Whether it tells the client whose its tokens are.
    pub(crate) tells_sender: bool,
}

/// A transfer that a customer wants to happen once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Intent {
    pub(crate) customer: u8,
    /// Which of the customer's recipients.
    pub(crate) recipient: u8,
    /// The intent whose quote this one takes, instead of one of its own.
    pub(crate) quote_of: Option<u8>,
    pub(crate) hold: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) at_ms: u64,
    pub(crate) page: u8,
    pub(crate) act: Act,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    /// Pays as a customer does: resumes what is pending, and prepares and submits where nothing is.
    Pay {
        intent: u8,
        abort: Option<u32>,
    },
    Prepare {
        intent: u8,
    },
    /// Submits an attempt that this page holds, however old.
    Submit {
        intent: u8,
        abort: Option<u32>,
    },
    Discard {
        intent: u8,
    },
    /// The loop over the pending transfers that the documentation shows.
    Resume {
        abort: Option<u32>,
    },
    /// The page goes away and comes back.
    Reload {
        customer: u8,
    },
    /// The page goes away at so many awaits from now.
    Die {
        awaits: u32,
    },
    /// The page's clock is set to be wrong by so much.
    Clock {
        off_by_s: i64,
    },
    CreateRecipient {
        abort: Option<u32>,
    },
    CreateAccount {
        abort: Option<u32>,
    },
    DeleteRecipient {
        recipient: u8,
        abort: Option<u32>,
    },
    DeleteAccount {
        recipient: u8,
        abort: Option<u32>,
    },
    Release {
        intent: u8,
        abort: Option<u32>,
    },
    Cancel {
        intent: u8,
        abort: Option<u32>,
    },
}

/// Something that goes wrong, at the n-th occasion (from 0) of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) page: u8,
    pub(crate) nth: u8,
    pub(crate) what: What,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum What {
    Net(Target, Net),
    Disk(Op, Disk),
    Source(Source),
}

/// Which request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
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
pub(crate) enum Net {
    /// It never arrives.
    LoseRequest,
    LoseAnswer,
    /// The page is told of a network error, or of nothing, and it arrives so much later.
    Late {
        ms: u32,
        told: bool,
    },
    /// It takes this long to arrive, and is answered then.
    Slow {
        ms: u32,
    },
    SlowAnswer {
        ms: u32,
    },
    /// The service takes this long before it commits.
    During {
        ms: u32,
    },
    /// The browser repeats it; the second answer counts, maybe given before the check for duplicates.
    Twice {
        gap_ms: u32,
        second: Option<(u16, &'static str)>,
    },
    /// It is answered, and another copy arrives later.
    Again {
        ms: u32,
    },
    /// An answer instead of the service's own, before or after the commit.
    Answer {
        status: u16,
        code: &'static str,
        commit: bool,
        retry_after_s: Option<u32>,
    },
    /// The success breaks off in the middle.
    Garbled,
    /// The remittance provider refuses this copy, which the progress then tells.
    ProviderFails,
}

/// Which step of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Load,
    Save,
    Remove,
    Keys,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Disk {
    Fails,
    FailsAfter,
    Hangs,
    Lags { ms: u32, effect_first: bool },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Rejects,
    Stalls,
    Delays {
        ms: u32,
    },
    /// The service refuses this token.
    Ended,
    /// The service refuses this token from so much later on.
    EndsAfter {
        ms: u32,
    },
}

impl History {
    /// The amount tells intents apart; one with another's quote has its amount. Some that are held are so large
    /// that the system holds them too.
    pub(crate) fn amount(&self, intent: usize) -> i64 {
        let root = self.intents[intent].quote_of.map_or(intent, usize::from);
        let is_large = self.intents[root].hold && self.seed.is_multiple_of(3);
        (if is_large { 250_000 } else { 10_300 }) + 171 * root as i64
    }
}

/// A history as a test of `found.rs`.
pub(crate) fn as_test(history: &History, rule: &str) -> String {
    use std::fmt::Write as _;

    let History { seed, pages, intents, steps, faults } = history;
    let mut out = String::new();
    let name = rule.replace("'s", "s").replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let _ =
        writeln!(out, "#[test]\nfn {name}_{seed}() {{\n    let history = History {{\n        seed: {seed},");
    let mut list = |name: &str, items: Vec<String>| {
        let _ = writeln!(out, "        {name}: vec![");
        items.iter().for_each(|item| {
            let _ = writeln!(out, "            {item},");
        });
        let _ = writeln!(out, "        ],");
    };
    fn debug<T: std::fmt::Debug>(items: &[T]) -> Vec<String> {
        items.iter().map(|item| format!("{item:?}")).collect()
    }
    list("pages", debug(pages));
    list("intents", debug(intents));
    list("steps", debug(steps));
    list("faults", debug(faults));
    let _ = writeln!(out, "    }};\n    assert_eq!(findings(&history), []);\n}}");
    out
}
