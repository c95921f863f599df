//! Card onboarding sessions (interface, parts 2, 3 and 4).

use strum::{EnumString, VariantNames};

use crate::endpoint::*;
use crate::error::Shape;
use crate::retention::expired_rows;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Status {
    Incomplete,
    Succeeded,
    Expired,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum EntityMode {
    #[default]
    Recipient,
    Sender,
}

/// How the form of a session behaves, for testers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Behaviour {
    #[default]
    Normal,
    /// The session has expired when the form opens.
    Expired,
    /// The form shows, and never sends a message to the embedding page.
    Silent,
    WrongOrigin,
    FailsToLoad,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CardSession {
    pub(crate) id: Uuid,
    pub(crate) sender: Uuid,
    client: Uuid,
    mode: EntityMode,
    pub(crate) behaviour: Behaviour,
    pub(crate) card_id: Option<String>,
    pub(crate) expires_at: i64,
    created_at: i64,
}

record!(CardSession, "card_sessions");

impl CardSession {
    pub(crate) fn status(&self, now: i64) -> Status {
        if self.card_id.is_some() {
            Status::Succeeded
        } else if now >= self.expires_at {
            Status::Expired
        } else {
            Status::Incomplete
        }
    }

    fn to_wire(&self, now: i64) -> Value {
        json!({
            "id": self.id, "status": self.status(now), "expirationDate": iso(self.expires_at),
            "cardId": self.card_id, "entityMode": self.mode, "customerId": self.client,
            "senderId": self.sender,
        })
    }

    pub(crate) fn for_testers(&self, now: i64) -> Value {
        let mut session = self.to_wire(now);
        if let Some(session) = session.as_object_mut() {
            session.insert("behaviour".into(), json!(self.behaviour));
            session.insert("createdAt".into(), json!(iso(self.created_at)));
        }
        session
    }
}

pub(crate) const RESOURCE: Resource =
    Resource { file: file!(), routes, tables: CardSession::SQL, document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/card-onboarding-sessions", post(write(StatusCode::OK, create)))
        .route("/v1/card-onboarding-sessions/{sessionId}", get(read(get_one)))
}

/// Errors of this resource are single objects.
fn single(error: ApiError) -> ApiError {
    error.shaped(Shape::Single)
}

fn create(call: &Call, db: &Connection) -> Reply {
    let request = call.body(|body| (body.variant("entityMode"), body.optional_id("senderId")));
    let (mode, sender) = request.map_err(single)?;
    let sender = call.caller.sender(db, sender).map_err(single)?;
    let mut controls = call.app.controls();
    let behaviour = controls.card_sessions.pop_front().unwrap_or_default();
    let lifetime = match behaviour {
        Behaviour::Expired => 0,
        _ => controls.lifetimes.card_session_seconds * SECOND,
    };
    drop(controls);
    let session = CardSession {
        id: call.app.ids.uuid(),
        sender: sender.id,
        client: call.caller.client.id,
        mode,
        behaviour,
        card_id: None,
        expires_at: call.now + lifetime,
        created_at: call.now,
    };
    if let Some(expired) = expired_rows(session.insert(db)?, call.app.config.keep_rows) {
        let delete = "DELETE FROM card_sessions WHERE number BETWEEN ?1 AND ?2 AND data->>'card_id' IS NULL";
        db.prepare_cached(delete)?.execute(expired)?;
    }
    Ok(session.to_wire(call.now))
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    let unknown =
        || single(ErrorCode::InvalidCardOnboardingSession.into()).with_status(StatusCode::NOT_FOUND);
    let id = call.path_id("sessionId").map_err(|_| unknown())?;
    let session = CardSession::get(db, id)?.ok_or_else(unknown)?;
    call.caller.sender(db, Some(session.sender)).map_err(|_| unknown())?;
    Ok(session.to_wire(call.now))
}

const DOCUMENT: &str = r##"
tag: card
paths:
  /v1/card-onboarding-sessions:
    post:
      operationId: createCardSession
      summary: Creates a session in which one card can be entered.
      x-source: documented
      x-error-codes: [NotEmptyValidator, SenderUndetermined, SenderNotFound, InvalidCardOnboardingSession]
      requestBody: CardSessionRequest
      responses: &responses { "200": CardSession, "4XX": ErrorOrErrors, "5XX": ErrorOrErrors }

  /v1/card-onboarding-sessions/{sessionId}:
    get: { operationId: getCardSession, summary: "Reads a session, with its card once that is verified.",
           x-source: published, x-error-codes: [InvalidCardOnboardingSession], responses: *responses }

schemas:
  ErrorOrErrors:
    description: The resource's own errors are not in an array.
    x-source: published
    anyOf: [Errors, Error]
  EntityMode:
    x-source: documented
    x-known-values: { RECIPIENT: documented, SENDER: published }
  CardSessionStatus:
    x-source: documented
    x-known-values: { INCOMPLETE: documented, SUCCEEDED: published, EXPIRED: published }
  CardSessionRequest:
    x-source: documented
    required: [entityMode]
    properties: { entityMode: EntityMode, senderId: Uuid assumed }
  CardSession:
    x-source: documented
    required: [id, status, expirationDate, cardId]
    properties: { id: Uuid, status: CardSessionStatus, expirationDate: Timestamp,
                  cardId: { type: [string, "null"] }, entityMode: EntityMode assumed,
                  customerId: StringOrNumber assumed, senderId: StringOrNumber assumed }
"##;
