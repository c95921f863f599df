//! The safeguards that a build with `--cfg remitkit_optional_safeguards` can disable.

#[cfg(remitkit_optional_safeguards)]
pub(crate) use remitkit::client::Safeguard;

/// No safeguard can be disabled in this build.
#[cfg(not(remitkit_optional_safeguards))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safeguard {}

#[cfg(not(remitkit_optional_safeguards))]
impl Safeguard {
    pub(crate) const ALL: &[Safeguard] = &[];
}

/// Returns the name of a safeguard in kebab case, as the command line takes it.
pub(crate) fn name_of(safeguard: Safeguard) -> String {
    let mut name = String::new();
    for letter in format!("{safeguard:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
