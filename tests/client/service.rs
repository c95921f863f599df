//! A service with one quote and its transfer, and the pages that use it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use remitkit::api::json::JsonRef;
use remitkit::client::{Answer, Client, SendFailure, SendResult, TransferAttempt};
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use crate::script::{ID, NO_FIELDS, Script, ScriptedClient, Sent, answer, nonce, owned_by, refusal};
use remitkit::testing::ScriptedJournal as Store;

pub(crate) const REQUEST: &str = concat!(
    r#"{"dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","srcCurrencyIso3Code":"USD","#,
    r#""transferMethod":"PUSH_TO_CARD","quoteBy":"SEND_AMOUNT","amount":12550,"#,
    r#""quoteHistoryId":"11111111-4f89-41d3-9a0c-0305e82c3301","#,
    r#""recipientId":"22222222-4f89-41d3-9a0c-0305e82c3301","#,
    r#""recipientAccountId":"33333333-4f89-41d3-9a0c-0305e82c3301"}"#
);
pub(crate) const QUOTE: &str = "11111111-4f89-41d3-9a0c-0305e82c3301";
/// The attempt's key in the journal, and the name of its lock.
pub(crate) const KEY: &str = "remitkit.attempt.11111111-4f89-41d3-9a0c-0305e82c3301";

pub(crate) const SECOND: Duration = Duration::from_secs(1);
pub(crate) const DAY: Duration = Duration::from_hours(24);

