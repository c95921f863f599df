//! Which rows to delete so that a sandbox that runs for days does not grow.

const CHUNK: i64 = 256;

/// Returns the first and last number of a chunk of rows that are no longer among the `keep` newest, or `None`
/// until a chunk is complete. Each row is in one chunk only: rows that stay for good, such as used quotes,
/// would otherwise make every scan longer.
pub(crate) fn expired_rows(newest: i64, keep: i64) -> Option<[i64; 2]> {
    let last = newest - keep;
    (newest % CHUNK == 0 && last > 0).then_some([last - CHUNK + 1, last])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_every_row_older_than_the_kept_ones() {
        let mut next = 1;
        for newest in 1..=3_000 {
            let Some([first, last]) = expired_rows(newest, 300) else { continue };
            assert!(first <= next && last <= newest - 300);
            next = last + 1;
        }
        assert!(next > 3_000 - 300 - CHUNK);
    }
}
