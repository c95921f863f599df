//! Under a content security policy: that of a document which frames the form from within.

use remitkit::browser::{CardFrame, FrameOptions};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Document, HtmlIFrameElement};

use crate::fixture::{Container, Events, START, card_origin, document, echo, js, options, say, until};

/// A document with a policy of its own. It counts the violations of it.
async fn under(policy: &str) -> (Container, Document) {
    let container = Container::new();
    let outer: HtmlIFrameElement = document().create_element("iframe").unwrap().unchecked_into();
    outer.set_srcdoc(&format!("<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"><body><div id=\"card\"></div>"));
    container.0.append_child(&outer).unwrap();
    let inside = || outer.content_document().filter(|document| document.get_element_by_id("card").is_some());
    until("the document is there", || inside().is_some()).await;
    let inside = inside().unwrap();
    js(
        "inside",
        "inside.defaultView.violations = []; inside.addEventListener('securitypolicyviolation', (event) => inside.defaultView.violations.push(event.effectiveDirective))",
        &inside,
    );
    (container, inside)
}

fn violations(inside: &Document) -> String {
    js("inside", "return inside.defaultView.violations.join()", inside).as_string().unwrap()
}

#[wasm_bindgen_test]
async fn the_strictest_policy_that_lets_the_form_in_is_kept() {
    let policy = format!(
        "default-src 'none'; frame-src {0}; connect-src {0}; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
        card_origin()
    );
    let (_container, inside) = under(&policy).await;
    let events = Events::default();
    let delivered = events.clone();
    let place = inside.get_element_by_id("card").unwrap();
    let frame =
        CardFrame::mount(&place, options(&say(&[START])), move |event| delivered.push(event)).unwrap();
    until("it is heard", || events.has(START)).await;
    frame.set_url(&say(&[START])).unwrap();
    until("it is heard again", || events.all().len() == 4).await;
    assert_eq!(events.all(), ["READY", START, "READY", START]);
    assert_eq!(violations(&inside), "");
    assert_eq!((frame.element().offset_height(), frame.element().client_height()), (432, 432));
}

#[wasm_bindgen_test]
async fn where_the_policy_forbids_to_ask_for_the_form_its_load_counts() {
    let (_container, inside) = under(&format!("default-src 'none'; frame-src {}", card_origin())).await;
    let events = Events::default();
    let delivered = events.clone();
    let place = inside.get_element_by_id("card").unwrap();
    let _frame = CardFrame::mount(&place, options(&echo()), move |event| delivered.push(event)).unwrap();
    until("it is ready", || !events.all().is_empty()).await;
    crate::fixture::sleep(500).await;
    assert_eq!(events.all(), ["READY"]);
}

#[wasm_bindgen_test]
async fn a_policy_that_keeps_the_form_out_is_the_reason() {
    for policy in ["frame-src 'none'", "default-src 'none'", "child-src https://other.example"] {
        let (_container, inside) = under(policy).await;
        let events = Events::default();
        let delivered = events.clone();
        let place = inside.get_element_by_id("card").unwrap();
        let _frame = CardFrame::mount(&place, options(&echo()), move |event| delivered.push(event)).unwrap();
        until("something is told", || !events.all().is_empty()).await;
        crate::fixture::sleep(300).await;
        // The one that the engine itself names: engines differ where the policy has no `frame-src`.
        let named = violations(&inside);
        assert!(["frame-src", "child-src", "default-src"].contains(&&*named), "{policy}: {named}");
        assert_eq!(events.all(), [format!("LOAD_FAILED blocked by {named}")], "{policy}");
    }
}

#[wasm_bindgen_test]
async fn a_document_without_an_address_has_the_origin_of_the_page_around_it() {
    let (_container, inside) = under("default-src 'none'").await;
    let page = web_sys::window().unwrap().origin();
    let own = FrameOptions { url: format!("{page}/x"), origin: page, ..options("") };
    let error = CardFrame::mount(&inside.get_element_by_id("card").unwrap(), own, |_| {}).err().unwrap();
    assert_eq!(error.option(), Some("cardUrl"));
}

#[wasm_bindgen_test]
async fn another_frame_that_is_kept_out_is_no_reason() {
    let (_container, inside) = under(&format!("frame-src {}", card_origin())).await;
    let events = Events::default();
    let delivered = events.clone();
    let place = inside.get_element_by_id("card").unwrap();
    let _frame = CardFrame::mount(&place, options(&echo()), move |event| delivered.push(event)).unwrap();
    js(
        "place",
        "const other = place.ownerDocument.createElement('iframe'); other.src = 'https://other.example/'; place.append(other)",
        &place,
    );
    until("it is ready", || events.has("READY")).await;
    until("the other one was kept out", || violations(&inside) == "frame-src").await;
    assert_eq!(events.all(), ["READY"]);
}
