//! What the pure layers decide about addresses and themes, compared with this engine.

use remitkit::api::Address;
use remitkit::browser::is_color;
use remitkit::card::Color;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Url;

/// Whether an address is accepted; the engine must then parse it alike.
fn is_accepted(text: &str) -> bool {
    let Ok(address) = Address::parse("cardUrl", text) else { return false };
    let url = Url::new(text).unwrap_or_else(|_| panic!("the browser refuses {text}"));
    assert_eq!(address.origin(), url.origin(), "{text}");
    assert_eq!(address.join("/x?y=1"), Url::new(&address.join("/x?y=1")).unwrap().href(), "{text}");
    true
}

const ADDRESSES: &str = "https://API.Example.com:443/ https://a_b.example:0443/x/ \
    https://xn--bcher-kva.example https://1.2.3.4:1 https://a.b-c.d/a.b/~c/$&'()*+,;=:@! http://127.1.2.3:80 \
    http://Card.LocalHost:4101/a http://[::1]:80/b https://-a-.example https://a--b.example https://0.example";
/// Pieces of addresses that are prone to misparsing, separated by `|`.
const PIECES: &str = "https://|http://|localhost|127.0.0.1|example|.|.com|:|443|80|0|08|0x7f|/|a|..|%2e|@|?|#|\
    \\|[::1]|[|]|xn--|-|_|A| |\t|é|1|255|256|;|'";

#[wasm_bindgen_test]
fn accepted_addresses_are_parsed_as_the_browser_parses_them() {
    for address in ADDRESSES.split_whitespace() {
        assert!(is_accepted(address), "{address}");
    }
    let pieces: Vec<&str> = PIECES.split('|').collect();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut text = String::from("https://");
        for _ in 0..7 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        let is_random_punycode = text.to_ascii_lowercase().contains("xn--");
        accepted += u32::from(!is_random_punycode && is_accepted(&text));
    }
    assert!(accepted > 50, "too few of them were addresses: {accepted}");
}

const COLORS: &str =
    "#0a7|#0A77|rebeccapurple|rgb(0 170 119 / 50%)|hsl(120deg 50% 50%)|oklch(70% 0.1 200)|Canvas";
const NOT_COLORS: &str =
    "#0a|rebeccapurpel|rgb(0 170)|currentColor|inherit|rgb(0 0 0|var(--x)|env(x)|url(x)|red;|red !important";

#[wasm_bindgen_test]
fn a_color_is_what_the_engine_accepts_as_one() {
    for color in COLORS.split('|') {
        assert!(is_color(color), "{color}");
        Color::parse(color, &is_color).unwrap();
    }
    for other in NOT_COLORS.split('|') {
        assert!(Color::parse(other, &is_color).is_err(), "{other}");
    }
}
