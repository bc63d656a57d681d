//! The ablation as a bar chart: plain SVG, legible without scripts and without colour.

use std::fmt::Write as _;

use super::bootstrap::Estimate;
use super::prefix::{Condition, Report};

const WIDTH: usize = 1000;
/// Where the bars begin; the names stand left of it.
const LEFT: usize = 290;
/// Length of a bar of 1.
const LONG: f64 = 420.0;
const ROW: usize = 26;
const BAR: usize = 15;
const TOP: usize = 96;
/// Between the blocks of two modes.
const GAP: usize = 64;

/// Draws MRR@10 with its intervals, harm as text. `title` names the data.
pub fn svg(report: &Report, title: &str) -> String {
    let modes: Vec<&str> = report.guard.iter().map(|guard| guard.mode).collect();
    let of = |mode: &str| -> Vec<&Condition> {
        report.conditions.iter().filter(|condition| condition.mode == mode).collect()
    };
    let rows: usize = modes.iter().map(|mode| of(mode).len()).sum();
    let height = TOP + rows * ROW + modes.len() * GAP + 44;
    let heading = escaped(&format!("Was bringt das Gruppenpräfix? {title}"));
    let about = format!(
        "{} Fragen, für {} % wurde eine Gruppe erkannt. Balken: MRR@10; Strich: 95-%-Intervall (Bootstrap); gestrichelt: ohne Präfix.",
        report.n,
        german(report.inferred * 100.0, 0)
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title about\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\" fill=\"#1d2733\">\n\
         <title id=\"title\">{heading}</title>\n\
         <desc id=\"about\">{about}</desc>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"24\" y=\"36\" font-size=\"20\" font-weight=\"bold\">{heading}</text>\n\
         <text x=\"24\" y=\"60\" font-size=\"13\" fill=\"#4a5766\">{about}</text>\n"
    );
    let mut y = TOP;
    for mode in modes {
        block(&mut out, mode, &of(mode), y);
        y += GAP + of(mode).len() * ROW;
    }
    for (at, guard) in report.guard.iter().enumerate() {
        let gained = guard.gained_by_right_group.map_or_else(
            || "kein Gewinn möglich".to_owned(),
            |share| format!("{} % des Filtergewinns", german(share * 100.0, 0)),
        );
        draw(
            &mut out,
            format_args!(
                "<text x=\"24\" y=\"{}\" font-size=\"12\">Schutz, {}: mit falscher Gruppe bleiben {} % (Ziel ≥ 95 %: {}); richtige Gruppe: {gained} (Ziel ≥ 90 %: {}).</text>\n",
                y + 2 + at * 20,
                german_mode(guard.mode),
                german(guard.kept_under_wrong_group * 100.0, 1),
                verdict(guard.wrong_group_holds),
                verdict(guard.right_group_holds)
            ),
        );
    }
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, shape: std::fmt::Arguments<'_>) {
    out.write_fmt(shape).expect("a String takes everything");
}

fn block(out: &mut String, mode: &str, conditions: &[&Condition], top: usize) {
    let right = LEFT as f64 + LONG;
    draw(
        out,
        format_args!(
            "<text x=\"24\" y=\"{0}\" font-size=\"15\" font-weight=\"bold\">{1}</text>\n\
         <text x=\"{2:.0}\" y=\"{0}\" font-size=\"13\" fill=\"#4a5766\">MRR@10 (Intervall)</text>\n\
         <text x=\"976\" y=\"{0}\" font-size=\"13\" fill=\"#4a5766\" text-anchor=\"end\">Schaden</text>\n",
            top + 4,
            german_mode(mode),
            right + 14.0
        ),
    );
    let first = top + 16;
    let bottom = first + conditions.len() * ROW;
    for step in 0..=5 {
        let x = LEFT as f64 + LONG * f64::from(step) / 5.0;
        let label = german(f64::from(step) / 5.0, 1);
        draw(
            out,
            format_args!(
                "<line x1=\"{x:.1}\" y1=\"{first}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#dfe4ea\"/>\n\
             <text x=\"{x:.1}\" y=\"{}\" font-size=\"11\" fill=\"#4a5766\" text-anchor=\"middle\">{label}</text>\n",
                bottom + 14
            ),
        );
    }
    for (at, condition) in conditions.iter().enumerate() {
        row(out, condition, first + at * ROW);
    }
    if let Some(plain) = conditions.first() {
        let x = place(plain.mrr_at_10.mean);
        draw(
            out,
            format_args!(
                "<line x1=\"{x:.1}\" y1=\"{first}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#1d2733\" stroke-dasharray=\"4 3\"/>\n"
            ),
        );
    }
}

