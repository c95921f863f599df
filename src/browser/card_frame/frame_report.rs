use wasm_bindgen::prelude::*;

/// What `frame.js` reports, by the names that it uses.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub(super) enum FrameReport {
    /// The alarm went off.
    Alarm = "alarm",
    /// The form's server answered the probe.
    ServerAnswered = "serverAnswered",
    ServerUnanswered = "serverUnanswered",
    /// The page's embedder policy kept the form out.
    FrameIsolated = "frameIsolated",
    /// It kept out the probe.
    ProbeIsolated = "probeIsolated",
    /// The frame was removed from the page.
    Removed = "removed",
    /// The session is to be read.
    SessionDue = "sessionDue",
}
