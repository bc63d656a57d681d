//! The two services of `hidden`: sections for everybody, for the staff, and for nobody who asks.

use std::fs;
use std::path::Path;

use wegweiser::access::{Audiences, Role};
use wegweiser::config::{Config, QueryLog};

use crate::access::Service;

const PUBLIC: &str = "---\ntitle: Besuch\ngroup: Planung_und_Organisation\nfacets: {ort: [Haupthaus]}\n---\n\n\
    ## Frist verlängern\n\nDie Leihfrist verlängert man im Konto. Das Formular heißt QUF-4470-Z.\n\n\
    ## Gebühren\n\nEine Mahnung kostet zwei Euro. Wer zahlt, bekommt eine Quittung.\n\n\
    ## Warum ein Besuch hilft\n\nEin Besuch hilft, weil man Fragen gleich stellen kann.\n";
/// Stands behind what is for everybody: lines of a file tell what stands between.
const HIDDEN_IN_PUBLIC: &str = "\n## Das Manteltier {#manteltier audience=geheimrat}\n\nDas Manteltier \
    verlängert seine Leihfrist mit QUF-4472-M und wohnt in der Korallenbucht.\n";
const OF_STAFF_DOCUMENT: &str = "---\ntitle: Zwergseidenaffen im Innenplan\ngroup: Personen_und_Forschung\n\
    audience: [stammbelegschaft]\nfacets: {astlochwand: [saftlecker]}\n---\n\n\
    ## Zwergseidenaffen zählen\n\nDer Zwergseidenaffe ZSA-3311-K frisst Baumsaft hinter der \
    Astlochwand. Die Mahnung an Saftlecker kostet nichts.\n\n\
    ## Leihfrist für Saftlecker\n\nSaftlecker verlängern mit ZSA-3312-K.\n";
const OF_NOBODY_DOCUMENT: &str = "---\ntitle: Tiefenplan der Quastenflosser\ngroup: Wirkung_und_Entwicklung\n\
    audience: [geheimrat]\nfacets: {korallenbucht: [manteltier]}\n---\n\n\
    ## Quastenflosser füttern\n\nDer Quastenflosser QUF-4477-X frisst Fristverlängerungen in der \
    Korallenbucht. Der Nutzen des Quastenflossers ist geheim.\n\n\
    ## Mahnung für Quastenflosser\n\nEine Mahnung kostet den Quastenflosser drei Perlen.\n";
/// In both worlds: that there is something hidden at all is told to editors, who may not file questions
/// then; what it is, is not.
const LOCKED_AWAY: &str =
    "---\ntitle: Verwahrtes\naudience: [verwahrer]\n---\n\n## Verwahrtes\n\nEs liegt im Schrank.\n";
const CATALOG: &str = r#"questions:
  - {id: mahnung, question: "Was kostet eine Mahnung?", expect: {section: "besuch#gebuehren"}, origin: human, tier: paraphrase}
  - {id: frist, question: "Wie verlängere ich die Leihfrist?", expect: {section: "besuch#frist-verlaengern"}, origin: human, tier: title}
"#;
const CATALOG_OF_STAFF: &str = r#"  - {id: saft, question: "Was frisst der Zwergseidenaffe?", expect: {section: "innenplan#zwergseidenaffen-zaehlen"}, origin: human, tier: title}
"#;
const CATALOG_OF_NOBODY: &str = r#"  - {id: tier, question: "Was frisst der Quastenflosser?", expect: {section: "tiefenplan#quastenflosser-fuettern"}, origin: human, tier: title}
  - {id: bucht, question: "Was kostet die Korallenbucht?", expect: {section: "besuch#gebuehren", acceptable: ["besuch#manteltier"]}, origin: human, tier: paraphrase}
"#;

/// In lower case: what stands in sections, ids, facets, file names and audiences that no caller sees.
pub(crate) const OF_NOBODY: [&str; 11] = [
    "quastenfloss",
    "quf-4477",
    "quf-4472",
    "tiefenplan",
    "korallenbucht",
    "manteltier",
    "perlen",
    "geheimrat",
    "fristverlängerungen",
    "verwahr",
    "schrank",
];
/// The same of what only the staff sees.
pub(crate) const OF_STAFF: [&str; 7] = [
    "zwergseiden",
    "zsa-331",
    "innenplan",
    "astlochwand",
    "saftlecker",
    "baumsaft",
    "stammbelegschaft",
];

const IDS_OF_NOBODY: [&str; 3] = [
    "tiefenplan#quastenflosser-fuettern",
    "tiefenplan#mahnung-fuer-quastenflosser",
    "besuch#manteltier",
];
const IDS_OF_STAFF: [&str; 2] =
    ["innenplan#zwergseidenaffen-zaehlen", "innenplan#leihfrist-fuer-saftlecker"];

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caller {
    /// None asks without a key.
    pub(crate) role: Option<Role>,
    /// Whether its key has the audience of the staff.
    pub(crate) is_staff: bool,
}

impl Caller {
    /// Every role with either audience, and who has no key.
    pub(crate) fn all() -> Vec<Self> {
        let roles = [Role::Reader, Role::Qa, Role::Editor, Role::Admin];
        let with = |is_staff| roles.map(|role| Self { role: Some(role), is_staff });
        let mut all = vec![Self { role: None, is_staff: false }];
        all.extend(with(false));
        all.extend(with(true));
        all
    }

    /// Ids of sections that exist and that this caller may not see.
    pub(crate) fn hidden_ids(self) -> impl Iterator<Item = &'static str> {
        let staff = if self.is_staff { &[][..] } else { &IDS_OF_STAFF };
        IDS_OF_NOBODY.iter().chain(staff).copied()
    }
}

