//! The session of a card form: which can be opened, and the card that is read of it.

use remitkit::api::{Code, Uuid};
use remitkit::client::{Outcome, Task};

use crate::support::{ID, Script, TextCalls, answer};

fn session(status: &str, card: &str) -> String {
    format!(r#"{{"id":"{ID}","status":"{status}","expirationDate":"2026-11-22T00:00:00Z"{card}}}"#)
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_over_opens_no_card_form() {
    let id = || Some(Uuid::new(ID).unwrap());
    for (status, code) in [("INCOMPLETE", None), ("EXPIRED", Some(Code::InvalidCardOnboardingSession))] {
        let client = Script::new(move |_, _| answer(200, &session(status, ""))).client();
        let opened = client.receive(Task::OpenCard(id()), &0).await;
        assert_eq!(opened.err().map(|error| error.code()), code, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_card_is_read_once_its_session_has_it_and_never_believed_before() {
    for (there_at, expected) in [(1, Ok("c-1")), (4, Ok("c-1")), (5, Err(Code::InvalidCardOnboardingSession))]
    {
        let script = Script::new(move |turn, _| match turn + 1 >= there_at {
            true => answer(200, &session("SUCCEEDED", r#","cardId":"c-1""#)),
            false => answer(200, &session("INCOMPLETE", "")),
        });
        let sent = script.sent.clone();
        let read = script.client().perform(Task::ReadCard(Uuid::new(ID).unwrap()), &0).await;
        match (read, expected) {
            (Ok(Outcome::Card(card)), Ok(expected)) => assert_eq!(card, expected),
            (Err(error), Err(expected)) => assert_eq!(error.code(), expected),
            _ => panic!("not as expected at {there_at}"),
        }
        assert_eq!(sent.borrow().len(), there_at.min(4));
    }
}
