//! Serialization by serde of what has a wire format, through its JSON text: for fixtures, server functions
//! and restored state of Rust callers.

use serde::de::Error as _;
use serde::{Deserializer, Serializer};
use serde_transcode::transcode;

use super::{Codec, JsonRef, Mode, SchemaError, scan};

/// Serializes JSON text in any format.
pub(crate) fn serialize_text<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    transcode(&mut serde_json::Deserializer::from_str(json), serializer)
}

/// Deserializes the JSON text of any value from a format that describes itself.
pub(crate) fn deserialize_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut json = Vec::new();
    transcode(deserializer, &mut serde_json::Serializer::new(&mut json)).map_err(D::Error::custom)?;
    String::from_utf8(json).map_err(D::Error::custom)
}

/// Deserializes a value from its wire format, checked by its shape as a reply is.
pub(crate) fn deserialize_checked<'de, T: Codec, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let json = deserialize_text(deserializer)?;
    let scanned = scan(&json, T::SHAPE, Mode::Received).map_err(|error| match error {
        SchemaError::Mismatch { path, expected, .. } if path.is_empty() => {
            D::Error::custom(["expected ", expected].concat())
        }
        SchemaError::Mismatch { path, expected, .. } => {
            D::Error::custom([&path, " must be ", expected].concat())
        }
        SchemaError::Unknown { path } => D::Error::custom([&path, " is unknown"].concat()),
        SchemaError::Malformed(_) => D::Error::custom("expected JSON"),
    })?;
    T::read(JsonRef::new(&scanned.apply(&json))).ok_or_else(|| D::Error::custom("out of range"))
}

/// Serializes a type in its wire format, and deserializes it from that. A value that is no record, of which it
/// is said what is expected, is read without a check by its shape, which is about what is sent.
macro_rules! serde_by_codec {
    ($Name:ident $(, $expected:literal)?) => {
        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::api::json::serde_by_codec!(@read deserializer $(, $expected)?)
            }
        }

        impl serde::Serialize for $Name {
            /// Serializes the wire format: the service's names, without absent members.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::api::json::serialize_text(&$crate::api::json::Codec::to_json(self), serializer)
            }
        }
    };
    (@read $deserializer:ident) => { $crate::api::json::deserialize_checked($deserializer) };
    (@read $deserializer:ident, $expected:literal) => {{
        use $crate::api::json::{Codec, JsonRef, deserialize_text};
        Self::read(JsonRef::new(&deserialize_text($deserializer)?))
            .ok_or_else(|| serde::de::Error::custom(concat!("expected ", $expected)))
    }};
}
pub(crate) use serde_by_codec;

#[cfg(test)]
mod tests {
    use super::serialize_text;

    #[test]
    fn a_fraction_is_the_nearest_float() {
        let text = "583.80756479218933";
        let mut out = Vec::new();
        serialize_text(text, &mut serde_json::Serializer::new(&mut out)).unwrap();
        let nearest: f64 = text.parse().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), nearest.to_string());
    }
}
