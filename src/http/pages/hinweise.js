// What the service says in English, for German pages: notes of an answer in German words, and messages
// about files as quotations, in their own language.
import { el, said } from './gemeinsam.js';

/** What came of it, after the last semicolon of a note. */
const OUTCOMES = {
  'found by words only': 'gefunden wurde nur nach Wörtern',
  'found by meaning only': 'gefunden wurde nur nach der Bedeutung',
  'the classifier in this process decided': 'entschieden hat der Klassifikator in diesem Dienst',
  'the intent stays unknown': 'die Absicht bleibt unbekannt',
  'searched without this filter': 'gesucht wurde ohne diesen Filter',
  'no section has all that was named': 'kein Abschnitt hat alles, was genannt ist',
};
const CAUSES = [
  [/^no answer within (\d+) ms$/, ([, ms]) => `llama3 antwortete nicht innerhalb von ${ms} ms`],
  [/^the server can not be reached; is `ollama serve` running\?$/, () => 'Ollama ist nicht erreichbar; läuft „ollama serve“?'],
  [/^the connection broke$/, () => 'Die Verbindung zu Ollama brach ab'],
  [/^the server does not have the model$/, () => 'Ollama hat das Modell nicht'],
  [/^the question has no word to search for$/, () => 'Die Frage hat kein Wort, nach dem sich suchen lässt'],
  [/^the vector index failed$/, () => 'Der Index der Bedeutungen versagte'],
  [/^the lexical index failed$/, () => 'Der Index der Wörter versagte'],
  [/^filtered by (.*): (\d+) sections$/s, ([, what, count]) => `Gesucht wurde nur, wo das vorkommt: ${what} (${count} Abschnitte)`],
  [/^no section has (.*)$/s, ([, what]) => `Kein Abschnitt hat ${what}`],
  [/^no section that was found has (.*)$/s, ([, what]) => `Kein gefundener Abschnitt hat ${what}`],
  [/^raised by (.*)$/s, ([, what]) => `Nach vorn geholt wurde, was das hat: ${what}`],
  [/^embedded without the names of documents: (.*)$/s, ([, rest]) => `Die Bedeutung wurde ohne die Namen von Dokumenten gesucht: „${rest}“`],
];

/** A note of an answer. What has no German words is quoted. */
export function note(text) {
  const at = text.lastIndexOf('; ');
  const outcome = at < 0 ? undefined : OUTCOMES[text.slice(at + 2)];
  const cause = outcome ? text.slice(0, at) : text;
  for (const [pattern, german] of CAUSES) {
    const found = pattern.exec(cause);
    if (found) return [said(german(found)), outcome ? ` – ${outcome}` : '', '. '];
  }
  return [outcome ? `${outcome[0].toUpperCase()}${outcome.slice(1)}; Meldung: ` : 'Meldung: ', quoted(cause), '. '];
}

/** A message of the service as it is: English, which a screen reader must know. */
export const quoted = text => el('q', { lang: 'en' }, said(text));

/** What the files are called whose problems have these codes, by the first word of the code. */
const FILES = {
  catalog: 'Katalog', compendium: 'Kompendium', section: 'Kompendium', front: 'Kompendium', heading: 'Kompendium', jsonl: 'Kompendium',
  compound: 'Zusammensetzungen', config: 'Einstellungen', enrichment: 'Anreicherung', symbol: 'Anreicherung', taxonomy: 'Begriffe', group: 'Gruppen', intent: 'Absichten',
  keys: 'Schlüssel', profile: 'Profile', question: 'Fragen', rule: 'Regeln', rules: 'Regeln', synonym: 'Synonyme', reload: 'Neuladen',
};

/** Something to mend in a file: the place, and what was said about it. */
export function problem({ place, code, message, mend }) {
  const kind = FILES[code.split('-')[0]];
  return el('li', null, kind ? [el('b', null, kind), ' · '] : null, el('code', null, said(place)),
    el('p', null, 'Meldung: ', quoted(message)),
    mend ? el('p', null, 'Abhilfe: ', quoted(mend)) : null,
    el('p', { class: 'soft' }, 'Kennung: ', el('code', null, code)));
}
