use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use super::answer;
use crate::api::json::signed_digits_of;
use crate::browser;
use crate::card::{FrameEvent, FrameWatch};

/// A [`FrameWatch`] over a frame that the package shows.
#[wasm_bindgen]
pub struct FrameWatchCore(RefCell<FrameWatch>);

#[wasm_bindgen]
impl FrameWatchCore {
    /// Over a frame of this origin.
    #[wasm_bindgen(constructor)]
    pub fn new(origin: String, load_timeout_ms: u32) -> FrameWatchCore {
        FrameWatchCore(RefCell::new(FrameWatch::new(origin, load_timeout_ms)))
    }

    /// Whether this is a test build, in which checks can be left out: it is told of all that it could check.
    #[wasm_bindgen(getter, js_name = readsAll)]
    pub fn reads_all(&self) -> bool {
        cfg!(feature = "weakened")
    }

    /// The frame begins to load an address. Gives when to give the first alarm, in milliseconds.
    pub fn restart(&self) -> i32 {
        self.0.borrow_mut().restart()
    }

    /// Judges what `frame.js` tells of. A line for when to give an alarm, `ASK` where the form's server is to be asked, and one for each event:
    /// its type and, behind tabs, why a frame has not loaded, the directive that kept it out, and what is told of it as `answer.rs` has it.
    pub fn notice(
        &self,
        what: u32,
        first: bool,
        second: bool,
        text: Option<String>,
        more: Option<String>,
    ) -> String {
        let mut watch = self.0.borrow_mut();
        let consequence = browser::notice(&mut watch, what, first, second, text.as_deref(), more.as_deref());
        let mut out = match consequence.alarm_ms {
            Some(ms) => signed_digits_of(i64::from(ms)),
            None => String::new(),
        };
        if consequence.asks {
            out.push_str("\nASK");
        }
        for event in consequence.events.into_iter().flatten() {
            out.push('\n');
            match event {
                FrameEvent::Ready => out.push_str("READY"),
                FrameEvent::Card(event) => out.push_str(event.as_str()),
                FrameEvent::LoadFailed(failure) => {
                    let directive = failure.directive().unwrap_or_default();
                    let error = answer::error(&failure.error(watch.origin()));
                    out.push_str(&["LOAD_FAILED", failure.reason(), directive, &error].join("\t"));
                }
            }
        }
        out
    }
}
