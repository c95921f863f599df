//! Corridors, fields, and the options of fields.

use std::collections::HashSet;

use serde_json::Value;

use super::bench::{Caller, person};

async fn fields(caller: &Caller, path: &str) -> Vec<Value> {
    let reply = caller.get(path).await;
    assert_eq!(reply.headers["cache-control"], "no-store", "{path}");
    let sets = reply.ok()["fieldSets"].as_array().unwrap().clone();
    for set in &sets {
        assert!(set["fieldSetId"].is_string() && set["fieldSetName"].is_string());
    }
    sets.iter().flat_map(|set| set["fields"].as_array().unwrap().clone()).collect()
}

fn query(country: &str, currency: &str, method: &str) -> String {
    format!("dstCountryIso3Code={country}&dstCurrencyIso3Code={currency}&transferMethod={method}")
}

/// The fields endpoints that ask for the type of the recipient, too.
fn query_of_person(country: &str, currency: &str, method: &str) -> String {
    format!("{}&recipientType=PERSON", query(country, currency, method))
}

#[tokio::test]
async fn corridors_have_the_documented_shape_and_can_be_filtered() {
    let (_, caller) = person().await;
    let all = caller.get("/v1/corridors").await.ok();
    let all = all.as_array().unwrap();
    let mut places = HashSet::new();
    let mut countries = HashSet::new();
    for corridor in all {
        let country = &corridor["destinationCountry"];
        assert_eq!(country["iso3Code"].as_str().unwrap().len(), 3);
        assert_eq!(country["iso2Code"].as_str().unwrap().len(), 2);
        countries.insert(country["iso3Code"].clone());
        for list in ["sourceCurrency", "destinationCurrency"] {
            for currency in corridor[list].as_array().unwrap() {
                places.insert(currency["decimalPlaces"].as_u64().unwrap());
                for name in ["name", "iso3Code", "symbol", "roundDirection"] {
                    assert!(currency[name].is_string());
                }
            }
        }
        assert_ne!(corridor["transferMethod"], "ACCOUNT_FUNDING");
    }
    assert!(countries.len() >= 12);
    assert_eq!(places, HashSet::from([0, 2, 3]));

    let cards = caller.get("/v1/corridors?transferMethod=PUSH_TO_CARD").await.ok();
    assert!(cards.as_array().unwrap().len() >= 5);
    let mexico = caller.get("/v1/corridors?dstCountryIso3Code=MEX&srcCurrencyIso3Code=EUR").await;
    let mexico = mexico.ok();
    assert_eq!(mexico.as_array().unwrap().len(), 4);
    assert_eq!(caller.get("/v1/corridors?dstCountryIso3Code=DEU").await.ok().as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn every_corridor_can_be_quoted_and_has_its_fields() {
    let (_, caller) = person().await;
    let corridors = caller.get("/v1/corridors").await.ok();
    let (mut types, mut visibilities) = (HashSet::new(), HashSet::new());
    for corridor in corridors.as_array().unwrap() {
        let country = corridor["destinationCountry"]["iso3Code"].as_str().unwrap();
        let method = corridor["transferMethod"].as_str().unwrap();
        for destination in corridor["destinationCurrency"].as_array().unwrap() {
            let currency = destination["iso3Code"].as_str().unwrap();
            for source in corridor["sourceCurrency"].as_array().unwrap() {
                let source = source["iso3Code"].as_str().unwrap();
                let path = format!(
                    "/v1/quote?{}&srcCurrencyIso3Code={source}&quoteBy=SEND_AMOUNT&amount=10000",
                    query(country, currency, method)
                );
                let quote = caller.get(&path).await.ok();
                assert_eq!(quote["sendAmount"]["value"], 10_000);
                assert!(quote["receiveAmount"]["value"].as_i64().unwrap() > 0, "{path}");
            }
            for endpoint in ["recipient-fields", "recipient-account-fields", "transfer-fields"] {
                let query = if endpoint == "transfer-fields" { query } else { query_of_person };
                let path = format!("/v1/{endpoint}?{}", query(country, currency, method));
                for field in fields(&caller, &path).await {
                    types.insert(field["fieldType"].as_str().unwrap().to_owned());
                    visibilities.insert(field["visibility"].as_str().unwrap().to_owned());
                    let hidden = field["visibility"].as_str().unwrap().ends_with("REQUIRED");
                    assert_eq!(hidden, field["isRequired"].as_bool().unwrap(), "{field}");
                }
            }
        }
    }
    assert_eq!(types.len(), 4);
    assert_eq!(visibilities.len(), 4);
}

#[tokio::test]
async fn card_id_is_required_where_a_card_is() {
    let (_, caller) = person().await;
    let card_id = |fields: Vec<Value>| fields.into_iter().find(|field| field["fieldId"] == "CARD_ID");
    let path = |method| format!("/v1/recipient-account-fields?{}", query_of_person("MEX", "MXN", method));
    let found = card_id(fields(&caller, &path("PUSH_TO_CARD")).await).unwrap();
    assert_eq!(found["isRequired"], true);
    assert_eq!(found["visibility"], "HIDE_AND_REQUIRED");
    assert!(card_id(fields(&caller, &path("BANK_ACCOUNT")).await).is_none());
    assert!(fields(&caller, &path("CASH_PICKUP")).await.is_empty());
}

#[tokio::test]
async fn fields_differ_and_depend() {
    let (_, caller) = person().await;
    let ids = |fields: &[Value]| -> HashSet<String> {
        fields.iter().map(|field| field["fieldId"].as_str().unwrap().to_owned()).collect()
    };
    let mexico =
        fields(&caller, &format!("/v1/recipient-fields?{}", query_of_person("MEX", "MXN", "BANK_ACCOUNT")))
            .await;
    let brazil =
        fields(&caller, &format!("/v1/recipient-fields?{}", query_of_person("BRA", "BRL", "BANK_ACCOUNT")))
            .await;
    assert!(ids(&mexico).contains("SECOND_LAST_NAME") && !ids(&mexico).contains("ID_NUMBER"));
    assert!(ids(&brazil).contains("ID_NUMBER") && !ids(&brazil).contains("SECOND_LAST_NAME"));

    let person = fields(&caller, "/v1/sender-fields?senderType=PERSON").await;
    let business = fields(&caller, "/v1/sender-fields?senderType=BUSINESS").await;
    assert!(ids(&person).contains("firstName") && ids(&business).contains("companyName"));
    let operators: HashSet<String> = person
        .iter()
        .chain(&business)
        .chain(&mexico)
        .filter_map(|field| field["dependencies"]["isRequired"].as_array())
        .flatten()
        .map(|condition| condition["comparisonOperator"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(operators.len(), 4, "{operators:?}");
    caller.get("/v1/sender-fields").await.fails(400, "NotEmptyValidator");
    caller.get("/v1/sender-fields?senderType=DOG").await.fails(400, "BadRequestError");
}

#[tokio::test]
async fn all_parameters_of_the_fields_endpoints_are_required() {
    let (_, caller) = person().await;
    let reply = caller.get("/v1/recipient-fields").await;
    assert_eq!(reply.codes(), ["NotEmptyValidator"; 4]);
    let reply = caller.get("/v1/transfer-fields?dstCountryIso3Code=mex").await;
    assert_eq!(
        reply.problems(),
        [
            ("dstCountryIso3Code", "UnsupportedCountry"),
            ("dstCurrencyIso3Code", "NotEmptyValidator"),
            ("transferMethod", "NotEmptyValidator"),
        ]
    );
    let path = format!("/v1/recipient-fields?{}", query_of_person("GBR", "USD", "BANK_ACCOUNT"));
    caller.get(&path).await.fails(404, "CC404");
}

#[tokio::test]
async fn choices_lead_from_one_to_the_next() {
    let (_, caller) = person().await;
    let transfer =
        fields(&caller, &format!("/v1/transfer-fields?{}", query("PHL", "PHP", "CASH_PICKUP"))).await;
    let source = |id: &str| {
        let field = transfer.iter().find(|field| field["fieldId"] == id).unwrap();
        field["optionsSource"].as_str().unwrap().replace("http://127.0.0.1:4100", "")
    };
    assert!(source("PAYER_LOCATION").contains("{PAYER}"));
    let mut path_of: Vec<(&str, String)> = Vec::new();
    for id in ["PAYER_STATE_PROVINCE", "PAYER_CITY", "PAYER", "PAYER_LOCATION"] {
        let mut path = source(id);
        for (name, value) in &path_of {
            path = path.replace(&format!("{{{name}}}"), value);
        }
        let options = caller.get(&path).await.ok();
        let options = options.as_array().unwrap().clone();
        assert_eq!(options.len(), 2, "{path}");
        path_of.push((id, options[1]["id"].as_str().unwrap().to_owned()));
    }
    let crossed = "/v1/partner/countries/PHL/states-and-provinces/PHL-1/cities/PHL-2-1/payers";
    caller.get(crossed).await.fails(404, "NotFound");
    caller.get("/v1/banks?countryIso3Code=XXX").await.fails(400, "UnsupportedCountry");
    let banks = caller.get("/v1/banks?countryIso3Code=BRA").await.ok();
    let bank = banks[0]["id"].as_str().unwrap();
    let branches = caller.get(&format!("/v1/banks/{bank}/branches")).await.ok();
    assert_eq!(branches.as_array().unwrap().len(), 2);
}
