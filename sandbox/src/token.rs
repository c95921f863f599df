//! POST /v1/oauth/token: the client credentials grant (interface, parts 4 and 5).
//!
//! Takes the JSON of the interface, and the form encoding and HTTP Basic credentials that OAuth 2
//! clients use (RFC 6749, sections 2.3.1 and 4.4). Errors have the shape of that standard, too.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::access;
use crate::app::App;
use crate::client::{self, Client};
use crate::error::ApiError;
use crate::ids::parse_uuid;
use crate::input;
use crate::resource::Resource;
use crate::seal::Seal;
use crate::sender;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/oauth/token:
    post:
      operationId: token
      tags: [token]
      summary: Exchanges the client's credentials for an access token.
      x-source: documented
      x-error-codes: []
      security:
        - {}
        - basic: []
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/TokenRequest" }
          application/x-www-form-urlencoded:
            x-source: assumed
            schema: { $ref: "#/components/schemas/TokenForm" }
      responses:
        "200":
          description: A token of client level, or of sender level where `sender_id` was given.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Token" }
        "4XX": { $ref: "#/components/responses/OauthError" }

components:
  responses:
    OauthError:
      description: What is wrong, in the words of OAuth 2.
      content:
        application/json:
          schema:
            x-source: published
            anyOf:
              - { $ref: "#/components/schemas/OauthError" }
              - { $ref: "#/components/schemas/Errors" }

  schemas:
    OauthError:
      type: object
      x-source: published
      required: [error]
      properties:
        error: { type: string }
        error_description: { type: string }
    TokenRequest:
      type: object
      x-source: documented
      required: [client_id, client_secret, audience, grant_type]
      properties: &tokenProperties
        client_id: { type: string }
        client_secret: { type: string }
        audience: { type: string, description: The base address. }
        grant_type: { type: string, const: client_credentials }
        sender_id: { description: Asks for a token of sender level., type: [string, "null"], pattern: "^([0-9a-fA-F-]{36})?$" }
        scope: { type: string, x-source: published }
    TokenForm:
      type: object
      description: As OAuth 2 clients send it; the credentials may stand in the header instead.
      x-source: assumed
      required: [audience, grant_type]
      properties: *tokenProperties
    Token:
      type: object
      x-source: documented
      required: [access_token, expires_in, token_type]
      properties:
        access_token: { type: string, minLength: 1 }
        expires_in: { type: integer, minimum: 1, description: Seconds. }
        token_type: { type: string, const: Bearer }
        scope: { type: string, x-source: published }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/oauth/token", post(issue))
}

/// An error of the standard.
struct OauthError {
    status: StatusCode,
    error: &'static str,
    description: &'static str,
}

impl OauthError {
    fn invalid_request(description: &'static str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error: "invalid_request", description }
    }
}

impl IntoResponse for OauthError {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.error, "error_description": self.description });
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            let basic = HeaderValue::from_static("Basic realm=\"remitkit-sandbox\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, basic);
        }
        no_store(response)
    }
}

