use crate::api::Error;

/// Decides whether a text is a CSS color; in a browser, `remitkit::browser::is_color`.
pub type IsColor<'a> = &'a dyn Fn(&str) -> bool;

/// A type of theme parameters whose values only parsing makes.
pub(super) trait Value: Sized {
    /// The type's own name, for errors outside a theme.
    const NAME: &'static str;
    /// What a value must be.
    const EXPECTED: &'static str;

    /// Returns the value of a text, if it is one.
    fn of(text: &str, is_color: IsColor<'_>) -> Option<Self>;

    /// Returns the value as it is sent, before percent-encoding.
    fn text(&self) -> &str;

    /// Returns the value of a text.
    ///
    /// # Errors
    /// `configuration`, naming the type and what is expected.
    fn parsed(text: &str, is_color: IsColor<'_>) -> Result<Self, Error> {
        Self::of(text, is_color).ok_or_else(|| Error::configuration(Self::NAME, Self::EXPECTED))
    }
}

/// Shows a [`Value`] to callers: `as_str` and `Display`.
macro_rules! shown {
    ($Name:ident) => {
        impl $Name {
            /// Returns the value as the form gets it.
            pub fn as_str(&self) -> &str {
                $crate::card::theme::value::Value::text(self)
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(super) use shown;

/// Implements `FromStr` for a [`Value`] whose text alone says whether it is one.
macro_rules! from_text {
    ($Name:ident) => {
        impl std::str::FromStr for $Name {
            type Err = $crate::api::Error;

            /// Fails with `configuration`, naming the type and what is expected.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::card::theme::value::Value::parsed(text, &|_| false)
            }
        }
    };
}
pub(super) use from_text;

/// Declares a [`Value`] that is one of a few names.
macro_rules! choice {
    ($(#[$meta:meta])* $Name:ident, $expected:literal {
        $( $(#[$variant_meta:meta])* $Variant:ident = $text:literal ),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $Name {
            $( $(#[$variant_meta])* #[doc = concat!("\n\nAs text: `", $text, "`.")] $Variant, )*
        }

        impl $crate::card::theme::value::Value for $Name {
            const NAME: &'static str = stringify!($Name);
            const EXPECTED: &'static str = $expected;

            fn of(text: &str, _: $crate::card::theme::value::IsColor<'_>) -> Option<Self> {
                match text {
                    $( $text => Some(Self::$Variant), )*
                    _ => None,
                }
            }

            fn text(&self) -> &str {
                match self {
                    $( Self::$Variant => $text, )*
                }
            }
        }

        $crate::card::theme::value::shown!($Name);
        $crate::card::theme::value::from_text!($Name);
    };
}
pub(super) use choice;

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::card::theme::color::tests::engine;

    #[track_caller]
    pub(in crate::card::theme) fn assert_accepts<T: Value>(expected: bool, texts: &[&str]) {
        for text in texts {
            match T::parsed(text, &engine) {
                Ok(_) => assert!(expected, "{} takes {text}", T::NAME),
                Err(error) => {
                    assert!(!expected, "{text}: {error}");
                    assert_eq!(error.kind(), crate::api::Kind::Configuration);
                    assert_eq!(error.option(), Some(T::NAME));
                    assert_eq!(error.message(), format!("{} must be {}.", T::NAME, T::EXPECTED));
                }
            }
        }
    }
}
