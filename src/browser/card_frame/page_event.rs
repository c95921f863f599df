//! What the page's events tell the frame watch.

use js_sys::JsString;
use wasm_bindgen::JsCast;
use web_sys::{Event, MessageEvent, SecurityPolicyViolationEvent, SecurityPolicyViolationEventDisposition};

use super::Frame;
use crate::browser::iframe::is_same;
use crate::card::{CardEvent, FrameInput, Message};

#[derive(Clone, Copy)]
pub(super) enum EventKind {
    Message,
    Violation,
    Load,
    Error,
}

impl Frame {
    pub(super) fn on_event(&self, kind: EventKind, event: &Event) {
        let trusted = event.is_trusted();
        let (origin, data);
        let (directive, blocked);
        let input = match kind {
            EventKind::Message => {
                let event: &MessageEvent = event.unchecked_ref();
                // Each property is read only if the check before it passed: a script may dispatch an event
                // that is no message.
                // By identity: a window of another origin throws on almost any access.
                let from_this_frame =
                    trusted && is_same(event.source(), self.iframe.element.content_window().as_ref());
                (origin, data) = if from_this_frame { self.read(event) } else { Default::default() };
                FrameInput::Message(Message {
                    trusted,
                    from_this_frame,
                    origin: &origin,
                    data: data.as_deref(),
                })
            }
            _ if !trusted => return,
            // A document that the page can read is not the form, but an empty one that the browser put in its
            // place.
            EventKind::Load => {
                FrameInput::Load { is_readable: self.iframe.element.content_document().is_some() }
            }
            EventKind::Error => FrameInput::Error { is_online: self.is_online() },
            EventKind::Violation => {
                let event: &SecurityPolicyViolationEvent = event.unchecked_ref();
                if event.disposition() != SecurityPolicyViolationEventDisposition::Enforce {
                    return;
                }
                (directive, blocked) = (event.effective_directive(), event.blocked_uri());
                FrameInput::Violation { directive: &directive, blocked: &blocked }
            }
        };
        self.notice(input);
    }

    /// Reads the origin of a message, and its data if that is a text no longer than the form's.
    fn read(&self, event: &MessageEvent) -> (String, Option<String>) {
        let data = event.data();
        let is_short = data.is_string() && data.unchecked_ref::<JsString>().length() <= CardEvent::LONGEST;
        (event.origin(), is_short.then(|| data.as_string()).flatten())
    }
}
