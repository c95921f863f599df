//! One load of a page, from its opening until it goes away. Its tasks then stand still, as in a browser. At
//! the end of a history they are drained, so that they leave memory.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_util::future::LocalBoxFuture;

#[derive(Default)]
pub(crate) struct PageLoad {
    pub(crate) number: usize,
    is_gone: Cell<bool>,
    is_drained: Cell<bool>,
    wakers: RefCell<Vec<Waker>>,
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

    pub(crate) fn is_drained(&self) -> bool {
        self.is_drained.get()
    }

    pub(crate) fn end(&self) {
        self.is_gone.set(true);
    }

    /// Fails everything that the page waits for.
    pub(crate) fn drain(&self) {
        self.is_drained.set(true);
        self.is_gone.set(false);
        self.wakers.take().into_iter().for_each(Waker::wake);
    }

    /// Runs the work; `None` once the page is drained.
    pub(crate) async fn unless_drained<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = std::pin::pin!(work);
        poll_fn(|context| {
            if self.is_drained() {
                return Poll::Ready(None);
            }
            let polled = work.as_mut().poll(context).map(Some);
            if polled.is_pending() {
                self.register(context);
            }
            polled
        })
        .await
    }

    fn register(&self, context: &Context<'_>) {
        let mut wakers = self.wakers.borrow_mut();
        if !wakers.iter().any(|waker| waker.will_wake(context.waker())) {
            wakers.push(context.waker().clone());
        }
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
        self.load.register(context);
        if self.load.is_alive() { self.work.as_mut().poll(context) } else { Poll::Pending }
    }
}
