//! The floors of the house: `api`, `card` ← `client` ← `browser` ← `js`. Nothing imports upward, and
//! the pure rooms name nothing that only a browser has.

mod source;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::repo::{Repo, read_text};
use crate::steps::Step;
use source::Source;

struct Room {
    name: &'static str,
    /// Compiled and tested natively.
    pure: bool,
    stands_on: &'static [&'static str],
}

/// From the ground. `card` may take the errors of `api`, its neighbour; never the other way round.
const ROOMS: [Room; 5] = [
    Room { name: "api", pure: true, stands_on: &[] },
    Room { name: "card", pure: true, stands_on: &["api"] },
    Room { name: "client", pure: true, stands_on: &["api", "card"] },
    Room { name: "browser", pure: false, stands_on: &["api", "card", "client"] },
    Room { name: "js", pure: false, stands_on: &["api", "card", "client", "browser"] },
];

pub(super) fn problems(repo: &Repo, _: &Step) -> anyhow::Result<Vec<String>> {
    let source = repo.path("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files)?;
    if files.len() < ROOMS.len() {
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

/// The problems of one file, its path relative to `src`.
fn in_file(path: &Path, text: &str) -> Vec<String> {
    let shown = format!("src/{}", path.display());
    let modules = modules_of(path);
    let Some(first) = modules.first() else {
        // lib.rs only lists the rooms.
        return Vec::new();
    };
    let Some(room) = ROOMS.iter().find(|room| room.name == first) else {
        return vec![format!("{shown}: lies in no room of the house")];
    };
    let source = Source::read(text);
    let mut problems = Vec::new();
    if room.pure {
        for (line, word) in source.words().filter(|(_, word)| is_of_the_browser(word)) {
            problems.push(format!("{shown}:{line}: `{}` is pure, but names `{word}`", room.name));
        }
    }
    for (line, name) in source.names_in_root(&modules) {
        if name == room.name || room.stands_on.contains(&name) {
            continue;
        }
        problems.push(if ROOMS.iter().any(|other| other.name == name) {
            format!("{shown}:{line}: `{}` must not know `{name}`", room.name)
        } else {
            format!("{shown}:{line}: `crate::{name}` is no room: name it by the room it lies in")
        });
    }
    problems
}

fn is_of_the_browser(word: &str) -> bool {
    ["wasm_bindgen", "serde_wasm_bindgen", "js_sys", "web_sys", "gloo"]
        .iter()
        .any(|crate_name| word.starts_with(crate_name))
}

/// `api/json/scan.rs` is the module api, json, scan.
fn modules_of(path: &Path) -> Vec<String> {
    let mut modules: Vec<String> = path
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if modules.last().is_some_and(|last| last == "mod" || last == "lib") {
        modules.pop();
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of(path: &str, text: &str) -> String {
        in_file(Path::new(path), text).join("\n")
    }

    #[test]
    fn downward_is_fine() {
        let text = "use crate::api::{Quote, json::view};\nuse crate::{card, client as c};\n\
                    use super::retry;\nfn f() -> crate::browser::Clock { wasm_bindgen::x() }";
        assert_eq!(problems_of("js/core.rs", text), "");
        assert_eq!(problems_of("lib.rs", "pub mod api;\npub use crate::js::Core;"), "");
    }

    #[test]
    fn upward_is_found_however_it_is_written() {
        for text in [
            "use crate::client::Retry;",
            "use crate::{api, client::{Retry, Tokens}};",
            "use crate::{\n    api::{self, x},\n    client,\n};",
            "use super::client;",
            "use super::super::client::Retry;",
            "fn f(x: crate::client::Retry) {}",
            "fn f() { let _ = crate :: client :: now(); }",
            "mod tests { use super::super::super::client::Retry; }",
            "macro_rules! m { () => { $crate::client::now() } }",
            "pub(in crate::client) fn f() {}",
        ] {
            let path = if text.starts_with("use super::client") { "api/mod.rs" } else { "api/quote.rs" };
            let problems = problems_of(path, text);
            assert!(problems.contains("`api` must not know `client`"), "{text}: {problems}");
        }
        assert!(problems_of("api/quote.rs", "\n\nuse crate::js;").starts_with("src/api/quote.rs:3: "));
        assert!(problems_of("api/quote.rs", "use crate::card;").contains("`card`"));
    }

    #[test]
    fn a_room_is_named_not_the_root() {
        for text in ["use crate::*;", "use crate::Client;", "use crate::{Client};"] {
            assert!(problems_of("card/theme.rs", text).contains("is no room"), "{text}");
        }
    }

    #[test]
    fn what_is_only_said_does_not_count() {
        let text = r##"
            //! See [`crate::client::Client`]. Built on web_sys.
            /* use crate::js; /* gloo_net */ crate::browser */
            const A: &str = "use crate::client; // js_sys";
            const B: &str = r#"wasm_bindgen " crate::js"#;
            const C: char = '"'; const D: &[u8] = b"\" crate::js::x";
            fn f<'a>(x: &'a str) -> &'a str { x }
            use super::super::api::Quote;
            use self::inner::x;
        "##;
        assert_eq!(problems_of("card/theme.rs", text), "");
    }

    #[test]
    fn the_pure_rooms_know_no_browser() {
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
    fn every_file_has_a_room() {
        assert!(problems_of("util.rs", "").contains("no room"));
        assert!(problems_of("helpers/mod.rs", "").contains("no room"));
    }
}
