//! A checkout in Leptos with the crate itself: price, recipient, account or card, transfer, status, receipt.
//!
//! The page has the addresses of service and card form: `<html data-base-url="…" data-card-url="…">`.
//! The token comes from the shop's own backend, at `/api/remit-token`.

mod checkout;
mod fields;

use checkout::{Answers, Receipt, Screen};
use fields::Fields;
use futures_channel::mpsc;
use futures_util::{FutureExt, StreamExt};
use gloo_net::http::Request;
use js_sys::{Array, Uint8Array};
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;
use remitkit::api::{Amount, Code, Corridor, CorridorFilter, Error, Quote, SenderToken};
use remitkit::browser::{Browser, CardForm, CardFormEvent, CardFormOptions};
use remitkit::client::Client;
use send_wrapper::SendWrapper;
use web_sys::{Blob, BlobPropertyBag, Url};

/// The page of a checkout. The client is not `Send`, which Leptos requires, so it is wrapped: a page has one
/// thread.
#[derive(Clone)]
struct Page {
    client: SendWrapper<Client<Browser>>,
    /// With its number.
    screen: RwSignal<Option<(usize, SendWrapper<Screen>)>>,
    failure: RwSignal<String>,
}

impl Page {
    /// Shows a screen until `work` succeeds with an answer of the customer, and why it does not.
    async fn ask<Answer, Value>(
        &self,
        screen: impl FnOnce(Answers<Answer>) -> Screen,
        work: impl AsyncFn(Answer) -> Result<Value, Error>,
    ) -> Value {
        let (sender, mut answers) = mpsc::unbounded();
        self.show(screen(sender));
        while let Some(answer) = answers.next().await {
            match work(answer).await {
                Ok(value) => {
                    self.failure.set(String::new());
                    return value;
                }
                Err(error) => self.fail(&error),
            }
            // Clicks meanwhile must not send it again.
            while let Some(Some(_)) = answers.next().now_or_never() {}
        }
        std::future::pending().await // the page has been left
    }

    /// Shows an error until the customer tries again.
    async fn fail_until_retried(&self, error: &Error) {
        self.fail(error);
        self.ask(Screen::Retry, async |()| Ok(())).await;
    }

