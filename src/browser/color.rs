use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/engine.js")]
extern "C" {
    #[wasm_bindgen(js_name = isColor)]
    fn is_css_color(text: &str) -> bool;
}

/// Whether the text is a CSS colour for the engine (see [`IsColor`](crate::card::IsColor)).
#[must_use]
pub fn is_color(text: &str) -> bool {
    is_css_color(text)
}
