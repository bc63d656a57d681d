//! What a frontend relies on: names and meaning of the answer.

use serde_json::{Value, json};

use crate::harness::{ask, get, ids, post, search, server};

#[tokio::test]
async fn the_answer_keeps_its_contract() {
    let mut body = ask("Welchen Nutzen hat die Fernleihe?").await.json();
    // Scores depend on the processor's last bits; their presence and range are checked here.
    for hit in body["hits"].as_array_mut().expect("hits") {
        for pointer in ["/score", "/channels/vector/score", "/channels/lexical/score"] {
            if let Some(score) = hit.pointer_mut(pointer) {
                assert!(score.as_f64().is_some_and(|score| score >= 0.0), "{pointer} {score}");
                *score = json!("[score]");
            }
        }
    }
    assert_eq!(
        body["hits"][0],
        json!({
            "rank": 1,
            "id": "bibliothek#fernleihe",
            "title": "Wozu die Fernleihe dient",
            "path": ["Bibliothek"],
            "group": "Wirkung_und_Entwicklung",
            "facets": {"ort": ["Haus A"]},
            "score": "[score]",
            "snippet": "Der <mark>Nutzen</mark> der <mark>Fernleihe</mark> liegt auf der Hand: Was im eigenen Bestand fehlt, kommt aus einer anderen Bibliothek, meist innerhalb von zehn Tagen.",
            "channels": {
                "vector": {"rank": 1, "score": "[score]"},
                "lexical": {"rank": 1, "score": "[score]"}
            }
        })
    );
    assert_eq!(body["question"], "Welchen Nutzen hat die Fernleihe?");
    assert_eq!(
        body["intent"],
        json!({"id": "benefit", "source": "rule", "rule": "benefit_nutzen_nomen", "confidence": 1.0})
    );
    assert_eq!(body["groups"][0]["id"], "Wirkung_und_Entwicklung");
    assert_eq!(body["prefix"], "SG: Wirkung_und_Entwicklung");
    assert_eq!(body["degraded"], json!([]));
    let won = &body["trace"]["rules"][0];
    assert_eq!((&won["id"], &won["outcome"]), (&json!("benefit_nutzen_nomen"), &json!("won")));
    assert!(won["place"].as_str().expect("a place").contains("shortcuts.yaml:"), "{won}");
    assert_eq!(body["trace"]["core"], "welchen nutzen hat die fernleihe?");
    let explained = body["trace"]["groups"].as_array().map(Vec::len);
    assert_eq!(explained, Some(3), "all groups with sections are explained");
    assert_eq!(body["trace"]["groups"][0]["paid"][0]["reason"], "phrase");
}

#[tokio::test]
async fn a_route_is_the_answer_without_hits() {
    let address = server().await;
    let body = r#"{"question":"Welchen Nutzen hat die Fernleihe?"}"#;
    let route = post(&format!("{address}/v1/route"), "application/json", body).await.json();
    let mut found = ask("Welchen Nutzen hat die Fernleihe?").await.json();
    let object = found.as_object_mut().expect("an object");
    for only_found in ["hits", "answerable", "confidence"] {
        object.remove(only_found);
    }
    let trace = object["trace"].as_object_mut().expect("an object");
    trace.remove("fusion");
    trace.remove("evidence");
    assert_eq!(route, found);
}

#[tokio::test]
async fn an_audience_sees_what_is_for_it_and_what_is_for_everybody() {
    let for_whom = |audience: &str| json!({"question": "Wie ändere ich die E-Mail-Adresse?", "k": 10, "filters": {"audience": audience}});
    assert_eq!(ids(&search(&for_whom("personal")).await).len(), 5);
    let guests = search(&for_whom("gast")).await;
    assert_eq!(ids(&guests).len(), 3);
    assert!(ids(&guests).iter().all(|id| id.starts_with("bibliothek#")), "{guests:?}");
}

#[tokio::test]
async fn an_explanation_adds_up_to_the_score_and_similar_identifiers_stand_apart() {
    let found =
        search(&json!({"question": "Wo liegt ART-4472-B für den Drucker?", "explain": true}))
            .await
            .json();
    assert_eq!(found["similar_identifiers"], json!(["ART-4471-B"]));
    let hits = found["hits"].as_array().expect("hits");
    let hit = hits.iter().find(|hit| !hit["channels"]["lexical"].is_null()).expect("words match");
    let terms = hit["explanation"]["terms"].as_array().expect("terms");
    let sum: f64 = terms.iter().filter_map(|term| term["score"].as_f64()).sum();
    let score = hit["channels"]["lexical"]["score"].as_f64().expect("a score");
    assert!((sum - score).abs() < 0.01, "{sum} {score}");
    let plain = search(&json!({"question": "Wo liegt ART-4472-B?"})).await.json();
    assert!(plain["hits"][0]["explanation"].is_null(), "only on request");
}

#[tokio::test]
async fn a_filter_holds_before_the_search() {
    let question = "Welchen Nutzen hat die Fernleihe?";
    let with = |filters: Value| json!({"question": question, "filters": filters});
    let by_group = search(&with(json!({"group": "Probleme_und_Lösungen"}))).await;
    assert_eq!(ids(&by_group).len(), 2, "all that the group has, although nothing fits");
    let by_facet = search(&with(json!({"facets": {"ort": ["Haus B"]}}))).await;
    assert!(ids(&by_facet).iter().all(|id| id.starts_with("technik#")), "{by_facet:?}");
    let by_document = search(&with(json!({"document": ["bibliothek"]}))).await;
    assert_eq!(ids(&by_document).len(), 3);
    let by_both =
        search(&with(json!({"document": "technik", "group": "Wirkung_und_Entwicklung"}))).await;
    assert_eq!(ids(&by_both).len(), 0);
}

