use serde::{Deserialize, Serialize};

use crate::error::ErrorCode;

/// The operation that a trigger applies to, by the name of the SDK's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Operation {
    Quote,
    RecipientFields,
    CreateSender,
    UpdateSender,
    CreateRecipient,
    CreateRecipientAccount,
    Transfer,
    GetTransfer,
    TransferReceipt,
    TransferRequest,
    CardForm,
}

/// What a tester does to get the code, in a request that is otherwise valid. An empty value means to leave
/// the property or field out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Means {
    /// The value of `amount`, in minor units.
    Amount {
        amount: i64,
    },
    /// The code itself as last name or company name.
    Name,
    Card {
        number: String,
    },
    /// Sets a property, a parameter or a part of the path.
    Property {
        name: String,
        value: String,
    },
    Field {
        id: String,
        value: String,
    },
    Rule {
        rule: String,
    },
}

/// How testers get an error code. Most codes arise from their documented condition, and the entry says what
/// to do. Codes that would take many steps have a value that the service recognizes: an amount or a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trigger {
    pub(crate) code: ErrorCode,
    pub(crate) operation: Operation,
    pub(crate) means: Means,
}
