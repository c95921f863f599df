//! The fields that the service requests, by their definitions.

use leptos::prelude::*;
use remitkit::api::{
    CARD_ID, Country, FieldDefinition, FieldProblem, FieldType, FieldValue, PhoneNumber, Visibility,
};
use send_wrapper::SendWrapper;

use crate::checkout::{Answers, Form};

type Values = RwSignal<Vec<FieldValue>, LocalStorage>;

/// Collects the values of a form and answers with them once they are valid.
#[component]
pub fn Fields(
    form: Form,
    /// The country of phone numbers.
    country: Option<Country>,
    button: &'static str,
    answers: Answers<Vec<FieldValue>>,
) -> impl IntoView {
    let values: Values = RwSignal::new_local(Vec::new());
    let problems = RwSignal::new_local(Vec::<FieldProblem>::new());
    let (form, answers) = (SendWrapper::new(form), SendWrapper::new(answers));
    let shown = form.field_sets.iter().flat_map(|set| set.fields.clone()).filter(is_shown);
    let inputs = shown
        .map(|field| view! { <Field form=(*form).clone() field country=country.clone() values problems/> })
        .collect_view();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let given = values.get_untracked();
        let mut found = form.check(&given);
        // The card form brings the card.
        found.retain(|problem| problem.field_id != CARD_ID);
        let is_valid = found.is_empty();
        problems.set(found);
        if is_valid {
            let _ = answers.unbounded_send(form.to_fields(&given));
        }
    };
    view! { <form on:submit=submit novalidate>{inputs}<button>{button}</button></form> }
}

/// Whether a form has fields for the customer.
pub fn has_shown_fields(form: &Form) -> bool {
    form.field_sets.iter().flat_map(|set| &set.fields).any(is_shown)
}

fn is_shown(field: &FieldDefinition) -> bool {
    !matches!(field.visibility, Some(Visibility::HideAndOptional | Visibility::HideAndRequired))
}

#[component]
fn Field(
    form: Form,
    field: FieldDefinition,
    country: Option<Country>,
    values: Values,
    problems: RwSignal<Vec<FieldProblem>, LocalStorage>,
) -> impl IntoView {
    let id = field.field_id.clone();
    let label = field.label.clone().or_else(|| field.name.clone()).unwrap_or_else(|| id.clone());
    let placeholder = field.placeholder_text.clone().unwrap_or_default();
    let of = id.clone();
    let problem =
        move || problems.get().into_iter().find(|found| found.field_id == of).map(|found| found.message);
    let (kind, country) = (field.field_type.clone(), SendWrapper::new(country));
    let named = id.clone();
    let set = move |text: String| {
        let value = match (&kind, &*country) {
            (FieldType::PhoneNumber, Some(Country { iso3_code, phone_code, .. })) if !text.is_empty() => {
                let phone_code = phone_code.as_ref().map(|code| code.as_str());
                FieldValue::phone(&named, PhoneNumber { number: &text, country: iso3_code, phone_code })
            }
            _ => FieldValue::new(&named, &text),
        };
        values.update(|values| {
            values.retain(|known| known.id != value.id);
            values.push(value);
        });
    };
    let input = match field.field_type {
        FieldType::Dropdown => {
            let (form, of) = (SendWrapper::new(form), id.clone());
            // Choices may depend on other fields.
            let choices = LocalResource::new(move || {
                let asked = form.options(&of, &values.get());
                async move { asked.await.unwrap_or_default() }
            });
            let choices = move || {
                let choices = choices.get().unwrap_or_default();
                let shown = choices.into_iter().map(|choice| {
                    let text = choice.name.unwrap_or_else(|| choice.id.to_string());
                    view! { <option value=choice.id.to_string() prop:textContent=text></option> }
                });
                shown.collect_view()
            };
            view! { <select name=id on:change:target=move |event| set(event.target().value())><option value=""></option>{choices}</select> }
                .into_any()
        }
        kind => {
            let kind = if kind == FieldType::Date { "date" } else { "text" };
            view! { <input name=id type=kind placeholder=placeholder on:input:target=move |event| set(event.target().value())/> }
                .into_any()
        }
    };
    view! { <p><label>{label} {input}</label> <em prop:textContent=move || problem().unwrap_or_default()></em></p> }
}
