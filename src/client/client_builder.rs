use super::safeguards::Disabled;
use super::{Client, Options, Platform};
use crate::api::option_name::{BASE_URL, CARD_URL};
use crate::api::{Address, Error, SenderId};

/// The default timeout of one attempt.
pub(crate) const DEFAULT_TIMEOUT_MS: u32 = 10_000;
/// The shortest and the longest timeout of one attempt.
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
    timeout_ms: u32,
    sender_id: Option<SenderId>,
    disabled: Disabled,
}

impl<P: Platform> Client<P> {
    /// Begins to build a client of the service at `base_url`, whose card form is at `card_url`: https
    /// addresses, or http ones of a loopback host.
    pub fn builder(platform: P, base_url: &str, card_url: &str) -> ClientBuilder<P> {
        ClientBuilder {
            platform,
            base_url: base_url.to_owned(),
            card_url: card_url.to_owned(),
            locale: DEFAULT_LOCALE.to_owned(),
            timeout_ms: DEFAULT_TIMEOUT_MS,
            sender_id: None,
            disabled: Disabled::default(),
        }
    }
}

impl<P: Platform> ClientBuilder<P> {
    /// Sets the `Accept-Language` of quotes, a language tag; `en-US` by default.
    pub fn locale(mut self, locale: &str) -> Self {
        locale.clone_into(&mut self.locale);
        self
    }

    /// Sets the timeout of one attempt, from 100 to 120,000 milliseconds; 10,000 by default.
    pub fn timeout_ms(mut self, timeout_ms: u32) -> Self {
        self.timeout_ms = timeout_ms;
        self
    }

    /// Sets the sender of the tokens; by default the client asks the service.
    pub fn sender_id(mut self, sender_id: SenderId) -> Self {
        self.sender_id = Some(sender_id);
        self
    }

    /// Sets the safeguard that is disabled.
    #[cfg(remitkit_optional_safeguards)]
    pub fn disable(mut self, safeguard: Option<super::Safeguard>) -> Self {
        self.disabled = Disabled(safeguard);
        self
    }

    /// Returns the client.
    ///
    /// # Errors
    /// `configuration`, naming the option that is wrong.
    pub fn build(self) -> Result<Client<P>, Error> {
        let [shortest, longest] = TIMEOUTS_MS;
        if !(shortest..=longest).contains(&self.timeout_ms) {
            return Err(Error::configuration("timeout_ms", "a whole number from 100 to 120000"));
        }
        let options = Options {
            base_url: Address::parse(BASE_URL, &self.base_url)?,
            locale: language_tag(&self.locale),
            timeout_ms: self.timeout_ms,
            sender_id: self.sender_id,
            disabled: self.disabled,
        };
        Ok(Client::new(self.platform, options, Address::parse(CARD_URL, &self.card_url)?))
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
