//! Sections whose own questions another section takes.

use std::collections::BTreeMap;

use super::asked::Asked;
use super::finding::{Action, Code, Evidence, Finding, Mend, Named, Severity, Subject};
use super::known::Known;

/// One question may be odd; two with the same rival are a pattern.
const FEWEST: usize = 2;

pub(super) fn findings(known: &Known<'_>) -> Vec<Finding> {
    known.each().filter_map(|(ordinal, _)| cannibalised(known, ordinal)).collect()
}

fn cannibalised(known: &Known<'_>, ordinal: u32) -> Option<Finding> {
    let own = &known.own[ordinal as usize];
    let mut rivals: BTreeMap<u32, Vec<&Asked>> = BTreeMap::new();
    for asked in own {
        if let Some(rival) = asked.contested_by() {
            rivals.entry(rival).or_default().push(asked);
        }
    }
    let (rival, contested) =
        rivals.into_iter().max_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| b.0.cmp(&a.0)))?;
    if contested.len() < FEWEST {
        return None;
    }
    let most = contested.len() * 2 >= own.len();
    let severity = if most { Severity::Warning } else { Severity::Hint };
    let (section, taker) = (known.section(ordinal), known.section(rival));
    let lost = contested.iter().filter(|asked| asked.rank() != Some(1)).count();
    let message = format!(
        "„{}“ wird von „{}“ verdrängt: bei {} von {} eigenen Fragen liegt der andere vorn{}.",
        section.title,
        taker.title,
        contested.len(),
        own.len(),
        if lost < contested.len() { " oder um Haaresbreite dahinter" } else { "" }
    );
    let only = known.vocabulary.only_in(ordinal);
    let own_words = if only.is_empty() {
        "etwas, das nur dort steht".to_owned()
    } else {
        only.iter().take(4).cloned().collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "Sagen Sie in Überschrift und erstem Satz, was „{}“ von „{}“ unterscheidet (etwa: {own_words}), \
         und streichen Sie in „{}“, was nur hierher gehört; ist es dieselbe Frage, legen Sie beide \
         zusammen.",
        section.title, taker.title, taker.title
    );
    let mend = Mend { section: Some(taker.id.to_string()), ..Mend::new(Action::TellApart, text) };
    let near = known.landscape.sections[ordinal as usize].neighbours.iter();
    let similarity = near.filter(|near| near.ordinal == rival).map(|near| {
        let usual = known.landscape.nearest.map(|spread| spread.median);
        Evidence::figure("Ähnlichkeit mit dem Rivalen", near.similarity, usual)
    });
    let taker = Evidence::Section { section: Named::from(taker), role: "Rivale".to_owned() };
    Some(
        Finding::new(Code::Cannibalised, severity, Subject::section(section), message, mend)
            .reaching(contested.len() as f64)
            .because([taker])
            .because(similarity)
            .because(contested.iter().map(|asked| known.question(asked))),
    )
}
