//! The events of a card form for one reader, who may come late.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;

/// How many events wait for the reader. As many as the npm package keeps; a session has a handful.
const KEPT: usize = 64;

/// The events in the order in which they came. It ends with the form.
///
/// Those that nobody has read yet are kept, the newest 64 of them.
pub struct EventStream<T>(Rc<RefCell<Waiting<T>>>);

/// Where the events come from. Dropped, it ends the stream once what is kept has been read.
pub struct EventSink<T>(Weak<RefCell<Waiting<T>>>);

struct Waiting<T> {
    events: VecDeque<T>,
    reader: Option<Waker>,
    is_ended: bool,
}

/// A stream and what feeds it.
#[must_use]
pub fn event_stream<T>() -> (EventSink<T>, EventStream<T>) {
    let waiting = Rc::new(RefCell::new(Waiting { events: VecDeque::new(), reader: None, is_ended: false }));
    (EventSink(Rc::downgrade(&waiting)), EventStream(waiting))
}

impl<T> EventSink<T> {
    /// Appends an event. Where nobody holds the stream any more it is dropped.
    pub fn push(&self, event: T) {
        self.change(|waiting| {
            waiting.events.push_back(event);
            if waiting.events.len() > KEPT {
                waiting.events.pop_front();
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut Waiting<T>)) {
        let Some(waiting) = self.0.upgrade() else { return };
        // Woken when nothing is borrowed, as a waker may poll at once.
        let reader = {
            let mut waiting = waiting.borrow_mut();
            change(&mut waiting);
            waiting.reader.take()
        };
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

impl<T> Drop for EventSink<T> {
    fn drop(&mut self) {
        self.change(|waiting| waiting.is_ended = true);
    }
}

impl<T> Stream for EventStream<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut waiting = self.0.borrow_mut();
        match waiting.events.pop_front() {
            Some(event) => Poll::Ready(Some(event)),
            None if waiting.is_ended => Poll::Ready(None),
            None => {
                waiting.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, StreamExt};

    #[test]
    fn events_wait_for_a_late_reader_in_their_order_and_end_with_the_form() {
        let (sink, mut stream) = event_stream();
        sink.push(1);
        sink.push(2);
        assert_eq!(stream.next().now_or_never(), Some(Some(1)));
        sink.push(3);
        drop(sink);
        assert_eq!(stream.collect::<Vec<_>>().now_or_never(), Some(vec![2, 3]));
    }

    #[test]
    fn a_reader_that_waits_is_woken() {
        let (sink, mut stream) = event_stream();
        let mut next = Box::pin(stream.next());
        assert_eq!((&mut next).now_or_never(), None);
        sink.push('a');
        assert_eq!(next.now_or_never(), Some(Some('a')));
        let mut last = Box::pin(stream.next());
        assert_eq!((&mut last).now_or_never(), None);
        drop(sink);
        assert_eq!(last.now_or_never(), Some(None));
    }

    #[test]
    fn the_newest_are_kept_and_nothing_without_a_reader() {
        let (sink, stream) = event_stream();
        (0..100).for_each(|event| sink.push(event));
        let rest = Rc::new(());
        let (unread, gone) = event_stream();
        drop(gone);
        unread.push(Rc::clone(&rest));
        assert_eq!(Rc::strong_count(&rest), 1);
        drop(sink);
        assert_eq!(stream.collect::<Vec<_>>().now_or_never(), Some((36..100).collect()));
    }
}
