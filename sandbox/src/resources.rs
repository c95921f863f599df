use crate::endpoint::Resource;
use crate::{
    card_session, corridor, fields, nonce, options, quote, recipient, recipient_account, sender, token,
    transfer,
};

/// All resources of the service, in the order of the OpenAPI document.
pub(crate) static RESOURCES: [Resource; 11] = [
    token::RESOURCE,
    corridor::endpoints::RESOURCE,
    quote::RESOURCE,
    fields::endpoints::RESOURCE,
    options::endpoints::RESOURCE,
    sender::endpoints::RESOURCE,
    recipient::endpoints::RESOURCE,
    recipient_account::endpoints::RESOURCE,
    nonce::RESOURCE,
    card_session::endpoints::RESOURCE,
    transfer::RESOURCE,
];
