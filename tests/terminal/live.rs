//! From a log of live questions over a promoted gap to the run that closes it.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Folder, Run};

const PARKING: [&str; 4] = [
    "Wo ist der Parkplatz für Fahrräder?",
    "Gibt es einen Parkplatz?",
    "parkplatz fahrräder",
    "Kostet der Parkplatz etwas?",
];

fn line(question: &str) -> String {
    let mut record = record(question);
    // Lines of an older version say nothing of who could see what.
    record.as_object_mut().expect("an object").remove("audiences");
    format!("{record}\n")
}

fn record(question: &str) -> Value {
    json!({
        "time": "2026-11-30T10:00:00Z", "kind": "question", "request_id": "1-1",
        "question": question, "intent": "unknown", "source": "default", "groups": [],
        "answerable": false, "confidence": 0.05, "hits": [], "audiences": {"only": []}
    })
}

/// The question was asked three times by people with these audiences, and not answered.
fn asked_by(audiences: &[&str], question: &str) -> String {
    let mut record = record(question);
    record["audiences"] = json!({"only": audiences});
    format!("{record}\n").repeat(3)
}

/// The question was answered three times, found unhelpful, and this section opened.
fn unhelpful(question: &str, section: &str) -> String {
    let mut record = record(question);
    record["answerable"] = json!(true);
    let outcome = |rating: &str, section: Option<&str>| {
        let mut outcome = json!({
            "time": "2026-11-30T10:00:09Z", "kind": "outcome", "request_id": "1-1", "rating": rating
        });
        if let Some(section) = section {
            outcome["section"] = json!(section);
        }
        outcome
    };
    let (no, opened) = (outcome("unhelpful", None), outcome("clicked", Some(section)));
    format!("{record}\n{no}\n{opened}\n").repeat(3)
}

