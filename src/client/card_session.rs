//! The session of a card form, from its creation to the card that was entered.

use super::Reply;
use super::call_context::CallContext;
use crate::api::json::{Codec, JsonRef};
use crate::api::{
    CREATE_CARD_SESSION, CardSession, CardSessionRequest, CardSessionStatus, Code, Error, GET_CARD_SESSION,
    SessionId,
};

/// The delays before each read of a session, after the form has reported a success.
const READ_DELAYS_MS: [u32; 4] = [0, 500, 1000, 2000];

impl CallContext {
    /// Returns a session in which a card can be entered: the given one, or a new one.
    pub(super) async fn open_card(&self, session_id: Option<SessionId>) -> Result<Reply, Error> {
        let session = match session_id {
            Some(id) => self.card_session(&id).await?,
            None => {
                let request = CardSessionRequest::default().to_json();
                self.plain_call(&CREATE_CARD_SESSION, &[], Some(&request)).await?
            }
        };
        let status = session.view().text_of("status");
        if status.is_some_and(|status| status == CardSessionStatus::Expired.as_str()) {
            return Err(Error::new(Code::InvalidCardOnboardingSession));
        }
        Ok(session)
    }

    /// Reads a session, whether it has ended or not.
    pub(super) async fn card_session(&self, id: &SessionId) -> Result<Reply, Error> {
        self.plain_call(&GET_CARD_SESSION, &[id.as_str()], None).await
    }

    /// Returns the card of a session. The form's success is a hint; the service's session decides.
    pub(super) async fn read_card(&self, session_id: &SessionId) -> Result<String, Error> {
        let mut last = Error::new(Code::InvalidCardOnboardingSession);
        for after_ms in READ_DELAYS_MS {
            self.wait(after_ms).await;
            match self.card_session(session_id).await {
                Ok(session) => match session.view().member("cardId").and_then(JsonRef::text) {
                    Some(card_id) => return Ok(card_id.into_owned()),
                    None => last = CardSession::unconfirmed(),
                },
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}
