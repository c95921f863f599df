//! WebKit's WebDriver, which brings a browser of its own, and the screen that it needs.

use super::{Found, Part, apt, on_path};
use crate::repo::Repo;
use crate::steps::Step;

const ADVICE: &str = "install WebKitGTK's driver and a virtual screen (Debian: `apt-get install webkit2gtk-driver xvfb xauth`)";

/// Found: the driver, then what gives it a screen.
pub(crate) struct WebKit;

impl Part for WebKit {
    fn title(&self) -> String {
        "WebKit and its driver".to_owned()
    }

    fn found(&self, _: &Repo) -> anyhow::Result<Option<Found>> {
        Ok(on_path("WebKitWebDriver").zip(on_path("xvfb-run")).map(|(driver, screen)| vec![driver, screen]))
    }

    fn make(&self, _: &Repo, step: &Step) -> anyhow::Result<()> {
        apt::install(step, &["webkit2gtk-driver", "xvfb", "xauth"], "WebKit", ADVICE)
    }
}
