use super::host::Host;
use super::parts::transfer_part;
use super::value::to_js;
use crate::api::{Code, Error};
use crate::browser::Browser;
use crate::client::Trace;

/// Returns the platform of a client in this page.
pub(super) fn browser(host: &Host) -> Browser {
    let source = host.clone();
    let token = move || {
        let reply = source.token();
        async move {
            match reply.await {
                Ok(json) => Ok(json.as_string().unwrap_or_default()),
                Err(code) => Err(token_error(code.as_string().as_deref())),
            }
        }
    };
    let opener = host.clone();
    let browser = Browser::with_opener(token, move || (transfer_part().open_journal)(&opener));
    if !host.is_watched() {
        return browser;
    }
    let watcher = host.clone();
    browser.with_watcher(move |entry: Trace<'_>| {
        if let Ok(entry) = to_js(&entry) {
            // What watches must not end a call.
            let _ = watcher.diagnostic(entry);
        }
    })
}

/// The error of the token source. What it threw may contain secrets: only the code of a `RemitError` is used.
fn token_error(code: Option<&str>) -> Error {
    match code {
        Some(code) if code == Code::InvalidConfiguration.as_str() => {
            Error::configuration("token", "a source of plain data: a string, or the token endpoint's reply")
        }
        _ => Error::new(Code::TokenUnavailable)
            .with_option("token")
            .with_developer_message("The token source failed. Check what it does and try again."),
    }
}
