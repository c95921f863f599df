#[cfg(feature = "js")]
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use super::call_context::{CallContext, Cancellation};
use super::pending_call::CallSignal;
use super::{AttemptState, ClientCore, Entry, Options, PendingCall, Platform, TransferAttempt};
use crate::api::{Address, ContentSecurityPolicy, Error, SessionId};
use crate::card::{Theme, card_form_url};

/// A client of the service on a [`Platform`]. Built by [`Client::builder`]. Cheap to clone; clones share
/// tokens and attempts.
///
/// Each operation is a method that returns a [`PendingCall`], which `.await` begins.
pub struct Client<P: Platform>(Rc<Inner<P>>);

struct Inner<P> {
    platform: Rc<P>,
    core: Rc<ClientCore>,
    card_url: Address,
}

impl<P: Platform> fmt::Debug for Client<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base_url", &self.core().service())
            .field("card_url", &self.0.card_url.join(""))
            .finish_non_exhaustive()
    }
}

impl<P: Platform> Clone for Client<P> {
    fn clone(&self) -> Self {
        Client(Rc::clone(&self.0))
    }
}

impl<P: Platform> Client<P> {
    pub(crate) fn new(platform: P, options: Options, card_url: Address) -> Self {
        let platform = Rc::new(platform);
        let core = Rc::new(ClientCore::new(Rc::clone(&platform) as _, options));
        Client(Rc::new(Inner { platform, core, card_url }))
    }

    /// Returns the platform.
    #[must_use]
    pub fn platform(&self) -> &P {
        &self.0.platform
    }

    /// Returns the address of the card form.
    #[must_use]
    pub fn card_url(&self) -> &Address {
        &self.0.card_url
    }

    /// Returns the URL of the card form for a session, in this theme.
    ///
    /// # Errors
    /// None for a session that the service made.
    pub fn card_form_url(&self, session_id: &SessionId, theme: &Theme) -> Result<String, Error> {
        card_form_url(&self.0.card_url, session_id.as_str(), theme)
    }

    /// Returns the content security policy that a page with these addresses needs.
    #[must_use]
    pub fn content_security_policy(&self) -> ContentSecurityPolicy {
        ContentSecurityPolicy::of(&self.core().options.base_url, &self.0.card_url)
    }

    /// Returns today's date, `YYYY-MM-DD` in UTC.
    #[must_use]
    pub fn today(&self) -> String {
        self.core().today()
    }

    /// Ends what goes on without a caller: the questions about a transfer whose submission was aborted. Calls
    /// in progress end as usual.
    pub fn close(&self) {
        self.core().closing.request();
    }

    /// Returns an attempt with the state and the transfer that this client knows of.
    pub(super) fn latest(&self, attempt: &Entry) -> Entry {
        let mut latest = attempt.clone();
        self.core().attempts.borrow().refresh(&mut latest);
        latest
    }

    /// Returns the attempt that an error carries by its quote, such as that of `PaymentInProgress`: of several,
    /// one that was sent.
    #[must_use]
    pub fn attempt_of(&self, error: &Error) -> Option<TransferAttempt<P>> {
        let attempts = self.core().attempts.borrow();
        let has_quote = |entry: &&Entry| error.attempt() == Some(entry.quote_history_id.as_str());
        let found =
            attempts.entries().filter(has_quote).max_by_key(|entry| entry.state == AttemptState::Sent);
        found.map(|entry| TransferAttempt { client: self.clone(), entry: Box::new(entry.clone()) })
    }

    pub(super) fn core(&self) -> &ClientCore {
        &self.0.core
    }

    /// Returns a call that does this work, whose waits end when its signal is aborted.
    pub(super) fn start<T: 'static, F: Future<Output = Result<T, Error>> + 'static>(
        &self,
        work: impl FnOnce(CallContext) -> F,
    ) -> PendingCall<P, T> {
        PendingCall::new(|signal| work(self.context(signal)))
    }

    /// Returns the context of a call with this signal.
    #[cfg(feature = "js")]
    pub(crate) fn context_of(&self, signal: impl Into<P::Signal>) -> CallContext {
        self.context(Rc::new(RefCell::new(signal.into())))
    }

    pub(super) fn context(&self, signal: CallSignal<P>) -> CallContext {
        let (platform, given) = (Rc::clone(&self.0.platform), Rc::clone(&signal));
        let is_aborted = move || platform.is_aborted(&given.borrow());
        let platform = Rc::clone(&self.0.platform);
        let aborted = async move {
            let signal = signal.borrow().clone();
            platform.aborted(&signal).await;
        };
        CallContext::new(Rc::clone(&self.0.core), Some(Cancellation::by_signal(is_aborted, aborted)))
    }
}
