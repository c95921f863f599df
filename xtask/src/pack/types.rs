//! The package's types alone, without the wasm: for checking what is written against them before anything
//! long is built.

use std::path::PathBuf;

use serde_json::json;

use super::assembly;
use crate::repo::{Repo, write};
use crate::steps::Step;

/// Writes the types, and a configuration of TypeScript by which the demo shop finds them; returns its path.
pub(crate) fn config(repo: &Repo, step: &Step) -> anyhow::Result<PathBuf> {
    let folder = repo.target.join("types");
    let package = assembly::described(repo, step, &folder.join("remitkit"))?.path;
    let www = repo.path("www");
    // Each entry point has its types under its own name, as `exports` in package.json says.
    let paths = json!({ "remitkit": [package.join("index.d.ts")], "remitkit/*": [package.join("*.d.ts")] });
    // From here TypeScript would not find the packages of www.
    let config = json!({
        "extends": www.join("tsconfig.json"),
        "compilerOptions": { "paths": paths, "typeRoots": [www.join("node_modules")] },
        "include": [www.join("src")],
    });
    let file = folder.join("tsconfig.json");
    write(&file, config.to_string())?;
    Ok(file)
}
