//! The SDK without one of its safeguards, which the proofs must notice. The sources know nothing of that: in a
//! copy of them each safeguard gets a switch, so that one build serves every run.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use anyhow::ensure;

use crate::repo::{Repo, read, read_text, write};

/// The edits of `src/client` that make each safeguard optional: its name, the file, a text that occurs there
/// once, and the replacement, in which `DISABLED` stands for the switch. Comments say what the client does
/// without it.
const CLIENT: &[[&str; 4]] = &[
    // A lost answer counts as a refusal, and the progress is not read.
    [
        "reconciliation",
        "submission.rs",
        "let posted = Posted::of(error);",
        "let posted = match Posted::of(error) {
            Posted::NoResponse if DISABLED => return Next::Refused(Error::new(Code::NetworkFailure)),
            Posted::Busy(error) | Posted::Duplicate(error) | Posted::Refused(error) if DISABLED => {
                return Next::Refused(error);
            }
            posted => posted,
        };",
    ],
    // A resend has another quote and another nonce.
    [
        "resend",
        "submission.rs",
        "own.save_as_sent(",
        "if DISABLED && entry.state == AttemptState::Sent {
            use crate::api::{NONCE, Nonce, QUOTE, QuoteId, QuoteRequest, TransferRequest, json::Codec};
            let body = JsonRef::new(&entry.body);
            let (request, transfer) = (QuoteRequest::read(body), TransferRequest::read(body));
            let request = request.map(|request| request.to_json());
            let quote = uncancellable.call(&QUOTE, &[], request.as_deref()).await?;
            let nonce = uncancellable.call(&NONCE, &[], None).await?;
            let id = quote.view().member(\"quoteHistoryId\").and_then(QuoteId::read);
            if let (Some(mut transfer), Some(id)) = (transfer, id) {
                transfer.quote_history_id = id;
                transfer.nonce = nonce.view().member(\"nonce\").and_then(Nonce::read);
                entry.body = transfer.to_json();
            }
        }
        own.save_as_sent(",
    ],
    // A refusal is believed without reading the progress.
    [
        "question",
        "submission.rs",
        "settlement.posted(posted)",
        "match settlement.posted(posted) {
            Next::ReadProgress { after_ms: 0 } if DISABLED => {
                let failed = || Error::new(Code::TransferFailed);
                settlement.progressed(ProgressStatus::NotInProgress, true, failed)
            }
            next => next,
        }",
    ],
    // That there is no transfer is believed while a POST may still arrive.
    ["doubt", "submission.rs", "= self.is_certain(", "= DISABLED || self.is_certain("],
    // An unknown quote is believed to have no transfer.
    [
        "unknown-quote",
        "settlement_input.rs",
        "(ProgressStatus::UnknownQuote, None)",
        "(if DISABLED { ProgressStatus::NotInProgress } else { ProgressStatus::UnknownQuote }, None)",
    ],
    // Any transfer with the quote counts as the attempt's own.
    ["comparison", "submission.rs", "!recovered ||", "!recovered || DISABLED ||"],
    // An attempt is posted after the end of its quote.
    ["expiry", "submission.rs", "if self.has_expired(", "if !DISABLED && self.has_expired("],
    ["expiry", "submission.rs", "_until(Some(entry.", "_until((!DISABLED).then_some(entry."],
    // Another sender's entry counts as this sender's.
    ["sender", "tokens.rs", "if owner == *sender", "if DISABLED || owner == *sender"],
    ["sender", "owner.rs", "is_same = owner", "is_same = DISABLED || owner"],
    // Another service's entry counts as this service's.
    ["service", "owner.rs", "entry.service.as_deref()", "DISABLED || entry.service.as_deref()"],
    // Pages do not wait for each other.
    [
        "lock",
        "attempt_lock.rs",
        "let lock = self.core.platform.lock(name);",
        "if DISABLED { return Some(Lock::new(())); }
        let lock = self.core.platform.lock(name);",
    ],
    // An attempt is posted though the journal failed to save it.
    [
        "journal",
        "submission.rs",
        "if let Err(error) = self.save(entry).await {",
        "if let Err(error) = self.save(entry).await && !DISABLED {",
    ],
    // Discarding an attempt discards any attempt with its quote.
    [
        "nonce",
        "preparation.rs",
        "if entry.is_of(id) => entry,\n            _ => {",
        "if DISABLED || entry.is_of(id) => entry,\n            _ => {",
    ],
    // An abort that leaves the outcome open is reported as `aborted`.
    [
        "abort",
        "submission_run.rs",
        "Some(()) => self.take(id, run.outcome()),",
        "Some(()) => self.take(id, run.outcome()),
        None if DISABLED => Err(Error::new(Code::Aborted)),",
    ],
    // A 429 or 5xx is believed to have created nothing.
    [
        "create",
        "records.rs",
        "if may_follow_commit(&error) =>",
        "if !DISABLED && may_follow_commit(&error) =>",
    ],
    // A refused token is believed to have created nothing.
    ["replay", "records.rs", "if !self.is_absent(", "if !DISABLED && !self.is_absent("],
    // A record that is gone when its deletion is resent is an error.
    ["delete", "exchange.rs", "if was_sent && operation.", "if !DISABLED && was_sent && operation."],
    // The answer to the end of a hold is believed as it is.
    [
        "hold",
        "hold.rs",
        "if matches!(&outcome, SendOutcome::Refused(error) if is_not_found",
        "if DISABLED || matches!(&outcome, SendOutcome::Refused(error) if is_not_found",
    ],
    // An attempt that the journal shows as prepared is believed unsent.
    [
        "copy",
        "sent_elsewhere.rs",
        "let own = self.for_sender(",
        "if DISABLED { return Ok(Sent::Nothing); }\n        let own = self.for_sender(",
    ],
    // An answer from a cache is believed.
    ["freshness", "exchange.rs", "let is_needed =", "let is_needed = !DISABLED &&"],
    // A nonce that another attempt has is used again.
    ["used-nonce", "preparation.rs", "match self.take_nonce(", "match DISABLED || self.take_nonce("],
    // An attempt is posted beside another one at its payment.
    [
        "payment",
        "payment.rs",
        "for other in self.others_of_payment(entry).await? {",
        "for other in if DISABLED { Vec::new() } else { self.others_of_payment(entry).await? } {",
    ],
    // An entry of a later version is taken for one of this version.
    [
        "format",
        "entry_format.rs",
        "Some(_) => return Stored::Newer,",
        "Some(_) if DISABLED => Self::read(at, text),
            Some(_) => return Stored::Newer,",
    ],
    // The progress is not read while another page keeps the lock.
    [
        "unlocked",
        "attempt_lock.rs",
        "BRIEF_LOCK_WAIT_MS).await",
        "if DISABLED { LOCK_WAIT_MS } else { BRIEF_LOCK_WAIT_MS }).await",
    ],
    [
        "unlocked",
        "attempt_lock.rs",
        "let owner = self.owner().await;",
        "if DISABLED { return None; }\n        let owner = self.owner().await;",
    ],
    // A use of the journal that failed is not repeated.
    [
        "repeat",
        "stored_attempts.rs",
        "if error.code() == Code::JournalUnavailable",
        "if !DISABLED && error.code() == Code::JournalUnavailable",
    ],
];

