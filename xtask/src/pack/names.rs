//! Short names for what the module and its glue call each other by.
//!
//! wasm-bindgen's names tell where a thing comes from, with a hash, and stand in both files; together they are some 3 kB of brotli that
//! every customer would download. wasm-opt has given the module short ones and said which: here the glue gets the same.

use anyhow::{Context, bail, ensure};
use serde_json::Value;

/// The glue with the names of `mapping`, wasm-opt's `{ imports: [[module, name, short]], exports: [[name, short]] }`.
pub(super) fn shortened(glue: &str, mapping: &str) -> anyhow::Result<String> {
    let mapping: Value = serde_json::from_str(mapping).context("wasm-opt's mapping of names")?;
    let mut text = glue.to_owned();
    for (name, short) in pairs(&mapping, "imports")? {
        let (long, new) = (format!("\n        {name}: function"), format!("\n        {short}: function"));
        ensure!(text.matches(&long).count() == 1, "wasm-bindgen's glue has changed: no import {name}");
        text = text.replace(&long, &new);
    }
    let exports: Vec<(&str, &str)> = pairs(&mapping, "exports")?;
    let mut parts = text.split("wasm.");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        out.push_str("wasm.");
        out.push_str(exports.iter().find(|(long, _)| *long == name).map_or(name, |(_, short)| short));
        out.push_str(rest);
    }
    // Its imports all come from the glue, whose own name wasm-opt shortens to this.
    let module =
        text_between(&out, "        \"./", "\": import0").context("wasm-bindgen's glue has changed")?;
    Ok(out.replace(&format!("\"./{module}\": import0"), "a: import0"))
}

fn text_between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

/// Of each entry the last two: the name and the short one.
fn pairs<'a>(mapping: &'a Value, list: &str) -> anyhow::Result<Vec<(&'a str, &'a str)>> {
    let entries = mapping.get(list).and_then(Value::as_array).with_context(|| format!("no {list}"))?;
    let mut found = Vec::new();
    for entry in entries {
        let names: Vec<&str> = entry.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let [.., name, short] = names.as_slice() else { bail!("{entry} names nothing") };
        found.push((*name, *short));
    }
    Ok(found)
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
        assert!(
            text.contains("wasm.b(wasm.c)")
                && text.contains("        a: function() { return wasm.core_newer()")
        );
        assert!(text.contains("        a: import0,"));
    }

    #[test]
    fn a_glue_that_lacks_an_import_is_refused() {
        let mapping = r#"{"imports":[["./core_bg.js","__wbg_gone","a"]],"exports":[]}"#;
        assert!(shortened(GLUE, mapping).is_err());
        assert!(shortened(GLUE, "no mapping").is_err());
    }
}
