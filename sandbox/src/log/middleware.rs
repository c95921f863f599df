use std::time::Instant;

use super::{Entry, Text, is_name};
use crate::endpoint::*;
use crate::faults::InjectedFault;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

const BODY_LIMIT: usize = 1 << 20;
/// Parameters whose values are logged.
const LOGGED_VALUES: &str = "dstCountryIso3Code dstCurrencyIso3Code srcCurrencyIso3Code transferMethod quoteBy \
    amount recipientAccountId recipientType senderType senderId limit offset countryIso3Code lng";
const MAX_NAMES: usize = 64;

/// Gives the request an identifier, and logs it with its result.
pub(crate) async fn log_request(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let request_id = app.request_ids.uuid();
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let mut entry = Entry {
        at: app.clock.now(),
        request_id,
        method: request.method().to_string(),
        // The path of an unknown address could contain anything.
        path: route.as_ref().map(|_| request.uri().path().chars().take(300).collect()).unwrap_or_default(),
        route: route.unwrap_or_else(|| "(none)".to_owned()),
        query: query_names(request.uri().query().unwrap_or_default()),
        authorized: request.headers().contains_key(header::AUTHORIZATION),
        ..Entry::default()
    };
    let has_body = matches!(*request.method(), Method::POST | Method::PUT | Method::PATCH);
    let mut response = if has_body {
        let (parts, body) = request.into_parts();
        match to_bytes(body, BODY_LIMIT).await {
            Ok(bytes) => {
                add_body_names(&bytes, &mut entry);
                next.run(Request::from_parts(parts, Body::from(bytes))).await
            }
            Err(_) => ApiError::from(ErrorCode::PayloadTooLarge).into_response(),
        }
    } else {
        next.run(request).await
    };
    if let Ok(value) = HeaderValue::from_str(&request_id.to_string()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    entry.status = response.status().as_u16();
    if let Some(AnsweredCodes(codes)) = response.extensions().get() {
        entry.codes.clone_from(codes);
    }
    entry.fault = response.extensions().get().map(|InjectedFault(fault)| *fault);
    entry.milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    // Control requests, such as polling this log, would push out what testers look for.
    if !entry.route.starts_with("/sandbox") {
        app.log.push(entry);
    }
    response
}

fn query_names(query: &str) -> Vec<(Text, Text)> {
    const HIDDEN: Text = Text::Borrowed("…");
    form_urlencoded::parse(query.as_bytes())
        .take(MAX_NAMES)
        .map(|(name, value)| match LOGGED_VALUES.split(' ').find(|shown| *shown == name) {
            Some(shown) => (Text::Borrowed(shown), Text::Owned(value.chars().take(64).collect())),
            None if is_name(&name) => (Text::Owned(name.into_owned()), HIDDEN),
            None => (HIDDEN, HIDDEN),
        })
        .collect()
}

fn add_body_names(bytes: &[u8], entry: &mut Entry) {
    let Ok(Value::Object(body)) = serde_json::from_slice(bytes) else { return };
    entry.body_names = body.keys().filter(|name| is_name(name)).take(MAX_NAMES).cloned().collect();
    let fields = body.get("fields").and_then(Value::as_array).into_iter().flatten();
    let ids = fields.filter_map(|field| field.get("id").and_then(Value::as_str));
    entry.field_ids = ids.filter(|id| is_name(id)).take(MAX_NAMES).map(str::to_owned).collect();
}