fn row(out: &mut String, condition: &Condition, top: usize) {
    let Estimate { mean, low, high } = condition.mrr_at_10;
    let (name, colour) = german_name(condition.name);
    let middle = top + ROW / 2;
    let above = middle - 4;
    let (from, to) = (place(low), place(high));
    draw(
        out,
        format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n\
         <rect x=\"{LEFT}\" y=\"{}\" width=\"{:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>\n\
         <path d=\"M{from:.1} {middle}H{to:.1}M{from:.1} {above}v8M{to:.1} {above}v8\" stroke=\"#1d2733\" stroke-width=\"1.5\" fill=\"none\"/>\n",
            LEFT - 10,
            middle + 5,
            escaped(&name),
            middle - BAR / 2,
            place(mean) - LEFT as f64,
        ),
    );
    draw(
        out,
        format_args!(
            "<text x=\"{:.0}\" y=\"{}\" font-size=\"13\"><tspan font-weight=\"bold\">{}</tspan> ({}–{})</text>\n\
         <text x=\"976\" y=\"{1}\" font-size=\"13\" text-anchor=\"end\">{} %</text>\n",
            LEFT as f64 + LONG + 14.0,
            middle + 5,
            german(mean, 3),
            german(low, 3),
            german(high, 3),
            german(condition.harm.mean * 100.0, 1)
        ),
    );
}

fn place(value: f64) -> f64 {
    LEFT as f64 + LONG * value
}

fn german(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('.', ",")
}

fn german_mode(mode: &str) -> &str {
    match mode {
        "vector" => "Nur Vektoren",
        "hybrid" => "Vektoren und Wörter",
        other => other,
    }
}

/// The name for readers, and the colour of whose group it is.
fn german_name(name: &str) -> (String, &'static str) {
    let (what, whose) = name.split_once(", ").unwrap_or((name, ""));
    let what = match what {
        "none" => "ohne Präfix",
        "query only" => "nur Frage",
        "document only" => "nur Abschnitte",
        "both" => "beide Seiten",
        "one vector a group" => "je Gruppe ein Vektor",
        "guarded" => "mit Schutz",
        "boost" => "Zuschlag statt Präfix",
        "filter" => "nur diese Gruppe",
        other => other,
    };
    let (whose, colour) = match whose {
        "right" => (", richtige Gruppe", "#2f7d5b"),
        "wrong" => (", falsche Gruppe", "#c4553b"),
        "inferred" => (", erkannte Gruppe", "#3f6fa8"),
        _ => ("", "#8a95a3"),
    };
    (format!("{what}{whose}"), colour)
}

fn verdict(holds: bool) -> &'static str {
    if holds { "erreicht" } else { "verfehlt" }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::prefix::Guard;

    #[test]
    fn the_chart_says_what_the_report_says_in_german() {
        let figure = |mean| Estimate { mean, low: mean - 0.1, high: mean + 0.1 };
        let condition = |name, mean| Condition {
            name,
            mode: "vector",
            recall_at_5: figure(mean),
            mrr_at_10: figure(mean),
            harm: figure(0.1),
        };
        let report = Report {
            n: 12,
            inferred: 0.5,
            conditions: vec![condition("none", 0.5), condition("guarded, wrong", 0.4)],
            guard: vec![Guard {
                mode: "vector",
                kept_under_wrong_group: 0.8,
                wrong_group_holds: false,
                gained_by_right_group: None,
                right_group_holds: true,
            }],
            left_out: Vec::new(),
        };
        let drawn = svg(&report, "a<b> & c");
        for text in [
            "a&lt;b&gt; &amp; c",
            "12 Fragen",
            "mit Schutz, falsche Gruppe",
            "<tspan font-weight=\"bold\">0,400</tspan> (0,300–0,500)",
            "mit falscher Gruppe bleiben 80,0 % (Ziel ≥ 95 %: verfehlt)",
        ] {
            assert!(drawn.contains(text), "{text}: {drawn}");
        }
        assert!(!drawn.contains('{') && !drawn.contains("NaN"), "{drawn}");
        assert_eq!(drawn.matches("<rect").count(), 3, "the ground and two bars");
    }
}
