//! Noun phrases of headings: article, adjectives, head, what follows.

use super::lexicon::{Lexicon, Number, lower};
use super::words::{ADJECTIVES, ARTICLES, CONNECTORS, PRONOUNS, SHORT_ADJECTIVES};

/// A noun phrase as it stands in a heading, first word lowered where German does so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NounPhrase {
    /// `der`, `die`, `das`, `ein`, `eine`, or nothing.
    pub(super) article: Option<String>,
    /// In lower case, inflected as in the heading.
    pub(super) adjectives: Vec<String>,
    /// Nouns in a row, `Londoner Taxifahrerstudie`; the last one rules.
    pub(super) head: String,
    /// What follows: a genitive, a preposition with its noun, brackets; or nothing.
    pub(super) rest: String,
    pub(super) number: Number,
}

impl NounPhrase {
    /// Reads the words of a heading; `None` where they are something else.
    pub(super) fn read(words: &[&str], lexicon: &Lexicon) -> Option<Self> {
        let (article, words) = match words.split_first() {
            Some((first, rest)) if ARTICLES.contains(first) => {
                let nominative = match *first {
                    "Den" => "der".to_owned(),
                    "Einen" => "ein".to_owned(),
                    other => lower(other),
                };
                (Some(nominative), rest)
            }
            _ => (None, words),
        };
        let mut adjectives = Vec::new();
        let mut at = 0;
        while at + 1 < words.len()
            && is_adjective(words[at], words[at + 1], article.is_some() || at > 0, lexicon)
        {
            adjectives.push(lower(words[at]));
            at += 1;
        }
        let nouns = words[at..].iter().take_while(|word| is_noun(word)).count();
        let (head, rest) = words[at..].split_at(nouns);
        let follows = rest.first().is_none_or(|word| {
            CONNECTORS.contains(word) || (word.starts_with('(') && rest.concat().ends_with(')'))
        });
        let clean = rest.iter().all(|word| !word.contains([',', ';', ':', '/', '–', '—']));
        if head.is_empty() || !follows || !clean {
            return None;
        }
        let number = number(article.as_deref(), &adjectives, head[head.len() - 1], lexicon);
        let rest = match rest {
            // `Gedächtnis im Überblick` asks for nothing but the thing.
            ["im", "Überblick"] | ["–"] => String::new(),
            rest => rest.join(" "),
        };
        Some(Self { article, adjectives, head: head.join(" "), rest, number })
    }

    /// The last noun of the head.
    pub(super) fn noun(&self) -> &str {
        self.head.rsplit(' ').next().unwrap_or(&self.head)
    }

    /// As subject, with the article of the heading.
    pub(super) fn nominative(&self) -> String {
        self.with(self.article.as_deref(), &self.adjectives)
    }

    /// As subject, with the article that the texts put before the noun, if any.
    pub(super) fn definite(&self, lexicon: &Lexicon) -> String {
        let bare =
            self.article.is_none() && self.number == Number::Singular && self.rest.is_empty();
        let one_noun = !self.head.contains(' ');
        let article = (bare && one_noun).then(|| lexicon.usual_article(&self.head)).flatten();
        let Some(article) = article else { return self.nominative() };
        // sensorisches Gedächtnis → das sensorische Gedächtnis
        let weak = self.adjectives.iter().map(|adjective| stem(adjective).to_owned() + "e");
        self.with(Some(article), &weak.collect::<Vec<_>>())
    }

    /// As object. Only the masculine singular differs from the subject.
    pub(super) fn accusative(&self) -> String {
        let masculine = self.number == Number::Singular;
        match self.article.as_deref() {
            Some("der") => self.with(Some("den"), &self.ending("en")),
            None if masculine && self.has_ending("er") => self.with(None, &self.ending("en")),
            Some("ein") if self.has_ending("er") => self.with(Some("einen"), &self.ending("en")),
            Some(_) | None => self.nominative(),
        }
    }

    /// As subject after `welche`: `welche klassischen Methoden`.
    pub(super) fn after_which(&self) -> String {
        self.with(None, &self.ending("en"))
    }

    /// `langweiligem Stoff`: adjective and noun after `bei`, where masculine or neuter.
    pub(super) fn dative(&self) -> Option<String> {
        let strong = self.has_ending("er") || self.has_ending("es");
        (self.article.is_none() && strong).then(|| self.with(None, &self.ending("em")))
    }

