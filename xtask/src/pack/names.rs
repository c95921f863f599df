//! Short names for what the module and its glue call each other by.
//!
//! wasm-bindgen's names tell where a thing comes from, with a hash, and stand in both files; together they
//! are some 3 kB of brotli that every customer would download. wasm-opt has given the module short ones and
//! said which: here the glue gets the same.

use anyhow::{Context, ensure};
use serde_json::Value;

/// Returns the glue with the names of `mapping`, wasm-opt's `{ imports: [[module, name, short]], exports:
/// [[name, short]] }`.
pub(super) fn shortened(glue: &str, mapping: &str) -> anyhow::Result<String> {
    let mapping: Value = serde_json::from_str(mapping).context("wasm-opt's mapping of names")?;
    let mut text = glue.to_owned();
    for (name, short) in pairs(&mapping["imports"]) {
        let long = format!("\n        {name}: function");
        ensure!(text.matches(&long).count() == 1, "wasm-bindgen's glue has changed: no import {name}");
        text = text.replace(&long, &format!("\n        {short}: function"));
    }
    let mut parts = text.split("wasm.");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let short =
            pairs(&mapping["exports"]).find(|(long, _)| *long == name).map_or(name, |(_, short)| short);
        out.push_str(&format!("wasm.{short}{rest}"));
    }
    // Its imports all come from the glue, whose own name wasm-opt shortens to this.
    let (before, after) = out.split_once("\": import0").context("wasm-bindgen's glue has changed")?;
    let (before, _) = before.rsplit_once('"').context("wasm-bindgen's glue has changed")?;
    Ok(format!("{before}a: import0{after}"))
}

/// Returns of each entry the last two: the name and the short one.
fn pairs(entries: &Value) -> impl Iterator<Item = (&str, &str)> {
    entries.as_array().into_iter().flatten().filter_map(|entry| match entry.as_array()?.as_slice() {
        [.., name, short] => name.as_str().zip(short.as_str()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "    wasm.core_new(wasm.memory);\n    const import0 = {\n        __wbg_now_1: function() { return wasm.core_newer(); },\n    };\n    return {\n        \"./core_bg.js\": import0,\n    };\n";

    #[test]
    fn each_name_is_replaced_where_it_is_used_and_nowhere_else() {
        let mapping =
            r#"{"imports":[["./core_bg.js","__wbg_now_1","a"]],"exports":[["core_new","b"],["memory","c"]]}"#;
        let text = shortened(GLUE, mapping).unwrap();
        assert_eq!(
            text,
            "    wasm.b(wasm.c);\n    const import0 = {\n        a: function() { return wasm.core_newer(); },\n    };\n    return {\n        a: import0,\n    };\n"
        );
        let mapping = r#"{"imports":[["./core_bg.js","__wbg_gone","a"]],"exports":[]}"#;
        assert!(shortened(GLUE, mapping).is_err());
    }
}
