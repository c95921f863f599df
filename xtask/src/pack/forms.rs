//! The package's other forms, which esbuild makes of its modules: CommonJS, and one script for pages without a bundler.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

use super::copying::copy;
use crate::repo::{Repo, read_text};
use crate::steps::Step;

const COMMONJS: &str = "cjs";
/// `remitkit` is the inline one there, as CommonJS has no `import.meta` to find the wasm by; and only bundlers refuse the server's in a page.
const NOT_IN_COMMONJS: [&str; 3] = ["create.js", "index.js", "server/browser.js"];
/// Served to a frame as they are, and never imported.
const SERVED: [&str; 2] = ["testing/card-frame-form.js", "testing/card-frame-inner.js"];
/// What a module is given that uses this: a DOM in which tests run may lack both coders, and CommonJS has no address but a path.
const PRELUDES: [(&str, &str); 3] = [
    (
        "new TextDecoder",
        "const { TextDecoder } = globalThis.TextDecoder ? globalThis : require(\"node:util\");\n",
    ),
    (
        "new TextEncoder",
        "const { TextEncoder } = globalThis.TextEncoder ? globalThis : require(\"node:util\");\n",
    ),
    ("importMetaUrl", "const importMetaUrl = require(\"node:url\").pathToFileURL(__filename).href;\n"),
];

const SINGLE: &str = "remitkit.min.js";
/// The element comes along, so that both names of an import map can lead to this file.
const SINGLE_ENTRY: &str = "export * from \"./inline.js\";\nexport * from \"./element.js\";\n";

/// Makes `cjs/`, module by module, so that its entry points share theirs as the others do.
pub(super) fn commonjs(
    repo: &Repo,
    step: &Step,
    folder: &Path,
    files: &mut BTreeSet<String>,
) -> anyhow::Result<()> {
    let left_out = |name: &str| NOT_IN_COMMONJS.contains(&name) || SERVED.contains(&name);
    let is_module = |name: &&String| name.ends_with(".js") && !left_out(name);
    let modules: Vec<String> = files.iter().filter(is_module).cloned().collect();
    esbuild(
        repo,
        step,
        folder,
        modules.iter().map(String::as_str).chain([
            "--format=cjs",
            "--platform=node",
            "--target=node20",
            "--supported:dynamic-import=false",
            "--define:import.meta.url=importMetaUrl",
            "--outbase=.",
            "--outdir=cjs",
        ]),
    )?;
    for name in &modules {
        let file = folder.join(COMMONJS).join(name);
        let text = read_text(&file)?;
        let needed = PRELUDES.iter().filter(|(used, _)| text.contains(used)).map(|(_, prelude)| *prelude);
        let preludes: String = needed.collect();
        // Of our own modules `default` is what they export by that name, and not the whole, as Node would have it.
        let text = text.replace(".js\"), 1)", ".js\"))");
        // As every module is by itself.
        fs::write(&file, format!("\"use strict\";\n{preludes}{text}"))?;
    }
    let mut made = modules;
    for name in files.iter().filter(|name| name.ends_with(".d.ts") || SERVED.contains(&name.as_str())) {
        let target = folder.join(COMMONJS).join(name);
        fs::create_dir_all(target.parent().context("a file in no folder")?)?;
        copy(&folder.join(name), &target)?;
        made.push(name.clone());
    }
    fs::write(folder.join(COMMONJS).join("package.json"), "{ \"type\": \"commonjs\" }\n")?;
    made.push("package.json".to_owned());
    files.extend(made.iter().map(|name| format!("{COMMONJS}/{name}")));
    Ok(())
}

/// Makes the one script, with the wasm in it.
pub(super) fn single_file(
    repo: &Repo,
    step: &Step,
    folder: &Path,
    files: &mut BTreeSet<String>,
) -> anyhow::Result<()> {
    let entry = folder.join("single.js");
    fs::write(&entry, SINGLE_ENTRY)?;
    let out = format!("--outfile={SINGLE}");
    let flags = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none", &out];
    esbuild(repo, step, folder, ["single.js"].into_iter().chain(flags))?;
    fs::remove_file(&entry)?;
    fs::write(folder.join("remitkit.min.d.ts"), SINGLE_ENTRY)?;
    files.extend([SINGLE.to_owned(), "remitkit.min.d.ts".to_owned()]);
    Ok(())
}

fn esbuild<'a>(
    repo: &Repo,
    step: &Step,
    folder: &Path,
    args: impl IntoIterator<Item = &'a str>,
) -> anyhow::Result<()> {
    step.run(
        repo.command(repo.path("xtask/node-tools/node_modules/.bin/esbuild"))
            .current_dir(folder)
            .args(args)
            .arg("--log-level=warning"),
    )
}
