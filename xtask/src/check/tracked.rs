//! What a tracked file must not carry: the folders of a machine, the host of a package registry.

use std::path::Path;

use super::tracked_files;
use crate::repo::{Repo, read};
use crate::steps::Step;

/// Where people's folders begin. Written in parts, or this file would be found.
const HOMES: [&str; 5] = [
    concat!("/", "root/"),
    concat!("/", "home/"),
    concat!("/", "Users/"),
    concat!("C:", "\\Users\\"),
    concat!("C:", "\\\\Users\\\\"),
];
const REGISTRIES: [&str; 4] = [
    concat!("registry.", "npmjs.org"),
    concat!("registry.", "yarnpkg.com"),
    concat!("static.", "crates.io"),
    concat!("index.", "crates.io"),
];

pub(super) fn machine_traces(repo: &Repo, _: &Step) -> anyhow::Result<Vec<String>> {
    let mut traces: Vec<String> = HOMES.iter().chain(&REGISTRIES).map(|t| (*t).to_owned()).collect();
    traces.extend(own_folders(&repo.root));
    traces.extend(own_registry());
    let mut problems = Vec::new();
    for file in tracked_files(repo)? {
        let bytes = read(&repo.root.join(&file))?;
        // Pictures and the like.
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        for (line, trace) in found(&text, &traces) {
            problems.push(format!("{}:{line}: {trace}", file.display()));
        }
    }
    Ok(problems)
}

pub(super) fn lock_addresses(repo: &Repo, _: &Step) -> anyhow::Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in tracked_files(repo)? {
        if file.file_name().is_some_and(|name| name == "package-lock.json") {
            let text = crate::repo::read_text(&repo.root.join(&file))?;
            let addresses = text.matches("\"resolved\": \"http").count();
            if addresses > 0 {
                problems.push(format!(
                    "{}: {addresses} `resolved` addresses; write it with \
                     `npm install --omit-lockfile-registry-resolved`",
                    file.display()
                ));
            }
        }
    }
    Ok(problems)
}

/// The clone's own folder and the person's, unless they are too short to mean anything.
fn own_folders(root: &Path) -> Vec<String> {
    let home = std::env::home_dir();
    home.iter()
        .map(std::path::PathBuf::as_path)
        .chain([root])
        .filter(|folder| folder.components().count() > 2)
        .map(|folder| format!("{}/", folder.display()))
        .collect()
}

/// The host of the registry that this machine's npm asks.
fn own_registry() -> Option<String> {
    let mut npm = std::process::Command::new("npm");
    let address = crate::command::output(npm.args(["config", "get", "registry"])).ok()?;
    host(address.trim()).map(str::to_owned)
}

fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let host = rest.split('/').next()?.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

/// Line number and trace of each find.
fn found<'a>(text: &str, traces: &'a [String]) -> Vec<(usize, &'a str)> {
    let mut finds = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for trace in traces {
            if begins_in(line, trace) {
                finds.push((index + 1, trace.as_str()));
            }
        }
    }
    finds
}

/// Whether `line` has `trace` where it is not the rest of a longer path or name.
fn begins_in(line: &str, trace: &str) -> bool {
    line.match_indices(trace).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || "._-*}])".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(text: &str) -> usize {
        let traces: Vec<String> = HOMES.iter().chain(&REGISTRIES).map(|t| (*t).to_owned()).collect();
        found(text, &traces).len()
    }

    #[test]
    fn folders_of_a_machine_are_found() {
        for home in HOMES {
            assert_eq!(finds(&format!("see {home}ana/remitkit for more")), 1, "{home}");
            assert_eq!(finds(&format!("\n\"{home}x\"\nfile://{home}x\n")), 2, "{home}");
        }
        assert_eq!(finds(&format!("https://{}/vite/-/vite.tgz", REGISTRIES[0])), 1);
    }

    #[test]
    fn longer_paths_and_names_are_not() {
        assert_eq!(finds(&format!("https://example.com{}about", HOMES[1])), 0);
        assert_eq!(finds(&format!("src{}mod.rs", HOMES[0])), 0);
        assert_eq!(finds(&format!("my-{}", REGISTRIES[0])), 0);
    }

    #[test]
    fn short_folders_mean_nothing() {
        assert!(own_folders(Path::new("/src")).iter().all(|folder| folder != "/src/"));
        let deep = Path::new("/builds/remitkit");
        assert!(own_folders(deep).contains(&"/builds/remitkit/".to_owned()));
    }

    #[test]
    fn a_registry_is_known_by_its_host() {
        assert_eq!(host("https://user:secret@npm.example:4873/all/"), Some("npm.example:4873"));
        assert_eq!(host("undefined"), None);
    }
}
