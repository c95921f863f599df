use super::json::{
    Codec, Declaration, JsonRef, Mode, Shape, Writer, deserialize_checked, deserialize_text, scan,
    serde_by_codec, serialize_text, write_json,
};
use super::{Code, Error};

/// An identifier. The service may send it as a number, even beyond 2^53; it is kept digit by digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringOrNumber(pub String);

impl Codec for StringOrNumber {
    const SHAPE: &'static Shape = &Shape::StringOrNumber;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        view.owned_string_or_number().map(StringOrNumber)
    }
    fn write(&self, out: &mut Writer) {
        out.text(&self.0);
    }
}

impl StringOrNumber {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for StringOrNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

serde_by_codec!(StringOrNumber, "a string or a number");

/// A list whose single element the service may send without the array.
#[derive(Clone, Debug, PartialEq)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T: Codec> Codec for OneOrMany<T> {
    const SHAPE: &'static Shape = &Shape::OneOrMany(T::SHAPE);
    const DECLARATION: Option<&'static Declaration> = T::DECLARATION;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        Vec::read(view).map(OneOrMany)
    }
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }
}

impl<'de, T: Codec> serde::Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_checked(deserializer)
    }
}

impl<T: Codec> serde::Serialize for OneOrMany<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(&self.to_json(), serializer)
    }
}

/// A number such as a rate, digit by digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal(pub String);

impl Codec for Decimal {
    const SHAPE: &'static Shape = &Shape::Number;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        Some(Decimal(view.raw().to_owned()))
    }
    fn write(&self, out: &mut Writer) {
        out.raw(&self.0);
    }
}

impl serde::Serialize for Decimal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(&self.to_json(), serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Decimal {
    /// Accepts a number, or the text of one, as a format without numbers has it.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserialize_text(deserializer)?;
        let number = JsonRef::new(&text).owned_string_or_number();
        number
            .filter(|number| scan(number, Self::SHAPE, Mode::Received).is_ok())
            .map(Decimal)
            .ok_or_else(|| serde::de::Error::custom("expected a number"))
    }
}

/// The text of any JSON value. `Debug` hides it, because it may hold personal data.
#[derive(Clone, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    pub(crate) fn new(json: String) -> Self {
        Json(if json.is_empty() { "null".to_owned() } else { json })
    }

    /// Checks a JSON text.
    ///
    /// # Errors
    /// `invalid_request` if the text is not JSON.
    pub fn parse(json: &str) -> Result<Self, Error> {
        match scan(json, &Shape::Any, Mode::Sent) {
            Ok(_) => Ok(Json::new(json.to_owned())),
            Err(_) => Err(Error::invalid(Code::InvalidRequest, "json", "a JSON text")),
        }
    }

    /// Returns the JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Creates a JSON string.
    pub fn text(value: &str) -> Self {
        Json(write_json(|out| out.text(value)))
    }

    /// Returns a reader of the value.
    pub fn view(&self) -> JsonRef<'_> {
        JsonRef::new(&self.0)
    }
}

impl std::fmt::Debug for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Json(..)")
    }
}

impl Codec for Json {
    const SHAPE: &'static Shape = &Shape::Any;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        Some(Json(view.raw().to_owned()))
    }
    fn write(&self, out: &mut Writer) {
        out.raw(&self.0);
    }
}

serde_by_codec!(Json, "a JSON value");
