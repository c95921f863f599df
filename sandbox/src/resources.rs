use crate::endpoint::Resource;
use crate::{
    card_session, corridor, fields, nonce, options, quote, recipient, recipient_account, sender, token,
    transfer,
};

/// All resources of the service, in the order of the OpenAPI document.
pub(crate) static RESOURCES: [Resource; 11] = [
    token::RESOURCE,
    corridor::RESOURCE,
    quote::RESOURCE,
    fields::endpoints::RESOURCE,
    options::RESOURCE,
    sender::RESOURCE,
    recipient::RESOURCE,
    recipient_account::RESOURCE,
    nonce::RESOURCE,
    card_session::RESOURCE,
    transfer::RESOURCE,
];
