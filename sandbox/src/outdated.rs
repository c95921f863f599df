//! Rows that make room for newer ones, so that a sandbox that runs for days does not grow.

/// Rows are looked through this many at a time.
const PART: i64 = 256;

/// The first and the last number of the rows that are no longer among the `keep` newest, now that there is
/// one of this number; nothing until a part of them has come together. Each row is looked at once: what stays
/// for good, such as a quote that made a transfer, would otherwise make each look longer than the last.
pub(crate) fn outdated_by(number: i64, keep: i64) -> Option<[i64; 2]> {
    let last = number - keep;
    (number % PART == 0 && last > 0).then_some([last - PART + 1, last])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_looked_at_once_when_it_is_too_old() {
        let mut next = 1;
        for number in 1..=3_000 {
            let Some([first, last]) = outdated_by(number, 300) else { continue };
            assert!(first <= next, "none is left out");
            assert!(last <= number - 300, "the newest 300 stay");
            next = last + 1;
        }
        assert!(next > 3_000 - 300 - PART);
    }
}
