//! Which messages are delivered. `cargo xtask forge` has many more senders; here each check refuses some.

use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fixture::{ALL, FAIL, Mounted, START, SUCCESS, card_origin, options, page_origin, say, until};

/// `make` makes an event with the right origin and window. Firefox accepts no window of another origin as
/// `source` in the constructor, but allows the property to be defined. `frame` adds a frame that posts the
/// data.
const MAKE_EVENT: &str = "
    const make = (data) => {
      const init = { data, origin: new URL(iframe.src).origin };
      const source = iframe.contentWindow;
      try {
        return new MessageEvent('message', { ...init, source });
      } catch {
        return Object.defineProperty(new MessageEvent('message', init), 'source', { value: source });
      }
    };
    const frame = (attribute, value) => {
      const other = document.createElement('iframe');
      other[attribute] = value(`<script>parent.postMessage('${data}', '*')<\\/script>`);
      iframe.parentNode.append(other);
      return other;
    };
";

/// Senders that a script in the page makes.
const UNTRUSTED: [&str; 4] = [
    "dispatchEvent(make(data))",
    "const event = make(data); try { Object.defineProperty(event, 'isTrusted', { value: true }) } catch {} \
        dispatchEvent(event)",
    "const event = new Event('message'); for (const name of ['data', 'source', 'origin']) \
        Object.defineProperty(event, name, { get() { throw new Error(name) } }); dispatchEvent(event)",
    "dispatchEvent(new CustomEvent('message', { detail: data }))",
];
/// Other windows than the form's.
const OTHER_WINDOWS: [&str; 6] = [
    "postMessage(data, '*')",
    "frame('srcdoc', (html) => html)",
    "frame('srcdoc', (html) => html).sandbox = 'allow-scripts'",
    "frame('src', (html) => URL.createObjectURL(new Blob([html], { type: 'text/html' })))",
    "frame('src', (html) => 'data:text/html,' + encodeURIComponent(html))",
    "const other = frame('title', () => ''); \
        other.contentWindow.eval(`parent.postMessage('${data}', '*')`); other.remove()",
];

#[wasm_bindgen_test]
async fn other_senders_are_refused_and_the_form_is_still_heard() {
    let senders = UNTRUSTED.map(|script| (script, true)).into_iter();
    for (script, is_untrusted) in senders.chain(OTHER_WINDOWS.map(|script| (script, false))) {
        let mounted = Mounted::ready().await;
        mounted.script(&format!("for (const data of {ALL:?}) {{ {MAKE_EVENT} {script} }}"));
        let refused = || {
            let counts = mounted.frame.counts();
            if is_untrusted { counts.untrusted } else { counts.source }
        };
        until(script, || refused() == 4).await;
        mounted.start().await;
        assert_eq!(mounted.events.all(), [START], "{script}");
    }
}

#[wasm_bindgen_test]
async fn pages_of_other_origins_in_the_form_s_window_are_refused() {
    let mounted = Mounted::ready().await;
    let go = |url: &str| mounted.script(&format!("iframe.contentWindow.location.replace({url:?})"));
    go(&say(&ALL).replace(&card_origin(), &page_origin()));
    until("the page's own origin is refused", || mounted.frame.counts().origin == 4).await;
    go(&format!("data:text/html,<script>for (const data of {ALL:?}) parent.postMessage(data, '*')</script>"));
    until("an opaque origin is refused", || mounted.frame.counts().origin == 8).await;
    assert_eq!(mounted.events.all(), Vec::<String>::new());
    go(&say(&[START]));
    mounted.events.until(START).await;
    assert_eq!(mounted.events.all(), [START]);
}

#[wasm_bindgen_test]
async fn other_data_and_another_order_are_refused() {
    let mounted = Mounted::ready().await;
    let data = [
        "''",
        "'CARD_VALIDATION_START '",
        "'x'.repeat(5e7)",
        "'\\ud800'",
        "new String('CARD_VALIDATION_START')",
        "['CARD_VALIDATION_START']",
        "{ toString: 'CARD_VALIDATION_START' }",
        "undefined",
        "1n",
        "new Error('CARD_VALIDATION_START')",
        "(() => { const self = {}; self.self = self; return self })()",
    ];
    for (i, data) in data.iter().enumerate() {
        mounted.make_say(data);
        until(data, || mounted.frame.counts().data as usize == i + 1).await;
    }
    assert_eq!(mounted.frame.counts().total() as usize, data.len());
    // A module cannot be cloned to another origin: it arrives as `messageerror`, or not at all.
    mounted.script(
        "const empty = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
         try { iframe.contentWindow.postMessage(empty, '*') } catch {}",
    );
    mounted.start().await;
    assert_eq!(mounted.events.all(), [START]);

    let said = [SUCCESS, FAIL, START, START, FAIL, FAIL, START, SUCCESS, SUCCESS, START];
    let mounted = Mounted::new(options(&say(&said))).unwrap();
    until("the rest is refused", || mounted.frame.counts().order == 6).await;
    assert_eq!(mounted.events.all(), ["READY", START, FAIL, START, SUCCESS]);
}

#[wasm_bindgen_test]
async fn a_form_that_loads_again_may_start_again_or_end_its_verification() {
    for end in [START, SUCCESS] {
        let mounted = Mounted::ready().await;
        mounted.start().await;
        // As a form does that leads to the bank's page and back.
        let loaded: Promise = mounted
            .script(
                "return new Promise((go) => {
                   iframe.addEventListener('load', go, { once: true });
                   iframe.contentWindow.location.replace(iframe.src + '&again');
                 })",
            )
            .unchecked_into();
        loaded.await.unwrap();
        mounted.make_say(&format!("'{end}'"));
        until("the page is heard", || mounted.events.all().len() == 2).await;
        assert_eq!(mounted.events.all(), [START, end]);
        assert_eq!(mounted.frame.counts().total(), 0);
    }
}
