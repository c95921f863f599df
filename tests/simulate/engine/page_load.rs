//! One load of a page, from its opening until it goes away. Its tasks then stand still, as in a browser.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_util::future::LocalBoxFuture;
use remitkit::client::TransferAttempt;

use super::page::{Env, PageState};

pub(crate) struct PageLoad {
    pub(crate) number: usize,
    pub(crate) page: Rc<PageState>,
    pub(crate) customer: u8,
    /// The attempts that it holds, with their numbers.
    pub(crate) held: RefCell<Vec<(usize, Rc<TransferAttempt<Env>>)>>,
    /// When the last read of each key of the journal began.
    pub(crate) read_from_ms: RefCell<HashMap<String, u64>>,
    /// The attempt of which each key of the journal showed an entry when it was last read.
    pub(crate) last_read: RefCell<HashMap<String, String>>,
    is_gone: Cell<bool>,
    /// Whether it is frozen instead of dead when it survives no more awaits.
    pub(crate) freezes: Cell<bool>,
    /// How many more awaits the page survives, if it is to die at one.
    pub(crate) awaits_left: Cell<Option<u32>>,
}

impl PageLoad {
    pub(crate) fn new(number: usize, page: &Rc<PageState>, customer: u8) -> Rc<Self> {
        let (held, read_from_ms, last_read, is_gone, freezes, awaits_left) = Default::default();
        let page = Rc::clone(page);
        Rc::new(PageLoad {
            number,
            page,
            customer,
            held,
            read_from_ms,
            last_read,
            is_gone,
            freezes,
            awaits_left,
        })
    }

    /// Returns the name in traces; the visits at the end of a history have no number.
    pub(crate) fn name(&self) -> String {
        match self.page.index {
            usize::MAX => format!("visit of {}", self.customer),
            index => format!("page {index} of {}", self.customer),
        }
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
