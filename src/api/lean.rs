//! What the standard library does too, with less code in the module.

/// All items. `Iterator::collect` asks for the first one apart, to guess the room, and so has the iterator's
/// work twice.
pub(crate) fn collect<T>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    items.for_each(|item| list.push(item));
    list
}

/// Whether the text stands somewhere in the other. `str::contains` brings a searcher along that is fast on
/// long texts.
pub(crate) fn is_within(text: &str, whole: &str) -> bool {
    !text.is_empty() && whole.as_bytes().windows(text.len()).any(|part| part == text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_wherever_it_stands() {
        for whole in ["abc", "xabc", "abcx", "ababc"] {
            assert!(is_within("abc", whole));
        }
        for whole in ["", "ab", "abxc", "ABC"] {
            assert!(!is_within("abc", whole));
        }
        assert!(!is_within("", "abc"));
        assert_eq!(collect([1, 2].into_iter().filter(|n| *n > 1)), [2]);
    }
}
