//! From mounting to leaving nothing behind.

use std::cell::RefCell;
use std::rc::Rc;

use remitkit::api::Kind;
use remitkit::browser::{CardFrame, FrameEvent, FrameOptions};
use remitkit::card::CardEvent;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::fixture::{
    Container, Events, FAIL, Mounted, START, SUCCESS, card_origin, document, evaluate, js, mount, options,
    page_origin, say, sleep, until,
};

fn count_frames() -> JsValue {
    evaluate("document.querySelectorAll('iframe').length")
}

#[wasm_bindgen_test]
async fn the_frame_is_named_sized_and_sandboxed() {
    let mounted = Mounted::ready().await;
    let iframe = mounted.frame.element();
    for (name, value) in [
        ("title", "Card"),
        ("sandbox", "allow-scripts allow-same-origin allow-forms"),
        ("allow", ""),
        ("referrerpolicy", "strict-origin"),
    ] {
        assert_eq!(iframe.get_attribute(name).as_deref(), Some(value));
    }
    let container = &mounted.container.0;
    assert_eq!((iframe.offset_height(), iframe.client_height(), container.client_height()), (432, 432, 432));
    assert_eq!(iframe.offset_width(), container.client_width());
}

#[wasm_bindgen_test]
async fn mounts_in_a_shadow_root() {
    let host = Container::new();
    let attach =
        "return host.attachShadow({ mode: 'closed' }).appendChild(document.createElement('section'))";
    let root = js("host", attach, &host.0);
    let (frame, events) = mount(root.unchecked_ref(), options(&say(&[START]))).unwrap();
    events.until(START).await;
    assert_eq!(events.all(), ["READY", START]);
    drop(frame);
    assert_eq!(js("root", "return root.childElementCount", &root), 0);
}

#[wasm_bindgen_test]
async fn options_that_cannot_work_are_refused_and_leave_nothing() {
    let page = page_origin();
    let frames = count_frames();
    for (broken, option) in [
        (FrameOptions { url: format!("{page}/x"), origin: page, ..options("") }, "card_url"),
        (options("https://other.example/form"), "card_url"),
        (options(&card_origin()), "card_url"),
        (options(&format!("{}.evil.example/", card_origin())), "card_url"),
        (options("javascript:alert(1)"), "card_url"),
        (options(""), "card_url"),
        (FrameOptions { title: " ".to_owned(), ..options(&say(&[])) }, "title"),
    ] {
        let error = Mounted::new(broken).err().expect(option);
        assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some(option)));
    }
    let detached = document().create_element("div").unwrap();
    let error = mount(&detached, options(&say(&[]))).err().unwrap();
    assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("container")));
    assert_eq!(count_frames(), frames);
}

#[wasm_bindgen_test]
async fn a_late_form_is_reported_and_still_becomes_ready() {
    // A form may load before a timer of 1 ms ends: engines do not promise their order.
    let mut attempts = 0;
    let events = loop {
        let late = Mounted::new(FrameOptions { load_timeout_ms: 1, ..options(&say(&[])) }).unwrap();
        late.events.until("READY").await;
        attempts += 1;
        if late.events.all() != ["READY"] || attempts == 20 {
            break late.events.all();
        }
    };
    assert_eq!(events, ["LOAD_FAILED timeout", "READY"]);

    let in_time = Mounted::new(FrameOptions { load_timeout_ms: 5000, ..options(&say(&[])) }).unwrap();
    sleep(5200).await;
    assert_eq!(in_time.events.all(), ["READY"]);
}

#[wasm_bindgen_test]
async fn an_error_page_of_the_browser_is_not_ready() {
    // Nothing listens at port 2, and `.invalid` is reserved for unknown names.
    for origin in ["http://127.0.0.1:2", "http://card.invalid"] {
        let url = format!("{origin}/v2/add-card");
        let origin = origin.to_owned();
        let quick = FrameOptions { url: url.clone(), origin, load_timeout_ms: 15_000, ..options("") };
        let mounted = Mounted::new(quick).unwrap();
        for _ in 0..2 {
            until("it has failed", || !mounted.events.all().is_empty()).await;
            sleep(500).await;
            // Chromium's error page loads like a form, so it stays to be seen.
            let [event] = &mounted.events.all()[..] else { panic!("{:?}", mounted.events.all()) };
            assert_eq!(event.trim_end_matches(" of a loaded frame"), "LOAD_FAILED unreachable", "{url}");
            mounted.events.clear();
            mounted.frame.set_url(&url).unwrap();
        }
    }
}

