//! What the page provides: its token source, its journal, whoever watches.

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use js_sys::Promise;
use wasm_bindgen::prelude::*;

use crate::api::json::Writer;
use crate::api::{Code, Error, list_of};
use crate::browser::{TokenSource, Watcher, journal_failed};
use crate::client::Journal;

#[wasm_bindgen]
extern "C" {
    /// The functions that the façade hands over. Each promise of theirs gives plain data or rejects.
    pub type Host;

    #[wasm_bindgen(method, catch)]
    fn token(this: &Host) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn journal(this: &Host) -> HostJournal;
    #[wasm_bindgen(method, getter)]
    fn diagnostic(this: &Host) -> Option<js_sys::Function>;

    type HostJournal;
    #[wasm_bindgen(method, catch)]
    fn get(this: &HostJournal, key: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn set(this: &HostJournal, key: &str, text: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn delete(this: &HostJournal, key: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn keys(this: &HostJournal) -> Result<Promise, JsValue>;
}

pub(super) fn token_source(host: &Host) -> TokenSource {
    let host: Host = JsValue::from(host).unchecked_into();
    Box::new(move || {
        let asked = host.token();
        async move {
            let answer = match asked {
                Ok(promise) => promise.await,
                Err(thrown) => Err(thrown),
            };
            let text =
                answer.map(|value| js_sys::JSON::stringify(&value).ok().and_then(|text| text.as_string()));
            text.map(Option::unwrap_or_default).map_err(|thrown| refused(&thrown))
        }
        .boxed_local()
    })
}

/// What the page threw may hold anything, so none of it is shown. An error of our own is handed on by its code.
fn refused(thrown: &JsValue) -> Error {
    let member =
        |name: &str| js_sys::Reflect::get(thrown, &name.into()).ok().and_then(|value| value.as_string());
    if member("code").as_deref() == Some("InvalidConfiguration")
        && member("name").as_deref() == Some("RemitError")
    {
        return Error::configuration(
            "token",
            "a source of plain data: a string, or the token endpoint's reply",
        );
    }
    Error::new(Code::TokenUnavailable)
        .of_option("token")
        .saying("The token source failed. Check what it does and try again.")
}

pub(super) fn journal(host: &Host) -> Box<dyn Journal> {
    Box::new(host.journal())
}

type Answer<'a, T> = LocalBoxFuture<'a, Result<T, Error>>;

async fn answer(asked: Result<Promise, JsValue>) -> Result<JsValue, Error> {
    match asked {
        Ok(promise) => promise.await.map_err(|_| journal_failed()),
        Err(_) => Err(journal_failed()),
    }
}

impl Journal for HostJournal {
    fn load<'a>(&'a self, key: &'a str) -> Answer<'a, Option<String>> {
        async move { Ok(answer(self.get(key)).await?.as_string()) }.boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> Answer<'a, ()> {
        async move { answer(self.set(key, text)).await.map(drop) }.boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> Answer<'a, ()> {
        async move { answer(self.delete(key)).await.map(drop) }.boxed_local()
    }

    fn keys(&self) -> Answer<'_, Vec<String>> {
        async move {
            let keys = answer(HostJournal::keys(self)).await?;
            Ok(list_of(js_sys::Array::from(&keys).iter().filter_map(|key| key.as_string())))
        }
        .boxed_local()
    }
}

pub(super) fn watcher(host: &Host) -> Option<Watcher> {
    let watch = host.diagnostic()?;
    Some(Box::new(move |trace| {
        let mut out = Writer::default();
        out.object(|out| {
            out.text_member("operation", trace.operation);
            out.text_member("method", trace.method);
            for (name, value) in [
                ("attempt", u64::from(trace.attempt)),
                ("status", u64::from(trace.status)),
                ("durationMs", trace.duration_ms),
            ] {
                out.member(name);
                out.raw(&value.to_string());
            }
            if let Some(request_id) = trace.request_id {
                out.text_member("requestId", request_id);
            }
        });
        let _ = watch.call1(&JsValue::UNDEFINED, &out.finish().into());
    }))
}
