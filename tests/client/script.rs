//! Calls with JSON texts of a client on a scripted platform.

use std::cell::RefCell;
use std::collections::BTreeMap;

use futures_util::future::LocalBoxFuture;
use remitkit::api::{Error, Kind, Operation};
use remitkit::client::{Answer, Client, Platform, Reply, SendResult, TransferAttempt};
pub(crate) use remitkit::testing::{
    BASE_URL, CARD_URL, SENDER_ID as SENDER, ScriptedPlatform as Script, SentRequest as Sent, refusal,
    reply as answer,
};

pub(crate) const ID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
pub(crate) const NO_FIELDS: &str = r#"{"fieldSets":[]}"#;

/// A service worker that answers reads from its cache when the network fails.
#[derive(Default)]
pub(crate) struct Worker {
    /// Whether its cache ignores queries.
    pub(crate) ignores_queries: bool,
    /// The answers by their addresses.
    pub(crate) cache: RefCell<BTreeMap<String, Answer>>,
}

impl Worker {
    pub(crate) fn answer(&self, path: &str, answer: SendResult) -> SendResult {
        let found = match &answer {
            Ok(answer) if answer.status == 200 => {
                self.cache.borrow_mut().insert(path.to_owned(), answer.clone());
                None
            }
            Ok(_) => None,
            Err(_) => {
                let route = |path: &str| path.split('?').next().unwrap().to_owned();
                let cache = self.cache.borrow();
                let mut entries = cache.iter();
                let is_this = |of: &str| of == path || self.ignores_queries && route(of) == route(path);
                let found = entries.find(|(of, _)| is_this(of));
                found.map(|(of, answer)| Answer { url: Some([BASE_URL, of].concat()), ..answer.clone() })
            }
        };
        found.map_or(answer, Ok)
    }
}

pub(crate) fn nonce() -> SendResult {
    answer(200, &format!(r#"{{"nonce":"{ID}"}}"#))
}

/// Returns the answer to `GET /sender-id`.
pub(crate) fn owned_by(sender: &str) -> SendResult {
    answer(200, &format!(r#"{{"senderId":"{sender}"}}"#))
}

/// Calls with JSON texts, as a page may give them, and a look at what the platform recorded.
pub(crate) trait ScriptedClient {
    fn client(&self) -> &Client<Script>;

    fn now_ms(&self) -> u64 {
        self.client().platform().now_ms()
    }

    fn sent(&self) -> Vec<Sent> {
        self.client().platform().sent.borrow().clone()
    }

    /// Returns how many requests of a method were sent.
    fn count(&self, method: &str) -> usize {
        self.sent().iter().filter(|sent| sent.method == method).count()
    }

    /// Returns the spawned work, so that it ends or goes on as the test wants.
    fn take_spawned(&self) -> Vec<LocalBoxFuture<'static, ()>> {
        self.client().platform().spawned.take()
    }

    async fn call(
        &self,
        operation: &'static Operation,
        ids: &[&str],
        input: Option<&str>,
    ) -> Result<Reply, Error> {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        self.client().call_json(operation, ids, input.map(str::to_owned)).await
    }

    async fn request_text(&self, raw: &str) -> Result<Reply, Error> {
        self.client().request_json(raw.to_owned()).await
    }

    async fn fetch_fields(&self, operation: &'static Operation, query: &str) {
        self.client().field_form_json(operation, query.to_owned()).await.map(drop).unwrap();
    }

    async fn prepare(&self, request: &str) -> Result<TransferAttempt<Script>, Error> {
        self.client().prepare_json(request.to_owned()).await
    }
}

impl ScriptedClient for Client<Script> {
    fn client(&self) -> &Client<Script> {
        self
    }
}

#[track_caller]
pub(crate) fn error<T>(result: Result<T, Error>) -> Error {
    result.err().expect("an error")
}

#[track_caller]
pub(crate) fn kind<T>(result: Result<T, Error>) -> Kind {
    error(result).kind()
}
