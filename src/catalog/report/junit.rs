//! `JUnit` XML, as CI servers read it: a suite a tier, a failure where a question failed, the
//! warnings as output of its case. An open gap is skipped: nobody has written yet what it waits for.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::escaped;
use crate::catalog::run::{Outcome, Run, Ticket, Verdict};

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
    let Counts { tests, failures, skipped } = counts(run.questions.iter());
    writeln!(
        out,
        r#"<testsuites name="catalog" tests="{tests}" failures="{failures}" errors="0" skipped="{skipped}">"#
    )?;
    for (tier, outcomes) in suites {
        let Counts { tests, failures, skipped } = counts(outcomes.iter().copied());
        let tier = escaped(tier);
        writeln!(
            out,
            r#"  <testsuite name="{tier}" tests="{tests}" failures="{failures}" errors="0" skipped="{skipped}">"#
        )?;
        for outcome in outcomes {
            case(out, outcome)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    skipped: usize,
}

fn counts<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Counts {
    outcomes.fold(Counts::default(), |counts, outcome| Counts {
        tests: counts.tests + 1,
        failures: counts.failures + usize::from(outcome.verdict == Verdict::Fail),
        skipped: counts.skipped + usize::from(outcome.ticket == Some(Ticket::Open)),
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
    if outcome.findings.is_empty() && outcome.ticket.is_none() {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    let closed = "closed: it passes now; take away `status: open`".to_owned();
    let closed = (outcome.ticket == Some(Ticket::Closed)).then_some(closed);
    let findings = outcome.findings.iter();
    let findings = findings.map(|finding| format!("{}: {}", finding.code.as_str(), finding.reason));
    let told: Vec<String> = closed.into_iter().chain(findings).collect();
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
    } else if outcome.ticket == Some(Ticket::Open) {
        let first = outcome.findings.first().map_or("", |finding| finding.reason.as_str());
        let message = escaped(&format!("open gap: {first}"));
        writeln!(out, r#"      <skipped message="{message}"/>"#)?;
        writeln!(out, "      <system-out>{}</system-out>", escaped(&told))?;
    } else {
        writeln!(out, "      <system-out>{}</system-out>", escaped(&told))?;
    }
    writeln!(out, "    </testcase>")
}
