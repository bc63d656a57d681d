//! A word or a rule that would be enough: offered only where a copy that has it answers the questions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Cluster, Proposal, role};
use crate::analysis::words;
use crate::domain::{IntentId, Query, Section, Source};
use crate::gaps::live::Scale;
use crate::gaps::live::label::{Label, Told};
use crate::gaps::live::look::{Looked, answering, asked};
use crate::gaps::live::terms::{Terms, is_slip};
use crate::gaps::{Action, Evidence, Mend};
use crate::normalise::normalise;
use crate::pipeline::{Pipeline, PipelineError};
use crate::query_log::without_placeholders;

/// Questions that a change is tried on, the most frequent ones.
const TRIED: usize = 5;
/// Words of a title that a synonym is tried for.
const CANDIDATES: usize = 3;
/// So many of the questions must be answered by it.
const HELPED: f64 = 2.0 / 3.0;
/// Fewer wordings are no pattern.
const WORDINGS: usize = 3;

/// How a change did.
struct Trial {
    tried: usize,
    /// Of them answered with the section, surely.
    right: usize,
}

impl Trial {
    fn helped(&self) -> bool {
        self.tried > 0 && self.right as f64 >= HELPED * self.tried as f64
    }

    fn evidence(&self, what: &str) -> Evidence {
        let what = format!("Auf Probe {what}: richtig beantwortet, von {} Fragen", self.tried);
        Evidence::figure(what, self.right as f64, None)
    }
}

impl Cluster<'_> {
    /// A word that no section has and that means what the title of the leading section says.
    ///
    /// Whatever word one lists under a title, its questions then find the section; so the meaning comes
    /// first, and a slip of the pen is no word.
    pub(super) async fn synonym(
        &self,
        scale: &Scale,
        terms: &Terms<'_>,
        label: &Label,
        section: &Section,
    ) -> Result<Option<Proposal>, PipelineError> {
        let unknown = |told: &&Told| {
            let term = &told.term;
            told.share >= 0.5
                && !terms.is_known(&term.stem)
                && !terms.is_misspelt(&term.folded, &term.stem)
        };
        let Some(asked_for) = label.terms.iter().find(unknown) else { return Ok(None) };
        let mut titles = terms.of(&section.title);
        titles.retain(|term| term.surface.chars().next().is_some_and(char::is_uppercase));
        titles.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let meaning = self.pipeline.meaning(&asked_for.surface).await?;
        for title in titles.iter().take(CANDIDATES) {
            let near = self.pipeline.meaning(&title.surface).await?;
            if is_slip(&asked_for.term.folded, &title.folded)
                || scale.deviations(&meaning, &near) < scale.same_meaning
            {
                continue;
            }
            let (word, known) = (&asked_for.surface, &title.surface);
            let copy = self.own().with_synonym(word, known).await?;
            let trial = self.trial(&copy, section, |one| {
                terms.of(&one.bad.question).iter().any(|term| term.folded == asked_for.term.folded)
            });
            let trial = trial.await?;
            if trial.helped() {
                let mut mend = Mend::new(
                    Action::AddSynonym,
                    format!(
                        "In rules/synonyms.yaml unter `finds` eintragen: {word}: [{known}]. Dann \
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
                    trial.evidence("mit diesem Eintrag"),
                    role(section, "antwortet, wenn man anders fragt"),
                ];
                return Ok(Some((mend, evidence)));
            }
        }
        Ok(None)
    }

    /// Questions that begin alike, whose intent nobody knows, and that an intent leads to one section:
    /// of those that the classifier thinks of, the first with which they are answered.
    pub(super) async fn rule(&self, section: &Section) -> Result<Option<Proposal>, PipelineError> {
        let unknown = self.share(|one| one.source == Source::Default);
        if self.looked.len() < WORDINGS || unknown < HELPED {
            return Ok(None);
        }
        let mut beginnings: BTreeMap<String, f64> = BTreeMap::new();
        let mut guesses: BTreeMap<&str, f64> = BTreeMap::new();
        for one in self.looked {
            *beginnings.entry(beginning(&one.bad.question)).or_default() += one.bad.failed as f64;
            for guess in &one.guesses {
                *guesses.entry(guess).or_default() += one.bad.failed as f64;
            }
        }
        let most = beginnings.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let Some((beginning, count)) = most else { return Ok(None) };
        let share = count / self.failed();
        if share < HELPED || !beginning.contains(' ') {
            return Ok(None);
        }
        let mut guesses: Vec<(&str, f64)> = guesses.into_iter().collect();
        guesses.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let pattern = format!(r"^{beginning}\b");
        for (guess, _) in guesses {
            let Ok(intent) = IntentId::try_from(guess) else { continue };
            let (copy, priority) = self.own().with_rule(&intent, &pattern)?;
            let trial = self.trial(&copy, section, |one| one.source == Source::Default).await?;
            if !trial.helped() {
                continue;
            }
            let id = format!("{intent}_{}", beginning.replace(' ', "_"));
            let mut mend = Mend::new(
                Action::AddRule,
                format!(
                    "In rules/shortcuts.yaml eine Regel für Fragen eintragen, die mit „{beginning}“ \
                     beginnen: id: {id}, intent: {intent}, pattern: '{pattern}', priority: \
                     {priority}, mit den Fragen hier als positiven Beispielen. Dann finden sie den \
                     Abschnitt „{}“.",
                    section.title
                ),
            );
            mend.section = Some(section.id.to_string());
            let evidence = vec![
                trial.evidence("mit dieser Regel"),
                Evidence::figure("Anteil der Fragen ohne erkannte Absicht", unknown, None),
                Evidence::figure(format!("Anteil, der mit „{beginning}“ beginnt"), share, None),
                role(section, "ist gemeint"),
            ];
            return Ok(Some((mend, evidence)));
        }
        Ok(None)
    }

    /// What shows the sections that the most frequent wording was asked over.
    fn own(&self) -> &Arc<Pipeline> {
        self.looked.first().map_or(self.pipeline, |one| &one.pipeline)
    }

    /// Asks questions of the topic again of a copy of [`Cluster::own`]; those that the section answers
    /// without it prove nothing.
    async fn trial(
        &self,
        copy: &Pipeline,
        section: &Section,
        concerned: impl Fn(&Looked) -> bool,
    ) -> Result<Trial, PipelineError> {
        let wanted = section.id.as_str();
        let mut trial = Trial { tried: 0, right: 0 };
        let over_the_same = |one: &&&Looked| Arc::ptr_eq(&one.pipeline, self.own());
        let open = self.looked.iter().filter(over_the_same).filter(|one| {
            let answered = one.is_sure() && one.hits.first().is_some_and(|id| id == wanted);
            !answered && concerned(one)
        });
        for one in open.take(TRIED) {
            let answer = asked(copy, &without_placeholders(&one.bad.question)).await?;
            trial.tried += 1;
            trial.right += usize::from(answering(&answer) == Some(wanted));
        }
        Ok(trial)
    }
}

/// The first two words of what is asked, as a rule reads them.
fn beginning(question: &str) -> String {
    let question = without_placeholders(question);
    let Ok(query) = Query::new(&question, usize::MAX) else { return String::new() };
    let first = words(normalise(&query).core()).into_iter().take(2).map(|word| word.folded);
    first.collect::<Vec<_>>().join(" ")
}
