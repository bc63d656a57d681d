//! Everything that is printed. Results go to stdout, everything else to stderr.
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::domain::{Answer, Explanation, GroupTrace, Hit, PartTrace, Source};
use crate::pipeline::Answered;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const MARK: Style = AnsiColor::Yellow.on_default().bold();
const GROUP: Style = AnsiColor::Cyan.on_default();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// A result line.
pub(super) fn line(text: &str) -> anyhow::Result<()> {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

/// A remark that is not part of the result.
pub(super) fn note(text: &str) {
    anstream::eprintln!("{DIM}{text}{DIM:#}");
}

/// An error with its causes, one a line.
pub(super) fn failure(error: &anyhow::Error) {
    anstream::eprintln!("{ERROR}error:{ERROR:#} {error}");
    for cause in error.chain().skip(1) {
        anstream::eprintln!("  Cause: {cause}");
    }
}

/// Whether the reader of the output went away (`wegweiser search … | head -1`): no failure.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// One JSON document.
pub(super) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string_pretty(value)?)
}

/// An answer for people: the intent and why, the groups and why, then the hits.
pub(super) fn answer(answered: &Answered) -> anyhow::Result<()> {
    let answer = &answered.answer;
    let mut out = anstream::stdout().lock();
    intent(&mut out, answer)?;
    groups(&mut out, answer)?;
    if answer.hits.iter().flatten().any(|hit| hit.explanation.is_some()) {
        others(&mut out, answer)?;
    }
    if !answer.similar_identifiers.is_empty() {
        writeln!(out, "Similar  {}", answer.similar_identifiers.join(", "))?;
    }
    for note in &answer.trace.notes {
        writeln!(out, "Note     {note}")?;
    }
    if !answer.degraded.is_empty() {
        writeln!(out, "Degraded {}", answer.degraded.join(", "))?;
    }
    if let (Some(answerable), Some(confidence)) = (answer.answerable, answer.confidence) {
        let verdict = if answerable { "yes" } else { "no; these are only the nearest sections" };
        let sure = format!("the first hit is right with probability {confidence:.2}");
        writeln!(out, "Answer   {verdict}  {DIM}{sure}{DIM:#}")?;
    }
    match answer.hits.as_deref() {
        None => {}
        Some([]) => writeln!(out, "\nNo section found.")?,
        Some(hits) => {
            for found in hits {
                hit(&mut out, found)?;
            }
        }
    }
    let total = answered.times.total().as_secs_f64() * 1e3;
    writeln!(out, "\n{DIM}{total:.1} ms{DIM:#}")?;
    Ok(())
}

fn intent(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let intent = &answer.intent;
    let why = match intent.source {
        Source::Rule => {
            let rule = answer.trace.rules.iter().find(|rule| rule.outcome == "won");
            rule.map_or_else(String::new, |rule| {
                format!("rule {} ({}) matched “{}”", rule.id, rule.place, rule.matched)
            })
        }
        Source::Llm => "llama3 decided".to_owned(),
        Source::Classifier => {
            format!("no rule; classifier, confidence {:.2}", intent.confidence)
        }
        Source::Default => {
            format!("no question of any intent, or not sure enough ({:.2})", intent.confidence)
        }
    };
    writeln!(out, "Intent   {BOLD}{}{BOLD:#}  {DIM}{why}{DIM:#}", intent.id)?;
    let others: Vec<String> = answer
        .trace
        .classifier
        .iter()
        .skip(1)
        .map(|guess| format!("{} {:.2}", guess.id, guess.confidence))
        .collect();
    if !others.is_empty() {
        writeln!(out, "         {DIM}then {}{DIM:#}", others.join(", "))?;
    }
    for part in &answer.trace.parts {
        let PartTrace { question, intent, .. } = part;
        writeln!(out, "  part   {BOLD}{}{BOLD:#}  {DIM}{question}{DIM:#}", intent.id)?;
    }
    for item in &answer.trace.items {
        writeln!(out, "  item   {DIM}searched for itself, too: {}{DIM:#}", item.question)?;
    }
    Ok(())
}

fn groups(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    if answer.groups.is_empty() {
        return writeln!(
            out,
            "Groups   none  {DIM}no word of the question points to a group; all are searched{DIM:#}"
        );
    }
    for (at, chosen) in answer.groups.iter().enumerate() {
        let label = if at == 0 { "Groups" } else { "" };
        let trace = answer.trace.groups.iter().find(|group| group.id == chosen.id);
        let why = trace.map_or_else(String::new, paid);
        writeln!(
            out,
            "{label:<8} {GROUP}{}{GROUP:#} {:.1}  {DIM}{why}{DIM:#}",
            chosen.id, chosen.score
        )?;
    }
    Ok(())
}

