use std::cell::{Cell, RefCell};

use wasm_bindgen::prelude::*;

use super::field_form::FieldFormCore;
use super::page::{Page, Traces};
use super::{answer, effect, options};
use crate::api::json::View;
use crate::api::{Address, Code, Error, OPERATIONS, Operation, Uuid, list_of};
use crate::browser::text_of;
use crate::card::card_form_url;
use crate::client::{Awaited, Event, Flow, Kit, Outcome, Step, Task, longest_submission_ms};

/// One configuration of the service, and its flows that are under way. What it answers is text, as `answer.rs` says.
#[wasm_bindgen]
pub struct Core {
    ready: Result<Ready, Error>,
    traces: Traces,
    flows: RefCell<Vec<Running>>,
    form: Cell<Option<FieldFormCore>>,
    order: RefCell<Vec<u16>>,
}

struct Ready {
    kit: Kit,
    base_url: Address,
    card_url: Address,
}

struct Running {
    id: u32,
    flow: Flow,
    awaits: Awaited,
}

#[wasm_bindgen]
impl Core {
    /// From `{ baseUrl, cardUrl, locale?, timeoutMs? }` as JSON text. `is_watched` says whether what was sent is to be told.
    #[wasm_bindgen(constructor)]
    pub fn new(options_json: &str, page_origin: Option<String>, is_watched: bool) -> Core {
        let traces = Traces::new(RefCell::new(is_watched.then(String::new)));
        let ready = options::Settings::read(options_json, page_origin.as_deref()).map(|settings| Ready {
            base_url: settings.client.base_url.clone(),
            kit: Kit::new(Box::new(Page(Traces::clone(&traces))), settings.client),
            card_url: settings.card_url,
        });
        Core { ready, traces, flows: RefCell::default(), form: Cell::default(), order: RefCell::default() }
    }

    /// What is wrong with the options; nothing where they are right.
    pub fn fault(&self) -> String {
        self.ready.as_ref().err().map_or_else(answer::nothing, answer::error)
    }

    /// Begins a flow by its public name; `ids` is a JSON array. Gives what comes next: to do something and tell it under this `id`, or how
    /// it has ended.
    pub fn begin(&self, id: u32, is_aborted: bool, name: &str, ids: &str, input: Option<String>) -> String {
        match task(name, ids, input) {
            Ok(task) => self.start(id, is_aborted, task),
            Err(error) => answer::error(&error),
        }
    }

    /// Begins to look for the choices of a dropdown of a form.
    #[wasm_bindgen(js_name = beginOptions)]
    pub fn begin_options(
        &self,
        id: u32,
        is_aborted: bool,
        form: &FieldFormCore,
        field_id: String,
        values: String,
    ) -> String {
        self.start(id, is_aborted, Task::Options(form.form.clone(), field_id, values))
    }

    /// Tells a flow what became of what it asked for, as `engine.js` numbers it, and gives what comes next.
    #[allow(clippy::too_many_arguments, reason = "each is a part of one reply")]
    pub fn resume(
        &self,
        id: u32,
        is_aborted: bool,
        status: i32,
        body: Option<Vec<u8>>,
        request_id: Option<String>,
        retry_after_s: f64,
    ) -> String {
        let found = {
            let mut flows = self.flows.borrow_mut();
            flows.iter().position(|running| running.id == id).map(|at| flows.swap_remove(at))
        };
        let Some(running) = found else { return answer::nothing() };
        let told = effect::event(running.awaits, status, body.map(text_of), request_id, retry_after_s);
        self.proceed(id, running.flow, told, is_aborted)
    }

