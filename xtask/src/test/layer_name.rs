//! The layers of tests by name.

use std::str::FromStr;

/// The layers, in the order in which they run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayerName {
    Sdk,
    Sandbox,
    Clients,
    Xtask,
    Javascript,
    Browser,
    Package,
    Size,
    Frontends,
    Matrix,
    Bench,
    Simulate,
    Chaos,
    Forge,
    Fuzz,
    Shop,
}

impl LayerName {
    pub(crate) const ALL: [LayerName; 16] = [
        LayerName::Sdk,
        LayerName::Sandbox,
        LayerName::Clients,
        LayerName::Xtask,
        LayerName::Javascript,
        LayerName::Browser,
        LayerName::Package,
        LayerName::Size,
        LayerName::Frontends,
        LayerName::Matrix,
        LayerName::Bench,
        LayerName::Simulate,
        LayerName::Chaos,
        LayerName::Forge,
        LayerName::Fuzz,
        LayerName::Shop,
    ];

    /// Whether it runs where no layer is named: the matrix installs what comes to a gigabyte.
    pub(crate) fn is_usual(self) -> bool {
        self != LayerName::Matrix
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            LayerName::Sdk => "sdk",
            LayerName::Sandbox => "sandbox",
            LayerName::Clients => "clients",
            LayerName::Xtask => "xtask",
            LayerName::Javascript => "javascript",
            LayerName::Browser => "browser",
            LayerName::Package => "package",
            LayerName::Size => "size",
            LayerName::Frontends => "frontends",
            LayerName::Matrix => "matrix",
            LayerName::Bench => "bench",
            LayerName::Simulate => "simulate",
            LayerName::Chaos => "chaos",
            LayerName::Forge => "forge",
            LayerName::Fuzz => "fuzz",
            LayerName::Shop => "shop",
        }
    }

    pub(super) fn what(self) -> &'static str {
        match self {
            LayerName::Sdk => "the SDK natively, its client against the sandbox in one process",
            LayerName::Sandbox => "the sandbox",
            LayerName::Clients => {
                "clients that know nothing of us: OAuth libraries and schemathesis, in Python"
            }
            LayerName::Xtask => "these commands",
            LayerName::Javascript => "the card form and the package's own JavaScript, in Node",
            LayerName::Browser => "the wasm in every engine that is there, with two real origins",
            LayerName::Package => "the packed tarball as its users take it",
            LayerName::Size => "the bytes that a page downloads, against their budget",
            LayerName::Frontends => {
                "a page of each bundler and framework, built from the tarball and run in a browser"
            }
            LayerName::Matrix => {
                "the tarball in further bundlers, test runners and runtimes, in each version that is there"
            }
            LayerName::Bench => "that the SDK refuses what a schema by hand refuses, and gives the same",
            LayerName::Simulate => {
                "histories of transfers in virtual time, and that they find each missing safeguard"
            }
            LayerName::Chaos => {
                "transfers by real pages while everything fails, and that this finds a weakness"
            }
            LayerName::Fuzz => "hostile values, interleavings and mounts against the packed tarball",
            LayerName::Forge => {
                "forged messages of the card form in every engine, and that this finds a missing check"
            }
            LayerName::Shop => "the demo shop in every engine that is there",
        }
    }
}

impl FromStr for LayerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        LayerName::ALL
            .into_iter()
            .find(|layer| layer.name() == text)
            .ok_or_else(|| format!("there is no layer of tests `{text}`"))
    }
}
