//! The hosted card form: its page, its assets, and the two calls that it makes (interface, parts 4 and
//! 6). Card numbers are seen here alone, and forgotten as soon as they are judged.

mod entered;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::json;
use uuid::Uuid;

use crate::access::Anyone;
use crate::app::App;
use crate::call::{Call, Reply};
use crate::card::Card;
use crate::card_session::{Behaviour, CardSession, Status};
use crate::clock::iso;
use crate::error::{ApiError, ErrorCode};
use crate::records::Record;
use crate::resource::Resource;
use crate::test_cards::{self, CardOutcome};
use entered::Entered;

const FORM: &str = include_str!("../card-form/form.html");
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! scripts {
    ($($name:literal,)*) => {
        &[("form.css", "text/css; charset=utf-8", include_str!("../card-form/form.css")),
          ("say.js", JAVASCRIPT, SAY_SCRIPT),
          $(($name, JAVASCRIPT, include_str!(concat!("../card-form/", $name))),)*]
    };
}

/// Name, media type and content of each asset.
static ASSETS: &[(&str, &str, &str)] = scripts![
    "form.js",
    "card-number.js",
    "card-picture.js",
    "cardholder.js",
    "expiry.js",
    "field.js",
    "flow.js",
    "masked-input.js",
    "messages.js",
    "security-code.js",
    "session.js",
    "theme.js",
];

/// The page of a session that never says anything.
const SILENT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Silent</title><p>This form says nothing to the page around it.</p></html>";

/// A page of this origin that says what its address names, `?messages=A,B`, and then repeats whatever the
/// embedding page tells it: for tests of who is believed.
const SAY: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Say</title>\
    <script src=\"/assets/say.js\"></script></html>";
const SAY_SCRIPT: &str = r#"const messages = new URLSearchParams(location.search).get("messages");
for (const message of messages ? messages.split(",") : []) parent.postMessage(message, "*");
addEventListener("message", (event) => {
  if (event.source === parent) parent.postMessage(event.data, "*");
});
"#;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v2/add-card/{sessionId}:
    servers:
      - url: http://127.0.0.1:4101
        description: The origin of the card form, which is never that of the service.
    get:
      operationId: cardForm
      tags: [card]
      summary: The card form, to be shown in a frame.
      description: |
        The frame says how the entry goes on in messages of a plain string each:

        * `CARD_VALIDATION_START`: the customer asks for the card to be verified.
        * `CARD_VALIDATION_STOP_SUCCESS`: the card is verified.
        * `CARD_VALIDATION_STOP_FAIL`: what was entered can't be verified.
        * `CARD_VALIDATION_STOP_EXPIRED`: the session is over.
      x-source: documented
      x-events: [CARD_VALIDATION_START, CARD_VALIDATION_STOP_SUCCESS, CARD_VALIDATION_STOP_FAIL, CARD_VALIDATION_STOP_EXPIRED]
      x-error-codes: []
      security: []
      parameters:
        - { name: font, in: query, x-theme: true, schema: &font { type: string, description: The name of a font that the form knows. } }
        - { name: buttonFont, in: query, x-theme: true, schema: *font }
        - { name: headlineFont, in: query, x-theme: true, schema: *font }
        - { name: primary, in: query, x-theme: true, schema: &color { type: string, description: A CSS colour. } }
        - { name: primaryLight, in: query, x-theme: true, schema: *color }
        - { name: text, in: query, x-theme: true, schema: *color }
        - { name: textSecondary, in: query, x-theme: true, schema: *color }
        - { name: foreground, in: query, x-theme: true, schema: *color }
        - { name: background, in: query, x-theme: true, schema: *color }
        - { name: inputLine, in: query, x-theme: true, schema: *color }
        - { name: divider, in: query, x-theme: true, schema: *color }
        - { name: icon, in: query, x-theme: true, schema: *color }
        - { name: success, in: query, x-theme: true, schema: *color }
        - { name: danger, in: query, x-theme: true, schema: *color }
        - { name: dangerLight, in: query, x-theme: true, schema: *color }
        - { name: buttonText, in: query, x-theme: true, schema: *color }
        - { name: buttonColor, in: query, x-theme: true, schema: *color }
        - { name: buttonRadius, in: query, x-theme: true, schema: { type: string, description: A CSS length. } }
        - { name: buttonTextCase, in: query, x-theme: true, schema: { $ref: "#/components/schemas/ButtonTextCase" } }
        - { name: buttonLetterSpacing, in: query, x-theme: true, schema: { type: string, description: A CSS length. } }
        - { name: cardBackground, in: query, x-theme: true, schema: { type: string, description: A CSS colour or the address of an image. } }
        - { name: lng, in: query, x-theme: true, schema: { $ref: "#/components/schemas/FormLanguage" } }
        - { name: showStep, in: query, x-theme: true, schema: &switch { type: integer, description: 1 shows it and 0 hides it., enum: [0, 1] } }
        - { name: showCardAnimation, in: query, x-theme: true, schema: *switch }
      responses:
        "200":
          description: The page, the same for every session; it asks by itself how its session stands.
          content:
            text/html: {}
        "307":
          description: In the sandbox, a session that a tester told to answer from another origin.
          x-source: assumed

