//! The layers of tests by name.

use clap::ValueEnum;
use clap::builder::PossibleValue;

macro_rules! layers {
    ($($Layer:ident $name:literal: $what:literal,)*) => {
        /// The layers, in the order in which they run.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum LayerName {
            $($Layer,)*
        }

        impl LayerName {
            pub(crate) const ALL: &'static [LayerName] = &[$(LayerName::$Layer,)*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(LayerName::$Layer => $name,)* }
            }

            pub(super) fn what(self) -> &'static str {
                match self { $(LayerName::$Layer => $what,)* }
            }
        }
    };
}

layers! {
    Sdk "sdk": "the SDK natively, its client against the sandbox in one process",
    Sandbox "sandbox": "the sandbox",
    Clients "clients": "clients that know nothing of us: OAuth libraries and schemathesis, in Python",
    Xtask "xtask": "these commands",
    Javascript "javascript": "the card form and the package's own JavaScript, in Node",
    Browser "browser": "the wasm in every engine that is there, with two real origins",
    Package "package": "the packed tarball as its users take it",
    Size "size": "the bytes that a page downloads, against their budget",
    Frontends "frontends": "a page of each bundler and framework, built from the tarball and run in a browser",
    Matrix "matrix": "the tarball in further bundlers, test runners and runtimes, in each version that is there",
    Bench "bench": "that the SDK refuses what a schema by hand refuses, and gives the same",
    Simulate "simulate": "histories of transfers in virtual time, and that they find each missing safeguard",
    Chaos "chaos": "transfers by real pages while everything fails, and that this finds a weakness",
    Forge "forge": "forged messages of the card form in every engine, and that this finds a missing check",
    Fuzz "fuzz": "hostile values, interleavings and mounts against the packed tarball",
    Shop "shop": "the demo shop in every engine that is there",
}

impl LayerName {
    /// Whether it runs where no layer is named: the matrix installs what comes to a gigabyte.
    pub(crate) fn is_usual(self) -> bool {
        self != LayerName::Matrix
    }
}

impl ValueEnum for LayerName {
    fn value_variants<'a>() -> &'a [Self] {
        LayerName::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.what()))
    }
}
