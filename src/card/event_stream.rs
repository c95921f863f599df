//! The events of a card form as a stream.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;

use crate::api::opaque::opaque_debug;

/// The capacity, as in the npm package; a session has a handful of events.
const MAX_UNREAD: usize = 64;

/// The events in order; ends with the form. Keeps the newest 64 unread events.
pub struct EventStream<T>(Rc<RefCell<Queue<T>>>);

/// The source of an [`EventStream`], which ends when the sink is dropped.
pub struct EventSink<T>(Weak<RefCell<Queue<T>>>);

struct Queue<T> {
    events: VecDeque<T>,
    waker: Option<Waker>,
    is_closed: bool,
}

/// Creates a stream and its source.
pub fn event_stream<T>() -> (EventSink<T>, EventStream<T>) {
    let queue = Rc::new(RefCell::new(Queue { events: VecDeque::new(), waker: None, is_closed: false }));
    (EventSink(Rc::downgrade(&queue)), EventStream(queue))
}

opaque_debug!([T] EventSink<T>);

impl<T> EventSink<T> {
    /// Appends an event, or drops it if the stream was dropped.
    pub fn push(&self, event: T) {
        self.change(|queue| {
            queue.events.push_back(event);
            if queue.events.len() > MAX_UNREAD {
                queue.events.pop_front();
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut Queue<T>)) {
        let Some(queue) = self.0.upgrade() else { return };
        change(&mut queue.borrow_mut());
        // Release the borrow before waking: a waker may poll at once.
        let waker = queue.borrow_mut().waker.take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

opaque_debug!([T] EventStream<T>);

impl<T> Drop for EventSink<T> {
    fn drop(&mut self) {
        self.change(|queue| queue.is_closed = true);
    }
}

impl<T> Stream for EventStream<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut queue = self.0.borrow_mut();
        match queue.events.pop_front() {
            Some(event) => Poll::Ready(Some(event)),
            None if queue.is_closed => Poll::Ready(None),
            None => {
                queue.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, StreamExt};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::task::Wake;

    #[test]
    fn a_late_reader_gets_all_events_in_order_and_then_the_end() {
        let (sink, mut stream) = event_stream();
        sink.push(1);
        sink.push(2);
        assert_eq!(stream.next().now_or_never(), Some(Some(1)));
        sink.push(3);
        drop(sink);
        assert_eq!(stream.collect::<Vec<_>>().now_or_never(), Some(vec![2, 3]));
    }

    #[derive(Default)]
    struct WakeFlag(AtomicBool);

    impl Wake for WakeFlag {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Relaxed);
        }
    }

    #[test]
    fn an_event_and_the_end_wake_a_waiting_reader() {
        for event in [Some('a'), None] {
            let (sink, mut stream) = event_stream();
            let flag = Arc::new(WakeFlag::default());
            let waker = Waker::from(Arc::clone(&flag));
            assert!(stream.poll_next_unpin(&mut Context::from_waker(&waker)).is_pending());
            event.into_iter().for_each(|event| sink.push(event));
            assert_eq!(flag.0.load(Relaxed), event.is_some());
            drop(sink);
            assert!(flag.0.load(Relaxed));
            assert_eq!(stream.collect::<Vec<_>>().now_or_never(), Some(Vec::from_iter(event)));
        }
    }

    #[test]
    fn the_newest_events_are_kept_and_none_without_a_stream() {
        let event = Rc::new(());
        let (sink, stream) = event_stream();
        drop(stream);
        sink.push(Rc::clone(&event));
        assert_eq!(Rc::strong_count(&event), 1);
        let (sink, stream) = event_stream();
        (0..100).for_each(|event| sink.push(event));
        drop(sink);
        assert_eq!(stream.collect::<Vec<_>>().now_or_never(), Some((36..100).collect()));
    }
}
