//! One request, with what every handler needs of it, and the three ways to answer it.

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
use crate::error::{ApiError, ErrorCode, Problem};
use crate::ids::parse_uuid;
use crate::input::{Input, malformed_id, object};

/// What most handlers answer.
pub(crate) type Reply = Result<Json<Value>, ApiError>;
type Answer<R> = Pin<Box<dyn Future<Output = Result<R, ApiError>> + Send>>;

/// A request, and who asks. It has no `Debug`: tokens and card numbers are in it.
pub(crate) struct Call<C = Caller> {
    pub(crate) app: Arc<App>,
    pub(crate) caller: C,
    /// The clock's time when the request came.
    pub(crate) now: i64,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
    path: Vec<(String, String)>,
    query: String,
}

/// Answers without the database.
pub(crate) fn plain<C: Send + 'static, R: 'static>(
    handle: fn(&Call<C>) -> Result<R, ApiError>,
) -> impl Fn(Call<C>) -> std::future::Ready<Result<R, ApiError>> + Clone {
    move |call| std::future::ready(handle(&call))
}

/// Answers with what is in the database.
pub(crate) fn read<C: Send + 'static, R: Send + 'static>(
    handle: fn(&Call<C>, &Connection) -> Result<R, ApiError>,
) -> impl Fn(Call<C>) -> Answer<R> + Clone {
    move |call| {
        Box::pin(async move {
            let store = call.app.store.clone();
            store.read(move |db| handle(&call, db)).await
        })
    }
}

/// Answers with what it has written; a failure leaves nothing of it.
pub(crate) fn write<C: Send + 'static, R: Send + 'static>(
    status: StatusCode,
    handle: fn(&Call<C>, &Connection) -> Result<R, ApiError>,
) -> impl Fn(Call<C>) -> Answer<(StatusCode, R)> + Clone {
    move |call| {
        Box::pin(async move {
            let store = call.app.store.clone();
            Ok((status, store.write(move |db| handle(&call, db)).await?))
        })
    }
}

impl<C> Call<C> {
    /// What stands in the path where the route has this name.
    pub(crate) fn part(&self, name: &str) -> &str {
        self.path.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text)
    }

    /// The identifier that stands there; `wire_name` is what the interface calls it.
    pub(crate) fn id(&self, name: &str, wire_name: &str) -> Result<Uuid, ApiError> {
        parse_uuid(self.part(name)).ok_or_else(|| malformed_id(wire_name).into())
    }

    /// Reads the query.
    pub(crate) fn query<T>(&self, take: impl FnOnce(&mut Input) -> T) -> Result<T, ApiError> {
        let pairs = serde_urlencoded::from_str(&self.query)
            .map_err(|_| Problem::new(ErrorCode::BadRequestError).because("the query is not well-formed"))?;
        Input::of_query(pairs).read(take)
    }

    /// Reads the JSON body.
    pub(crate) fn body<T>(&self, take: impl FnOnce(&mut Input) -> T) -> Result<T, ApiError> {
        Input::of_body(self.json()?).read(take)
    }

    /// The JSON body, whose members are all known.
    pub(crate) fn typed<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        typed(Value::Object(self.json()?))
    }

    /// The object that is the body.
    pub(crate) fn json(&self) -> Result<Map<String, Value>, ApiError> {
        let kind = self.headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or_default());
        let kind = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim());
        if kind.is_some_and(|kind| !kind.eq_ignore_ascii_case("application/json")) {
            return Err(Problem::new(ErrorCode::UnsupportedMediaType)
                .because("send Content-Type: application/json")
                .into());
        }
        object(&self.bytes)
    }

    /// The sender that the query names, if it names one.
    pub(crate) fn named_sender(&self) -> Result<Option<Uuid>, ApiError> {
        self.query(|query| query.optional_id("senderId"))
    }
}

pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    serde_json::from_value(value)
        .map_err(|error| Problem::new(ErrorCode::BadRequestError).because(error.to_string()).into())
}

impl<C: Identity> FromRequest<Arc<App>> for Call<C> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let now = app.clock.now();
        let caller = C::of(&parts.headers, &app.seal, now)?;
        let path = RawPathParams::from_request_parts(&mut parts, app)
            .await
            .map_err(|_| Problem::new(ErrorCode::BadRequestError).because("the path is not UTF-8"))?;
        let path = path.iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let headers = parts.headers.clone();
        let bytes = Bytes::from_request(Request::from_parts(parts, body), app).await;
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::PayloadTooLarge.into(),
            _ => {
                ApiError::from(Problem::new(ErrorCode::BadRequestError).because("the body could not be read"))
            }
        })?;
        Ok(Self { app: Arc::clone(app), caller, now, headers, bytes, path, query })
    }
}
