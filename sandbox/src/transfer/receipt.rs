//! The receipt of a transfer: one page of PDF.

use jiff::Timestamp;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};
use serde_json::Value;

use crate::currency::decimal;

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

fn minor_units(transfer: &Value, name: &str) -> i64 {
    transfer.pointer(&format!("/quote/{name}/value")).and_then(Value::as_i64).unwrap_or(0)
}

/// Formats an amount in the currency of the quote's amount `name`.
fn in_currency_of(transfer: &Value, name: &str, value: i64) -> String {
    let Some(currency) = transfer.pointer(&format!("/quote/{name}/currency")) else { return String::new() };
    let places = currency.get("decimalPlaces").and_then(Value::as_u64).unwrap_or(0);
    format!("{} {}", decimal(value, u32::try_from(places).unwrap_or(0)), text(currency, "/iso3Code"))
}

fn amount(transfer: &Value, name: &str) -> String {
    in_currency_of(transfer, name, minor_units(transfer, name))
}

/// Returns all fees and taxes less discounts.
fn fee(transfer: &Value) -> String {
    let fee = minor_units(transfer, "totalCost") - minor_units(transfer, "sendAmount");
    in_currency_of(transfer, "totalCost", fee)
}

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

fn method(transfer: &Value) -> String {
    match text(transfer, "/quote/transferMethod") {
        "PUSH_TO_CARD" => String::from("Debit card"),
        other => words(other),
    }
}

fn name(party: &Value) -> String {
    match text(party, "/companyName") {
        "" => format!("{} {}", text(party, "/firstName"), text(party, "/lastName")),
        company => company.to_owned(),
    }
}

fn lines(transfer: &Value) -> Vec<String> {
    let confirmation = match transfer.get("confirmationNumber") {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let party = |name: &str| transfer.get(name).unwrap_or(&Value::Null);
    vec![
        format!("{}: receipt of a transfer", text(transfer, "/customer/name")),
        String::new(),
        format!("Confirmation number   {confirmation}"),
        format!("Transfer              {}", text(transfer, "/transferId")),
        format!("Date                  {}", date(text(transfer, "/createdAt"))),
        format!("Status                {}", words(text(transfer, "/status"))),
        String::new(),
        format!("Sender                {}", name(party("senderDetails"))),
        format!("Recipient             {}", name(party("recipientDetails"))),
        format!("To                    {}", text(transfer, "/quote/destinationCountry/name")),
        format!("By                    {}", method(transfer)),
        String::new(),
        format!("Amount sent           {}", amount(transfer, "sendAmount")),
        format!("Fee                   {}", fee(transfer)),
        format!("Total cost            {}", amount(transfer, "totalCost")),
        format!("Amount received       {}", amount(transfer, "receiveAmount")),
        String::new(),
        String::from("Made by a sandbox. No money was moved."),
    ]
}

/// Encodes a line for the standard fonts. Characters that they lack become question marks.
fn latin1(line: &str) -> Vec<u8> {
    let is_known = |character: char| matches!(character, ' '..='~' | '\u{a0}'..='\u{ff}');
    line.chars().map(|one| u8::try_from(one).ok().filter(|_| is_known(one)).unwrap_or(b'?')).collect()
}

/// Renders the receipt of a transfer's wire record.
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
        assert_eq!(fee(&transfer), "3.99 USD");
    }
}
