//! Terms that a model proposed, as far as the document says them.

use std::collections::BTreeSet;

use super::{Candidate, Proposer, candidates::names};
use crate::analysis::{Analyzer, is_function_word, words};
use crate::domain::Section;
use crate::enrichment::stems;

/// Words of a term.
const MOST_WORDS: usize = 4;
/// Characters of a term.
const LONGEST: usize = 60;

/// The proposals that a document says, in whatever inflection, in its own spelling. None is an
/// identifier or a word of a name; what else they are worth is measured like that of all others.
pub fn proposed(
    proposals: &[String],
    sections: &[&Section],
    analyzer: &Analyzer,
) -> Vec<Candidate> {
    if proposals.is_empty() {
        return Vec::new();
    }
    let names = names(sections.iter().copied(), analyzer);
    let passages: Vec<Passage<'_>> = sections
        .iter()
        .flat_map(|section| [&section.title, &section.text])
        .map(|text| Passage::of(text, analyzer))
        .collect();
    let (mut seen, mut terms) = (BTreeSet::new(), Vec::new());
    for proposal in proposals {
        let Some(wanted) = form(proposal) else { continue };
        let Some(text) = passages.iter().find_map(|passage| passage.spelling(&wanted)) else {
            continue;
        };
        let stems = stems(&text);
        let opaque = analyzer.symbols().find_all(&text);
        let is_name = stems.iter().any(|stem| names.contains(stem))
            || opaque.iter().any(|symbol| !symbol.target.embedding());
        if !stems.is_empty() && !is_name && seen.insert(stems.clone()) {
            terms.push(Candidate { text, stems, weight: 0.0, proposed_by: Proposer::Llm });
        }
    }
    terms
}

/// The stems of a proposal that has the form of a term: a few words of letters that name something.
fn form(proposal: &str) -> Option<Vec<String>> {
    let proposal = proposal.trim();
    let is_letter = |c: char| c.is_alphabetic() || c == ' ' || c == '-';
    if proposal.chars().count() > LONGEST || !proposal.chars().all(is_letter) {
        return None;
    }
    let words = words(proposal);
    let says_something = words.iter().any(|word| !is_function_word(&word.folded));
    let fits = (1..=MOST_WORDS).contains(&words.len()) && says_something;
    fits.then(|| words.into_iter().map(|word| word.stem).collect())
}

/// A text as words; those of identifiers and names stand for nothing.
struct Passage<'a> {
    text: &'a str,
    /// Stem and place; `None` where a symbol stands.
    words: Vec<Option<(String, (usize, usize))>>,
}

impl<'a> Passage<'a> {
    fn of(text: &'a str, analyzer: &Analyzer) -> Self {
        let symbols = analyzer.symbols().find_all(text).into_iter();
        let opaque = symbols.filter(|symbol| !symbol.target.embedding());
        let taken: Vec<(usize, usize)> = opaque.map(|symbol| symbol.span).collect();
        let free = |span: (usize, usize)| !taken.iter().any(|at| span.0 < at.1 && at.0 < span.1);
        let words = words(text).into_iter();
        let words = words.map(|word| free(word.span).then_some((word.stem, word.span))).collect();
        Self { text, words }
    }

    /// How the text writes words with these stems, one after the other.
    fn spelling(&self, stems: &[String]) -> Option<String> {
        let says = |run: &&[Option<(String, (usize, usize))>]| {
            run.iter()
                .zip(stems)
                .all(|(word, stem)| word.as_ref().is_some_and(|(own, _)| own == stem))
        };
        let run = self.words.windows(stems.len()).find(says)?;
        let (from, to) = (run.first()?.as_ref()?.1.0, run.last()?.as_ref()?.1.1);
        let written: String = self.text.chars().skip(from).take(to - from).collect();
        let is_letter = |c: char| c.is_alphabetic() || c == ' ' || c == '-';
        written.chars().all(is_letter).then_some(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enrichment::tests::section;

    fn found(proposals: &[&str], text: &str) -> Vec<String> {
        let sections = [section("a#x", 1, "Zahlung", text)];
        let proposals: Vec<String> = proposals.iter().map(ToString::to_string).collect();
        let terms = proposed(&proposals, &[&sections[0]], &Analyzer::new(&sections));
        terms.into_iter().map(|term| term.text).collect()
    }

    #[test]
    fn a_term_counts_where_the_document_says_it_and_as_it_says_it() {
        let text = "Im Fall des Zahlungsverzugs gelten verlängerte Fristen der Lieferung.";
        let proposals = ["Zahlungsverzug", "verlängerte Frist", "Insolvenz", "Zahlung", "Zahlung"];
        assert_eq!(found(&proposals, text), ["Zahlungsverzugs", "verlängerte Fristen", "Zahlung"]);
    }

    #[test]
    fn names_identifiers_and_sentences_are_no_terms() {
        let text = "Die Hoffmann & Söhne GmbH zahlt ART-4471-B nach § 437 BGB an info@weber.de. Wir \
                    liefern alles was der Kunde bei uns bestellt hat.";
        for proposal in [
            "Hoffmann",
            "Söhne",
            "ART-4471-B",
            "ART",
            "weber",
            "437",
            "der",
            "",
            "-",
            "Wir liefern alles was der Kunde",
            "Kunde\u{202e}",
            "Kunde\n",
        ] {
            let expected: &[&str] = if proposal == "Kunde\n" { &["Kunde"] } else { &[] };
            assert_eq!(found(&[proposal], text), expected, "{proposal}");
        }
    }
}
