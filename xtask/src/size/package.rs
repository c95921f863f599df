//! The package as pages take it: the first load, what each further entry point adds, and that nobody pays for what only some use.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

use super::bundle::{Bundle, Bundler};
use super::bytes::Bytes;
use crate::pack::{self, Package};
use crate::repo::{Repo, fresh_folder, read};
use crate::steps::Step;

/// Where a bundler finds the package's files, seen from the page.
const PLACE: &str = "node_modules/remitkit/";
const SPANISH: &str = "messages-es";

/// What a page that imports `createRemitKit` has fetched by then, beside the first load: a file of each part.
const MOMENTS: [(&str, &[&str]); 4] = [
    ("firstQuote", &[]),
    ("cardForm", &["card-form", "load-error-notice"]),
    ("firstTransfer", &["transfer-attempt"]),
    ("everything", &["card-form", "load-error-notice", "transfer-attempt"]),
];

/// An entry point that only some shops use.
struct Entry {
    name: &'static str,
    flags: &'static [&'static str],
}

/// A page that imports `remitkit/react` has React already.
const PAGE: &[&str] = &["--external:react"];
const NODE: &[&str] = &["--platform=node"];

const ENTRIES: [Entry; 5] = [
    Entry { name: "react", flags: PAGE },
    Entry { name: "element", flags: PAGE },
    Entry { name: "inline", flags: PAGE },
    Entry { name: "testing", flags: NODE },
    // In a page it is no more than an error that says so.
    Entry { name: "server", flags: NODE },
];