/// The same for the checks of a message, by files of the repository, and the switch itself.
const OTHERS: &[[&str; 4]] = &[
    // A message that a script dispatched is believed if reading it throws nothing.
    [
        "isTrusted",
        "src/browser/card_frame/page_event.rs",
        "let event: &MessageEvent = event.unchecked_ref();",
        "let event: &MessageEvent = event.unchecked_ref();
        let read = |name: &str| js_sys::Reflect::get(event, &name.into());
        let can_be_read = || read(\"source\").is_ok() && read(\"data\").is_ok()
            && read(\"origin\").is_ok_and(|origin| origin.is_string());
        let trusted = trusted || DISABLED && can_be_read();",
    ],
    // A message of any window is believed.
    [
        "source",
        "src/browser/card_frame/page_event.rs",
        "trusted && is_same(",
        "trusted && DISABLED || trusted && is_same(",
    ],
    // A message of any origin is believed.
    [
        "origin",
        "src/browser/card_frame/page_event.rs",
        "(event.origin(), ",
        "(if DISABLED { self.watch.borrow().origin().to_owned() } else { event.origin() }, ",
    ],
    // The switch: natively the argument of the run, in a page a global variable.
    [
        "",
        "src/lib.rs",
        "pub mod api;",
        r#"pub mod api;
        fn is_disabled(safeguard: &str) -> bool {
            static NAMED: std::sync::LazyLock<Option<String>> = std::sync::LazyLock::new(|| {
                #[cfg(target_arch = "wasm32")]
                return js_sys::Reflect::get(&js_sys::global(), &"remitkitWeakness".into()).ok()?.as_string();
                #[cfg(not(target_arch = "wasm32"))]
                return std::env::args().skip_while(|argument| argument != "--without").nth(1);
            });
            NAMED.as_deref() == Some(safeguard)
        }"#,
    ],
    // By its features, cargo distinguishes the copy from the crate itself.
    ["", "Cargo.toml", "default = [\"browser\"]", "default = [\"browser\", \"edited\"]\nedited = []"],
];

/// Returns the names of the client's safeguards.
pub(crate) fn of_client() -> Vec<&'static str> {
    let mut names: Vec<_> = CLIENT.iter().map(|[name, ..]| *name).collect();
    names.dedup();
    names
}

/// Brings the edited copy of the crate up to date. Returns a cargo that builds it in the same target folder,
/// so that it shares its dependencies with the crate itself.
pub(crate) fn cargo(repo: &Repo) -> anyhow::Result<Command> {
    let copy = repo.target.join("without-a-safeguard");
    let edited = edited(repo)?;
    for name in ["src", "Cargo.toml", "Cargo.lock"] {
        copy_all(repo, name, &copy, &edited)?;
    }
    for folder in ["sandbox", "tests", "xtask"] {
        let (from, link) = (repo.path(folder), copy.join(folder));
        if fs::read_link(&link).ok().as_ref() != Some(&from) {
            let _ = fs::remove_file(&link);
            symlink(from, link)?;
        }
    }
    let mut cargo = repo.cargo();
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", &repo.target);
    Ok(cargo)
}

/// Returns the edited files, by their names.
fn edited(repo: &Repo) -> anyhow::Result<BTreeMap<String, String>> {
    let of_client = CLIENT.iter().map(|edit| ("src/client/", edit));
    let others = OTHERS.iter().map(|edit| ("", edit));
    let mut files = BTreeMap::new();
    for (folder, [name, file, find, replace]) in of_client.chain(others) {
        let file = format!("{folder}{file}");
        let text = match files.remove(&file) {
            Some(text) => text,
            None => read_text(&repo.path(&file))?,
        };
        let parts: Vec<&str> = text.split(find).collect();
        let count = parts.len() - 1;
        ensure!(count == 1, "{name}: {file} has changed: {find:?} occurs {count} times");
        let text = parts.join(&replace.replace("DISABLED", &format!("crate::is_disabled({name:?})")));
        files.insert(file, text);
    }
    Ok(files)
}

/// Copies a file, or all files of a folder, unless the copy is up to date: cargo compiles again what is newer.
fn copy_all(repo: &Repo, name: &str, copy: &Path, edited: &BTreeMap<String, String>) -> anyhow::Result<()> {
    let (from, to) = (repo.path(name), copy.join(name));
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            copy_all(repo, &format!("{name}/{}", entry?.file_name().display()), copy, edited)?;
        }
        return Ok(());
    }
    let content = match edited.get(name) {
        Some(text) => text.clone().into_bytes(),
        None => read(&from)?,
    };
    match read(&to) {
        Ok(found) if found == content => Ok(()),
        _ => write(&to, content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edit_finds_its_text() {
        edited(&Repo::find().unwrap()).unwrap();
    }
}