components:
  schemas:
    ButtonTextCase:
      type: string
      x-source: documented
      x-known-values: { UPPER: documented, lower: documented, Capitalize: documented, Default: documented }
    FormLanguage:
      type: string
      x-source: documented
      x-known-values: { en: documented, es-MX: documented }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v2/add-card/{session}", get(page))
        .route("/v2/add-card/{session}/status", get(status))
        .route("/v2/add-card/{session}/verify", post(verify))
        .route("/assets/{asset}", get(asset))
        .route("/test/say", get(async || html(SAY)))
}

/// The headers that every reply of this origin carries.
pub(crate) async fn protect(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let framers = match response.extensions().get::<Unframed>() {
        Some(Unframed) => String::from("'none'"),
        None => app.config.frame_ancestors.join(" "),
    };
    // Images over https only because a theme may name one for the card.
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         font-src 'self'; img-src 'self' https: data:; base-uri 'none'; form-action 'none'; \
         frame-ancestors {framers}; require-trusted-types-for 'script'; trusted-types 'none'"
    );
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(RESOURCE_POLICY) {
        headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    }
    response
}

/// A page may be asked for by the page that frames it, which sees no more than that there is an answer.
const FOR_FRAMERS: (HeaderName, &str) = (RESOURCE_POLICY, "cross-origin");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Marks a page that no other page may show.
#[derive(Clone, Copy, Debug)]
struct Unframed;

fn html(content: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), FOR_FRAMERS], content).into_response()
}

/// The session that the path names.
async fn session(call: &Call<Anyone>) -> Result<Option<CardSession>, ApiError> {
    let Ok(id) = call.id("session", "session") else { return Ok(None) };
    call.app.store.read(move |db| CardSession::get(db, id)).await
}

/// The same page for every session; the form itself asks how its session stands.
async fn page(uri: Uri, call: Call<Anyone>) -> Result<Response, ApiError> {
    let behaviour = session(&call).await?.map(|session| session.behaviour);
    Ok(match behaviour {
        Some(Behaviour::Silent) => html(SILENT),
        Some(Behaviour::FailsToLoad) => {
            let mut response = html(FORM);
            response.extensions_mut().insert(Unframed);
            response
        }
        Some(Behaviour::WrongOrigin) => match other_origin(&call.headers, &uri) {
            Some(address) => ([FOR_FRAMERS], Redirect::temporary(&address)).into_response(),
            None => html(FORM),
        },
        _ => html(FORM),
    })
}

/// The same page by this machine's other name, unless it was asked for so already.
fn other_origin(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let path = uri.path_and_query()?.as_str();
    if path.contains("moved=1") {
        return None;
    }
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let other = match host.split_once(':') {
        Some(("127.0.0.1", port)) => format!("localhost:{port}"),
        Some((_, port)) => format!("127.0.0.1:{port}"),
        None => return None,
    };
    let joint = if path.contains('?') { '&' } else { '?' };
    Some(format!("http://{other}{path}{joint}moved=1"))
}

