//! What a failure means, once the unit was run again, alone.

use super::attempt::Attempt;

/// A unit that is unstable twice within so many runs of its layer fails the run.
const TWICE_WITHIN: u64 = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It passed alone: a fault, but not one to lose a run for.
    Unstable,
    UnstableAgain {
        runs_ago: u64,
    },
    /// It was not repeated, as nothing excuses the failure.
    Certain,
    /// So much failed that it was not repeated.
    OneOfMany,
    /// It failed alone, too.
    Failed,
    /// It could not be repeated.
    NotRepeated,
}

/// Why there may be no second run.
#[derive(Clone, Copy)]
pub(super) enum Second<'a> {
    Run(&'a anyhow::Result<Attempt>),
    NeverExcused,
    TooMany,
}

/// `runs_ago` says when the unit was unstable before, counted in runs of its layer.
pub(super) fn judge(second: Second<'_>, runs_ago: Option<u64>) -> Verdict {
    match second {
        Second::NeverExcused => Verdict::Certain,
        Second::TooMany => Verdict::OneOfMany,
        Second::Run(Err(_)) => Verdict::NotRepeated,
        Second::Run(Ok(second)) if second.is_certain => Verdict::Certain,
        Second::Run(Ok(second)) if !second.has_passed() => Verdict::Failed,
        Second::Run(Ok(_)) => match runs_ago {
            Some(runs_ago) if runs_ago < TWICE_WITHIN => Verdict::UnstableAgain { runs_ago },
            _ => Verdict::Unstable,
        },
    }
}

impl Verdict {
    pub(super) fn passes(self) -> bool {
        self == Verdict::Unstable
    }

    pub(super) fn passed_alone(self) -> bool {
        matches!(self, Verdict::Unstable | Verdict::UnstableAgain { .. })
    }

    pub(super) fn reason(self) -> String {
        match self {
            Verdict::Unstable => "It passed when it ran alone.".to_owned(),
            Verdict::UnstableAgain { runs_ago } => {
                let before = match runs_ago {
                    0 => "when this run began".to_owned(),
                    1 => "in the run before".to_owned(),
                    _ => format!("{runs_ago} runs ago"),
                };
                format!(
                    "It passed when it ran alone, but was unstable {before}, too: twice within {TWICE_WITHIN} \
                     runs fails."
                )
            }
            Verdict::Certain => {
                "It is not run once more: what does the same each time never is, nor a broken rule, \
                nor what was chosen by name."
                    .to_owned()
            }
            Verdict::OneOfMany => "It was not repeated: too much failed for an accident.".to_owned(),
            Verdict::Failed => "It failed again when it ran alone.".to_owned(),
            Verdict::NotRepeated => "It could not be run again.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn a_failure_is_excused_if_it_passes_alone_and_did_not_fail_lately() {
        let passed = || Ok(Attempt { passed: 2, ..Attempt::default() });
        let again = |second: anyhow::Result<Attempt>, runs_ago| judge(Second::Run(&second), runs_ago);
        assert_eq!(again(passed(), None), Verdict::Unstable);
        assert_eq!(again(passed(), Some(20)), Verdict::Unstable);
        for runs_ago in [0, 1, 19] {
            assert_eq!(again(passed(), Some(runs_ago)), Verdict::UnstableAgain { runs_ago });
        }
        assert_eq!(again(Ok(Attempt::failed("another failure")), None), Verdict::Failed);
        // That no test is left to fail is no pass.
        assert_eq!(again(Ok(Attempt::default()), None), Verdict::Failed);
        assert_eq!(again(Err(anyhow!("no browser")), None), Verdict::NotRepeated);
        let broken = Attempt { is_certain: true, ..Attempt::failed("two transfers") };
        assert_eq!(again(Ok(broken), None), Verdict::Certain);
        assert_eq!(judge(Second::NeverExcused, None), Verdict::Certain);
        assert_eq!(judge(Second::TooMany, None), Verdict::OneOfMany);
    }

    #[test]
    fn only_what_is_unstable_for_once_passes() {
        let others = [Verdict::Certain, Verdict::OneOfMany, Verdict::Failed, Verdict::NotRepeated];
        assert!(Verdict::Unstable.passes());
        assert!(
            !Verdict::UnstableAgain { runs_ago: 3 }.passes() && !others.iter().any(|other| other.passes())
        );
    }
}
