//! What keeps this machine's folders out of what is compiled, so that the same sources give the same bytes.

use std::path::PathBuf;

use anyhow::Context as _;

use crate::command::output;
use crate::repo::Repo;

/// Flags that keep this machine's folders out of what is compiled.
pub(super) fn remapped_paths(repo: &Repo) -> anyhow::Result<Vec<String>> {
    let cargo_home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => {
            std::env::home_dir().context("there is no home folder, and CARGO_HOME is not set")?.join(".cargo")
        }
    };
    // Where the component rust-src is installed, std names its sources there and not by the compiler's commit.
    let sysroot = output(repo.rustc().args(["--print", "sysroot"]))?;
    let version = output(repo.rustc().arg("-vV"))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let std = PathBuf::from(sysroot.trim()).join("lib/rustlib/src/rust");
    let folders = [
        (cargo_home.as_path(), "/cargo".to_owned()),
        (repo.root.as_path(), "/remitkit".to_owned()),
        (std.as_path(), format!("/rustc/{commit}")),
    ];
    Ok(folders.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).into())
}

/// As cargo takes them in CARGO_ENCODED_RUSTFLAGS.
pub(super) fn encoded(flags: &[String]) -> String {
    flags.join("\u{1f}")
}
