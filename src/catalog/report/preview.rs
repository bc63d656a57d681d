//! An edit for the terminal: what was edited, what would turn, what decides it.

use std::fmt::{self, Write as _};

use super::diff::{causes, questions};
use crate::catalog::Preview;

/// The preview as plain text.
pub fn preview(preview: &Preview) -> String {
    let mut out = String::new();
    write(&mut out, preview).expect("a string takes everything");
    out
}

fn write(out: &mut String, preview: &Preview) -> fmt::Result {
    let Preview { rules, sections, asked, questions: of, worse, better, otherwise, .. } = preview;
    for name in rules {
        writeln!(out, "edited  {name}")?;
    }
    for section in sections {
        writeln!(out, "edited  {}", section.edit.told())?;
        if !section.turned.is_empty() {
            writeln!(out, "        {}", section.turned.join(", "))?;
        }
    }
    let turned = worse.len() + better.len() + otherwise.len();
    if turned > 0 && !(rules.is_empty() && sections.is_empty()) {
        writeln!(out)?;
    }
    questions(out, worse, better, otherwise)?;
    causes(out, &preview.causes)?;
    let why = match &preview.all_because {
        Some(why) => format!("all: {why}"),
        None => "the others keep their rule and the scores of their groups".to_owned(),
    };
    writeln!(out, "\n{asked} of {of} questions asked again, {why}")?;
    writeln!(
        out,
        "{} would be worse, {} of them pass and would fail; {} better, {} decided otherwise",
        worse.len(),
        preview.broken().count(),
        better.len(),
        otherwise.len()
    )
}
