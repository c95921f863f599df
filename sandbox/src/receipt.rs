//! GET /v1/transfers/{transferId}/receipt: a page of PDF.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use jiff::Timestamp;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};
use rusqlite::Connection;
use serde_json::Value;

use crate::app::App;
use crate::call::{Call, read};
use crate::currency::decimal;
use crate::error::{ApiError, ErrorCode};
use crate::resource::Resource;
use crate::transfer::{self, Hold};

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/transfers/{transferId}/receipt:
    get:
      operationId: transferReceipt
      tags: [transfer]
      summary: Gives the receipt as a document.
      x-source: published
      x-error-codes: [TransferReceiptNotFound, SenderNotFound]
      responses:
        "200":
          description: The receipt.
          content:
            application/pdf: {}
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/transfers/{transfer}/receipt", get(read(get_one)))
}

fn get_one(call: &Call, db: &Connection) -> Result<impl IntoResponse + use<>, ApiError> {
    let found = transfer::find(call, db);
    let transfer = found.map_err(|error| match error.codes().as_slice() {
        [ErrorCode::TransferNotFound] => ErrorCode::TransferReceiptNotFound.into(),
        _ => error,
    })?;
    // What is held or was taken back has not been paid for: there is nothing to confirm.
    if transfer.is_held(call.now) || transfer.hold == Hold::Canceled {
        return Err(ErrorCode::TransferReceiptNotFound.into());
    }
    let page = pdf(&lines(&transfer.record(call.now)));
    Ok(([(header::CONTENT_TYPE, "application/pdf")], page))
}

fn text<'a>(record: &'a Value, path: &str) -> &'a str {
    record.pointer(path).and_then(Value::as_str).unwrap_or("")
}

fn amount(record: &Value, name: &str) -> String {
    written(value(record, name), record.pointer(&format!("/quote/{name}/currency")))
}

/// What the sender pays beside the amount: fees and taxes, less discounts.
fn fee(record: &Value) -> String {
    let fee = value(record, "totalCost") - value(record, "sendAmount");
    written(fee, record.pointer("/quote/totalCost/currency"))
}

fn value(record: &Value, name: &str) -> i64 {
    record.pointer(&format!("/quote/{name}/value")).and_then(Value::as_i64).unwrap_or(0)
}

fn written(value: i64, currency: Option<&Value>) -> String {
    let Some(currency) = currency else { return String::new() };
    let places = currency.get("decimalPlaces").and_then(Value::as_u64).unwrap_or(0);
    format!("{} {}", decimal(value, u32::try_from(places).unwrap_or(0)), text(currency, "/iso3Code"))
}

fn date(iso: &str) -> String {
    let at = iso.parse::<Timestamp>();
    at.map_or_else(|_| iso.to_owned(), |at| at.strftime("%-d %B %Y, %H:%M UTC").to_string())
}

/// `PUSH_TO_CARD` in words.
fn words(value: &str) -> String {
    let words = value.replace('_', " ").to_lowercase();
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How the recipient gets the money, as a sender would say it.
fn method(record: &Value) -> String {
    match text(record, "/quote/transferMethod") {
        "PUSH_TO_CARD" => String::from("Debit card"),
        other => words(other),
    }
}

fn name(record: &Value, whose: &str) -> String {
    let part = |name: &str| text(record, &format!("/{whose}/{name}"));
    match part("companyName") {
        "" => format!("{} {}", part("firstName"), part("lastName")),
        company => company.to_owned(),
    }
}

fn lines(record: &Value) -> Vec<String> {
    let confirmation = match record.get("confirmationNumber") {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    vec![
        format!("{}: receipt of a transfer", text(record, "/customer/name")),
        String::new(),
        format!("Confirmation number   {confirmation}"),
        format!("Transfer              {}", text(record, "/transferId")),
        format!("Date                  {}", date(text(record, "/createdAt"))),
        format!("Status                {}", words(text(record, "/status"))),
        String::new(),
        format!("Sender                {}", name(record, "senderDetails")),
        format!("Recipient             {}", name(record, "recipientDetails")),
        format!("To                    {}", text(record, "/quote/destinationCountry/name")),
        format!("By                    {}", method(record)),
        String::new(),
        format!("Amount sent           {}", amount(record, "sendAmount")),
        format!("Fee                   {}", fee(record)),
        format!("Total cost            {}", amount(record, "totalCost")),
        format!("Amount received       {}", amount(record, "receiveAmount")),
        String::new(),
        String::from("Made by a sandbox. No money was moved."),
    ]
}

/// A line in the encoding that the standard fonts have; what it lacks becomes a question mark.
fn latin(line: &str) -> Vec<u8> {
    let known = |character: char| matches!(character, ' '..='~' | '\u{a0}'..='\u{ff}');
    line.chars().map(|one| u8::try_from(one).ok().filter(|_| known(one)).unwrap_or(b'?')).collect()
}

/// One page of text in Courier.
fn pdf(lines: &[String]) -> Vec<u8> {
    const FONT: Name<'_> = Name(b"F1");
    let [catalog, pages, page, content, font] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut text = Content::new();
    text.begin_text().set_font(FONT, 11.0).set_leading(16.0).next_line(56.0, 780.0);
    for line in lines {
        text.show(Str(&latin(line))).next_line_using_leading();
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
    fn a_line_keeps_the_letters_that_the_font_has() {
        assert_eq!(latin("José Đà Nẵng\u{7}"), b"Jos\xe9 ?\xe0 N?ng?");
    }

    #[test]
    fn dates_and_names_are_written_for_people() {
        assert_eq!(date("2026-11-22T09:05:00.000Z"), "22 November 2026, 09:05 UTC");
        assert_eq!(words("BANK_ACCOUNT"), "Bank account");
        assert_eq!(words(""), "");
        let usd = serde_json::json!({ "iso3Code": "USD", "decimalPlaces": 2 });
        let record = serde_json::json!({ "quote": {
            "sendAmount": { "value": 20_000, "currency": usd },
            "totalCost": { "value": 20_399, "currency": usd },
        } });
        assert_eq!(fee(&record), "3.99 USD");
    }
}
