//! The German pages as they are sent: what they hold, what they may load, what they can not be made
//! to do. `tests/browser` drives them in a real browser.

use reqwest::header::{ACCEPT, IF_NONE_MATCH};

use crate::harness::{Reply, get, reply, server};

const PAGES: [(&str, &str); 5] = [
    ("/", "Suche"),
    ("/katalog", "Katalog"),
    ("/luecken", "Lücken"),
    ("/regeln", "Regeln"),
    ("/zustand", "Zustand"),
];

async fn page(path: &str) -> Reply {
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let url = format!("{}{path}", server().await);
    reply(reqwest::Client::new().get(url).header(ACCEPT, browser)).await
}

/// Addresses in `href` and `src`.
fn addresses(html: &str) -> Vec<&str> {
    let starts = ["href=\"", "src=\""];
    starts
        .iter()
        .flat_map(|start| html.split(start).skip(1))
        .map(|rest| rest.split('"').next().expect("closed"))
        .collect()
}

#[tokio::test]
async fn every_page_is_german_has_its_landmarks_and_names_itself() {
    for (path, title) in PAGES {
        let page = page(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
        let html = &page.text;
        for part in [
            "<html lang=\"de\">",
            &format!("<title>{title} · Wegweiser</title>"),
            &format!("<h1>{title}</h1>"),
            &format!("<li><a href=\"{path}\" aria-current=\"page\""),
            "<nav aria-label=\"Seiten\">",
            "<main id=\"inhalt\"",
            "class=\"skip\" href=\"#inhalt\"",
            "<noscript>",
        ] {
            assert!(html.contains(part), "{path} lacks {part}");
        }
        assert_eq!(html.matches("aria-current").count(), 1, "{path}");
        assert!(!html.contains("{{"), "{path}: a place was not filled");
        let inputs = html.matches("<input").count() + html.matches("<select").count();
        assert!(inputs <= html.matches("<label").count(), "{path}: an input without a label");
    }
}

#[tokio::test]
async fn pages_load_nothing_from_elsewhere_and_everything_they_name_is_there() {
    for (path, _) in PAGES {
        let page = page(path).await;
        let policy = page.headers["content-security-policy"].to_str().expect("text").to_owned();
        for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(page.headers["x-content-type-options"], "nosniff");
        assert!(page.headers.get("set-cookie").is_none(), "{path}");
        let has_inline = page.text.contains("<script>") || page.text.contains(" style=\"");
        assert!(!has_inline, "{path}: the policy would forbid it");
        for address in addresses(&page.text) {
            if address.starts_with('#') || address.starts_with("data:image/svg+xml,") {
                continue;
            }
            assert!(address.starts_with('/') && !address.starts_with("//"), "{path}: {address}");
            let there = get(&format!("{}{address}", server().await)).await;
            assert_eq!(there.status, 200, "{path}: {address}");
        }
    }
}

/// A page is a fixed text and its scripts make text nodes; what can not write markup needs no
/// escaping.
#[tokio::test]
async fn no_script_can_write_markup_and_every_import_is_there() {
    let address = server().await;
    let mut seen = 0;
    let mut names = vec!["suche", "katalog", "luecken", "regeln", "zustand"];
    while let Some(name) = names.pop() {
        let script = get(&format!("{address}/seiten/{name}.js")).await;
        assert_eq!(script.status, 200, "{name}");
        assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
        for sink in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "DOMParser",
            "srcdoc",
            "javascript:",
            "localStorage",
            "document.cookie",
            "http://",
            "https://",
        ] {
            let is_namespace = sink == "http://" && name == "gemeinsam";
            let times = script.text.matches(sink).count();
            assert_eq!(times, usize::from(is_namespace), "{name}.js: {sink}");
        }
        for import in script.text.split("from './").skip(1) {
            let other = import.split(".js'").next().expect("a module");
            names.push(
                ["gemeinsam", "warum", "karte", "hinweise"]
                    .into_iter()
                    .find(|known| *known == other)
                    .unwrap_or_else(|| panic!("{name}.js imports {other}")),
            );
        }
        seen += 1;
        assert!(seen < 50, "the modules import one another in a circle");
    }
    for nothing in
        ["/seiten/gibtsnicht.js", "/seiten/..%2f..%2fCargo.toml", "/seiten/", "/seiten/%00"]
    {
        let nowhere = get(&format!("{address}{nothing}")).await;
        assert_eq!(nowhere.status, 404, "{nothing}");
    }
}

#[tokio::test]
async fn a_browser_that_has_a_page_is_told_so() {
    let first = page("/").await;
    let tag = first.headers["etag"].clone();
    assert_eq!(first.headers["cache-control"], "no-cache");
    let url = format!("{}/", server().await);
    let again = reply(reqwest::Client::new().get(url).header(IF_NONE_MATCH, tag)).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    assert_ne!(page("/katalog").await.headers["etag"], first.headers["etag"]);
}

#[tokio::test]
async fn a_citation_leads_a_browser_to_a_page_and_a_program_to_json() {
    let path = "/v1/sections/bibliothek%23oeffnungszeiten";
    let read = page(path).await;
    assert_eq!((read.status, &read.headers["vary"]), (200, &"accept".parse().expect("a value")));
    assert!(read.text.contains("src=\"/seiten/abschnitt.js\""), "{}", read.text);
    assert!(!read.text.contains("ffnungszeiten"), "the page asks for what it shows");
    for accept in ["application/json", "*/*", "application/json, text/html;q=0.5"] {
        let url = format!("{}{path}", server().await);
        let told = reply(reqwest::Client::new().get(url).header(ACCEPT, accept)).await;
        assert_eq!(told.headers["content-type"], "application/json", "{accept}");
    }
    assert_eq!(get(&format!("{}/seiten/abschnitt.js", server().await)).await.status, 200);
}
