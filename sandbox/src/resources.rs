//! All resources of the service.

use crate::resource::Resource;
use crate::{
    card_session, corridor, fields, nonce, options, progress, quote, receipt, recipient, recipient_account,
    sender, token, transfer, transfer_hold, transfer_request, transfer_status,
};

/// What the service has, in the order in which its document tells of it.
pub(crate) static RESOURCES: [Resource; 16] = [
    token::RESOURCE,
    corridor::endpoints::RESOURCE,
    quote::endpoints::RESOURCE,
    fields::endpoints::RESOURCE,
    options::endpoints::RESOURCE,
    sender::endpoints::RESOURCE,
    recipient::endpoints::RESOURCE,
    recipient_account::endpoints::RESOURCE,
    nonce::RESOURCE,
    card_session::endpoints::RESOURCE,
    transfer::RESOURCE,
    transfer_status::endpoints::RESOURCE,
    transfer_hold::RESOURCE,
    progress::RESOURCE,
    receipt::RESOURCE,
    transfer_request::RESOURCE,
];
