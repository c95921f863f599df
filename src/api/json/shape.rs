use super::{JsonRef, Writer};
use crate::api::Code;

/// What a JSON value must look like. Resources state their shapes as constants of this type.
#[derive(Debug)]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// A string.
    Text,
    /// A string that names something; a number in its place becomes a string, digit by digit, so
    /// that an identifier beyond 2^53 loses nothing.
    StringOrNumber,
    /// A string bound by a rule. The rule binds what is sent; a reply may hold any string there,
    /// as every enumeration and identifier of the service is open.
    Ruled(&'static Rule),
    /// A whole number. In what is sent, at least 0.
    Integer,
    /// A whole number of minor units. In what is sent, at least 0 and at most 2^63 - 1.
    MinorUnits,
    /// A number, which is never made into a float here.
    Number,
    /// A number in decimals of an amount; where a float does not hold it, a reply's becomes a string.
    Decimal,
    /// `true` or `false`.
    Boolean,
    /// An object. Members that are not listed are kept in a reply and refused in what is sent (see
    /// [`Mode`](super::Mode)).
    Record(&'static [Field]),
    /// An object with any members.
    Object,
    /// An array.
    List(&'static Shape),
    /// An array, or one element without its array.
    OneOrMany(&'static Shape),
    /// An array, bare or as the named member of an object.
    Wrapped(&'static str, &'static Shape),
}

/// A member of a [`Shape::Record`].
#[derive(Debug)]
pub struct Field {
    /// The name on the wire.
    pub name: &'static str,
    /// What the member looks like.
    pub shape: &'static Shape,
    /// Whether it must be there. A member that need not be may also be `null`.
    pub required: bool,
}

impl Field {
    /// What is sent where it must be there and is not given: the interface's default, as a member behind a
    /// comma. A field of a record that was read may be without a value.
    pub(super) fn default(&self, is_of_record: bool) -> Option<&'static str> {
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

    /// The code of the error where it is not there.
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
    /// What a checked text has of a shape, its members in the shape's order and without those that are `null`
    /// and need not be there: two texts that say the same become one.
    pub(crate) fn shaped(&mut self, view: JsonRef<'_>, shape: &Shape) {
        match shape {
            Shape::Record(fields) => self.object(|out| {
                fields.iter().for_each(|field| out.shaped_member(view, field));
            }),
            Shape::List(of) => self.list(|out| {
                for item in view.items() {
                    out.item();
                    out.shaped(item, of);
                }
            }),
            _ => self.raw(view.raw()),
        }
    }

    /// The member of an object that is written by its shape. A `null` stays where the member has to be there.
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
    /// Decides.
    pub holds: fn(&str) -> bool,
    /// What to write instead, as the end of the sentence "… must be".
    pub expected: &'static str,
    /// The code of the error that a breach raises.
    pub code: Code,
}

/// A type that has one form on the wire: the shape of it, reading and writing.
pub trait Codec: Sized {
    /// What it looks like.
    const SHAPE: &'static Shape;
    /// Reads it from a text that was checked against [`Codec::SHAPE`]. `None` if it was not.
    fn read(view: JsonRef<'_>) -> Option<Self>;
    /// Writes it.
    fn write(&self, out: &mut Writer);

    /// The JSON text.
    fn to_json(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
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
    fn read(view: JsonRef<'_>) -> Option<Self> {
        view.integer()
    }
    fn write(&self, out: &mut Writer) {
        out.raw(&super::signed_digits_of(*self));
    }
}

impl<T: Codec> Codec for Vec<T> {
    const SHAPE: &'static Shape = &Shape::List(T::SHAPE);
    fn read(view: JsonRef<'_>) -> Option<Self> {
        // Not `collect` into an option, which the module would carry as an iterator of its own for each type.
        let mut list = Vec::new();
        for item in view.items() {
            list.push(T::read(item)?);
        }
        Some(list)
    }
    fn write(&self, out: &mut Writer) {
        out.list(|out| {
            for item in self {
                out.item();
                item.write(out);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{SenderRequest, TransferFilter};

    fn shaped<T: Codec>(json: &str) -> String {
        let mut out = Writer::default();
        out.shaped(JsonRef::new(json), T::SHAPE);
        out.finish()
    }

    #[test]
    fn what_is_sent_is_the_same_text_whatever_its_order_and_keeps_what_has_to_be_there() {
        let json = r#"{ "fields" : [ {"value": null , "id":"a"}, {"id":"b","value":{"x":[1]}} ], "senderGroupId":null, "senderType":"PERSON" }"#;
        assert_eq!(
            shaped::<SenderRequest>(json),
            r#"{"senderType":"PERSON","fields":[{"id":"a","value":null},{"id":"b","value":{"x":[1]}}]}"#
        );
        assert_eq!(shaped::<TransferFilter>(r#"{"limit":null,"offset":2}"#), r#"{"offset":2}"#);
    }
}
