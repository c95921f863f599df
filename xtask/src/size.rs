//! `size`: what a checkout page downloads.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};

use crate::pack::{self, Core, Package};
use crate::repo::{Repo, fresh_folder, read};
use crate::report::Report;
use crate::say;
use crate::steps::{Step, Steps};

const MODULE: &str = "remitkit_core_bg.wasm";
const ENTRY: &str = "index.js";

/// Bytes of one file or sum, as they are and compressed as servers compress once and for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bytes {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

struct Row {
    name: String,
    bytes: Bytes,
}

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let mut steps = Steps::new(repo.tools().join("logs"), pack::SET_UP_STEPS + pack::BUILD_STEPS + 1);
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    let package = pack::build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    let (load, shipped) = steps.run("bundle and compress", |step| {
        let bundle = bundle(repo, step, &package)?;
        let wasm = measured("wasm", &package.folder.join(MODULE))?;
        let js = measured("JavaScript, bundled and minified", &bundle)?;
        let sum = Row { name: "first load".to_owned(), bytes: wasm.bytes.plus(js.bytes) };
        Ok(([wasm, js, sum], scripts(&package.folder)?))
    })?;
    say::result("\nWhat a page downloads");
    say::result(&table(&load));
    say::result("\nThe JavaScript files of the package, as they are shipped");
    say::result(&table(&shipped));
    let [wasm, js, sum] = &load;
    report.set("wasm", wasm.bytes.entry());
    report.set("js", js.bytes.entry());
    report.set("firstLoad", sum.bytes.entry());
    let files = shipped.iter();
    report.set("files", files.map(|row| (row.name.clone(), row.bytes.entry())).collect());
    Ok(())
}

/// The entry point and all that it imports, in one minified file, as a shop's bundler makes it.
fn bundle(repo: &Repo, step: &Step, package: &Package) -> anyhow::Result<PathBuf> {
    let folder = repo.target.join("size");
    fresh_folder(&folder)?;
    let output = folder.join("remitkit.min.js");
    let mut out_file = std::ffi::OsString::from("--outfile=");
    out_file.push(&output);
    step.run(
        repo.command(repo.path("xtask/node-tools/node_modules/.bin/esbuild"))
            .arg(package.folder.join(ENTRY))
            .args(["--bundle", "--minify", "--format=esm", "--target=es2022"])
            .args(["--legal-comments=none", "--log-level=warning"])
            .arg(out_file),
    )?;
    Ok(output)
}

/// Every script of the package, sorted by its path.
fn scripts(folder: &Path) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if matches!(extension, Some("js" | "mjs" | "cjs")) {
                let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                rows.push(measured(&name, &path)?);
            }
        }
    }
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(rows)
}

fn measured(name: &str, file: &Path) -> anyhow::Result<Row> {
    let bytes = Bytes::of(&read(file)?).with_context(|| format!("{}", file.display()))?;
    Ok(Row { name: name.to_owned(), bytes })
}

impl Bytes {
    fn of(content: &[u8]) -> anyhow::Result<Bytes> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(content)?;
        // Quality 11 and a window of 4 MB: what `brotli` does when nothing is asked of it.
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 4096, 11, 22).write_all(content)?;
        Ok(Bytes { raw: content.len(), gzip: gzip.finish()?.len(), brotli: brotli.len() })
    }

    fn plus(self, other: Bytes) -> Bytes {
        Bytes { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }

    fn entry(self) -> Value {
        json!({ "raw": self.raw, "gzip": self.gzip, "brotli": self.brotli })
    }
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:<width$}  {:>10}  {:>10}  {:>10}", "bytes", "raw", "gzip 9", "brotli 11");
    for row in rows {
        let Bytes { raw, gzip, brotli } = row.bytes;
        let _ = write!(
            text,
            "\n{:<width$}  {:>10}  {:>10}  {:>10}",
            row.name,
            grouped(raw),
            grouped(gzip),
            grouped(brotli)
        );
    }
    text
}

/// `1234567` as `1,234,567`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn both_compressions_hold_the_whole_content() {
        let content = "the same words again and again, ".repeat(500).into_bytes();
        let bytes = Bytes::of(&content).unwrap();
        assert_eq!(bytes.raw, content.len());
        assert!(bytes.brotli < bytes.gzip && bytes.gzip < bytes.raw);
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 4096, 11, 22).write_all(&content).unwrap();
        let mut back = Vec::new();
        brotli::Decompressor::new(brotli.as_slice(), 4096).read_to_end(&mut back).unwrap();
        assert_eq!(back, content);
    }

    #[test]
    fn columns_line_up() {
        let bytes = |raw| Bytes { raw, gzip: raw / 2, brotli: raw / 3 };
        let rows = [("wasm", 150_000), ("first load", 1_234_567)]
            .map(|(name, raw)| Row { name: name.to_owned(), bytes: bytes(raw) });
        let table = table(&rows);
        let lengths: Vec<usize> = table.lines().map(str::len).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{table}");
        assert!(table.contains("1,234,567     617,283     411,522"), "{table}");
    }
}
