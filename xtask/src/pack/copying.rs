//! Copying a template, without what is for its developers alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

/// What of the template is for its developers and not for the package.
fn is_left_out(name: &str) -> bool {
    name.starts_with('.')
        || ["test", "tests", "node_modules", "package-lock.json"].contains(&name)
        || name.contains(".test.")
}

pub(super) fn copy_all(
    from: &Path,
    to: &Path,
    prefix: &str,
    files: &mut BTreeSet<String>,
) -> anyhow::Result<()> {
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .with_context(|| format!("{} has a name that is no text", path.display()))?;
        if is_left_out(name) {
            continue;
        }
        let relative = format!("{prefix}{name}");
        let target = to.join(name);
        if path.is_dir() {
            fs::create_dir_all(&target)?;
            copy_all(&path, &target, &format!("{relative}/"), files)?;
        } else {
            copy(&path, &target)?;
            if !files.insert(relative.clone()) {
                bail!("two files of the package have the name {relative}");
            }
        }
    }
    Ok(())
}

pub(super) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::{read_text, scratch};

    #[test]
    fn tests_of_the_template_stay_behind() {
        let from = scratch("template");
        for folder in ["test", "types", "node_modules/x"] {
            fs::create_dir_all(from.join(folder)).unwrap();
        }
        for file in ["index.js", "money.test.mjs", "test/a.js", "types/a.d.ts", ".npmrc"] {
            fs::write(from.join(file), file).unwrap();
        }
        let to = scratch("assembled");
        let mut files = BTreeSet::new();
        copy_all(&from, &to, "", &mut files).unwrap();
        let found: Vec<&str> = files.iter().map(String::as_str).collect();
        assert_eq!(found, ["index.js", "types/a.d.ts"]);
        assert_eq!(read_text(&to.join("types/a.d.ts")).unwrap(), "types/a.d.ts");
    }

    #[test]
    fn a_name_taken_twice_is_refused() {
        let from = scratch("twice");
        fs::write(from.join("remitkit_core.js"), "").unwrap();
        let to = scratch("twice-to");
        let mut files = BTreeSet::new();
        copy_all(&from, &to, "", &mut files).unwrap();
        assert!(copy_all(&from, &to, "", &mut files).is_err());
    }
}
