//! What anybody else says is not believed, and what the form cannot have said neither.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlIFrameElement;

use crate::fixture::{
    ALL, Container, EXPIRED, FAIL, Mounted, START, SUCCESS, card_origin, echo, js, page_origin, post_to, say,
    until,
};

impl Mounted {
    /// Runs a script that sends forged messages, each of the four strings, and waits until they were refused.
    /// Afterwards the form itself is still believed.
    async fn refuses(self, script: &str, count: impl Fn(&Mounted) -> u32) {
        let before = count(&self);
        js("iframe", &format!("for (const data of {ALL:?}) {{ {script} }}"), self.frame.element());
        until("the forged messages were refused", || count(&self) == before + 4).await;
        assert_eq!(self.events.all(), Vec::<String>::new());
        self.make_say(&format!("'{START}'"));
        until("the genuine one arrives", || self.events.has(START)).await;
        assert_eq!(self.events.all(), [START]);
    }
}

#[wasm_bindgen_test]
async fn the_page_itself() {
    Mounted::echo().await.refuses("window.postMessage(data, '*')", |it| it.frame.counts().source).await;
}

/// An event with the right origin and window. Firefox accepts no window of another origin as `source` in the
/// constructor, but allows the property to be defined.
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
";

#[wasm_bindgen_test]
async fn an_event_that_a_script_made_with_the_right_origin_and_window() {
    let script = [MAKE_EVENT, "window.dispatchEvent(make(data))"].concat();
    Mounted::echo().await.refuses(&script, |it| it.frame.counts().untrusted).await;
}

#[wasm_bindgen_test]
async fn an_event_that_is_no_message() {
    let script = "window.dispatchEvent(Object.assign(new Event('message'), { get data() { throw 1 }, source: 1n, origin: Symbol() }))";
    Mounted::echo()
        .await
        .refuses(&script.replace("get data() { throw 1 }", "data: 1"), |it| it.frame.counts().untrusted)
        .await;
    let throwing = "const event = new Event('message'); for (const name of ['data', 'source', 'origin']) Object.defineProperty(event, name, { get() { throw new Error(name) } }); window.dispatchEvent(event)";
    Mounted::echo().await.refuses(throwing, |it| it.frame.counts().untrusted).await;
    let custom = "window.dispatchEvent(new CustomEvent('message', { detail: data }))";
    Mounted::echo().await.refuses(custom, |it| it.frame.counts().untrusted).await;
}

#[wasm_bindgen_test]
async fn an_event_that_claims_to_be_trusted() {
    let claim = "const event = make(data); try { Object.defineProperty(event, 'isTrusted', { value: true }) } catch {} window.dispatchEvent(event)";
    let script = [MAKE_EVENT, claim].concat();
    Mounted::echo().await.refuses(&script, |it| it.frame.counts().untrusted).await;
}

#[wasm_bindgen_test]
async fn another_frame_of_the_same_origin() {
    let mounted = Mounted::echo().await;
    let container = Container::new();
    let other: HtmlIFrameElement =
        web_sys::window().unwrap().document().unwrap().create_element("iframe").unwrap().unchecked_into();
    other.set_src(&say(&ALL));
    container.0.append_child(&other).unwrap();
    until("its messages were refused", || mounted.frame.counts().source == 4).await;
    post_to(&other, &format!("'{START}'"));
    until("one more was refused", || mounted.frame.counts().source == 5).await;
    assert_eq!(mounted.events.all(), Vec::<String>::new());
}

#[wasm_bindgen_test]
async fn frames_of_the_pages_own_making() {
    let posts = "<script>parent.postMessage(data, '*')</script>";
    for (attributes, address) in [
        ("{}", "other.srcdoc = html"),
        ("{ sandbox: 'allow-scripts' }", "other.srcdoc = html"),
        ("{}", "other.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }))"),
        ("{}", "other.src = 'data:text/html,' + encodeURIComponent(html)"),
    ] {
        let script = format!(
            "const html = `{}`.replace('data', JSON.stringify(data)); const other = document.createElement('iframe'); \
             for (const [name, value] of Object.entries({attributes})) other.setAttribute(name, value); {address}; \
             iframe.parentNode.append(other);",
            posts.replace("</script>", "<\\/script>")
        );
        Mounted::echo().await.refuses(&script, |it| it.frame.counts().source).await;
    }
}

