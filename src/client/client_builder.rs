use std::time::Duration;

use super::{Client, Options, Platform};
use crate::api::opaque::opaque_debug;
use crate::api::option_name::{BASE_URL, CARD_URL};
use crate::api::{Address, Error, SenderId};

/// How long nothing of a reply may arrive, by default.
pub(crate) const DEFAULT_TIMEOUT_MS: u32 = 10_000;
/// The shortest and the longest of these times.
pub(crate) const TIMEOUTS_MS: [u32; 2] = [100, 120_000];
/// The default `Accept-Language`.
const DEFAULT_LOCALE: &str = "en-US";

/// Builds a [`Client`]; [`build`](ClientBuilder::build) checks the options.
#[must_use = "build() makes the client"]
pub struct ClientBuilder<P> {
    platform: P,
    base_url: String,
    card_url: String,
    locale: String,
    timeout: Duration,
    sender_id: Option<SenderId>,
}

opaque_debug!([P] ClientBuilder<P>);

impl<P: Platform> Client<P> {
    /// Begins to build a client, which requires the [`base_url`](ClientBuilder::base_url) and the
    /// [`card_url`](ClientBuilder::card_url).
    pub fn builder(platform: P) -> ClientBuilder<P> {
        ClientBuilder {
            platform,
            base_url: String::new(),
            card_url: String::new(),
            locale: DEFAULT_LOCALE.to_owned(),
            timeout: Duration::from_millis(DEFAULT_TIMEOUT_MS.into()),
            sender_id: None,
        }
    }
}

impl<P: Platform> ClientBuilder<P> {
    /// Sets the address of the service without `/v1`: https, or http of a loopback host.
    pub fn base_url(mut self, base_url: &str) -> Self {
        base_url.clone_into(&mut self.base_url);
        self
    }

    /// Sets the address of the hosted card form: https, or http of a loopback host.
    pub fn card_url(mut self, card_url: &str) -> Self {
        card_url.clone_into(&mut self.card_url);
        self
    }

    /// Sets the `Accept-Language` of quotes, a language tag; `en-US` by default.
    pub fn locale(mut self, locale: &str) -> Self {
        locale.clone_into(&mut self.locale);
        self
    }

    /// Sets how long nothing of a reply may arrive before an attempt of its request ends, from 100
    /// milliseconds to 2 minutes; 10 seconds by default. All attempts of a call together take at most 30
    /// seconds, or this if it is longer.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the sender of the tokens; by default the client asks the service.
    pub fn sender_id(mut self, sender_id: SenderId) -> Self {
        self.sender_id = Some(sender_id);
        self
    }

    /// Returns the client.
    ///
    /// # Errors
    /// `configuration`, naming the option that is wrong.
    pub fn build(self) -> Result<Client<P>, Error> {
        let [shortest, longest] = TIMEOUTS_MS;
        let timeout_ms = u32::try_from(self.timeout.as_millis()).ok();
        let timeout_ms = timeout_ms.filter(|ms| (shortest..=longest).contains(ms));
        let timeout_ms = timeout_ms
            .ok_or_else(|| Error::configuration("timeout", "from 100 milliseconds to 2 minutes"))?;
        let options = Options {
            base_url: Address::parse(BASE_URL.rust, &self.base_url)?,
            locale: language_tag(&self.locale),
            timeout_ms,
            sender_id: self.sender_id,
        };
        Ok(Client::new(self.platform, options, Address::parse(CARD_URL.rust, &self.card_url)?))
    }
}

/// Returns the language tag of a text such as `es_MX` or `es-MX,es;q=0.9`, or the default: a checkout never
/// fails over a language.
pub(crate) fn language_tag(locale: &str) -> String {
    let tag = locale.split([',', ';', '.', '@']).next().unwrap_or_default().trim().replace('_', "-");
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    if tag.len() <= 35 && tag.split('-').all(is_part) { tag } else { DEFAULT_LOCALE.to_owned() }
}
