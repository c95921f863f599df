//! The types of records and enumerations, from their declarations in Rust.

use remitkit::api::json::{Codec, Declaration, Docs, Field, Shape};
use remitkit::api::*;

type Declared = (Option<&'static Declaration>, &'static Shape);

macro_rules! declared {
    ($($Name:ident),* $(,)?) => { &[$( ($Name::DECLARATION, $Name::SHAPE) ),*] };
}

const ENUMERATIONS: &[Declared] = declared! {
    TransferMethod, QuoteBy, PartyType, FieldType, Visibility, KycStatus, TransferStatusName,
};

const REPLIES: &[Declared] = declared! {
    Currency, Amount, Country, Corridor, Adjustment, Quote, RecordField, FieldDefinition, FieldDependency,
    FieldSet, Sender, Recipient, RecipientAccount, CardSession, Transfer, ListedTransfer, ListedAmount,
    TransferStatuses, TransferProgress, TransferRequestRecord,
};

const REQUESTS: &[Declared] = declared! {
    QuoteRequest, FieldValue, CorridorFieldsQuery, SenderFieldsQuery, TransferFieldsQuery, SenderRequest,
    RecipientRequest, RecipientFilter, RecipientAccountRequest, CardSessionRequest, TransferRequest,
    TransferFilter, HoldCancellation,
};

/// Types that the package writes out where they occur.
const UNNAMED: [&str; 13] = [
    "CardSessionStatus",
    "Comparison",
    "DeliverySla",
    "Dependencies",
    "EntityMode",
    "FieldOption",
    "HoldCancellationReason",
    "ListedAdjustment",
    "ListedQuote",
    "TransferRecordStatus",
    "TransferRequestStatus",
    "TransferRequestStatusName",
    "TransferStatus",
];

/// Members that the interface documents in every reply, though Rust accepts one without them.
const DOCUMENTED: [&str; 8] = [
    "CardSession.cardId",
    "Currency.name",
    "Currency.roundDirection",
    "Currency.symbol",
    "FieldDefinition.name",
    "FieldDefinition.placeholderText",
    "FieldDefinition.visibility",
    "FieldSet.fieldSetName",
];

/// Enumerations whose letter case varies, so that any text must compile.
const ANY_CASE: [&str; 2] = ["TransferStatusName", "TransferRequestStatusName"];

pub(crate) fn types() -> String {
    let mut types =
        "// Made from the records of src/api, by `cargo run --package package-tables -- --records`.\n"
            .to_owned();
    for (list, is_request) in [(ENUMERATIONS, false), (REPLIES, false), (REQUESTS, true)] {
        for (declaration, shape) in list {
            types.extend(declaration.map(|declaration| exported(declaration, shape, is_request)));
        }
    }
    types
}

fn exported(declaration: &Declaration, shape: &Shape, is_request: bool) -> String {
    let (docs, name) = (comment(declaration.docs, None, ""), declaration.name);
    if let Shape::Record(fields) = shape {
        return format!("\n{docs}export interface {name} {}\n", object(declaration, fields, is_request, ""));
    }
    let values = declaration.members.iter();
    let values = values.map(|value| format!("{}  | \"{}\"\n", comment(value.docs, None, "  "), value.name));
    format!("\n{docs}export type {name} =\n{}  | {};\n", values.collect::<String>(), others(declaration))
}

fn object(declaration: &Declaration, fields: &[Field], is_request: bool, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let mut members = String::new();
    for (field, member) in fields.iter().zip(declaration.members) {
        let path = [declaration.name, field.name].join(".");
        let type_name = match path.as_str() {
            "Amount.value" => "MinorUnits".to_owned(),
            "CardSession.cardId" => "string | null".to_owned(),
            "FieldValue.value" => "string | PhoneNumber".to_owned(),
            "Quote.disclosures" | "Transfer.disclaimers" => "Disclosures".to_owned(),
            "Transfer.quote" => "Quote".to_owned(),
            _ => type_of(member.declaration, field.shape, is_request, &inner),
        };
        // JSON such as `,"quoteBy":"SEND_AMOUNT"`.
        let default = field.default(false).filter(|_| is_request).and_then(|json| json.split('"').nth(3));
        let is_optional = default.is_some() || !(field.required || DOCUMENTED.contains(&path.as_str()));
        let (mark, absent) = match is_optional {
            false => ("", ""),
            true if type_name == "unknown" => ("?", ""),
            true if is_request => ("?", " | null | undefined"),
            true => ("?", " | null"),
        };
        members += &comment(member.docs, default, &inner);
        members += &format!("{inner}{}{mark}: {type_name}{absent};\n", field.name);
    }
    members.extend(declaration.unread.iter().map(|name| format!("{inner}{name}?: string | null;\n")));
    format!("{{\n{members}{indent}}}")
}

fn type_of(declaration: Option<&Declaration>, shape: &Shape, is_request: bool, indent: &str) -> String {
    match (shape, declaration) {
        (Shape::List(of) | Shape::OneOrMany(of), _) => type_of(declaration, of, is_request, indent) + "[]",
        // A request also takes the fields of a record as they were read.
        (_, Some(Declaration { name: "FieldValue", .. })) => "(FieldValue | RecordField)".to_owned(),
        (_, Some(named)) if !UNNAMED.contains(&named.name) => named.name.to_owned(),
        (Shape::Record(fields), Some(unnamed)) => object(unnamed, fields, is_request, indent),
        (_, Some(unnamed)) => {
            let values = unnamed.members.iter().map(|value| format!("\"{}\" | ", value.name));
            values.collect::<String>() + others(unnamed)
        }
        (Shape::Text | Shape::StringOrNumber | Shape::Ruled(_), None) => "string".to_owned(),
        (Shape::Integer | Shape::Number, None) => "number".to_owned(),
        (Shape::Decimal, None) => "number | string".to_owned(),
        (Shape::MinorUnits, None) => "MinorUnits".to_owned(),
        (Shape::Boolean, None) => "boolean".to_owned(),
        (Shape::Any | Shape::Object | Shape::Record(_) | Shape::Wrapped(..), None) => "unknown".to_owned(),
    }
}

/// Returns the type of the values that this version does not list.
fn others(enumeration: &Declaration) -> &'static str {
    if ANY_CASE.contains(&enumeration.name) { "(string & {})" } else { "Unlisted" }
}

/// Returns a comment of the docs and of the default, or nothing without either.
fn comment(docs: Docs, default: Option<&str>, indent: &str) -> String {
    let lines = docs.iter().flatten().map(|line| line.trim_start().to_owned());
    let lines: Vec<_> = lines.chain(default.map(|value| format!("`{value}` by default."))).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines: String = lines.iter().map(|line| format!("{indent} * {line}\n")).collect();
            format!("{indent}/**\n{lines}{indent} */\n").replace(" * \n", " *\n")
        }
    }
}
