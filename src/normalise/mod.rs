//! A question → the views that rules and groups read.
//!
//! Steps, in order: one spelling ([`spelling::fold`]: compatibility forms, lower case, ä→ae, ß→ss,
//! one kind of dash, quotations masked, frequent misspellings mended), then what the question itself
//! calls off goes ([`negation`]), then the frame around the core is taken off ([`frame::core`]:
//! greeting, politeness, leading subordinate clause). A question that asks several things at once
//! falls into [`parts`]; a comparison names what it compares ([`compared`]).

mod compared;
mod frame;
mod negation;
mod parts;
mod spelling;

pub use compared::compared;
pub use negation::called_off;
pub use parts::parts;

use crate::domain::{NormalisedQuery, Query};

/// Makes the folded view and the core of a question.
pub fn normalise(query: &Query) -> NormalisedQuery {
    let folded = negation::without_called_off(&spelling::fold(query.as_str()));
    let core = frame::core(&folded).to_owned();
    NormalisedQuery::new(query, folded, core)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn core_of(question: &str) -> String {
        let query = Query::new(question, 2_000).expect("a question");
        normalise(&query).core().to_owned()
    }

    #[test]
    fn the_core_is_what_is_asked() {
        for (question, core) in [
            ("Welchen Nutzen hat verteiltes Lernen?", "welchen nutzen hat verteiltes lernen?"),
            ("Hallo, ich wüsste gern, ob Musik beim Lernen stört.", "ob musik beim lernen stoert."),
            (
                "Kannst du mir bitte erklären, wie das Leitner-System geht?",
                "wie das leitner-system geht?",
            ),
            ("Wenn ich nie wiederhole, was passiert dann?", "was passiert dann?"),
            ("Was heißt „retroaktiv“?", "was heisst zitat?"),
            ("Wiso geht das net?", "wieso geht das net?"),
            ("WIEVIEL KOSTET DAS?", "wie viel kostet das?"),
            ("Meine Frage ist: Warum schwimmt Eis?", "warum schwimmt eis?"),
            (
                "Guten Tag, ich bin Student. Muss ich Kirchensteuer zahlen?",
                "muss ich kirchensteuer zahlen?",
            ),
            ("Mir gehts gut, brauche ich einen Coronatest?", "brauche ich einen coronatest?"),
            (
                "Ich putze den Kühlschrank, aber wie komme ich da ran?",
                "ich putze den kuehlschrank, aber wie komme ich da ran?",
            ),
            ("Wenn ich groß bin, werde ich Pilot.", "wenn ich gross bin, werde ich pilot."),
            ("„Was ist Chunking?“", "was ist chunking?"),
            ("Hallo", "hallo"),
            (
                "Ich will nicht kündigen, nur meine Adresse ändern",
                "ich will nicht, nur meine adresse aendern",
            ),
            ("Guten Morgen! Kurze Frage: Wann öffnet das Amt?", "wann oeffnet das amt?"),
        ] {
            assert_eq!(core_of(question), core, "{question}");
        }
    }

    proptest! {
        #[test]
        fn decomposed_and_composed_questions_have_one_spelling(question in "[a-zäöüßÄÖÜé ,.?„“-]{1,60}") {
            use unicode_normalization::UnicodeNormalization;
            if let Ok(query) = Query::new(&question, 2_000) {
                let decomposed: String = question.nfd().collect();
                let other = Query::new(&decomposed, 2_000).expect("as visible as the first");
                prop_assert_eq!(normalise(&query).folded().to_owned(), normalise(&other).folded().to_owned());
            }
        }

        #[test]
        fn folding_twice_changes_nothing(question in "\\PC{1,80}") {
            let once = spelling::fold(&question);
            prop_assert_eq!(spelling::fold(&once), once);
        }

        #[test]
        fn the_core_is_the_end_of_the_folded_question(question in "\\PC{1,80}") {
            let folded = spelling::fold(&question);
            prop_assert!(folded.ends_with(frame::core(&folded)));
        }
    }
}
