//! Which messages are delivered. The proof `cargo xtask forge` has many more senders and much other data.

use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fixture::{ALL, Mounted, START, SUCCESS, card_origin, page_origin, say, until};

#[wasm_bindgen_test]
async fn each_refused_message_is_counted_by_its_reason_and_the_form_is_still_heard() {
    let mounted = Mounted::ready().await;
    let counts = || mounted.frame.counts();
    mounted.script(&format!(
        "for (const data of {ALL:?}) {{
           dispatchEvent(new MessageEvent('message', {{ data, origin: new URL(iframe.src).origin }}));
           postMessage(data, '*');
           postMessage(data, '*');
         }}"
    ));
    until("untrusted and foreign messages", || (counts().untrusted, counts().source) == (4, 8)).await;
    mounted.make_say(&format!("'{SUCCESS}'"));
    mounted.make_say(&format!("['{START}']"));
    until("another order and other data", || (counts().order, counts().data) == (1, 1)).await;
    let own_page = say(&ALL).replace(&card_origin(), &page_origin());
    mounted.script(&format!("iframe.contentWindow.location.replace({own_page:?})"));
    until("another origin in the form's window", || counts().origin == 4).await;
    mounted.script(&format!("iframe.contentWindow.location.replace({:?})", say(&[START])));
    mounted.events.until(START).await;
    assert_eq!((mounted.events.all(), counts().total()), (vec![START.to_owned()], 18));
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
