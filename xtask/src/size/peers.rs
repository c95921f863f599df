//! What others come to who do a part of the same: each in a small use of it, bundled as our package is.
//!
//! Only what the shop's page carries is weighed. What is shown in a provider's frame is in nobody's figure, nor in ours.

use anyhow::Context;
use serde_json::{Value, json};

use super::bundle::Bundler;
use super::bytes::Bytes;
use crate::repo::{Repo, read_text};
use crate::setup::NodeModules;
use crate::steps::Step;

const FOLDER: &str = "tests/size";
pub(super) const MODULES: NodeModules = NodeModules::of(FOLDER);

struct Peer {
    name: &'static str,
    package: &'static str,
    /// In tests/size/peers.
    file: &'static str,
    flags: &'static [&'static str],
}

const PEERS: [Peer; 7] = [
    Peer { name: "Adyen Card", package: "@adyen/adyen-web", file: "adyen-card", flags: &[] },
    Peer { name: "Adyen CustomCard", package: "@adyen/adyen-web", file: "adyen-custom-card", flags: &[] },
    Peer {
        name: "Braintree hosted fields, client",
        package: "braintree-web",
        file: "braintree-hosted-fields",
        flags: &[],
    },
    Peer { name: "zoid", package: "@krakenjs/zoid", file: "zoid", flags: &[] },
    Peer { name: "Penpal", package: "penpal", file: "penpal", flags: &[] },
    Peer {
        name: "openapi-fetch, zod/mini, 14 operations",
        package: "openapi-fetch",
        file: "openapi-fetch",
        flags: &["--alias:zod=zod/mini"],
    },
    Peer {
        name: "openapi-fetch, zod, 14 operations",
        package: "openapi-fetch",
        file: "openapi-fetch",
        flags: &[],
    },
];

pub(super) struct Weighed {
    name: &'static str,
    package: &'static str,
    version: String,
    bytes: Bytes,
}

pub(super) fn weigh(repo: &Repo, step: &Step) -> anyhow::Result<Vec<Weighed>> {
    let from = repo.path(FOLDER);
    let bundler = Bundler { repo, step, from: from.clone(), to: repo.target.join("size/peers") };
    let weigh = |peer: &Peer| {
        let file = from.join("peers").join(format!("{}.js", peer.file));
        let bundle = bundler.bundle_file(peer.file, &file, peer.flags)?;
        let manifest = read_text(&from.join("node_modules").join(peer.package).join("package.json"))?;
        let manifest: Value = serde_json::from_str(&manifest)?;
        let version = manifest.get("version").and_then(Value::as_str);
        Ok(Weighed {
            name: peer.name,
            package: peer.package,
            version: version.with_context(|| format!("{} has no version", peer.package))?.to_owned(),
            bytes: bundle.bytes(),
        })
    };
    PEERS.iter().map(weigh).collect()
}

impl Weighed {
    pub(super) fn row(&self) -> (String, Bytes) {
        (format!("{} ({})", self.name, self.version), self.bytes)
    }

    pub(super) fn entry(&self) -> Value {
        json!({
            "name": self.name,
            "package": self.package,
            "version": self.version,
            "raw": self.bytes.raw,
            "gzip": self.bytes.gzip,
            "brotli": self.bytes.brotli,
        })
    }
}
