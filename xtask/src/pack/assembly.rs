//! What goes into the package: the core, the template around it, and what is made of both.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use sha2::{Digest, Sha384};

use super::address::addressed;
use super::copying::{copy, copy_all};
use super::forms;
use super::notices;
use super::wasm_core::MODULE;
use crate::repo::{Repo, fresh_folder, read, read_text};
use crate::steps::Step;

const TEMPLATE: &str = "pkg-template";

/// Lays the package out in `folder`; returns its files, relative and sorted.
pub(super) fn assemble(
    repo: &Repo,
    step: &Step,
    core: &Path,
    third_party_notices: &str,
    folder: &Path,
) -> anyhow::Result<BTreeSet<String>> {
    let template = repo.path(TEMPLATE);
    let manifest = template.join("package.json");
    let text = versioned(&read_text(&manifest)?, &repo.version)
        .with_context(|| format!("{}", manifest.display()))?;
    fresh_folder(folder)?;
    let mut files = BTreeSet::new();
    copy_all(&template, folder, "", &mut files)?;
    copy_all(core, folder, "", &mut files)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md", "SECURITY.md"] {
        copy(&repo.path(name), &folder.join(name))?;
        files.insert(name.to_owned());
    }
    fs::write(folder.join("package.json"), addressed(&text, repo.address.as_deref())?)?;
    // Of the crate's own table, so that both speak the same Spanish. What all objects have is no code's message.
    let spanish = read_text(&repo.path("src/api/messages_es.json"))?;
    let messages = spanish.trim_end().strip_prefix('{').context("messages_es.json holds no object")?;
    fs::write(folder.join("messages-es.js"), format!("export default {{\n  __proto__: null,{messages};\n"))?;
    files.insert("messages-es.js".to_owned());
    fs::write(folder.join(notices::FILE), third_party_notices)?;
    files.insert(notices::FILE.to_owned());
    let module = BASE64.encode(read(&core.join(MODULE))?);
    fs::write(folder.join("inline-wasm.js"), format!("export default \"{module}\";\n"))?;
    files.insert("inline-wasm.js".to_owned());
    forms::commonjs(repo, step, folder, &mut files)?;
    forms::single_file(repo, step, folder, &mut files)?;
    fs::write(folder.join("integrity.json"), integrity(folder, &files)?)?;
    files.insert("integrity.json".to_owned());
    Ok(files)
}

/// Each script and the module with its hash, as the attribute `integrity` and import maps take it.
fn integrity(folder: &Path, files: &BTreeSet<String>) -> anyhow::Result<String> {
    let mut hashes = serde_json::Map::new();
    for name in files.iter().filter(|name| name.ends_with(".js") || name.ends_with(".wasm")) {
        let hash = BASE64.encode(Sha384::digest(read(&folder.join(name))?));
        hashes.insert(name.clone(), json!(format!("sha384-{hash}")));
    }
    Ok(serde_json::to_string_pretty(&hashes)? + "\n")
}

/// The package's manifest with the crate's version, the keys in their order.
fn versioned(manifest: &str, version: &str) -> anyhow::Result<String> {
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let slot = manifest.get_mut("version").context("has no `version` to be replaced by the crate's")?;
    *slot = json!(version);
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_replaced_and_nothing_else() {
        let manifest = r#"{"name":"remitkit","version":"0.0.0","exports":{"./z":"./z.js","./a":"./a.js"}}"#;
        let text = versioned(manifest, "1.2.3").unwrap();
        assert_eq!(
            text,
            "{\n  \"name\": \"remitkit\",\n  \"version\": \"1.2.3\",\n  \"exports\": {\n    \
             \"./z\": \"./z.js\",\n    \"./a\": \"./a.js\"\n  }\n}\n"
        );
        assert!(versioned("{}", "1.2.3").is_err());
    }
}
