use std::collections::BTreeMap;

use super::{csv, html, markdown, text};
use crate::domain::Place;
use crate::gaps::{Action, Code, Evidence, Finding, Mend, Named, Point, Report, Severity, Subject};

/// A heading that wants to be markup, script, an attribute's end, a formula and a forged line.
const HOSTILE: &str = "=HYPERLINK(\"x\")</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>;\u{0}\u{1b}[31m\u{202e}\n  1. Fehler  G-FORGED";

fn report(title: &str, findings: usize) -> Report {
    let named = Named {
        id: "d#a".to_owned(),
        title: title.to_owned(),
        group: Some("Wirkung_und_<b>".to_owned()),
        place: Place { file: "d.md".to_owned(), line: 3, column: 1 },
    };
    let finding = |at: usize| {
        let subject = Subject { sections: vec![named.clone()], ..Subject::default() };
        let mend =
            Mend { outline: vec![title.to_owned()], ..Mend::new(Action::ExtendSection, title) };
        let question = Evidence::Question {
            id: None,
            text: title.to_owned(),
            count: at + 1,
            outcome: "abgelehnt".to_owned(),
        };
        Finding::new(Code::Thin, Severity::Warning, subject, title, mend)
            .reaching(2.5)
            .because(std::iter::repeat_n(question, 5))
    };
    let point = Point {
        id: named.id.clone(),
        title: title.to_owned(),
        group: named.group.clone(),
        x: 10.0,
        y: 20.5,
        severity: Some(Severity::Warning),
        codes: vec![Code::Thin],
    };
    let plain = Point { severity: None, codes: Vec::new(), group: None, ..point.clone() };
    Report {
        today: "2026-11-30".to_owned(),
        sections: 2,
        catalog_questions: 3,
        heading_questions: 1,
        other_catalog: false,
        flagged_sections: findings.min(1),
        severities: BTreeMap::from([(Severity::Warning, findings)]),
        findings: (0..findings).map(finding).collect(),
        map: vec![point, plain],
    }
}

#[test]
fn a_hostile_heading_stays_text_in_the_page() {
    let page = html(&report(HOSTILE, 2));
    assert_eq!(
        (page.matches("<script").count(), page.matches("</script>").count()),
        (1, 1),
        "ours"
    );
    for forbidden in ["<img", "<b>&", "und_<b>", "http:", "https:", "url(", "src=\"", "@import"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
}

#[test]
fn the_page_has_map_list_and_filters_that_fit_one_another() {
    let page = html(&report("Nutzen & Pausen", 2));
    for wanted in [
        "<html lang=\"de\">",
        "default-src 'none'",
        "<g class=\"mark\" data-id=\"d#a\" tabindex=\"0\" role=\"button\" aria-label=\"Nutzen &amp; Pausen · Wirkung und &lt;b&gt; · Dünn\" transform=\"translate(10.0 20.5)\"><title>",
        "<circle class=\"ring WARN\" r=\"16\"/><use href=\"#z0\" class=\"c0\"/>",
        "tabindex=\"-1\" role=\"img\" aria-label=\"Nutzen &amp; Pausen · ohne Gruppe\"",
        "data-severity=\"WARN\" data-code=\"G-THIN\" data-groups=\"Wirkung_und_&lt;b&gt;\" data-ids=\"d#a\"",
        "<option value=\"G-THIN\">Dünn (G-THIN)</option>",
        "<summary>2 weitere</summary>",
        "prefers-color-scheme: dark",
        "@media print",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for name in ["wort", "schwere", "befund", "gruppe"] {
        assert!(page.contains(&format!("name=\"{name}\"")), "{name}");
    }
    for tag in
        ["table", "tbody", "tr", "td", "ul", "li", "g", "svg", "figure", "form", "details", "div"]
    {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    assert!(html(&report("A", 0)).contains("Keine Lücken gefunden."));
}

#[test]
fn excel_reads_the_list_and_no_formula() {
    let table = csv(&report(HOSTILE, 1));
    assert!(table.starts_with("\u{feff}\"Rang\";\"Schwere\";"), "{table}");
    let lines: Vec<&str> = table.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 2, "{table}");
    assert!(!table.trim_end().contains(['\u{0}', '\u{1b}', '\u{202e}']));
    assert!(lines[1].starts_with("\"1\";\"Warnung\";\"G-THIN\";\"Dünn\";"), "{}", lines[1]);
    assert!(
        lines[1].contains(";\"7,5\";\"2,5\";\"'=HYPERLINK(\"\"x\"\")</script>"),
        "{}",
        lines[1]
    );
    // Outside of quotes there are only separators.
    let outside: String = lines[1].split('"').step_by(2).collect();
    assert_eq!(outside, ";".repeat(11));
    for formula in ["=1+1", "+49 30", "-1", "@SUM(A1)", " =1", "\t=1", "＝1"] {
        let table = csv(&report(formula, 1));
        assert!(!table.contains(&format!(";\"{}", formula.trim())), "{table}");
        assert!(table.contains(";\"'"), "{table}");
    }
}

#[test]
fn markdown_and_terminal_show_a_hostile_heading_in_one_line() {
    let list = markdown(&report(HOSTILE, 1));
    assert!(list.contains("\\<img src=x onerror=alert(1)\\>"), "{list}");
    assert!(!list.contains("<script>") && !list.contains('\u{1b}'), "{list}");
    assert!(list.contains("- [ ] \\=HYPERLINK"), "{list}");
    let told = text(&report(HOSTILE, 1));
    assert!(told.lines().all(|line| !line.starts_with("  1. Fehler")), "{told}");
    assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told}");
    assert!(told.contains("  1. Warnung  G-THIN"), "{told}");
    assert!(told.contains("· und 1 weitere"), "{told}");
    assert!(told.contains("2 Abschnitte: 0 Fehler, 1 Warnung, 0 Hinweise."), "{told}");
}
