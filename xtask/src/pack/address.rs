//! Where the project is, as the packages say it: Cargo.toml's `repository`, and nothing where there is none.

use anyhow::Context as _;
use serde_json::{Value, json};

/// The manifest of a package with `repository` and `bugs`.
pub(super) fn addressed(manifest: &str, address: Option<&str>) -> anyhow::Result<String> {
    let Some(address) = address else { return Ok(manifest.to_owned()) };
    let address = address.trim_end_matches('/').trim_end_matches(".git");
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let entries = manifest.as_object_mut().context("a package.json that is no object")?;
    // As npm would write it itself, with a warning.
    let url = format!("git+{address}.git");
    entries.insert("repository".to_owned(), json!({ "type": "git", "url": url }));
    entries.insert("bugs".to_owned(), json!({ "url": format!("{address}/issues") }));
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_say_where_the_project_is() {
        for address in [
            "https://git.example/remitkit",
            "https://git.example/remitkit.git",
            "https://git.example/remitkit/",
        ] {
            let text = addressed(r#"{"name":"remitkit"}"#, Some(address)).unwrap();
            let manifest: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(manifest["repository"]["url"], "git+https://git.example/remitkit.git");
            assert_eq!(manifest["bugs"]["url"], "https://git.example/remitkit/issues");
        }
    }

    #[test]
    fn no_address_is_made_up() {
        assert_eq!(addressed(r#"{"name":"remitkit"}"#, None).unwrap(), r#"{"name":"remitkit"}"#);
    }
}
