use super::{Form, Kind, Subject};
use crate::corridor::RequestedRoute;
use crate::endpoint::*;

pub(crate) const RESOURCE: Resource = Resource { file: file!(), routes, tables: "", document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/sender-fields", get(plain(sender_fields)))
        .route("/v1/recipient-fields", get(plain(recipient_fields)))
        .route("/v1/recipient-account-fields", get(plain(account_fields)))
        .route("/v1/transfer-fields", get(plain(transfer_fields)))
}

fn reply(call: &Call, form: Form<'_>) -> Reply {
    let (address, language) = (own_address(call), call.language());
    Ok(json!({ "fieldSets": Form { address: &address, language: &language, ..form }.sets() }))
}

fn sender_fields(call: &Call) -> Reply {
    let kind = call.query(|query| query.variant("senderType"))?;
    reply(call, Form::new(&call.world, Subject::Sender, call.now).with_kind(kind))
}

fn in_corridor(call: &Call, subject: Subject) -> Reply {
    let (kind, route): (Kind, _) =
        call.query(|query| (query.variant("recipientType"), RequestedRoute::read(query)))?;
    let route = route.enabled(&call.world)?;
    reply(call, Form::new(&call.world, subject, call.now).in_corridor(&route).with_kind(kind))
}

fn recipient_fields(call: &Call) -> Reply {
    in_corridor(call, Subject::Recipient)
}

fn account_fields(call: &Call) -> Reply {
    in_corridor(call, Subject::Account)
}

fn transfer_fields(call: &Call) -> Reply {
    let route = call.query(RequestedRoute::read)?.enabled(&call.world)?;
    reply(call, Form::new(&call.world, Subject::Transfer, call.now).in_corridor(&route))
}

/// Returns the address by which the caller reached the service, for `optionsSource`.
fn own_address(call: &Call) -> String {
    let host = call.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    host.map(|host| format!("http://{host}")).unwrap_or_default()
}

const DOCUMENT: &str = r##"
tag: fields
paths:
  /v1/sender-fields:
    get:
      operationId: senderFields
      summary: Lists the fields of a sender.
      x-source: documented
      x-error-codes: [NotEmptyValidator]
      parameters:
        - { name: senderType, required: true, x-source: published, example: PERSON, schema: PartyType }
      responses: { "200": FieldSets }
  /v1/recipient-fields:
    get:
      operationId: recipientFields
      summary: Lists the fields of a recipient.
      x-source: documented
      x-error-codes: &codes [NotEmptyValidator, UnsupportedCountry, NoCorridorFoundForSpecificValues, CC404]
      parameters: &parameters
        - dstCountryIso3Code
        - dstCurrencyIso3Code
        - transferMethod
        - { name: recipientType, required: true, x-source: documented, example: PERSON, schema: PartyType }
      responses: { "200": FieldSets }
  /v1/recipient-account-fields:
    get: { operationId: recipientAccountFields, summary: Lists the fields of a recipient account.,
           x-source: documented, x-error-codes: *codes, parameters: *parameters,
           responses: { "200": FieldSets } }
  /v1/transfer-fields:
    get: { operationId: transferFields, summary: Lists the fields of a transfer., x-source: documented,
           x-error-codes: *codes, parameters: [dstCountryIso3Code, dstCurrencyIso3Code, transferMethod],
           responses: { "200": FieldSets } }

schemas:
  IdType:
    type: [string, "null"]
    description: Persons who send have the first four, businesses TIN, recipients those of their country.
    x-source: documented
    x-known-values: [SSN, PASSPORT, DRIVERS_LICENSE, GID, TIN]
  FieldType:
    x-source: documented
    x-known-values: { TEXT: documented, PHONE_NUMBER: published, DATE: published, DROPDOWN: published }
  Visibility:
    x-source: documented
    x-known-values: { SHOW_AND_REQUIRED: published, SHOW_AND_OPTIONAL: published,
                      HIDE_AND_OPTIONAL: published, HIDE_AND_REQUIRED: documented }
  Comparison: { x-source: published, x-known-values: [EQUAL_TO, NOT_EQUAL_TO, GREATER_THAN, LESS_THAN] }
  FieldId:
    description: Identifies a field. The fields endpoints list the identifiers.
    x-source: documented
    x-known-values: [firstName, lastName, companyName, ID_TYPE, ID_NUMBER, CARD_ID]
  FieldSets: { x-source: documented, required: [fieldSets], properties: { fieldSets: [FieldSet] } }
  FieldSet:
    x-source: documented
    required: [fieldSetId, fieldSetName, fields]
    properties: { fieldSetId: string, fieldSetName: string, fields: [FieldDefinition] }
  FieldDefinition:
    x-source: published
    required: [fieldType, fieldId, name, isRequired, visibility, placeholderText]
    properties:
      { fieldType: FieldType documented, fieldId: FieldId documented, name: string documented,
        isRequired: boolean documented, visibility: Visibility documented,
        placeholderText: string documented, label: string, hintText: string, regex: string,
        minLength: { type: integer, minimum: 0 }, maxLength: { type: integer, minimum: 0 },
        minValue: { type: string, format: date }, maxValue: { type: string, format: date },
        sortOrder: integer, dependencies: { properties: { isRequired: [Condition] } }, options: [Choice],
        optionsSource: { type: string,
                         description: "An address; `{FIELD_ID}` stands for that field's value." } }
  Condition:
    x-source: published
    required: [comparisonOperator, comparisonValues, fieldId]
    properties: { comparisonOperator: Comparison, comparisonValues: [StringOrNumber], fieldId: FieldId }
  PhoneNumber:
    x-source: published
    required: [number, countryIso3Code]
    properties: { number: string, countryIso3Code: CountryCode, countryPhoneCode: StringOrNumber }
  FieldValue:
    description: The value of a field. In a PATCH, null removes it.
    x-source: documented
    required: [id, value]
    properties:
      id: FieldId
      value:
        anyOf:
          - { type: string, description: "Text, the id of an option, or a date as YYYY-MM-DD." }
          - PhoneNumber
          - "null assumed"
    allOf: &rules
      - if: { required: [id], properties: { id: { const: ID_TYPE } } }
        then: { properties: { value: { $ref: "#/components/schemas/IdType" } } }
      - if: { required: [id], properties: { id: { const: SOURCE_OF_FUNDS } } }
        then: { properties: { value: { $ref: "#/components/schemas/SourceOfFunds" } } }
  RecordField:
    description: The value of a field in a record.
    x-source: published
    required: [id, value]
    properties: { id: FieldId documented, name: string, type: FieldType,
                  value: { x-source: documented, anyOf: [string, PhoneNumber] } }
    allOf: *rules
"##;