#[wasm_bindgen_test]
async fn set_url_keeps_place_focus_and_history() {
    let mounted = Mounted::ready().await;
    let (element, history) = (mounted.frame.element(), evaluate("history.length"));
    let after = document().create_element("p").unwrap();
    mounted.container.0.append_child(&after).unwrap();
    element.focus().unwrap();
    for _ in 0..3 {
        mounted.events.clear();
        mounted.frame.set_url(&say(&[START, FAIL])).unwrap();
        mounted.events.until(FAIL).await;
        assert_eq!(mounted.events.all(), ["READY", START, FAIL]);
    }
    assert!(element.is_same_node(Some(&mounted.frame.element())) && element.is_connected());
    assert_eq!(element.next_element_sibling(), Some(after));
    assert_eq!(document().active_element().as_ref(), Some(element.unchecked_ref()));
    assert_eq!(evaluate("history.length"), history, "going back leaves the page");

    let error = mounted.frame.set_url("https://other.example/form").unwrap_err();
    assert_eq!(error.option(), Some("card_url"));
    mounted.container.0.remove();
    let error = mounted.frame.set_url(&say(&[])).unwrap_err();
    assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("container")));
}

#[wasm_bindgen_test]
async fn set_url_remounts_a_detached_frame() {
    let mounted = Mounted::ready().await;
    mounted.container.0.set_text_content(None);
    mounted.frame.set_url(&say(&[START])).unwrap();
    mounted.events.until(START).await;
    assert_eq!(mounted.container.0.child_element_count(), 1);
}

#[wasm_bindgen_test]
async fn a_frame_that_a_plugin_makes_lazy_loads_below_the_fold() {
    let container = Container::new();
    js("element", "element.style.marginTop = '20000px'", &container.0);
    let patch = "const { createElement } = Document.prototype;
         Document.prototype.createElement = function (...args) {
           const element = createElement.apply(this, args);
           if (element.localName === 'iframe') element.loading = 'lazy';
           return element;
         };
         return () => { Document.prototype.createElement = createElement; }";
    let restore = js("_", patch, JsValue::UNDEFINED);
    // Longer than the test waits.
    let mounted = mount(&container.0, FrameOptions { load_timeout_ms: 60_000, ..options(&say(&[START])) });
    js("restore", "restore()", &restore);
    let (frame, events) = mounted.unwrap();
    // At once, and not when the time limit finds it lazy.
    assert_eq!(frame.element().get_attribute("loading").as_deref(), Some("eager"));
    events.until(START).await;
    assert_eq!(events.all(), ["READY", START]);

    // A plugin may also change one that is there.
    js("frame", "frame.loading = 'lazy'", frame.element());
    events.clear();
    frame.set_url(&say(&[START])).unwrap();
    assert_eq!(frame.element().get_attribute("loading").as_deref(), Some("eager"));
    events.until(START).await;
    frame.close();

    let mounted = mount(&container.0, FrameOptions { load_timeout_ms: 5000, ..options(&say(&[START])) });
    let (frame, events) = mounted.unwrap();
    events.until(START).await;
    // One that is lazy after all is not late: it is loaded, and waited for once more.
    let lazy = "const { setAttribute } = frame;
         frame.loading = 'lazy';
         frame.setAttribute = function (name, value) {
           if (name === 'loading' && !this.isLate) { this.isLate = true; } else setAttribute.call(this, name, value);
         }";
    js("frame", lazy, frame.element());
    events.clear();
    frame.set_url(&say(&[START])).unwrap();
    events.until(START).await;
    assert_eq!(events.all(), ["READY", START]);
}

#[wasm_bindgen_test]
async fn a_frame_that_a_script_removes_is_reported_and_one_that_it_moves_is_not() {
    let mounted = Mounted::ready().await;
    let container = &mounted.container.0;
    let body = document().body().unwrap();
    for pause_ms in [0, 500] {
        container.remove();
        sleep(pause_ms).await;
        body.append_child(container).unwrap();
        sleep(2500).await;
        assert!(mounted.events.all().is_empty(), "{:?}", mounted.events.all());
        mounted.start().await;
        mounted.events.clear();
    }
    container.set_text_content(None);
    mounted.events.until("REMOVED").await;
    sleep(1500).await;
    assert_eq!(mounted.events.all(), ["REMOVED"]);
    // Put back, it loads again, and is heard.
    mounted.events.clear();
    container.append_child(&mounted.frame.element()).unwrap();
    mounted.events.until("READY").await;
    mounted.start().await;
    assert_eq!(mounted.events.all(), ["READY", START]);
}

#[wasm_bindgen_test]
async fn the_session_is_due_on_return_and_when_its_time_has_come() {
    let mounted = Mounted::ready().await;
    let come_back = || js("_", "dispatchEvent(new Event('focus'))", JsValue::UNDEFINED);
    // The engine's own focus is over, too.
    mounted.frame.read_session_in(None);
    sleep(5500).await;
    mounted.frame.read_session_in(Some(60_000));
    let before = mounted.events.due_count();
    let count = || mounted.events.due_count() - before;
    for _ in 0..3 {
        come_back();
    }
    assert_eq!(count(), 0, "not synchronously");
    until("it is due", || count() > 0).await;
    sleep(100).await;
    assert_eq!(count(), 1, "at most every five seconds");
    mounted.frame.read_session_in(Some(0));
    until("it is due", || count() == 2).await;
    mounted.frame.read_session_in(None);
    sleep(5500).await;
    come_back();
    sleep(100).await;
    assert_eq!(count(), 2, "its end is known");
    mounted.frame.conclude(CardEvent::Success);
    mounted.frame.conclude(CardEvent::Expired);
    mounted.make_say(&format!("'{SUCCESS}'"));
    until("it is told", || mounted.events.has(SUCCESS)).await;
    sleep(100).await;
    assert_eq!(mounted.events.all(), [SUCCESS]);
}

