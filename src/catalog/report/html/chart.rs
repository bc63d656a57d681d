//! Bar charts as inline SVG.

use std::fmt::{self, Write as _};

use crate::catalog::report::escaped;

const WIDTH: f64 = 480.0;
/// Where the bars begin; the labels stand left of it.
const LEFT: f64 = 190.0;
/// Room for the value behind a bar.
const RIGHT: f64 = 60.0;
const BAR: f64 = 13.0;
const GAP: f64 = 7.0;

/// A bar chart: for every row one bar a series, 0 to `most`.
pub(super) struct Chart<'a> {
    /// What it shows.
    pub(super) title: &'a str,
    /// Names of the series, at most three; one alone is not named.
    pub(super) series: &'a [&'a str],
    /// Labels with a value a series; an absent value has no bar.
    pub(super) rows: Vec<(String, Vec<Option<f64>>)>,
    /// Value of the longest possible bar.
    pub(super) most: f64,
    /// How a value is written.
    pub(super) value: fn(f64) -> String,
}

impl Chart<'_> {
    /// Writes the figure; nothing without rows.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        write!(out, "<figure><figcaption>{}", escaped(self.title))?;
        if self.series.len() > 1 {
            for (at, name) in self.series.iter().enumerate() {
                write!(out, r#" <small><i class="s{at}"></i>{}</small>"#, escaped(name))?;
            }
        }
        let bars = self.series.len() as f64;
        let height = self.rows.len() as f64 * (bars * BAR + GAP);
        write!(
            out,
            r#"</figcaption><svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{}">"#,
            escaped(self.title)
        )?;
        let mut top = 0.0;
        for (label, values) in &self.rows {
            let middle = top + bars * BAR / 2.0 + 4.0;
            let x = LEFT - 8.0;
            let label = escaped(label);
            write!(out, r#"<text x="{x}" y="{middle:.1}" text-anchor="end">{label}</text>"#)?;
            for (at, value) in values.iter().enumerate() {
                if let Some(value) = value {
                    self.bar(out, at, top + at as f64 * BAR, *value)?;
                }
            }
            top += bars * BAR + GAP;
        }
        writeln!(out, "</svg></figure>")
    }

    fn bar(&self, out: &mut String, series: usize, top: f64, value: f64) -> fmt::Result {
        let share = if self.most > 0.0 { (value / self.most).clamp(0.0, 1.0) } else { 0.0 };
        let length = (WIDTH - LEFT - RIGHT) * share;
        let height = BAR - 2.0;
        let (x, y) = (LEFT + length + 5.0, top + BAR - 3.5);
        write!(
            out,
            r#"<rect class="s{series}" x="{LEFT}" y="{top:.1}" width="{length:.1}" height="{height}" rx="2"/><text class="value" x="{x:.1}" y="{y:.1}">{}</text>"#,
            escaped(&(self.value)(value))
        )
    }
}
