//! The hosted card form: its page, its assets and its two calls (interface, parts 4 and 6). Card numbers are
//! seen only here, and forgotten as soon as they are judged.

mod entry;

use axum::http::Uri;
use axum::response::Redirect;

use crate::card::Card;
use crate::card_session::{Behaviour, CardSession, Status};
use crate::endpoint::*;
use crate::test_cards::{CardResult, brand, is_card_number};
use entry::CardEntry;

const FORM: &str = include_str!("../card-form/form.html");
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! assets {
    ($($name:literal)*) => {
        &[("form.css", "text/css; charset=utf-8", include_str!("../card-form/form.css")),
          $(($name, JAVASCRIPT, include_str!(concat!("../card-form/", $name))),)*]
    };
}

/// Name, media type and content.
static ASSETS: &[(&str, &str, &str)] = assets! {
    "form.js" "card-number.js" "card-picture.js" "cardholder.js" "expiry.js" "field.js" "flow.js"
    "masked-input.js" "messages.js" "session.js" "theme.js"
};

const SILENT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Silent</title><p>This form says nothing to the page around it.</p></html>";

pub(crate) const RESOURCE: Resource = Resource { file: file!(), routes, tables: "", document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v2/add-card/{sessionId}", get(page))
        .route("/v2/add-card/{sessionId}/status", get(status))
        .route("/v2/add-card/{sessionId}/verify", post(verify))
        .route("/assets/{asset}", get(asset))
}

pub(crate) async fn add_headers(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let framers = match response.extensions().get::<Unframed>() {
        Some(Unframed) => String::from("'none'"),
        None => app.config.frame_ancestors.join(" "),
    };
    // A theme may name an image of any https origin for the card.
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         font-src 'self'; img-src 'self' https: data:; base-uri 'none'; form-action 'none'; \
         frame-ancestors {framers}; require-trusted-types-for 'script'; trusted-types 'none'"
    );
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let no_permissions = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("permissions-policy"), no_permissions),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(RESOURCE_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    response
}

/// The embedding page may probe whether a page loads; it learns nothing more.
const FOR_EMBEDDERS: (HeaderName, &str) = (RESOURCE_POLICY, "cross-origin");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Response extension: no page may embed this one.
#[derive(Clone, Copy, Debug)]
struct Unframed;

fn html(content: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), FOR_EMBEDDERS], content).into_response()
}

async fn find_session(call: &Call<Anyone>) -> Result<Option<CardSession>> {
    let Ok(id) = call.path_id("sessionId") else { return Ok(None) };
    call.app.store.read(move |db| CardSession::get(db, id)).await
}

/// Serves the form, which is the same for all sessions: it requests its session's status itself.
async fn page(uri: Uri, call: Call<Anyone>) -> Result<Response> {
    let behaviour = find_session(&call).await?.map(|session| session.behaviour);
    Ok(match behaviour {
        Some(Behaviour::Silent) => html(SILENT),
        Some(Behaviour::FailsToLoad) => {
            let mut response = html(FORM);
            response.extensions_mut().insert(Unframed);
            response
        }
        Some(Behaviour::WrongOrigin) => match other_origin(&call.headers, &uri) {
            Some(address) => ([FOR_EMBEDDERS], Redirect::temporary(&address)).into_response(),
            None => html(FORM),
        },
        _ => html(FORM),
    })
}

/// Returns the same address with this machine's other name, unless it was redirected before.
fn other_origin(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let path = uri.path_and_query()?.as_str();
    if path.contains("moved=1") {
        return None;
    }
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let other = match host.split_once(':')? {
        ("127.0.0.1", port) => format!("localhost:{port}"),
        (_, port) => format!("127.0.0.1:{port}"),
    };
    let separator = if path.contains('?') { '&' } else { '?' };
    Some(format!("http://{other}{path}{separator}moved=1"))
}

async fn asset(call: Call<Anyone>) -> Result<Response> {
    let found = ASSETS.iter().find(|(known, _, _)| *known == call.path_part("asset"));
    let (_, media_type, content) = found.ok_or(ErrorCode::NotFound)?;
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))], *content).into_response())
}

fn no_session() -> ApiError {
    ApiError::from(ErrorCode::InvalidCardOnboardingSession).with_status(StatusCode::NOT_FOUND)
}

async fn status(call: Call<Anyone>) -> Result<Json<Value>> {
    let session = find_session(&call).await?.ok_or_else(no_session)?;
    Ok(Json(json!({
        "status": session.status(call.now),
        "expirationDate": iso(session.expires_at),
        "now": iso(call.now),
    })))
}

