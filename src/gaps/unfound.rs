//! Sections that their own questions do not find, and topics that nothing answers.

use std::collections::{BTreeMap, BTreeSet};

use super::asked::{Asked, Gone};
use super::finding::{Action, Code, Evidence, Finding, Mend, Named, Severity, Subject};
use super::known::Known;
use super::vocabulary::content;
use crate::analysis::fold;

/// How improbable a section's failures must be at the compendium's own rate: once in fifty sections.
const CHANCE: f64 = 0.02;

pub(super) fn findings(known: &Known<'_>) -> Vec<Finding> {
    let asked = known.own.iter().flatten();
    let (all, lost) = asked.fold((0_usize, 0_usize), |(all, lost), asked| {
        (all + 1, lost + usize::from(!asked.is_answered() && !asked.refused))
    });
    let rate = lost as f64 / all.max(1) as f64;
    let mut found: Vec<Finding> =
        known.each().filter_map(|(ordinal, _)| rarely_or_never(known, ordinal, rate)).collect();
    found.extend(known.each().filter_map(|(ordinal, _)| refused(known, ordinal)));
    found.extend(known.asking.gone.iter().map(|gone| missing(known, gone)));
    found
}

/// Questions of which the right section is not among the first five.
fn rarely_or_never(known: &Known<'_>, ordinal: u32, rate: f64) -> Option<Finding> {
    let section = known.section(ordinal);
    let own = &known.own[ordinal as usize];
    let lost: Vec<&&Asked> =
        own.iter().filter(|asked| !asked.refused && !asked.is_answered()).collect();
    if lost.is_empty() {
        return None;
    }
    let never = lost.len() == own.len() && known.asking.leading_to(ordinal).is_empty();
    let improbable = at_least(lost.len(), own.len(), rate) < CHANCE;
    let (code, severity) = match (never, lost.len()) {
        (true, 2..) => (Code::NeverFound, Severity::Error),
        (true, _) => (Code::NeverFound, Severity::Warning),
        (false, 2..) if improbable => (Code::RarelyFound, Severity::Warning),
        (false, 2..) => (Code::RarelyFound, Severity::Hint),
        (false, _) => return None,
    };
    let message = if never {
        format!(
            "Keine Frage führt zu „{}“: Auch {} steht der Abschnitt nicht unter den ersten fünf.",
            section.title,
            if own.len() == 1 {
                "für die eigene".to_owned()
            } else {
                format!("für seine {} eigenen", own.len())
            }
        )
    } else {
        format!(
            "{} von {} Fragen, die „{}“ beantworten soll, finden den Abschnitt nicht unter den ersten \
             fünf.",
            lost.len(),
            own.len(),
            section.title
        )
    };
    let words = unknown_words(known, ordinal, &lost);
    let with = if words.is_empty() {
        "Nehmen Sie die Wörter dieser Fragen in den Text auf.".to_owned()
    } else {
        format!(
            "Nehmen Sie die Wörter der Fragen in den Text auf ({}), oder tragen Sie sie in \
             rules/synonyms.yaml ein.",
            words.join(", ")
        )
    };
    let mend = Mend::new(Action::ExtendSection, format!("„{}“: {with}", section.title));
    let words = (!words.is_empty()).then(|| Evidence::Words {
        what: "Wörter der Fragen, die im Abschnitt fehlen".to_owned(),
        words,
    });
    Some(
        Finding::new(code, severity, Subject::section(section), message, mend)
            .reaching(lost.len() as f64)
            .because(lost.iter().map(|asked| known.question(asked)))
            .because(words),
    )
}

/// Questions that are refused although a section should answer them.
fn refused(known: &Known<'_>, ordinal: u32) -> Option<Finding> {
    let section = known.section(ordinal);
    let refused: Vec<&&Asked> =
        known.own[ordinal as usize].iter().filter(|asked| asked.refused).collect();
    if refused.is_empty() {
        return None;
    }
    let severity = if refused.len() > 1 { Severity::Warning } else { Severity::Hint };
    let message = format!(
        "fehlt: {}. {} wird abgelehnt, obwohl der Abschnitt antworten soll.",
        section.title,
        if refused.len() == 1 {
            "Eine Frage".to_owned()
        } else {
            format!("{} Fragen: Jede", refused.len())
        }
    );
    let words = unknown_words(known, ordinal, &refused);
    let text = format!(
        "Ergänzen Sie „{}“ um das, was hier gefragt wird{}.",
        section.title,
        if words.is_empty() {
            String::new()
        } else {
            format!(", mit diesen Wörtern: {}", words.join(", "))
        }
    );
    let subject = Subject { term: Some(section.title.clone()), ..Subject::section(section) };
    Some(
        Finding::new(
            Code::Missing,
            severity,
            subject,
            message,
            Mend::new(Action::ExtendSection, text),
        )
        .reaching(refused.len() as f64)
        .because(refused.iter().map(|asked| known.question(asked))),
    )
}

