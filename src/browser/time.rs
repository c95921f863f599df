use js_sys::Date;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/service-time.js")]
extern "C" {
    /// Parses a date of the service to milliseconds since 1970 by the device's clock; NaN if it is none.
    #[wasm_bindgen(js_name = timeOf)]
    pub(super) fn time_of(date: &str) -> f64;
}

#[wasm_bindgen]
extern "C" {
    /// The milliseconds since the page began to load, by a clock that nobody sets.
    #[wasm_bindgen(js_namespace = performance)]
    pub(super) fn now() -> f64;
}

pub(crate) fn now_ms() -> u64 {
    Date::now() as u64
}

pub(super) fn parse_time_ms(iso: &str) -> Option<u64> {
    let ms = time_of(iso);
    (ms >= 0.0).then_some(ms as u64)
}
