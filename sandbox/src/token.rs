//! POST /v1/oauth/token: the client credentials grant (interface, parts 4 and 5).
//!
//! Takes the JSON of the interface, and the form encoding and HTTP Basic credentials that OAuth 2
//! clients use (RFC 6749, sections 2.3.1 and 4.4). Errors have the shape of that standard, too.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::{self, Anyone};
use crate::app::App;
use crate::call::{Call, typed};
use crate::client::{self, Client};
use crate::error::ApiError;
use crate::ids::parse_uuid;
use crate::input::object;
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
        "200": Token
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
        response
    }
}

/// What is asked for. Other parameters are ignored; one that comes twice is refused.
#[derive(Deserialize)]
struct Grant {
    client_id: Option<String>,
    client_secret: Option<String>,
    audience: Option<String>,
    grant_type: Option<String>,
    sender_id: Option<String>,
}

impl Grant {
    fn read(call: &Call<Anyone>) -> Result<Self, OauthError> {
        let kind = call.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
            serde_urlencoded::from_bytes(&call.bytes).map_err(|_| {
                OauthError::invalid_request("the form has to be well-formed and give each parameter once")
            })
        } else {
            // By way of an object: serde would take an array for the members in their order.
            object(&call.bytes).and_then(|object| typed(object.into())).map_err(|_| {
                OauthError::invalid_request("the body has to be a JSON object, and parameters strings")
            })
        }
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
        let (Some(id), Some(secret)) = (&self.client_id, &self.client_secret) else {
            return Err(OauthError::invalid_request("client_id and client_secret are required"));
        };
        let client = client::by_client_id(id);
        client.filter(|client| Seal::matches(client.client_secret.as_bytes(), secret.as_bytes())).ok_or(
            OauthError {
                status: StatusCode::UNAUTHORIZED,
                error: "invalid_client",
                description: "no client has this id and secret",
            },
        )
    }

    /// For whom the token is to be: a client, and perhaps one of its senders.
    fn checked(mut self, headers: &HeaderMap) -> Result<(&'static Client, Option<Uuid>), OauthError> {
        self.take_basic(headers)?;
        match self.grant_type.as_deref() {
            Some("client_credentials") => {}
            None => return Err(OauthError::invalid_request("grant_type is required")),
            Some(_) => {
                return Err(OauthError {
                    error: "unsupported_grant_type",
                    ..OauthError::invalid_request("grant_type has to be client_credentials")
                });
            }
        }
        let client = self.client()?;
        if !self.audience.is_some_and(|audience| is_own(&audience, headers)) {
            let why = "audience is required: the base address of this service";
            return Err(OauthError::invalid_request(why));
        }
        let sender = self.sender_id.filter(|id| !id.is_empty());
        let malformed = || OauthError::invalid_request("sender_id has to be a UUID");
        let sender = sender.map(|id| parse_uuid(&id).ok_or_else(malformed)).transpose()?;
        Ok((client, sender))
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

async fn issue(call: Call<Anyone>) -> Result<Response, ApiError> {
    // What holds a token, or says why there is none, is not to be kept by anyone, old caches among them.
    let answer = grant(&call).await?.map_or_else(IntoResponse::into_response, IntoResponse::into_response);
    Ok(([(header::PRAGMA, "no-cache")], answer).into_response())
}

/// The answer of the standard, unless the database fails.
async fn grant(call: &Call<Anyone>) -> Result<Result<Json<Value>, OauthError>, ApiError> {
    let (client, sender) = match Grant::read(call).and_then(|grant| grant.checked(&call.headers)) {
        Ok(checked) => checked,
        Err(error) => return Ok(Err(error)),
    };
    if let Some(id) = sender {
        let found = call.app.store.read(move |db| sender::is_active(db, client, id)).await?;
        if !found {
            return Ok(Err(OauthError::invalid_request("no sender has this sender_id")));
        }
    }
    let seconds = call.app.lifetimes.get().token_seconds;
    let expires = access::expiry(call.now, seconds);
    Ok(Ok(Json(json!({
        "access_token": access::issue(&call.app.seal, &call.app.ids, client, sender, expires),
        "expires_in": seconds,
        "token_type": "Bearer",
    }))))
}
