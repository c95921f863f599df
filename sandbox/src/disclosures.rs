//! What senders who pay in US dollars have to be told: before they pay, and with the receipt.

/// A text in English and in Spanish.
type Text = [&'static str; 2];

const BEFORE_PAYMENT: [Text; 1] = [[
    "The recipient may receive less due to fees charged by the recipient's bank and foreign taxes.",
    "El destinatario podría recibir menos por las comisiones de su banco y los impuestos de su país.",
]];
const WITH_RECEIPT: [Text; 2] = [
    [
        "You can cancel for a full refund within 30 minutes of payment, unless the money has been picked up \
         or deposited.",
        "Puedes cancelar y recibir todo tu dinero dentro de los 30 minutos posteriores al pago, a menos que ya \
         se haya recogido o depositado.",
    ],
    [
        "If you think there has been an error, contact us within 180 days of the date on which we promised \
         that the money would be available.",
        "Si crees que hubo un error, avísanos dentro de los 180 días posteriores a la fecha en que prometimos \
         que el dinero estaría disponible.",
    ],
];

pub(crate) fn before_payment(source: &str, spanish: bool) -> Vec<&'static str> {
    worded(&BEFORE_PAYMENT, source, spanish)
}

pub(crate) fn with_receipt(source: &str, spanish: bool) -> Vec<&'static str> {
    worded(&WITH_RECEIPT, source, spanish)
}

fn worded(texts: &[Text], source: &str, spanish: bool) -> Vec<&'static str> {
    let own = texts.iter().filter(|_| source == "USD");
    own.map(|[english, other]| if spanish { *other } else { *english }).collect()
}
