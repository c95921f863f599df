//! RemitKit: sending money abroad from a web checkout.
//!
//! Five layers, which import only downward: [`api`] and [`card`], then [`client`], then `browser`, then `js`.
//! The first three are pure: they contain no browser code and are tested natively.
//!
//! # A whole checkout
//!
//! A [`Client`](client::Client) calls the service; each call is a typed method. In a page it runs in a
//! `browser::Browser`, created by `Browser::new(token)`, whose token source passes on the token of the shop's
//! backend. `browser::CardForm::mount_streaming` shows the card form with its events as a `Stream`, and
//! `events` of the form returns another one, which begins with what came before. This example runs in the
//! tests' sandbox, without a page. The module `browser` also compiles for a server that renders the page
//! first, where its calls panic.
//!
//! Amounts are integers of minor units. Times are ISO 8601, or milliseconds in names that end with `_ms`.
//! Records serialize to what the service sent and deserialize from it, in any serde format that describes
//! itself: for fixtures, server functions and restored state. (Numbers do not with serde_json's feature
//! `arbitrary_precision`, which shows them as maps.) Minor versions add members and values, so
//! requests are made by `new` and `with_…`, and a `match` has an arm for the rest. A failed call returns an
//! [`Error`](api::Error) with a [`Kind`](api::Kind) and a [`user_message`](api::Error::user_message) for the
//! customer.
//!
//! The feature `uuid` converts ids from and to the crate uuid.
//!
//! ```ignore-wasm32
//! # mod direct { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/client/direct.rs")); }
//! use remitkit::api::Error;
//! use remitkit::prelude::*;
//!
//! async fn pay<P: Platform>(
//!     client: &Client<P>,
//!     card_form: impl AsyncFn(&SessionId),
//! ) -> Result<Receipt, Error> {
//!     // The customer's input.
//!     let destination = Destination::new("MEX".parse()?, "MXN".parse()?, TransferMethod::PushToCard);
//!     let route = QuoteRequest::new(destination.clone(), "USD".parse()?, MinorUnits::parse("125.50", 2)?);
//!     let query = route.recipient_fields(PartyType::Person);
//!
//!     // The recipient.
//!     let form = client.recipient_fields(&query).await?;
//!     let recipient = RecipientRequest::new(PartyType::Person)
//!         .with_destination(destination)
//!         .with_fields(collect(&form));
//!     let recipient_id = client.create_recipient(&recipient).await?.recipient_id;
//!
//!     // The card, its account, a quote, and the transfer's fields.
//!     let mut flow = client.push_to_card(&route, &recipient_id);
//!     let attempt = loop {
//!         match flow.next_step().await? {
//!             PushToCardStep::AccountFields(_) => flow.set_account_fields(&[])?,
//!             PushToCardStep::Card => {
//!                 let session = client.create_card_session(&CardSessionRequest::default()).await?;
//!                 card_form(&session.id).await;
//!                 flow.set_card(&client.read_card(&session.id).await?);
//!             }
//!             PushToCardStep::Details(request) => {
//!                 let form = client.transfer_fields(&route.transfer_fields()).await?;
//!                 flow.set_details(&request.with_fields(collect(&form)));
//!             }
//!             PushToCardStep::Transfer(attempt) => break attempt,
//!             _ => {}
//!         }
//!     };
//!     let done = attempt.submit().await?;
//!
//!     let transfer_id = &done.transfer.transfer_id;
//!     println!("{:?}", client.get_transfer(transfer_id).await?.status);
//!     client.transfer_receipt(transfer_id).await
//! }
//!
//! /// Collects the fields of a screen; here, the service's example values.
//! fn collect<P: Platform>(form: &FetchedForm<P>) -> Vec<FieldValue> {
//!     let required = form.field_sets.iter().flat_map(|set| &set.fields).filter(|field| field.is_required);
//!     let values: Vec<_> = required
//!         .map(|field| {
//!             let option = field.options.iter().flatten().next().map(|option| option.id.as_str());
//!             let example = option.or(field.placeholder_text.as_deref()).unwrap_or_default();
//!             FieldValue::new(&field.field_id, example)
//!         })
//!         .collect();
//!     assert_eq!(form.check(&values), []);
//!     form.to_fields(&values)
//! }
//! #
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! #     let (platform, sandbox) = direct::open();
//! #     let receipt = pay(&platform.client(), async |id| sandbox.enter_card(id).await)
//! #         .await
//! #         .unwrap_or_else(|error| panic!("{error:?} {:?}", error.problems()));
//! #     assert!(receipt.bytes.starts_with(b"%PDF-"));
//! # }
//! ```
//!
//! # In a framework
//!
//! Records, errors and card events are `Send + Sync`. What holds a connection to the page is not: `Client`,
//! `PendingCall`, `FetchedForm`, `TransferAttempt` and `CardForm` stay on the page's one thread. A `Client`
//! is cheap to clone: each closure takes its own. Dropping a `PendingCall` cancels a read; a transfer that
//! was submitted is settled all the same. Dropping the last `CardForm` removes the form.
//!
//! **Leptos** requires `Send + Sync` of signals, context and views. Provide the client as
//! `SendWrapper::new(client)`, of the crate `send_wrapper`. Await calls in `LocalResource::new` and
//! `Action::new_local`; keep a form or an attempt in `RwSignal::new_local` or `StoredValue::new_local`, which
//! drops it with its component. Results and errors go into any signal and into an `ErrorBoundary`.
//! `examples/leptos` is a whole checkout.
//!
//! **Yew** requires `PartialEq` of properties and context: pass `struct Remit(Rc<Client<Browser>>)` that
//! compares by `Rc::ptr_eq`. Await calls in `wasm_bindgen_futures::spawn_local` from an event or from
//! `use_effect_with`, whose destructor aborts by [`with_signal`](client::PendingCall::with_signal). Mount the
//! card form in such an effect on a `NodeRef`, keep it in `use_mut_ref`, and let the destructor take it out.
//!
//! **Dioxus** requires only `Clone + 'static` of context: `use_context_provider(|| client)`. `use_resource`
//! and `spawn` take futures that are not `Send`, and drop them with their component; a `Signal` holds a form
//! or an attempt. Mount the card form in `onmounted`, on the element of its event. In fullstack, begin calls
//! in `use_effect`, which does not run on the server.
//!
//! # In tests
//!
//! With the feature `testing`, a page's logic runs natively against a scripted service, in virtual time: see
//! the module `testing`.
#![warn(missing_debug_implementations)]

