//! What goes into the package: the core, the template around it, and what is made of both.

use std::path::Path;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use sha2::{Digest, Sha384};

use super::folder::Folder;
use super::wasm_core::MODULE;
use super::{forms, notices};
use crate::repo::{Repo, read, read_text};
use crate::steps::Step;

/// Lays the package out in `path`.
pub(super) fn assemble(
    repo: &Repo,
    step: &Step,
    core: &Path,
    third_party_notices: &str,
    path: &Path,
) -> anyhow::Result<Folder> {
    let mut folder = Folder::of(repo, "pkg-template", path)?;
    folder.fill_in(repo, |_| ())?;
    folder.take_all(core, "")?;
    for name in ["CHANGELOG.md", "SECURITY.md"] {
        folder.take(&repo.path(name), name)?;
    }
    // Of the crate's own table, so that both speak the same Spanish. What all objects have is no code's
    // message.
    let spanish = read_text(&repo.path("src/api/messages_es.json"))?;
    let messages = spanish.trim_end().strip_prefix('{').context("messages_es.json holds no object")?;
    folder.write("messages-es.js", format!("export default {{\n  __proto__: null,{messages};\n"))?;
    let calls = step.read(repo.command("node").arg(repo.path("xtask/src/pack/calls.mjs")))?;
    folder.write("calls.js", calls)?;
    let mut constants = repo.cargo();
    constants.args(["run", "--package", "remitkit-sandbox", "--bin", "constants", "--"]);
    for name in ["testing/triggers.js", "testing/triggers.d.ts"] {
        constants.arg(folder.add(name)?);
    }
    step.run(&mut constants)?;
    step.run(repo.command("node").arg(repo.path("xtask/src/pack/errors.mjs")).arg(&folder.path))?;
    folder.write(notices::FILE, third_party_notices)?;
    let module = BASE64.encode(read(&core.join(MODULE))?);
    folder.write("inline-wasm.js", format!("export default \"{module}\";\n"))?;
    forms::commonjs(repo, step, &mut folder)?;
    forms::single_file(repo, step, &mut folder)?;
    folder.write("integrity.json", integrity(&folder)?)?;
    Ok(folder)
}

/// Returns each script and module with its hash, as the attribute `integrity` and import maps take it.
fn integrity(folder: &Folder) -> anyhow::Result<String> {
    let mut hashes = serde_json::Map::new();
    for name in folder.files.iter().filter(|name| name.ends_with(".js") || name.ends_with(".wasm")) {
        let hash = BASE64.encode(Sha384::digest(read(&folder.path.join(name))?));
        hashes.insert(name.clone(), json!(format!("sha384-{hash}")));
    }
    Ok(serde_json::to_string_pretty(&hashes)? + "\n")
}
