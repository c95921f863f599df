//! The safeguards that a build with the feature `weakened` can do without.

#[cfg(feature = "weakened")]
pub(crate) use remitkit::client::Weakness;

/// Nothing is missing.
#[cfg(not(feature = "weakened"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weakness {}

#[cfg(not(feature = "weakened"))]
impl Weakness {
    pub(crate) const ALL: &[Weakness] = &[];
}

/// The name of a safeguard, as a person types it.
pub(crate) fn name_of(weakness: Weakness) -> String {
    let mut name = String::new();
    for letter in format!("{weakness:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
