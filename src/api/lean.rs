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

/// Returns a text of what `change` makes of each character. One loop for all changes: each inlined one decodes
/// and encodes by itself.
pub(crate) fn changed(text: &str, change: &dyn Fn(char) -> Option<char>) -> String {
    let mut changed = String::new();
    text.chars().filter_map(change).for_each(|c| changed.push(c));
    changed
}
