//! The members that an operation's input may have besides its own, as records nearby have them.

use super::json::{Codec, Neighbours, Shape};
use super::{
    Corridor, CorridorFieldsQuery, Quote, QuoteRequest, Recipient, RecipientAccount, RecipientRequest,
    RecordField, Sender, SenderRequest, Transfer, TransferRequest,
};

/// Records of which one may be made from another.
const RECORDS: [&Shape; 11] = [
    Corridor::SHAPE,
    QuoteRequest::SHAPE,
    Quote::SHAPE,
    SenderRequest::SHAPE,
    Sender::SHAPE,
    RecipientRequest::SHAPE,
    Recipient::SHAPE,
    RecipientAccount::SHAPE,
    CorridorFieldsQuery::SHAPE,
    TransferRequest::SHAPE,
    Transfer::SHAPE,
];

/// What such records have besides, in the service's own spelling.
const UNTYPED: [&str; 4] = [
    "destinationCountryISO3Code",
    "destinationCurrencyISO3Code",
    "sourceCurrencyIso3Code",
    "transferRequestId",
];

/// The names of all these, each followed by a line feed: made while compiling, as the module's first file
/// would otherwise hold the shapes of all records.
const MEMBERS: &str = {
    const LENGTH: usize = write_members(&mut []);
    const BYTES: [u8; LENGTH] = {
        let mut bytes = [0; LENGTH];
        write_members(&mut bytes);
        bytes
    };
    match std::str::from_utf8(&BYTES) {
        Ok(text) => text,
        Err(_) => "",
    }
};

#[allow(
    clippy::indexing_slicing,
    reason = "it runs while compiling, where an index out of range is an error of the build"
)]
const fn write_members(out: &mut [u8]) -> usize {
    let (mut length, mut record, mut untyped) = (0, 0, 0);
    while record < RECORDS.len() {
        if let Shape::Record(fields) = RECORDS[record] {
            let mut field = 0;
            while field < fields.len() {
                let name = fields[field].name.as_bytes();
                if !is_listed(name, record) {
                    length = write_line(out, length, name);
                }
                field += 1;
            }
        }
        record += 1;
    }
    while untyped < UNTYPED.len() {
        length = write_line(out, length, UNTYPED[untyped].as_bytes());
        untyped += 1;
    }
    length
}

/// Writes a line where there is room, and gives where it ends.
#[allow(clippy::indexing_slicing, reason = "as above")]
const fn write_line(out: &mut [u8], start: usize, line: &[u8]) -> usize {
    let mut at = 0;
    while at <= line.len() {
        if start + at < out.len() {
            out[start + at] = if at < line.len() { line[at] } else { b'\n' };
        }
        at += 1;
    }
    start + at
}

/// Whether one of the records before this one has a member of this name.
#[allow(clippy::indexing_slicing, reason = "as above")]
const fn is_listed(name: &[u8], before: usize) -> bool {
    let mut record = 0;
    while record < before {
        if let Shape::Record(fields) = RECORDS[record] {
            let mut field = 0;
            while field < fields.len() {
                let other = fields[field].name.as_bytes();
                let mut at = 0;
                while at < name.len() && other.len() == name.len() && other[at] == name[at] {
                    at += 1;
                }
                if at == name.len() {
                    return true;
                }
                field += 1;
            }
        }
        record += 1;
    }
    false
}

/// What the input of an operation may have besides.
pub(super) static NEIGHBOURS: Neighbours = Neighbours {
    members: MEMBERS,
    nested: match RecordField::SHAPE {
        Shape::Record(fields) => fields,
        _ => &[],
    },
};