async fn asset(call: Call<Anyone>) -> Result<Response, ApiError> {
    let found = ASSETS.iter().find(|(known, _, _)| *known == call.part("asset"));
    let (_, kind, content) = found.ok_or(ErrorCode::NotFound)?;
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], *content).into_response())
}

fn no_session() -> ApiError {
    ApiError::from(ErrorCode::InvalidCardOnboardingSession).with_status(StatusCode::NOT_FOUND)
}

async fn status(call: Call<Anyone>) -> Reply {
    let session = session(&call).await?.ok_or_else(no_session)?;
    Ok(Json(json!({
        "status": session.status(call.now),
        "expirationDate": iso(session.expires_at),
        "now": iso(call.now),
    })))
}

fn fail(code: ErrorCode) -> Reply {
    Ok(Json(json!({ "result": "FAIL", "code": code, "message": code.message() })))
}

async fn verify(call: Call<Anyone>) -> Reply {
    let id = session(&call).await?.ok_or_else(no_session)?.id;
    let entered = Entered::read(&call.json()?);
    let app = Arc::clone(&call.app);
    drop(call);
    tokio::time::sleep(app.config.verify_delay).await;
    let store = app.store.clone();
    store.write(move |db| judge(&app, db, id, &entered)).await
}

/// Says what becomes of a card, and writes that down.
fn judge(app: &App, db: &Connection, session: Uuid, entered: &Entered) -> Reply {
    let expired = || Ok(Json(json!({ "result": "EXPIRED" })));
    let now = app.clock.now();
    // Another tab may have been quicker, or the session's time have run out while the card was looked at.
    let mut session = CardSession::get(db, session)?.ok_or_else(no_session)?;
    match session.status(now) {
        Status::Expired => return expired(),
        Status::Succeeded => return fail(ErrorCode::InvalidCardOnboardingSession),
        Status::Incomplete => {}
    }
    if let Some(code) = entered.problem(now) {
        return fail(code);
    }
    let (currency, active, issued_abroad) = match test_cards::outcome(&entered.number) {
        None => return fail(ErrorCode::CardProvidedCannotBeUsedForThisTransaction),
        Some(CardOutcome::Fail { code }) => return fail(code),
        Some(CardOutcome::Expired) => {
            session.expires_at = now;
            session.update(db)?;
            return expired();
        }
        Some(CardOutcome::SuccessInCurrency { currency }) => (Some(currency.to_owned()), true, false),
        Some(CardOutcome::SuccessThenBlocked) => (None, false, false),
        Some(CardOutcome::SuccessIssuedAbroad) => (None, true, true),
        Some(CardOutcome::Success) => (None, true, false),
    };
    let card = Card {
        // Digits beyond 2^53, as the service's own card identifiers are: text, not a number.
        id: format!("{}{}", app.ids.number(9), app.ids.number(10)),
        sender: session.sender,
        brand: test_cards::brand(&entered.number).to_owned(),
        last_four: entered.last_four(),
        currency,
        active,
        issued_abroad,
    };
    card.insert(db)?;
    session.card_id = Some(card.id);
    session.update(db)?;
    Ok(Json(json!({ "result": "SUCCESS" })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_of_the_form_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/card-form");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".js") || name.ends_with(".css") {
                assert!(ASSETS.iter().any(|(known, _, _)| *known == name), "{name}");
            }
        }
    }

    #[test]
    fn the_other_origin_is_the_other_name_of_this_machine() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:4101"));
        let uri = Uri::from_static("/v2/add-card/x?lng=en");
        let address = other_origin(&headers, &uri).unwrap();
        assert_eq!(address, "http://localhost:4101/v2/add-card/x?lng=en&moved=1");
        assert_eq!(other_origin(&headers, &address.parse().unwrap()), None);
    }
}
