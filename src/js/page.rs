use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::api::json::Writer;
use crate::browser::{elapsed_ms, matches, now_ms, parse_time_ms};
use crate::client::{Host, Trace};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Math)]
    fn random() -> f64;
}

/// What has been sent since it was last told, a line of JSON each; nothing where nobody watches.
pub(super) type Traces = Rc<RefCell<Option<String>>>;

/// The page that the core runs in.
pub(super) struct Page(pub(super) Traces);

impl Host for Page {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn elapsed_ms(&self) -> u64 {
        elapsed_ms()
    }

    fn random(&self) -> f64 {
        random()
    }

    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        matches(pattern, text)
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        parse_time_ms(iso)
    }

    fn trace(&self, trace: Trace<'_>) {
        let mut traces = self.0.borrow_mut();
        let Some(traces) = &mut *traces else { return };
        let mut out = Writer::default();
        out.object(|out| {
            out.text_member("operation", trace.operation);
            out.text_member("method", trace.method);
            out.number_member("attempt", u64::from(trace.attempt));
            out.number_member("status", u64::from(trace.status));
            out.number_member("durationMs", trace.duration_ms);
            if let Some(request_id) = trace.request_id {
                out.text_member("requestId", request_id);
            }
        });
        traces.push_str(&out.finish());
        traces.push('\n');
    }
}
