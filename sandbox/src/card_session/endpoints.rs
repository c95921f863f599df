//! The endpoints of card sessions.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::Connection;

use super::{Behaviour, CardSession};
use crate::app::App;
use crate::call::{Call, Reply, read, write};
use crate::clock::SECOND;
use crate::error::{ApiError, ErrorCode, Shape};
use crate::outdated::outdated_by;
use crate::records::Record;
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: CardSession::SQL,
    interface: r##"
paths:
  /v1/card-onboarding-sessions:
    post:
      operationId: createCardSession
      tags: [card]
      summary: Opens a session in which one card is entered.
      x-source: documented
      x-error-codes: [NotEmptyValidator, SenderUndetermined, SenderNotFound, InvalidCardOnboardingSession]
      requestBody: CardSessionRequest
      responses: &cardSessionResponses
        "200": CardSession
        "4XX": { $ref: "#/components/responses/OneOrManyErrors" }
        "5XX": { $ref: "#/components/responses/OneOrManyErrors" }

  /v1/card-onboarding-sessions/{sessionId}:
    get:
      operationId: getCardSession
      tags: [card]
      summary: Reads a session, and the card once it is verified.
      x-source: published
      x-error-codes: [InvalidCardOnboardingSession]
      responses: *cardSessionResponses

components:

  responses:
    OneOrManyErrors:
      description: What is wrong. What this resource itself finds comes without an array around it.
      content:
        application/json:
          schema:
            x-source: published
            anyOf:
              - { $ref: "#/components/schemas/Errors" }
              - { $ref: "#/components/schemas/Error" }

  schemas:
    EntityMode:
      type: string
      x-source: documented
      x-known-values: { RECIPIENT: documented, SENDER: published }
    CardSessionStatus:
      type: string
      x-source: documented
      x-known-values: { INCOMPLETE: documented, SUCCEEDED: published, EXPIRED: published }
    CardSessionRequest:
      type: object
      x-source: documented
      required: [entityMode]
      properties:
        entityMode: { $ref: "#/components/schemas/EntityMode" }
        senderId: { $ref: "#/components/schemas/Uuid", x-source: assumed }
    CardSession:
      type: object
      x-source: documented
      required: [id, status, expirationDate, cardId]
      properties:
        id: { $ref: "#/components/schemas/Uuid" }
        status: { $ref: "#/components/schemas/CardSessionStatus" }
        expirationDate: { $ref: "#/components/schemas/Timestamp" }
        cardId: { type: [string, "null"] }
        entityMode: { $ref: "#/components/schemas/EntityMode", x-source: assumed }
        customerId: { $ref: "#/components/schemas/Label", x-source: assumed }
        senderId: { $ref: "#/components/schemas/Label", x-source: assumed }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/card-onboarding-sessions", post(write(StatusCode::OK, create)))
        .route("/v1/card-onboarding-sessions/{session}", get(read(get_one)))
}

/// What this resource finds wrong comes without an array around it.
fn alone(error: ApiError) -> ApiError {
    error.shaped(Shape::Single)
}

fn create(call: &Call, db: &Connection) -> Reply {
    let (mode, named) =
        call.body(|body| (body.one_of("entityMode"), body.optional_id("senderId"))).map_err(alone)?;
    let sender = call.caller.sender(db, named).map_err(alone)?;
    let behaviour = call.app.card_sessions.take();
    let lifetime = match behaviour {
        Behaviour::Expired => 0,
        _ => call.app.lifetimes.get().card_session_seconds * SECOND,
    };
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
    if let Some(outdated) = outdated_by(session.insert(db)?, call.app.config.keep_rows) {
        db.prepare_cached(
            "DELETE FROM card_sessions WHERE number BETWEEN ?1 AND ?2 AND data->>'card_id' IS NULL",
        )?
        .execute(outdated)?;
    }
    Ok(Json(session.record(call.now)))
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    let unknown = || alone(ErrorCode::InvalidCardOnboardingSession.into()).with_status(StatusCode::NOT_FOUND);
    let id = call.id("session", "sessionId").map_err(|_| unknown())?;
    let session = CardSession::get(db, id)?.ok_or_else(unknown)?;
    // A session of another sender is none.
    call.caller.sender(db, Some(session.sender)).map_err(|_| unknown())?;
    Ok(Json(session.record(call.now)))
}
