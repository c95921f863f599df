//! The endpoints of card sessions.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::params;
use serde_json::Value;
use uuid::Uuid;

use super::{Behaviour, TABLES, find};
use crate::access::Caller;
use crate::app::App;
use crate::clock::SECOND;
use crate::error::{ApiError, ErrorCode, Problem, Problems, Shape};
use crate::ids::parse_uuid;
use crate::input::{Body, Named, Path};
use crate::outdated::outdated_by;
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: TABLES,
    interface: r##"
paths:
  /v1/card-onboarding-sessions:
    post:
      operationId: createCardSession
      tags: [card]
      summary: Opens a session in which one card is entered.
      x-source: documented
      x-error-codes: [NotEmptyValidator, SenderUndetermined, SenderNotFound, InvalidCardOnboardingSession]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/CardSessionRequest" }
      responses: &cardSessionResponses
        "200":
          description: The session.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/CardSession" }
        "4XX": { $ref: "#/components/responses/OneOrManyErrors" }
        "5XX": { $ref: "#/components/responses/OneOrManyErrors" }

  /v1/card-onboarding-sessions/{sessionId}:
    get:
      operationId: getCardSession
      tags: [card]
      summary: Reads a session, and the card once it is verified.
      x-source: published
      x-error-codes: [InvalidCardOnboardingSession]
      parameters:
        - { $ref: "#/components/parameters/sessionId" }
      responses: *cardSessionResponses

components:
  parameters:
    sessionId:
      name: sessionId
      in: path
      required: true
      x-source: documented
      schema: { $ref: "#/components/schemas/Uuid" }

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
        .route("/v1/card-onboarding-sessions", post(create))
        .route("/v1/card-onboarding-sessions/{session}", get(read))
}

async fn create(State(app): State<Arc<App>>, caller: Caller, body: Body) -> Result<Json<Value>, ApiError> {
    let mut problems = Problems::default();
    let mode = body.required("entityMode", &mut problems).map(str::to_owned);
    if mode.as_deref().is_some_and(|mode| !matches!(mode, "RECIPIENT" | "SENDER")) {
        problems.add(
            Problem::new(ErrorCode::BadRequestError).at("entityMode").because("expected RECIPIENT or SENDER"),
        );
    }
    let named = body.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    problems.finish().map_err(|error| error.shaped(Shape::Single))?;
    let mode = mode.unwrap_or_default();

    let (id, now) = (app.ids.uuid(), app.clock.now());
    let behaviour = app.card_sessions.take();
    let lifetime = match behaviour {
        Behaviour::Expired => 0,
        _ => app.lifetimes.get().card_session_seconds * SECOND,
    };
    let keep = app.config.keep_rows;
    let record = app
        .store
        .write(move |db| {
            let sender = caller.sender(db, named)?;
            db.prepare_cached(
                "INSERT INTO card_sessions
                 (id, sender_id, client_id, mode, behaviour, status, expires_at, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, 'INCOMPLETE', ?6, ?7)",
            )?
            .execute(params![
                id.to_string(),
                sender.id.to_string(),
                caller.client.id.to_string(),
                mode,
                behaviour.name(),
                now + lifetime,
                now,
            ])?;
            if let Some(outdated) = outdated_by(db.last_insert_rowid(), keep) {
                db.prepare_cached(
                    "DELETE FROM card_sessions WHERE number BETWEEN ?1 AND ?2 AND status = 'INCOMPLETE'",
                )?
                .execute(outdated)?;
            }
            let session = find(db, id)?.ok_or(ErrorCode::InvalidCardOnboardingSession)?;
            Ok(session.record(now))
        })
        .await
        .map_err(|error| error.shaped(Shape::Single))?;
    Ok(Json(record))
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let unknown = || {
        ApiError::from(ErrorCode::InvalidCardOnboardingSession)
            .with_status(StatusCode::NOT_FOUND)
            .shaped(Shape::Single)
    };
    let id = parse_uuid(&id).ok_or_else(unknown)?;
    let now = app.clock.now();
    let record = app
        .store
        .read(move |db| {
            let session = find(db, id)?.ok_or_else(unknown)?;
            let owner = Uuid::try_parse(&session.sender).ok();
            // A session of another sender is none.
            caller.sender(db, owner).map_err(|_| unknown())?;
            Ok(session.record(now))
        })
        .await?;
    Ok(Json(record))
}