/// The findings from the log, in their order.
fn live(run: &Run) -> Vec<Value> {
    let report = json(run);
    let codes = ["G-UNANSWERED", "G-BAD-ANSWER", "G-WITHHELD"];
    let all = report["findings"].as_array().expect("findings").iter();
    all.filter(|finding| codes.iter().any(|code| finding["code"] == *code)).cloned().collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    let mut log: String = PARKING.iter().map(|question| line(question).repeat(3)).collect();
    log.push_str("{\"time\":\"2026-11-3");
    folder.write("log/questions-2026-11-30.jsonl", &log);
    folder.write("catalog/fragen.yaml", "# Fragen\nquestions:\n  - id: a\n    question: 'Der Drucker druckt nicht, was tun?'\n    expect: {section: technik#der-drucker-druckt-nicht}\n    origin: human\n    tier: title\n# Ende\n");
    folder
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// The finding about parking.
fn parking(folder: &Folder) -> String {
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let report = json(&listed);
    let findings = report["findings"].as_array().expect("findings").clone();
    let mut live = findings.iter().filter(|finding| finding["code"] == "G-UNANSWERED");
    let found = live.next().unwrap_or_else(|| panic!("{listed:?}"));
    assert!(listed.err.contains("1 lines of the log are damaged"), "{}", listed.err);
    assert!(found["subject"]["term"].as_str().expect("a label").contains("Parkplatz"), "{found}");
    assert_eq!(found["reach"], 12.0, "{found}");
    found["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_topic_of_the_log_becomes_a_ticket_that_a_later_run_closes() {
    let folder = folder();
    let id = parking(&folder);
    let promote = ["gaps", "promote", &id, "--log", "log", "--catalog", "catalog/fragen.yaml"];
    let first = folder.run(&promote);
    assert_eq!(first.code, Some(0), "{first:?}");
    let text = fs::read_to_string(folder.path("catalog/fragen.yaml")).expect("there");
    assert!(text.starts_with("# Fragen\n") && text.contains("# Ende\n"), "{text}");
    assert_eq!(text.matches("status: open").count(), PARKING.len(), "{text}");
    let again = folder.run(&promote);
    assert!(again.out.contains("0 questions added, 4 were there"), "{again:?}");
    let same = fs::read_to_string(folder.path("catalog/fragen.yaml")).expect("there");
    assert_eq!(same, text);

    let open = folder.run(&["catalog", "run", "--format", "json"]);
    assert_eq!(open.code, Some(0), "an open gap fails no run: {open:?}");
    let tickets = &json(&open)["summary"]["tickets"];
    let before = tickets["open"].as_array().expect("a list").len();
    assert!(before > 0, "{tickets}");

    let written = "\n## Parkplatz für Fahrräder {#parkplatz}\n\nDer Parkplatz für Fahrräder liegt hinter dem \
        Haus. Einen Parkplatz gibt es dort für jedes Fahrrad; der Parkplatz kostet nichts.\n";
    let path = folder.path("klein/bibliothek.md");
    let old = fs::read_to_string(&path).expect("there");
    fs::write(&path, old + written).expect("written");
    let closed = folder.run(&["catalog", "run", "--format", "json"]);
    assert_eq!(closed.code, Some(0), "{closed:?}");
    let tickets = &json(&closed)["summary"]["tickets"];
    let after = tickets["open"].as_array().expect("a list").len();
    assert!(after < before, "what was written closes tickets: {tickets}");
    assert!(!tickets["closed"].as_array().expect("a list").is_empty(), "{tickets}");
}

#[test]
fn a_topic_that_does_not_exist_is_told() {
    let folder = folder();
    let run = folder.run(&["gaps", "promote", "Schwimmbad", "--log", "log"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("there is no finding `Schwimmbad`"), "{}", run.err);
    assert!(!folder.path("catalog/live.yaml").exists());
}

#[test]
fn a_log_that_does_not_exist_is_told() {
    let folder = folder();
    let run = folder.run(&["gaps", "--log", "nirgends"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("the question log nirgends can not be read"), "{}", run.err);
}

const PRINTER: &str = "Der Drucker druckt nicht, was tun?";

#[test]
fn what_is_answered_where_the_asker_may_not_look_is_told_to_those_who_may() {
    let folder = folder();
    let log = asked_by(&[], PRINTER) + &asked_by(&["personal"], "Der Drucker druckt nicht!");
    folder.write("log/questions-2026-11-30.jsonl", &log);
    let all = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let found = live(&all);
    assert_eq!(found.len(), 1, "{all:?}");
    let finding = &found[0];
    assert_eq!(finding["id"], "G-WITHHELD:technik#der-drucker-druckt-nicht", "{finding}");
    assert_eq!(finding["mend"]["action"], "release_section");
    assert_eq!((&finding["severity"], &finding["reach"]), (&json!("warning"), &json!(3.0)));
    let said = finding.to_string();
    assert!(said.contains("alle ohne besondere Rechte") && said.contains("personal"), "{said}");
    assert!(all.err.contains("6 live questions, 6 answered badly"), "{}", all.err);
    assert!(all.err.contains("3 are answered by now"), "those of the staff: {}", all.err);
    assert!(all.err.contains("3 where their askers may not look"), "{}", all.err);

    let staff = folder.run(&["gaps", "--log", "log", "--format", "json", "--seen-by", "personal"]);
    assert_eq!(live(&staff), found, "{staff:?}");
    let files = ["--csv", "l.csv", "--markdown", "l.md", "--html", "l.html"];
    let public = ["gaps", "--log", "log", "--seen-by", "public"];
    let public = folder.run(&[&public[..], &files[..]].concat());
    assert!(public.err.contains("3 live questions, 3 answered badly"), "{}", public.err);
    let told = |name: &str| fs::read_to_string(folder.path(name)).expect("written");
    let public = [public.out, told("l.csv"), told("l.md"), told("l.html")];
    for report in public {
        assert!(!report.contains("G-WITHHELD") && !report.contains("technik"), "{report}");
        assert!(!report.contains("Drucker druckt nicht!"), "a question of the staff: {report}");
    }
    let text = folder.run(&[&["gaps", "--log", "log"], &files[..]].concat());
    for report in [text.out, told("l.csv"), told("l.md"), told("l.html")] {
        assert!(
            report.contains("G-WITHHELD") && report.contains("streichen (am Abschnitt"),
            "{report}"
        );
    }
    for name in ["l.csv", "l.md", "l.html"] {
        assert!(told(name).contains("Nicht freigegeben"), "{name}");
    }

    let ticket =
        folder.run(&["gaps", "promote", finding["id"].as_str().expect("an id"), "--log", "log"]);
    assert!(ticket.out.contains("were there"), "the catalog asks over everything: {ticket:?}");
    assert!(!folder.path("catalog/live.yaml").exists(), "{ticket:?}");
    let unknown = folder.run(&["gaps", "--seen-by", "personl"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("no section is for `personl`"), "{}", unknown.err);
}

#[test]
fn a_question_that_passes_already_becomes_no_ticket() {
    let folder = folder();
    folder.write(
        "log/questions-2026-11-30.jsonl",
        &(unhelpful("Druckt der Drucker nicht?", "technik#der-drucker-druckt-nicht")
            + &unhelpful("Der Drucker druckt nichts", "technik#der-drucker-druckt-nicht")),
    );
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let found = live(&listed);
    let id = found.first().unwrap_or_else(|| panic!("{listed:?}"))["id"].clone();
    let promoted = folder.run(&["gaps", "promote", id.as_str().expect("an id"), "--log", "log"]);
    assert_eq!(promoted.code, Some(0), "{promoted:?}");
    assert!(promoted.out.contains("passes already, no ticket: "), "{promoted:?}");
    assert!(promoted.out.contains("0 questions added"), "{promoted:?}");
    assert!(!folder.path("catalog/live.yaml").exists(), "{promoted:?}");
}

#[test]
fn what_is_out_of_scope_stays_refused_until_somebody_writes_about_it() {
    let folder = folder();
    let weather = ["Wie wird das Wetter morgen in Leipzig?", "Wetter Leipzig morgen"];
    let log: String = weather.iter().map(|question| line(question).repeat(3)).collect();
    folder.write("log/questions-2026-11-30.jsonl", &log);
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let found = live(&listed);
    assert_eq!(found[0]["mend"]["action"], "out_of_scope", "{listed:?}");
    let id = found[0]["id"].as_str().expect("an id");
    let promoted = folder.run(&["gaps", "promote", id, "--log", "log"]);
    assert!(promoted.out.contains("refused as it should be, must stay so"), "{promoted:?}");
    let text = fs::read_to_string(folder.path("catalog/live.yaml")).expect("written");
    assert_eq!(text.matches("refused: true").count(), 2, "{text}");
    assert!(!text.contains("answered: true") && !text.contains("status: open\n"), "{text}");
    let run = folder.run(&["catalog", "run", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{run:?}");

    let written = "\n## Wetter morgen in Leipzig {#wetter}\n\nDas Wetter morgen in Leipzig wird \
        sonnig; wie das Wetter wird, steht jeden Tag in der Halle.\n";
    let path = folder.path("klein/bibliothek.md");
    let old = fs::read_to_string(&path).expect("there");
    fs::write(&path, old + written).expect("written");
    let run = folder.run(&["catalog", "run", "--format", "json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("F-ANSWERED-OFFTOPIC"), "{run:?}");
}

/// Two sections that differ by their group only: an intent that leans to one of them decides.
const HOUSES: &str = "---\ntitle: Häuser\n---\n
## Ausleihe {#ausleihe-alt group=Planung_und_Organisation}\n
Die Ausleihe dauert vier Wochen, danach wird gemahnt. Das Haus hat zwei Lesesäle.\n
## Ausleihe {#ausleihe-neu group=Wirkung_und_Entwicklung}\n
Die Ausleihe dauert vier Wochen, danach wird gemahnt. Das Haus hat zwei Lesesäle.\n";

#[test]
fn a_rule_is_proposed_where_it_leads_to_the_section_and_does_once_it_is_written() {
    let folder = folder();
    folder.write("klein/haeuser.md", HOUSES);
    let questions = [
        "da bringt zur Ausleihe Verlauf Frist Termin",
        "da bringt Ausleihe Termin Frist Verlauf im Haus",
        "da bringt die Ausleihe Verlauf, Frist, Termin",
    ];
    let log: String =
        questions.iter().map(|question| unhelpful(question, "haeuser#ausleihe-neu")).collect();
    folder.write("log/questions-2026-11-30.jsonl", &log);
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let mend = live(&listed)[0]["mend"].clone();
    assert_eq!(mend["action"], "add_rule", "{listed:?}");
    let before = folder.run(&["search", questions[0], "--format", "json"]);
    assert_eq!(json(&before)["hits"][0]["id"], "haeuser#ausleihe-alt", "{before:?}");
    assert_eq!(mend["section"], "haeuser#ausleihe-neu");
    let text = mend["text"].as_str().expect("a text");
    let of = |key: &str, end: char| {
        let from = text.find(key).unwrap_or_else(|| panic!("{key} in {text}")) + key.len();
        text[from..].split(end).next().expect("a value").to_owned()
    };
    let rule = format!(
        "  - id: {}\n    intent: {}\n    pattern: {}\n    priority: {}\n    reason: 'Auf Probe.'\n    \
         positive: ['{}']\n    negative: ['Was ist das?']\n",
        of("id: ", ','),
        of("intent: ", ','),
        of("pattern: ", ','),
        of("priority: ", ','),
        questions[0]
    );
    let rules = folder.path("rules/shortcuts.yaml");
    let old = fs::read_to_string(&rules).expect("there");
    fs::write(&rules, format!("{}\n{rule}", old.trim_end())).expect("written");
    let after = folder.run(&["search", questions[0], "--format", "json"]);
    assert_eq!(json(&after)["hits"][0]["id"], "haeuser#ausleihe-neu", "{after:?}");
}

#[test]
fn another_word_is_proposed_where_it_leads_to_the_section_and_a_slip_is_not() {
    let folder = folder();
    let log: String = ["Was ist mit dem Printer?", "Printer geht nicht", "Hilfe zum Printer"]
        .iter()
        .map(|question| line(question).repeat(3))
        .collect();
    folder.write("log/questions-2026-11-30.jsonl", &log);
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let mend = live(&listed)[0]["mend"].clone();
    assert_eq!(mend["action"], "add_synonym", "{listed:?}");
    assert!(mend["text"].as_str().expect("a text").contains("Printer: [Drucker]"), "{mend}");
    let slips: String = ["Dfucker", "Was ist mit dem Dfucker?", "Hilfe zum Dfucker"]
        .iter()
        .map(|question| line(question).repeat(3))
        .collect();
    folder.write("log/questions-2026-11-30.jsonl", &slips);
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let mends: Vec<Value> =
        live(&listed).iter().map(|found| found["mend"]["action"].clone()).collect();
    assert!(mends.iter().all(|action| action != "add_synonym"), "{listed:?}");
}

#[test]
fn an_abbreviation_and_what_it_stands_for_are_one_topic() {
    let folder = folder();
    let told = "\n## Hilfen beim Lesen {#hilfen}\n\nLesehilfen und Lupen liegen an der Theke. Eine \
        Lese-Rechtschreib-Schwäche (LRS) ist kein Grund, nichts auszuleihen.\n";
    let path = folder.path("klein/bibliothek.md");
    let old = fs::read_to_string(&path).expect("there");
    fs::write(&path, old + told).expect("written");
    let questions = [
        "Wer testet LRS?",
        "LRS Test Kosten",
        "Wer testet eine Lese-Rechtschreib-Schwäche?",
        "Kosten Lese-Rechtschreib-Schwäche Test",
    ];
    let log: String =
        questions.iter().map(|question| unhelpful(question, "bibliothek#hilfen")).collect();
    folder.write("log/questions-2026-11-30.jsonl", &log);
    let listed = folder.run(&["gaps", "--log", "log", "--format", "json"]);
    let found = live(&listed);
    assert_eq!(found.len(), 1, "{listed:?}");
    assert_eq!(found[0]["reach"], 12.0, "{listed:?}");
    let label = found[0]["subject"]["term"].as_str().expect("a label");
    assert!(label.contains("Lese-Rechtschreib-Schwäche"), "{label}");
}
