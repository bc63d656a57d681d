use super::*;
use crate::domain::{Place, SectionId};

fn section(at: usize, words: usize) -> Section {
    Section {
        id: SectionId::try_from(format!("d#{at:03}")).expect("an id"),
        title: format!("Titel {at}"),
        path: Vec::new(),
        text: "wort ".repeat(words),
        group: None,
        facets: std::collections::BTreeMap::new(),
        audience: std::collections::BTreeSet::new(),
        updated: None,
        place: Place::start_of("d.md"),
    }
}

fn measured(words: &[usize]) -> Landscape {
    let sections: Vec<Section> =
        words.iter().enumerate().map(|(at, words)| section(at, *words)).collect();
    let unit = |at: usize| {
        let angle = at as f32 / 50.0;
        Some(vec![angle.cos(), angle.sin()])
    };
    Landscape::measure(&sections, &(0..words.len()).map(unit).collect::<Vec<_>>())
}

#[test]
fn a_section_is_thin_by_what_is_usual_here() {
    let mut words = vec![150, 155, 160, 165, 170, 140, 158, 162, 149, 171, 166];
    words.push(75);
    words.push(118);
    let figures = measured(&words);
    assert_eq!(figures.thin(11), Some(Grade::Outlying));
    assert_eq!(figures.thin(12), None, "shorter, but nobody misses anything");
    assert_eq!(figures.thin(0), None);
    // The same 75 words are usual where lengths differ much.
    let figures = measured(&[20, 40, 75, 80, 120, 150, 200, 300, 450, 700, 1_000, 60]);
    assert_eq!(figures.thin(2), None);
    assert_eq!(measured(&[100; 12]).thin(3), None);
}

#[test]
fn small_compendia_have_nothing_usual() {
    for count in [0, 1, 2, 5, 9] {
        let mut words = vec![200; count];
        if let Some(first) = words.first_mut() {
            *first = 1;
        }
        let figures = measured(&words);
        assert_eq!(figures.sections.len(), count);
        assert_eq!(figures.usual_words(), None);
        for ordinal in 0..=count as u32 {
            assert_eq!((figures.thin(ordinal), figures.isolated(ordinal)), (None, None));
        }
        let neighbours = figures.sections.first().map_or(0, |first| first.neighbours.len());
        assert_eq!(neighbours, count.saturating_sub(1));
    }
}

#[test]
fn a_section_off_the_ring_of_the_others_is_isolated() {
    let sections: Vec<Section> = (0..31).map(|at| section(at, 100)).collect();
    let mean = |at: usize| {
        let angle = at as f32 * std::f32::consts::TAU / 30.0 + (at % 3) as f32 * 0.01;
        let height = if at == 30 { 0.9 } else { 0.0 };
        let flat = (1.0_f32 - height * height).sqrt();
        Some(vec![flat * angle.cos(), flat * angle.sin(), height])
    };
    let landscape = Landscape::measure(&sections, &(0..31).map(mean).collect::<Vec<_>>());
    let apart: Vec<u32> = (0..31).filter(|at| landscape.isolated(*at).is_some()).collect();
    assert_eq!((apart, landscape.isolated(30)), (vec![30], Some(Grade::Outlying)));
}
