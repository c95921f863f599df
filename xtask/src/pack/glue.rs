//! wasm-bindgen's glue, without what this package has no use for. Each customer would download it.

use anyhow::{Context as _, ensure};

/// How the module is loaded, in the place of wasm-bindgen's own ways: `load.js` has fetched it, or was given
/// it. Without a source an instance is made anew of the module that is there, as after a crash. Whether a
/// server says that it is wasm decides how it is compiled. Where the module is not the whole, `init` gives
/// what adds parts of the same build to this very instance; one of another build does not link.
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

/// The glue as the package has it. It hands its exports to crash.js: a trap in what the engine calls reaches
/// no caller, so only who stands at the exports can tell that the module has crashed.
pub(super) fn adapted(glue: &str) -> anyhow::Result<String> {
    // Nothing here asks for a new instance in the middle of a call, or hands over an object of another class.
    let lines = glue.split_inclusive('\n').filter(|line| line.trim() != "__wbg_call_guard();");
    let lines = lines.filter(|line| !line.trim().starts_with("_assertClass("));
    let text = without(&lines.collect::<String>(), "function __wbg_call_guard() {", "\n}\n")?;
    let text = without(&text, "function _assertClass(", "\n}\n")?;
    let text = without(&text, "let __wbg_reinit_scheduled", "\n")?;
    let text = without(&text, "export function __wbg_reset_state () {", "\n}\n")?;
    // Every engine that runs the module has both.
    let text = without(&text, "if (!('encodeInto' in cachedTextEncoder)) {", "\n}\n")?;
    let text = each(&text, "(typeof FinalizationRegistry === 'undefined')", "    : ", |_| nothing())?;
    // Every string is passed with it.
    let text = without(&text, "if (realloc === undefined) {", "}\n")?;
    // What `free` does is the package's own.
    let text = each(&text, "if (Symbol.dispose) ", "\n", |_| nothing())?;
    let text = each(&text, "if (this.__wbg_inst !== undefined", "}\n", |_| Some("live(this);\n".to_owned()))?;
    let text = each(&text, "if ((", "}\n", |check| {
        let (name, _) = check.split_once(").__wbg_inst !== undefined")?;
        Some(format!("live({name});\n"))
    })?;
    let text = each(&text, "if (state.instance !== __wbg_instance_id) {", "}\n", |_| {
        Some("live({ __wbg_inst: state.instance });\n".to_owned())
    })?;
    // Of strings that are passed nothing is taken back: where the next one traps, the module has crashed.
    let text = each(&text, "throw e;\n", "}\n", |_| Some("throw e; }\n".to_owned()))?;
    let text = each(&text, "let ptr0", "throw e; }\n", |passing| {
        let (names, work) = passing.split_once("try {\n")?;
        let (work, _) = work.split_once("} catch")?;
        Some(format!("let ptr0{}\n{}\n", names.trim_end(), work.trim_end()))
    })?;
    let text = each(&text, "let deferred", "_1, 1);\n        }\n", |method| {
        let (_, work) = method.split_once("try {\n")?;
        let (work, _) = work.split_once("deferred")?;
        Some(format!("{}\n        return takeString(ret);\n", work.trim_end()))
    })?;
    let (kept, _) = text.split_once("let wasmModule, wasmInstance, wasm;\n").context("no way to load it")?;
    // Of memory that a module before this one had.
    let caches = kept.lines().filter_map(|line| line.strip_prefix("let ")?.strip_suffix("Memory0 = null;"));
    let caches: Vec<String> = caches.map(|name| format!("{name}Memory0")).collect();
    ensure!(!caches.is_empty(), "wasm-bindgen's glue has changed: it keeps no views of the memory");
    let init = INIT.replace("CACHES", &caches.join(" = "));
    Ok(format!("import {{ watchExports }} from \"./crash.js\";\n{kept}{init}"))
}

/// The text without the one stretch from `start` through `end`.
fn without(text: &str, start: &str, end: &str) -> anyhow::Result<String> {
    ensure!(text.matches(start).count() == 1, "wasm-bindgen's glue has changed: `{start}` is not there once");
    each(text, start, end, |_| nothing())
}

