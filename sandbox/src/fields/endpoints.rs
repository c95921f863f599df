//! The endpoints that say what has to be collected.

use std::sync::Arc;

use axum::http::header;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

use super::{FieldSet, Kind, account_sets, recipient_sets, sender_sets, transfer_sets};
use crate::app::App;
use crate::call::{Call, Reply, plain};
use crate::corridor::Route;
use crate::corridor::request::Named;
use crate::error::ApiError;
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/sender-fields:
    get:
      operationId: senderFields
      tags: [fields]
      summary: Says what has to be known of a sender.
      x-source: documented
      x-error-codes: [NotEmptyValidator]
      parameters:
        - name: senderType
          in: query
          required: true
          x-source: published
          example: PERSON
          schema: { $ref: "#/components/schemas/PartyType" }
      responses:
        "200": { $ref: "#/components/responses/FieldSets" }

  /v1/recipient-fields:
    get:
      operationId: recipientFields
      tags: [fields]
      summary: Says what has to be known of a recipient.
      x-source: documented
      x-error-codes: &corridorFieldsCodes [NotEmptyValidator, UnsupportedCountry, NoCorridorFoundForSpecificValues, CC404]
      parameters: &corridorFieldsParameters
        - dstCountryIso3Code
        - dstCurrencyIso3Code
        - transferMethod
        - name: recipientType
          in: query
          required: true
          x-source: documented
          example: PERSON
          schema: { $ref: "#/components/schemas/PartyType" }
      responses: &fieldSetsResponses
        "200": { $ref: "#/components/responses/FieldSets" }

  /v1/recipient-account-fields:
    get:
      operationId: recipientAccountFields
      tags: [fields]
      summary: Says what has to be known of a recipient's account.
      x-source: documented
      x-error-codes: *corridorFieldsCodes
      parameters: *corridorFieldsParameters
      responses: *fieldSetsResponses

  /v1/transfer-fields:
    get:
      operationId: transferFields
      tags: [fields]
      summary: Says what has to be known of a transfer.
      x-source: documented
      x-error-codes: *corridorFieldsCodes
      parameters: [dstCountryIso3Code, dstCurrencyIso3Code, transferMethod]
      responses: *fieldSetsResponses

