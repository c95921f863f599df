//! One load of a page, from its opening until it goes away. Its tasks then stand still, as in a browser.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_util::future::LocalBoxFuture;

#[derive(Default)]
pub(crate) struct PageLoad {
    pub(crate) number: usize,
    is_gone: Cell<bool>,
    /// How many more awaits the page survives, if it is to die at one.
    pub(crate) awaits_left: Cell<Option<u32>>,
}

impl PageLoad {
    pub(crate) fn new(number: usize) -> Rc<Self> {
        Rc::new(PageLoad { number, ..PageLoad::default() })
    }

    pub(crate) fn is_alive(&self) -> bool {
        !self.is_gone.get()
    }

    pub(crate) fn end(&self) {
        self.is_gone.set(true);
    }
}

/// A task of a page: stands still once the page is gone.
pub(crate) struct PageTask {
    pub(crate) load: Rc<PageLoad>,
    pub(crate) work: LocalBoxFuture<'static, ()>,
}

impl Future for PageTask {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.load.is_alive() { self.work.as_mut().poll(context) } else { Poll::Pending }
    }
}