    fn show(&self, screen: Screen) {
        let number = self.screen.get_untracked().map_or(0, |(number, _)| number + 1);
        self.screen.set(Some((number, SendWrapper::new(screen))));
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
    let builder = Client::builder(Browser::new(token));
    builder.base_url(&setting("data-base-url")).card_url(&setting("data-card-url")).build()
}

/// Returns the token endpoint's reply, as the shop's backend forwards it.
async fn token() -> Result<SenderToken, Error> {
    let unavailable = |cause: gloo_net::Error| Error::new(Code::TokenUnavailable).with_source(cause);
    let reply = Request::post("/api/remit-token").send().await.map_err(unavailable)?;
    reply.json().await.map_err(unavailable)
}

#[component]
fn Checkout(client: SendWrapper<Client<Browser>>) -> impl IntoView {
    let (screen, failure) = (RwSignal::new(None), RwSignal::new(String::new()));
    let page = Page { client, screen, failure };
    spawn_local(checkout::checkout(page.clone()));
    let view_of = move |(_, screen): (usize, SendWrapper<Screen>)| {
        let page = page.clone();
        match screen.take() {
            Screen::Amount(answers) => view! { <AmountToSend page answers/> }.into_any(),
            Screen::Fields { title, form, country, answers } => {
                view! { <h1>{title}</h1><Fields form country button="Continue" answers/> }.into_any()
            }
            Screen::Card(answers) => view! { <h1>"Which card?"</h1><Card page answers/> }.into_any(),
            Screen::Review { quote, form, answers } => view! {
                <h1 prop:textContent=move || checkout::title_of(&quote.get())></h1>
                {move || paragraphs(checkout::disclosures(&quote.get()))}
                <Fields form country=None button="Send" answers/>
            }
            .into_any(),
            Screen::Retry(answers) => {
                let answers = SendWrapper::new(answers);
                let retry = move |_| drop(answers.unbounded_send(()));
                view! { <button on:click=retry>"Try again"</button> }.into_any()
            }
            Screen::Done(receipt) => view! { <Done receipt/> }.into_any(),
        }
    };
    // By its number: two screens of one kind would share their elements, with what was typed into them.
    view! {
        <main>
            <For each=move || screen.get() key=|(number, _)| *number children=view_of/>
            <p role="alert" prop:textContent=move || failure.get()></p>
        </main>
    }
}

/// Shows texts that may change. They are set on their elements, as a browser's translator replaces the text
/// nodes that a view holds.
fn paragraphs(texts: Vec<String>) -> impl IntoView {
    texts.into_iter().map(|text| view! { <p prop:textContent=text></p> }).collect_view()
}

fn shown(amount: &Amount) -> String {
    let decimal = amount.to_decimal().unwrap_or_default();
    format!("{decimal} {}", amount.currency.iso3_code)
}

/// Destination and amount, with the price of what is typed.
#[component]
fn AmountToSend(page: Page, answers: Answers<(Corridor, String)>) -> impl IntoView {
    let (typed, place) = (RwSignal::new("125.50".to_owned()), RwSignal::new(0));
    let asking = page.clone();
    let corridors = LocalResource::new(move || {
        let page = asking.clone();
        async move {
            let corridors = page.client.corridors(&CorridorFilter::default()).await;
            corridors.unwrap_or_else(|error| {
                page.fail(&error);
                Vec::new()
            })
        }
    });
    let chosen =
        move || corridors.get().and_then(|corridors: Vec<Corridor>| corridors.get(place.get()).cloned());
    // The latest reply counts: Leptos drops requests for earlier amounts.
    let price = LocalResource::new(move || {
        let (page, corridor, typed) = (page.clone(), chosen(), typed.get());
        async move {
            let Some(corridor) = corridor else { return (String::new(), Vec::new()) };
            match quote(&page.client, &corridor, &typed).await {
                Ok(quote) => (figure_of(&quote), checkout::disclosures(&quote)),
                Err(error) => (error.to_string(), Vec::new()),
            }
        }
    });
    let answers = SendWrapper::new(answers);
    let go_on = move |_| {
        if let Some(corridor) = chosen() {
            let _ = answers.unbounded_send((corridor, typed.get_untracked()));
        }
    };
    let choices = move || {
        let corridors = corridors.get().unwrap_or_default();
        let shown = corridors.into_iter().enumerate().map(|(place, corridor)| {
            let text = format!("{} {}", corridor.destination_country.name, corridor.transfer_method.as_str());
            view! { <option value=place.to_string() prop:textContent=text></option> }
        });
        shown.collect_view()
    };
    view! {
        <h1>"Send money"</h1>
        <label>"To " <select name="corridor" on:change:target=move |event| place.set(event.target().value().parse().unwrap_or(0))>{choices}</select></label>
        <label>"You send " <input name="amount" inputmode="decimal" prop:value=typed on:input:target=move |event| typed.set(event.target().value())/></label>
        <output prop:textContent=move || price.get().unwrap_or_default().0></output>
        {move || paragraphs(price.get().unwrap_or_default().1)}
        <button on:click=go_on>"Continue"</button>
    }
}

async fn quote(client: &Client<Browser>, corridor: &Corridor, typed: &str) -> Result<Quote, Error> {
    client.quote(&checkout::price(corridor, typed)?).await
}

fn figure_of(quote: &Quote) -> String {
    match &quote.receive_amount {
        Some(amount) => format!("They get {}", shown(amount)),
        None => format!("You pay {}", shown(&quote.send_amount)),
    }
}

/// The hosted card form, until a card is verified.
#[component]
fn Card(page: Page, answers: Answers<String>) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let (form, answers) = (StoredValue::new_local(None), SendWrapper::new(answers));
    Effect::new(move || {
        let Some(place) = place.get() else { return };
        let (page, answers) = (page.clone(), answers.clone());
        spawn_local(async move {
            let options = CardFormOptions::default();
            let mounted = CardForm::mount_streaming((*page.client).clone(), &place, options).await;
            let mut events = match mounted {
                // Dropping this handle, with the view, removes the frame.
                Ok((mounted, events)) => {
                    form.set_value(Some(mounted));
                    events
                }
                Err(error) => return page.fail(&error),
            };
            while let Some(event) = events.next().await {
                match event {
                    CardFormEvent::Completed { card_id, .. } => {
                        let _ = answers.unbounded_send(card_id);
                    }
                    CardFormEvent::Failed(error) => page.fail(&error),
                    _ => {}
                }
            }
        });
    });
    view! { <div node_ref=place></div> }
}

#[component]
fn Done(receipt: Receipt) -> impl IntoView {
    let Receipt { confirmation, status, disclaimers, pdf } = receipt;
    let kind = BlobPropertyBag::new();
    kind.set_type("application/pdf");
    let file = Blob::new_with_u8_array_sequence_and_options(&Array::of1(&Uint8Array::from(&*pdf)), &kind);
    let address = file.and_then(|file| Url::create_object_url_with_blob(&file)).unwrap_or_default();
    view! {
        <h1>"Confirmation " <b>{confirmation}</b></h1>
        <p>"Status: " <i>{status}</i></p>
        {paragraphs(disclaimers)}
        {(!pdf.is_empty()).then(|| view! { <a href=address download="receipt.pdf">"Receipt"</a> })}
    }
}
