//! The compendium as inline SVG: a mark a section, its colour and shape the group.

use std::fmt::{self, Write as _};

use super::class;
use crate::catalog::report::escaped;
use crate::gaps::{Point, Report, Severity};

/// Shapes of the groups, drawn around 0: the colour alone would not do for everybody. Groups beyond
/// the last share the first shape in grey, as do sections without a group.
const SHAPES: [&str; 8] = [
    "<circle r=\"8\"/>",
    "<rect x=\"-7\" y=\"-7\" width=\"14\" height=\"14\"/>",
    "<path d=\"M0-9 9 7H-9Z\"/>",
    "<path d=\"M0-10 10 0 0 10-10 0Z\"/>",
    "<path d=\"M0 9 9-7H-9Z\"/>",
    "<path d=\"M-3-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z\"/>",
    "<path d=\"M-9-4 0-10 9-4 6 8H-6Z\"/>",
    "<circle r=\"4\"/>",
];
/// Shape and colour of everything else.
const OTHER: usize = SHAPES.len() - 1;

pub(super) fn write(out: &mut String, report: &Report, groups: &[&str]) -> fmt::Result {
    out.push_str(
        "<figure class=\"map\"><figcaption>Jedes Zeichen ist ein Abschnitt; was sich ähnelt, liegt \
         beieinander. Abstände zwischen Haufen sagen wenig. Ein Ring zeigt einen Befund; \
         Anklicken zeigt nur die Befunde dieses Abschnitts.</figcaption>\n",
    );
    legend(out, report, groups)?;
    out.push_str(
        "<svg viewBox=\"0 0 1000 1000\" role=\"group\" aria-label=\"Karte der Abschnitte\">\n<defs>",
    );
    for (at, shape) in SHAPES.iter().enumerate() {
        write!(out, "<g id=\"z{at}\">{shape}</g>")?;
    }
    out.push_str("</defs>\n");
    // What has findings is drawn last, above the rest, the worst on top.
    let mut points: Vec<&Point> = report.map.iter().collect();
    points.sort_by_key(|point| point.severity);
    for point in points {
        mark(out, point, shape(point.group.as_deref(), groups))?;
    }
    out.push_str("</svg></figure>\n");
    Ok(())
}

fn shape(group: Option<&str>, groups: &[&str]) -> usize {
    let at = group.and_then(|group| groups.iter().position(|other| *other == group));
    at.filter(|at| *at < OTHER).unwrap_or(OTHER)
}

fn mark(out: &mut String, point: &Point, shape: usize) -> fmt::Result {
    let Point { id, title, group, x, y, severity, codes } = point;
    let group = group.as_deref().map_or("ohne Gruppe".to_owned(), |group| group.replace('_', " "));
    let mut told: Vec<String> = vec![title.clone(), group];
    told.extend(codes.iter().map(|code| code.german().to_owned()));
    let told = escaped(&told.join(" · "));
    let ring = severity.map_or(String::new(), |severity| {
        let radius = if severity == Severity::Hint { 13 } else { 16 };
        format!("<circle class=\"ring {}\" r=\"{radius}\"/>", class(severity))
    });
    // Only what has findings can be reached with the keyboard: there is something to do there.
    let (reach, role) = if severity.is_some() { ("0", "button") } else { ("-1", "img") };
    writeln!(
        out,
        "<g class=\"mark\" data-id=\"{}\" tabindex=\"{reach}\" role=\"{role}\" aria-label=\"{told}\" \
         transform=\"translate({x:.1} {y:.1})\"><title>{told}</title>{ring}\
         <use href=\"#z{shape}\" class=\"c{shape}\"/></g>",
        escaped(id)
    )
}

fn legend(out: &mut String, report: &Report, groups: &[&str]) -> fmt::Result {
    out.push_str("<ul class=\"legend\">");
    for (at, group) in groups.iter().enumerate().take(OTHER) {
        entry(out, at, &group.replace('_', " "))?;
    }
    if groups.len() > OTHER {
        entry(out, OTHER, "weitere Gruppen")?;
    } else if report.map.iter().any(|point| point.group.is_none()) {
        entry(out, OTHER, "ohne Gruppe")?;
    }
    out.push_str("</ul>\n");
    Ok(())
}

fn entry(out: &mut String, shape: usize, name: &str) -> fmt::Result {
    write!(
        out,
        "<li><svg viewBox=\"-11 -11 22 22\" aria-hidden=\"true\"><use href=\"#z{shape}\" \
         class=\"c{shape}\"/></svg>{}</li>",
        escaped(name)
    )
}
