//! Sections that say too little, or that have nothing around them.

use super::finding::{Action, Code, Evidence, Finding, Mend, Severity, Subject, number};
use super::known::Known;
use super::vocabulary::content;
use crate::eval::sections::{Grade, OUTLYING};

pub(super) fn findings(known: &Known<'_>) -> Vec<Finding> {
    let of = |(ordinal, _)| [thin(known, ordinal), isolated(known, ordinal)];
    known.each().flat_map(of).flatten().collect()
}

fn severity(grade: Grade) -> Severity {
    match grade {
        Grade::Notable => Severity::Hint,
        Grade::Outlying => Severity::Warning,
    }
}

fn thin(known: &Known<'_>, ordinal: u32) -> Option<Finding> {
    let grade = known.landscape.thin(ordinal)?;
    let section = known.section(ordinal);
    let words = known.landscape.sections[ordinal as usize].words as f64;
    let (spread, usual) = (known.landscape.log_words?, known.landscape.usual_words()?.round());
    if let Some(copy) = copy(known, ordinal) {
        return Some(placeholder(known, ordinal, copy));
    }
    let message = format!(
        "„{}“ sagt zu wenig: {} Wörter, üblich sind hier {}.",
        section.title,
        number(words),
        number(usual)
    );
    // What is asked of it, and what a reader would want besides.
    let open = known.own[ordinal as usize].iter().find(|asked| !asked.is_answered());
    let ask = open.map_or_else(String::new, |asked| {
        format!(" Beginnen Sie mit dem, was die Frage „{}“ wissen will.", asked.text)
    });
    let mend = Mend::new(
        Action::ExtendSection,
        format!(
            "Ergänzen Sie „{}“ um ein Beispiel, eine Zahl oder die nächsten Schritte, auf rund {} \
             Wörter; oder legen Sie ihn mit seinem nächsten Nachbarn zusammen.{ask}",
            section.title,
            number(usual)
        ),
    );
    let figure = Evidence::Figure {
        what: "Wörter".to_owned(),
        value: words,
        usual: Some(usual),
        bound: Some(spread.at(-OUTLYING).exp().round()),
    };
    let questions = known.own[ordinal as usize].iter().filter(|asked| !asked.is_answered());
    Some(
        Finding::new(Code::Thin, severity(grade), Subject::section(section), message, mend)
            .reaching(known.reach(ordinal))
            .because([figure])
            .because(questions.map(|asked| known.question(asked)))
            .because(known.neighbours(ordinal, 1)),
    )
}

/// Another thin section that says the same.
fn copy(known: &Known<'_>, ordinal: u32) -> Option<u32> {
    let stems = |ordinal: u32| -> Vec<String> {
        content(&known.section(ordinal).text).into_iter().map(|word| word.stem).collect()
    };
    let own = stems(ordinal);
    let near = known.landscape.sections[ordinal as usize].neighbours.iter().map(|n| n.ordinal);
    near.filter(|other| known.landscape.thin(*other).is_some())
        .find(|other| !own.is_empty() && stems(*other) == own)
}

/// A short text that stands under several headings promises a section and is none.
fn placeholder(known: &Known<'_>, ordinal: u32, copy: u32) -> Finding {
    let (section, other) = (known.section(ordinal), known.section(copy));
    let message = format!(
        "„{}“ ist ein Platzhalter: Derselbe kurze Text steht auch unter „{}“.",
        section.title, other.title
    );
    let mend = Mend::new(
        Action::ExtendSection,
        format!(
            "Schreiben Sie „{}“, oder nehmen Sie die Überschrift heraus, bis es so weit ist: Wer danach \
             sucht, findet sonst nur die Ankündigung.",
            section.title
        ),
    );
    let text = Evidence::Quote { section: section.id.to_string(), text: section.text.clone() };
    Finding::new(Code::Thin, Severity::Warning, Subject::section(section), message, mend)
        .reaching(known.reach(ordinal))
        .because([text])
}

fn isolated(known: &Known<'_>, ordinal: u32) -> Option<Finding> {
    let grade = known.landscape.isolated(ordinal)?;
    let section = known.section(ordinal);
    let factor = known.landscape.sections[ordinal as usize].outlier_factor?;
    let spread = known.landscape.outlier_factors?;
    let nearest = known.landscape.sections[ordinal as usize].neighbours.first();
    let nearest = nearest.map(|near| known.section(near.ordinal).title.as_str());
    let mend = Mend::new(
        Action::Connect,
        format!(
            "Sagen Sie in „{}“, was das mit dem Thema des Kompendiums zu tun hat, und verweisen Sie \
             auf „{}“; gehört es nicht hierher, nehmen Sie den Abschnitt heraus.",
            section.title,
            nearest.unwrap_or("den nächsten Abschnitt")
        ),
    );
    let message = format!(
        "„{}“ steht für sich allein: Um diesen Abschnitt herum ist es leerer als um seine Nachbarn.",
        section.title
    );
    let only = known.vocabulary.only_in(ordinal);
    let figure = Evidence::Figure {
        what: "Ausreißerfaktor (LOF)".to_owned(),
        value: factor,
        usual: Some(spread.median),
        bound: Some(spread.at(OUTLYING)),
    };
    let words =
        Evidence::Words { what: "nur hier".to_owned(), words: only.into_iter().take(8).collect() };
    Some(
        Finding::new(Code::Isolated, severity(grade), Subject::section(section), message, mend)
            .reaching(known.reach(ordinal))
            .because([figure])
            .because(known.neighbours(ordinal, 3))
            .because([words]),
    )
}