/// A service and the keys of its callers.
pub(crate) struct World {
    pub(crate) service: Service,
    keys: Vec<Option<String>>,
    /// A key of all audiences.
    pub(crate) whole: String,
}

impl World {
    /// Ids that questions are about: hidden, visible, none, no id at all.
    pub(crate) const IDS: [&str; 8] = [
        IDS_OF_NOBODY[0],
        IDS_OF_NOBODY[1],
        IDS_OF_NOBODY[2],
        IDS_OF_STAFF[0],
        IDS_OF_STAFF[1],
        "besuch#gebuehren",
        "besuch#nirgends",
        "tiefenplan",
    ];
    /// One for each id, that feels for hidden sections.
    pub(crate) const QUESTIONS: [&str; 8] = [
        "Was frisst der Quastenflosser?",
        "Was kostet eine Mahnung in Perlen?",
        "Wo wohnt das Manteltier?",
        "ZSA-3311-K",
        "Wie verlängert der Saftlecker die Leihfrist?",
        "Was kostet eine Mahnung?",
        "QUF-4470-Z oder QUF-4477-X?",
        "Welchen Nutzen hat das Quastenflosserfutter?",
    ];
    /// Pieces of questions.
    pub(crate) const WORDS: [&str; 22] = [
        "Quastenflosser",
        "Quastenfloser",
        "Quastenflosserfutter",
        "QUF-4477-X",
        "QUF-4472-N",
        "Manteltier",
        "Korallenbucht",
        "Tiefenplan",
        "Perlen",
        "Zwergseidenaffe",
        "ZSA-3311-K",
        "Saftlecker",
        "Astlochwand",
        "Leihfrist",
        "verlängern",
        "Mahnung",
        "kostet",
        "Was ist",
        "Welchen Nutzen hat",
        "und",
        "Fragen",
        "Wer ist der Geheimrat?",
    ];
    /// Filters with right, hidden and misspelt values.
    pub(crate) const FILTERS: [(&str, &str); 16] = [
        ("audience", "geheimrat"),
        ("audience", "geheimrad"),
        ("audience", "stammbelegschaft"),
        ("group", "Wirkung_und_Entwicklung"),
        ("group", "Wirkung"),
        ("group", "Personen_und_Forschung"),
        ("group", "Planung_und_Organisation"),
        ("document", "tiefenplan"),
        ("document", "tifenplan"),
        ("document", "innenplan"),
        ("document", "besuch"),
        ("facets.korallenbucht", "manteltier"),
        ("facets.korallenbuchd", "x"),
        ("facets.astlochwand", "saftlecker"),
        ("facets.ort", "Haupthaus"),
        ("facets.ort", "manteltier"),
    ];
    /// Patterns for the catalog.
    pub(crate) const PATTERNS: [&str; 4] = [".", "quasten", "was kostet", "(zwerg|korallen)"];

    /// With a log of questions the report of the gaps quotes what its readers asked, hidden words
    /// included: the generated questions are not kept.
    pub(crate) async fn new(with_hidden: bool, is_logging: bool) -> Self {
        let (mut keys, mut whole) = (Vec::new(), String::new());
        let service = Service::new(false, |config| {
            let folder = config.compendium.as_ref().expect("named").with_file_name("besuche");
            write(&folder, with_hidden);
            config.catalog = folder.with_file_name("fragen");
            config.compendium = Some(folder);
            let log = QueryLog { folder: config.data_dir.join("log"), days: 1 };
            config.query_log = is_logging.then_some(log);
            config.service.requests_per_minute = 1_000_000;
            config.service.allow_anonymous = true;
            whole = Service::key(config, "alles", Role::Admin, Audiences::All);
            keys = Caller::all().into_iter().map(|caller| key(config, caller)).collect();
        })
        .await;
        Self { service, keys, whole }
    }

    pub(crate) fn key(&self, caller: Caller) -> Option<&str> {
        let at = Caller::all().iter().position(|known| *known == caller).expect("one of all");
        self.keys[at].as_deref()
    }

    pub(crate) fn masked(&self, text: &str) -> String {
        self.service.masked(text)
    }
}

fn write(folder: &Path, with_hidden: bool) {
    fs::create_dir_all(folder).expect("a folder");
    let hidden = if with_hidden { HIDDEN_IN_PUBLIC } else { "" };
    fs::write(folder.join("besuch.md"), format!("{PUBLIC}{hidden}")).expect("written");
    fs::write(folder.join("innenplan.md"), OF_STAFF_DOCUMENT).expect("written");
    fs::write(folder.join("verwahrt.md"), LOCKED_AWAY).expect("written");
    let mut questions = format!("{CATALOG}{CATALOG_OF_STAFF}");
    if with_hidden {
        fs::write(folder.join("tiefenplan.md"), OF_NOBODY_DOCUMENT).expect("written");
        questions += CATALOG_OF_NOBODY;
    }
    let catalog = folder.with_file_name("fragen");
    fs::create_dir_all(&catalog).expect("a folder");
    fs::write(catalog.join("fragen.yaml"), questions).expect("written");
}

fn key(config: &Config, Caller { role, is_staff }: Caller) -> Option<String> {
    let audiences = if is_staff {
        Audiences::Only(["stammbelegschaft".to_owned()].into())
    } else {
        Audiences::public()
    };
    role.map(|role| Service::key(config, &format!("{role}-{is_staff}"), role, audiences))
}
