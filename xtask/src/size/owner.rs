//! Whose a function is, by its name.

/// Crates that are one matter to who weighs them.
const FAMILIES: [(&str, &str); 15] = [
    ("core", "std"),
    ("alloc", "std"),
    ("std", "std"),
    ("hashbrown", "std"),
    ("compiler_builtins", "std"),
    ("rustc_demangle", "std"),
    ("panic_abort", "std"),
    ("dlmalloc", "dlmalloc"),
    ("wasm_bindgen", "wasm-bindgen, js-sys, web-sys"),
    ("js_sys", "wasm-bindgen, js-sys, web-sys"),
    ("web_sys", "wasm-bindgen, js-sys, web-sys"),
    ("serde_wasm_bindgen", "serde"),
    ("serde_core", "serde"),
    ("serde", "serde"),
    ("futures_util", "futures"),
];
/// What the compiler calls by itself.
const RUNTIME: [&str; 8] =
    ["memcmp", "bcmp", "memcpy", "memmove", "memset", "__multi3", "__udivti3", "__umodti3"];
const STD: &str = "std";
const GLUE: &str = "wasm-bindgen, js-sys, web-sys";
const OURS: &str = "remitkit";

/// The name without what the compiler and wasm-opt put around it.
pub(super) fn readable(symbol: &str) -> String {
    let mut name = symbol;
    // Code that wasm-opt found in several functions and made one of.
    while let Some(rest) = name.strip_prefix("byn$") {
        name = rest.split_once('$').map_or(rest, |(_, rest)| rest);
    }
    if let Some((before, hash)) = name.rsplit_once("::h")
        && hash.len() == 16
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        name = before;
    }
    without_crate_hashes(name)
}

/// `core[c5930c85a12de822]::str` as `core::str`.
fn without_crate_hashes(name: &str) -> String {
    let mut text = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        text.push_str(before);
        match after.split_once(']') {
            Some((hash, after)) if hash.len() >= 13 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                rest = after;
            }
            _ => {
                text.push('[');
                rest = after;
            }
        }
    }
    text + rest
}

/// The layer of the crate, or the crate. What std is made into for a type counts as of that type's owner, who needs it so: the
/// function is ours where any part of its name is, and std's where all of it is.
pub(super) fn owner(name: &str) -> String {
    let crates: Vec<(&str, &str)> = paths(name).collect();
    if let Some((_, rest)) = crates.iter().find(|(first, _)| *first == OURS) {
        let layer = rest.split("::").next().unwrap_or_default();
        let is_layer = !layer.is_empty() && layer.bytes().all(|byte| byte.is_ascii_lowercase());
        return if is_layer { format!("{OURS}::{layer}") } else { OURS.to_owned() };
    }
    // Each polls a future of one of our methods, which the compiler has put into it.
    if name.starts_with("js_sys::futures::future_to_promise::") {
        return format!("{OURS}::js");
    }
    let known: Vec<&str> = crates.iter().map(|(first, _)| family(first)).collect();
    if let Some(family) = known.iter().find(|family| **family != STD) {
        return (*family).to_owned();
    }
    if !known.is_empty() || RUNTIME.contains(&name) || name.starts_with("__rust") {
        return STD.to_owned();
    }
    // What wasm-bindgen wraps around imports and closures has names of its own, and the exports those of our classes.
    if name.starts_with("__") || name.contains("Externref") || name.contains("Closure(") {
        return GLUE.to_owned();
    }
    format!("{OURS}::js")
}

fn family(krate: &str) -> &str {
    FAMILIES.iter().find(|(name, _)| *name == krate).map_or(krate, |(_, family)| family)
}

/// Each path in a name: its crate, and what follows.
fn paths(name: &str) -> impl Iterator<Item = (&str, &str)> {
    name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'))
        .filter_map(|path| path.split_once("::"))
        .filter(|(first, _)| first.starts_with(|c: char| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_as_a_person_reads_them() {
        for (symbol, name) in [
            ("remitkit::api::quote::read::h0123456789abcdef", "remitkit::api::quote::read"),
            ("core[c5930c85a12de822]::str::from_utf8", "core::str::from_utf8"),
            ("<[T] as core::fmt::Debug>::fmt::h0123456789abcdef", "<[T] as core::fmt::Debug>::fmt"),
            ("byn$mgfn-shared$memcmp", "memcmp"),
            ("remitkit::h", "remitkit::h"),
        ] {
            assert_eq!(readable(symbol), name);
        }
    }

    #[test]
    fn functions_have_an_owner() {
        for (name, expected) in [
            ("remitkit::api::json::scan::Scanner::digits", "remitkit::api"),
            ("<remitkit::api::code::Code as core::cmp::PartialEq>::eq", "remitkit::api"),
            ("core::ptr::drop_in_place<remitkit::client::settlement::Next>", "remitkit::client"),
            (
                "js_sys::futures::future_to_promise<remitkit::js::core::promise<u8>>::{{closure}}",
                "remitkit::js",
            ),
            ("js_sys::futures::future_to_promise::{{closure}}::{{closure}}", "remitkit::js"),
            ("js_sys::futures::task::Task::run", GLUE),
            ("alloc::collections::btree::node::Handle<alloc::alloc::Global,K>::insert_fit", "std"),
            ("<T as core::convert::Into<U>>::into", "std"),
            ("dlmalloc::dlmalloc::Dlmalloc<A>::malloc", "dlmalloc"),
            ("core::ptr::drop_in_place<dlmalloc::Dlmalloc>", "dlmalloc"),
            ("<T as wasm_bindgen::convert::traits::ReturnWasmAbi>::return_abi", GLUE),
            ("futures_util::future::future::shared::Inner<Fut>::take_or_clone_output", "futures"),
            ("zlib_rs::inflate", "zlib_rs"),
            ("memcmp", "std"),
            ("__rust_alloc", "std"),
            ("__multi3", "std"),
            ("__wbindgen_malloc", GLUE),
            ("Ref(String) -> Externref", GLUE),
            ("core_cardFormUrl multivalue shim", "remitkit::js"),
        ] {
            assert_eq!(owner(name), expected, "{name}");
        }
    }
}
