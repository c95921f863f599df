//! A driver over a runner without futures, as JavaScript has them.

use std::cell::RefCell;
use std::rc::Rc;

use super::{AttemptId, ClientCore, Driver, Effect, EffectResult, EffectRunner, Outcome, Task};
use crate::api::{Address, Error};
use crate::client::{Host, Options};

struct StoppedClock;

impl Host for StoppedClock {
    fn now_ms(&self) -> u64 {
        0
    }
    fn elapsed_ms(&self) -> u64 {
        0
    }
    fn random(&self) -> f64 {
        0.0
    }
}

/// Records what the driver asks for, as text.
#[derive(Clone, Default)]
struct Recorder(Rc<RefCell<Vec<String>>>);

impl EffectRunner for Recorder {
    fn begin(&self, id: u32, effect: Effect) {
        self.0.borrow_mut().push(format!("begin {id} {:?}", effect.awaited()));
    }
    fn stop(&self, id: u32) {
        self.0.borrow_mut().push(format!("stop {id}"));
    }
    fn release(&self, id: u32) {
        self.0.borrow_mut().push(format!("release {id}"));
    }
    fn end(&self, call: u32, outcome: Result<Outcome, Error>) {
        self.0.borrow_mut().push(format!("end {call} {:?}", outcome.err().map(|error| error.code())));
    }
}

fn driver() -> (Driver<Recorder>, Rc<RefCell<Vec<String>>>) {
    let options = Options {
        base_url: Address::parse("baseUrl", "https://api.example.com").unwrap(),
        locale: "en-US".to_owned(),
        timeout_ms: 10_000,
        sender_id: None,
        #[cfg(feature = "optional-safeguards")]
        disabled: None,
    };
    let recorder = Recorder::default();
    let recorded = recorder.0.clone();
    (Driver::new(ClientCore::new(Box::new(StoppedClock), options), recorder), recorded)
}

#[test]
fn a_callback_takes_the_outcome_of_a_call_instead_of_the_hands() {
    let (driver, recorded) = driver();
    let outcomes = Rc::new(RefCell::new(Vec::new()));
    let takes = outcomes.clone();
    driver.begin_then(Some(7), Task::Pending, false, move |outcome| takes.borrow_mut().push(outcome.is_ok()));
    assert_eq!(recorded.take(), ["begin 7 Keys"]);
    assert!(!driver.is_idle() && outcomes.borrow().is_empty());
    driver.complete(7, |_| EffectResult::Keys(Ok(Vec::new())));
    assert_eq!((outcomes.take(), recorded.take()), (vec![true], vec!["release 7".to_owned()]));
    assert!(driver.is_idle());
    // Without a number it gets one of the driver's own.
    driver.begin_then(None, Task::Pending, false, |_| {});
    assert_eq!(recorded.take(), [format!("begin {} Keys", u32::MAX)]);
}

#[test]
fn a_call_whose_caller_left_is_cancelled_and_has_no_outcome() {
    let (driver, recorded) = driver();
    driver.begin(1, Task::Pending, false);
    recorded.take();
    driver.leave(1);
    assert_eq!(recorded.take(), ["stop 1", "release 1"]);
    driver.complete(1, |_| EffectResult::Keys(Ok(Vec::new())));
    assert!(recorded.take().is_empty() && driver.is_idle());
}

#[test]
fn a_submission_stops_waiting_for_the_lock_when_its_last_caller_leaves() {
    let (driver, recorded) = driver();
    let submit =
        || Task::Submit(AttemptId { quote_history_id: "quote".to_owned(), nonce: "nonce".to_owned() });
    driver.begin(1, submit(), false);
    driver.begin(2, submit(), false);
    assert_eq!(recorded.take().len(), 3, "a timer for each caller, and one lock");
    driver.leave(1);
    let stopped = recorded.take();
    assert_eq!(stopped.len(), 1, "its timer, while another waits: {stopped:?}");
    driver.leave(2);
    let stopped = recorded.take();
    let count = stopped.iter().filter(|done| done.starts_with("stop")).count();
    assert_eq!(count, 2, "its timer, and the lock: {stopped:?}");
}