/// Returns [`REQUEST`] with this nonce.
pub(crate) fn request_with(nonce: &str) -> String {
    REQUEST.replacen('{', &format!(r#"{{"nonce":"{nonce}","#), 1)
}

/// Returns [`REQUEST`] with another recipient and this nonce.
pub(crate) fn other_request(nonce: &str) -> String {
    request_with(nonce).replace("22222222", "44444444")
}

/// Returns [`REQUEST`] with another quote, and this payment.
pub(crate) fn request_of(quote: &str, payment: &str) -> String {
    REQUEST.replace(QUOTE, quote).replacen('{', &format!(r#"{{"paymentId":"{payment}","#), 1)
}

/// Returns the id of a quote's transfer.
pub(crate) fn transfer_of(quote: &str) -> String {
    if quote == QUOTE { ID.to_owned() } else { [&quote[..8], &ID[8..]].concat() }
}

/// A service with one transfer for each quote, and the journal and clock of all pages that use it.
#[derive(Clone)]
pub(crate) struct Service {
    /// The bodies of the transfers that were made.
    pub(crate) made: Rc<RefCell<Vec<String>>>,
    pub(crate) posts: Rc<RefCell<Vec<Sent>>>,
    /// Decides on each POST, by its number: whether the transfer is made, and the answer.
    pub(crate) post: Rc<dyn Fn(usize) -> (bool, SendResult)>,
    /// Answers the progress of a quote without a transfer.
    pub(crate) no_transfer: Rc<dyn Fn() -> SendResult>,
    /// Answers requests for quotes.
    pub(crate) quote: Rc<dyn Fn(&Sent) -> SendResult>,
    pub(crate) store: Rc<Store>,
    pub(crate) started: Instant,
}

impl Service {
    pub(crate) fn new(post: impl Fn(usize) -> (bool, SendResult) + 'static) -> Self {
        let no_transfer = || answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#);
        Service {
            made: Rc::default(),
            posts: Rc::default(),
            post: Rc::new(post),
            no_transfer: Rc::new(no_transfer),
            quote: Rc::new(|_| refusal(400, "ErrorGettingQuote")),
            store: Rc::default(),
            started: Instant::now(),
        }
    }

    /// Makes the transfer at the first POST.
    pub(crate) fn working() -> Self {
        Service::new(|_| (true, transfer()))
    }

    /// Gives every POST this answer, and makes nothing.
    pub(crate) fn failing(with: SendResult) -> Self {
        Service::new(move |_| (false, with.clone()))
    }

    /// Gives the first POST this answer, and makes the transfer at the next.
    pub(crate) fn failing_once(with: SendResult) -> Self {
        Service::new(move |number| if number == 0 { (false, with.clone()) } else { (true, transfer()) })
    }

    /// Never receives a POST.
    pub(crate) fn unreachable() -> Self {
        Service::failing(Err(SendFailure::Network))
    }

    pub(crate) fn recovers(&mut self) {
        self.post = Rc::new(|_| (true, transfer()));
    }

    /// Returns the same service for pages with another journal.
    pub(crate) fn with_other_journal(&self) -> Self {
        Service { store: Rc::default(), ..self.clone() }
    }

    pub(crate) fn script(&self) -> Script {
        let service = self.clone();
        let mut script = Script::new(move |_, sent| service.answer(sent));
        (script.journal, script.started) = (self.store.clone(), self.started);
        script
    }

    /// Opens a page.
    pub(crate) fn page(&self) -> Client<Script> {
        self.script().client()
    }

    /// Opens a page and fetches a quote for the request.
    pub(crate) async fn quoted(&self, request: &str) -> Client<Script> {
        let page = self.page();
        page.call(&remitkit::api::QUOTE, &[], Some(request)).await.unwrap();
        page
    }

    /// Opens a page and prepares [`REQUEST`].
    pub(crate) async fn prepared(&self) -> (Client<Script>, TransferAttempt<Script>) {
        let page = self.page();
        let attempt = page.prepare(REQUEST).await.unwrap();
        (page, attempt)
    }

    /// Opens a page and returns the one attempt that it lists.
    pub(crate) async fn listed(&self) -> (Client<Script>, TransferAttempt<Script>) {
        let page = self.page();
        let attempt = page.pending_transfers().await.unwrap().remove(0);
        (page, attempt)
    }

    pub(crate) async fn hold_lock(&self) -> OwnedMutexGuard<()> {
        self.store.lock(KEY).await
    }

    /// Returns the attempt's entry in the journal, empty if there is none.
    pub(crate) fn entry(&self) -> String {
        self.store.entries.borrow().get(KEY).cloned().unwrap_or_default()
    }

    pub(crate) fn set_entry(&self, text: String) {
        self.store.entries.borrow_mut().insert(KEY.to_owned(), text);
    }

    /// Changes the entry as a late write or another tab may.
    pub(crate) fn replace_in_entry(&self, from: &str, to: &str) {
        self.set_entry(self.entry().replace(from, to));
    }

    pub(crate) fn post_count(&self) -> usize {
        self.posts.borrow().len()
    }

    pub(crate) fn answer(&self, sent: &Sent) -> SendResult {
        let body = sent.body.as_deref().unwrap_or_default();
        let quote = match body {
            "" => sent.route().1.rsplit('/').next().unwrap_or_default().to_owned(),
            body => JsonRef::new(body).text_of("quoteHistoryId").unwrap_or_default().into_owned(),
        };
        let is_made = self.made.borrow().iter().any(|body| body.contains(&quote));
        match sent.route() {
            (_, "/v1/transfer-fields") => answer(200, NO_FIELDS),
            (_, "/v1/nonce") => nonce(),
            ("POST", "/v1/transfers") => {
                let number = self.post_count();
                self.posts.borrow_mut().push(sent.clone());
                if is_made {
                    return refusal(400, "TransferDuplicatedByQuote");
                }
                let (makes, answer) = (self.post)(number);
                self.made.borrow_mut().extend(sent.body.clone().filter(|_| makes));
                answer.map(|answer| Answer { text: answer.text.replace(ID, &transfer_of(&quote)), ..answer })
            }
            (_, path) if path.starts_with("/v1/transfers/progress/") && is_made => {
                let id = transfer_of(&quote);
                answer(200, &format!(r#"{{"transferId":"{id}","transferRecordStatus":"Created"}}"#))
            }
            (_, path) if path.starts_with("/v1/transfers/progress/") => (self.no_transfer)(),
            ("GET", path) if path.starts_with("/v1/transfers/") => self.read_back(&quote),
            (_, path) if path.starts_with("/v1/quote") => (self.quote)(sent),
            other => panic!("{other:?}"),
        }
    }

    /// Shows the transfer that was made.
    fn read_back(&self, id: &str) -> SendResult {
        let made = self.made.borrow();
        let is_shown = |body: &&String| {
            JsonRef::new(body).text_of("quoteHistoryId").is_some_and(|quote| transfer_of(&quote) == id)
        };
        let body = JsonRef::new(made.iter().find(is_shown).unwrap());
        let amount = body.member("amount").unwrap().raw();
        let [quote, recipient] =
            ["quoteHistoryId", "recipientId"].map(|name| body.text_of(name).unwrap_or_default());
        let quote = format!(r#""quote":{{"quoteHistoryId":"{quote}","sendAmount":{{"value":{amount}}}}}"#);
        let recipient = format!(r#""recipientDetails":{{"recipientId":"{recipient}"}}"#);
        answer(
            200,
            &format!(
                r#"{{"transferId":"{id}","confirmationNumber":20261121000000001234,{quote},{recipient}}}"#
            ),
        )
    }
}

/// Returns the answer to a POST that made the transfer.
pub(crate) fn transfer() -> SendResult {
    answer(200, &format!(r#"{{"transferId":"{ID}","confirmationNumber":20261121000000001234}}"#))
}

pub(crate) fn progress_reads(page: &Client<Script>) -> usize {
    page.sent().iter().filter(|sent| sent.path.starts_with("/v1/transfers/progress/")).count()
}

/// Returns what an attempt serializes to.
pub(crate) fn summary(attempt: &TransferAttempt<Script>) -> String {
    serde_json::to_string(attempt).unwrap()
}

/// Returns the script of a page whose tokens are this sender's.
pub(crate) fn of_sender(service: &Service, sender: &'static str) -> Script {
    let mut script = service.script();
    script.owner = Box::new(move |_| owned_by(sender));
    script
}
