//! The table of the questions with its filters.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use super::{decimal, meaning};
use crate::catalog::report::escaped;
use crate::catalog::run::{Code, DecidingRule, Finding, Outcome, Run, Ticket, Verdict};
use crate::domain::{Payment, Reason, Source};

pub(super) fn write(out: &mut String, run: &Run) -> fmt::Result {
    filters(out, run)?;
    out.push_str(
        "<div class=\"wide\"><table id=\"fragen\">\n<thead><tr><th scope=\"col\">Urteil</th>\
         <th scope=\"col\">Frage</th><th scope=\"col\">Rang</th><th scope=\"col\">Erwartet</th>\
         <th scope=\"col\">Zuerst gefunden</th><th scope=\"col\">Absicht</th>\
         <th scope=\"col\">Gruppe</th><th scope=\"col\">Befunde</th></tr></thead>\n<tbody>\n",
    );
    for outcome in &run.questions {
        row(out, outcome)?;
    }
    out.push_str("</tbody>\n</table></div>\n");
    Ok(())
}

fn filters(out: &mut String, run: &Run) -> fmt::Result {
    let names = |name: fn(&Outcome) -> Option<&str>| -> Vec<(String, String)> {
        let names: BTreeSet<&str> = run.questions.iter().filter_map(name).collect();
        names.into_iter().map(|name| (name.to_owned(), name.replace('_', " "))).collect()
    };
    let codes: BTreeSet<Code> = run.questions.iter().flat_map(Outcome::codes).collect();
    let codes: Vec<(String, String)> = codes
        .into_iter()
        .map(|code| (code.as_str().to_owned(), format!("{}: {}", code.as_str(), meaning(code))))
        .collect();
    let verdicts = [Verdict::Pass, Verdict::Warn, Verdict::Fail].map(Verdict::as_str);
    let mut verdicts = verdicts.map(|name| (name.to_owned(), name.to_owned())).to_vec();
    if run.summary.tickets.is_some() {
        let gaps = [("OPEN", "Lücke, offen"), ("CLOSED", "Lücke, geschlossen")];
        verdicts.extend(gaps.map(|(label, name)| (label.to_owned(), name.to_owned())));
    }
    out.push_str(
        "<form><label>Suchen<input name=\"wort\" type=\"search\" \
         placeholder=\"Wort, Abschnitt, Regel\"></label>\n",
    );
    select(out, "urteil", "Urteil", &verdicts)?;
    select(out, "befund", "Befund", &codes)?;
    select(out, "stufe", "Stufe", &names(|outcome| Some(&outcome.tier)))?;
    select(out, "gruppe", "Gruppe", &names(|outcome| outcome.expected_group.as_deref()))?;
    out.push_str("<output aria-live=\"polite\"></output></form>\n");
    Ok(())
}

/// A filter with these values, each with what is shown; the first, `alle`, has none.
pub(crate) fn select(
    out: &mut String,
    name: &str,
    label: &str,
    options: &[(String, String)],
) -> fmt::Result {
    write!(out, "<label>{label}<select name=\"{name}\"><option value=\"\">alle</option>")?;
    for (value, shown) in options {
        write!(out, "<option value=\"{}\">{}</option>", escaped(value), escaped(shown))?;
    }
    writeln!(out, "</select></label>")
}

