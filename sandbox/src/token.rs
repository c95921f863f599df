//! POST /v1/oauth/token: the client credentials grant (interface, parts 4 and 5).
//!
//! Accepts the interface's JSON, and the form encoding and HTTP Basic credentials of OAuth 2 clients (RFC
//! 6749, sections 2.3.1 and 4.4). Errors have the shape of that standard too, but for a sender that is unknown.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::access;
use crate::call::typed;
use crate::client::{self, Client};
use crate::endpoint::*;
use crate::ids::parse_uuid;
use crate::input::parse_object;
use crate::sender::Sender;
use crate::signer::equal;

pub(crate) const RESOURCE: Resource = Resource { file: file!(), routes, tables: "", document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/oauth/token", post(issue))
}

struct OauthError {
    status: StatusCode,
    error: &'static str,
    description: &'static str,
}

fn invalid_request(description: &'static str) -> OauthError {
    OauthError { status: StatusCode::BAD_REQUEST, error: "invalid_request", description }
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

/// A token request. Unknown parameters are ignored; repeated ones are an error.
#[derive(Deserialize)]
struct TokenRequest {
    client_id: Option<String>,
    client_secret: Option<String>,
    audience: Option<String>,
    grant_type: Option<String>,
    sender_id: Option<String>,
}

impl TokenRequest {
    fn read(call: &Call<Anyone>) -> Result<Self, OauthError> {
        let media_type = call.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if media_type.is_some_and(|value| value.starts_with("application/x-www-form-urlencoded")) {
            let why = "the form has to be well-formed and give each parameter once";
            return serde_urlencoded::from_bytes(&call.bytes).map_err(|_| invalid_request(why));
        }
        // Through an object, because serde would also accept an array of the members in order.
        let why = "the body has to be a JSON object, and parameters strings";
        parse_object(&call.bytes).and_then(|object| typed(object.into())).map_err(|_| invalid_request(why))
    }

    /// Takes the credentials from the Authorization header, if it has any.
    fn take_basic(&mut self, headers: &HeaderMap) -> Result<(), OauthError> {
        let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(()) };
        // Other schemes are ignored; the body may contain the credentials.
        let basic = value
            .to_str()
            .ok()
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"));
        let Some((_, credentials)) = basic else { return Ok(()) };
        if self.client_secret.is_some() {
            return Err(invalid_request("use one way of authenticating the client"));
        }
        let bytes = STANDARD.decode(credentials.trim()).ok();
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let pair = text.as_deref().and_then(|text| text.split_once(':'));
        let (id, secret) = pair.ok_or_else(|| invalid_request("the Authorization header is malformed"))?;
        self.client_id = form_decoded(id);
        self.client_secret = form_decoded(secret);
        Ok(())
    }

    fn client(&self) -> Result<&'static Client, OauthError> {
        let (Some(id), Some(secret)) = (&self.client_id, &self.client_secret) else {
            return Err(invalid_request("client_id and client_secret are required"));
        };
        client::by_client_id(id)
            .filter(|client| equal(client.client_secret.as_bytes(), secret.as_bytes()))
            .ok_or(OauthError {
                status: StatusCode::UNAUTHORIZED,
                error: "invalid_client",
                description: "no client has this id and secret",
            })
    }

    /// Returns the client, and the sender of a sender-level token.
    fn checked(mut self, headers: &HeaderMap) -> Result<(&'static Client, Option<Uuid>), OauthError> {
        self.take_basic(headers)?;
        match self.grant_type.as_deref() {
            Some("client_credentials") => {}
            None => return Err(invalid_request("grant_type is required")),
            Some(_) => {
                let error = invalid_request("grant_type has to be client_credentials");
                return Err(OauthError { error: "unsupported_grant_type", ..error });
            }
        }
        let client = self.client()?;
        if !self.audience.is_some_and(|audience| is_own_address(&audience, headers)) {
            return Err(invalid_request("audience is required: the base address of this service"));
        }
        let sender = self.sender_id.filter(|id| !id.is_empty());
        let malformed = || invalid_request("sender_id has to be a UUID");
        Ok((client, sender.map(|id| parse_uuid(&id).ok_or_else(malformed)).transpose()?))
    }
}