/// What holds a token, or says why there is none, is not to be kept by anyone.
fn no_store(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

#[derive(Default)]
struct Grant {
    client_id: Option<String>,
    client_secret: Option<String>,
    audience: Option<String>,
    grant_type: Option<String>,
    sender_id: Option<String>,
}

impl Grant {
    fn set(&mut self, name: &str, value: String) -> Result<(), OauthError> {
        let slot = match name {
            "client_id" => &mut self.client_id,
            "client_secret" => &mut self.client_secret,
            "audience" => &mut self.audience,
            "grant_type" => &mut self.grant_type,
            "sender_id" => &mut self.sender_id,
            _ => return Ok(()),
        };
        if slot.replace(value).is_some() {
            return Err(OauthError::invalid_request("a parameter was given more than once"));
        }
        Ok(())
    }

    fn read(content_type: &str, bytes: &[u8]) -> Result<Self, OauthError> {
        let mut grant = Self::default();
        if content_type.starts_with("application/x-www-form-urlencoded") {
            let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(bytes)
                .map_err(|_| OauthError::invalid_request("the form is not well-formed"))?;
            for (name, value) in pairs {
                grant.set(&name, value)?;
            }
        } else {
            let object = input::object(bytes)
                .map_err(|_| OauthError::invalid_request("the body has to be a JSON object"))?;
            for (name, value) in object {
                match value {
                    serde_json::Value::Null => {}
                    serde_json::Value::String(value) => grant.set(&name, value)?,
                    _ => {
                        return Err(OauthError::invalid_request("parameters have to be strings"));
                    }
                }
            }
        }
        Ok(grant)
    }

    /// Takes the credentials of the Authorization header, if it has any.
    fn take_basic(&mut self, headers: &HeaderMap) -> Result<(), OauthError> {
        let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(()) };
        let malformed = || OauthError::invalid_request("the Authorization header is malformed");
        // Any other scheme authenticates nobody here; the body may still.
        let basic = value
            .to_str()
            .ok()
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"));
        let Some((_, credentials)) = basic else { return Ok(()) };
        if self.client_secret.is_some() {
            return Err(OauthError::invalid_request("use one way of authenticating the client"));
        }
        let bytes = STANDARD.decode(credentials.trim()).map_err(|_| malformed())?;
        let text = String::from_utf8(bytes).map_err(|_| malformed())?;
        let (id, secret) = text.split_once(':').ok_or_else(malformed)?;
        // The standard has both form-encoded before they are joined.
        let decode = |text: &str| {
            let pairs: Result<Vec<(String, String)>, _> =
                serde_urlencoded::from_str(&format!("v={}", text.replace('&', "%26")));
            pairs.ok().and_then(|pairs| pairs.into_iter().next()).map(|(_, value)| value)
        };
        self.client_id = decode(id);
        self.client_secret = decode(secret);
        Ok(())
    }

    fn client(&self) -> Result<&'static Client, OauthError> {
        let refused = OauthError {
            status: StatusCode::UNAUTHORIZED,
            error: "invalid_client",
            description: "no client has this id and secret",
        };
        let (Some(id), Some(secret)) = (&self.client_id, &self.client_secret) else {
            return Err(OauthError::invalid_request("client_id and client_secret are required"));
        };
        match client::by_client_id(id) {
            Some(client) if Seal::matches(client.client_secret.as_bytes(), secret.as_bytes()) => Ok(client),
            _ => Err(refused),
        }
    }
}

/// Whether an audience is the address under which the caller reached the service.
fn is_own(audience: &str, headers: &HeaderMap) -> bool {
    let rest = audience.strip_prefix("http://").or_else(|| audience.strip_prefix("https://"));
    let Some(authority) = rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest)) else { return false };
    let Some(host) = headers.get(header::HOST).and_then(|host| host.to_str().ok()) else {
        return !authority.is_empty();
    };
    let plain = |authority: &str| authority.to_ascii_lowercase().replace("localhost", "127.0.0.1");
    plain(authority) == plain(host)
}

async fn issue(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let headers = request.headers().clone();
    let bytes = input::bytes(request, &app).await?;
    Ok(match grant(&app, &headers, &bytes).await {
        Ok(response) => response,
        Err(Failure::Oauth(error)) => error.into_response(),
        Err(Failure::Api(error)) => return Err(error),
    })
}

enum Failure {
    Oauth(OauthError),
    Api(ApiError),
}

impl From<OauthError> for Failure {
    fn from(error: OauthError) -> Self {
        Self::Oauth(error)
    }
}

async fn grant(app: &Arc<App>, headers: &HeaderMap, bytes: &[u8]) -> Result<Response, Failure> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let mut grant = Grant::read(content_type, bytes)?;
    grant.take_basic(headers)?;
    match grant.grant_type.as_deref() {
        Some("client_credentials") => {}
        None => return Err(OauthError::invalid_request("grant_type is required").into()),
        Some(_) => {
            return Err(OauthError {
                status: StatusCode::BAD_REQUEST,
                error: "unsupported_grant_type",
                description: "grant_type has to be client_credentials",
            }
            .into());
        }
    }
    let client = grant.client()?;
    if !grant.audience.as_deref().is_some_and(|audience| is_own(audience, headers)) {
        let why = "audience is required: the base address of this service";
        return Err(OauthError::invalid_request(why).into());
    }
    let sender = match grant.sender_id.as_deref() {
        None | Some("") => None,
        Some(text) => {
            let id =
                parse_uuid(text).ok_or_else(|| OauthError::invalid_request("sender_id has to be a UUID"))?;
            let known = app
                .store
                .read(move |connection| sender::is_active(connection, client, id))
                .await
                .map_err(Failure::Api)?;
            if !known {
                return Err(OauthError::invalid_request("no sender has this sender_id").into());
            }
            Some(id)
        }
    };
    let seconds = app.lifetimes.get().token_seconds;
    let expires = access::expiry(app.clock.now(), seconds);
    let body = json!({
        "access_token": access::issue(&app.seal, &app.ids, client, sender, expires),
        "expires_in": seconds,
        "token_type": "Bearer",
    });
    Ok(no_store(Json(body).into_response()))
}
