//! A Leptos page that quotes what is typed and shows the hosted card form, by the crate itself.
//!
//! Where the service and the card form are stands in the page: `<html data-base-url="…" data-card-url="…">`. The token comes
//! from the shop's own backend, at `/api/remit-token`.

use futures_util::{FutureExt, StreamExt};
use gloo_net::http::Request;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;
use remitkit::api::{
    Address, Amount, Code, Corridor, Error, MinorUnits, QuoteBy, QuoteRequest, TransferMethod,
};
use remitkit::browser::{Browser, CardForm, CardFormEvent, CardFormOptions, SessionJournal};
use remitkit::card::Theme;
use remitkit::client::{Client, Options};
use send_wrapper::SendWrapper;

/// The kit is of one thread, as everything in a page is; Leptos asks that of whoever it carries about.
type Kit = SendWrapper<Client<Browser>>;

fn main() {
    leptos::mount::mount_to_body(|| match kit() {
        Ok((kit, card_url)) => view! { <Checkout kit=SendWrapper::new(kit) card_url=card_url/> }.into_any(),
        Err(error) => view! { <output role="alert">{error.to_string()}</output> }.into_any(),
    });
}

fn kit() -> Result<(Client<Browser>, Address), Error> {
    let setting = |name: &str| {
        document().document_element().and_then(|html| html.get_attribute(name)).unwrap_or_default()
    };
    let options = Options {
        base_url: Address::parse("baseUrl", &setting("data-base-url"))?,
        locale: "en-US".to_owned(),
        timeout_ms: 10_000,
        sender_id: None,
    };
    let browser = Browser {
        token: Box::new(|| token().boxed_local()),
        journal: Box::new(SessionJournal::open().ok_or_else(|| Error::new(Code::InvalidConfiguration))?),
        watcher: None,
    };
    Ok((Client::new(browser, options), Address::parse("cardUrl", &setting("data-card-url"))?))
}

/// The token endpoint's reply, as the shop's backend hands it on.
async fn token() -> Result<String, Error> {
    let unavailable = |_| Error::new(Code::TokenUnavailable);
    let reply = Request::post("/api/remit-token").send().await.map_err(unavailable)?;
    reply.text().await.map_err(unavailable)
}

#[component]
fn Checkout(kit: Kit, card_url: Address) -> impl IntoView {
    let (typed, set_typed) = signal("125.50".to_owned());
    let quoting = kit.clone();
    // The newest answer counts: Leptos drops what an earlier amount is still waiting for.
    let price = LocalResource::new(move || {
        let (kit, typed) = (quoting.clone(), typed.get());
        async move { quote(&kit, &typed).await.unwrap_or_else(|error| error.to_string()) }
    });
    view! {
        <main>
            <label>"You send " <input inputmode="decimal" prop:value=typed on:input:target=move |event| set_typed.set(event.target().value())/></label>
            <output>{move || price.get().unwrap_or_default()}</output>
            <Card kit=kit card_url=card_url/>
        </main>
    }
}

async fn quote(kit: &Client<Browser>, typed: &str) -> Result<String, Error> {
    let corridors = kit.corridors(&None).await?;
    let found = corridors.iter().find(|corridor| corridor.transfer_method == TransferMethod::PushToCard);
    let none = || Error::new(Code::NoCorridorFoundForSpecificValues);
    let Corridor { transfer_method, destination_country, source_currency, destination_currency, .. } =
        found.ok_or_else(none)?;
    let source = source_currency.0.first().ok_or_else(none)?;
    let request = QuoteRequest {
        transfer_method: transfer_method.clone(),
        quote_by: QuoteBy::SendAmount,
        dst_country: destination_country.iso3_code.clone(),
        src_currency: source.iso3_code.clone(),
        dst_currency: destination_currency.0.first().ok_or_else(none)?.iso3_code.clone(),
        amount: MinorUnits::parse(typed, source.decimal_places)?,
        recipient_account_id: None,
    };
    let quote = kit.quote(&request, &None).await?;
    let shown = |amount: &Amount| {
        amount.to_decimal().map(|decimal| format!("{decimal} {}", amount.currency.iso3_code.as_str()))
    };
    match &quote.receive_amount {
        Some(amount) => Ok(format!("They get {}", shown(amount)?)),
        None => Ok(format!("You pay {}", shown(&quote.send_amount)?)),
    }
}

#[component]
fn Card(kit: Kit, card_url: Address) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let (events, set_events) = signal(Vec::<String>::new());
    Effect::new(move || {
        let Some(place) = place.get() else { return };
        let options = CardFormOptions {
            card_url: card_url.clone(),
            session_id: None,
            theme: Theme::default(),
            title: "Card".to_owned(),
            height: 432,
            load_timeout_ms: 20_000,
        };
        let kit = kit.clone();
        let tell = move |text: String| set_events.update(|events| events.push(text));
        spawn_local(async move {
            let mounted = CardForm::mount_streaming((*kit).clone(), &place, options, &None).await;
            // The form stays as long as this handle: dropping it removes the frame.
            let (_form, mut stream) = match mounted {
                Ok(mounted) => mounted,
                Err(error) => return tell(error.to_string()),
            };
            while let Some(event) = stream.next().await {
                tell(match event {
                    CardFormEvent::Completed { card_id, .. } => format!("The card is {card_id}"),
                    CardFormEvent::Failed(error) => error.to_string(),
                    event => format!("{event:?}"),
                });
            }
        });
    });
    view! {
        <div node_ref=place></div>
        <ol>{move || events.get().into_iter().map(|event| view! { <li>{event}</li> }).collect_view()}</ol>
    }
}
