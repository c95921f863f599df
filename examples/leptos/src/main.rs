//! A checkout in Leptos with the crate itself: price, recipient, account or card, transfer, status, receipt.
//!
//! The page has the addresses of service and card form: `<html data-base-url="…" data-card-url="…">`.
//! The token comes from the shop's own backend, at `/api/remit-token`.

mod checkout;
mod fields;

use std::rc::Rc;

use checkout::{Receipt, Step};
use fields::Fields;
use futures_util::StreamExt;
use gloo_net::http::Request;
use js_sys::{Array, Uint8Array};
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;
use remitkit::api::{Amount, Code, Corridor, Error, FieldValue};
use remitkit::browser::{Browser, CardForm, CardFormEvent, CardFormOptions};
use remitkit::client::Client;
use send_wrapper::SendWrapper;
use web_sys::{Blob, BlobPropertyBag, Url};

/// The running checkout. The client is not `Send`, which Leptos requires, so it is wrapped: a page has one
/// thread.
#[derive(Clone)]
struct Flow {
    client: SendWrapper<Client<Browser>>,
    step: RwSignal<Step, LocalStorage>,
    failure: RwSignal<String>,
}

impl Flow {
    /// Goes to the next step, or shows why it cannot.
    fn go(&self, next: impl AsyncFnOnce(&Client<Browser>) -> Result<Step, Error> + 'static) {
        let flow = self.clone();
        spawn_local(async move {
            match next(&flow.client).await {
                Ok(step) => {
                    flow.failure.set(String::new());
                    flow.step.set(step);
                }
                Err(error) => flow.fail(&error),
            }
        });
    }

    fn fail(&self, error: &Error) {
        self.failure.set(error.user_message().to_owned());
    }
}

fn main() {
    leptos::mount::mount_to_body(|| match client() {
        Ok(client) => view! { <Checkout client=SendWrapper::new(client)/> }.into_any(),
        Err(error) => view! { <p role="alert">{error.to_string()}</p> }.into_any(),
    });
}

fn client() -> Result<Client<Browser>, Error> {
    let setting = |name: &str| {
        document().document_element().and_then(|html| html.get_attribute(name)).unwrap_or_default()
    };
    Client::builder(Browser::new(token), &setting("data-base-url"), &setting("data-card-url")).build()
}

/// Returns the token endpoint's reply, as the shop's backend forwards it.
async fn token() -> Result<String, Error> {
    let unavailable = |_| Error::new(Code::TokenUnavailable);
    let reply = Request::post("/api/remit-token").send().await.map_err(unavailable)?;
    reply.text().await.map_err(unavailable)
}

#[component]
fn Checkout(client: SendWrapper<Client<Browser>>) -> impl IntoView {
    let (step, failure) = (RwSignal::new_local(Step::Amount), RwSignal::new(String::new()));
    let flow = Flow { client, step, failure };
    let shown = move || {
        let flow = flow.clone();
        match step.get() {
            Step::Amount => view! { <AmountToSend flow/> }.into_any(),
            Step::Recipient(route, form) => {
                let country = Some(route.country.clone());
                let done = Rc::new(move |fields| {
                    let route = route.clone();
                    flow.go(async |client| checkout::add_recipient(client, route, fields).await);
                });
                view! { <h1>"Who receives?"</h1><Fields form country button="Continue" done/> }.into_any()
            }
            Step::Account(route, form, recipient_id) => {
                let (country, requires_card) = (Some(route.country.clone()), form.requires_card());
                let going = flow.clone();
                let done = Rc::new(move |fields: Vec<FieldValue>| {
                    let (route, id) = (route.clone(), recipient_id.clone());
                    going.go(async |client| checkout::add_account(client, route, id, fields).await);
                });
                if requires_card {
                    view! { <h1>"Which card?"</h1><Card flow done/> }.into_any()
                } else {
                    view! { <h1>"Which account?"</h1><Fields form country button="Continue" done/> }
                        .into_any()
                }
            }
            Step::Review(form, request, quote) => {
                let (cost, gets) = (quote.total_cost.unwrap_or(quote.send_amount), quote.receive_amount);
                let price = format!(
                    "You pay {}, they get {}",
                    shown(&cost),
                    gets.as_ref().map_or_else(String::new, shown)
                );
                let done = Rc::new(move |fields| {
                    let request = request.clone();
                    flow.go(async |client| checkout::pay(client, request, fields).await);
                });
                view! { <h1>{price}</h1><Fields form country=None button="Send" done/> }.into_any()
            }
            Step::Done(receipt) => view! { <Done receipt/> }.into_any(),
        }
    };
    view! { <main>{shown}<p role="alert">{failure}</p></main> }
}

