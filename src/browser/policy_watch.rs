use std::cell::Cell;
use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{SecurityPolicyViolationEvent, SecurityPolicyViolationEventDisposition};

use super::timer::sleep;

/// The engine tells of a violation in a task of its own, which may come after the request has failed.
const TOLD_WITHIN_MS: u32 = 50;

/// Notices that the page's content security policy keeps a request back, which a failed fetch alone does not tell.
pub(super) struct PolicyWatch {
    blocked: Rc<Cell<bool>>,
    listener: Option<EventListener>,
}

impl PolicyWatch {
    /// Watches from before the request is made.
    pub(super) fn of(url: &str) -> PolicyWatch {
        let blocked = Rc::new(Cell::new(false));
        let (raised, url) = (blocked.clone(), url.to_owned());
        let document = web_sys::window().and_then(|window| window.document());
        let listener = document.map(|document| {
            EventListener::new(&document, "securitypolicyviolation", move |event| {
                let violation: &SecurityPolicyViolationEvent = event.unchecked_ref();
                // The whole address counts: that nothing was sent must be certain of this very request.
                if event.is_trusted()
                    && violation.disposition() == SecurityPolicyViolationEventDisposition::Enforce
                    && violation.effective_directive() == "connect-src"
                    && violation.blocked_uri() == url
                {
                    raised.set(true);
                }
            })
        });
        PolicyWatch { blocked, listener }
    }

    /// Whether the policy was the reason, after the request has failed.
    pub(super) async fn has_blocked(&self) -> bool {
        if self.listener.is_some() && !self.blocked.get() {
            sleep(TOLD_WITHIN_MS).await;
        }
        self.blocked.get()
    }
}
