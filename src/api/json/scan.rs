mod grammar;
pub(super) mod number;

use self::number::is_number;
use super::json_ref::unescape;
use super::rows::{Edit, Seen};
use super::scanned::Scanned;
use super::schema_error::{SchemaError, within};
use super::shape::{Field, Shape};
use crate::api::Code;
use crate::api::related_members::is_related_member;

/// The maximum nesting depth; the service's replies have six levels.
const MAX_DEPTH: usize = 64;

/// How strictly a text must match its shape.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// A text to send: no unknown members, every rule holds, integers are at least 0.
    Sent,
    /// The input of an operation: as `Sent`, but members of related records are ignored and defaults
    /// inserted.
    Request,
    /// A reply: unknown members are kept and enumerations are open.
    Received,
}

/// Checks a text against a shape in one pass.
///
/// # Errors
/// [`SchemaError`] if the text is not JSON or has another shape.
pub fn scan(json: &str, shape: &Shape, mode: Mode) -> Result<Scanned, SchemaError> {
    let mut scanner = Scanner {
        json,
        bytes: json.as_bytes(),
        at: 0,
        depth: 0,
        mode,
        edits: Vec::new(),
        has_bigints: false,
        has_extras: false,
        is_ignored: false,
        row_depth: match (mode, shape) {
            (Mode::Received, Shape::List(Shape::Record(_)) | Shape::Wrapped(_, Shape::Record(_))) => {
                if json.trim_ascii_start().starts_with('[') { 1 } else { 2 }
            }
            _ => usize::MAX,
        },
        seen: Seen::default(),
    };
    scanner.skip_blanks();
    scanner.value(shape).map_err(|error| *error)?;
    scanner.skip_blanks();
    if scanner.at != scanner.bytes.len() {
        return Err(SchemaError::Malformed(scanner.at));
    }
    let Scanner { edits, has_bigints, has_extras, .. } = scanner;
    Ok(Scanned { edits, has_bigints, has_extras })
}

struct Scanner<'a> {
    json: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    mode: Mode,
    edits: Vec<Edit>,
    has_bigints: bool,
    /// Whether the text has members that must not be sent.
    has_extras: bool,
    /// Whether the current value is ignored.
    is_ignored: bool,
    /// The depth of the list's rows; no depth if rows are not compared.
    row_depth: usize,
    seen: Seen<'a>,
}

/// Boxed because every value passes the result on and it is almost always `Ok`.
type Checked = Result<(), Box<SchemaError>>;

impl<'a> Scanner<'a> {
    fn value(&mut self, shape: &Shape) -> Checked {
        let Some(first) = self.peek() else { return self.malformed() };
        match shape {
            Shape::Any => self.any(),
            Shape::Text | Shape::StringOrNumber if first == b'"' => self.string(),
            Shape::Text => self.mismatch("a string"),
            Shape::StringOrNumber if is_number(first) => {
                let start = self.at;
                self.number()?;
                self.quote(start);
                Ok(())
            }
            Shape::StringOrNumber => self.mismatch("a string or a number"),
            Shape::Ruled(rule) if first == b'"' => {
                let start = self.at;
                self.string()?;
                let is_valid = matches!(self.mode, Mode::Received)
                    || unescape(self.text_from(start)).is_some_and(|text| (rule.holds)(&text));
                if is_valid { Ok(()) } else { self.breach(rule.expected, Some(rule.code.clone())) }
            }
            Shape::Ruled(rule) => self.breach(rule.expected, Some(rule.code.clone())),
            Shape::Integer | Shape::MinorUnits => self.integer(first, matches!(shape, Shape::MinorUnits)),
            Shape::Number if is_number(first) => self.number(),
            Shape::Decimal if is_number(first) => self.decimal(),
            Shape::Number | Shape::Decimal => self.mismatch("a number"),
            Shape::Boolean if self.word("true") || self.word("false") => Ok(()),
            Shape::Boolean => self.mismatch("true or false"),
            Shape::Record(fields) if first == b'{' => self.record(fields),
            Shape::Object if first == b'{' => self.any(),
            Shape::Record(_) | Shape::Object => self.mismatch("an object"),
            Shape::List(of) | Shape::OneOrMany(of) | Shape::Wrapped(_, of) if first == b'[' => self.list(of),
            Shape::OneOrMany(of) => {
                self.insert(self.at, "[");
                self.value(of)?;
                self.insert(self.at, "]");
                Ok(())
            }
            Shape::Wrapped(name, of) if first == b'{' => self.wrapped(name, of),
            Shape::List(_) | Shape::Wrapped(..) => self.mismatch("an array"),
        }
    }

