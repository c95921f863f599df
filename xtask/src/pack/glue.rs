//! wasm-bindgen's glue, adapted to this package: how the module is loaded, and what a crash ends.

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// How the module is loaded, instead of wasm-bindgen's own ways. `load.js` has fetched the module or was
/// given it; without a source, as after a crash, a new instance of the known module is made. The content type
/// decides how a reply is compiled, and the engine, which streams none that a page has made up. Where the
/// module has parts, `init` returns what links a part to this instance; a part of another build does not link.
const INIT: &str = r#"
let wasm, wasmModule;

export { wasm as exports };

async function make(source, imports) {
    const isReply = typeof source?.arrayBuffer === "function";
    const read = async () => WebAssembly.instantiate(isReply ? await source.arrayBuffer() : source, imports);
    const streams = isReply && WebAssembly.instantiateStreaming && /^application\/wasm/i.test(source.headers?.get("content-type"));
    const made = await (streams
        ? WebAssembly.instantiateStreaming(source, imports).catch((cause) => {
            if (source.bodyUsed) throw cause;
            return read();
        })
        : read());
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
"#;

/// Ways to request a new instance during a call, which the package makes itself: from the first string
/// through the second.
const REMOVED: [(&str, &str); 3] = [
    ("function __wbg_call_guard() {", "\n}\n"),
    ("let __wbg_reinit_scheduled", "\n"),
    ("export function __wbg_reset_state () {", "\n}\n"),
];

/// Returns the glue as the package has it, with the names that wasm-opt has given the module's imports and
/// exports.
///
/// It passes its exports to crash.js: a trap in what the engine calls reaches no caller, so only a wrapper
/// around the exports can notice that the module has crashed.
pub(super) fn adapted(glue: &str, mapping: &str) -> anyhow::Result<String> {
    let mut text = glue.replace("__wbg_call_guard();\n", "\n");
    for (start, end) in REMOVED {
        let parts = text.split_once(start).and_then(|(before, from)| Some((before, from.split_once(end)?.1)));
        let (before, after) =
            parts.with_context(|| format!("wasm-bindgen's glue has changed: no `{start}`"))?;
        text = [before, after].concat();
    }
    // What an instance that has crashed was waiting for concerns nobody any more.
    let stale = "throw new Error('Cannot invoke closure from previous WASM instance');";
    ensure!(text.contains(stale), "wasm-bindgen's glue has changed: closures tell no instances apart");
    let text = text.replace(stale, "return undefined;");
    // Where a page gives all objects a `get`, a descriptor that inherits it can have no `value`.
    let descriptor = "{ value: __wbg_instance_id,";
    ensure!(text.contains(descriptor), "wasm-bindgen's glue has changed: objects are of no instance");
    let text = text.replace(descriptor, "{ __proto__: null, value: __wbg_instance_id,");
    let (kept, _) = text.split_once("let wasmModule, wasmInstance, wasm;\n").context("no way to load it")?;
    // Views of the memory of an earlier instance.
    let caches = kept.lines().filter_map(|line| line.strip_prefix("let ")?.strip_suffix("Memory0 = null;"));
    let caches: Vec<String> = caches.map(|name| format!("{name}Memory0")).collect();
    ensure!(!caches.is_empty(), "wasm-bindgen's glue has changed: it keeps no views of the memory");
    let init = INIT.replace("CACHES", &caches.join(" = "));
    with_short_names(&format!("import {{ watchExports }} from \"./crash.js\";\n{kept}{init}"), mapping)
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
