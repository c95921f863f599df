//! The endpoints that say what has to be collected.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use super::{FieldSet, Kind, account_sets, recipient_sets, sender_sets, transfer_sets};
use crate::access::Caller;
use crate::app::App;
use crate::corridor::Route;
use crate::corridor::request::from_request;
use crate::error::{ApiError, ErrorCode, Problems};
use crate::fresh::fresh;
use crate::input::Query;
use crate::resource::Resource;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    field_sets: Vec<FieldSet>,
}

/// Field requirements change; nobody may keep them.
fn reply(field_sets: Vec<FieldSet>) -> Response {
    fresh(Reply { field_sets })
}

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
        - { $ref: "#/components/parameters/dstCountryIso3Code" }
        - { $ref: "#/components/parameters/dstCurrencyIso3Code" }
        - { $ref: "#/components/parameters/transferMethod" }
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
      parameters:
        - { $ref: "#/components/parameters/dstCountryIso3Code" }
        - { $ref: "#/components/parameters/dstCurrencyIso3Code" }
        - { $ref: "#/components/parameters/transferMethod" }
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
        .route("/v1/sender-fields", get(for_senders))
        .route("/v1/recipient-fields", get(for_recipients))
        .route("/v1/recipient-account-fields", get(for_accounts))
        .route("/v1/transfer-fields", get(for_transfers))
}

async fn for_senders(State(app): State<Arc<App>>, _: Caller, query: Query) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let kind = Kind::read(&query, "senderType", &mut problems);
    problems.finish()?;
    let kind = kind.ok_or(ErrorCode::BadRequestError)?;
    Ok(reply(sender_sets(kind, app.clock.now())))
}

fn route_and_kind(query: &Query) -> Result<(Route, Kind), ApiError> {
    let mut problems = Problems::default();
    let kind = Kind::read(query, "recipientType", &mut problems);
    let route = from_request(query, problems)?;
    Ok((route, kind.ok_or(ErrorCode::BadRequestError)?))
}

async fn for_recipients(
    State(app): State<Arc<App>>,
    _: Caller,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ApiError> {
    let (route, kind) = route_and_kind(&query)?;
    Ok(reply(recipient_sets(Some(route), kind, app.clock.now(), &own_address(&headers))))
}

async fn for_accounts(_: Caller, headers: HeaderMap, query: Query) -> Result<Response, ApiError> {
    let (route, _) = route_and_kind(&query)?;
    Ok(reply(account_sets(route, &own_address(&headers))))
}

async fn for_transfers(_: Caller, headers: HeaderMap, query: Query) -> Result<Response, ApiError> {
    let route = from_request(&query, Problems::default())?;
    Ok(reply(transfer_sets(route, &own_address(&headers))))
}

/// The address under which the caller reached the service, for the sources of options.
fn own_address(headers: &HeaderMap) -> String {
    headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .map(|host| format!("http://{host}"))
        .unwrap_or_default()
}
