//! A driver whose hands are the test's own: what JavaScript drives has no futures.

use std::cell::RefCell;
use std::rc::Rc;

use remitkit::api::{Address, Error};
use remitkit::client::{
    ClientCore, Driver, Effect, EffectResult, Hands, Host, Options, Outcome, Task, Trace,
};

struct Still;

impl Host for Still {
    fn now_ms(&self) -> u64 {
        0
    }
    fn elapsed_ms(&self) -> u64 {
        0
    }
    fn random(&self) -> f64 {
        0.0
    }
    fn matches(&self, _: &str, _: &str) -> Option<bool> {
        None
    }
    fn parse_time_ms(&self, _: &str) -> Option<u64> {
        None
    }
    fn trace(&self, _: Trace<'_>) {}
}

/// What the driver has had done, as words.
#[derive(Clone, Default)]
struct Noted(Rc<RefCell<Vec<String>>>);

impl Noted {
    fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

impl Hands for Noted {
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

fn driver() -> (Driver<Noted>, Noted) {
    let options = Options {
        base_url: Address::parse("baseUrl", "https://api.example.com").unwrap(),
        locale: "en-US".to_owned(),
        timeout_ms: 10_000,
        sender_id: None,
        #[cfg(feature = "weakened")]
        disabled: None,
    };
    let noted = Noted::default();
    (Driver::new(ClientCore::new(Box::new(Still), options), noted.clone()), noted)
}

#[test]
fn whoever_begins_a_call_may_take_its_outcome_in_place_of_the_hands() {
    let (driver, noted) = driver();
    let told = Rc::new(RefCell::new(Vec::new()));
    let takes = told.clone();
    driver.begin_then(Some(7), Task::Pending, false, move |outcome| takes.borrow_mut().push(outcome.is_ok()));
    assert_eq!(noted.take(), ["begin 7 Keys"]);
    assert!(!driver.is_idle() && told.borrow().is_empty());
    driver.complete(7, |_| EffectResult::Keys(Ok(Vec::new())));
    assert_eq!((&*told.borrow(), noted.take()), (&vec![true], vec!["release 7".to_owned()]));
    assert!(driver.is_idle());
    // Under a number of its own, from the other end.
    driver.begin_then(None, Task::Pending, false, |_| {});
    assert_eq!(noted.take(), [format!("begin {} Keys", u32::MAX)]);
}

#[test]
fn who_leaves_is_told_nothing_and_what_was_begun_for_it_is_given_up() {
    let (driver, noted) = driver();
    driver.begin(1, Task::Pending, false);
    noted.take();
    driver.leave(1);
    assert_eq!(noted.take(), ["stop 1", "release 1"]);
    driver.complete(1, |_| EffectResult::Keys(Ok(Vec::new())));
    assert!(noted.take().is_empty() && driver.is_idle());
}

#[test]
fn a_submission_that_everybody_has_left_ends_its_waiting_for_the_lock() {
    let (driver, noted) = driver();
    let submit = || Task::Submit("quote".to_owned(), "nonce".to_owned());
    driver.begin(1, submit(), false);
    driver.begin(2, submit(), false);
    assert_eq!(noted.take().len(), 3, "a time for each of the two, and one lock");
    driver.leave(1);
    let stopped = noted.take();
    assert_eq!(stopped.len(), 1, "its time, while another waits: {stopped:?}");
    driver.leave(2);
    let stopped = noted.take();
    assert_eq!(
        stopped.iter().filter(|done| done.starts_with("stop")).count(),
        2,
        "and the lock: {stopped:?}"
    );
}
