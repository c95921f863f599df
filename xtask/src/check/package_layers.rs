//! The layers of the npm package: its folders import downward only.

/// The folders of `pkg-template`, lowest first: each imports from the lines above its own. A file at the top,
/// an entry point, belongs to the layer of its name. `core` also holds the module's scripts, once packed.
const LAYERS: [&str; 11] = [
    "core types",
    "errors",
    "input",
    "custom-element money quote",
    "module",
    "card transfer",
    "kit",
    "create",
    "element fields index server testing",
    "inline jsx",
    "react",
];

/// Whether a line that `git grep` prints, `pkg-template/<file>:<number>:<text>`, imports from a layer that is
/// not below its own, or is in no layer.
pub(super) fn is_upward(line: &str) -> bool {
    let place = line.strip_prefix("pkg-template/").and_then(|line| line.split_once(':'));
    let Some((file, text)) = place else { return true };
    let paths = text.split('"').filter(|text| text.starts_with("./") || text.starts_with("../"));
    paths.map(|path| layer(file).zip(layer(&resolved(file, path)))).any(|layers| {
        layers.is_none_or(|((from_rank, from), (to_rank, to))| from != to && to_rank >= from_rank)
    })
}

fn resolved(file: &str, path: &str) -> String {
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    for part in path.split('/') {
        match part {
            "." => (),
            ".." => drop(folders.pop()),
            name => folders.push(name),
        }
    }
    folders.join("/")
}

/// Returns the position of a path's layer, and its name.
fn layer(path: &str) -> Option<(usize, &'static str)> {
    let name = path.split(['/', '.']).next()?;
    LAYERS
        .iter()
        .enumerate()
        .find_map(|(rank, line)| Some((rank, line.split(' ').find(|layer| *layer == name)?)))
}
