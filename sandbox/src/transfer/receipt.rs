//! The receipt of a transfer: one page of PDF.

use jiff::Timestamp;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};
use serde_json::Value;

use crate::currency::decimal;

fn date(iso: &str) -> String {
    let at = iso.parse::<Timestamp>();
    at.map_or_else(|_| iso.to_owned(), |at| at.strftime("%-d %B %Y, %H:%M UTC").to_string())
}

/// Turns `BANK_ACCOUNT` into `Bank account`.
fn words(value: &str) -> String {
    let words = value.replace('_', " ").to_lowercase();
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn lines(transfer: &Value) -> Vec<String> {
    let text = |pointer: &str| transfer.pointer(pointer).and_then(Value::as_str).unwrap_or("");
    let integer = |pointer: &str| transfer.pointer(pointer).and_then(Value::as_i64).unwrap_or(0);
    let units = |name: &str| integer(&format!("/quote/{name}/value"));
    // Formats an amount in the currency of the quote's amount `name`.
    let in_currency_of = |name: &str, value: i64| {
        let places = integer(&format!("/quote/{name}/currency/decimalPlaces"));
        let code = text(&format!("/quote/{name}/currency/iso3Code"));
        format!("{} {code}", decimal(value, u32::try_from(places).unwrap_or(0)))
    };
    let amount = |name: &str| in_currency_of(name, units(name));
    let name = |party: &str| match text(&format!("/{party}/companyName")) {
        "" => ["firstName", "lastName"].map(|name| text(&format!("/{party}/{name}"))).join(" "),
        company => company.to_owned(),
    };
    let method = match text("/quote/transferMethod") {
        "PUSH_TO_CARD" => String::from("Debit card"),
        other => words(other),
    };
    let confirmation = transfer.get("confirmationNumber").map(Value::to_string).unwrap_or_default();
    vec![
        format!("{}: receipt of a transfer", text("/customer/name")),
        String::new(),
        format!("Confirmation number   {}", confirmation.trim_matches('"')),
        format!("Transfer              {}", text("/transferId")),
        format!("Date                  {}", date(text("/createdAt"))),
        format!("Status                {}", words(text("/status"))),
        String::new(),
        format!("Sender                {}", name("senderDetails")),
        format!("Recipient             {}", name("recipientDetails")),
        format!("To                    {}", text("/quote/destinationCountry/name")),
        format!("By                    {method}"),
        String::new(),
        format!("Amount sent           {}", amount("sendAmount")),
        // All fees and taxes less discounts.
        format!(
            "Fee                   {}",
            in_currency_of("totalCost", units("totalCost") - units("sendAmount"))
        ),
        format!("Total cost            {}", amount("totalCost")),
        format!("Amount received       {}", amount("receiveAmount")),
        String::new(),
        String::from("Made by a sandbox. No money was moved."),
    ]
}

/// Encodes a line for the standard fonts. Characters that they lack become question marks.
fn latin1(line: &str) -> Vec<u8> {
    let is_known = |character: char| matches!(character, ' '..='~' | '\u{a0}'..='\u{ff}');
    line.chars().map(|one| u8::try_from(one).ok().filter(|_| is_known(one)).unwrap_or(b'?')).collect()
}

pub(super) fn pdf(transfer: &Value) -> Vec<u8> {
    const FONT: Name<'_> = Name(b"F1");
    let [catalog, pages, page, content, font] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut text = Content::new();
    text.begin_text().set_font(FONT, 11.0).set_leading(16.0).next_line(56.0, 780.0);
    for line in lines(transfer) {
        text.show(Str(&latin1(&line))).next_line_using_leading();
    }
    text.end_text();

    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut sheet = pdf.page(page);
    sheet.parent(pages).media_box(Rect::new(0.0, 0.0, 595.0, 842.0)).contents(content);
    sheet.resources().fonts().pair(FONT, font);
    sheet.finish();
    pdf.stream(content, &text.finish());
    pdf.type1_font(font).base_font(Name(b"Courier")).encoding_predefined(Name(b"WinAnsiEncoding"));
    pdf.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_methods_fees_and_names_are_readable() {
        assert_eq!(latin1("José Đà Nẵng\u{7}"), b"Jos\xe9 ?\xe0 N?ng?");
        assert_eq!(date("2026-11-22T09:05:00.000Z"), "22 November 2026, 09:05 UTC");
        assert_eq!(words("BANK_ACCOUNT"), "Bank account");
        let usd = serde_json::json!({ "iso3Code": "USD", "decimalPlaces": 2 });
        let transfer = serde_json::json!({ "quote": {
            "sendAmount": { "value": 20_000, "currency": usd },
            "totalCost": { "value": 20_399, "currency": usd },
        } });
        assert!(lines(&transfer).contains(&"Fee                   3.99 USD".to_owned()));
    }
}
