//! The layers of the crate: `api`, `card` ← `client` ← `browser` ← `js`. Nothing imports upward, and
//! the pure layers name nothing that only a browser has.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::repo::{Repo, read_text};
use crate::steps::Step;

struct Layer {
    name: &'static str,
    /// Compiled and tested natively.
    pure: bool,
    stands_on: &'static [&'static str],
}

/// From the ground. `card` may take the errors of `api`, its neighbour; never the other way round.
const LAYERS: [Layer; 5] = [
    Layer { name: "api", pure: true, stands_on: &[] },
    Layer { name: "card", pure: true, stands_on: &["api"] },
    Layer { name: "client", pure: true, stands_on: &["api", "card"] },
    Layer { name: "browser", pure: false, stands_on: &["api", "card", "client"] },
    Layer { name: "js", pure: false, stands_on: &["api", "card", "client", "browser"] },
];

pub(super) fn problems(repo: &Repo, _: &Step) -> anyhow::Result<Vec<String>> {
    let source = repo.path("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files)?;
    if files.len() < LAYERS.len() {
        bail!("{} has only {} files", source.display(), files.len());
    }
    files.sort();
    let mut problems = Vec::new();
    for file in files {
        let text = read_text(&file)?;
        let path = file.strip_prefix(&source)?;
        problems.extend(in_file(path, &text));
    }
    Ok(problems)
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The problems of one file, its path relative to `src`. It reads lines and not Rust: what rustfmt leaves is enough, and where a
/// text or block comment reads like an import, it can be worded otherwise.
fn in_file(path: &Path, text: &str) -> Vec<String> {
    let shown = format!("src/{}", path.display());
    let first = path.with_extension("").iter().next().unwrap_or_default().to_string_lossy().into_owned();
    if first == "lib" {
        return Vec::new();
    }
    let Some(layer) = LAYERS.iter().find(|layer| layer.name == first) else {
        return vec![format!("{shown}: is in none of the layers")];
    };
    let mut problems = Vec::new();
    for (line, code) in (1..).zip(text.lines().map(|line| line.split("//").next().unwrap_or_default())) {
        for (before, name) in names(code) {
            let is_layer = LAYERS.iter().any(|other| other.name == name);
            let may_know = name == layer.name || layer.stands_on.contains(&name);
            if layer.pure && is_of_the_browser(name) {
                problems.push(format!("{shown}:{line}: `{}` is pure, but names `{name}`", layer.name));
            } else if is_layer && !may_know && (before.ends_with("crate::") || before.ends_with("super::")) {
                problems.push(format!("{shown}:{line}: `{}` must not know `{name}`", layer.name));
            } else if !is_layer && before.ends_with("crate::") {
                problems.push(format!("{shown}:{line}: `crate::{name}` is no layer: name it by its layer"));
            }
        }
        if code.contains("crate::{") || code.contains("crate::*") {
            problems.push(format!(
                "{shown}:{line}: the crate as a whole is named: write one `use` for each layer"
            ));
        }
    }
    problems
}

/// The names in a line, each with what stands before it.
fn names(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |part: char| part.is_alphanumeric() || part == '_';
    code.split(move |part| !is_part(part)).filter(|name| !name.is_empty()).map(move |name| {
        let at = name.as_ptr() as usize - code.as_ptr() as usize;
        (code.get(..at).unwrap_or_default(), name)
    })
}

fn is_of_the_browser(word: &str) -> bool {
    ["wasm_bindgen", "serde_wasm_bindgen", "js_sys", "web_sys", "gloo"]
        .iter()
        .any(|crate_name| word.starts_with(crate_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of(path: &str, text: &str) -> String {
        in_file(Path::new(path), text).join("\n")
    }

    #[test]
    fn downward_is_fine() {
        let text = "use crate::api::{Quote, json::view};\nuse crate::client as c;\n\
                    use super::retry;\nfn f() -> crate::browser::Clock { wasm_bindgen::x() }";
        assert_eq!(problems_of("js/core.rs", text), "");
        assert_eq!(problems_of("lib.rs", "pub mod api;\npub use crate::js::Core;"), "");
    }

    #[test]
    fn upward_is_found() {
        for text in [
            "use crate::client::Retry;",
            "use super::client;",
            "use super::super::client::Retry;",
            "fn f(x: crate::client::Retry) {}",
            "macro_rules! m { () => { $crate::client::now() } }",
            "pub(in crate::client) fn f() {}",
        ] {
            let problems = problems_of("api/quote.rs", text);
            assert!(problems.contains("`api` must not know `client`"), "{text}: {problems}");
        }
        assert!(problems_of("api/quote.rs", "\n\nuse crate::js;").starts_with("src/api/quote.rs:3: "));
        assert!(problems_of("api/quote.rs", "use crate::card;").contains("`card`"));
    }

    #[test]
    fn a_layer_is_named_not_the_root() {
        assert!(problems_of("card/theme.rs", "use crate::Client;").contains("is no layer"));
        for text in ["use crate::*;", "use crate::{api, client::Retry};", "use crate::{\n    api,\n};"] {
            assert!(problems_of("card/theme.rs", text).contains("one `use` for each layer"), "{text}");
        }
    }

    #[test]
    fn comments_do_not_count() {
        let text = "//! See [`crate::client::Client`]. Built on web_sys.\nuse super::super::api::Quote;";
        assert_eq!(problems_of("card/theme.rs", text), "");
    }

    #[test]
    fn pure_layers_know_no_browser() {
        for text in [
            "use wasm_bindgen::prelude::*;",
            "#[wasm_bindgen_test::wasm_bindgen_test] fn t() {}",
            "fn f(x: js_sys::Promise) {}",
            "use ::web_sys::Window;",
            "use gloo_timers::future;",
            "use serde_wasm_bindgen as s;",
        ] {
            assert!(problems_of("client/retry.rs", text).contains("is pure"), "{text}");
            assert_eq!(problems_of("browser/clock.rs", text), "", "{text}");
        }
    }

    #[test]
    fn every_file_has_a_layer() {
        assert!(problems_of("util.rs", "").contains("none of the layers"));
        assert!(problems_of("helpers/mod.rs", "").contains("none of the layers"));
    }
}
