//! Corridors, fields, and the options of fields.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::harness::*;

async fn fields(caller: &Caller, path: &str) -> Vec<Value> {
    let reply = caller.get(path).await;
    assert_eq!(reply.headers["cache-control"], "no-store", "{path}");
    let sets = reply.ok()["fieldSets"].as_array().unwrap().clone();
    for set in &sets {
        let mut names = set["fields"].as_array().unwrap().iter().map(|field| &field["name"]);
        assert!(names.all(|name| *name != set["fieldSetName"]), "a field is called as its set: {set}");
    }
    sets.iter().flat_map(|set| set["fields"].as_array().unwrap().clone()).collect()
}

fn path(endpoint: &str, (country, currency, method): To) -> String {
    let recipient_type = if endpoint == "transfer-fields" { "" } else { "&recipientType=PERSON" };
    format!(
        "/v1/{endpoint}?dstCountryIso3Code={country}&dstCurrencyIso3Code={currency}\
         &transferMethod={method}{recipient_type}"
    )
}

fn ids(fields: &[Value]) -> HashSet<String> {
    fields.iter().map(|field| text(field, "fieldId")).collect()
}

#[tokio::test]
async fn corridors_cover_all_decimal_places_and_can_be_filtered() {
    let (_, caller) = person().await;
    let all = caller.get("/v1/corridors").await.ok();
    let (mut places, mut countries) = (HashSet::new(), HashSet::new());
    for corridor in all.as_array().unwrap() {
        countries.insert(text(&corridor["destinationCountry"], "iso3Code"));
        for list in ["sourceCurrency", "destinationCurrency"] {
            let currencies = corridor[list].as_array().unwrap().iter();
            places.extend(currencies.map(|currency| currency["decimalPlaces"].as_u64().unwrap()));
        }
        assert_ne!(corridor["transferMethod"], "ACCOUNT_FUNDING");
    }
    assert!(countries.len() >= 12);
    assert_eq!(places, HashSet::from([0, 2, 3]));
    for (filter, count) in [
        ("transferMethod=PUSH_TO_CARD", 15),
        ("dstCountryIso3Code=MEX&srcCurrencyIso3Code=EUR", 4),
        ("dstCountryIso3Code=DEU", 0),
    ] {
        let found = caller.get(&format!("/v1/corridors?{filter}")).await.ok();
        assert_eq!(found.as_array().unwrap().len(), count, "{filter}");
    }
}

fn check_definition(field: &Value, ids: &HashSet<String>) {
    assert_eq!(field["isRequired"], text(field, "visibility").ends_with("REQUIRED"), "{field}");
    assert!(
        field["regex"].as_str().is_none_or(|pattern| fancy_regex::Regex::new(pattern).is_ok()),
        "{field}"
    );
    let has_options = field.get("options").or(field.get("optionsSource")).is_some();
    assert_eq!(field["fieldType"] == "DROPDOWN", has_options, "{field}");
    let conditions = field["dependencies"]["isRequired"].as_array().into_iter().flatten();
    conditions.for_each(|condition| assert!(ids.contains(&text(condition, "fieldId")), "{field}"));
}

#[tokio::test]
async fn every_corridor_has_quotes_and_valid_fields() {
    let (_, caller) = person().await;
    let corridors = caller.get("/v1/corridors").await.ok();
    let (mut types, mut visibilities) = (HashSet::new(), HashSet::new());
    for corridor in corridors.as_array().unwrap() {
        let country = text(&corridor["destinationCountry"], "iso3Code");
        let method = text(corridor, "transferMethod");
        for destination in corridor["destinationCurrency"].as_array().unwrap() {
            let currency = text(destination, "iso3Code");
            let query = format!(
                "dstCountryIso3Code={country}&dstCurrencyIso3Code={currency}&transferMethod={method}"
            );
            for source in corridor["sourceCurrency"].as_array().unwrap() {
                let source = text(source, "iso3Code");
                let more = format!("srcCurrencyIso3Code={source}&quoteBy=SEND_AMOUNT&amount=10000");
                let quote = caller.get(&format!("/v1/quote?{query}&{more}")).await.ok();
                assert_eq!(quote["sendAmount"]["value"], 10_000);
                assert!(quote["receiveAmount"]["value"].as_i64().unwrap() > 0, "{query}");
            }
            for endpoint in [
                "sender-fields?senderType=PERSON".to_owned(),
                "sender-fields?senderType=BUSINESS".to_owned(),
                format!("recipient-fields?recipientType=PERSON&{query}"),
                format!("recipient-fields?recipientType=BUSINESS&{query}"),
                format!("recipient-account-fields?recipientType=PERSON&{query}"),
                format!("transfer-fields?{query}"),
            ] {
                let form = fields(&caller, &format!("/v1/{endpoint}")).await;
                for field in &form {
                    check_definition(field, &ids(&form));
                    types.insert(text(field, "fieldType"));
                    visibilities.insert(text(field, "visibility"));
                }
            }
        }
    }
    assert_eq!((types.len(), visibilities.len()), (4, 4));
}

