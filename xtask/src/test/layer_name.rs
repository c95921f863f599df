//! The layers of tests by name.

use clap::ValueEnum;
use clap::builder::PossibleValue;

/// The layers, from the pure rules to the shop in a browser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(crate) enum LayerName {
    /// the SDK natively, its client against the sandbox in one process
    Sdk,
    /// the sandbox
    Sandbox,
    /// clients that know nothing of us: OAuth libraries and schemathesis, in Python
    Clients,
    /// these commands
    Xtask,
    /// the card form and the package's own JavaScript, in Node
    Javascript,
    /// the wasm in every engine that is there, with two real origins
    Browser,
    /// the packed tarball as its users take it
    Package,
    /// the bytes that a page downloads, against their budget
    Size,
    /// a page of each bundler and framework, built from the tarball and run in a browser
    Frontends,
    /// the tarball in further bundlers, test runners and runtimes, in each version that is there
    Matrix,
    /// that the SDK refuses what a schema by hand refuses, and gives the same
    Bench,
    /// histories of transfers in virtual time, and that they find each missing safeguard
    Simulate,
    /// transfers by real pages while everything fails
    Chaos,
    /// forged messages of the card form in every engine
    Forge,
    /// hostile values, interleavings and mounts against the packed tarball
    Fuzz,
    /// the demo shop in every engine that is there
    Shop,
    /// the shop's looks at layout and accessibility, at each width in each language and colour scheme
    Screens,
    /// that chaos, forge and walks find each safeguard that is left out
    Safeguards,
}

impl LayerName {
    /// Whether it runs where no layer is named. `release` runs the others too: the matrix installs a gigabyte; the
    /// screens, of which `shop` has a choice, and the safeguards take minutes and seldom fail.
    pub(super) fn is_usual(self) -> bool {
        !matches!(self, LayerName::Matrix | LayerName::Screens | LayerName::Safeguards)
    }

    pub(crate) fn name(self) -> String {
        self.value().get_name().to_owned()
    }

    pub(super) fn what(self) -> String {
        self.value().get_help().map(ToString::to_string).unwrap_or_default()
    }

    fn value(self) -> PossibleValue {
        self.to_possible_value().unwrap_or_default()
    }
}
