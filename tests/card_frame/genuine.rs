//! What the form says arrives, in order.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fixture::{EXPIRED, FAIL, Mounted, START, SUCCESS, js, say, until};

#[wasm_bindgen_test]
async fn messages_sent_while_the_page_loads_come_after_ready() {
    let mounted = Mounted::new(&say(&[START, FAIL, START, SUCCESS]));
    until("success arrives", || mounted.events.has(SUCCESS)).await;
    assert_eq!(mounted.events.all(), ["READY", START, FAIL, START, SUCCESS]);
    assert_eq!(mounted.frame.counts().total(), 0);
}

#[wasm_bindgen_test]
async fn a_session_can_expire_at_any_time_and_then_nothing_follows() {
    let mounted = Mounted::new(&say(&[START, EXPIRED, START, SUCCESS, EXPIRED]));
    until("the rest is refused", || mounted.frame.counts().order == 3).await;
    assert_eq!(mounted.events.all(), ["READY", START, EXPIRED]);
}

#[wasm_bindgen_test]
async fn two_thousand_messages_are_delivered_in_order() {
    let mounted = Mounted::echo().await;
    let script = format!(
        "for (let i = 0; i < 1000; i += 1) for (const data of ['{START}', '{FAIL}']) iframe.contentWindow.postMessage(data, '*')"
    );
    js("iframe", &script, mounted.frame.element());
    until("all are there", || mounted.events.all().len() == 2000).await;
    for pair in mounted.events.all().chunks(2) {
        assert_eq!(pair, [START, FAIL]);
    }
    assert_eq!(mounted.frame.counts().total(), 0);
}

#[wasm_bindgen_test]
async fn two_forms_on_a_page_do_not_hear_each_other() {
    let (one, other) = (Mounted::echo().await, Mounted::echo().await);
    one.make_say(&format!("'{START}'"));
    until("the start arrives", || one.events.has(START)).await;
    other.make_say(&format!("'{EXPIRED}'"));
    until("the end arrives", || other.events.has(EXPIRED)).await;
    assert_eq!((one.events.all(), other.events.all()), (vec![START.to_owned()], vec![EXPIRED.to_owned()]));
    assert_eq!((one.frame.counts().source, other.frame.counts().source), (1, 1));
}

/// Has the form's frame go to its address anew, as a form does that leads to the bank's page and back.
async fn load_again(mounted: &Mounted) {
    let loaded: js_sys::Promise = js(
        "iframe",
        "return new Promise((go) => { iframe.addEventListener('load', go, { once: true }); iframe.contentWindow.location.replace(iframe.src + '?again'); })",
        mounted.frame.element(),
    )
    .unchecked_into();
    loaded.await.unwrap();
}

#[wasm_bindgen_test]
async fn a_form_that_is_loaded_again_can_begin_again() {
    let mounted = Mounted::echo().await;
    mounted.make_say(&format!("'{START}'"));
    until("the start arrives", || mounted.events.has(START)).await;
    load_again(&mounted).await;
    mounted.make_say(&format!("'{START}'"));
    until("the new page has spoken", || mounted.events.all().len() == 2).await;
    assert_eq!(mounted.events.all(), [START, START]);
}

#[wasm_bindgen_test]
async fn a_form_that_goes_to_another_page_while_it_verifies_is_believed_to_the_end() {
    let mounted = Mounted::echo().await;
    mounted.make_say(&format!("'{START}'"));
    until("the start arrives", || mounted.events.has(START)).await;
    load_again(&mounted).await;
    mounted.make_say(&format!("'{SUCCESS}'"));
    until("the success arrives", || mounted.events.has(SUCCESS)).await;
    assert_eq!(mounted.frame.counts().total(), 0);
}
