//! The session of a card form: which can be opened, and the card that it holds.

use remitkit::api::{Code, Uuid};

use crate::script::{ID, Script, ScriptedClient, answer, error};

fn session(status: &str, card: &str) -> String {
    format!(r#"{{"id":"{ID}","status":"{status}","expirationDate":"2026-11-22T00:00:00Z"{card}}}"#)
}

#[tokio::test(start_paused = true)]
async fn an_expired_session_opens_no_card_form() {
    for (status, code) in [("INCOMPLETE", None), ("EXPIRED", Some(Code::InvalidCardOnboardingSession))] {
        let client = Script::new(move |_, _| answer(200, &session(status, ""))).client();
        let opened = client.open_card(Some(&Uuid::new(ID).unwrap())).await;
        assert_eq!(opened.err().map(|error| error.code()), code, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_card_is_read_as_soon_as_its_session_shows_it_at_most_four_times() {
    for ready_at in [1, 4, 5] {
        let script = Script::new(move |turn, _| match turn + 1 >= ready_at {
            true => answer(200, &session("SUCCEEDED", r#","cardId":"c-1""#)),
            false => answer(200, &session("INCOMPLETE", "")),
        });
        let client = script.client();
        let read = client.read_card(&Uuid::new(ID).unwrap()).await;
        match ready_at {
            5 => assert_eq!(error(read).code(), Code::InvalidCardOnboardingSession),
            _ => assert_eq!(read.unwrap(), "c-1"),
        }
        assert_eq!(client.sent().len(), ready_at.min(4));
    }
}
