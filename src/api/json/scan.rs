mod grammar;

use super::json_ref::{BIGINT_END, unescape};
use super::rows::{Edit, Seen};
use super::scanned::Scanned;
use super::schema_error::{SchemaError, within, within_item};
use super::shape::{Field, Shape};
use super::writer::SAFE_INTEGER;

/// Beyond this depth a text is refused: what the service sends has six levels.
const DEEPEST: usize = 64;
/// How a string begins that stands for a bigint of the caller's, which JSON cannot carry: with half a
/// surrogate pair, as no text that may be sent does.
const BIGINT_START: &str = "\"\\ud800";

/// How strictly a text is held to its shape.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// What is sent: no unknown member, every rule holds, whole numbers are at least 0.
    Sent,
    /// As `Sent`, for the input of an operation: what a record nearby has besides may be there, and is to be
    /// left out.
    Request(&'static Neighbours),
    /// What was received: unknown members are kept and enumerations are open.
    Received,
}

/// What the records near an operation's input have, of which it may be made.
#[derive(Debug)]
pub struct Neighbours {
    /// The names of their members, a line each.
    pub members: &'static str,
    /// The members of the record that stands in their lists.
    pub nested: &'static [Field],
}

impl Neighbours {
    fn have(&self, name: &str, depth: usize) -> bool {
        match depth {
            1 => self.members.lines().any(|member| member == name),
            _ => self.nested.iter().any(|field| field.name == name),
        }
    }
}

/// Checks a text against a shape in one pass.
///
/// # Errors
/// [`SchemaError`]: the text is no JSON, or has another shape.
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
        is_left_out: false,
        rows_at: match (mode, shape) {
            (Mode::Received, Shape::List(Shape::Record(_)) | Shape::Wrapped(_, Shape::Record(_))) => {
                shape_depth(json)
            }
            _ => usize::MAX,
        },
        seen: Seen::default(),
    };
    scanner.blank();
    scanner.value(shape).map_err(|fault| *fault)?;
    scanner.blank();
    if scanner.at != scanner.bytes.len() {
        return Err(SchemaError::Malformed(scanner.at));
    }
    let rows = if scanner.edits.is_empty() { scanner.seen.rows() } else { None };
    let Scanner { edits, has_bigints, has_extras, .. } = scanner;
    Ok(Scanned { edits, has_bigints, has_extras, rows })
}

/// How deep the rows of a list lie that may have a wrapper.
fn shape_depth(json: &str) -> usize {
    if json.trim_ascii_start().starts_with('[') { 1 } else { 2 }
}

struct Scanner<'a> {
    json: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    mode: Mode,
    edits: Vec<Edit>,
    has_bigints: bool,
    /// Whether what is sent has less than the text.
    has_extras: bool,
    /// Whether it is in a value that is left out.
    is_left_out: bool,
    /// How deep the rows lie that are worth remembering.
    rows_at: usize,
    seen: Seen<'a>,
}

/// In a box, as it is handed through every value and mostly not there.
type Checked = Result<(), Box<SchemaError>>;

