//! Any text up to the limit is a question.

use proptest::prelude::*;

use crate::harness::{ask, ids};

#[tokio::test]
async fn operators_are_words() {
    for question in [
        "*",
        "?",
        "-18 Grad Lagerung",
        "titel:Impressum",
        "Mail^50 Rechnung",
        "a AND (b OR",
        "\"",
        "[a TO b]",
        "'; DROP TABLE sections; --",
        "\u{202e}nhekstat\u{202c}",
        "Mu\u{308}tzen",
        "Wie geht das?",
        "\\",
        "/",
        "💥💥",
    ] {
        let reply = ask(question).await;
        assert_eq!(reply.status, 200, "{question:?}: {}", reply.text);
    }
    assert_eq!(ask(&"a".repeat(2_000)).await.status, 200);
    assert_eq!(ask(&"ä ".repeat(1_000)).await.status, 200);
}

#[tokio::test]
async fn a_snippet_can_not_carry_markup() {
    let body = ask("Bestätigung alte Adresse zurück").await.json();
    let hits = body["hits"].as_array().expect("hits");
    let hit = hits.iter().find(|hit| hit["id"] == "technik#e-mail-adresse-aendern").expect("found");
    let snippet = hit["snippet"].as_str().expect("a snippet");
    assert!(
        snippet.contains("&lt;")
            && !snippet.replace("<mark>", "").replace("</mark>", "").contains('<'),
        "{snippet}"
    );
}

#[tokio::test]
async fn umlauts_may_be_written_in_any_way() {
    for question in [
        "Öffnungszeiten",
        "Oeffnungszeiten",
        "O\u{308}ffnungszeiten",
        "ÖFFNUNGSZEITEN",
        "öffnungszeit",
    ] {
        assert_eq!(ids(&ask(question).await)[0], "bibliothek#oeffnungszeiten", "{question}");
    }
    for question in [
        "E-Mail-Adresse ändern",
        "Emailadresse ändern",
        "E Mail Adresse",
        "e-mail-adresse",
        "Mailadresse",
    ] {
        assert_eq!(ids(&ask(question).await)[0], "technik#e-mail-adresse-aendern", "{question}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_text_is_answered_or_empty(question in "\\PC{0,60}|[\\u{0}-\\u{2ff}]{0,40}") {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let reply = runtime.block_on(ask(&question));
        let allowed = reply.status == 200
            || (reply.status == 400 && reply.problem().1 == "question_empty");
        prop_assert!(allowed, "{:?}: {} {}", question, reply.status, reply.text);
    }
}

#[tokio::test]
async fn a_long_question_in_parts_does_not_stand_in_its_own_way() {
    let long: String = "Was ist Schlaf? Warum hilft Pause? Wie plane ich? "
        .repeat(39)
        .chars()
        .take(2_000)
        .collect();
    let reply = ask(&long).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.json()["trace"]["parts"].as_array().map(Vec::len), Some(3));
}
