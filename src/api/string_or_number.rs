use super::json::{Codec, JsonRef, Mode, Shape, Writer, scan, serialize_by_codec};
use super::{Code, Error, Uuid};

/// Text that names something. The service sends some of these as numbers too, beyond 2^53 among them; it is
/// kept digit by digit and never passes through a float.
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
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for StringOrNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<&StringOrNumber> for Uuid {
    type Error = Error;

    /// For the calls that take the id.
    fn try_from(label: &StringOrNumber) -> Result<Self, Error> {
        Uuid::new(&label.0)
    }
}

serialize_by_codec!(StringOrNumber);

/// A list that may come as one element without its array.
#[derive(Clone, Debug, PartialEq)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T: Codec> Codec for OneOrMany<T> {
    const SHAPE: &'static Shape = &Shape::OneOrMany(T::SHAPE);
    fn read(view: JsonRef<'_>) -> Option<Self> {
        Vec::read(view).map(OneOrMany)
    }
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }
}

impl<T: Codec> serde::Serialize for OneOrMany<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::json::serialize_json_ref(JsonRef::new(&self.to_json()), serializer)
    }
}

/// A number as its digits stand, such as a rate.
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

serialize_by_codec!(Decimal);

/// Any JSON value, as its text stands. Its `Debug` hides it: it may hold a person's data.
#[derive(Clone, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    pub(crate) fn new(json: String) -> Self {
        Json(if json.is_empty() { "null".to_owned() } else { json })
    }

    /// Reads a JSON text.
    ///
    /// # Errors
    /// `invalid_request` if it is none.
    pub fn parse(json: &str) -> Result<Self, Error> {
        match scan(json, &Shape::Any, Mode::Sent) {
            Ok(_) => Ok(Json::new(json.to_owned())),
            Err(_) => Err(Error::invalid(Code::InvalidRequest, "json", "a JSON text")),
        }
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A string.
    #[must_use]
    pub fn text(value: &str) -> Self {
        let mut out = Writer::default();
        out.text(value);
        Json(out.finish())
    }

    /// Where to read it.
    #[must_use]
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

serialize_by_codec!(Json);
