//! Webhooks: each status of a transfer is sent to the shop's backend, when it is reached or when a tester
//! says so.

pub(crate) mod delivery;

use std::time::Duration;

use axum::http::Uri;
use tokio::time::sleep;

use crate::endpoint::*;
use crate::locks::lock;
use crate::transfer::{Step, Transfer};
use delivery::{Delivery, Webhooks, parse_url};

/// How many of a transfer's steps were sent.
pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS webhook_steps (
    transfer TEXT PRIMARY KEY,
    sent INTEGER NOT NULL
) WITHOUT ROWID;
";

const POLL_PAUSE: Duration = Duration::from_millis(200);
/// The pauses before further attempts.
const PAUSES: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];
const MAX_DELAY: Duration = Duration::from_secs(600);
const MAX_TIMES: usize = 100;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/sandbox/webhooks", get(plain(list)).post(deliver))
}

fn bad_request(why: &str) -> ApiError {
    Problem::new(ErrorCode::BadRequestError).because(why).into()
}

fn event_of(transfer: Uuid, step: &Step) -> Value {
    json!({
        "TransferId": transfer, "Status": step.status, "StatusChangedDate": iso(step.at),
        "CancellationReason": step.reason,
    })
}

fn list(call: &Call<Anyone>) -> Reply {
    let Webhooks { target, .. } = &call.app.webhooks;
    Ok(json!({
        "url": target.as_ref().map(|target| &target.url),
        "isAutomatic": target.as_ref().is_some_and(|target| target.is_automatic),
        "deliveries": call.app.webhooks.deliveries(),
    }))
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum LetterCase {
    Upper,
    Lower,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    transfer_id: Uuid,
    statuses: Option<Vec<String>>,
    times: Option<usize>,
    delay_milliseconds: Option<u64>,
    letter_case: Option<LetterCase>,
    key: Option<String>,
    url: Option<String>,
}

/// Sends events of a transfer now, whatever was sent before, and returns what the receiver answered.
async fn deliver(call: Call<Anyone>) -> Result<Json<Value>> {
    let wanted: Wanted = call.typed()?;
    let app = Arc::clone(&call.app);
    let (url, key) = receiver(&app, &wanted)?;
    let times = wanted.times.unwrap_or(1);
    let delay = Duration::from_millis(wanted.delay_milliseconds.unwrap_or(0));
    if !(1..=MAX_TIMES).contains(&times) || delay > MAX_DELAY {
        return Err(bad_request("times has to be from 1 to 100, and delayMilliseconds at most 600000"));
    }
    let (id, now) = (wanted.transfer_id, call.now);
    let transfer = app.store.read(move |db| Transfer::get(db, id)).await?;
    let transfer = transfer.ok_or(ErrorCode::TransferNotFound)?;
    let steps = match &wanted.statuses {
        None => vec![transfer.steps.latest(now)],
        Some(statuses) => statuses.iter().map(|status| transfer.steps.named(status, now)).collect(),
    };
    sleep(delay).await;
    let mut deliveries = Vec::new();
    for mut step in steps {
        step.status = match wanted.letter_case {
            None => step.status,
            Some(LetterCase::Upper) => step.status.to_uppercase(),
            Some(LetterCase::Lower) => step.status.to_lowercase(),
        };
        for _ in 0..times {
            deliveries.push(app.webhooks.send(&url, &key, event_of(id, &step), app.clock.now()).await);
        }
    }
    Ok(Json(json!({ "deliveries": deliveries })))
}

fn receiver(app: &App, wanted: &Wanted) -> Result<(Uri, String)> {
    let target = app.webhooks.target.as_ref();
    if wanted.url.is_some() && app.config.is_public {
        return Err(bad_request("with --listen, only --webhook names a receiver: others could name any"));
    }
    let url = wanted.url.as_ref().or(target.map(|target| &target.url));
    let key = wanted.key.as_ref().or(target.map(|target| &target.key));
    let (Some(url), Some(key)) = (url, key) else {
        return Err(bad_request("give url and key, or start the sandbox with --webhook and --webhook-key"));
    };
    let url = parse_url(url).ok_or_else(|| bad_request("url has to be an http address"))?;
    HeaderValue::from_str(key).map_err(|_| bad_request("key has to be what a header can carry"))?;
    Ok((url, key.clone()))
}

/// Sends each status once it is reached. Never ends.
pub(crate) async fn send_all(app: &Arc<App>) {
    let target = app.webhooks.target.as_ref().filter(|target| target.is_automatic);
    let Some((url, key)) = target.and_then(|target| Some((parse_url(&target.url)?, target.key.clone())))
    else {
        return std::future::pending().await;
    };
    loop {
        let now = app.clock.now();
        // Before the query: what it says of a transfer whose sending ends meanwhile is out of date.
        let busy = lock(&app.webhooks.busy).clone();
        let due = app.store.read(move |db| due(db, now)).await.unwrap_or_default();
        for (transfer, sent) in due.into_iter().filter(|(transfer, _)| !busy.contains(&transfer.id)) {
            lock(&app.webhooks.busy).insert(transfer.id);
            let (app, url, key) = (Arc::clone(app), url.clone(), key.clone());
            tokio::spawn(async move { send_steps(&app, &url, &key, &transfer, sent, now).await });
        }
        sleep(POLL_PAUSE).await;
    }
}

/// Returns the transfers with steps that were not sent, and how many were.
fn due(db: &Connection, now: i64) -> Result<Vec<(Transfer, u32)>> {
    let query = "SELECT transfers.data, coalesce(sent, 0) AS done
        FROM transfers LEFT JOIN webhook_steps ON transfer = transfers.id
        WHERE done < (SELECT count(*) FROM json_each(transfers.data, '$.steps') WHERE value->>'at' <= ?1)
        ORDER BY number LIMIT 100";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([now], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?)))?;
    rows.map(|row| {
        let (data, sent) = row?;
        Ok((serde_json::from_str(&data)?, sent))
    })
    .collect()
}

/// Sends the steps of one transfer in their order. One that is refused, or fails to the last, is given up.
async fn send_steps(app: &App, url: &Uri, key: &str, transfer: &Transfer, sent: u32, now: i64) {
    let steps: Vec<Step> = transfer.steps.until(now).skip(sent as usize).cloned().collect();
    for step in &steps {
        let mut pauses = PAUSES.iter();
        loop {
            let delivery: Delivery =
                app.webhooks.send(url, key, event_of(transfer.id, step), app.clock.now()).await;
            match pauses.next().filter(|_| delivery.is_temporary_failure()) {
                Some(pause) => sleep(*pause).await,
                None => break,
            }
        }
    }
    let (id, count) = (transfer.id, sent as usize + steps.len());
    // A reset may have come in between: then there is nothing to count.
    let counted = "INSERT OR REPLACE INTO webhook_steps SELECT id, ?2 FROM transfers WHERE id = ?1";
    let _ = app.store.write(move |db| Ok(db.execute(counted, (id.to_string(), count as i64))?)).await;
    lock(&app.webhooks.busy).remove(&transfer.id);
}
