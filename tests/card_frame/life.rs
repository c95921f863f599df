//! From mounting to leaving nothing behind.

use std::cell::RefCell;
use std::rc::Rc;

use remitkit::api::Kind;
use remitkit::browser::{CardFrame, FrameEvent, FrameOptions};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::fixture::{
    Container, Events, FAIL, Mounted, START, card_origin, document, echo, evaluate, js, options, page_origin,
    say, sleep, until,
};

#[wasm_bindgen_test]
async fn the_frame_is_named_sized_and_shut_in() {
    let mounted = Mounted::echo().await;
    let iframe = mounted.frame.element();
    for (name, value) in [
        ("title", "Card"),
        ("sandbox", "allow-scripts allow-same-origin allow-forms"),
        ("allow", ""),
        ("referrerpolicy", "strict-origin"),
    ] {
        assert_eq!(iframe.get_attribute(name).as_deref(), Some(value));
    }
    assert_eq!(
        (iframe.offset_height(), iframe.client_height()),
        (432, 432),
        "no border, and the height asked for"
    );
    assert_eq!(iframe.offset_width(), mounted.container.0.client_width());
    assert_eq!(mounted.container.0.client_height(), 432);
}

#[wasm_bindgen_test]
async fn in_a_shadow_root() {
    let host = Container::new();
    let root = js(
        "host",
        "return host.attachShadow({ mode: 'closed' }).appendChild(document.createElement('section'))",
        &host.0,
    );
    let events = Events::default();
    let delivered = events.clone();
    let frame =
        CardFrame::mount(root.unchecked_ref(), options(&say(&[START])), move |event| delivered.push(event))
            .unwrap();
    until("it is heard", || events.has(START)).await;
    assert_eq!(events.all(), ["READY", START]);
    drop(frame);
    assert_eq!(js("root", "return root.childElementCount", &root), 0);
}

#[wasm_bindgen_test]
async fn what_cannot_work_is_refused_and_leaves_nothing() {
    let page = page_origin();
    let frames = evaluate("document.querySelectorAll('iframe').length");
    for (broken, option) in [
        (FrameOptions { url: format!("{page}/x"), origin: page, ..options("") }, "cardUrl"),
        (options("https://other.example/form"), "cardUrl"),
        (options(&card_origin()), "cardUrl"),
        (options(&format!("{}.evil.example/", card_origin())), "cardUrl"),
        (options("javascript:alert(1)"), "cardUrl"),
        (options(""), "cardUrl"),
        (FrameOptions { title: " ".to_owned(), ..options(&echo()) }, "title"),
    ] {
        let error = Mounted::with(broken).err().expect(option);
        assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some(option)));
    }
    let outside = document().create_element("div").unwrap();
    let error = CardFrame::mount(&outside, options(&echo()), |_| {}).err().unwrap();
    assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("container")));
    assert_eq!(evaluate("document.querySelectorAll('iframe').length"), frames);
}

#[wasm_bindgen_test]
async fn too_late_is_told_and_late_is_still_welcome() {
    let mounted = Mounted::with(FrameOptions { load_timeout_ms: 1, ..options(&say(&[])) }).unwrap();
    until("it loads", || mounted.events.has("READY")).await;
    assert_eq!(mounted.events.all(), ["LOAD_FAILED timeout", "READY"]);

    let in_time = Mounted::with(FrameOptions { load_timeout_ms: 1500, ..options(&echo()) }).unwrap();
    sleep(1700).await;
    assert_eq!(in_time.events.all(), ["READY"]);
}

#[wasm_bindgen_test]
async fn an_error_page_of_the_browser_is_not_ready() {
    // Nothing listens there, and the name is reserved for what is unknown.
    for origin in ["http://127.0.0.1:2", "http://card.invalid"] {
        let origin = origin.to_owned();
        let url = format!("{origin}/v2/add-card");
        let quick = FrameOptions { url: url.clone(), origin, load_timeout_ms: 4000, ..options("") };
        let mounted = Mounted::with(quick).unwrap();
        for _ in 0..2 {
            until("it has failed", || !mounted.events.all().is_empty()).await;
            sleep(500).await;
            assert_eq!(mounted.events.all(), ["LOAD_FAILED unreachable"], "{url}");
            mounted.events.clear();
            mounted.frame.set_url(&url).unwrap();
        }
    }
}

#[wasm_bindgen_test]
async fn another_address_in_the_same_place() {
    let mounted = Mounted::echo().await;
    let (element, history) = (mounted.frame.element(), evaluate("history.length"));
    let after = document().create_element("p").unwrap();
    mounted.container.0.append_child(&after).unwrap();
    element.focus().unwrap();
    for _ in 0..3 {
        mounted.events.clear();
        mounted.frame.set_url(&say(&[START, FAIL])).unwrap();
        until("it is heard", || mounted.events.has(FAIL)).await;
        assert_eq!(mounted.events.all(), ["READY", START, FAIL]);
    }
    assert!(element.is_same_node(Some(&mounted.frame.element())) && element.is_connected());
    assert_eq!(element.next_element_sibling(), Some(after));
    assert_eq!(
        document().active_element().as_ref(),
        Some(element.unchecked_ref()),
        "the focus is where it was"
    );
    assert_eq!(evaluate("history.length"), history, "going back leaves the page");

    let error = mounted.frame.set_url("https://other.example/form").unwrap_err();
    assert_eq!(error.option(), Some("cardUrl"));
    mounted.container.0.remove();
    let error = mounted.frame.set_url(&echo()).unwrap_err();
    assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("container")));
}