/// A topic whose section is gone.
fn missing(known: &Known<'_>, gone: &Gone) -> Finding {
    let label = label(known, gone);
    let message = format!(
        "fehlt: {label}. Der Katalog fragt danach, aber den Abschnitt {} gibt es nicht.",
        gone.section
    );
    let telling = telling_words(known, gone.questions.iter().map(|(_, text)| text.as_str()));
    let group = gone.group.clone().or_else(|| group_of_document(known, gone));
    let outline = gone.questions.iter().map(|(_, text)| text.clone()).collect();
    let where_ = group
        .as_ref()
        .map_or_else(String::new, |group| format!(" in der Gruppe {}", group.replace('_', " ")));
    let mend = Mend {
        group,
        outline,
        ..Mend::new(
            Action::NewSection,
            format!(
                "Schreiben Sie einen Abschnitt „{label}“{where_} mit der Kennung {}, der diese Fragen \
                 beantwortet; oder streichen Sie sie aus dem Katalog.",
                gone.section
            ),
        )
    };
    let questions = gone.questions.iter().map(|(id, text)| Evidence::Question {
        id: Some(id.clone()),
        text: text.clone(),
        count: 1,
        outcome: "kein Abschnitt dafür".to_owned(),
    });
    Finding::new(Code::Missing, Severity::Error, Subject::term(label), message, mend)
        .reaching(gone.questions.len() as f64)
        .because(questions)
        .because([Evidence::Words { what: "gefragt wird nach".to_owned(), words: telling }])
        .because(nearest_by_words(known, gone))
}

/// The heading as it must have been: the words of the section's id, spelled as questions and
/// sections spell them.
fn label(known: &Known<'_>, gone: &Gone) -> String {
    let id = gone.section.as_str();
    let slug = id.rsplit_once('#').map_or(id, |(_, slug)| slug);
    let asked = gone.questions.iter().flat_map(|(_, text)| content(text));
    let mut spelled: BTreeMap<String, String> = BTreeMap::new();
    for word in asked {
        spelled.entry(word.folded).or_insert(word.surface);
    }
    let surfaces = known.vocabulary.stems().map(|stem| known.vocabulary.surface(stem));
    for surface in surfaces {
        spelled.entry(fold(surface)).or_insert_with(|| surface.to_owned());
    }
    let words = slug.split(['-', '_', '/']).filter(|word| !word.is_empty());
    let words: Vec<&str> =
        words.map(|word| spelled.get(&fold(word)).map_or(word, String::as_str)).collect();
    let label = words.join(" ");
    let mut letters = label.chars();
    letters.next().map_or(label.clone(), |first| first.to_uppercase().chain(letters).collect())
}

/// The content words of questions, those that most of them share first, at most five.
fn telling_words<'q>(known: &Known<'_>, questions: impl Iterator<Item = &'q str>) -> Vec<String> {
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for question in questions {
        let mut own: BTreeMap<String, String> = BTreeMap::new();
        for word in content(question) {
            own.entry(word.stem).or_insert(word.surface);
        }
        for (stem, surface) in own {
            found.entry(stem).or_insert((0, surface)).0 += 1;
        }
    }
    let weighed = found
        .into_iter()
        .map(|(stem, (count, surface))| (count as f64 * known.vocabulary.weight(&stem), surface));
    let mut weighed: Vec<(f64, String)> = weighed.collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    weighed.into_iter().take(5).map(|(_, surface)| surface).collect()
}

/// Words of lost questions that the section lacks: what it should say. What a question made from the
/// heading says beside the heading (“versteht”) is nobody's word.
fn unknown_words(known: &Known<'_>, ordinal: u32, asked: &[&&Asked]) -> Vec<String> {
    let own = &known.vocabulary.counts[ordinal as usize];
    let mut words: Vec<String> = Vec::new();
    let asked = asked.iter().filter(|asked| asked.id.is_some());
    for word in asked.flat_map(|asked| content(&asked.text)) {
        if !own.contains_key(&word.stem) && !words.contains(&word.surface) {
            words.push(word.surface);
        }
    }
    words.truncate(8);
    words
}

/// The group of the other sections of the document.
fn group_of_document(known: &Known<'_>, gone: &Gone) -> Option<String> {
    let (document, _) = gone.section.as_str().rsplit_once('#')?;
    let same = known.sections.iter().find(|section| section.document() == document)?;
    same.group.as_ref().map(ToString::to_string)
}

/// The section that shares the most telling words with the questions: where to link it, or whether
/// it has only been renamed.
fn nearest_by_words(known: &Known<'_>, gone: &Gone) -> Option<Evidence> {
    let asked = gone.questions.iter().flat_map(|(_, text)| content(text));
    let stems: BTreeSet<String> = asked.map(|word| word.stem).collect();
    let score = |ordinal: u32| -> f64 {
        let own = &known.vocabulary.counts[ordinal as usize];
        stems
            .iter()
            .filter(|stem| own.contains_key(*stem))
            .map(|stem| known.vocabulary.weight(stem))
            .sum()
    };
    let best = known.each().map(|(ordinal, section)| (score(ordinal), section));
    let (score, section) =
        best.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.id.cmp(&a.1.id)))?;
    (score > 0.0).then(|| Evidence::Section {
        section: Named::from(section),
        role: "spricht am ehesten davon".to_owned(),
    })
}

/// Probability of at least `hits` successes in `tries` at this rate (binomial).
fn at_least(hits: usize, tries: usize, rate: f64) -> f64 {
    let (mut term, mut sum) = ((1.0 - rate).powf(tries as f64), 0.0);
    for count in 0..=tries {
        if count >= hits {
            sum += term;
        }
        if rate >= 1.0 {
            return 1.0;
        }
        term *= (tries - count) as f64 / (count + 1) as f64 * rate / (1.0 - rate);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binomial_tail_is_that_of_the_books() {
        assert!((at_least(0, 5, 0.3) - 1.0).abs() < 1e-12);
        assert!((at_least(2, 4, 0.5) - 11.0 / 16.0).abs() < 1e-12);
        assert!((at_least(3, 5, 0.1) - 0.00856).abs() < 1e-9);
        assert!((at_least(1, 3, 0.0)).abs() < 1e-12);
        assert!((at_least(3, 3, 1.0) - 1.0).abs() < 1e-12);
    }
}
