use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, HtmlIFrameElement, Window};

use crate::api::Error;

/// The least privileges of the form: its scripts, its own origin to reach its server, and forms, without
/// which there is no `submit` event either.
const ATTRIBUTES: [(&str, &str); 4] = [
    LOADING,
    ("sandbox", "allow-scripts allow-same-origin allow-forms"),
    ("allow", ""),
    ("referrerpolicy", "strict-origin"),
];

/// Undoes what a lazy-load plugin of the page makes of each new frame: a customer who has not scrolled to the
/// form yet must find it there.
const LOADING: (&str, &str) = ("loading", "eager");

/// Set as properties, which a policy against inline styles allows.
const STYLE: [(&str, &str); 3] = [("display", "block"), ("width", "100%"), ("border", "0")];

/// The `iframe` of a card form, in a container of the page.
pub(super) struct Iframe {
    container: Element,
    pub(super) element: HtmlIFrameElement,
}

impl Iframe {
    /// Creates the element without its URL, which it gets once the listeners are registered.
    pub(super) fn new(container: &Element, title: &str, height: u32) -> Result<Self, JsValue> {
        let page = container.owner_document().ok_or(JsValue::NULL)?;
        let element: HtmlIFrameElement = page.create_element("iframe")?.unchecked_into();
        for (name, value) in [("title", title)].into_iter().chain(ATTRIBUTES) {
            element.set_attribute(name, value)?;
        }
        let height = height.to_string() + "px";
        for (name, value) in [("height", &*height)].into_iter().chain(STYLE) {
            element.style().set_property(name, value)?;
        }
        Ok(Iframe { container: container.clone(), element })
    }

    /// Checks that the container is in a page.
    pub(super) fn check_place(&self) -> Result<(), Error> {
        window_of(&self.container).map(drop)
    }

    /// Loads a URL in the same place, in a new window and without an entry in the page's history. Nothing is
    /// borrowed: removing the element may run a script of the page that closes the frame.
    pub(super) fn show(&self, url: &str, is_closed: impl Fn() -> bool) -> Result<(), JsValue> {
        let element = &self.element;
        let (parent, next) = (element.parent_node(), element.next_sibling());
        // A shadow root has this member as well as a document.
        let root: Document = element.get_root_node().unchecked_into();
        let had_focus = is_same(root.active_element(), Some(element));
        // Not `remove`: a page library may have replaced it by one that throws where there is no parent.
        if let Some(parent) = &parent {
            parent.remove_child(element)?;
        }
        if is_closed() {
            return Ok(());
        }
        element.set_attribute("src", url)?;
        let parent = parent.as_ref().unwrap_or(&self.container);
        if parent.insert_before(element, next.as_ref()).is_err() {
            self.container.insert_before(element, None)?;
        }
        self.set_eager()?;
        if had_focus && !is_closed() {
            element.focus()?;
        }
        Ok(())
    }

    /// Has a frame load that a plugin has made lazy.
    fn set_eager(&self) -> Result<(), JsValue> {
        let (name, value) = LOADING;
        self.element.set_attribute(name, value)
    }

    /// Whether no customer waits for the form: the page is hidden, or the frame is lazy after all and has not
    /// begun to load.
    pub(super) fn is_hidden(&self) -> bool {
        let (name, value) = LOADING;
        let is_lazy = self.element.get_attribute(name).is_none_or(|set| set != value);
        let is_lazy = is_lazy && self.set_eager().is_ok();
        is_lazy || self.container.owner_document().is_some_and(|page| page.hidden())
    }
}

/// Returns the window of the page that an element is in.
pub(super) fn window_of(container: &Element) -> Result<Window, Error> {
    let page = container.owner_document().filter(|_| container.is_connected());
    let window = page.and_then(|page| page.default_view());
    window.ok_or_else(|| Error::configuration("container", "an element that is in the page"))
}

pub(super) fn is_same(one: Option<impl AsRef<JsValue>>, other: Option<&impl AsRef<JsValue>>) -> bool {
    one.is_some_and(|one| other.is_some_and(|other| one.as_ref() == other.as_ref()))
}