/// Counts listeners and timers that are added to the page and not removed, until `end` is called.
const COUNT_LEFTOVERS: &str = "
    const left = { listeners: 0, timers: new Set() };
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const { setTimeout, clearTimeout } = globalThis;
    Object.assign(EventTarget.prototype, {
      addEventListener(...args) { left.listeners += 1; return addEventListener.apply(this, args); },
      removeEventListener(...args) { left.listeners -= 1; return removeEventListener.apply(this, args); },
    });
    globalThis.setTimeout = (...args) => { const id = setTimeout(...args); left.timers.add(id); return id; };
    globalThis.clearTimeout = (id) => { left.timers.delete(id); clearTimeout(id); };
    left.end = () => {
      Object.assign(EventTarget.prototype, { addEventListener, removeEventListener });
      Object.assign(globalThis, { setTimeout, clearTimeout });
      return `${left.listeners} listeners, ${left.timers.size} timers`;
    };
    return left;";

fn memory_size() -> u32 {
    js("memory", "return memory.buffer.byteLength", wasm_bindgen::memory()).as_f64().unwrap() as u32
}

#[wasm_bindgen_test]
async fn a_report_without_meaning_is_ignored() {
    // The module's function is known to the engine's timer alone.
    let capture = "
        const { setTimeout } = globalThis;
        const calls = [];
        globalThis.setTimeout = (...args) => { calls.push(args); return setTimeout(...args); };
        return () => {
          globalThis.setTimeout = setTimeout;
          return calls.find((call) => call[2] === 'alarm')[0];
        }";
    let capture = js("_", capture, JsValue::UNDEFINED);
    let mounted = Mounted::ready().await;
    let report = js("capture", "return capture()", &capture);
    for without_meaning in ["'later'", "''", "undefined", "null", "3", "{}"] {
        js("report", &format!("report({without_meaning})"), &report);
    }
    // Events are delivered in microtasks.
    sleep(0).await;
    assert!(mounted.events.all().is_empty(), "{:?}", mounted.events.all());
    js("report", "report('removed')", &report);
    mounted.events.until("REMOVED").await;
}

#[wasm_bindgen_test]
async fn mounting_and_closing_leaves_nothing() {
    let frames = count_frames();
    let container = Container::new();
    let left = js("_", COUNT_LEFTOVERS, JsValue::UNDEFINED);
    let mut memory = 0;
    for round in 0..300 {
        if round == 100 {
            memory = memory_size();
        }
        let fail = |_| panic!("a frame that was removed is heard");
        let frame = CardFrame::mount(&container.0, options(&say(&[])), fail).unwrap();
        if round % 2 == 0 {
            frame.set_url(&say(&[])).unwrap();
        }
        if round % 3 == 0 {
            frame.close();
            frame.close();
            assert_eq!(frame.element().get_attribute("src"), None);
            frame.set_url(&say(&[])).unwrap();
            assert!(!frame.element().is_connected());
        }
    }
    assert_eq!(js("left", "return left.end()", &left), "0 listeners, 0 timers");
    assert_eq!(count_frames(), frames);
    assert_eq!(memory_size(), memory, "the module's memory has not grown");
    sleep(200).await;

    let again = Mounted::new(options(&say(&[START]))).unwrap();
    again.events.until(START).await;
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
            "window.dispatchEvent(new MessageEvent('message', { data }));
             document.querySelector('iframe').dispatchEvent(new Event('load'))",
            JsValue::from(START),
        );
        assert!(frame.counts().untrusted > 0);
        if matches!(event, FrameEvent::Card(_)) && delivered.all().len() < 6 {
            frame.set_url(&say(&[])).unwrap();
            frame.set_url(&say(&[START, FAIL])).unwrap();
        }
    });
    *slot.borrow_mut() = Some(Rc::new(frame.unwrap()));
    events.until(FAIL).await;
    assert_eq!(events.all(), ["READY", START, "READY", START, "READY", START, FAIL]);
    slot.borrow_mut().take();
}

#[wasm_bindgen_test]
async fn a_script_that_runs_on_removal_may_close_the_frame() {
    let mounted = Mounted::ready().await;
    let frame = Rc::new(mounted.frame);
    let closer = Rc::clone(&frame);
    let close = Closure::<dyn FnMut()>::new(move || closer.close());
    let element: HtmlElement = frame.element().unchecked_into();
    js(
        "pair",
        "pair[0].parentNode.removeChild = function (child) {
           delete this.removeChild;
           pair[1]();
           return child.parentNode === this ? this.removeChild(child) : child;
         }",
        js_sys::Array::of2(&element, close.as_ref()),
    );
    frame.set_url(&say(&[])).unwrap();
    assert!(!element.is_connected() && element.get_attribute("src").is_none());
}