    fn has_ending(&self, ending: &str) -> bool {
        !self.adjectives.is_empty() && self.adjectives.iter().all(|word| word.ends_with(ending))
    }

    fn ending(&self, ending: &str) -> Vec<String> {
        self.adjectives.iter().map(|adjective| stem(adjective).to_owned() + ending).collect()
    }

    fn with(&self, article: Option<&str>, adjectives: &[String]) -> String {
        let words = article.into_iter().chain(adjectives.iter().map(String::as_str));
        let words = words.chain([self.head.as_str(), self.rest.as_str()]);
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// `ist` or `sind`; nothing where the number is unknown.
    pub(super) fn verb<'a>(&self, singular: &'a str, plural: &'a str) -> Option<&'a str> {
        match self.number {
            Number::Singular => Some(singular),
            Number::Plural => Some(plural),
            Number::Unknown => None,
        }
    }
}

fn number(article: Option<&str>, adjectives: &[String], noun: &str, lexicon: &Lexicon) -> Number {
    let first = adjectives.first().map_or("", String::as_str);
    match article {
        Some("die") if first.ends_with("en") => Number::Plural,
        Some("die") | None => {
            if article.is_none() && (first.ends_with("es") || first.ends_with("er")) {
                Number::Singular
            } else {
                lexicon.number(noun)
            }
        }
        Some(_) => Number::Singular,
    }
}

/// An adjective without its inflection.
pub(super) fn stem(adjective: &str) -> &str {
    ["en", "em", "er", "es", "e"]
        .iter()
        .find_map(|ending| adjective.strip_suffix(ending))
        .unwrap_or(adjective)
}

/// Whether a word with a capital letter, a digit or brackets can be part of a head.
fn is_noun(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && !word.contains([',', ';', ':', '/', '&', '„', '“'])
}

/// Whether an inflected word before `next` is an adjective. Inside a heading small letters tell;
/// the first word has a capital in any case.
pub(super) fn is_adjective(word: &str, next: &str, inside: bool, lexicon: &Lexicon) -> bool {
    let inflected = ["e", "en", "em", "er", "es"].iter().any(|ending| word.ends_with(ending));
    let before_noun = next.starts_with(char::is_uppercase)
        || (next.starts_with(char::is_lowercase)
            && stem(next) != next
            && !CONNECTORS.contains(&next));
    if !inflected || !before_noun || word.contains('.') {
        return false;
    }
    if word.starts_with(char::is_lowercase) {
        return inside && !CONNECTORS.contains(&word);
    }
    let small = lower(word);
    let bare = stem(&small);
    !inside
        && (ADJECTIVES.iter().any(|ending| bare.ends_with(ending))
            || SHORT_ADJECTIVES.contains(&bare)
            || lexicon.prefers_lower_case(word))
}

/// The words of a heading that goes on inside a question: the first one loses its capital letter
/// unless it is a noun.
pub(super) fn inside_a_question(words: &[&str], lexicon: &Lexicon) -> String {
    let Some((first, rest)) = words.split_first() else { return String::new() };
    let small = lower(first);
    let function = ARTICLES.contains(first)
        || CONNECTORS.contains(&small.as_str())
        || PRONOUNS.contains(&small.as_str());
    let adjective = rest.first().is_some_and(|next| is_adjective(first, next, false, lexicon));
    let bare = lower(first);
    let adverb = rest.first().is_some_and(|next| next.starts_with(char::is_lowercase))
        && (ADJECTIVES.iter().any(|ending| bare.ends_with(ending) && bare.len() > 5)
            || SHORT_ADJECTIVES.contains(&bare.as_str()));
    let small = function || adjective || adverb || lexicon.prefers_lower_case(first);
    let alone = rest.first().is_some_and(|next| {
        !CONNECTORS.contains(next) && !matches!(*next, "und" | "oder" | "nicht")
    }) && rest.iter().all(|word| word.starts_with(char::is_lowercase));
    let first = if small {
        bare
    } else if let Some(article) = lexicon.object_article(first).filter(|_| alone) {
        // Fortschritt messen → den Fortschritt messen
        format!("{article} {first}")
    } else {
        (*first).to_owned()
    };
    std::iter::once(first.as_str()).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ")
}
