use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

use crate::api::{Address, Code, Error, SenderId, SessionId, Uuid};
use crate::browser::{CardFormOptions, is_color};
use crate::card::Theme;
use crate::client;

const KIT_OPTIONS: [&str; 5] = ["baseUrl", "cardUrl", "locale", "timeoutMs", "senderId"];
const FORM_OPTIONS: [&str; 5] = ["sessionId", "theme", "title", "height", "loadTimeoutMs"];

/// The checked options of `createRemitKit`.
pub(super) struct Settings {
    pub(super) client: client::Options,
    pub(super) card_url: Address,
}

impl Settings {
    pub(super) fn read(given: &JsValue, page_origin: Option<&str>) -> Result<Self, Error> {
        refuse_others(given, &KIT_OPTIONS)?;
        let address = |name| {
            let url = text(given, name)?.ok_or_else(|| Error::configuration(name, "present"))?;
            Address::parse(name, &url)
        };
        let (base_url, card_url) = (address("baseUrl")?, address("cardUrl")?);
        if page_origin == Some(card_url.origin()) {
            let expected =
                "of another origin than the page: only then can neither read what is typed into the other";
            return Err(Error::configuration("cardUrl", expected));
        }
        let options = client::Options {
            base_url,
            timeout_ms: within(given, "timeoutMs", client::TIMEOUTS_MS)?
                .unwrap_or(client::DEFAULT_TIMEOUT_MS),
            locale: client::language_tag(&text(given, "locale")?.unwrap_or_default()),
            sender_id: id(given, "senderId")?.map(SenderId::from),
        };
        Ok(Settings { client: options, card_url })
    }
}

/// Checks the options of a card form; the theme is JSON text.
pub(super) fn card_form(given: &JsValue) -> Result<CardFormOptions, Error> {
    let theme = text(given, "theme")?;
    let theme = read_theme(theme.as_deref().unwrap_or("{}"))?;
    refuse_others(given, &FORM_OPTIONS)?;
    let defaults = CardFormOptions::default();
    let title = text(given, "title")?.unwrap_or(defaults.title);
    if title.trim().is_empty() {
        return Err(Error::configuration("title", "a name for the frame, which screen readers announce"));
    }
    Ok(CardFormOptions {
        session_id: id(given, "sessionId")?.map(SessionId::from),
        theme,
        title,
        height: within(given, "height", [100, 4000])?.unwrap_or(defaults.height),
        load_timeout_ms: within(given, "loadTimeoutMs", [100, 120_000])?.unwrap_or(defaults.load_timeout_ms),
    })
}

pub(super) fn read_theme(json: &str) -> Result<Theme, Error> {
    Theme::from_json(json, &is_color)
}

/// Returns an option, or `None` if it is absent.
fn member(given: &JsValue, name: &str) -> Option<JsValue> {
    let value = Reflect::get(given, &name.into()).unwrap_or_default();
    (!value.is_null() && !value.is_undefined()).then_some(value)
}

fn text(given: &JsValue, name: &str) -> Result<Option<String>, Error> {
    let read = |value: JsValue| value.as_string().ok_or_else(|| Error::configuration(name, "a string"));
    member(given, name).map(read).transpose()
}

fn id(given: &JsValue, name: &str) -> Result<Option<Uuid>, Error> {
    let expected = "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    let read = |value: JsValue| value.as_string().and_then(|id| Uuid::new(&id).ok());
    member(given, name)
        .map(|value| read(value).ok_or_else(|| Error::configuration(name, expected)))
        .transpose()
}

/// Returns a whole number of a range, or `None` if there is none.
fn within(given: &JsValue, name: &str, [least, most]: [u32; 2]) -> Result<Option<u32>, Error> {
    let Some(value) = member(given, name) else { return Ok(None) };
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&number) => {
            Ok(Some(number as u32))
        }
        _ => {
            let [least, most] = [least, most].map(|bound| bound.to_string());
            Err(Error::configuration(name, &["a whole number from ", &least, " to ", &most].concat()))
        }
    }
}

fn refuse_others(given: &JsValue, known: &[&str]) -> Result<(), Error> {
    let names = Object::keys(given.unchecked_ref::<Object>());
    match names.iter().filter_map(|name| name.as_string()).find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Error::unknown_member(Code::InvalidConfiguration, &name)),
        None => Ok(()),
    }
}
