//! The split of the module: which functions the package has in a file of their own, which a page fetches on
//! demand or when idle. Nothing else knows of it.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::value::Signal;
use super::{card_form, field_form, journal, remit_kit, transfer_attempt};
use crate::api::{Code, Error, FieldForm, FieldProblem, Operation};
use crate::browser::Browser;
use crate::client::{Client, Journal, TransferAttempt};

/// Declares a function that returns a table of functions in a part of the module, under unique four hex
/// digits. In the package (`--cfg remitkit_parts`), code that is reachable only through such tables goes into
/// the part's file; otherwise the table is an ordinary static. Calling a part that is not loaded traps, so the
/// package loads it before such a call.
macro_rules! part {
    ($part:literal, $id:literal, $(#[$meta:meta])* $vis:vis fn $name:ident() -> $Table:ty { $table:expr }) => {
        #[cfg(not(remitkit_parts))]
        $(#[$meta])*
        $vis fn $name() -> &'static $Table {
            static TABLE: $Table = $table;
            &TABLE
        }

        #[cfg(remitkit_parts)]
        $(#[$meta])*
        #[allow(unsafe_code, improper_ctypes, improper_ctypes_definitions, reason = "both sides are this function")]
        $vis fn $name() -> &'static $Table {
            // The splitter recognizes these names.
            #[link(wasm_import_module = "__wasm_split_placeholder__")]
            unsafe extern "C" {
                #[link_name = concat!("__wasm_split_00", $part, "00_import_0000000000000000000000000000", $id)]
                fn of_part() -> &'static $Table;
            }
            #[unsafe(export_name = concat!("__wasm_split_00", $part, "00_export_0000000000000000000000000000", $id))]
            extern "C" fn in_part() -> &'static $Table {
                static TABLE: $Table = $table;
                &TABLE
            }
            // SAFETY: the splitter links this import to `in_part`.
            unsafe { of_part() }
        }
    };
}

/// Calls an operation with its ids and its input.
type Call = fn(&Client<Browser>, &'static Operation, Vec<String>, Option<String>, Signal) -> Promise;

/// The part for fields and transfers.
pub(super) struct TransferPart {
    load_messages: fn(),
    pub(super) call: Call,
    pub(super) request: fn(&Client<Browser>, String, Signal) -> Promise,
    pub(super) recover_card_account: fn(&Client<Browser>, String, String, Signal) -> Promise,
    pub(super) field_form: fn(&Client<Browser>, &'static Operation, String, Signal) -> Promise,
    pub(super) requires_card: fn(&FieldForm) -> bool,
    pub(super) check: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
    pub(super) warnings: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
    pub(super) to_fields: fn(&FieldForm, &str) -> Result<String, Error>,
    pub(super) field_options: fn(&Client<Browser>, &FieldForm, String, String, Signal) -> Promise,
    pub(super) open_journal: fn(JsValue) -> Box<dyn Journal>,
    pub(super) prepare: fn(&Client<Browser>, String, Signal) -> Promise,
    pub(super) pending_transfers: fn(&Client<Browser>) -> Promise,
    pub(super) submit: fn(&TransferAttempt<Browser>, Signal) -> Promise,
    pub(super) discard: fn(&TransferAttempt<Browser>, Signal) -> Promise,
    pub(super) acknowledge: fn(&TransferAttempt<Browser>, Signal) -> Promise,
}

part! {
    "transfer", "1035",
    fn transfer_functions() -> TransferPart {
        TransferPart {
            load_messages: Code::load_later_messages,
            call: remit_kit::call,
            request: remit_kit::request,
            recover_card_account: remit_kit::recover_card_account,
            field_form: field_form::fetch,
            requires_card: FieldForm::requires_card,
            check: field_form::check,
            warnings: field_form::warnings,
            to_fields: field_form::to_fields,
            field_options: field_form::options,
            open_journal: journal::open,
            prepare: transfer_attempt::prepare,
            pending_transfers: transfer_attempt::pending,
            submit: transfer_attempt::submit,
            discard: transfer_attempt::discard,
            acknowledge: transfer_attempt::acknowledge,
        }
    }
}

pub(super) fn transfer_part() -> &'static TransferPart {
    let part = transfer_functions();
    (part.load_messages)();
    part
}

/// The part for the card form.
pub(super) struct CardPart {
    pub(super) mount: fn(Client<Browser>, Element, JsValue, Function, Signal) -> Promise,
}

part! {
    "card", "ca4d",
    pub(super) fn card_part() -> CardPart { CardPart { mount: card_form::mount } }
}
