//! One request with all that its handler needs, and the adapters between handlers and axum.

use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::{HeaderMap, StatusCode, header};
use rusqlite::Connection;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::access::{Caller, Identity};
use crate::app::App;
use crate::error::{ApiError, ErrorCode, Problem, Result};
use crate::ids::parse_uuid;
use crate::input::{Input, malformed_id, parse_object};
use crate::world::World;

pub(crate) type Reply = Result<Value>;
type Pending<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;
type DatabaseHandler<C> = fn(&Call<C>, &Connection) -> Reply;

/// A request and its caller. Not `Debug`: it holds tokens and card numbers.
pub(crate) struct Call<C = Caller> {
    pub(crate) app: Arc<App>,
    pub(crate) caller: C,
    /// The sandbox's time when the request arrived.
    pub(crate) now: i64,
    /// As it was when the request arrived.
    pub(crate) world: Arc<World>,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
    path: Vec<(String, String)>,
    query: String,
}

/// Adapts a handler that needs no database.
pub(crate) fn plain<C: Send + 'static>(
    handle: fn(&Call<C>) -> Reply,
) -> impl Fn(Call<C>) -> Ready<Result<Json<Value>>> + Clone {
    move |call| ready(handle(&call).map(Json))
}

/// Adapts a handler that reads the database.
pub(crate) fn read<C: Send + 'static>(
    handle: DatabaseHandler<C>,
) -> impl Fn(Call<C>) -> Pending<Json<Value>> + Clone {
    move |call| {
        let store = call.app.store.clone();
        Box::pin(async move { store.read(move |db| handle(&call, db)).await.map(Json) })
    }
}

/// Adapts a handler that writes the database. An error rolls its writes back.
pub(crate) fn write<C: Send + 'static>(
    status: StatusCode,
    handle: DatabaseHandler<C>,
) -> impl Fn(Call<C>) -> Pending<(StatusCode, Json<Value>)> + Clone {
    move |call| {
        let store = call.app.store.clone();
        Box::pin(async move { Ok((status, Json(store.write(move |db| handle(&call, db)).await?))) })
    }
}

impl<C> Call<C> {
    /// Returns the path parameter of this name, or an empty text.
    pub(crate) fn path_part(&self, name: &str) -> &str {
        self.path.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text)
    }

    pub(crate) fn path_id(&self, name: &str) -> Result<Uuid> {
        parse_uuid(self.path_part(name)).ok_or_else(|| malformed_id(name).into())
    }

    pub(crate) fn query<T>(&self, take: impl FnOnce(&mut Input) -> T) -> Result<T> {
        let pairs = serde_urlencoded::from_str(&self.query)
            .map_err(|_| Problem::new(ErrorCode::BadRequestError).because("the query is not well-formed"))?;
        Input::from_query(pairs, &self.world).read(take)
    }

    pub(crate) fn body<T>(&self, take: impl FnOnce(&mut Input) -> T) -> Result<T> {
        Input::from_body(self.json()?, &self.world).read(take)
    }

    /// Reads the JSON body into a type that knows all members.
    pub(crate) fn typed<T: DeserializeOwned>(&self) -> Result<T> {
        typed(Value::Object(self.json()?))
    }

    pub(crate) fn json(&self) -> Result<Map<String, Value>> {
        let media_type =
            self.headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
        let media_type = media_type.map(|value| value.split(';').next().unwrap_or_default().trim());
        if media_type.is_some_and(|value| !value.eq_ignore_ascii_case("application/json")) {
            let problem = Problem::new(ErrorCode::UnsupportedMediaType);
            return Err(problem.because("send Content-Type: application/json").into());
        }
        parse_object(&self.bytes)
    }

    /// Returns the first language of `Accept-Language`, such as `es`; empty where none is named.
    pub(crate) fn language(&self) -> String {
        let languages = self.headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let first = languages.and_then(|languages| languages.trim().get(..2));
        first.map(str::to_ascii_lowercase).unwrap_or_default()
    }

    pub(crate) fn named_sender(&self) -> Result<Option<Uuid>> {
        self.query(|query| query.optional_id("senderId"))
    }
}

pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value)
        .map_err(|error| Problem::new(ErrorCode::BadRequestError).because(error.to_string()).into())
}

impl<C: Identity> FromRequest<Arc<App>> for Call<C> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self> {
        let bad_request = |why: &str| ApiError::from(Problem::new(ErrorCode::BadRequestError).because(why));
        let (mut parts, body) = request.into_parts();
        let now = app.clock.now();
        let caller = C::identify(&parts.headers, &app.signer, now)?;
        let path = RawPathParams::from_request_parts(&mut parts, app).await;
        let path = path.map_err(|_| bad_request("the path is not UTF-8"))?;
        let path = path.iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let headers = parts.headers.clone();
        let bytes = Bytes::from_request(Request::from_parts(parts, body), app).await;
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::PayloadTooLarge.into(),
            _ => bad_request("the body could not be read"),
        })?;
        Ok(Self { app: Arc::clone(app), caller, now, world: app.world(), headers, bytes, path, query })
    }
}
