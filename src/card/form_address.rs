use super::Theme;
use crate::api::{Address, Code, Error, is_uuid};

/// Where a session's card form is shown: `<card_url>/v2/add-card/<session_id>?<theme>`
/// (interface, part 4: Card onboarding iframe).
///
/// # Errors
/// [`Code::InvalidRequest`] if the session id is no UUID.
pub fn card_form_url(card_url: &Address, session_id: &str, theme: &Theme) -> Result<String, Error> {
    form_url(card_url, session_id, &theme.to_query())
}

/// [`card_form_url`] with the theme as it stands there.
pub(crate) fn form_url(card_url: &Address, session_id: &str, query: &str) -> Result<String, Error> {
    if !is_uuid(session_id) {
        let expected = "a UUID, the id that createCardSession returned";
        return Err(Error::invalid(Code::InvalidRequest, "sessionId", expected));
    }
    let mut url = card_url.join("/v2/add-card/");
    url.push_str(session_id);
    if !query.is_empty() {
        url.push('?');
        url.push_str(query);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

    fn card_url(text: &str) -> Address {
        Address::parse("cardUrl", text).unwrap()
    }

    #[test]
    fn the_session_is_in_the_path_and_the_theme_in_the_query() {
        let plain =
            card_form_url(&card_url("https://card.example.com/"), SESSION, &Theme::default()).unwrap();
        assert_eq!(plain, format!("https://card.example.com/v2/add-card/{SESSION}"));

        let theme =
            Theme::from_json(r##"{"primary":"#0a7","lng":"es-MX","showStep":true}"##, &|_| true).unwrap();
        let themed = card_form_url(&card_url("http://127.0.0.1:4101/eu"), SESSION, &theme).unwrap();
        let expected =
            format!("http://127.0.0.1:4101/eu/v2/add-card/{SESSION}?primary=%230a7&lng=es-MX&showStep=1");
        assert_eq!(themed, expected);
    }

    #[test]
    fn nothing_but_a_session_id_gets_into_the_path() {
        for id in [
            "",
            "..",
            "x",
            "3f2504e0-4f89-41d3-9a0c-0305e82c3301/../..",
            "3f2504e0-4f89-41d3-9a0c-0305e82c330?",
        ] {
            let error =
                card_form_url(&card_url("https://card.example.com"), id, &Theme::default()).unwrap_err();
            assert_eq!((error.code(), error.option()), (Code::InvalidRequest, Some("sessionId")), "{id}");
        }
    }
}