components:
  responses:
    FieldSets:
      description: The fields, in sets.
      content:
        application/json:
          schema:
            type: object
            x-source: documented
            required: [fieldSets]
            properties:
              fieldSets:
                type: array
                items: { $ref: "#/components/schemas/FieldSet" }

  schemas:
    IdType:
      type: [string, "null"]
      description: Four for a person who sends, TIN for a business; recipients have those of their country.
      x-source: documented
      x-known-values: { SSN: documented, PASSPORT: documented, DRIVERS_LICENSE: documented, GID: documented, TIN: documented }
    FieldType:
      type: string
      x-source: documented
      x-known-values: { TEXT: documented, PHONE_NUMBER: published, DATE: published, DROPDOWN: published }
    Visibility:
      type: string
      x-source: documented
      x-known-values:
        SHOW_AND_REQUIRED: published
        SHOW_AND_OPTIONAL: published
        HIDE_AND_OPTIONAL: published
        HIDE_AND_REQUIRED: documented
    Comparison:
      type: string
      x-source: published
      x-known-values: { EQUAL_TO: published, NOT_EQUAL_TO: published, GREATER_THAN: published, LESS_THAN: published }
    FieldId:
      type: string
      description: Names a field. Which ones there are is said by the fields endpoints.
      x-source: documented
      x-known-values:
        firstName: documented
        lastName: documented
        companyName: documented
        ID_TYPE: documented
        ID_NUMBER: documented
        CARD_ID: documented
    FieldSet:
      type: object
      x-source: documented
      required: [fieldSetId, fieldSetName, fields]
      properties:
        fieldSetId: { type: string }
        fieldSetName: { type: string }
        fields: { type: array, items: { $ref: "#/components/schemas/FieldDefinition" } }
    FieldDefinition:
      type: object
      x-source: published
      required: [fieldType, fieldId, name, isRequired, visibility, placeholderText]
      properties:
        fieldType: { $ref: "#/components/schemas/FieldType", x-source: documented }
        fieldId: { $ref: "#/components/schemas/FieldId", x-source: documented }
        name: { type: string, x-source: documented }
        isRequired: { type: boolean, x-source: documented }
        visibility: { $ref: "#/components/schemas/Visibility", x-source: documented }
        placeholderText: { type: string, x-source: documented }
        label: { type: string }
        hintText: { type: string }
        regex: { type: string }
        minLength: { type: integer, minimum: 0 }
        maxLength: { type: integer, minimum: 0 }
        minValue: { type: string, format: date }
        maxValue: { type: string, format: date }
        sortOrder: { type: integer }
        options: { type: array, items: { $ref: "#/components/schemas/Choice" } }
        optionsSource: { type: string, description: "An address; `{FIELD_ID}` stands for the value of that field." }
        dependencies:
          type: object
          properties:
            isRequired:
              type: array
              items:
                type: object
                required: [comparisonOperator, comparisonValues, fieldId]
                properties:
                  comparisonOperator: { $ref: "#/components/schemas/Comparison" }
                  comparisonValues: { type: array, items: { $ref: "#/components/schemas/Label" } }
                  fieldId: { $ref: "#/components/schemas/FieldId" }
    PhoneNumber:
      type: object
      x-source: published
      required: [number, countryIso3Code]
      properties:
        number: { type: string }
        countryIso3Code: { $ref: "#/components/schemas/CountryCode" }
        countryPhoneCode: { $ref: "#/components/schemas/Label" }
    FieldValue:
      type: object
      description: The value of a field. With PATCH, null takes it away.
      x-source: documented
      required: [id, value]
      properties: &valueProperties
        id: { $ref: "#/components/schemas/FieldId" }
        value:
          anyOf:
            - { type: string, description: "Text, the id of a choice, or a date as YYYY-MM-DD." }
            - { $ref: "#/components/schemas/PhoneNumber" }
            - { type: "null", x-source: assumed }
      allOf: &valueRules
        - if: { required: [id], properties: { id: { const: ID_TYPE } } }
          then: { properties: { value: { $ref: "#/components/schemas/IdType" } } }
        - if: { required: [id], properties: { id: { const: SOURCE_OF_FUNDS } } }
          then: { properties: { value: { $ref: "#/components/schemas/SourceOfFunds" } } }
    RecordField:
      type: object
      description: The value of a field as records carry it.
      x-source: published
      required: [id, value]
      properties:
        id: { $ref: "#/components/schemas/FieldId", x-source: documented }
        name: { type: string }
        type: { $ref: "#/components/schemas/FieldType" }
        value:
          x-source: documented
          anyOf:
            - { type: string }
            - { $ref: "#/components/schemas/PhoneNumber" }
      allOf: *valueRules
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/sender-fields", get(plain(for_senders)))
        .route("/v1/recipient-fields", get(plain(for_recipients)))
        .route("/v1/recipient-account-fields", get(plain(for_accounts)))
        .route("/v1/transfer-fields", get(plain(for_transfers)))
}

fn reply(field_sets: Vec<FieldSet>) -> Reply {
    Ok(Json(json!({ "fieldSets": field_sets })))
}

fn for_senders(call: &Call) -> Reply {
    let kind = call.query(|query| query.one_of("senderType"))?;
    reply(sender_sets(kind, call.now))
}

fn route_and_kind(call: &Call) -> Result<(Route, Kind), ApiError> {
    let (kind, named) = call.query(|query| (query.one_of("recipientType"), Named::read(query)))?;
    Ok((named.route()?, kind))
}

fn for_recipients(call: &Call) -> Reply {
    let (route, kind) = route_and_kind(call)?;
    reply(recipient_sets(Some(route), kind, call.now, &own_address(call)))
}

fn for_accounts(call: &Call) -> Reply {
    let (route, _) = route_and_kind(call)?;
    reply(account_sets(route, &own_address(call)))
}

fn for_transfers(call: &Call) -> Reply {
    let route = call.query(Named::read)?.route()?;
    reply(transfer_sets(route, &own_address(call)))
}

/// The address under which the caller reached the service, for the sources of options.
fn own_address(call: &Call) -> String {
    let host = call.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    host.map(|host| format!("http://{host}")).unwrap_or_default()
}