#[wasm_bindgen_test]
async fn a_frame_that_the_page_threw_out_comes_back_with_another_address() {
    let mounted = Mounted::echo().await;
    mounted.container.0.set_text_content(None);
    mounted.frame.set_url(&say(&[START])).unwrap();
    until("it is heard", || mounted.events.has(START)).await;
    assert_eq!(mounted.container.0.child_element_count(), 1);
}

/// Counts listeners and timers that were added to the page and not taken away.
fn watch_leftovers() -> JsValue {
    js(
        "_",
        "const left = { listeners: 0, timers: new Set() };
         const { addEventListener, removeEventListener } = EventTarget.prototype;
         const { setTimeout, clearTimeout } = globalThis;
         EventTarget.prototype.addEventListener = function (...args) { left.listeners += 1; return addEventListener.apply(this, args); };
         EventTarget.prototype.removeEventListener = function (...args) { left.listeners -= 1; return removeEventListener.apply(this, args); };
         globalThis.setTimeout = (...args) => { const id = setTimeout(...args); left.timers.add(id); return id; };
         globalThis.clearTimeout = (id) => { left.timers.delete(id); clearTimeout(id); };
         left.end = () => {
           Object.assign(EventTarget.prototype, { addEventListener, removeEventListener });
           Object.assign(globalThis, { setTimeout, clearTimeout });
         };
         return left;",
        JsValue::UNDEFINED,
    )
}

fn memory_size() -> u32 {
    js("memory", "return memory.buffer.byteLength", wasm_bindgen::memory()).as_f64().unwrap() as u32
}

#[wasm_bindgen_test]
async fn mounted_and_removed_again_leaves_nothing() {
    let frames = evaluate("document.querySelectorAll('iframe').length");
    let container = Container::new();
    let left = watch_leftovers();
    let mut memory = 0;
    for round in 0..300 {
        if round == 100 {
            memory = memory_size();
        }
        let frame =
            CardFrame::mount(&container.0, options(&echo()), |_| panic!("a frame that was removed spoke"))
                .unwrap();
        if round % 2 == 0 {
            frame.set_url(&echo()).unwrap();
        }
        if round % 3 == 0 {
            frame.close();
            frame.close();
            assert_eq!(frame.element().get_attribute("src"), None);
            frame.set_url(&echo()).unwrap();
            assert!(!frame.element().is_connected());
        }
    }
    let counted =
        js("left", "left.end(); return `${left.listeners} listeners, ${left.timers.size} timers`", &left);
    assert_eq!(counted, "0 listeners, 0 timers");
    assert_eq!(evaluate("document.querySelectorAll('iframe').length"), frames);
    assert_eq!(memory_size(), memory, "the module's memory has not grown");
    sleep(200).await;

    let again = Mounted::new(&say(&[START]));
    until("a new one is heard", || again.events.has(START)).await;
}

#[wasm_bindgen_test]
async fn the_listener_may_drop_the_frame() {
    for end in ["READY", START] {
        let container = Container::new();
        let slot: Rc<RefCell<Option<CardFrame>>> = Rc::default();
        let (events, held) = (Events::default(), Rc::clone(&slot));
        let delivered = events.clone();
        let frame = CardFrame::mount(&container.0, options(&say(&[START, FAIL])), move |event| {
            delivered.push(event);
            if delivered.has(end) {
                let frame = held.borrow_mut().take();
                drop(frame);
            }
        });
        *slot.borrow_mut() = Some(frame.unwrap());
        until("it is dropped", || slot.borrow().is_none()).await;
        sleep(100).await;
        assert_eq!(events.all().last().map(String::as_str), Some(end));
        assert_eq!(container.0.child_element_count(), 0);
    }
}

#[wasm_bindgen_test]
async fn the_listener_may_call_everything() {
    let container = Container::new();
    let slot: Rc<RefCell<Option<Rc<CardFrame>>>> = Rc::default();
    let (events, held) = (Events::default(), Rc::clone(&slot));
    let delivered = events.clone();
    let frame = CardFrame::mount(&container.0, options(&say(&[START, FAIL])), move |event| {
        delivered.push(event);
        let Some(frame) = held.borrow().clone() else { return };
        js(
            "data",
            "window.dispatchEvent(new MessageEvent('message', { data })); document.querySelector('iframe').dispatchEvent(new Event('load'))",
            JsValue::from(START),
        );
        assert!(frame.counts().untrusted > 0);
        if matches!(event, FrameEvent::Card(_)) && delivered.all().len() < 6 {
            frame.set_url(&echo()).unwrap();
            frame.set_url(&say(&[START, FAIL])).unwrap();
        }
    });
    *slot.borrow_mut() = Some(Rc::new(frame.unwrap()));
    until("the last address has spoken", || events.has(FAIL)).await;
    assert_eq!(events.all(), ["READY", START, "READY", START, "READY", START, FAIL]);
    slot.borrow_mut().take();
}

#[wasm_bindgen_test]
async fn taking_the_frame_out_may_run_a_script_that_closes_it() {
    let mounted = Mounted::echo().await;
    let frame = Rc::new(mounted.frame);
    let closer = Rc::clone(&frame);
    let close = wasm_bindgen::closure::Closure::<dyn FnMut()>::new(move || closer.close());
    let element: HtmlElement = frame.element().unchecked_into();
    js(
        "pair",
        "pair[0].remove = function () { delete this.remove; pair[1](); this.remove(); }",
        js_sys::Array::of2(&element, close.as_ref()),
    );
    frame.set_url(&echo()).unwrap();
    assert!(!element.is_connected() && element.get_attribute("src").is_none());
}