    /// What has been sent since this was last asked, a line of JSON each.
    #[wasm_bindgen(js_name = takeTraces)]
    pub fn take_traces(&self) -> String {
        self.traces.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Which of the different rows stands at each place of the list that the last flow has ended with.
    #[wasm_bindgen(js_name = takeOrder)]
    pub fn take_order(&self) -> Vec<u16> {
        self.order.take()
    }

    /// The form that the last flow has ended with.
    #[wasm_bindgen(js_name = takeForm)]
    pub fn take_form(&self) -> Option<FieldFormCore> {
        self.form.take()
    }

    /// The address of the card form alone, as JSON text.
    #[wasm_bindgen(js_name = cardFormUrl)]
    pub fn card_form_url(&self, session_id: &str, theme: &str) -> String {
        self.with(|ready| {
            let theme = options::read_theme(theme);
            let url = theme.and_then(|theme| card_form_url(&ready.card_url, session_id, &theme));
            answer::of(url.map(|url| answer::text(&url)))
        })
    }

    /// The options of a card form, `{ sessionId?, theme?, title?, height?, loadTimeoutMs? }`, checked.
    #[wasm_bindgen(js_name = cardFormOptions)]
    pub fn card_form_options(&self, options_json: &str) -> String {
        answer::of(options::card_form(options_json))
    }

    /// The origin of the card form.
    #[wasm_bindgen(getter, js_name = cardOrigin)]
    pub fn card_origin(&self) -> String {
        self.ready.as_ref().map_or_else(|_| String::new(), |ready| ready.card_url.origin().to_owned())
    }

    /// How long a caller waits for a submission at most, in milliseconds.
    #[wasm_bindgen(getter, js_name = longestSubmissionMs)]
    pub fn longest_submission_ms(&self) -> u32 {
        self.ready.as_ref().map_or(0, |ready| longest_submission_ms(ready.kit.timeout_ms()))
    }

    /// The directives that this configuration needs.
    #[wasm_bindgen(js_name = contentSecurityPolicy)]
    pub fn content_security_policy(&self) -> String {
        self.with(|ready| {
            answer::json(&crate::api::content_security_policy(&ready.base_url, &ready.card_url))
        })
    }
}

impl Core {
    fn start(&self, id: u32, is_aborted: bool, task: Task) -> String {
        self.with(|ready| self.proceed(id, ready.kit.begin(task), Event::Done, is_aborted))
    }

    fn with(&self, work: impl FnOnce(&Ready) -> String) -> String {
        self.ready.as_ref().map_or_else(answer::error, work)
    }

    // The flow is in no list while it runs: what it calls of the page may begin another.
    fn proceed(&self, id: u32, mut flow: Flow, told: Event, is_aborted: bool) -> String {
        match flow.resume(told, is_aborted) {
            Step::Do(effect, heeds_signal) => {
                let (awaits, asked) = (effect.awaited(), effect::ask(&effect, heeds_signal));
                self.flows.borrow_mut().push(Running { id, flow, awaits });
                asked
            }
            Step::Ended(Ok(Outcome::Form(form, received))) => {
                let kit = self.ready.as_ref().ok().map(|ready| ready.kit.clone());
                self.form.set(kit.map(|kit| FieldFormCore { kit, form }));
                answer::received(&received)
            }
            Step::Ended(Ok(outcome)) => {
                if let Outcome::Received(received) = &outcome
                    && let Some(rows) = &received.rows
                {
                    self.order.replace(rows.order.clone());
                }
                answer::outcome(&outcome)
            }
            Step::Ended(Err(error)) => answer::error(&error),
        }
    }
}

fn find(name: &str) -> Result<&'static Operation, Error> {
    OPERATIONS
        .iter()
        .copied()
        .find(|operation| operation.name == name)
        .ok_or_else(|| Error::new(Code::Internal))
}

fn task(name: &str, ids: &str, input: Option<String>) -> Result<Task, Error> {
    let mut ids = View::new(ids).items().filter_map(View::text).map(std::borrow::Cow::into_owned);
    let mut id = || ids.next().unwrap_or_default();
    Ok(match name {
        "prepareTransfer" => Task::Prepare(input.unwrap_or_default()),
        "pendingTransfers" => Task::Pending,
        "discardTransfer" => Task::Discard(id(), id()),
        "submitTransfer" => Task::Submit(id(), id()),
        "forgetTransfer" => Task::Forget(id(), id()),
        "acknowledgeTransfer" => Task::Acknowledge(id(), id()),
        "openCard" => Task::OpenCard(ids.next().map(|id| Uuid::new(&id)).transpose()?),
        "readCard" => Task::ReadCard(Uuid::new(&id())?),
        "request" => Task::Request(input.unwrap_or_default()),
        // What asks for fields gives a form.
        name if name.ends_with("Fields") => Task::Fields(find(name)?, input.unwrap_or_default()),
        name => Task::Call(find(name)?, list_of(ids), input),
    })
}
