//! The German words of the errors.

use super::error::{ApiError, ProblemNote, to_mend, told};
use crate::access::Refused;
use crate::pipeline::UnknownValue;

/// What callers are told of problems who may not see all sections.
const UNNAMED: &str = "Die Dateien lassen sich nicht laden; der Stand davor antwortet weiter. Das \
    Protokoll nennt die Probleme, und ein Schlüssel für alle Zielgruppen zeigt sie hier.";

impl ApiError {
    pub(super) fn german(&self) -> String {
        match self {
            Self::EmptyQuestion => "Die Frage ist leer.".to_owned(),
            Self::QuestionTooLong { length, limit } => {
                format!("Die Frage hat {length} Zeichen, erlaubt sind höchstens {limit}.")
            }
            Self::BodyTooLarge(limit) => format!("Die Anfrage ist größer als {limit} Bytes."),
            Self::BodyTooSlow(seconds) => {
                format!("Die Anfrage kam nicht innerhalb von {seconds} Sekunden an.")
            }
            Self::InvalidJson { line, column, .. } => {
                format!("Die Anfrage ist kein JSON-Objekt (Zeile {line}, Spalte {column}).")
            }
            Self::InvalidBody(faults) => {
                let told = told(faults, |fault| &fault.detail_de, "weitere");
                format!("Die Anfrage hat die falsche Form: {told}.")
            }
            Self::UnknownValue(unknown) => unknown_value(unknown),
            Self::UnsupportedMediaType(found) => {
                format!("Der Inhaltstyp ist „{found}“, er muss application/json sein.")
            }
            Self::NotAcceptable { path, produced } => {
                format!("{path} antwortet mit {produced}; die Kopfzeile Accept lässt das nicht zu.")
            }
            Self::Unauthorized(refused) => match refused {
                Refused::NoKey => {
                    "Dafür ist ein Schlüssel nötig: „Authorization: Bearer wgw_…“.".to_owned()
                }
                Refused::WrongKey => "Dieser Schlüssel gilt nicht oder nicht mehr.".to_owned(),
                Refused::NotLocal => "Ohne Schlüssel darf nur dieser Rechner selbst fragen, unter \
                    seinem eigenen Namen und nicht über einen Proxy. Schlüssel legt „wegweiser keys \
                    create“ an; „--allow-anonymous“ lässt alle zu."
                    .to_owned(),
            },
            Self::Forbidden { needed } => {
                format!("Dafür ist ein Schlüssel mit der Rolle {needed} oder einer höheren nötig.")
            }
            Self::RateLimited { seconds } => {
                format!("Zu viele Anfragen mit diesem Schlüssel; bitte in {seconds} s noch einmal.")
            }
            Self::UnknownSection(id) => format!("Es gibt keinen Abschnitt „{id}“."),
            Self::UnknownModel(model) => {
                format!("Es gibt kein Modell „{model}“; das Modell heißt „wegweiser“.")
            }
            Self::ForeignOrigin(origin) => format!(
                "Seiten von {origin} dürfen hier nicht fragen; „cors“ in den Einstellungen lässt sie zu."
            ),
            Self::UnknownRun(id) => {
                format!("Es gibt keinen Katalog-Lauf „{id}“, oder nicht mehr.")
            }
            Self::CatalogEmpty => "Der Katalog hat keine Frage zu Abschnitten, die dieser Schlüssel \
                sehen darf."
                .to_owned(),
            Self::Storage => {
                "Der Datenordner lässt sich nicht lesen; das Protokoll sagt, warum.".to_owned()
            }
            Self::NoQueryLog => "Das Fragenprotokoll ist aus, Rückmeldungen werden nicht \
                 aufgehoben; `query_log` in wegweiser.yaml schaltet es ein."
                .to_owned(),
            Self::UnknownFinding(id) => {
                format!("Den Befund „{id}“ gibt es im Bericht der Lücken nicht, oder nicht mehr.")
            }
            Self::FindingWithoutQuestion(id) => {
                format!("Zum Befund „{id}“ gehört keine Frage, die der Katalog stellen könnte.")
            }
            Self::AudiencesTooFew => "Dafür ist ein Schlüssel nötig, der alle Abschnitte sieht: Der \
                Katalog fragt nach allen."
                .to_owned(),
            Self::CatalogInvalid(problems) => {
                format!("Geschrieben wurde nichts, denn der Katalog hat Fehler.{}", first(problems))
            }
            Self::CatalogUnwritable(file) => {
                format!("{file} lässt sich nicht schreiben; das Protokoll sagt, warum.")
            }
            Self::NotFound(path) => {
                format!("Unter {path} gibt es nichts; /openapi.json nennt alle Adressen.")
            }
            Self::MethodNotAllowed { path, method, allowed } => {
                format!("{path} nimmt {method} nicht an, sondern {allowed}.")
            }
            Self::FilesInvalid(problems) if problems.is_empty() => UNNAMED.to_owned(),
            Self::FilesInvalid(problems) => format!(
                "Die Dateien lassen sich nicht laden; der Stand davor antwortet weiter.{}",
                first(problems)
            ),
            Self::NotReady(_) => "Der Index ist noch nicht bereit.".to_owned(),
            Self::HungUp => {
                "Die Verbindung wurde beim Warten geschlossen, auch nur zum Senden.".to_owned()
            }
            Self::Busy => {
                "Zu viele Fragen warten schon; bitte in einer Sekunde noch einmal.".to_owned()
            }
            Self::TooSlow(seconds) => {
                format!("Innerhalb von {seconds} Sekunden kam keine Antwort zustande.")
            }
            Self::NoChannel => "Kein Suchkanal steht zur Verfügung.".to_owned(),
        }
    }
}

/// The first problem of files. What is wrong there is told in English, in `problems`.
fn first(problems: &[ProblemNote]) -> String {
    to_mend(problems).map_or_else(String::new, |ProblemNote { place, code, .. }| {
        format!(" Zu beheben ist zuerst: {place} ({code}).")
    })
}

fn unknown_value(UnknownValue { filter, value, meant, known }: &UnknownValue) -> String {
    let mend = match meant {
        Some(meant) => format!("gemeint ist wohl „{meant}“"),
        None if known.is_empty() => "kein Abschnitt hat so etwas".to_owned(),
        None => format!("bekannt sind zum Beispiel: {}", known.join(", ")),
    };
    format!("{filter}: Kein Abschnitt hat „{value}“; {mend}.")
}
