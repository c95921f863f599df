//! The package's other forms, which esbuild makes from its modules: CommonJS, and one script for pages
//! without a bundler.

use std::fs;

use anyhow::ensure;

use super::folder::Folder;
use crate::repo::{Repo, read_text, write};
use crate::steps::Step;

/// In CommonJS `remitkit` is the inline one, as there is no `import.meta` to locate the wasm; and only
/// bundlers refuse the server's entry point in a page.
const NOT_IN_COMMONJS: [&str; 3] = ["create.js", "index.js", "server/browser.js"];
/// Served to a frame unchanged, and never imported.
const SERVED: [&str; 2] = ["testing/card-frame-form.js", "testing/card-frame-inner.js"];
/// The elements are included, so that all names of an import map can lead to this file.
const SINGLE_ENTRY: &str =
    "export * from \"./inline.js\";\nexport * from \"./element.js\";\nexport * from \"./fields.js\";\n";

/// Writes `cjs/`, module by module, so that its entry points share their modules as the others do.
pub(super) fn commonjs(repo: &Repo, step: &Step, folder: &mut Folder) -> anyhow::Result<()> {
    let files = folder.files.clone();
    let is_served = |name: &str| SERVED.contains(&name);
    let is_module = |name: &&String| {
        name.ends_with(".js") && !NOT_IN_COMMONJS.contains(&name.as_str()) && !is_served(name)
    };
    let mut args: Vec<&str> = files.iter().filter(is_module).map(String::as_str).collect();
    args.extend([
        "--format=cjs",
        "--platform=node",
        "--target=node20",
        "--supported:dynamic-import=false",
        "--define:import.meta.url=importMetaUrl",
        "--outbase=.",
        "--outdir=cjs",
    ]);
    esbuild(repo, step, folder, &args)?;
    for name in files.iter().filter(is_module) {
        let file = folder.add(&format!("cjs/{name}"))?;
        let text = read_text(&file)?;
        let mut preludes = String::new();
        // A test DOM may lack both coders.
        for coder in ["TextDecoder", "TextEncoder"] {
            if text.contains(&format!("new {coder}")) {
                let source = format!("globalThis.{coder} ? globalThis : require(\"node:util\")");
                preludes += &format!("const {{ {coder} }} = {source};\n");
            }
        }
        if text.contains("importMetaUrl") {
            preludes += "const importMetaUrl = require(\"node:url\").pathToFileURL(__filename).href;\n";
        }
        // `default` of our own modules is what they export by that name, not the whole as in Node.
        let text = text.replace(".js\"), 1)", ".js\"))");
        // Where a page gives all objects members such as `get`, a descriptor must not inherit them.
        let text = text.replace(", { get: ", ", { __proto__: null, get: ");
        let text = text.replace("\"__esModule\", { value:", "\"__esModule\", { __proto__: null, value:");
        let text = text.replace("\"default\", { value:", "\"default\", { __proto__: null, value:");
        // Modules are strict by themselves.
        write(&file, format!("\"use strict\";\n{preludes}{text}"))?;
    }
    for name in files.iter().filter(|name| name.ends_with(".d.ts") || is_served(name)) {
        folder.copy(&folder.path.join(name), &format!("cjs/{name}"))?;
    }
    folder.write("cjs/package.json", "{ \"type\": \"commonjs\" }\n")
}

/// Writes the one script, which contains the wasm.
pub(super) fn single_file(repo: &Repo, step: &Step, folder: &mut Folder) -> anyhow::Result<()> {
    let entry = folder.path.join("single.js");
    write(&entry, SINGLE_ENTRY)?;
    let flags = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none"];
    esbuild(repo, step, folder, &[&["single.js", "--outfile=remitkit.min.js"][..], &flags].concat())?;
    fs::remove_file(&entry)?;
    let file = folder.add("remitkit.min.js")?;
    let text = read_text(&file)?;
    let descriptor = "],enumerable:!0}";
    ensure!(text.matches(descriptor).count() == 1, "esbuild defines exports in another way");
    write(&file, text.replace(descriptor, "],enumerable:!0,__proto__:null}"))?;
    folder.write("remitkit.min.d.ts", SINGLE_ENTRY)
}

fn esbuild(repo: &Repo, step: &Step, folder: &Folder, args: &[&str]) -> anyhow::Result<()> {
    let mut esbuild = repo.command(repo.path("xtask/node-tools/node_modules/.bin/esbuild"));
    step.run(esbuild.current_dir(&folder.path).args(args).arg("--log-level=warning"))
}
