//! Questions that a section answers which their askers may not see.

use std::collections::{BTreeMap, BTreeSet};

use super::FEWEST;
use super::look::Looked;
use super::sift::Failure;
use super::topic::Topic;
use crate::domain::{Audiences, Section, SectionId};
use crate::gaps::{Action, Evidence, Mend, Subject};
use crate::pipeline::Pipeline;

/// One topic a section, in the order of their ids; what was asked once is no topic.
pub(super) fn topics(pipeline: &Pipeline, withheld: &[Looked]) -> Vec<Topic> {
    let mut by_section: BTreeMap<&SectionId, Vec<&Looked>> = BTreeMap::new();
    for looked in withheld {
        if let Some(id) = &looked.withheld {
            by_section.entry(id).or_default().push(looked);
        }
    }
    let topics = by_section.into_iter().filter_map(|(id, mut looked)| {
        looked.sort_by(|a, b| {
            let by_wording = || a.bad.question.cmp(&b.bad.question);
            b.bad.failed.cmp(&a.bad.failed).then_with(by_wording)
        });
        let topic = topic(pipeline.section(id)?, &looked);
        (topic.failed >= FEWEST).then_some(topic)
    });
    topics.collect()
}

fn topic(section: &Section, looked: &[&Looked]) -> Topic {
    let count = |failure: Failure| {
        looked.iter().filter(|one| one.bad.failure == failure).map(|one| one.bad.failed).sum()
    };
    let askers: BTreeSet<&Audiences> = looked.iter().map(|one| &one.bad.audiences).collect();
    let mut mend = Mend::new(Action::ReleaseSection, text(section, &askers));
    mend.section = Some(section.id.to_string());
    let words = |what: &str, words: Vec<String>| Evidence::Words { what: what.to_owned(), words };
    Topic {
        label: section.title.clone(),
        subject: Subject::section(section),
        failed: looked.iter().map(|one| one.bad.failed).sum(),
        refused: count(Failure::Refused),
        unhelpful: count(Failure::Unhelpful),
        questions: looked.iter().map(|one| one.bad.clone()).collect(),
        section: mend.section.clone(),
        mend,
        evidence: vec![
            words("Sichtbar nur für", section.audience.iter().cloned().collect()),
            words("Gefragt haben", askers.iter().map(|asker| german(asker)).collect()),
        ],
    }
}

/// Whom the section is released to, and how; or what to do where it stays as it is.
fn text(section: &Section, askers: &BTreeSet<&Audiences>) -> String {
    let named: BTreeSet<&str> = askers
        .iter()
        .filter_map(|asker| match asker {
            Audiences::Only(own) => Some(own.iter().map(String::as_str)),
            Audiences::All => None,
        })
        .flatten()
        .collect();
    let Section { title, place, .. } = section;
    let change = if askers.contains(&Audiences::public()) || named.is_empty() {
        "dort `audience` streichen (am Abschnitt oder im Kopf der Datei)".to_owned()
    } else {
        let named: Vec<&str> = named.into_iter().collect();
        format!("dort `audience` um {} ergänzen", named.join(" oder "))
    };
    format!(
        "Entscheiden, ob „{title}“ ({place}) auch für diese Fragenden bestimmt ist: dann {change}. Wenn \
         nicht, das, was sie wissen dürfen, in einen Abschnitt schreiben, den sie sehen."
    )
}

/// Who asked, for people.
fn german(askers: &Audiences) -> String {
    match askers {
        Audiences::All => "wer alles sieht".to_owned(),
        Audiences::Only(own) if own.is_empty() => "alle ohne besondere Rechte".to_owned(),
        Audiences::Only(own) => own.iter().cloned().collect::<Vec<_>>().join(" und "),
    }
}
