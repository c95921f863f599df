//! wasm-bindgen's glue, adapted to this package: smaller, as each customer downloads it.

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// How the module is loaded, instead of wasm-bindgen's own ways. `load.js` has fetched the module or was
/// given it; without a source, as after a crash, a new instance of the known module is made. The content type
/// decides how a reply is compiled. Where the module has parts, `init` returns what links a part to this
/// instance; a part of another build does not link.
const INIT: &str = r#"
let wasm, wasmModule;

export { wasm as exports };

async function make(source, imports) {
    const { Response } = globalThis;
    const isReply = Response !== undefined && source instanceof Response;
    const streams = isReply && WebAssembly.instantiateStreaming && /^application\/wasm/i.test(source.headers.get("content-type"));
    const made = await (streams
        ? WebAssembly.instantiateStreaming(source, imports)
        : WebAssembly.instantiate(isReply ? await source.arrayBuffer() : source, imports));
    return made.module ? made : { module: source, instance: made };
}

export default async function init(source = wasmModule) {
    const { module, instance } = await make(source, __wbg_get_imports());
    wasmModule = module;
    __wbg_instance_id += 1;
    CACHES = null;
    wasm = watchExports(instance.exports);
    wasm.__wbindgen_start();
    const [build] = WebAssembly.Module.customSections(module, "parts");
    return build && linkPart(cachedTextDecoder.decode(build));
}

function linkPart(build) {
    const imports = { [build]: {
        memory: wasm.memory,
        __indirect_function_table: wasm.__indirect_function_table,
        __wasm_split_shared0: wasm.__wasm_split_shared0,
    } };
    return async (source) => (await make(source, imports)).module;
}

function live({ __wbg_inst }) {
    if (__wbg_inst !== __wbg_instance_id) {
        throw new Error("of an instance that has crashed");
    }
}

function takeString([ptr, len]) {
    const text = getStringFromWasm0(ptr, len);
    wasm.__wbindgen_free(ptr, len, 1);
    return text;
}
"#;

/// Text that the package does not need, from the first string through the second. Each occurs once.
const REMOVED: [(&str, &str); 6] = [
    ("function __wbg_call_guard() {", "\n}\n"),
    ("function _assertClass(", "\n}\n"),
    ("let __wbg_reinit_scheduled", "\n"),
    ("export function __wbg_reset_state () {", "\n}\n"),
    // Every engine that runs the module has `encodeInto`.
    ("if (!('encodeInto' in cachedTextEncoder)) {", "\n}\n"),
    // Every string is passed with a `realloc`.
    ("if (realloc === undefined) {", "}\n"),
];

/// Returns the glue as the package has it, with the names that wasm-opt has given the module's imports and
/// exports.
///
/// It passes its exports to crash.js: a trap in what the engine calls reaches no caller, so only a wrapper
/// around the exports can notice that the module has crashed.
pub(super) fn adapted(glue: &str, mapping: &str) -> anyhow::Result<String> {
    // Nothing here requests a new instance during a call, or passes an object of another class.
    let is_needed = |line: &&str| {
        let line = line.trim();
        line != "__wbg_call_guard();" && !line.starts_with("_assertClass(")
    };
    let mut text: String = glue.split_inclusive('\n').filter(is_needed).collect();
    let removed = |_: &str| Some(String::new());
    for (start, end) in REMOVED {
        ensure!(text.matches(start).count() == 1, "wasm-bindgen's glue has changed: not one `{start}`");
        text = replace_each(&text, start, end, removed)?;
    }
    let text = replace_each(&text, "(typeof FinalizationRegistry === 'undefined')", "    : ", removed)?;
    // The package decides itself what `free` does.
    let text = replace_each(&text, "if (Symbol.dispose) ", "\n", removed)?;
    let live = |object: &str| Some(format!("live({object});\n"));
    let text = replace_each(&text, "if (this.__wbg_inst !== undefined", "}\n", |_| live("this"))?;
    let text = replace_each(&text, "if ((", "}\n", |check| live(check.split_once(").__wbg_inst")?.0))?;
    let text = replace_each(&text, "if (state.instance !== __wbg_instance_id) {", "}\n", |_| {
        live("{ __wbg_inst: state.instance }")
    })?;
    // Strings already passed are not freed when a later one traps: the module has crashed then.
    let text = replace_each(&text, "throw e;\n", "}\n", |_| Some("throw e; }\n".to_owned()))?;
    let text = replace_each(&text, "let ptr0", "throw e; }\n", |passing| {
        let (names, work) = passing.split_once("try {\n")?;
        let (work, _) = work.split_once("} catch")?;
        Some(format!("let ptr0{}\n{}\n", names.trim_end(), work.trim_end()))
    })?;
    let text = replace_each(&text, "let deferred", "_1, 1);\n        }\n", |method| {
        let (_, work) = method.split_once("try {\n")?;
        let (work, _) = work.split_once("deferred")?;
        Some(format!("{}\n        return takeString(ret);\n", work.trim_end()))
    })?;
    let (kept, _) = text.split_once("let wasmModule, wasmInstance, wasm;\n").context("no way to load it")?;
    // Views of the memory of an earlier instance.
    let caches = kept.lines().filter_map(|line| line.strip_prefix("let ")?.strip_suffix("Memory0 = null;"));
    let caches: Vec<String> = caches.map(|name| format!("{name}Memory0")).collect();
    ensure!(!caches.is_empty(), "wasm-bindgen's glue has changed: it keeps no views of the memory");
    let init = INIT.replace("CACHES", &caches.join(" = "));
    with_short_names(&format!("import {{ watchExports }} from \"./crash.js\";\n{kept}{init}"), mapping)
}

/// Replaces each stretch from `start` through the next `end` by what `make` returns for the text between
/// them.
fn replace_each(
    text: &str,
    start: &str,
    end: &str,
    make: impl Fn(&str) -> Option<String>,
) -> anyhow::Result<String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, from)) = rest.split_once(start) {
        let made = from.split_once(end).and_then(|(inner, after)| Some((make(inner)?, after)));
        let (made, after) =
            made.with_context(|| format!("wasm-bindgen's glue has changed after `{start}`"))?;
        out.push_str(before);
        out.push_str(&made);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Gives imports and exports the names of wasm-opt's `mapping`, `{ imports: [[module, name, short]], exports:
/// [[name, short]] }`. wasm-bindgen's long names are some 3 kB of brotli, in both files.
fn with_short_names(glue: &str, mapping: &str) -> anyhow::Result<String> {
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
        let short = pairs(&mapping["exports"]).find(|(long, _)| *long == name);
        out.push_str(&format!("wasm.{}{rest}", short.map_or(name, |(_, short)| short)));
    }
    // wasm-opt shortens the glue's own name, the module of all imports, to `a`.
    let (before, after) = out.split_once("\": import0").context("wasm-bindgen's glue has changed")?;
    let (before, _) = before.rsplit_once('"').context("wasm-bindgen's glue has changed")?;
    Ok(format!("{before}a: import0{after}"))
}

/// Returns the last two members of each entry: the name and the short one.
fn pairs(entries: &Value) -> impl Iterator<Item = (&str, &str)> {
    entries.as_array().into_iter().flatten().filter_map(|entry| match entry.as_array()?.as_slice() {
        [.., name, short] => name.as_str().zip(short.as_str()),
        _ => None,
    })
}
