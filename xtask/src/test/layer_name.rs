//! The names of the test layers.

use clap::ValueEnum;
use clap::builder::PossibleValue;

/// A test layer, in order from the pure rules to the shop in a browser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(crate) enum LayerName {
    /// the SDK natively, its client against the sandbox in one process
    Sdk,
    /// the sandbox
    Sandbox,
    /// generic clients against the sandbox: OAuth libraries and schemathesis, in Python
    Clients,
    /// these commands
    Xtask,
    /// a copy of this repository, set up and run where nothing was set up before
    SetUp,
    /// the card form and the package's own JavaScript, in Node
    Javascript,
    /// the wasm in every installed engine, with two real origins
    Browser,
    /// the packed tarball as its users take it
    Package,
    /// the bytes that a page downloads, against their budget
    Size,
    /// a page of each bundler and framework, built from the tarball and run in a browser
    Frontends,
    /// the tarball in further bundlers, test runners and runtimes, in each available version
    Matrix,
    /// the SDK refuses what a hand-written schema refuses, and returns the same
    Bench,
    /// histories of transfers in virtual time, which must notice each missing safeguard
    Simulate,
    /// transfers by real pages under fault injection
    Chaos,
    /// forged messages of the card form in every engine
    Forge,
    /// what customers see of the forms is what is sent, in every engine
    Forms,
    /// a checkout beside libraries that change built-ins, wrap objects or patch fetch
    HostilePages,
    /// hostile values, interleavings and mounts against the packed tarball
    Fuzz,
    /// the demo shop in every installed engine
    Shop,
    /// the shop's layout and accessibility, at each width in each language and color scheme
    Screens,
    /// chaos, forge, forms and walks must notice each missing safeguard
    Safeguards,
}

impl LayerName {
    /// Whether it runs where no layer is named. `release` also runs the others: the matrix installs a
    /// gigabyte; the screens (`shop` has a selection of them) and the safeguards take minutes and seldom
    /// fail. Under CI all layers run where nothing was set up before (`.ci/run`).
    pub(super) fn is_default(self) -> bool {
        !matches!(self, LayerName::SetUp | LayerName::Matrix | LayerName::Screens | LayerName::Safeguards)
    }

    pub(crate) fn name(self) -> String {
        self.value().get_name().to_owned()
    }

    pub(super) fn description(self) -> String {
        self.value().get_help().map(ToString::to_string).unwrap_or_default()
    }

    fn value(self) -> PossibleValue {
        self.to_possible_value().unwrap_or_default()
    }
}
