//! The wasm by who brought its bytes in: the layers of the crate, the crates below it, the data.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use wasmparser::{Parser, Payload, TypeRef};

use super::bytes::brotli;
use super::owner::{owner, readable};

pub(super) struct Module {
    pub(super) groups: Vec<Group>,
    /// The biggest first.
    pub(super) functions: Vec<Function>,
}

pub(super) struct Group {
    pub(super) name: String,
    /// None for what is not code.
    pub(super) functions: usize,
    pub(super) raw: usize,
    /// Compressed by itself. That the groups have much in common is left out, so that together they come to more than the module.
    pub(super) brotli: usize,
}

pub(super) struct Function {
    pub(super) name: String,
    pub(super) raw: usize,
    range: Range<usize>,
}

impl Module {
    /// `symbols` has a line `7:name` for each function, the imported ones first.
    pub(super) fn of(bytes: &[u8], symbols: &str) -> anyhow::Result<Module> {
        let names: BTreeMap<u32, &str> = symbols
            .lines()
            .filter_map(|line| line.split_once(':'))
            .filter_map(|(number, name)| Some((number.parse().ok()?, name)))
            .collect();
        let walked = Walked::of(bytes)?;
        ensure!(
            names.len() == walked.bodies.len() + usize::try_from(walked.imported)?,
            "the module has {} functions of its own and {} of the page, and there are {} names",
            walked.bodies.len(),
            walked.imported,
            names.len()
        );
        let mut functions = Vec::new();
        for (number, range) in (walked.imported..).zip(walked.bodies.iter().cloned()) {
            let name = names.get(&number).with_context(|| format!("function {number} has no name"))?;
            functions.push(Function { name: readable(name), raw: range.len(), range });
        }

        let mut parts: BTreeMap<String, (usize, Vec<u8>)> = BTreeMap::new();
        let part = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        for function in &functions {
            let (count, content) = parts.entry(owner(&function.name)).or_default();
            *count += 1;
            content.extend_from_slice(part(&function.range));
        }
        let code: usize = functions.iter().map(|function| function.raw).sum();
        let data: usize = walked.data.len();
        parts.insert("(data: texts and tables)".to_owned(), (0, part(&walked.data).to_vec()));
        let mut groups = Vec::new();
        for (name, (count, content)) in parts {
            groups.push(Group { name, functions: count, raw: content.len(), brotli: brotli(&content)? });
        }
        groups.sort_by_key(|group| Reverse(group.raw));
        let rest = bytes.len() - code - data;
        groups.push(Group {
            name: "(types, imports, exports, tables)".to_owned(),
            functions: 0,
            raw: rest,
            brotli: brotli(&walked.rest(bytes))?,
        });
        functions.sort_by_key(|function| Reverse(function.raw));
        Ok(Module { groups, functions })
    }

    pub(super) fn groups_entry(&self) -> Value {
        let entry = |group: &Group| {
            json!({
                "name": group.name,
                "functions": group.functions,
                "raw": group.raw,
                "brotliByItself": group.brotli,
            })
        };
        self.groups.iter().map(entry).collect()
    }

    pub(super) fn functions_entry(&self, count: usize) -> Value {
        let entry = |function: &Function| json!({ "name": function.name, "raw": function.raw });
        self.functions.iter().take(count).map(entry).collect()
    }
}

/// Where what lies in a module.
struct Walked {
    imported: u32,
    /// With the number of bytes that stands before each.
    bodies: Vec<Range<usize>>,
    code: Range<usize>,
    data: Range<usize>,
}

impl Walked {
    fn of(bytes: &[u8]) -> anyhow::Result<Walked> {
        let mut walked = Walked { imported: 0, bodies: Vec::new(), code: 0..0, data: 0..0 };
        let mut end = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        if matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)) {
                            walked.imported += 1;
                        }
                    }
                }
                Payload::CodeSectionStart { count, unchecked_range, .. } => {
                    walked.code = within(unchecked_range)?;
                    // How many there are stands before the first.
                    end = walked.code.start + bytes_of_number(count);
                }
                Payload::CodeSectionEntry(body) => {
                    let body = within(body.range())?;
                    walked.bodies.push(end..body.end);
                    end = body.end;
                }
                Payload::DataSection(data) => walked.data = within(data.range())?,
                _ => {}
            }
        }
        ensure!(end == walked.code.end, "the functions of the module do not fill its code section");
        Ok(walked)
    }

    /// All but code and data.
    fn rest(&self, bytes: &[u8]) -> Vec<u8> {
        let between = [0..self.code.start, self.code.end..self.data.start, self.data.end..bytes.len()];
        between.into_iter().filter_map(|range| bytes.get(range)).flatten().copied().collect()
    }
}

fn within(range: Range<u64>) -> anyhow::Result<Range<usize>> {
    Ok(usize::try_from(range.start)?..usize::try_from(range.end)?)
}

/// How long a number is in a module: seven bits a byte.
fn bytes_of_number(number: u32) -> usize {
    let bits = u32::BITS - number.leading_zeros();
    usize::try_from(bits.div_ceil(7).max(1)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One imported function and two of its own, of 3 and 5 bytes, and four bytes of data.
    const MODULE: &[u8] = &[
        0, b'a', b's', b'm', 1, 0, 0, 0, // header
        1, 4, 1, 0x60, 0, 0, // one type
        2, 7, 1, 1, b'm', 1, b'f', 0, 0, // one import
        3, 3, 2, 0, 0, // two functions
        5, 3, 1, 0, 1, // a memory
        10, 9, 2, 2, 0, 0x0b, 4, 0, 1, 1, 0x0b, // their bodies
        11, 10, 1, 0, 0x41, 0, 0x0b, 4, 1, 2, 3, 4, // data
    ];

    #[test]
    fn every_byte_belongs_to_somebody() {
        let symbols = "0:js_sys::f\n1:remitkit::api::quote::read::h0123456789abcdef\n2:core::str::parse\n";
        let module = Module::of(MODULE, symbols).unwrap();
        let sum: usize = module.groups.iter().map(|group| group.raw).sum();
        assert_eq!(sum, MODULE.len());
        let functions: Vec<(&str, usize)> =
            module.functions.iter().map(|function| (function.name.as_str(), function.raw)).collect();
        assert_eq!(functions, [("core::str::parse", 5), ("remitkit::api::quote::read", 3)]);
        let names: Vec<&str> = module.groups.iter().map(|group| group.name.as_str()).collect();
        assert!(names.contains(&"remitkit::api") && names.contains(&"std"), "{names:?}");
    }

    #[test]
    fn names_of_another_module_are_refused() {
        let error = Module::of(MODULE, "0:f\n1:g\n").err().unwrap().to_string();
        assert!(error.contains("2 names"), "{error}");
        assert!(Module::of(&MODULE[..40], "").is_err());
    }

    #[test]
    fn numbers_take_seven_bits_a_byte() {
        for (number, bytes) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3)] {
            assert_eq!(bytes_of_number(number), bytes, "{number}");
        }
    }
}
