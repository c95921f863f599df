//! Macros that derive a resource's Rust type, shape, reader and writer from one declaration.

use super::json::{Codec, JsonRef};

/// Declares an object of the interface. `optional` members may be absent or `null`. `as` names the shape of a
/// member that the service sends in more forms than its type has, `=` the method that sets the member. The
/// `Debug` of a `private` type shows only its name, because it holds personal data or a secret. `unread`
/// lists optional texts that the service sends and only JavaScript can read. A record `without serde` writes out
/// how it is deserialized. The docs are also those of the package's types, so they call members by their wire
/// names.
macro_rules! record {
    ($(#[$($meta:tt)*])* private $Name:ident { $($body:tt)* } $(unread $unread:tt)? $(without $serde:ident)?) => {
        $crate::api::record::record!(
            @define [#[derive(Clone, PartialEq)] $(#[$($meta)*])*]
            $Name { $($body)* } $(unread $unread)?
        );
        $crate::api::record::record!(@serde $Name $($serde)?);
        $crate::api::opaque::opaque_debug!([] $Name);
    };
    ($(#[$($meta:tt)*])* $Name:ident { $($body:tt)* } $(unread $unread:tt)?) => {
        $crate::api::record::record!(
            @define [#[derive(Clone, Debug, PartialEq)] $(#[$($meta)*])*]
            $Name { $($body)* } $(unread $unread)?
        );
        $crate::api::record::record!(@serde $Name);
    };
    (@define [$(#[$($meta:tt)*])*] $Name:ident {
        $(
            $(#[$($field_meta:tt)*])*
            $presence:ident $field:ident $wire:literal $(as $Sent:ty)?: $Type:ty $(= $with:ident)?
        ),* $(,)?
    } $(unread [$($unread:literal),*])?) => {
        $(#[$($meta)*])*
        #[allow(unreachable_pub, reason = "some records are private to a layer")]
        #[non_exhaustive]
        pub struct $Name {
            $(
                $(#[$($field_meta)*])*
                #[doc = concat!("\n\nWire name: `", $wire, "`.")]
                pub $field: $crate::api::record::record!(@type $presence $Type),
            )*
        }

        impl $Name {
            $( $crate::api::record::record!(@with $presence $field $Type $(= $with)?); )*
        }

        impl $crate::api::json::Codec for $Name {
            const SHAPE: &'static $crate::api::json::Shape = &$crate::api::json::Shape::Record(&[
                $( $crate::api::json::Field {
                    name: $wire,
                    shape: <$crate::api::record::record!(@sent $Type $(as $Sent)?) as $crate::api::json::Codec>::SHAPE,
                    required: $crate::api::record::record!(@required $presence),
                }, )*
            ]);
            $crate::api::json::declaration!(
                $(#[$($meta)*])* $Name { $( $(#[$($field_meta)*])* $wire $Type ),* } [$( $($unread),* )?]
            );

            fn read(view: $crate::api::json::JsonRef<'_>) -> Option<Self> {
                Some(Self { $( $field: $crate::api::record::record!(@read $presence view $wire), )* })
            }

            fn write(&self, out: &mut $crate::api::json::Writer) {
                out.object(|out| { $( $crate::api::record::record!(@write $presence self.$field, $wire, out); )* });
            }
        }
    };
    (@serde $Name:ident) => { $crate::api::json::serde_by_codec!($Name); };
    (@serde $Name:ident serde) => {};
    (@with $presence:ident $field:ident $Type:ty) => {};
    (@with $presence:ident $field:ident $Type:ty = $with:ident) => {
        #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
        #[must_use]
        pub fn $with(mut self, $field: impl Into<$Type>) -> Self {
            self.$field = $crate::api::record::record!(@value $presence $field.into());
            self
        }
    };
    (@value required $value:expr) => { $value };
    (@value optional $value:expr) => { Some($value) };
    (@sent $Type:ty) => { $Type };
    (@sent $Type:ty as $Sent:ty) => { $Sent };
    (@type required $Type:ty) => { $Type };
    (@type optional $Type:ty) => { Option<$Type> };
    (@required required) => { true };
    (@required optional) => { false };
    (@read required $view:ident $wire:literal) => {
        $crate::api::record::read_member($view, $wire)?
    };
    (@read optional $view:ident $wire:literal) => {
        $crate::api::record::read_optional($view, $wire)?
    };
    (@write required $value:expr, $wire:literal, $out:ident) => {
        $out.member($wire);
        $crate::api::json::Codec::write(&$value, $out);
    };
    (@write optional $value:expr, $wire:literal, $out:ident) => {
        if let Some(value) = &$value {
            $out.member($wire);
            $crate::api::json::Codec::write(value, $out);
        }
    };
}
pub(crate) use record;

// Out of line for size: one copy for each type of member and not for each member.

#[inline(never)]
pub(crate) fn read_member<T: Codec>(view: JsonRef<'_>, name: &str) -> Option<T> {
    T::read(view.member(name)?)
}

#[inline(never)]
pub(crate) fn read_optional<T: Codec>(view: JsonRef<'_>, name: &str) -> Option<Option<T>> {
    match view.member(name) {
        Some(value) if !value.is_null() => T::read(value).map(Some),
        _ => Some(None),
    }
}

/// Declares an enumeration of the interface, which is open: an unknown value is kept. What is sent must still
/// look like an enumeration name. The values of an `any_case` enumeration are known in any letter case.
macro_rules! open_enum {
    ($(#[$($meta:tt)*])* $Name:ident ($expected:literal $(, $any_case:ident)?) {
        $( $(#[$($variant_meta:tt)*])* $Variant:ident = $wire:literal ),* $(,)?
    }) => {
        $(#[$($meta)*])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $Name {
            $( $(#[$($variant_meta)*])* #[doc = concat!("\n\nOn the wire: `", $wire, "`.")] $Variant, )*
            /// A value newer than this version.
            Other(String),
        }

        impl $Name {
            /// Returns the name on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$Variant => $wire, )*
                    Self::Other(name) => name,
                }
            }
        }

        impl From<&str> for $Name {
            fn from(name: &str) -> Self {
                $crate::api::record::open_enum!(@from name $($any_case)? { $( $Variant $wire )* })
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::api::json::Codec for $Name {
            const SHAPE: &'static $crate::api::json::Shape =
                &$crate::api::json::Shape::Ruled(&$crate::api::json::Rule {
                    holds: $crate::api::record::is_enumeration_name,
                    expected: $expected,
                    code: $crate::api::Code::InvalidRequest,
                });
            $crate::api::json::declaration!(
                $(#[$($meta)*])* $Name { $( $(#[$($variant_meta)*])* $wire String ),* } []
            );

            fn read(view: $crate::api::json::JsonRef<'_>) -> Option<Self> {
                Some(Self::from(&*view.text()?))
            }

            fn write(&self, out: &mut $crate::api::json::Writer) {
                out.text(self.as_str());
            }
        }

        $crate::api::json::serde_by_codec!($Name, "a string");
    };
    (@from $name:ident { $( $Variant:ident $wire:literal )* }) => {
        match $name {
            $( $wire => Self::$Variant, )*
            other => Self::Other(other.to_owned()),
        }
    };
    (@from $name:ident any_case { $( $Variant:ident $wire:literal )* }) => {
        match $name {
            $( known if known.eq_ignore_ascii_case($wire) => Self::$Variant, )*
            other => Self::Other(other.to_owned()),
        }
    };
}
pub(crate) use open_enum;

pub(crate) fn is_enumeration_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// Declares a string type whose values satisfy a rule.
macro_rules! ruled_text {
    ($(#[$meta:meta])* $Name:ident, $holds:path, $expected:literal, $code:ident) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $Name(String);

        impl $Name {
            /// Checks the text against the rule.
            ///
            /// # Errors
            #[doc = concat!("[`Code::", stringify!($code), "`](crate::api::Code): it must be ", $expected, ".")]
            pub fn new(text: &str) -> Result<Self, $crate::api::Error> {
                if $holds(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err($crate::api::Error::invalid($crate::api::Code::$code, stringify!($Name), $expected))
                }
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl $crate::api::json::Codec for $Name {
            const SHAPE: &'static $crate::api::json::Shape =
                &$crate::api::json::Shape::Ruled(&$crate::api::json::Rule {
                    holds: $holds,
                    expected: $expected,
                    code: $crate::api::Code::$code,
                });

            /// Keeps what the service sends, which may be a number: the rule binds only what is sent.
            fn read(view: $crate::api::json::JsonRef<'_>) -> Option<Self> {
                view.owned_string_or_number().map(Self)
            }

            fn write(&self, out: &mut $crate::api::json::Writer) {
                out.text(&self.0);
            }
        }

        $crate::api::json::serde_by_codec!($Name, "a string or a number");

        impl std::str::FromStr for $Name {
            type Err = $crate::api::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::new(text)
            }
        }

        impl TryFrom<&str> for $Name {
            type Error = $crate::api::Error;

            fn try_from(text: &str) -> Result<Self, Self::Error> {
                Self::new(text)
            }
        }

        impl From<$Name> for String {
            fn from(text: $Name) -> Self {
                text.0
            }
        }

        impl AsRef<str> for $Name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}
pub(crate) use ruled_text;