pub mod api;
/// What the code of a checkout names. Common names such as [`api::Error`] are left out.
pub mod prelude {
    pub use crate::api::{
        Amount, CardSession, CardSessionRequest, Code, Corridor, CorridorFieldsQuery, CorridorFilter,
        CountryCode, Currency, CurrencyCode, Destination, FieldProblem, FieldValue, Kind, MinorUnits,
        PartyType, PaymentId, Quote, QuoteBy, QuoteId, QuoteRequest, Receipt, Recipient, RecipientAccount,
        RecipientAccountId, RecipientAccountRequest, RecipientId, RecipientRequest, Resolution, Sender,
        SenderFieldsQuery, SenderId, SenderRequest, SenderToken, SessionId, Transfer, TransferFieldsQuery,
        TransferId, TransferMethod, TransferRequest, TransferStatusName,
    };
    #[cfg(feature = "browser")]
    pub use crate::browser::{Browser, CardForm, CardFormEvent, CardFormOptions};
    pub use crate::client::{
        AttemptState, Client, CompletedTransfer, FetchedForm, PendingCall, Platform, PushToCard,
        PushToCardStep, TransferAttempt,
    };
}
#[cfg(feature = "browser")]
pub mod browser;
pub mod card;
pub mod client;
#[cfg(all(target_arch = "wasm32", feature = "js"))]
pub mod js;
#[cfg(all(not(target_arch = "wasm32"), feature = "testing"))]
pub mod testing;
