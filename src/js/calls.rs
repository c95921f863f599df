use std::pin::pin;

use futures_util::future::{Either, select};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::host::Host;
use super::parts::transfer_part;
use crate::api::{Code, Error};
use crate::browser::{Browser, future_to_promise};
use crate::client::{Client, Outcome, Platform, Task};

/// The signal of a call as JavaScript passes it.
pub(super) type Signal = Option<AbortSignal>;

/// Begins the calls of a kit and of what it hands out.
#[derive(Clone)]
pub(super) struct Calls {
    pub(super) client: Client<Browser>,
    pub(super) host: Host,
}

/// Makes the value of an outcome, or an object that makes further calls.
type MakeValue = fn(Calls, Outcome) -> Result<JsValue, JsValue>;

impl Calls {
    /// Begins a call. Requests that may be resent and need no check by fields run in the first file of the
    /// module, all others in its part for transfers.
    pub(super) fn begin(&self, task: Task, signal: Signal, make_value: MakeValue) -> Promise {
        let part = match &task {
            Task::Call(operation, ..) if operation.is_plain() => None,
            // The part is there, as the attempt came from it. What an abort means depends on what was sent.
            Task::Submit(_) | Task::Discard(_) | Task::Acknowledge(_) => None,
            _ => Some("transfer"),
        };
        let calls = self.clone();
        self.in_part(part, signal.clone(), async move {
            if part.is_some() {
                (transfer_part().begin)();
            }
            let outcome = calls.client.perform_task(task).with_signal(signal).await?;
            make_value(calls, outcome)
        })
    }

    /// Runs work once the part of the package that it needs is loaded.
    pub(super) fn in_part(
        &self,
        part: Option<&'static str>,
        signal: Signal,
        work: impl Future<Output = Result<JsValue, JsValue>> + 'static,
    ) -> Promise {
        let calls = self.clone();
        future_to_promise(async move {
            if let Some(part) = part {
                calls.load(part, signal).await?;
            }
            work.await
        })
    }

    async fn load(&self, part: &str, signal: Signal) -> Result<(), JsValue> {
        let (platform, signal) = (self.client.platform(), signal.into());
        match select(pin!(platform.aborted(&signal)), pin!(self.host.part(part).into_future())).await {
            Either::Left(_) => Err(Error::new(Code::Aborted).into()),
            Either::Right((loaded, _)) => loaded.map(drop),
        }
    }
}
