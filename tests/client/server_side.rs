//! A page that is rendered on a server first: it builds its client there, and calls nothing.

use std::future::ready;

use remitkit::api::{Code, Error, Quote, Recipient, Transfer};
use remitkit::browser::{Browser, CardFormEvent};
use remitkit::client::Client;

/// As anyhow, a `ServerFnError` and an `ErrorBoundary` ask for.
const fn passes_between_threads<T: Send + Sync + 'static>() {}

const _: () = {
    passes_between_threads::<Error>();
    passes_between_threads::<CardFormEvent>();
    passes_between_threads::<(Quote, Recipient, Transfer)>();
};

#[test]
fn a_browser_s_client_can_be_built_where_there_is_no_browser() {
    let browser = Browser::new(|| ready(Err::<String, _>(Error::new(Code::TokenUnavailable))));
    let builder = Client::builder(browser).base_url("https://api.example").card_url("https://card.example");
    assert!(builder.build().is_ok());
}
