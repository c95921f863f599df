//! The package's content: the core, the template around it, and what is generated from both.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use sha2::{Digest, Sha384};

use super::folder::Folder;
use super::wasm_core::MODULE;
use super::{forms, notices};
use crate::repo::{Repo, read, read_text};
use crate::steps::Step;

const CALLS_DOC: &str = "// Made from the operations of src/api.\n\n\
    /** What each call takes before its options: ids and an input, which may have a default; and its part. */\n";

const EVENTS_DOC: &str = "// Made from src/card/event_names.rs.\n\n";

const CORE_ERRORS_DOC: &str = "// Made from src/card and src/api.\n\n\
    /** Errors of the module, for the fakes that stand in for it. */\n";

const MAX_LEFT_DOC: &str = "// Made from src/client/quotes.rs.\n\n\
    /** A fresh quote or card session that seems to last longer shows that the device's clock is wrong. */\n";

const THEME_DOC: &str = "// Made from src/card/theme.rs.\n\n\
    /** Each parameter of a theme, and whether its values are true and false. */\n";
const RECORD_IMPORTS: &str = r#"import type { Disclosures } from "./disclosure.js";
import type { PhoneNumber } from "./fields.js";
import type { MinorUnits } from "./money.js";
import type { Unlisted } from "./unlisted.js";

"#;

const THEME_COLORS_DOC: &str = "// Made from src/card/theme.rs.\n\n\
    /** The theme parameters that are always colors. */\n";

pub(super) fn assemble(
    repo: &Repo,
    step: &Step,
    core: &Path,
    third_party_notices: &str,
    path: &Path,
) -> anyhow::Result<Folder> {
    let mut folder = described(repo, step, path)?;
    folder.complete_manifest(repo, |_| ())?;
    folder.add_core(core)?;
    for name in ["CHANGELOG.md", "SECURITY.md"] {
        folder.copy(&repo.path(name), name)?;
    }
    // From the crate's own table, so that both use the same Spanish. Without a prototype: a code such as
    // `toString` must have no message.
    let spanish = read_text(&repo.path("src/api/messages_es.json"))?;
    let messages = spanish.trim_end().strip_prefix('{').context("messages_es.json holds no object")?;
    folder.write("errors/messages-es.js", format!("export default {{\n  __proto__: null,{messages};\n"))?;
    folder.write(notices::FILE, third_party_notices)?;
    let module = BASE64.encode(read(&core.join(MODULE))?);
    folder.write("core/inline-wasm.js", format!("export default \"{module}\";\n"))?;
    forms::commonjs(repo, step, &mut folder)?;
    forms::single_file(repo, step, &mut folder)?;
    folder.write("integrity.json", integrity(&folder)?)?;
    Ok(folder)
}

/// Returns a cargo command for the program that prints the SDK's tables. It is built in a folder of its own: the
/// crate is a `cdylib` too, so its library has one name whatever its features, and a doctest must not find this
/// one.
pub(super) fn package_tables(repo: &Repo, subcommand: &str) -> Command {
    let mut cargo = repo.cargo();
    cargo.args([subcommand, "--package", "package-tables", "--target-dir"]).arg(repo.target.join("tables"));
    cargo
}

/// Starts the package with the template and what is generated from the crates' tables: all that its types
/// consist of.
pub(super) fn described(repo: &Repo, step: &Step, path: &Path) -> anyhow::Result<Folder> {
    let mut folder = Folder::from_template(repo, "pkg-template", path)?;
    let tables = step.read(&mut package_tables(repo, "run"))?;
    let parsed: serde_json::Value = serde_json::from_str(&tables)?;
    folder.write("kit/calls.js", format!("{CALLS_DOC}export const CALLS = {:#};\n", parsed["calls"]))?;
    folder.write("card/card-form-defaults.js", format!("export default {:#};\n", parsed["cardForm"]))?;
    let (events, messages) = (&parsed["cardFormEvents"]["all"], &parsed["cardFormEvents"]["messages"]);
    let events = format!("/** The events of a card form. */\nexport const CARD_EVENT_TYPES = {events:#};\n");
    // The components and the card form's part have a file each: a part imports nothing that a page may have
    // loaded before (`module/first-load.js`).
    folder.write("card/part-event-types.js", format!("{EVENTS_DOC}{events}"))?;
    let messages =
        format!("/** Those that the form itself sends. */\nexport const CARD_MESSAGES = {messages:#};\n");
    folder.write("card/card-event-types.js", format!("{EVENTS_DOC}{events}{messages}"))?;
    let errors = format!("{CORE_ERRORS_DOC}export const CORE_ERRORS = {:#};\n", parsed["coreErrors"]);
    folder.write("testing/core-errors.js", errors)?;
    let max_left = format!("{MAX_LEFT_DOC}export const MAX_LEFT_MS = {};\n", parsed["maxLeftMs"]);
    folder.write("quote/max-left.js", max_left)?;
    let parameters = &parsed["themeParameters"];
    let parameters = format!("{THEME_DOC}export const THEME_PARAMETERS = {parameters:#};\n");
    folder.write("element/theme-parameters.js", parameters)?;
    let colors = parsed["themeColors"].as_array().context("package-tables prints no colors")?;
    let colors: String = colors.iter().map(|name| format!("\n  | {name}")).collect();
    folder
        .write("types/theme-colors.d.ts", format!("{THEME_COLORS_DOC}export type ThemeColor ={colors};\n"))?;
    let types = parsed["types"].as_str().context("package-tables prints no types")?;
    // The module's own types are compiled in.
    let records = "src/js/records.d.ts";
    let is_current = read_text(&repo.path(records))? == types;
    ensure!(is_current, "run `cargo run --package package-tables -- --records > {records}`");
    folder.write("types/records.d.ts", [RECORD_IMPORTS, types].concat())?;
    let mut constants = repo.cargo();
    constants.args(["run", "--package", "remitkit-sandbox", "--bin", "constants", "--"]);
    for name in ["testing/triggers.js", "testing/triggers.d.ts"] {
        constants.arg(folder.add(name)?);
    }
    step.run(&mut constants)?;
    for name in ["errors/codes.js", "server/codes.js", "types/codes.d.ts"] {
        folder.add(name)?;
    }
    step.run(repo.command("node").arg(repo.path("xtask/src/pack/errors.mjs")).arg(&folder.path).arg(tables))?;
    Ok(folder)
}

/// Returns the hash of each script and module, in the format of `integrity` attributes and import maps.
fn integrity(folder: &Folder) -> anyhow::Result<String> {
    let mut hashes = serde_json::Map::new();
    for name in folder.files.iter().filter(|name| name.ends_with(".js") || name.ends_with(".wasm")) {
        let hash = BASE64.encode(Sha384::digest(read(&folder.path.join(name))?));
        hashes.insert(name.clone(), json!(format!("sha384-{hash}")));
    }
    Ok(serde_json::to_string_pretty(&hashes)? + "\n")
}