#[tokio::test]
async fn card_id_is_required_and_hidden_for_push_to_card_only() {
    let (_, caller) = person().await;
    let card = fields(&caller, &path("recipient-account-fields", CARD)).await;
    let card_id = card.iter().find(|field| field["fieldId"] == "CARD_ID").unwrap();
    assert_eq!((&card_id["isRequired"], &card_id["visibility"]), (&json!(true), &json!("HIDE_AND_REQUIRED")));
    let bank = fields(&caller, &path("recipient-account-fields", BANK)).await;
    assert!(!ids(&bank).contains("CARD_ID"));
    assert!(fields(&caller, &path("recipient-account-fields", CASH)).await.is_empty());
}

#[tokio::test]
async fn fields_depend_on_country_and_type_and_use_all_operators() {
    let (_, caller) = person().await;
    let mexico = fields(&caller, &path("recipient-fields", BANK)).await;
    let brazil = fields(&caller, &path("recipient-fields", ("BRA", "BRL", "BANK_ACCOUNT"))).await;
    assert!(ids(&mexico).contains("SECOND_LAST_NAME") && !ids(&mexico).contains("ID_NUMBER"));
    assert!(ids(&brazil).contains("ID_NUMBER") && !ids(&brazil).contains("SECOND_LAST_NAME"));

    let person = fields(&caller, "/v1/sender-fields?senderType=PERSON").await;
    let business = fields(&caller, "/v1/sender-fields?senderType=BUSINESS").await;
    assert!(ids(&person).contains("firstName") && ids(&business).contains("companyName"));
    let all = person.iter().chain(&business).chain(&mexico);
    let conditions = all.filter_map(|field| field["dependencies"]["isRequired"].as_array()).flatten();
    let operators: HashSet<_> = conditions.map(|condition| text(condition, "comparisonOperator")).collect();
    assert_eq!(operators.len(), 4, "{operators:?}");
}

#[tokio::test]
async fn invalid_parameters_of_the_fields_endpoints_are_rejected() {
    let (_, caller) = person().await;
    caller.get("/v1/sender-fields").await.fails("NotEmptyValidator");
    caller.get("/v1/sender-fields?senderType=DOG").await.fails("BadRequestError");
    assert_eq!(caller.get("/v1/recipient-fields").await.codes(), ["NotEmptyValidator"; 4]);
    assert_eq!(
        caller.get("/v1/transfer-fields?dstCountryIso3Code=mex").await.problems(),
        [
            ("dstCountryIso3Code", "UnsupportedCountry"),
            ("dstCurrencyIso3Code", "NotEmptyValidator"),
            ("transferMethod", "NotEmptyValidator"),
        ]
    );
    caller.get(&path("recipient-fields", ("GBR", "USD", "BANK_ACCOUNT"))).await.fails("CC404");
}

#[tokio::test]
async fn each_option_leads_to_the_options_of_the_next_field() {
    let (_, caller) = person().await;
    let transfer = fields(&caller, &path("transfer-fields", ("PHL", "PHP", "CASH_PICKUP"))).await;
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for id in ["PAYER_STATE_PROVINCE", "PAYER_CITY", "PAYER", "PAYER_LOCATION"] {
        let field = transfer.iter().find(|field| field["fieldId"] == id).unwrap();
        let source = text(field, "optionsSource").replace("http://127.0.0.1:4100", "");
        let fill = |path: String, (name, value): &(&str, String)| path.replace(&format!("{{{name}}}"), value);
        let options = caller.get(&chosen.iter().fold(source, fill)).await.ok();
        assert_eq!(options.as_array().unwrap().len(), 2, "{id}");
        chosen.push((id, text(&options[1], "id")));
    }
    let states = "/v1/partner/countries/PHL/states-and-provinces";
    for path in
        ["PHL-1/cities/PHL-2-1/payers", "PHL-0/cities", "PHL-3/cities", "PHL-1-x/cities", "MEX-1/cities"]
    {
        caller.get(&format!("{states}/{path}")).await.fails("NotFound");
    }
    caller.get("/v1/banks/BRA-B-4/branches").await.fails("NotFound");
    caller.get("/v1/banks?countryIso3Code=XXX").await.fails("UnsupportedCountry");
    let banks = caller.get("/v1/banks?countryIso3Code=BRA").await.ok();
    let branches = caller.get(&format!("/v1/banks/{}/branches", text(&banks[0], "id"))).await.ok();
    assert_eq!(branches.as_array().unwrap().len(), 2);
}