impl<'a> Scanner<'a> {
    fn value(&mut self, shape: &Shape) -> Checked {
        let Some(first) = self.peek() else { return self.malformed() };
        match shape {
            Shape::Any => self.any(),
            Shape::Text if first == b'"' => self.string(),
            Shape::Text => self.mismatch("a string"),
            Shape::StringOrNumber if first == b'"' => self.string(),
            Shape::StringOrNumber if is_number(first) => {
                let start = self.at;
                self.number()?;
                self.quote(start, "\"");
                Ok(())
            }
            Shape::StringOrNumber => self.mismatch("a string or a number"),
            Shape::Ruled(rule) if first == b'"' => {
                let start = self.at;
                self.string()?;
                let holds = matches!(self.mode, Mode::Received)
                    || self
                        .json
                        .get(start..self.at)
                        .and_then(unescape)
                        .is_some_and(|text| (rule.holds)(&text));
                if holds { Ok(()) } else { self.breach(rule.expected, Some(rule.code.clone())) }
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
            Shape::List(of) if first == b'[' => self.list(of),
            Shape::List(_) => self.mismatch("an array"),
            Shape::OneOrMany(of) if first == b'[' => self.list(of),
            Shape::OneOrMany(of) => {
                self.insert(self.at, "[");
                self.value(of)?;
                self.insert(self.at, "]");
                Ok(())
            }
            Shape::Wrapped(_, of) if first == b'[' => self.list(of),
            Shape::Wrapped(name, of) if first == b'{' => self.wrapped(name, of),
            Shape::Wrapped(..) => self.mismatch("an array"),
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

    /// An object with a `value` and a `currency` is an amount wherever it stands, and its value a whole
    /// number.
    fn any_object(&mut self) -> Checked {
        let (mut value, mut is_amount) = (None, false);
        self.members(|scanner, name| {
            if name != "value" {
                is_amount |= name == "currency";
                return scanner.any();
            }
            let edits = scanner.edits.len();
            let is_number = scanner.peek().is_some_and(is_number);
            scanner.any()?;
            value = Some(edits + 1).filter(|close| is_number && *close < scanner.edits.len());
            Ok(())
        })?;
        if let Some(close) = value.filter(|_| is_amount).and_then(|close| self.edits.get_mut(close)) {
            close.with = BIGINT_END;
            self.has_bigints = true;
        }
        Ok(())
    }

    /// A whole number that the engine would round becomes a string of its digits.
    fn any_number(&mut self) -> Checked {
        let start = self.at;
        self.number()?;
        let text = self.json.get(start..self.at).unwrap_or("");
        let is_whole = text.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9'));
        if matches!(self.mode, Mode::Received) && is_whole && !is_safe(text) {
            self.quote(start, "\"");
        }
        Ok(())
    }

    /// A decimal of more digits than a float keeps becomes a string of them.
    fn decimal(&mut self) -> Checked {
        let start = self.at;
        self.number()?;
        let text = self.bytes.get(start..self.at).unwrap_or(&[]);
        let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
        let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
        let is_plain = text.iter().all(|byte| matches!(byte, b'-' | b'.' | b'0'..=b'9'));
        // More decimals than any currency has are what is left of a float, which reads them as they are.
        if is_plain && digits > 15 && text.len() <= point + 9 {
            self.quote(start, "\"");
        }
        Ok(())
    }

    fn record(&mut self, fields: &'static [Field]) -> Checked {
        let mut seen = 0u64;
        let mut next = 0;
        let (mut has_extras, mut has_party_type) = (false, false);
        self.enter(b'{')?;
        let mut is_over = self.closes(b'}');
        let mut is_empty = is_over;
        while !is_over {
            self.blank();
            // Members mostly come in the order of the shape, so the search begins where the last one ended.
            let found = match self.expected(fields, next) {
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
                    if !may_be_null || self.peek() != Some(b'n') || !self.word("null") {
                        seen |= 1u64.wrapping_shl(i as u32);
                        self.value(field.shape).map_err(|fault| within(fault, field.name))?;
                    } else {
                        // As good as absent, and not every service takes it so.
                        self.has_extras = true;
                    }
                }
                Err(name) if matches!(self.mode, Mode::Request(neighbours) if neighbours.have(&name, self.depth)) =>
                {
                    self.leave_out().map_err(|fault| within(fault, &name))?;
                    has_extras = true;
                    has_party_type |= name.ends_with(PARTY_TYPE);
                }
                Err(name) if !matches!(self.mode, Mode::Received) => {
                    return Err(Box::new(SchemaError::Unknown { path: name.into_owned() }));
                }
                Err(name) => self.any().map_err(|fault| within(fault, &name))?,
            }
            is_over = self.ends(b'}')?;
        }
        for (i, field) in fields.iter().enumerate() {
            if seen & 1u64.wrapping_shl(i as u32) != 0 {
                continue;
            }
            // Left out under another name, the type of a party would become another one in silence.
            let is_lost = has_party_type && field.name.ends_with(PARTY_TYPE);
            match field.default(has_extras) {
                Some(default) if matches!(self.mode, Mode::Request(_)) && !is_lost => {
                    let comma = usize::from(is_empty);
                    self.insert(self.at - 1, default.get(comma..).unwrap_or(""));
                    is_empty = false;
                }
                _ if field.required || is_lost => {
                    let breach = self.breach("present", field.code_if_missing());
                    return breach.map_err(|fault| within(fault, field.name));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A value that is no part of what is sent, so that a bigint may stand in it.
    fn leave_out(&mut self) -> Checked {
        let was_left_out = std::mem::replace(&mut self.is_left_out, true);
        self.has_extras = true;
        self.any()?;
        self.is_left_out = was_left_out;
        Ok(())
    }

    /// Reads the name of a member that is one of the next of a record, written without escapes or blanks.
    fn expected(&mut self, fields: &[Field], next: usize) -> Option<usize> {
        let rest = self.bytes.get(self.at..)?;
        let candidates = fields.iter().enumerate().skip(next).take(3);
        for (i, field) in candidates {
            let end = field.name.len() + 1;
            if rest.get(end) == Some(&b'"')
                && rest.get(end + 1) == Some(&b':')
                && rest.first() == Some(&b'"')
                && rest.get(1..end) == Some(field.name.as_bytes())
            {
                self.at += end + 2;
                self.blank();
                return Some(i);
            }
        }
        None
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
            // Of several lists with this name the last counts.
            scanner.edits.truncate(first_edit);
            scanner.seen = Seen::default();
            scanner.list(of)?;
            kept = Some((from, scanner.at));
            Ok(())
        })?;
        let Some((from, to)) = kept else { return self.mismatch("an array") };
        self.edits.insert(first_edit, Edit { from: start, to: from, with: "" });
        self.edits.push(Edit { from: to, to: self.at, with: "" });
        Ok(())
    }

    fn list(&mut self, of: &Shape) -> Checked {
        self.enter(b'[')?;
        let mut index = 0usize;
        if self.closes(b']') {
            return Ok(());
        }
        loop {
            self.blank();
            // Beside the rows a wrapper may hold other lists.
            let is_row = self.depth == self.rows_at && matches!(of, Shape::Record(_));
            if is_row { self.row(of) } else { self.value(of) }.map_err(|fault| within_item(fault, index))?;
            index += 1;
            if self.ends(b']')? {
                return Ok(());
            }
        }
    }

    /// A row of the list, which need not be checked again where it is the one that is to be expected.
    fn row(&mut self, of: &Shape) -> Checked {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or(&[]);
        if let Some(length) = self.seen.expected(rest, start, &mut self.edits) {
            self.at += length;
            return Ok(());
        }
        let first_edit = self.edits.len();
        self.value(of)?;
        let text = self.bytes.get(start..self.at).unwrap_or(&[]);
        self.seen.note(text, start, first_edit..self.edits.len());
        Ok(())
    }

    fn members(&mut self, mut member: impl FnMut(&mut Self, &str) -> Checked) -> Checked {
        self.enter(b'{')?;
        let mut is_over = self.closes(b'}');
        while !is_over {
            self.blank();
            let name = self.name()?;
            member(self, &name).map_err(|fault| within(fault, &name))?;
            is_over = self.ends(b'}')?;
        }
        Ok(())
    }

    fn integer(&mut self, first: u8, is_amount: bool) -> Checked {
        let start = self.at;
        let is_right = if first == b'"' {
            is_amount && !matches!(self.mode, Mode::Received) && self.bigint(start)
        } else if is_number(first) {
            self.number()?;
            let text = self.json.get(start..self.at).unwrap_or("");
            if !matches!(self.mode, Mode::Received) {
                is_safe(text) && first != b'-'
            } else if is_safe(text) {
                true
            } else {
                self.quote(start, BIGINT_END);
                self.has_bigints = true;
                fits(text)
            }
        } else {
            false
        };
        match is_right {
            true => Ok(()),
            false if is_amount => self.breach(
                "a whole number of minor units, at least 0 (a bigint beyond 2^53)",
                Some(crate::api::Code::InvalidAmount),
            ),
            false => self.mismatch("a whole number, at least 0"),
        }
    }

    /// Takes a bigint of the caller's for its digits, if it is one.
    fn bigint(&mut self, start: usize) -> bool {
        let marked = self.json.get(start..).and_then(|text| text.strip_prefix(BIGINT_START));
        let digits = marked.and_then(|marked| marked.split_once('"')).map(|(digits, _)| digits);
        let Some(digits) = digits.filter(|digits| !digits.starts_with('-') && fits(digits)) else {
            return false;
        };
        let from = start + BIGINT_START.len();
        self.at = from + digits.len() + 1;
        self.edits.push(Edit { from: start, to: from, with: "" });
        self.edits.push(Edit { from: self.at - 1, to: self.at, with: "" });
        true
    }

    fn insert(&mut self, at: usize, with: &'static str) {
        self.edits.push(Edit { from: at, to: at, with });
    }

    fn quote(&mut self, start: usize, close: &'static str) {
        self.insert(start, "\"");
        self.insert(self.at, close);
    }

    fn mismatch(&self, expected: &'static str) -> Checked {
        self.breach(expected, None)
    }

    fn breach(&self, expected: &'static str, code: Option<crate::api::Code>) -> Checked {
        Err(Box::new(SchemaError::Mismatch { path: String::new(), expected, code }))
    }
}

/// How the names of members end that say what a party is.
const PARTY_TYPE: &str = "Type";

fn is_number(first: u8) -> bool {
    matches!(first, b'-' | b'0'..=b'9')
}

/// Whether it is a whole number that a float holds.
fn is_safe(text: &str) -> bool {
    // Fifteen digits are safe without being read.
    text.len() < 16 && text.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9'))
        || text.strip_prefix('-').unwrap_or(text).parse().is_ok_and(|size: u64| size <= SAFE_INTEGER)
}

fn fits(digits: &str) -> bool {
    digits.bytes().all(|b| b.is_ascii_digit() || b == b'-') && digits.parse::<i64>().is_ok()
}

// Natively alone: proptest draws on the system's randomness.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::api::{Code, Corridor, Country, Quote, QuoteRequest, Transfer, json::Codec};
    use proptest::prelude::*;

    const SAMPLE: &str = r#"{"amount":12550,"dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","quoteBy":"SEND_AMOUNT","srcCurrencyIso3Code":"USD","transferMethod":"PUSH_TO_CARD"}"#;

    fn sent(json: &str) -> Result<String, SchemaError> {
        scan(json, QuoteRequest::SHAPE, Mode::Sent).map(|scanned| scanned.apply(json).into_owned())
    }

    fn received(json: &str, shape: &Shape) -> String {
        scan(json, shape, Mode::Received).unwrap().apply(json).into_owned()
    }

    #[test]
    fn a_string_ends_where_the_engine_ends_it() {
        for at in 0..20 {
            for special in ["\"", "\\", "\n", "\u{1f}", "\u{7f}", "é", "€", "a"] {
                let text = format!("\"{}{special}{}\"", "a".repeat(at), "b".repeat(at % 9));
                let is_right = serde_json::from_str::<String>(&text).is_ok();
                assert_eq!(scan(&text, &Shape::Text, Mode::Received).is_ok(), is_right, "{text}");
            }
        }
    }

    #[test]
    fn what_stands_beside_the_list_in_its_wrapper_is_no_row_of_it() {
        let shape = &Shape::Wrapped("countries", Country::SHAPE);
        let mexico = r#"{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"}"#;
        let json = format!(r#"{{"pages":[1,12],"countries":[{mexico}]}}"#);
        assert_eq!(received(&json, shape), format!("[{mexico}]"));
        let json = r#"{"links":[{"a":1},{"a":1}],"countries":[{"a":1}]}"#;
        assert!(scan(json, shape, Mode::Received).is_err());
    }

    #[test]
    fn what_is_sent_must_have_its_shape_and_the_fault_says_where() {
        assert_eq!(sent(SAMPLE).unwrap(), SAMPLE);
        let code_at = |from: &str, to: &str| match sent(&SAMPLE.replace(from, to)) {
            Err(SchemaError::Mismatch { path, code, .. }) => (path, code),
            other => panic!("{other:?}"),
        };
        for amount in [
            "-1",
            "1.5",
            "1e3",
            "9007199254740992",
            "\"125\"",
            "null",
            "\"5n\"",
            r#""\ud800-5""#,
            r#""\ud8005.0""#,
            r#""\ud800""#,
        ] {
            assert_eq!(code_at("12550", amount), ("amount".into(), Some(Code::InvalidAmount)), "{amount}");
        }
        assert_eq!(code_at("MEX", "mex").0, "dstCountryIso3Code");
        assert_eq!(code_at("PUSH_TO_CARD", "push").0, "transferMethod");
        assert_eq!(code_at("\"amount\":12550,", "").0, "amount");
        let unknown = sent(&SAMPLE.replace("transferMethod", "transfermethod"));
        assert_eq!(unknown.unwrap_err(), SchemaError::Unknown { path: "transfermethod".into() });
    }

    #[test]
    fn a_bigint_arrives_as_its_digits() {
        assert!(
            sent(&SAMPLE.replace("12550", r#""\ud8009007199254740993""#))
                .unwrap()
                .contains(":9007199254740993,")
        );
    }

    #[test]
    fn half_a_surrogate_pair_is_refused_on_its_way_out_alone() {
        let shape = &Shape::Any;
        assert!(scan(r#""\ud83d""#, shape, Mode::Sent).is_err());
        assert!(scan(r#""\udc00\ud83d""#, shape, Mode::Sent).is_err());
        assert!(scan(r#""\ud83d\ude00""#, shape, Mode::Sent).is_ok());
        assert!(scan(r#""\ud83d""#, shape, Mode::Received).is_ok());
    }

    #[test]
    fn variants_of_replies_come_into_one_form_and_lose_nothing() {
        let usd = r#"{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":840}"#;
        let single = format!(
            r#"{{"corridors":[{{"destinationCountry":{{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"}},"sourceCurrency":{usd},"destinationCurrency":[{usd}],"transferMethod":"NEW_ONE","more":1.5e3}}],"total":1}}"#
        );
        let shape = &Shape::Wrapped("corridors", Corridor::SHAPE);
        let usd = usd.replace("840", "\"840\"");
        assert_eq!(
            received(&single, shape),
            format!(
                r#"[{{"destinationCountry":{{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"}},"sourceCurrency":[{usd}],"destinationCurrency":[{usd}],"transferMethod":"NEW_ONE","more":1.5e3}}]"#
            )
        );
        let transfer = r#"{"transferId":"a","confirmationNumber":12345678901234567890}"#;
        assert_eq!(received(transfer, Transfer::SHAPE), transfer.replace(":1", ":\"1").replace("0}", "0\"}"));
    }

    #[test]
    fn whole_numbers_beyond_a_float_are_kept_digit_by_digit() {
        let quote = r#"{"sendAmount":{"value":9007199254740993,"currency":{"iso3Code":"USD","decimalPlaces":2}},"quoteHistoryId":"q"}"#;
        let scanned = scan(quote, Quote::SHAPE, Mode::Received).unwrap();
        assert!(scanned.has_bigints);
        assert_eq!(
            Quote::read(crate::api::json::JsonRef::new(&scanned.apply(quote))).unwrap().send_amount.value,
            9_007_199_254_740_993
        );
        let scanned = scan(quote, Quote::SHAPE, Mode::Received).unwrap();
        assert!(scanned.apply(quote).contains(r#""value":"9007199254740993n\u0000""#));
    }

    #[test]
    fn an_amount_is_exact_wherever_it_stands() {
        let amount = r#"{"value":9007199254740993,"currency":{"iso3Code":"USD","decimalPlaces":2}}"#;
        let exact = amount.replace("740993", r#"740993n\u0000""#).replace(":9", r#":"9"#);
        let quote = |amount: &str| {
            format!(
                r#"{{"sendAmount":{amount},"adjustments":[{{"amount":{amount}}}],"later":{{"fee":{amount}}}}}"#
            )
        };
        let transfer = |amount: &str| {
            format!(
                r#"{{"transferId":"a","quote":{},"disclaimers":[{amount}],"later":{amount}}}"#,
                quote(amount)
            )
        };
        let scanned = scan(&transfer(amount), Transfer::SHAPE, Mode::Received).unwrap();
        assert!(scanned.has_bigints);
        assert_eq!(received(&transfer(amount), Transfer::SHAPE), transfer(&exact));
        assert_eq!(received(&transfer(amount), &Shape::Any), transfer(&exact));
        let turned = r#"{"transferId":"a","quote":{"a":{"currency":{},"value":-9007199254740993}}}"#;
        let expected = turned.replace("-9007199254740993", r#""-9007199254740993n\u0000""#);
        assert_eq!(received(turned, Transfer::SHAPE), expected);
        let listed = r#"[{"transferId":"a","quote":{"sendAmount":{"value":29.99},"totalCost":{"value":90071992547409.93},"adjustments":[{"amount":{"value":-90071992547409.93}}],"later":{"value":9007199254740993,"currency":{}},"receiveAmount":{"value":29.990000000000002}}}]"#;
        let expected = listed.replace(":90071992547409.93", r#":"90071992547409.93""#);
        let expected = expected.replace("-90071992547409.93", r#""-90071992547409.93""#);
        let expected = expected.replace("9007199254740993,", r#""9007199254740993n\u0000","#);
        assert_eq!(
            received(listed, &Shape::Wrapped("transfers", crate::api::ListedTransfer::SHAPE)),
            expected
        );
        let beside = r#"{"value":1,"currency":{"id":12345678901234567890}}"#;
        assert!(received(beside, &Shape::Any).contains(r#""id":"12345678901234567890""#));
        for value in ["9007199254740991", "-0", "1e300", "12345678901234567.5", "29.99"] {
            let json = format!(r#"{{"value":{value},"currency":"USD"}}"#);
            assert_eq!(received(&json, &Shape::Any), json);
        }
        let id = r#"{"id":{"value":12345678901234567890},"n":[-9007199254740993]}"#;
        let expected = r#"{"id":{"value":"12345678901234567890"},"n":["-9007199254740993"]}"#;
        assert_eq!(received(id, &Shape::Any), expected, "what is no amount is a string");
    }

    #[test]
    fn rows_that_repeat_are_told_once_and_each_is_checked() {
        let country = |name: &str| format!(r#"{{"name":"{name}","iso3Code":"MEX","iso2Code":"MX"}}"#);
        let list = |rows: &[String]| format!("[{}]", rows.join(", "));
        let scanned = |json: &str| scan(json, &Shape::List(Country::SHAPE), Mode::Received);
        let (a, b) = (country("A"), country("B"));
        let turns: Vec<_> = [&a, &b].into_iter().cycle().take(5).cloned().collect();
        let rows = scanned(&list(&turns)).unwrap().rows.unwrap();
        assert_eq!((rows.distinct, rows.order), (format!("[{a},{b}]"), vec![0, 1, 0, 1, 0]));
        let shuffled = [&a, &a, &b, &a, &b, &b, &a].map(String::clone);
        assert_eq!(scanned(&list(&shuffled)).unwrap().rows.unwrap().order, [0, 0, 1, 0, 1, 1, 0]);
        let wrapped = format!(r#"{{"corridors":{},"total":5}}"#, list(&turns));
        let wrapped = scan(&wrapped, &Shape::Wrapped("corridors", Country::SHAPE), Mode::Received).unwrap();
        assert_eq!(wrapped.rows, None, "its wrapper has to go");
        assert_eq!(scanned(&list(&[a.clone(), b.clone()])).unwrap().rows, None, "nothing repeats");
        assert_eq!(scanned("[]").unwrap().rows, None);
        assert_eq!(scan(&a, Country::SHAPE, Mode::Received).unwrap().rows, None, "it is no list");
        // A row that only begins as the one that is expected.
        let broken = list(&[a.clone(), a.clone(), a.replace("\"MX\"", "7")]);
        assert!(
            matches!(scanned(&broken), Err(SchemaError::Mismatch { path, .. }) if path == "[2].iso2Code")
        );
    }

    #[test]
    fn a_row_that_repeats_is_normalised_as_the_first_one() {
        let usd = r#"{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":12345678901234567890}"#;
        let row = |method: &str| {
            format!(
                r#"{{"destinationCountry":{{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"}},"sourceCurrency":{usd},"destinationCurrency":{usd},"transferMethod":"{method}"}}"#
            )
        };
        let alone = |row: &str| received(row, Corridor::SHAPE);
        assert!(
            alone(&row("A"))
                .contains(r#":[{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":"12345678901234567890"}],"#)
        );
        let shape = &Shape::Wrapped("corridors", Corridor::SHAPE);
        let rows: Vec<_> = [0, 0, 1, 0, 1, 0, 0, 1].map(|i| row(["A", "B"][i])).into();
        let expected = format!("[{}]", rows.iter().map(|row| alone(row)).collect::<Vec<_>>().join(","));
        let bare = format!("[{}]", rows.join(","));
        assert_eq!(received(&bare, shape), expected);
        assert_eq!(received(&format!(r#"{{"corridors":{bare}}}"#), shape), expected);
        let twice = format!(r#"{{"corridors":[{0},{0}],"corridors":{bare}}}"#, row("A"));
        assert_eq!(received(&twice, shape), expected);
        let amounts = r#"{"value":9007199254740993,"currency":{"iso3Code":"USD","decimalPlaces":2}}"#;
        let scanned = scan(
            &format!("[{amounts},{amounts},{amounts}]"),
            &Shape::List(crate::api::Amount::SHAPE),
            Mode::Received,
        );
        assert!(scanned.unwrap().has_bigints);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for json in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            "tru",
            "\"a",
            "\"\u{1}\"",
            "{} {}",
            "nulls",
            "-",
            "\"\\x\"",
            "{1:2}",
            "\"\\u12\"",
        ] {
            assert!(
                matches!(scan(json, &Shape::Any, Mode::Received), Err(SchemaError::Malformed(_))),
                "{json}"
            );
        }
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert!(scan(&deep, &Shape::Any, Mode::Received).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_scanned_without_a_panic(json in ".*") {
            let _ = scan(&json, Quote::SHAPE, Mode::Received);
            let _ = sent(&json);
        }

        #[test]
        fn rows_become_what_each_is_alone(picks in proptest::collection::vec(0usize..4, 0..40)) {
            let usd = r#"{"iso3Code":"USD","decimalPlaces":2,"iso4217Code":840}"#;
            let rows = [usd.to_owned(), usd.replace("840", "\"840\""), usd.replace("840", "12345678901234567890"), usd.replace('2', "9007199254740993")];
            let all: Vec<_> = picks.iter().map(|i| rows[*i].clone()).collect();
            let shape = crate::api::Currency::SHAPE;
            let alone: Vec<_> = all.iter().map(|row| received(row, shape)).collect();
            let list = Shape::Wrapped("rows", shape);
            let json = format!("[{}]", all.join(","));
            let scanned = scan(&json, &list, Mode::Received).unwrap();
            prop_assert_eq!(scanned.apply(&json).into_owned(), format!("[{}]", alone.join(",")));
        }

        #[test]
        fn a_damaged_text_is_scanned_without_a_panic(at in 0..SAMPLE.len(), c: char) {
            let mut json = SAMPLE.to_owned();
            json.replace_range(at..=at, &c.to_string());
            let _ = sent(&json);
        }
    }
}
