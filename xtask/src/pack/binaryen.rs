//! The programs of binaryen: wasm-opt and wasm-merge.

use std::process::Command;

use crate::repo::Repo;

/// What the module may use: all of it is in every browser since 2021 (Safari 15).
pub(super) const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

pub(super) fn binaryen(repo: &Repo, program: &str) -> Command {
    let mut node = repo.command("node");
    node.arg(repo.path("xtask/node-tools/node_modules/binaryen/bin").join(program)).args(FEATURES);
    node
}
