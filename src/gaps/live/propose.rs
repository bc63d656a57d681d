//! What to do about a topic: exactly one thing, with what speaks for it.

use std::collections::BTreeMap;

use super::label::{Label, Told};
use super::look::{Looked, asked};
use super::sift::{Failure, UNSURE};
use super::terms::Terms;
use super::topic::Topic;
use super::{Scale, without_placeholders};
use crate::analysis::words;
use crate::domain::{Section, SectionId, Source};
use crate::gaps::{Action, Evidence, Mend, Named};
use crate::pipeline::{Pipeline, PipelineError};

/// Questions that a synonym is tried on.
const TRIED: usize = 5;
/// Words of a title that a synonym is tried for.
const CANDIDATES: usize = 3;
/// Points of an outline.
const POINTS: usize = 5;
/// Deviations by which a section stands out above the best sections of questions that have nothing to
/// do with the compendium, from which on a question touches its field: about a quarter of such
/// questions reach it.
const TOUCHES: f64 = 0.6;
/// A topic of the field is asked for in the words of the field now and then.
const IN_SCOPE: f64 = 0.2;

/// The topic of a cluster.
pub(super) async fn topic(
    pipeline: &Pipeline,
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
    pipeline: &'a Pipeline,
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
            if let Some(proposal) = self.rule(section) {
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
            let found = one.bad.opened.first().or(one.hits.first());
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

    /// A word that no section has and that means what the title of the leading section says; tried on
    /// the questions themselves.
    async fn synonym(
        &self,
        scale: &Scale,
        terms: &Terms<'_>,
        label: &Label,
        section: &Section,
    ) -> Result<Option<Proposal>, PipelineError> {
        let unknown = |told: &&Told| told.share >= 0.5 && !terms.is_known(&told.term.stem);
        let Some(asked_for) = label.terms.iter().find(unknown) else { return Ok(None) };
        let mut titles = terms.of(&section.title);
        titles.retain(|term| term.surface.chars().next().is_some_and(char::is_uppercase));
        titles.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let meaning = self.pipeline.meaning(&asked_for.surface).await?;
        for title in titles.iter().take(CANDIDATES) {
            let near = self.pipeline.meaning(&title.surface).await?;
            if scale.deviations(&meaning, &near) < scale.threshold {
                continue;
            }
            let (mut tried, mut right) = (0, 0);
            for one in self.looked {
                let Some(question) = replaced(&one.bad.question, asked_for, &title.surface) else {
                    continue;
                };
                if tried == TRIED {
                    break;
                }
                tried += 1;
                let answer = asked(self.pipeline, &question).await?;
                let first = answer.hits.iter().flatten().next();
                let found = first.is_some_and(|hit| hit.id == section.id.as_str());
                let sure = answer.confidence.is_some_and(|confidence| confidence >= UNSURE);
                right += usize::from(found && sure && answer.answerable == Some(true));
            }
            if tried > 0 && right * 3 >= tried * 2 {
                let (word, known) = (&asked_for.surface, &title.surface);
                let mut mend = Mend::new(
                    Action::AddSynonym,
                    format!(
                        "In rules/synonyms.yaml unter `same` eintragen: [{known}, {word}]. Dann \
                         findet „{word}“ den Abschnitt „{}“.",
                        section.title
                    ),
                );
                mend.section = Some(section.id.to_string());
                let evidence = vec![
                    Evidence::Words {
                        what: "Gefragt wird mit einem Wort, das kein Abschnitt hat".to_owned(),
                        words: vec![word.clone()],
                    },
                    Evidence::figure(
                        format!(
                            "Mit „{known}“ an seiner Stelle richtig beantwortet, von {tried} Fragen"
                        ),
                        f64::from(right as u32),
                        None,
                    ),
                    role(section, "antwortet, wenn man anders fragt"),
                ];
                return Ok(Some((mend, evidence)));
            }
        }
        Ok(None)
    }

    /// Questions that begin alike, whose intent nobody knows, and that find one section.
    fn rule(&self, section: &Section) -> Option<Proposal> {
        /// Fewer wordings are no pattern.
        const FEWEST: usize = 3;
        let unknown = self.share(|one| one.source == Source::Default);
        if self.looked.len() < FEWEST || unknown < 2.0 / 3.0 {
            return None;
        }
        let mut beginnings: BTreeMap<String, f64> = BTreeMap::new();
        let mut guesses: BTreeMap<&str, f64> = BTreeMap::new();
        for one in self.looked {
            let words = words(&without_placeholders(&one.bad.question));
            let first: Vec<&str> = words.iter().take(2).map(|word| word.folded.as_str()).collect();
            *beginnings.entry(first.join(" ")).or_default() += one.bad.failed as f64;
            if let Some(guess) = &one.guess {
                *guesses.entry(guess).or_default() += one.bad.failed as f64;
            }
        }
        let (beginning, count) = beginnings.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (intent, _) = guesses.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let share = count / self.failed();
        if share < 2.0 / 3.0 || !beginning.contains(' ') {
            return None;
        }
        let mut mend = Mend::new(
            Action::AddRule,
            format!(
                "In rules/shortcuts.yaml eine Regel für Fragen, die mit „{beginning}“ beginnen: \
                 intent: {intent}, pattern: '^{beginning}\\b', mit den Fragen hier als positiven \
                 Beispielen."
            ),
        );
        mend.section = Some(section.id.to_string());
        let evidence = vec![
            Evidence::figure("Anteil der Fragen ohne erkannte Absicht", unknown, None),
            Evidence::figure(format!("Anteil, der mit „{beginning}“ beginnt"), share, None),
            role(section, "wird am häufigsten gefunden"),
        ];
        Some((mend, evidence))
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

    fn new_section(&self, label: &Label) -> Proposal {
        let mut votes: BTreeMap<&str, f64> = BTreeMap::new();
        let mut nearest: Vec<&Section> = Vec::new();
        for one in self.looked {
            for (at, id) in one.hits.iter().take(5).enumerate() {
                let Some(section) = self.section(id) else { continue };
                if let Some(group) = &section.group {
                    let vote = one.bad.failed as f64 / (at as f64 + 1.0);
                    *votes.entry(group.as_str()).or_default() += vote;
                }
                if at == 0 && nearest.len() < 2 && !nearest.iter().any(|s| s.id == section.id) {
                    nearest.push(section);
                }
            }
            if let Some(group) = one.groups.first() {
                *votes.entry(group).or_default() += one.bad.failed as f64;
            }
        }
        let best = votes.iter().max_by(|a, b| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0)));
        let group = best.map(|(group, _)| (*group).to_owned());
        let all: f64 = votes.values().sum();
        let points = self.outline(label);
        let place = group.as_ref().map_or_else(String::new, |group| {
            format!(" in der Gruppe {}", group.replace('_', " "))
        });
        let text = format!(
            "Einen neuen Abschnitt „{}“{place} schreiben: {}.",
            label.text,
            points.join("; ")
        );
        let mut mend = Mend::new(Action::NewSection, text);
        mend.outline = points;
        let mut evidence = vec![Evidence::figure(
            "Anteil der Fragen ohne Antwort im heutigen Kompendium",
            1.0 - self.share(|one| one.answerable),
            None,
        )];
        if let (Some(group), Some((_, votes))) = (&group, best) {
            let what = format!("Stimmen der nächsten Abschnitte für {}", group.replace('_', " "));
            evidence.push(Evidence::figure(what, votes / all, None));
        }
        evidence.extend(
            nearest.into_iter().map(|near| role(near, "liegt am nächsten, antwortet nicht")),
        );
        mend.group = group;
        (mend, evidence)
    }

    /// What is asked of the topic, the most frequent kind of question first.
    fn outline(&self, label: &Label) -> Vec<String> {
        let topic = label.terms.first().map_or(label.text.as_str(), |told| told.surface.as_str());
        let mut kinds: BTreeMap<&str, (f64, &str)> = BTreeMap::new();
        for one in self.looked {
            let kind = kinds.entry(&one.intent).or_insert((0.0, &one.bad.question));
            kind.0 += one.bad.failed as f64;
        }
        let mut kinds: Vec<(&str, (f64, &str))> = kinds.into_iter().collect();
        kinds.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then_with(|| a.0.cmp(b.0)));
        let point = |(intent, (_, question)): (&str, (f64, &str))| {
            let what = match intent {
                "definition" => format!("was {topic} ist und was nicht"),
                "how" => format!("wie man bei {topic} vorgeht, Schritt für Schritt"),
                "why" => format!("Ursachen und Gründe von {topic}"),
                "benefit" => format!("was {topic} bringt"),
                "troubleshoot" => format!("was bei Schwierigkeiten mit {topic} hilft"),
                "quantity" => format!("Zahlen und Umfang zu {topic}"),
                "who" => format!("wer mit {topic} zu tun hat"),
                "when" => format!("Zeitpunkt und Dauer bei {topic}"),
                "where" => format!("wo {topic} zu finden ist"),
                "which_list" => format!("welche Arten von {topic} es gibt"),
                "compare" => format!("wovon sich {topic} unterscheidet"),
                "condition" => format!("wovon {topic} abhängt"),
                "yes_no" => format!("was für und was gegen {topic} spricht"),
                "example" => format!("Beispiele für {topic}"),
                _ => format!("allgemein zu {topic}"),
            };
            format!("{what} („{question}“)")
        };
        kinds.into_iter().take(POINTS).map(point).collect()
    }
}

fn role(section: &Section, role: &str) -> Evidence {
    Evidence::Section { section: Named::from(section), role: role.to_owned() }
}

/// The question with another word in the place of a term; `None` where it does not have it.
fn replaced(question: &str, told: &Told, by: &str) -> Option<String> {
    let at = question.find(&told.surface)?;
    let end = at + told.surface.len();
    Some(format!("{}{by}{}", question.get(..at)?, question.get(end..)?))
}