pub(super) struct Figures {
    pub(super) wasm: Bytes,
    pub(super) js: Bytes,
    /// Of the first load's scripts, by the package's file.
    pub(super) files: Vec<(String, usize)>,
    /// Module and scripts of a page that imports `createRemitKit` and nothing else, by the moment at which they are there.
    pub(super) moments: Vec<(&'static str, Bytes)>,
    /// What further entry points, and Spanish, add to a page that has the first load.
    pub(super) added: Vec<(&'static str, Bytes)>,
}

impl Figures {
    /// Fails where the first load carries what it must not.
    pub(super) fn of(repo: &Repo, step: &Step, package: &Package) -> anyhow::Result<Figures> {
        let folder = repo.target.join("size");
        let from = folder.join("page");
        fresh_folder(&from.join("node_modules"))?;
        symlink(&package.folder, from.join(PLACE.trim_end_matches('/')))
            .context("cannot put the package where a bundler finds it")?;
        let bundler = Bundler { repo, step, from, to: folder.join("bundles") };

        let first = bundler.bundle("first", "export * from \"remitkit\";\n", PAGE)?;
        let create = bundler.bundle("create", "export { createRemitKit } from \"remitkit\";\n", PAGE)?;
        for (what, bundle) in [("remitkit", &first), ("createRemitKit alone", &create)] {
            let parts = parts_in(bundle);
            if !parts.is_empty() {
                bail!("a page that imports {what} also carries {}", parts.join(", "));
            }
        }
        let wasm = Bytes::of(&read(&package.folder.join(pack::MODULE))?)?;
        let mut moments = Vec::new();
        for (moment, files) in MOMENTS {
            let files: Vec<String> = files.iter().map(|name| format!("{PLACE}{name}.js")).collect();
            moments.push((moment, wasm.plus(create.bytes_with(&files)?)));
        }
        let page = bundler.bundle("page", BASE, PAGE)?.bytes();
        let node = bundler.bundle("node", BASE, NODE)?.bytes();
        let mut added = Vec::new();
        for entry in &ENTRIES {
            let base = if entry.flags == NODE { node } else { page };
            let source = format!("{BASE}export * as further from \"remitkit/{}\";\n", entry.name);
            let both = bundler.bundle(entry.name, &source, entry.flags)?;
            // Else the search in the first load would be for a name that nothing has any more.
            if !parts_in(&both).contains(&entry.name) {
                bail!(
                    "no file of remitkit/{0} is named after it, so it cannot be found elsewhere",
                    entry.name
                );
            }
            added.push((entry.name, both.bytes().beyond(base)));
        }
        let spanish = first.later_with(&format!("{PLACE}{SPANISH}.js"));
        added.push((SPANISH, spanish.context("the Spanish messages are not asked for by themselves")?));

        Ok(Figures { wasm, js: first.bytes(), files: by_size(first.files()), moments, added })
    }

    /// What has a budget, in bytes of brotli: these are what is served.
    pub(super) fn weighed(&self) -> Vec<(&'static str, usize)> {
        let mut weighed = vec![("wasm", self.wasm.brotli), ("javascript", self.js.brotli)];
        weighed.extend(self.moments.iter().map(|(name, bytes)| (*name, bytes.brotli)));
        weighed.extend(self.added.iter().map(|(name, bytes)| (*name, bytes.brotli)));
        weighed
    }

    pub(super) fn added_entry(&self) -> Value {
        entries(&self.added)
    }

    pub(super) fn moments_entry(&self) -> Value {
        entries(&self.moments)
    }

    pub(super) fn files_entry(&self) -> Value {
        let files: Map<String, Value> =
            self.files.iter().map(|(name, bytes)| (name.clone(), json!(bytes))).collect();
        Value::Object(files)
    }
}

fn entries(named: &[(&'static str, Bytes)]) -> Value {
    Value::Object(named.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.entry())).collect())
}

/// Both halves of a page as namespaces: two `export *` would drop what both export.
const BASE: &str = "export * as kit from \"remitkit\";\n";

/// The parts that only some shops use of which a bundle has files.
fn parts_in(bundle: &Bundle) -> Vec<&'static str> {
    let files = bundle.files();
    let names = ENTRIES.iter().map(|entry| entry.name).chain([SPANISH]);
    names.filter(|name| files.keys().any(|file| belongs_to(file, name))).collect()
}

/// `react.js`, `react/provider.js` and `inline-wasm.js` belong to the entry point that they begin with.
fn belongs_to(file: &str, part: &str) -> bool {
    let rest = file.strip_prefix(PLACE).and_then(|name| name.strip_prefix(part));
    rest.is_some_and(|rest| rest.starts_with(['.', '/', '-']))
}

/// The files of the package first, the biggest before the others.
fn by_size(files: BTreeMap<&str, usize>) -> Vec<(String, usize)> {
    let mut files: Vec<(String, usize)> = files
        .into_iter()
        .map(|(file, bytes)| (file.strip_prefix(PLACE).unwrap_or(file).to_owned(), bytes))
        .collect();
    files.sort_by(|(one, one_bytes), (other, other_bytes)| other_bytes.cmp(one_bytes).then(one.cmp(other)));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_the_part_that_they_are_named_after() {
        for (file, part) in [
            ("node_modules/remitkit/react.js", "react"),
            ("node_modules/remitkit/react/provider.js", "react"),
            ("node_modules/remitkit/inline-wasm.js", "inline"),
            ("node_modules/remitkit/messages-es.js", SPANISH),
        ] {
            assert!(belongs_to(file, part), "{file}");
        }
        for (file, part) in [
            ("node_modules/remitkit/reaction.js", "react"),
            ("node_modules/remitkit/messages.js", SPANISH),
            ("node_modules/remitkit/core/server.js", "server"),
            ("node_modules/react/index.js", "react"),
        ] {
            assert!(!belongs_to(file, part), "{file}");
        }
    }

    #[test]
    fn the_biggest_file_is_first() {
        let files = BTreeMap::from([("first.js", 5), ("node_modules/remitkit/a.js", 7), ("b.js", 7)]);
        let sorted = by_size(files);
        let names: Vec<&str> = sorted.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.js", "b.js", "first.js"]);
    }
}