/// The standard form-encodes id and secret before it joins them.
fn form_decoded(text: &str) -> Option<String> {
    let text = format!("v={}", text.replace('&', "%26"));
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&text).ok()?;
    pairs.into_iter().next().map(|(_, value)| value)
}

/// Whether an audience is the address by which the caller reached the service.
fn is_own_address(audience: &str, headers: &HeaderMap) -> bool {
    let rest = audience.strip_prefix("http://").or_else(|| audience.strip_prefix("https://"));
    let Some(authority) = rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest)) else { return false };
    let Some(host) = headers.get(header::HOST).and_then(|host| host.to_str().ok()) else {
        return !authority.is_empty();
    };
    let normalized = |authority: &str| authority.to_ascii_lowercase().replace("localhost", "127.0.0.1");
    normalized(authority) == normalized(host)
}

async fn issue(call: Call<Anyone>) -> Result<Response> {
    let reply = grant(&call).await?.map_or_else(IntoResponse::into_response, IntoResponse::into_response);
    // For HTTP/1.0 caches; all replies have Cache-Control.
    Ok(([(header::PRAGMA, "no-cache")], reply).into_response())
}

async fn grant(call: &Call<Anyone>) -> Result<Result<Json<Value>, OauthError>> {
    let (client, sender) = match TokenRequest::read(call).and_then(|request| request.checked(&call.headers)) {
        Ok(checked) => checked,
        Err(error) => return Ok(Err(error)),
    };
    if let Some(id) = sender {
        let sender = call.app.store.read(move |db| Sender::get(db, id)).await?;
        if !sender.is_some_and(|sender| sender.is_active_of(client)) {
            return Err(ErrorCode::SenderNotFound.into());
        }
    }
    let seconds = call.app.controls().lifetimes.token_seconds;
    let expires = call.now + seconds * SECOND;
    Ok(Ok(Json(json!({
        "access_token": access::issue(&call.app.signer, &call.app.ids, client, sender, expires),
        "expires_in": seconds,
        "token_type": "Bearer",
    }))))
}

const DOCUMENT: &str = r##"
tag: token
paths:
  /v1/oauth/token:
    post:
      operationId: token
      summary: Exchanges the client's credentials for an access token.
      x-source: documented
      security: [{}, { basic: [] }]
      requestBody:
        required: true
        content:
          application/json: { schema: TokenRequest }
          application/x-www-form-urlencoded: { x-source: assumed, schema: TokenForm }
      x-error-codes: [SenderNotFound]
      responses: { "200": Token, "4XX": OauthErrorOrErrors }

schemas:
  OauthErrorOrErrors: { x-source: published, anyOf: [OauthError, Errors] }
  OauthError:
    { x-source: published, required: [error], properties: { error: string, error_description: string } }
  TokenRequest:
    x-source: documented
    required: [client_id, client_secret, audience, grant_type]
    properties: &properties
      { client_id: string, client_secret: string, scope: string published,
        audience: { type: string, description: The base address. },
        grant_type: { type: string, const: client_credentials },
        sender_id: { description: Requests a sender-level token., type: [string, "null"],
                     pattern: "^([0-9a-fA-F-]{36})?$" } }
  TokenForm:
    description: OAuth 2 clients may send the credentials in the header instead.
    x-source: assumed
    required: [audience, grant_type]
    properties: *properties
  Token:
    x-source: documented
    required: [access_token, expires_in, token_type]
    properties: { access_token: { type: string, minLength: 1 }, scope: string published,
                  expires_in: { type: integer, minimum: 1, description: Seconds. },
                  token_type: { type: string, const: Bearer } }
"##;
