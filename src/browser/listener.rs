use std::cell::RefCell;
use std::rc::Rc;

use js_sys::futures::spawn_local;

type Call<T> = Rc<dyn Fn(T)>;

/// What takes events until it is removed. It may do anything meanwhile, and so remove itself.
pub(super) struct Listener<T>(RefCell<Option<Call<T>>>);

impl<T: 'static> Listener<T> {
    pub(super) fn new(listener: impl Fn(T) + 'static) -> Self {
        Listener(RefCell::new(Some(Rc::new(listener))))
    }

    pub(super) fn call(&self, event: T) {
        // Release the borrow before the call: it may re-enter.
        let listener = self.0.borrow().clone();
        if let Some(listener) = listener {
            listener(event);
        }
    }

    /// Removes the listener, and returns it to be dropped: what it feeds, such as a stream, ends then.
    pub(super) fn remove(&self) -> Option<Call<T>> {
        self.0.take()
    }

    pub(super) fn is_removed(&self) -> bool {
        self.0.borrow().is_none()
    }
}

/// Delivers each event in a microtask, as long as the returned function exists.
pub(super) fn in_microtasks<T: 'static>(deliver: impl FnMut(T) + 'static) -> impl Fn(T) + 'static {
    let deliver = Rc::new(RefCell::new(deliver));
    move |event| {
        let deliver = Rc::downgrade(&deliver);
        spawn_local(async move {
            if let Some(deliver) = deliver.upgrade() {
                (deliver.borrow_mut())(event);
            }
        });
    }
}
