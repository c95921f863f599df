//! Deserialization by serde of what the derived code cannot read: any JSON value, and what is read from one.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::Writer;

/// The JSON text of any value.
pub(crate) struct JsonText(pub(crate) String);

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor).map(JsonText)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<String, E> {
        Ok("null".to_owned())
    }

    fn visit_none<E: Error>(self) -> Result<String, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_u64<E>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<String, E> {
        match value.is_finite() {
            true => Ok(value.to_string()),
            false => Err(E::custom("JSON has no such number")),
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<String, E> {
        let mut out = Writer::default();
        out.text(value);
        Ok(out.finish())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<String, A::Error> {
        let mut list = Vec::new();
        while let Some(JsonText(item)) = items.next_element()? {
            list.push(item);
        }
        let mut out = Writer::default();
        out.list_of(list, |out, item| out.raw(&item));
        Ok(out.finish())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<String, A::Error> {
        let mut list: Vec<(String, JsonText)> = Vec::new();
        while let Some(member) = members.next_entry()? {
            list.push(member);
        }
        let mut out = Writer::default();
        out.object(|out| {
            for (name, JsonText(value)) in list {
                out.member(&name);
                out.raw(&value);
            }
        });
        Ok(out.finish())
    }
}

/// Deserializes a type from its wire format.
macro_rules! deserialize_by_codec {
    ($Name:ident, $expected:literal) => {
        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use $crate::api::json::{Codec, JsonRef, JsonText};
                let JsonText(text) = serde::Deserialize::deserialize(deserializer)?;
                Self::read(JsonRef::new(&text))
                    .ok_or_else(|| serde::de::Error::custom(concat!("expected ", $expected)))
            }
        }
    };
}
pub(crate) use deserialize_by_codec;