    fn any(&mut self) -> Checked {
        match self.peek() {
            Some(b'{') => self.any_object(),
            Some(b'[') => self.list(&Shape::Any),
            Some(b'"') => self.string(),
            Some(first) if is_number(first) => self.any_number(),
            Some(_) if self.word("true") || self.word("false") || self.word("null") => Ok(()),
            _ => self.malformed(),
        }
    }

    /// Treats an object with `value` and `currency` as an amount, wherever it occurs: its value may be a
    /// bigint.
    fn any_object(&mut self) -> Checked {
        let (mut quotes, mut is_amount) = (0..0, false);
        self.members(|scanner, name| {
            is_amount |= name == "currency";
            let edits = scanner.edits.len();
            let is_number = scanner.peek().is_some_and(is_number);
            scanner.any()?;
            if name == "value" {
                quotes = edits..if is_number { scanner.edits.len() } else { edits };
            }
            Ok(())
        })?;
        if is_amount && !quotes.is_empty() {
            self.has_bigints = true;
            self.edits.drain(quotes);
        }
        Ok(())
    }

    fn record(&mut self, fields: &'static [Field]) -> Checked {
        let mut seen = 0u64;
        let mut next = 0;
        let (mut has_extras, mut has_party_type) = (false, false);
        self.enter(b'{')?;
        let mut is_done = self.closes(b'}');
        let mut is_empty = is_done;
        while !is_done {
            // Members usually follow the order of the shape, so search from the last one on.
            let found = match self.predicted_name(fields, next) {
                Some(i) => Ok(i),
                None => {
                    let name = self.name()?;
                    fields.iter().position(|field| field.name == name).ok_or(name)
                }
            };
            match found {
                Ok(i) => {
                    next = i + 1;
                    let Some(field) = fields.get(i) else { return self.malformed() };
                    let may_be_null = !field.required || !matches!(field.shape, Shape::Any);
                    if may_be_null && self.peek() == Some(b'n') && self.word("null") {
                        // Means absent, but not every service accepts `null`.
                        self.has_extras = true;
                    } else {
                        seen |= 1u64.wrapping_shl(i as u32);
                        self.value(field.shape).map_err(|error| within(error, field.name))?;
                    }
                }
                Err(name) if matches!(self.mode, Mode::Request) && is_related_member(&name, self.depth) => {
                    self.ignored().map_err(|error| within(error, &name))?;
                    has_extras = true;
                    has_party_type |= name.ends_with(PARTY_TYPE);
                }
                Err(name) if !matches!(self.mode, Mode::Received) => {
                    return Err(Box::new(SchemaError::Unknown { path: name.into_owned() }));
                }
                Err(name) => self.any().map_err(|error| within(error, &name))?,
            }
            is_done = self.ends(b'}')?;
        }
        for (i, field) in fields.iter().enumerate() {
            if seen & 1u64.wrapping_shl(i as u32) != 0 {
                continue;
            }
            // Never replace a party type that the input gives under another name by the default.
            let is_lost = has_party_type && field.name.ends_with(PARTY_TYPE);
            match field.default(has_extras) {
                Some(default) if matches!(self.mode, Mode::Request) && !is_lost => {
                    let comma = usize::from(is_empty);
                    self.insert(self.at - 1, default.get(comma..).unwrap_or(""));
                    is_empty = false;
                }
                _ if field.required || is_lost => {
                    let breach = self.breach("present", field.code_if_missing());
                    return breach.map_err(|error| within(error, field.name));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks a value that is not sent; it may contain a bigint.
    fn ignored(&mut self) -> Checked {
        let was_ignored = std::mem::replace(&mut self.is_ignored, true);
        self.has_extras = true;
        self.any()?;
        self.is_ignored = was_ignored;
        Ok(())
    }

    /// Reads the name and colon of one of the next three fields, if written without escapes and blanks.
    fn predicted_name(&mut self, fields: &[Field], next: usize) -> Option<usize> {
        let rest = self.bytes.get(self.at..)?.strip_prefix(b"\"")?;
        let mut candidates = fields.iter().enumerate().skip(next).take(3);
        let (i, field) = candidates.find(|(_, field)| {
            rest.strip_prefix(field.name.as_bytes()).is_some_and(|rest| rest.starts_with(b"\":"))
        })?;
        self.at += field.name.len() + 3;
        self.skip_blanks();
        Some(i)
    }

    fn wrapped(&mut self, list: &str, of: &'static Shape) -> Checked {
        let start = self.at;
        let first_edit = self.edits.len();
        let mut kept = None;
        self.members(|scanner, name| {
            if name != list {
                return scanner.any();
            }
            let from = scanner.at;
            // The last of duplicate members counts.
            scanner.edits.truncate(first_edit);
            scanner.seen = Seen::default();
            scanner.list(of)?;
            kept = Some((from, scanner.at, scanner.edits.len()));
            Ok(())
        })?;
        let Some((from, to, edits)) = kept else { return self.mismatch("an array") };
        // Members after the list are removed with their edits.
        self.edits.truncate(edits);
        self.edits.insert(first_edit, Edit { from: start, to: from, with: "" });
        self.edits.push(Edit { from: to, to: self.at, with: "" });
        Ok(())
    }

    fn list(&mut self, of: &Shape) -> Checked {
        self.enter(b'[')?;
        let mut index = 0;
        let mut is_done = self.closes(b']');
        while !is_done {
            // A wrapper may contain lists besides the rows.
            let is_row = self.depth == self.row_depth && matches!(of, Shape::Record(_));
            if is_row { self.row(of) } else { self.value(of) }
                .map_err(|error| within(error, &["[", &index.to_string(), "]"].concat()))?;
            index += 1;
            is_done = self.ends(b']')?;
        }
        Ok(())
    }

    /// Checks a row of the list, unless it repeats the predicted one.
    fn row(&mut self, of: &Shape) -> Checked {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or(&[]);
        if let Some(length) = self.seen.predicted(rest, start, &mut self.edits) {
            self.at += length;
            return Ok(());
        }
        let first_edit = self.edits.len();
        self.value(of)?;
        let text = self.bytes.get(start..self.at).unwrap_or(&[]);
        self.seen.add(text, start, first_edit..self.edits.len());
        Ok(())
    }

    fn members(&mut self, mut member: impl FnMut(&mut Self, &str) -> Checked) -> Checked {
        self.enter(b'{')?;
        let mut is_done = self.closes(b'}');
        while !is_done {
            let name = self.name()?;
            member(self, &name).map_err(|error| within(error, &name))?;
            is_done = self.ends(b'}')?;
        }
        Ok(())
    }

    fn text_from(&self, start: usize) -> &'a str {
        self.json.get(start..self.at).unwrap_or("")
    }

    fn insert(&mut self, at: usize, with: &'static str) {
        self.edits.push(Edit { from: at, to: at, with });
    }

    fn quote(&mut self, start: usize) {
        self.insert(start, "\"");
        self.insert(self.at, "\"");
    }

    fn mismatch(&self, expected: &'static str) -> Checked {
        self.breach(expected, None)
    }

    fn breach(&self, expected: &'static str, code: Option<Code>) -> Checked {
        Err(Box::new(SchemaError::Mismatch { path: String::new(), expected, code }))
    }
}

/// The end of the names of members that say whether a party is a person or a business.
const PARTY_TYPE: &str = "Type";

// proptest needs the system's randomness, which wasm lacks.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::api::json::{Codec, JsonRef};
    use crate::api::{Corridor, Country, Currency, ListedTransfer, Quote, QuoteRequest, Transfer};
    use proptest::prelude::*;

    const SAMPLE: &str = r#"{"amount":12550,"dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","quoteBy":"SEND_AMOUNT","srcCurrencyIso3Code":"USD","transferMethod":"PUSH_TO_CARD"}"#;

    fn sent(json: &str) -> Result<String, SchemaError> {
        scan(json, QuoteRequest::SHAPE, Mode::Sent).map(|scanned| scanned.apply(json).into_owned())
    }

    fn received(json: &str, shape: &Shape) -> String {
        scan(json, shape, Mode::Received).unwrap().apply(json).into_owned()
    }

    #[test]
    fn strings_end_where_the_engine_ends_them() {
        for at in 0..20 {
            for special in ["\"", "\\", "\n", "\u{1f}", "\u{7f}", "é", "€", "a"] {
                let text = format!("\"{}{special}{}\"", "a".repeat(at), "b".repeat(at % 9));
                let is_valid = serde_json::from_str::<String>(&text).is_ok();
                assert_eq!(scan(&text, &Shape::Text, Mode::Received).is_ok(), is_valid, "{text}");
            }
        }
    }

    #[test]
    fn other_members_of_a_wrapper_are_no_rows() {
        let shape = &Shape::Wrapped("countries", Country::SHAPE);
        let mexico = r#"{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"}"#;
        let json = format!(r#"{{"pages":[1,12],"countries":[{mexico}]}}"#);
        assert_eq!(received(&json, shape), format!("[{mexico}]"));
        let json = r#"{"links":[{"a":1},{"a":1}],"countries":[{"a":1}]}"#;
        assert!(scan(json, shape, Mode::Received).is_err());
    }

    #[test]
    fn a_sent_text_must_have_its_shape_and_the_error_names_the_member() {
        assert_eq!(sent(SAMPLE).unwrap(), SAMPLE);
        let error_for = |from: &str, to: &str| match sent(&SAMPLE.replace(from, to)) {
            Err(SchemaError::Mismatch { path, code, .. }) => (path, code),
            other => panic!("{other:?}"),
        };
        for amount in ["-1", "1.5", "1e3", "9223372036854775808", "-9007199254740993", "\"125\"", "null"] {
            assert_eq!(error_for("12550", amount), ("amount".into(), Some(Code::InvalidAmount)), "{amount}");
        }
        let beyond_float = SAMPLE.replace("12550", "9007199254740993");
        assert_eq!(sent(&beyond_float).unwrap(), beyond_float);
        assert_eq!(error_for("MEX", "mex").0, "dstCountryIso3Code");
        assert_eq!(error_for("PUSH_TO_CARD", "push").0, "transferMethod");
        assert_eq!(error_for("\"amount\":12550,", "").0, "amount");
        let unknown = sent(&SAMPLE.replace("transferMethod", "transfermethod"));
        assert_eq!(unknown.unwrap_err(), SchemaError::Unknown { path: "transfermethod".into() });
    }

    #[test]
    fn a_lone_surrogate_may_be_received_but_not_sent() {
        for (json, may_be_sent) in
            [(r#""\ud83d""#, false), (r#""\udc00\ud83d""#, false), (r#""\ud83d\ude00""#, true)]
        {
            assert_eq!(scan(json, &Shape::Any, Mode::Sent).is_ok(), may_be_sent, "{json}");
            assert!(scan(json, &Shape::Any, Mode::Received).is_ok());
        }
    }

    /// Checks the normalization of a text whose numbers in «» become strings; those in ‹› need bigints.
    #[track_caller]
    fn assert_normalized(template: &str, shape: &Shape) {
        let json = template.replace(['«', '»', '‹', '›'], "");
        let expected = template.replace(['«', '»'], "\"").replace(['‹', '›'], "");
        let scanned = scan(&json, shape, Mode::Received).unwrap();
        assert_eq!(scanned.has_bigints, template.contains('‹'));
        assert_eq!(scanned.apply(&json), expected);
    }

    #[test]
    fn variants_of_replies_are_normalized_without_loss() {
        let euro = r#"{"iso3Code":"EUR","decimalPlaces":2,"iso4217Code":978}"#;
        let corridor = r#"{"destinationCountry":{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"},"sourceCurrency":ONE,"destinationCurrency":[EURO],"transferMethod":"NEWER","more":1.5e3}"#;
        let json = corridor.replace("ONE", euro).replace("EURO", euro);
        let expected = corridor.replace("ONE", "[EURO]").replace("EURO", &euro.replace("978", "\"978\""));
        let shape = &Shape::Wrapped("corridors", Corridor::SHAPE);
        for members in [r#""total":1"#, r#""cursor":12345678901234567890"#] {
            let wrapped = format!(r#"{{{members},"corridors":[{json}],{members}}}"#);
            assert_eq!(received(&wrapped, shape), format!("[{expected}]"));
        }
        let transfer = r#"{"transferId":"a","confirmationNumber":«12345678901234567890»}"#;
        assert_normalized(transfer, Transfer::SHAPE);
    }

    #[test]
    fn amounts_are_exact_wherever_they_occur() {
        let amount = r#"{"value":‹9007199254740993›,"currency":{"iso3Code":"USD","decimalPlaces":2}}"#;
        let transfer = r#"{"transferId":"a","quote":{"sendAmount":AMOUNT,"adjustments":[{"amount":AMOUNT}],"later":{"fee":AMOUNT}},"disclaimers":[AMOUNT],"later":AMOUNT}"#;
        let transfer = transfer.replace("AMOUNT", amount);
        assert_normalized(&transfer, Transfer::SHAPE);
        assert_normalized(&transfer, &Shape::Any);
        assert_normalized(r#"{"a":{"currency":{},"value":‹-9007199254740993›}}"#, &Shape::Any);
        let listed = r#"[{"transferId":"a","quote":{"sendAmount":{"value":29.99},"totalCost":{"value":«90071992547409.93»},"adjustments":[{"amount":{"value":«-90071992547409.93»}}],"later":{"value":‹9007199254740993›,"currency":{}},"receiveAmount":{"value":29.990000000000002}}}]"#;
        assert_normalized(listed, &Shape::Wrapped("transfers", ListedTransfer::SHAPE));
        for value in ["9007199254740991", "-0", "1e300", "12345678901234567.5", "29.99"] {
            assert_normalized(&format!(r#"{{"value":{value},"currency":"USD"}}"#), &Shape::Any);
        }
        // Integers that are no amounts become strings.
        assert_normalized(r#"{"value":«12345678901234567890»,"n":[«-9007199254740993»]}"#, &Shape::Any);
        assert_normalized(r#"{"value":1,"currency":{"id":«12345678901234567890»}}"#, &Shape::Any);
        let quote = r#"{"sendAmount":{"value":9007199254740993,"currency":{"iso3Code":"USD","decimalPlaces":2}},"quoteHistoryId":"q"}"#;
        let quote = Quote::read(JsonRef::new(&received(quote, Quote::SHAPE))).unwrap();
        assert_eq!(quote.send_amount.value, 9_007_199_254_740_993);
    }

    #[test]
    fn each_row_is_checked_also_one_that_begins_like_another() {
        let a = r#"{"name":"A","iso3Code":"MEX","iso2Code":"MX"}"#;
        let scanned = |json: &str| scan(json, &Shape::List(Country::SHAPE), Mode::Received);
        let country = |number: u32| a.replace('A', &number.to_string());
        let many: Vec<_> = (0..1026).map(|number| country(number % 513)).collect();
        assert!(scanned(&format!("[{}]", many.join(","))).is_ok());
        let only_starts_like_a = a.replace("\"MX\"", "7");
        let error = scanned(&format!("[{a},{a},{only_starts_like_a}]")).unwrap_err();
        assert!(matches!(error, SchemaError::Mismatch { path, .. } if path == "[2].iso2Code"));
        let amount = r#"{"value":9007199254740993,"currency":{"iso3Code":"USD","decimalPlaces":2}}"#;
        let amounts = format!("[{amount},{amount},{amount}]");
        let scanned = scan(&amounts, &Shape::List(crate::api::Amount::SHAPE), Mode::Received);
        assert!(scanned.unwrap().has_bigints);
    }

    #[test]
    fn malformed_json_is_refused() {
        let malformed = [
            ["", "{", "[1,]", "{\"a\":1,}", "01"],
            ["1.", "tru", "\"a", "\"\u{1}\"", "{} {}"],
            ["nulls", "-", "\"\\x\"", "{1:2}", "\"\\u+12f\""],
        ];
        for json in malformed.concat() {
            let result = scan(json, &Shape::Any, Mode::Received);
            assert!(matches!(result, Err(SchemaError::Malformed(_))), "{json}");
        }
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert!(scan(&deep, &Shape::Any, Mode::Received).is_err());
    }

    proptest! {
        #[test]
        fn scanning_never_panics(json in ".*", at in 0..SAMPLE.len(), c: char) {
            let _ = scan(&json, Quote::SHAPE, Mode::Received);
            let _ = sent(&json);
            let mut damaged = SAMPLE.to_owned();
            damaged.replace_range(at..=at, &c.to_string());
            let _ = sent(&damaged);
        }

        #[test]
        fn rows_of_a_list_are_normalized_like_single_rows(picks in proptest::collection::vec(0usize..4, 0..40)) {
            let usd = r#"{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":840}"#;
            let long = "12345678901234567890";
            let rows = [usd.to_owned(), usd.replace("840", "\"840\""), usd.replace("840", long), usd.replace('2', "9007199254740993")];
            let all: Vec<_> = picks.iter().map(|i| rows[*i].clone()).collect();
            let single: Vec<_> = all.iter().map(|row| received(row, Currency::SHAPE)).collect();
            let expected = format!("[{}]", single.join(","));
            let list = Shape::Wrapped("rows", Currency::SHAPE);
            let json = format!("[{}]", all.join(","));
            prop_assert_eq!(&received(&json, &list), &expected);
            let duplicate = format!(r#"{{"rows":[{usd},{usd}],"rows":{json}}}"#);
            prop_assert_eq!(received(&duplicate, &list), expected);
        }
    }
}
