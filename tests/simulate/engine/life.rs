//! One stay of a page, from its opening until it goes away. Its work then stands still, as nothing of a page
//! that is gone goes on; at the end of a history it is run out, so that nothing of it stays in memory.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_util::future::LocalBoxFuture;

#[derive(Default)]
pub(crate) struct Life {
    pub(crate) number: usize,
    gone: Cell<bool>,
    run_out: Cell<bool>,
    wakers: RefCell<Vec<Waker>>,
    /// How many awaits are left, where it is to die at one.
    pub(crate) awaits_left: Cell<Option<u32>>,
}

impl Life {
    pub(crate) fn new(number: usize) -> Rc<Self> {
        Rc::new(Life { number, ..Life::default() })
    }

    pub(crate) fn is_alive(&self) -> bool {
        !self.gone.get()
    }

    pub(crate) fn is_run_out(&self) -> bool {
        self.run_out.get()
    }

    pub(crate) fn end(&self) {
        self.gone.set(true);
    }

    /// Everything that the page waits for fails at once.
    pub(crate) fn run_out(&self) {
        self.run_out.set(true);
        self.gone.set(false);
        self.wakers.take().into_iter().for_each(Waker::wake);
    }

    /// Does the work, or gives nothing once the page is run out.
    pub(crate) async fn while_on<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = std::pin::pin!(work);
        poll_fn(|context| {
            if self.run_out.get() {
                return Poll::Ready(None);
            }
            match work.as_mut().poll(context) {
                Poll::Ready(done) => Poll::Ready(Some(done)),
                Poll::Pending => {
                    self.note(context);
                    Poll::Pending
                }
            }
        })
        .await
    }

    fn note(&self, context: &Context<'_>) {
        let mut wakers = self.wakers.borrow_mut();
        if !wakers.iter().any(|waker| waker.will_wake(context.waker())) {
            wakers.push(context.waker().clone());
        }
    }
}

/// What a page works on: it stands still once the page is gone.
pub(crate) struct Living {
    pub(crate) life: Rc<Life>,
    pub(crate) work: LocalBoxFuture<'static, ()>,
}

impl Future for Living {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.life.is_alive() {
            self.life.clone().note(context);
            return self.work.as_mut().poll(context);
        }
        self.life.note(context);
        Poll::Pending
    }
}
