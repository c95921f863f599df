//! Serialization of JSON text by serde.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{JsonRef, Writer};

/// Serializes a JSON value. Integers stay exact; a number with a fraction becomes the nearest float.
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

/// Serializes what a function writes.
pub(crate) fn serialize_written<S: Serializer>(
    write: impl FnOnce(&mut Writer),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = Writer::default();
    write(&mut out);
    serialize_json_ref(JsonRef::new(&out.finish()), serializer)
}

/// Serializes a type in its wire format.
macro_rules! serialize_by_codec {
    ($Name:ident) => {
        impl serde::Serialize for $Name {
            /// Serializes the wire format: the service's names, without absent members.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use $crate::api::json::{Codec, serialize_written};
                serialize_written(|out| self.write(out), serializer)
            }
        }
    };
}
pub(crate) use serialize_by_codec;
