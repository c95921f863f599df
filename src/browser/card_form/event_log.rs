use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};

use crate::browser::CardFormEvent;

/// The events of a form. A reader gets those of the session that is shown when it begins, from the first one,
/// and all later ones, also of other sessions, until the log is closed.
#[derive(Clone, Default)]
pub(super) struct EventLog(Rc<RefCell<Log>>);

#[derive(Default)]
struct Log {
    /// The number of the shown session, and its events.
    session: u32,
    events: Vec<CardFormEvent>,
    readers: Vec<UnboundedSender<CardFormEvent>>,
    is_closed: bool,
}

impl EventLog {
    /// Appends an event of a session.
    pub(super) fn append(&self, session: u32, event: &CardFormEvent) {
        let mut log = self.0.borrow_mut();
        log.show(session);
        log.events.push(event.clone());
        let readers = log.readers.clone();
        // Release the borrow before readers are woken: a waker may begin another reader.
        drop(log);
        for reader in readers {
            send(&reader, event);
        }
    }

    /// Begins a reader while this session is shown.
    pub(super) fn read(&self, session: u32) -> UnboundedReceiver<CardFormEvent> {
        let mut log = self.0.borrow_mut();
        log.show(session);
        let (sender, reader) = unbounded();
        log.events.iter().for_each(|event| send(&sender, event));
        if !log.is_closed {
            log.readers.retain(|reader| !reader.is_closed());
            log.readers.push(sender);
        }
        reader
    }

    /// Ends the readers, once they have read what is there.
    pub(super) fn close(&self) {
        let mut log = self.0.borrow_mut();
        log.is_closed = true;
        let readers = mem::take(&mut log.readers);
        // As in `append`.
        drop(log);
        drop(readers);
    }
}

impl Log {
    fn show(&mut self, session: u32) {
        if self.session != session {
            self.session = session;
            self.events.clear();
        }
    }
}

fn send(reader: &UnboundedSender<CardFormEvent>, event: &CardFormEvent) {
    // Fails only if the reader was dropped.
    let _ = reader.unbounded_send(event.clone());
}
