use super::html;
use crate::catalog::Question;
use crate::catalog::report::{junit, text};
use crate::catalog::run::Run;
use crate::catalog::run::tests::{answer, judged, question};

/// A question that wants to be markup, script, an attribute's end and a forged report.
const HOSTILE: &str = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)> & ]]> \u{0}\u{1b}[31m\nPASS  forged";

fn hostile() -> Run {
    let question = Question {
        id: "a\"b".to_owned(),
        question: HOSTILE.to_owned(),
        tier: "<i>".to_owned(),
        ..question()
    };
    Run::new(vec![judged(&question, &answer(&["<b>&\"", "d#right"]))])
}

#[test]
fn a_hostile_question_stays_text_in_the_page() {
    let page = html(&hostile());
    assert_eq!(page.matches("<script").count(), 1, "ours");
    assert_eq!(page.matches("</script>").count(), 1, "ours");
    for forbidden in ["<img", "<i>a", "<b>&", "a\"b", "=\"<i>\"", "http:", "https:", "url("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt; &amp; ]]&gt; \u{fffd}\u{fffd}[31m"));
    assert!(page.contains("data-tier=\"&lt;i&gt;\""));
}

#[test]
fn a_hostile_question_stays_text_in_junit() {
    let xml = junit(&hostile());
    assert!(xml.contains(
        "testcase name=\"a&quot;b\" classname=\"catalog/a\" file=\"catalog/a.yaml\" line=\"7\""
    ));
    assert!(xml.contains("&lt;/script&gt;&lt;script&gt;alert(1)") && !xml.contains("]]>"));
    assert!(!xml.contains(['\0', '\u{1b}']), "characters that XML can not hold");
    let tags: Vec<&str> =
        xml.split('<').skip(1).filter_map(|rest| rest.split(['>', ' ']).next()).collect();
    assert_eq!(
        tags,
        [
            "?xml",
            "testsuites",
            "testsuite",
            "testcase",
            "system-out",
            "/system-out",
            "/testcase",
            "/testsuite",
            "/testsuites"
        ]
    );
}

#[test]
fn a_hostile_question_forges_no_line_of_the_terminal() {
    let told = text(&hostile());
    assert!(told.lines().all(|line| !line.starts_with("PASS")), "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
}

#[test]
fn junit_counts_failures_and_holds_warnings_as_output() {
    let other = Question { id: "q-2".to_owned(), ..question() };
    let run = Run::new(vec![
        judged(&question(), &answer(&["a"])),
        judged(&other, &answer(&["a", "d#right"])),
    ]);
    assert_eq!(
        junit(&run),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"catalog\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n  \
         <testsuite name=\"title\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n    \
         <testcase name=\"q-1\" classname=\"catalog/a\" file=\"catalog/a.yaml\" line=\"7\">\n      \
         <failure type=\"F-MISSING\" message=\"`d#right` is not among the first 1; first is `a` (0.90)\">\
         Was bringt das?\ncatalog/a.yaml:7:5\nF-MISSING: `d#right` is not among the first 1; first is `a` (0.90)</failure>\n    \
         </testcase>\n    \
         <testcase name=\"q-2\" classname=\"catalog/a\" file=\"catalog/a.yaml\" line=\"7\">\n      \
         <system-out>Was bringt das?\ncatalog/a.yaml:7:5\nW-RANK: rank 2 (0.80) behind `a` (0.90)</system-out>\n    \
         </testcase>\n  </testsuite>\n</testsuites>\n"
    );
}

#[test]
fn the_page_tells_why_in_german() {
    let run = Run::new(vec![judged(&question(), &answer(&["a", "d#right"]))]);
    let page = html(&run);
    for wanted in [
        "<html lang=\"de\">",
        "<b class=\"WARN\">W-RANK</b> richtiger Abschnitt erst auf Rang 2 bis 5",
        "<small>Rivale: a (0,90)</small>",
        "<small>Regel benefit_bringt (rules/shortcuts.yaml:12:5) traf „was bringt“</small>",
        "data-verdict=\"WARN\" data-codes=\"W-RANK\" data-tier=\"title\" data-group=\"Wirkung\"",
        "default-src 'none'",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
}
