use super::{Declaration, JsonRef, Writer, write_json};
use crate::api::Code;

/// The shape of a JSON value. Resources declare their shapes as constants.
#[derive(Debug)]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// A string.
    Text,
    /// A string, or a number, which becomes a string digit by digit: identifiers may exceed 2^53.
    StringOrNumber,
    /// A string with a rule for what is sent. A reply may hold any string, because all enumerations and
    /// identifiers of the service are open.
    Ruled(&'static Rule),
    /// An integer; at least 0 if sent.
    Integer,
    /// An integer number of minor units; from 0 to 2^63 - 1 if sent.
    MinorUnits,
    /// A number, never converted to a float.
    Number,
    /// A decimal amount; in a reply it becomes a string if a float cannot hold it.
    Decimal,
    /// `true` or `false`.
    Boolean,
    /// An object. [`Mode`](super::Mode) decides about unlisted members.
    Record(&'static [Field]),
    /// An object with any members.
    Object,
    /// An array.
    List(&'static Shape),
    /// An array, or a single element.
    OneOrMany(&'static Shape),
    /// An array, or an object with the array as the named member.
    Wrapped(&'static str, &'static Shape),
}

/// A member of a [`Shape::Record`].
#[derive(Debug)]
pub struct Field {
    /// Wire name.
    pub name: &'static str,
    /// Shape of the value.
    pub shape: &'static Shape,
    /// Whether the member must be present. An optional member may be `null`.
    pub required: bool,
}

impl Field {
    /// Returns the interface's default for a missing required member, as JSON with a leading comma. A field
    /// of a record that was read before may lack its value.
    pub fn default(&self, is_of_record: bool) -> Option<&'static str> {
        match self.name {
            _ if !self.required => None,
            "transferMethod" => Some(",\"transferMethod\":\"BANK_ACCOUNT\""),
            "value" if is_of_record => Some(",\"value\":null"),
            "recipientType" => Some(",\"recipientType\":\"PERSON\""),
            "senderType" => Some(",\"senderType\":\"PERSON\""),
            "quoteBy" => Some(",\"quoteBy\":\"SEND_AMOUNT\""),
            _ => None,
        }
    }

    /// Returns the error code for a missing member.
    pub(super) fn code_if_missing(&self) -> Option<Code> {
        match self.shape {
            Shape::MinorUnits => Some(Code::InvalidAmount),
            _ if self.name == "quoteHistoryId" => Some(Code::NoQuoteHistoryIdProvided),
            _ if self.name == "recipientId" => Some(Code::InvalidRecipientId),
            _ => None,
        }
    }
}

impl Writer {
    /// Writes the canonical form of a checked value: only the shape's members, in the shape's order, without
    /// optional `null` members.
    pub(crate) fn shaped(&mut self, view: JsonRef<'_>, shape: &Shape) {
        match shape {
            Shape::Record(fields) => self.object(|out| {
                fields.iter().for_each(|field| out.shaped_member(view, field));
            }),
            Shape::List(of) => self.list_of(view.items(), |out, item| out.shaped(item, of)),
            _ => self.raw(view.raw()),
        }
    }

    /// Writes the canonical form of a member, if present. A required `null` stays.
    pub(crate) fn shaped_member(&mut self, object: JsonRef<'_>, field: &Field) {
        if let Some(value) = object.member(field.name).filter(|value| field.required || !value.is_null()) {
            self.member(field.name);
            self.shaped(value, field.shape);
        }
    }
}

/// A rule for a string that is sent.
#[derive(Debug)]
pub struct Rule {
    /// Returns whether a text satisfies the rule.
    pub holds: fn(&str) -> bool,
    /// What is expected, as the end of the sentence "… must be".
    pub expected: &'static str,
    /// The error code of a violation.
    pub code: Code,
}

/// A type with a wire format.
pub trait Codec: Sized {
    /// The shape on the wire.
    const SHAPE: &'static Shape;
    /// The declaration of a record or an enumeration.
    const DECLARATION: Option<&'static Declaration> = None;
    /// Reads a value that was checked against [`Codec::SHAPE`]; otherwise the result may be `None`.
    fn read(view: JsonRef<'_>) -> Option<Self>;
    /// Writes the value.
    fn write(&self, out: &mut Writer);

    /// Returns the JSON text.
    fn to_json(&self) -> String {
        write_json(|out| self.write(out))
    }
}

impl Codec for String {
    const SHAPE: &'static Shape = &Shape::Text;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        Some(view.text()?.into_owned())
    }
    fn write(&self, out: &mut Writer) {
        out.text(self);
    }
}

impl Codec for bool {
    const SHAPE: &'static Shape = &Shape::Boolean;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        view.boolean()
    }
    fn write(&self, out: &mut Writer) {
        out.raw(if *self { "true" } else { "false" });
    }
}

impl Codec for i64 {
    const SHAPE: &'static Shape = &Shape::Integer;
    /// Reads digits that are text, too, which only the shape [`Shape::StringOrNumber`] lets through.
    fn read(view: JsonRef<'_>) -> Option<Self> {
        view.label()?.parse().ok()
    }
    fn write(&self, out: &mut Writer) {
        out.raw(&self.to_string());
    }
}

impl<T: Codec> Codec for Vec<T> {
    const SHAPE: &'static Shape = &Shape::List(T::SHAPE);
    const DECLARATION: Option<&'static Declaration> = T::DECLARATION;
    fn read(view: JsonRef<'_>) -> Option<Self> {
        view.items().map(T::read).collect()
    }
    fn write(&self, out: &mut Writer) {
        out.list_of(self, |out, item| item.write(out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{SenderRequest, TransferFilter};

    fn shaped<T: Codec>(json: &str) -> String {
        write_json(|out| out.shaped(JsonRef::new(json), T::SHAPE))
    }

    #[test]
    fn the_canonical_form_has_a_fixed_order_and_keeps_required_nulls() {
        let json = r#"{ "fields" : [ {"value": null , "id":"a"}, {"id":"b","value":{"x":[1]}} ], "senderGroupId":null, "senderType":"PERSON" }"#;
        assert_eq!(
            shaped::<SenderRequest>(json),
            r#"{"senderType":"PERSON","fields":[{"id":"a","value":null},{"id":"b","value":{"x":[1]}}]}"#
        );
        assert_eq!(shaped::<TransferFilter>(r#"{"limit":null,"offset":2}"#), r#"{"offset":2}"#);
    }
}
