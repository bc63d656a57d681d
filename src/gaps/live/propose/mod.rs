//! What to do about a topic: exactly one thing, with what speaks for it.

mod outline;
mod tried;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Scale;
use super::label::Label;
use super::look::Looked;
use super::sift::Failure;
use super::terms::Terms;
use super::topic::Topic;
use crate::domain::{Section, SectionId};
use crate::gaps::{Action, Evidence, Mend, Named, Subject};
use crate::pipeline::{Pipeline, PipelineError};

/// Deviations by which a section stands out above the best sections of questions that have nothing to
/// do with the compendium, from which on a question touches its field: about a quarter of such
/// questions reach it.
const TOUCHES: f64 = 0.6;
/// A topic of the field is asked for in the words of the field now and then.
const IN_SCOPE: f64 = 0.2;

/// The topic of a cluster; `pipeline` shows what the reader of the report may see.
pub(super) async fn topic(
    pipeline: &Arc<Pipeline>,
    scale: &Scale,
    terms: &Terms<'_>,
    label: Label,
    looked: &[&Looked],
) -> Result<Topic, PipelineError> {
    let cluster = Cluster { pipeline, looked };
    let (mend, evidence) = cluster.proposal(scale, terms, &label).await?;
    let count = |failure: Failure| {
        looked.iter().filter(|one| one.bad.failure == failure).map(|one| one.bad.failed).sum()
    };
    // Only a mend that changes a section, or leads to one, names it.
    let section = mend.section.clone();
    Ok(Topic {
        subject: Subject::term(&label.text),
        label: label.text,
        failed: looked.iter().map(|one| one.bad.failed).sum(),
        refused: count(Failure::Refused),
        unhelpful: count(Failure::Unhelpful),
        questions: looked.iter().map(|one| one.bad.clone()).collect(),
        section,
        mend,
        evidence,
    })
}

type Proposal = (Mend, Vec<Evidence>);

struct Cluster<'a> {
    pipeline: &'a Arc<Pipeline>,
    looked: &'a [&'a Looked],
}

impl Cluster<'_> {
    /// In the order of certainty: what lies outside, what a word or a rule mends, what a section
    /// nearly says, and what nobody has written.
    async fn proposal(
        &self,
        scale: &Scale,
        terms: &Terms<'_>,
        label: &Label,
    ) -> Result<Proposal, PipelineError> {
        let leading = self.leading();
        if let Some(proposal) = self.out_of_scope() {
            return Ok(proposal);
        }
        if let Some((section, share)) = leading {
            if let Some(proposal) = self.synonym(scale, terms, label, section).await? {
                return Ok(proposal);
            }
            if let Some(proposal) = self.rule(section).await? {
                return Ok(proposal);
            }
            if let Some(proposal) = self.extension(label, section, share) {
                return Ok(proposal);
            }
        }
        Ok(self.new_section(label))
    }

    fn failed(&self) -> f64 {
        self.looked.iter().map(|one| one.bad.failed as f64).sum()
    }

    /// Mean over the askings.
    fn mean(&self, of: impl Fn(&Looked) -> f64) -> f64 {
        let sum: f64 = self.looked.iter().map(|one| of(one) * one.bad.failed as f64).sum();
        sum / self.failed().max(1.0)
    }

    fn share(&self, of: impl Fn(&Looked) -> bool) -> f64 {
        self.mean(|one| if of(one) { 1.0 } else { 0.0 })
    }

    /// The section that most questions find first, or that readers opened, with its share of the
    /// askings.
    fn leading(&self) -> Option<(&Section, f64)> {
        let mut votes: BTreeMap<&str, f64> = BTreeMap::new();
        for one in self.looked {
            // What was opened may be gone by now, or hidden.
            let there = |id: &&String| self.section(id).is_some();
            let found = one.bad.opened.iter().find(there).or(one.hits.first());
            if let Some(id) = found {
                *votes.entry(id).or_default() += one.bad.failed as f64;
            }
        }
        let best = votes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0)));
        let (id, count) = best?;
        Some((self.section(id)?, count / self.failed()))
    }

    fn section(&self, id: &str) -> Option<&Section> {
        self.pipeline.section(&SectionId::try_from(id).ok()?)
    }

    fn out_of_scope(&self) -> Option<Proposal> {
        let small_talk = self.mean(|one| one.evidence.small_talk);
        let near = self.share(|one| one.answerable || one.evidence.standing >= TOUCHES);
        let opened = self.looked.iter().any(|one| !one.bad.opened.is_empty());
        let foreign = near < IN_SCOPE;
        if opened || !(foreign || small_talk >= 0.5) {
            return None;
        }
        let mend = Mend::new(
            Action::OutOfScope,
            "Nichts schreiben: Das gehört nicht zum Thema des Kompendiums. Wer es doch beantworten \
             will, legt einen Abschnitt an.",
        );
        let (what, value, bound) = if foreign {
            ("Anteil der Fragen, die das Thema des Kompendiums berühren", near, IN_SCOPE)
        } else {
            ("Anschein, gar keine Sachfrage zu sein (0 bis 1)", small_talk, 0.5)
        };
        let what = what.to_owned();
        Some((mend, vec![Evidence::Figure { what, value, usual: None, bound: Some(bound) }]))
    }

    /// The leading section stands out for these questions, but does not answer them.
    fn extension(&self, label: &Label, section: &Section, share: f64) -> Option<Proposal> {
        let answered = self.share(|one| one.answerable);
        let opened = self.share(|one| one.bad.opened.iter().any(|id| id == section.id.as_str()));
        if share < 0.5 || (answered < 0.5 && opened < 0.5) {
            return None;
        }
        let points = self.outline(label);
        let mut mend = Mend::new(
            Action::ExtendSection,
            format!(
                "Den Abschnitt „{}“ um „{}“ ergänzen: {}.",
                section.title,
                label.text,
                points.join("; ")
            ),
        );
        mend.section = Some(section.id.to_string());
        mend.outline = points;
        let evidence = vec![
            Evidence::figure("Anteil der Fragen, die diesen Abschnitt zuerst finden", share, None),
            role(section, "liegt am nächsten und reicht nicht"),
        ];
        Some((mend, evidence))
    }
}

fn role(section: &Section, role: &str) -> Evidence {
    Evidence::Section { section: Named::from(section), role: role.to_owned() }
}
