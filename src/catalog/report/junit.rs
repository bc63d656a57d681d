//! `JUnit` XML, as CI servers read it: a suite a tier, a failure where a question failed, the
//! warnings as output of its case.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::escaped;
use crate::catalog::run::{Outcome, Run, Verdict};

/// The whole run as one XML document.
pub fn junit(run: &Run) -> String {
    let mut out = String::new();
    write(&mut out, run).expect("a string takes everything");
    out
}

fn write(out: &mut String, run: &Run) -> fmt::Result {
    let mut suites: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in &run.questions {
        suites.entry(&outcome.tier).or_default().push(outcome);
    }
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let (tests, failures) = counts(run.questions.iter());
    writeln!(
        out,
        r#"<testsuites name="catalog" tests="{tests}" failures="{failures}" errors="0">"#
    )?;
    for (tier, outcomes) in suites {
        let (tests, failures) = counts(outcomes.iter().copied());
        let tier = escaped(tier);
        writeln!(
            out,
            r#"  <testsuite name="{tier}" tests="{tests}" failures="{failures}" errors="0" skipped="0">"#
        )?;
        for outcome in outcomes {
            case(out, outcome)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn counts<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> (usize, usize) {
    outcomes.fold((0, 0), |(tests, failures), outcome| {
        (tests + 1, failures + usize::from(outcome.verdict == Verdict::Fail))
    })
}

fn case(out: &mut String, outcome: &Outcome) -> fmt::Result {
    let (id, place) = (escaped(&outcome.id), &outcome.place);
    let class = escaped(place.file.trim_end_matches(".yaml"));
    let file = escaped(&place.file);
    write!(
        out,
        r#"    <testcase name="{id}" classname="{class}" file="{file}" line="{}""#,
        place.line
    )?;
    if outcome.findings.is_empty() {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    let told: Vec<String> = outcome
        .findings
        .iter()
        .map(|finding| format!("{}: {}", finding.code.as_str(), finding.reason))
        .collect();
    let told = format!("{}\n{place}\n{}", outcome.question, told.join("\n"));
    if outcome.verdict == Verdict::Fail {
        let codes: Vec<&str> = outcome.codes().iter().map(|code| code.as_str()).collect();
        let first = outcome.findings.first().map_or("", |finding| finding.reason.as_str());
        writeln!(
            out,
            r#"      <failure type="{}" message="{}">{}</failure>"#,
            codes.join(" "),
            escaped(first),
            escaped(&told)
        )?;
    } else {
        writeln!(out, "      <system-out>{}</system-out>", escaped(&told))?;
    }
    writeln!(out, "    </testcase>")
}