fn shown(amount: &Amount) -> String {
    let decimal = amount.to_decimal().unwrap_or_default();
    format!("{decimal} {}", amount.currency.iso3_code)
}

/// Destination and amount, with the price of what is typed.
#[component]
fn AmountToSend(flow: Flow) -> impl IntoView {
    let (typed, place) = (RwSignal::new("125.50".to_owned()), RwSignal::new(0));
    let asking = flow.clone();
    let corridors = LocalResource::new(move || {
        let flow = asking.clone();
        async move {
            let corridors = flow.client.corridors().await;
            corridors.unwrap_or_else(|error| {
                flow.fail(&error);
                Vec::new()
            })
        }
    });
    let chosen =
        move || corridors.get().and_then(|corridors: Vec<Corridor>| corridors.get(place.get()).cloned());
    let quoting = flow.clone();
    // The latest reply counts: Leptos drops requests for earlier amounts.
    let price = LocalResource::new(move || {
        let (flow, corridor, typed) = (quoting.clone(), chosen(), typed.get());
        async move {
            let Some(corridor) = corridor else { return String::new() };
            price_of(&flow.client, &corridor, &typed).await.unwrap_or_else(|error| error.to_string())
        }
    });
    let go_on = move |_| {
        let (corridor, typed) = (chosen(), typed.get_untracked());
        let Some(corridor) = corridor else { return };
        flow.go(async move |client| {
            checkout::ask_recipient(client, checkout::route(&corridor, &typed)?).await
        });
    };
    let choices = move || {
        let corridors = corridors.get().unwrap_or_default();
        let shown = corridors.into_iter().enumerate().map(|(place, corridor)| {
            let text = format!("{} {}", corridor.destination_country.name, corridor.transfer_method.as_str());
            view! { <option value=place.to_string()>{text}</option> }
        });
        shown.collect_view()
    };
    view! {
        <h1>"Send money"</h1>
        <label>"To " <select name="corridor" on:change:target=move |event| place.set(event.target().value().parse().unwrap_or(0))>{choices}</select></label>
        <label>"You send " <input name="amount" inputmode="decimal" prop:value=typed on:input:target=move |event| typed.set(event.target().value())/></label>
        <output>{move || price.get().unwrap_or_default()}</output>
        <button on:click=go_on>"Continue"</button>
    }
}

async fn price_of(client: &Client<Browser>, corridor: &Corridor, typed: &str) -> Result<String, Error> {
    let quote = client.quote(&checkout::route(corridor, typed)?.quoted).await?;
    Ok(match &quote.receive_amount {
        Some(amount) => format!("They get {}", shown(amount)),
        None => format!("You pay {}", shown(&quote.send_amount)),
    })
}

/// The hosted card form, until a card is verified.
#[component]
fn Card(flow: Flow, done: Rc<dyn Fn(Vec<FieldValue>)>) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let (form, done) = (StoredValue::new_local(None), SendWrapper::new(done));
    Effect::new(move || {
        let Some(place) = place.get() else { return };
        let (flow, done) = (flow.clone(), done.clone());
        spawn_local(async move {
            let options = CardFormOptions::default();
            let mounted = CardForm::mount_streaming((*flow.client).clone(), &place, options).await;
            let mut events = match mounted {
                // Dropping this handle, with the view, removes the frame.
                Ok((mounted, events)) => {
                    form.set_value(Some(mounted));
                    events
                }
                Err(error) => return flow.fail(&error),
            };
            while let Some(event) = events.next().await {
                match event {
                    CardFormEvent::Completed { card_id, .. } => return done(checkout::card(&card_id)),
                    CardFormEvent::Failed(error) => flow.fail(&error),
                    _ => {}
                }
            }
        });
    });
    view! { <div node_ref=place></div> }
}

#[component]
fn Done(receipt: Receipt) -> impl IntoView {
    let Receipt { confirmation, status, pdf } = receipt;
    let kind = BlobPropertyBag::new();
    kind.set_type("application/pdf");
    let file = Blob::new_with_u8_array_sequence_and_options(&Array::of1(&Uint8Array::from(&*pdf)), &kind);
    let address = file.and_then(|file| Url::create_object_url_with_blob(&file)).unwrap_or_default();
    view! {
        <h1>"Confirmation " <b>{confirmation}</b></h1>
        <p>"Status: " <i>{status}</i></p>
        <a href=address download="receipt.pdf">"Receipt"</a>
    }
}