fn row(out: &mut String, outcome: &Outcome) -> fmt::Result {
    let label = outcome.label();
    let codes: Vec<&str> = outcome.codes().iter().map(|code| code.as_str()).collect();
    let group = outcome.expected_group.as_deref().unwrap_or_default();
    write!(
        out,
        "<tr data-verdict=\"{label}\" data-codes=\"{}\" data-tier=\"{}\" data-group=\"{}\">\
         <td><b class=\"{label}\">{label}</b></td><td>{}<small>{} · {} · {}</small></td>",
        codes.join(" "),
        escaped(&outcome.tier),
        escaped(group),
        escaped(&outcome.question),
        escaped(&outcome.id),
        escaped(&outcome.tier),
        escaped(&outcome.place.to_string())
    )?;
    let ticket = match outcome.ticket {
        None => "",
        Some(Ticket::Open) => "<i>Lücke, offen</i>",
        Some(Ticket::Closed) => "<i>Lücke, geschlossen</i>",
    };
    let rank = outcome.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let expected = if outcome.to_refuse() {
        "<i>abzulehnen</i>".to_owned()
    } else if outcome.any {
        "<i>irgendein Abschnitt</i>".to_owned()
    } else {
        let between =
            if outcome.in_parts { " <small>und</small> " } else { " <small>oder</small> " };
        let expected: Vec<String> = outcome.expected.iter().map(|id| escaped(id)).collect();
        expected.join(between)
    };
    write!(out, "<td class=\"number\">{rank}</td><td>{expected}{ticket}</td><td>")?;
    if let Some(first) = &outcome.first {
        let score = decimal(first.score, 2);
        write!(out, "{}<small>{} · {score}", escaped(&first.title), escaped(&first.section))?;
        if outcome.answerable == Some(false) {
            out.push_str(" · abgelehnt");
        }
        out.push_str("</small>");
    }
    out.push_str("</td><td>");
    instead(out, &outcome.intent, outcome.expected_intent.as_deref())?;
    write!(out, "<small>{}</small></td><td>", escaped(&decider(outcome)))?;
    let first = outcome.groups.first().map_or("keine", String::as_str).replace('_', " ");
    instead(out, &first, outcome.expected_group.as_ref().map(|g| g.replace('_', " ")).as_deref())?;
    out.push_str("</td><td><ul class=\"findings\">");
    for finding in &outcome.findings {
        item(out, finding)?;
    }
    writeln!(out, "</ul></td></tr>")
}

fn instead(out: &mut String, got: &str, expected: Option<&str>) -> fmt::Result {
    write!(out, "{}", escaped(got))?;
    match expected.filter(|expected| *expected != got) {
        Some(expected) => write!(out, " <small>statt {}</small>", escaped(expected)),
        None => Ok(()),
    }
}

fn decider(outcome: &Outcome) -> String {
    match (&outcome.rule, outcome.source) {
        (Some(rule), _) => format!("Regel {}", rule.id),
        (None, Source::Rule) => "Regel".to_owned(),
        (None, Source::Llm) => "llama3".to_owned(),
        (None, Source::Classifier) => {
            format!("Klassifikator {}", decimal(outcome.intent_confidence, 2))
        }
        (None, Source::Default) => "niemand".to_owned(),
    }
}

fn item(out: &mut String, finding: &Finding) -> fmt::Result {
    let class = finding.code.verdict().as_str();
    write!(
        out,
        "<li><b class=\"{class}\">{}</b> {}",
        finding.code.as_str(),
        meaning(finding.code)
    )?;
    if let Some(rival) = &finding.rival {
        let score = decimal(rival.score, 2);
        write!(out, "<small>Rivale: {} ({score})</small>", escaped(&rival.section))?;
    }
    if let Some(DecidingRule { id, place, matched }) = &finding.rule {
        let (id, place, matched) = (escaped(id), escaped(place), escaped(matched));
        write!(out, "<small>Regel {id} ({place}) traf „{matched}“</small>")?;
    }
    if !finding.misled_by.is_empty() {
        let paid: Vec<String> = finding.misled_by.iter().map(payment).collect();
        write!(out, "<small>irreführend: {}</small>", escaped(&paid.join(", ")))?;
    }
    out.push_str("</li>");
    Ok(())
}

fn payment(payment: &Payment) -> String {
    let Payment { reason, what, amount, .. } = payment;
    let amount = format!("{amount:+.1}").replace('.', ",");
    match reason {
        Reason::Word => format!("„{what}“ {amount}"),
        Reason::Phrase => format!("Wendung „{what}“ {amount}"),
        Reason::Bias => format!("Absicht {what} {amount}"),
        Reason::Negated => format!("„{what}“ verneint"),
    }
}