fn nothing() -> Option<String> {
    Some(String::new())
}

/// The text with each stretch from `start` through the next `end` replaced by what `make` makes of what is
/// between them.
fn each(text: &str, start: &str, end: &str, make: impl Fn(&str) -> Option<String>) -> anyhow::Result<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = r#"export class Core {
    free() {
        __wbg_call_guard();
        wasm.core_free(this.__wbg_ptr, 0);
    }
    check(form) {
        _assertClass(form, FieldFormCore);
        if ((form).__wbg_inst !== undefined && (form).__wbg_inst !== __wbg_instance_id) {
            throw new Error('Invalid stale object from previous Wasm instance');
        }
        wasm.core_check(this.__wbg_ptr, form.__wbg_ptr);
    }
    fault(text, more) {
        let deferred1_0;
        let deferred1_1;
        try {
            if (this.__wbg_inst !== undefined && this.__wbg_inst !== __wbg_instance_id) {
                throw new Error('Invalid stale object from previous Wasm instance');
            }
            let ptr0, len0, ptr1, len1;
            try {
                ptr0 = passStringToWasm0(text);
            } catch (e) {
                if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
                throw e;
            }
            let ret;
            __wbg_call_guard();
            ret = wasm.core_fault(this.__wbg_ptr, ptr0);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            __wbg_call_guard();
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
}
if (Symbol.dispose) Core.prototype[Symbol.dispose] = Core.prototype.free;
export function __wbg_reset_state () {
    __wbg_instance_id++;
}
function __wbg_call_guard() {
    return;
}
function _assertClass(instance, klass) {
    return instance instanceof klass;
}
function closureOf(state) {
    if (state.instance !== __wbg_instance_id) {
        throw new Error('Cannot invoke closure from previous WASM instance');
    }
}
function passStringToWasm0(arg, malloc, realloc) {
    if (realloc === undefined) {
        return malloc(arg.length, 1) >>> 0;
    }
    return 0;
}
const CoreFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(({ ptr }) => {});
let __wbg_reinit_scheduled = false;
let cachedUint8ArrayMemory0 = null;
let cachedDataViewMemory0 = null;
if (!('encodeInto' in cachedTextEncoder)) {
    cachedTextEncoder.encodeInto = 7;
}
let wasmModule, wasmInstance, wasm;
export { initSync, __wbg_init as default };
"#;

    #[test]
    fn what_is_of_no_use_goes_and_the_calls_stay() {
        let text = adapted(GLUE).unwrap();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let fault = "fault(text, more) { live(this); let ptr0, len0, ptr1, len1; ptr0 = passStringToWasm0(text); \
            let ret; ret = wasm.core_fault(this.__wbg_ptr, ptr0); return takeString(ret); } }";
        assert!(words(&text).contains(fault), "{text}");
        assert!(
            words(&text).contains("closureOf(state) { live({ __wbg_inst: state.instance }); }"),
            "{text}"
        );
        assert!(words(&text).contains("check(form) { live(form); wasm.core_check"), "{text}");
        assert!(words(&text).contains("passStringToWasm0(arg, malloc, realloc) { return 0; }"), "{text}");
        assert!(text.contains("const CoreFinalization = new FinalizationRegistry"), "{text}");
        assert!(text.contains("cachedUint8ArrayMemory0 = cachedDataViewMemory0 = null;"), "{text}");
        let gone = "guard dispose reset encodeInto initSync deferred catch undefined' stale Class previous";
        for gone in gone.split(' ') {
            assert!(!text.contains(gone), "{gone} in {text}");
        }
    }

    #[test]
    fn another_glue_is_refused() {
        for (found, other) in
            [("let wasmModule, wasmInstance", "let wasmOther"), ("__wbg_reset_state", "reset")]
        {
            assert!(adapted(&GLUE.replace(found, other)).is_err(), "{other}");
        }
    }
}