#[wasm_bindgen_test]
async fn a_message_whose_sender_is_gone() {
    let script = "const other = document.createElement('iframe'); document.body.append(other); \
        other.contentWindow.eval('parent.postMessage(' + JSON.stringify(data) + ', \"*\")'); other.remove();";
    Mounted::echo().await.refuses(script, |it| it.frame.counts().source).await;
}

#[wasm_bindgen_test]
async fn the_same_frame_while_it_shows_another_origin() {
    let mounted = Mounted::echo().await;
    let elsewhere = say(&ALL).replace(&card_origin(), &page_origin());
    js("iframe", &format!("iframe.contentWindow.location.replace({elsewhere:?})"), mounted.frame.element());
    until("its messages were refused", || mounted.frame.counts().origin == 4).await;

    let data =
        format!("data:text/html,<script>for (const data of {ALL:?}) parent.postMessage(data, '*')</script>");
    js("iframe", &format!("iframe.contentWindow.location.replace({data:?})"), mounted.frame.element());
    until("those of an opaque origin too", || mounted.frame.counts().origin == 8).await;
    assert_eq!(mounted.events.all(), Vec::<String>::new());

    js(
        "iframe",
        &format!("iframe.contentWindow.location.replace({:?})", say(&[START])),
        mounted.frame.element(),
    );
    until("back at its own origin it is believed", || mounted.events.has(START)).await;
    assert_eq!(mounted.events.all(), [START]);
}

#[wasm_bindgen_test]
async fn the_form_saying_something_else() {
    let mounted = Mounted::echo().await;
    let others = [
        "'READY'",
        "'COMPLETED'",
        "''",
        "' '",
        "'CARD_VALIDATION_START '",
        "'card_validation_start'",
        "'CARD_VALIDATION_STOP'",
        "'\"CARD_VALIDATION_START\"'",
        "'CARD_VALIDATION_START\\0'",
        "'\\ud800'",
        "'x'.repeat(5e7)",
        "new String('CARD_VALIDATION_START')",
        "['CARD_VALIDATION_START']",
        "{ type: 'CARD_VALIDATION_START', data: 'CARD_VALIDATION_START' }",
        "{ toString: 'CARD_VALIDATION_START' }",
        "null",
        "undefined",
        "0",
        "1n",
        "true",
        "NaN",
        "new Date()",
        "new Map([['a', 1]])",
        "new Error('CARD_VALIDATION_START')",
        "new Uint8Array(8)",
        "new Blob(['CARD_VALIDATION_START'])",
        "(() => { const self = {}; self.self = self; return self })()",
    ];
    for (i, data) in others.iter().enumerate() {
        mounted.make_say(data);
        until(data, || mounted.frame.counts().data as usize == i + 1).await;
    }
    assert_eq!(mounted.frame.counts().total() as usize, others.len());
    assert_eq!(mounted.events.all(), Vec::<String>::new());
    mounted.make_say(&format!("'{START}'"));
    until("the genuine one arrives", || mounted.events.has(START)).await;
}

#[wasm_bindgen_test]
async fn a_message_that_cannot_be_read() {
    // A module cannot be cloned over to another origin, so it arrives as `messageerror`, or not at all.
    let mounted = Mounted::echo().await;
    js(
        "iframe",
        "try { iframe.contentWindow.postMessage(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), '*') } catch {}",
        mounted.frame.element(),
    );
    mounted.make_say(&format!("'{START}'"));
    until("the genuine one arrives", || mounted.events.has(START)).await;
    assert_eq!(mounted.events.all(), [START]);
}

#[wasm_bindgen_test]
async fn an_order_in_which_the_form_cannot_speak() {
    let mounted =
        Mounted::new(&say(&[SUCCESS, FAIL, START, START, FAIL, FAIL, START, SUCCESS, SUCCESS, START]));
    until("the rest is refused", || mounted.frame.counts().order == 6).await;
    assert_eq!(mounted.events.all(), ["READY", START, FAIL, START, SUCCESS]);
}

#[wasm_bindgen_test]
async fn what_the_page_before_still_says_is_not_taken_for_the_new_ones() {
    let mounted = Mounted::echo().await;
    // Legal at any time, but the end of the previous session: in flight when the address changes.
    mounted.make_say(&format!("'{EXPIRED}'"));
    mounted.frame.set_url(&echo()).unwrap();
    until("the new page is ready", || mounted.events.has("READY")).await;
    mounted.make_say(&format!("'{START}'"));
    until("the new page speaks", || mounted.events.has(START)).await;
    assert_eq!(mounted.events.all(), ["READY", START]);
}