/// What an explanation shows besides: rules that matched in vain, groups that were not chosen, and
/// the weights of the channels.
fn others(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    for rule in answer.trace.rules.iter().filter(|rule| rule.outcome != "won") {
        writeln!(
            out,
            "Rule     {} ({}) {}, matched “{}”, priority {}",
            rule.id, rule.place, rule.outcome, rule.matched, rule.priority
        )?;
    }
    let chosen = |group: &&GroupTrace| answer.groups.iter().all(|other| other.id != group.id);
    for group in answer.trace.groups.iter().filter(chosen) {
        writeln!(out, "Group    {} {:.1}  {DIM}{}{DIM:#}", group.id, group.score, paid(group))?;
    }
    if let Some(fusion) = &answer.trace.fusion {
        writeln!(
            out,
            "Fusion   {}, profile {}: vector {:.2}, lexical {:.2}, share of the prefix {:.2}",
            fusion.method, answer.trace.profile, fusion.vector, fusion.lexical, fusion.prefix_share
        )?;
    }
    Ok(())
}

fn explanation(out: &mut impl Write, explanation: &Explanation) -> io::Result<()> {
    /// Terms that are worth a line.
    const MOST_TERMS: usize = 12;
    let evidence = |name: &str, value: Option<f64>| {
        value.map(|value| format!("{name} {value:.1} deviations above its background"))
    };
    let channels = [
        evidence("vector", explanation.vector_evidence),
        evidence("lexical", explanation.lexical_evidence),
    ];
    let channels: Vec<String> = channels.into_iter().flatten().collect();
    writeln!(out, "   {}", channels.join(" · "))?;
    for term in explanation.terms.iter().take(MOST_TERMS) {
        writeln!(out, "   {:>7.2}  {}  {}", term.score, term.field, term.term)?;
    }
    let rest: f32 = explanation.terms.iter().skip(MOST_TERMS).map(|term| term.score).sum();
    if rest > 0.0 {
        writeln!(out, "   {rest:>7.2}  {DIM}everything else{DIM:#}")?;
    }
    Ok(())
}

fn paid(group: &GroupTrace) -> String {
    let entries: Vec<String> = group.paid.iter().map(ToString::to_string).collect();
    entries.join(", ")
}

fn hit(out: &mut impl Write, hit: &Hit) -> io::Result<()> {
    let group = hit.group.as_deref().unwrap_or("no group");
    writeln!(
        out,
        "\n{BOLD}{}. {}{BOLD:#}  {GROUP}{group}{GROUP:#}  {:.2}",
        hit.rank, hit.title, hit.score
    )?;
    let snippet = hit
        .snippet
        .replace("<mark>", &format!("{MARK}"))
        .replace("</mark>", &format!("{MARK:#}"))
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
    writeln!(out, "   {snippet}")?;
    let channel = |name: &str, score: Option<crate::domain::ChannelScore>| {
        score.map(|score| format!("{name} #{} {:.2}", score.rank, score.score))
    };
    let channels =
        [channel("vector", hit.channels.vector), channel("lexical", hit.channels.lexical)];
    let channels: Vec<String> = channels.into_iter().flatten().collect();
    let path = if hit.path.is_empty() {
        String::new()
    } else {
        format!("in {} · ", hit.path.join(" › "))
    };
    writeln!(out, "   {DIM}{path}{} · {}{DIM:#}", hit.id, channels.join(" · "))?;
    if let Some(item) = &hit.found_for {
        writeln!(out, "   {DIM}found for: {item}{DIM:#}")?;
    }
    if !hit.neighbours.is_empty() {
        let titles: Vec<&str> = hit.neighbours.iter().map(|near| near.title.as_str()).collect();
        writeln!(out, "   {DIM}beside it: {}{DIM:#}", titles.join(" · "))?;
    }
    if let Some(found) = &hit.explanation {
        explanation(out, found)?;
    }
    Ok(())
}

/// Counts on a terminal; silent elsewhere.
pub(super) struct Counter {
    bar: indicatif::ProgressBar,
}

impl Counter {
    pub(super) fn new(what: &str, total: usize) -> Self {
        let style = indicatif::ProgressStyle::with_template(&format!(
            "{what} [{{bar:40}}] {{pos}}/{{len}}, {{per_sec}}, {{eta}} left"
        ))
        .expect("a constant template")
        .progress_chars("=> ");
        let bar = indicatif::ProgressBar::new(total as u64).with_style(style);
        bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        Self { bar }
    }

    pub(super) fn set(&mut self, done: usize) {
        self.bar.set_position(done as u64);
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
