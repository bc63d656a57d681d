//! Reads a JSON object field by field, so that every fault is told in both languages, without the
//! names of our types, and all faults at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;

use super::error::Fault;
use crate::domain::did_you_mean;

/// An object of a request, with its path in it: empty for the body, else ending in a dot.
#[derive(Debug)]
pub(super) struct Object {
    path: String,
    fields: BTreeMap<String, Value>,
    known: Vec<&'static str>,
}

/// A body: an object whose fields stand there once.
pub(super) struct Body(BTreeMap<String, Value>);

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Body;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Body, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if fields.insert(name, value).is_some() {
                        return Err(A::Error::custom("a field stands there twice"));
                    }
                }
                Ok(Body(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

impl Object {
    pub(super) fn body(Body(fields): Body) -> Self {
        Self { path: String::new(), fields, known: Vec::new() }
    }

    /// All fields as they are, for bodies whose unknown fields are ignored.
    pub(super) fn into_fields(self) -> BTreeMap<String, Value> {
        self.fields
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.fields.remove(name)
    }

    fn at(&self, name: &str) -> String {
        format!("{}{name}", self.path)
    }

    /// A text that must be there.
    pub(super) fn text(&mut self, name: &'static str, faults: &mut Vec<Fault>) -> String {
        let at = self.at(name);
        match self.take(name) {
            Some(Value::String(text)) => return text,
            Some(_) => faults.push(Fault::new(
                format!("`{at}` must be a text"),
                format!("„{at}“ muss ein Text sein"),
            )),
            None => faults.push(Fault::new(format!("`{at}` is missing"), format!("„{at}“ fehlt"))),
        }
        String::new()
    }

    /// A whole number in a range; `null` is as good as absent.
    pub(super) fn count(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
        faults: &mut Vec<Fault>,
    ) -> Option<usize> {
        let at = self.at(name);
        let value = self.take(name).filter(|value| !value.is_null())?;
        // `5.0` is a whole number in JSON.
        let is_number = |wanted: &usize| {
            value.as_f64().is_some_and(|number| number.total_cmp(&(*wanted as f64)).is_eq())
        };
        let number = range.clone().find(is_number);
        if number.is_none() {
            let (least, most) = (range.start(), range.end());
            faults.push(Fault::new(
                format!("`{at}` must be a whole number from {least} to {most}"),
                format!("„{at}“ muss eine ganze Zahl von {least} bis {most} sein"),
            ));
        }
        number
    }

    /// A number from 0 to 1; `null` is as good as absent.
    pub(super) fn share(&mut self, name: &'static str, faults: &mut Vec<Fault>) -> Option<f64> {
        let at = self.at(name);
        let value = self.take(name).filter(|value| !value.is_null())?;
        let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        if share.is_none() {
            faults.push(Fault::new(
                format!("`{at}` must be a number from 0 to 1"),
                format!("„{at}“ muss eine Zahl von 0 bis 1 sein"),
            ));
        }
        share
    }

    /// A text that may be left out; `null` is as good as absent.
    pub(super) fn optional_text(
        &mut self,
        name: &'static str,
        faults: &mut Vec<Fault>,
    ) -> Option<String> {
        if self.fields.get(name).is_none_or(Value::is_null) {
            self.take(name);
            return None;
        }
        Some(self.text(name, faults))
    }

    /// A yes or no that may be left out; `null` is as good as absent.
    pub(super) fn optional_flag(
        &mut self,
        name: &'static str,
        faults: &mut Vec<Fault>,
    ) -> Option<bool> {
        if self.fields.get(name).is_none_or(Value::is_null) {
            self.take(name);
            return None;
        }
        Some(self.flag(name, faults))
    }

    /// A yes or no; absent is no.
    pub(super) fn flag(&mut self, name: &'static str, faults: &mut Vec<Fault>) -> bool {
        let at = self.at(name);
        match self.take(name) {
            None => false,
            Some(Value::Bool(yes)) => yes,
            Some(_) => {
                faults.push(Fault::new(
                    format!("`{at}` must be true or false"),
                    format!("„{at}“ muss true oder false sein"),
                ));
                false
            }
        }
    }

    /// One of a few words; absent is the first, which may have the empty word where no other stands for
    /// being absent.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
        faults: &mut Vec<Fault>,
    ) -> T {
        let value = self.take(name);
        value.and_then(|value| self.chosen(name, &value, choices, faults)).unwrap_or(choices[0].1)
    }

    /// One of a few words; nothing where it is absent or `null`.
    pub(super) fn optional_choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
        faults: &mut Vec<Fault>,
    ) -> Option<T> {
        let value = self.take(name).filter(|value| !value.is_null())?;
        self.chosen(name, &value, choices, faults)
    }

    fn chosen<T: Copy>(
        &self,
        name: &str,
        value: &Value,
        choices: &[(&str, T)],
        faults: &mut Vec<Fault>,
    ) -> Option<T> {
        let at = self.at(name);
        let chosen = value.as_str().and_then(|word| choices.iter().find(|(name, _)| *name == word));
        if chosen.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let words = words.join(", ");
            faults.push(Fault::new(
                format!("`{at}` must be one of: {words}"),
                format!("„{at}“ muss eines davon sein: {words}"),
            ));
        }
        chosen.map(|(_, choice)| *choice)
    }

    /// A text or a list of texts; absent is none.
    pub(super) fn texts(
        &mut self,
        name: &'static str,
        faults: &mut Vec<Fault>,
    ) -> BTreeSet<String> {
        let at = self.at(name);
        self.take(name).map_or_else(BTreeSet::new, |value| texts(&at, value, faults))
    }

    /// An object of texts or lists of texts under names of the caller's; absent is none.
    pub(super) fn named_texts(
        &mut self,
        name: &'static str,
        faults: &mut Vec<Fault>,
    ) -> BTreeMap<String, BTreeSet<String>> {
        let Some(object) = self.object(name, faults) else { return BTreeMap::new() };
        let Self { path, fields, .. } = object;
        let named = fields.into_iter().map(|(name, value)| {
            let at = format!("{path}{}", shown(&name));
            (name, texts(&at, value, faults))
        });
        named.collect()
    }

    /// An object inside; absent is none.
    pub(super) fn object(&mut self, name: &'static str, faults: &mut Vec<Fault>) -> Option<Self> {
        let at = self.at(name);
        object(&at, self.take(name)?, faults)
    }

    /// A list of objects of a certain length, which must be there.
    pub(super) fn objects(
        &mut self,
        name: &'static str,
        length: RangeInclusive<usize>,
        faults: &mut Vec<Fault>,
    ) -> Vec<Self> {
        let at = self.at(name);
        let list = match self.take(name) {
            Some(Value::Array(list)) if length.contains(&list.len()) => list,
            Some(_) | None => {
                let (least, most) = (length.start(), length.end());
                faults.push(Fault::new(
                    format!("`{at}` must be a list of {least} to {most} objects"),
                    format!("„{at}“ muss eine Liste aus {least} bis {most} Objekten sein"),
                ));
                return Vec::new();
            }
        };
        let inside = list.into_iter().enumerate();
        inside.filter_map(|(nth, value)| object(&format!("{at}[{nth}]"), value, faults)).collect()
    }

    /// Nothing else may stand there: a misspelt field must not be without effect in silence.
    pub(super) fn end(self, faults: &mut Vec<Fault>) {
        let Self { path, fields, known } = self;
        for name in fields.keys() {
            let at = format!("{path}{}", shown(name));
            let meant = did_you_mean(name, known.iter().copied());
            let (mend, mend_de) = match meant {
                Some(meant) => (
                    format!("; did you mean `{path}{meant}`?"),
                    format!("; gemeint ist wohl „{path}{meant}“"),
                ),
                None => (String::new(), String::new()),
            };
            faults.push(Fault::new(
                format!("there is no field `{at}`{mend}"),
                format!("es gibt kein Feld „{at}“{mend_de}"),
            ));
        }
    }
}

fn object(at: &str, value: Value, faults: &mut Vec<Fault>) -> Option<Object> {
    if let Value::Object(fields) = value {
        let fields = fields.into_iter().collect();
        return Some(Object { path: format!("{at}."), fields, known: Vec::new() });
    }
    faults.push(Fault::new(
        format!("`{at}` must be an object"),
        format!("„{at}“ muss ein Objekt sein"),
    ));
    None
}

fn texts(at: &str, value: Value, faults: &mut Vec<Fault>) -> BTreeSet<String> {
    let text = |value: Value| if let Value::String(text) = value { Some(text) } else { None };
    let list = if let Value::Array(list) = value { list } else { vec![value] };
    let read: Option<BTreeSet<String>> = list.into_iter().map(text).collect();
    read.unwrap_or_else(|| {
        faults.push(Fault::new(
            format!("`{at}` must be a text or a list of texts"),
            format!("„{at}“ muss ein Text oder eine Liste von Texten sein"),
        ));
        BTreeSet::new()
    })
}

/// A name that the caller made up, short enough to be shown.
fn shown(name: &str) -> String {
    crate::ollama::printable(name, 60)
}
