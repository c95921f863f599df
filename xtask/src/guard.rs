//! The guard: a process that outlives us when we are killed outright, and ends what we had started.
//!
//! It reads `+group` and `-group` from its stdin, which the system closes with our death.

use std::collections::BTreeSet;
use std::io::BufRead;

use crate::children::end_groups;

pub(crate) fn watch() {
    let left = follow(std::io::stdin().lock());
    end_groups(&left, || {});
}

/// The groups still running at the end of `lines`.
fn follow(lines: impl BufRead) -> BTreeSet<i32> {
    let mut groups = BTreeSet::new();
    for line in lines.lines().map_while(Result::ok) {
        // Never 0 or 1: those would be our own group, and everybody.
        let group = |digits: &str| digits.parse().ok().filter(|group: &i32| *group > 1);
        if let Some(group) = line.strip_prefix('+').and_then(group) {
            groups.insert(group);
        } else if let Some(group) = line.strip_prefix('-').and_then(group) {
            groups.remove(&group);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_still_runs_is_left() {
        let lines = "+100\n+200\n-100\n+300\n";
        assert_eq!(follow(lines.as_bytes()), BTreeSet::from([200, 300]));
    }

    #[test]
    fn nothing_but_a_group_is_ever_signalled() {
        let lines = "+0\n+1\n+-5\nnonsense\n+\n+99999999999\n";
        assert!(follow(lines.as_bytes()).is_empty());
    }
}
