//! How the part makes objects of the exported classes, which it does not import: their functions are passed in.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

use crate::api::FieldForm;
use crate::browser::Browser;
use crate::client::{Client, Reply, TransferAttempt};
use crate::js::value::of_reply;

pub(in crate::js) type MakeForm = fn(Client<Browser>, FieldForm, JsValue) -> JsValue;
pub(in crate::js) type MakeAttempt = fn(TransferAttempt<Browser>) -> JsValue;

/// Makes an object of a form's rules and the field sets of its reply.
pub(super) fn form_of(
    client: Client<Browser>,
    form: FieldForm,
    reply: &Reply,
    make: MakeForm,
) -> Result<JsValue, JsValue> {
    let field_sets = Reflect::get(&of_reply(reply)?, &"fieldSets".into())?;
    Ok(make(client, form, field_sets))
}