async fn verify(call: Call<Anyone>) -> Result<Json<Value>> {
    let id = find_session(&call).await?.ok_or_else(no_session)?.id;
    let entry = CardEntry::read(&call.json()?);
    let app = Arc::clone(&call.app);
    drop(call);
    tokio::time::sleep(app.config.verify_delay).await;
    let store = app.store.clone();
    store.write(move |db| judge(&app, db, id, &entry)).await.map(Json)
}

fn failure(code: ErrorCode) -> Reply {
    Ok(json!({ "result": "FAIL", "code": code, "message": code.message() }))
}

fn judge(app: &App, db: &Connection, session: Uuid, entry: &CardEntry) -> Reply {
    let expired = || Ok(json!({ "result": "EXPIRED" }));
    let now = app.clock.now();
    // Read the session again: another tab may have used it, or it may have expired during the delay.
    let mut session = CardSession::get(db, session)?.ok_or_else(no_session)?;
    match session.status(now) {
        Status::Expired => return expired(),
        Status::Succeeded => return failure(ErrorCode::InvalidCardOnboardingSession),
        Status::Incomplete => {}
    }
    if let Some(code) = entry.problem(now) {
        return failure(code);
    }
    let unusable = ErrorCode::CardProvidedCannotBeUsedForThisTransaction;
    if !is_card_number(&entry.number) {
        return failure(unusable);
    }
    let world = app.world();
    let known = world.cards.iter().find(|card| card.number == entry.number);
    let result = known.map_or(CardResult::Success, |card| card.result);
    match result {
        CardResult::Fail => return failure(known.and_then(|card| card.code).unwrap_or(unusable)),
        CardResult::Expired => {
            session.expires_at = now;
            session.update(db)?;
            return expired();
        }
        _ => {}
    }
    let card = Card {
        // Digits beyond 2^53, like the service's own card identifiers.
        id: format!("{}{}", app.ids.number(9), app.ids.number(10)),
        sender: session.sender,
        brand: brand(&entry.number).to_owned(),
        last_four: entry.last_four(),
        currency: known.and_then(|card| card.currency.clone()),
        active: result != CardResult::SuccessThenBlocked,
        issued_abroad: result == CardResult::SuccessIssuedAbroad,
    };
    card.insert(db)?;
    session.card_id = Some(card.id);
    session.update(db)?;
    Ok(json!({ "result": "SUCCESS" }))
}

const DOCUMENT: &str = r##"
tag: card
paths:
  /v2/add-card/{sessionId}:
    servers:
      - url: http://127.0.0.1:4101
        description: The origin of the card form, which is never that of the service.
    get:
      operationId: cardForm
      summary: Shows the card form in a frame.
      description: |
        The frame reports its progress to the embedding page in messages, each a plain string:

        * `CARD_VALIDATION_START`: the customer asks for the card to be verified.
        * `CARD_VALIDATION_STOP_SUCCESS`: the card is verified.
        * `CARD_VALIDATION_STOP_FAIL`: what was entered can't be verified.
        * `CARD_VALIDATION_STOP_EXPIRED`: the session has expired.
      x-source: documented
      x-events: [CARD_VALIDATION_START, CARD_VALIDATION_STOP_SUCCESS, CARD_VALIDATION_STOP_FAIL,
                 CARD_VALIDATION_STOP_EXPIRED]
      security: []
      theme: { font: FontName, buttonFont: FontName, headlineFont: FontName, primary: Color,
               primaryLight: Color, text: Color, textSecondary: Color, foreground: Color, background: Color,
               inputLine: Color, divider: Color, icon: Color, success: Color, danger: Color,
               dangerLight: Color, buttonText: Color, buttonColor: Color, buttonRadius: Length,
               buttonTextCase: ButtonTextCase, buttonLetterSpacing: Length, cardBackground: ColorOrImage,
               lng: FormLanguage, showStep: Switch, showCardAnimation: Switch }
      responses:
        "200":
          description: The page. It is the same for all sessions, and requests its session's status itself.
          content: { text/html: {} }
        "307":
          description: In the sandbox, the redirect of a session whose behavior is `wrong-origin`.
          x-source: assumed

schemas:
  FontName: { type: string, description: The name of a font that the form knows. }
  Color: { type: string, description: A CSS color. }
  Length: { type: string, description: A CSS length. }
  ColorOrImage: { type: string, description: A CSS color or the address of an image. }
  Switch: { type: integer, description: 1 shows it and 0 hides it., enum: [0, 1] }
  ButtonTextCase: { x-source: documented, x-known-values: [UPPER, lower, Capitalize, Default] }
  FormLanguage: { x-source: documented, x-known-values: [en, es-MX] }
"##;
