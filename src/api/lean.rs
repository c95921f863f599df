//! Replacements for standard functions that would bring more code into the module.

/// Collects all items. `Iterator::collect` inlines the iterator twice: it takes the first item separately to
/// guess the capacity.
pub(crate) fn collect<T>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    items.for_each(|item| list.push(item));
    list
}

/// Returns whether `whole` contains the non-empty text. `str::contains` brings a searcher for long texts.
pub(crate) fn is_within(text: &str, whole: &str) -> bool {
    !text.is_empty() && whole.as_bytes().windows(text.len()).any(|part| part == text.as_bytes())
}
