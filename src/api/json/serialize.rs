//! What the wire has as text, for any format that serde knows.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::JsonRef;

/// Serializes a value of a JSON text, with a whole number as one, however large. A number with a fraction
/// becomes the nearest float.
pub(crate) fn serialize_json_ref<S: Serializer>(view: JsonRef<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    if let Some(value) = view.integer() {
        return serializer.serialize_i64(value);
    }
    if let Some(text) = view.text() {
        return serializer.serialize_str(&text);
    }
    if let Some(value) = view.boolean() {
        return serializer.serialize_bool(value);
    }
    if let Ok(value) = view.raw().parse() {
        return serializer.serialize_f64(value);
    }
    match view.raw().as_bytes().first() {
        Some(b'{') => {
            let mut map = serializer.serialize_map(None)?;
            for (name, value) in view.members() {
                map.serialize_entry(&name, &value)?;
            }
            map.end()
        }
        Some(b'[') => {
            let mut list = serializer.serialize_seq(None)?;
            for item in view.items() {
                list.serialize_element(&item)?;
            }
            list.end()
        }
        _ => serializer.serialize_unit(),
    }
}

impl Serialize for JsonRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json_ref(*self, serializer)
    }
}

/// Serializes a type as the text that it is on the wire.
macro_rules! serialize_by_codec {
    ($Name:ident) => {
        impl serde::Serialize for $Name {
            /// As on the wire: an object with the service's names, without what is absent.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let json = $crate::api::json::Codec::to_json(self);
                $crate::api::json::serialize_json_ref($crate::api::json::JsonRef::new(&json), serializer)
            }
        }
    };
}
pub(crate) use serialize_by_codec;
