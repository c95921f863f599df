//! Under a content security policy: that of a document in a frame, which mounts the form.

use remitkit::browser::FrameOptions;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Document, Element, HtmlIFrameElement};

use crate::fixture::{Container, START, card_origin, document, js, mount, options, say, sleep, until};

/// A document with its own policy, which counts its violations.
struct Page {
    document: Document,
    _container: Container,
}

impl Page {
    async fn under(policy: &str) -> Page {
        let container = Container::new();
        let outer: HtmlIFrameElement = document().create_element("iframe").unwrap().unchecked_into();
        let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
        outer.set_srcdoc(&format!("<!doctype html>{meta}<body><div id=\"card\"></div>"));
        container.0.append_child(&outer).unwrap();
        let inside =
            || outer.content_document().filter(|document| document.get_element_by_id("card").is_some());
        until("the document is there", || inside().is_some()).await;
        let document = inside().unwrap();
        js(
            "inside",
            "const violations = inside.defaultView.violations = [];
             const note = (event) => violations.push(event.effectiveDirective);
             inside.addEventListener('securitypolicyviolation', note)",
            &document,
        );
        Page { document, _container: container }
    }

    fn place(&self) -> Element {
        self.document.get_element_by_id("card").unwrap()
    }

    fn violations(&self) -> String {
        let violations = js("inside", "return inside.defaultView.violations.join()", &self.document);
        violations.as_string().unwrap()
    }
}

#[wasm_bindgen_test]
async fn the_strictest_policy_that_allows_the_form_is_not_violated() {
    let page = Page::under(&format!(
        "default-src 'none'; frame-src {0}; connect-src {0}; style-src 'self'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        card_origin()
    ))
    .await;
    let (frame, events) = mount(&page.place(), options(&say(&[START]))).unwrap();
    events.until(START).await;
    frame.set_url(&say(&[START])).unwrap();
    until("it is heard again", || events.all().len() == 4).await;
    assert_eq!(events.all(), ["READY", START, "READY", START]);
    assert_eq!(page.violations(), "");
    assert_eq!((frame.element().offset_height(), frame.element().client_height()), (432, 432));
}

#[wasm_bindgen_test]
async fn without_connect_src_the_frame_s_load_means_ready() {
    let page = Page::under(&format!("default-src 'none'; frame-src {}", card_origin())).await;
    let (_frame, events) = mount(&page.place(), options(&say(&[]))).unwrap();
    until("an event", || !events.all().is_empty()).await;
    sleep(500).await;
    assert_eq!(events.all(), ["READY"]);
}

#[wasm_bindgen_test]
async fn a_policy_that_blocks_the_form_is_reported_with_its_directive() {
    for policy in ["frame-src 'none'", "default-src 'none'", "child-src https://other.example"] {
        let page = Page::under(policy).await;
        let (_frame, events) = mount(&page.place(), options(&say(&[]))).unwrap();
        until("an event", || !events.all().is_empty()).await;
        sleep(300).await;
        // The directive that the engine names: engines differ where the policy has no `frame-src`.
        let named = page.violations();
        assert!(["frame-src", "child-src", "default-src"].contains(&&*named), "{policy}: {named}");
        assert_eq!(events.all(), [format!("LOAD_FAILED blocked by {named}")], "{policy}");
    }
}

#[wasm_bindgen_test]
async fn another_blocked_frame_does_not_fail_the_form() {
    let page = Page::under(&format!("frame-src {}", card_origin())).await;
    let (_frame, events) = mount(&page.place(), options(&say(&[]))).unwrap();
    js(
        "place",
        "const other = place.ownerDocument.createElement('iframe');
         other.src = 'https://other.example/';
         place.append(other)",
        page.place(),
    );
    events.until("READY").await;
    until("the other one is blocked", || page.violations() == "frame-src").await;
    assert_eq!(events.all(), ["READY"]);
}

#[wasm_bindgen_test]
async fn a_form_whose_server_a_blocker_keeps_from_being_checked_stays_usable() {
    let page = Page::under("frame-src *").await;
    js("inside", "inside.defaultView.fetch = () => Promise.reject(new TypeError('blocked'))", &page.document);
    let (frame, events) = mount(&page.place(), options(&say(&[]))).unwrap();
    until("an event", || !events.all().is_empty()).await;
    assert_eq!(events.all(), ["LOAD_FAILED unreachable of a loaded frame"]);
    // From the page of the form: the form hears no other.
    let speak = format!("iframe.contentWindow.postMessage('{START}', '*')");
    let body = format!("new iframe.ownerDocument.defaultView.Function('iframe', `{speak}`)(iframe)");
    js("iframe", &body, frame.element());
    events.until(START).await;
    assert_eq!(events.all()[1..], ["READY", START]);
}

#[wasm_bindgen_test]
async fn a_document_without_an_address_has_the_origin_of_its_page() {
    let page = Page::under("default-src 'none'").await;
    let origin = web_sys::window().unwrap().origin();
    let own = FrameOptions { url: format!("{origin}/x"), origin, ..options("") };
    assert_eq!(mount(&page.place(), own).err().unwrap().option(), Some("card_url"));
}