#[tokio::test]
async fn a_filter_does_not_change_a_score() {
    let question = "Wie kann ich ein Buch verlängern?";
    let free = search(&json!({"question": question})).await.json();
    let body = json!({"question": question, "filters": {"document": "bibliothek"}, "k": 1});
    let alone = search(&body).await.json();
    assert_eq!(alone["hits"][0]["score"], free["hits"][0]["score"]);
    assert!(free["hits"][0]["score"].as_f64().expect("a number") > 0.5, "{free}");
}

#[tokio::test]
async fn k_and_mode_are_obeyed() {
    let one = search(&json!({"question": "Drucker", "k": 1})).await;
    assert_eq!(ids(&one), ["technik#der-drucker-druckt-nicht"]);
    for (mode, present, absent) in
        [("vector", "vector", "lexical"), ("lexical", "lexical", "vector")]
    {
        let body = search(&json!({"question": "Drucker druckt nicht", "mode": mode})).await.json();
        let channels = &body["hits"][0]["channels"];
        assert!(channels[present].is_object() && channels[absent].is_null(), "{channels}");
    }
}

#[tokio::test]
async fn equal_questions_give_equal_bodies() {
    let first = ask("Wie kann ich ein Buch verlängern?").await;
    let mut others = tokio::task::JoinSet::new();
    for _ in 0..20 {
        others.spawn(async { ask("Wie kann ich ein Buch verlängern?").await.text });
    }
    while let Some(other) = others.join_next().await {
        assert_eq!(other.expect("no panic"), first.text);
    }
    assert!(first.headers.contains_key("server-timing"), "times are in a header");
}

#[tokio::test]
async fn a_section_is_shown_by_its_id() {
    let address = server().await;
    let found = get(&format!("{address}/v1/sections/bibliothek%23oeffnungszeiten")).await;
    let body = found.json();
    assert_eq!((found.status, &body["title"]), (200, &json!("Öffnungszeiten")));
    assert_eq!(body["facets"], json!({"ort": ["Haus A"]}));
    assert_eq!(body["updated"], "2026-05-04");
    assert!(body["place"].as_str().expect("a place").ends_with("bibliothek.md:8:1"), "{body}");
}

#[tokio::test]
async fn a_request_id_is_kept_or_invented() {
    let address = server().await;
    let client = reqwest::Client::new();
    let url = format!("{address}/healthz");
    let kept = crate::harness::reply(client.get(&url).header("x-request-id", "meine-17")).await;
    assert_eq!(kept.headers["x-request-id"], "meine-17");
    assert!(!get(&url).await.headers["x-request-id"].is_empty());
}

#[tokio::test]
async fn the_api_describes_itself() {
    let address = server().await;
    let document = get(&format!("{address}/openapi.json")).await.json();
    let mut listed = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let statuses: Vec<&str> = operation["responses"]
                .as_object()
                .expect("responses")
                .keys()
                .map(String::as_str)
                .collect();
            listed.push(format!("{method} {path}: {}", statuses.join(" ")));
        }
    }
    assert_eq!(
        listed,
        [
            "get /healthz: 200 405 406",
            "post /mcp: 200 202 400 401 403 405 406 408 413 415 422 429 503",
            "get /metrics: 200 401 403 405 406 429 503",
            "get /openapi.json: 200 405 406",
            "get /readyz: 200 405 406 503",
            "get /v1/catalog/runs: 200 401 403 405 406 429 503",
            "post /v1/catalog/runs: 202 401 403 405 406 409 429 503",
            "get /v1/catalog/runs/{id}: 200 401 403 404 405 406 429 503",
            "post /v1/chat/completions: 200 400 401 403 404 405 406 408 413 415 422 429 503",
            "post /v1/explain: 200 400 401 403 404 405 406 408 413 415 422 429 503",
            "post /v1/feedback: 204 400 401 403 404 405 406 408 409 413 415 422 429 503",
            "get /v1/gaps: 200 202 401 403 405 406 429 503",
            "post /v1/gaps/promote: 200 202 400 401 403 404 405 406 408 409 413 415 422 429 503",
            "get /v1/models: 200 401 403 405 406 429 503",
            "get /v1/models/{id}: 200 401 403 404 405 406 429 503",
            "post /v1/reload: 200 401 403 405 406 409 429 503",
            "post /v1/route: 200 400 401 403 405 406 408 413 415 422 429 503",
            "get /v1/rules: 200 401 403 405 406 429 503",
            "post /v1/rules/try: 200 400 401 403 405 406 408 413 415 422 429 503",
            "post /v1/search: 200 400 401 403 405 406 408 413 415 422 429 503",
            "post /v1/search/batch: 200 400 401 403 405 406 408 413 415 422 429 503",
            "get /v1/sections/{id}: 200 401 403 404 405 406 429 503",
            "get /v1/sections/{id}/sheet: 200 202 401 403 404 405 406 429 503",
            "get /v1/status: 200 401 403 405 406 429 503",
        ]
    );
}
