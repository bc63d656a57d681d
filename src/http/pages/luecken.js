import { $, announce, api, choice, day, el, failed, fill, group, inPieces, moment, number, percent, progress, said, searchFor, tiles, wait } from './gemeinsam.js';
import { map } from './karte.js';

const going = $('#laeuft');
const place = $('#luecken-bericht');
const dialog = $('#blatt');
const TILES = { error: 'Fehler', warning: 'Warnungen', hint: 'Hinweise' };
const SEVERITIES = { error: 'Fehler', warning: 'Warnung', hint: 'Hinweis' };
const CLASSES = { error: 'FAIL', warning: 'WARN', hint: 'HINT' };
/** Findings that come from the questions of readers. */
const LIVE = new Set(['G-UNANSWERED', 'G-BAD-ANSWER', 'G-WITHHELD']);
let codes = {};
let tickets = {};

/** Asks until it is made. */
async function made(path, where, words, options) {
  for (;;) {
    const { status, body } = await api(path, options);
    if (status !== 202) return body;
    fill(where, progress(words, body));
    await wait(700);
  }
}

async function load() {
  try {
    const report = await made('/v1/gaps', going, 'Das Kompendium wird durchgesehen');
    fill(going);
    show(report);
  } catch (error) {
    fill(going);
    failed(place, error);
  }
}

function show(report) {
  ({ codes, tickets } = report);
  const { severities } = report;
  const asked = report.findings.filter(finding => LIVE.has(finding.code));
  const findings = report.findings.filter(finding => !LIVE.has(finding.code));
  const groupsOf = finding => new Set([...finding.subject.sections?.map(named => named.group) ?? [], finding.subject.group, finding.mend.group].filter(Boolean));
  const known = [...new Set(report.map.map(point => point.group).filter(Boolean))].sort();
  const form = el('form', { class: 'filters' },
    el('label', null, 'Suchen', el('input', { name: 'wort', type: 'search', placeholder: 'Wort, Abschnitt, Kennung' })),
    choice('schwere', 'Schwere', Object.entries(SEVERITIES)),
    choice('befund', 'Befund', [...new Set(findings.map(finding => finding.code))].sort().map(code => [code, `${codes[code] ?? ''} (${code})`])),
    choice('gruppe', 'Gruppe', known.map(id => [id, group(id)])),
    el('button', { type: 'reset' }, 'Alles zeigen'), el('output', { 'aria-live': 'polite' }));
  const list = el('ul', { class: 'rows' });
  const foot = el('div');
  const texts = findings.map(finding => JSON.stringify(finding).toLowerCase());
  const drawing = map(report.map, codes, known, open);
  function filter() {
    const { wort, schwere, befund, gruppe } = Object.fromEntries(new FormData(form));
    const word = wort.trim().toLowerCase();
    const fits = findings.filter((finding, at) => (!schwere || finding.severity === schwere) && (!befund || finding.code === befund)
      && (!gruppe || groupsOf(finding).has(gruppe)) && texts[at].includes(word));
    fill(foot, inPieces(list, fits, row, 50));
    $('output', form).textContent = `${number(fits.length)} von ${number(findings.length)} Befunden`;
    const all = !word && !schwere && !befund && !gruppe;
    drawing.choose(all ? null : new Set(fits.flatMap(finding => finding.subject.sections?.map(named => named.id) ?? [])));
  }
  form.addEventListener('input', filter);
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(filter));
  fill(place,
    el('p', { class: 'soft' }, `Gefragt wurde mit ${number(report.catalog_questions)} Fragen des Katalogs und ${number(report.heading_questions)} Fragen aus Überschriften. Stand ${day(report.today)}.`,
      report.other_catalog ? ' Der Katalog gehört zu einem anderen Kompendium: Keinen seiner Abschnitte gibt es hier.' : ''),
    tiles([...Object.entries(TILES).map(([severity, name]) => [number(severities[severity] ?? 0), name, severities[severity] ? CLASSES[severity] : 'HINT']),
      [number(report.sections), 'Abschnitte'], [number(report.flagged_sections), 'davon mit Fehler oder Warnung']]),
    readers(report.live, asked),
    el('section', null, el('h2', null, 'Was im Kompendium auffällt'), el('p', null, el('a', { href: '#karte' }, 'Zur Karte der Abschnitte')), form, findings.length ? null : el('p', { class: 'note' }, 'Keine Lücken gefunden.'), list, foot),
    el('section', { id: 'karte' }, el('h2', null, 'Karte'), drawing.figure));
  filter();
  announce(`${number(asked.length)} Themen der Lesenden, ${number(findings.length)} Befunde.`);
}

/** What readers ask and do not get, or why that is not known. */
function readers({ state, log }, asked) {
  const head = el('h2', null, 'Was Lesende fragen und nicht finden');
  const note = (...words) => el('section', null, head, el('p', { class: 'note' }, words));
  switch (state) {
    case 'off': return note('Das steht hier, sobald in wegweiser.yaml die Zeile ', el('code', null, 'query_log: {days: 30}'), ' steht und der Dienst neu gestartet ist.');
    case 'failed': return note('Die Fragen der Lesenden ließen sich nicht auswerten; das Protokoll des Dienstes sagt, warum.');
    default: break;
  }
  const beside = [['inzwischen beantwortet', log.solved], ['nur vertippt', log.misspelt], ['beantwortet, aber nicht für die Fragenden sichtbar', log.withheld], ['allein mit ihrem Thema', log.single], ['zu selten, um angesehen zu werden', log.left_out],
    ['beschädigte Zeilen', log.damaged], ['verlorene Einträge', log.dropped]];
  const list = el('ul', { class: 'rows' });
  const foot = el('div');
  fill(foot, inPieces(list, asked, row, 20));
  return el('section', null, head,
    el('p', { class: 'soft' }, `Gelesen am ${moment(log.read)}: ${number(log.questions)} Fragen, ${number(log.failed)} davon schlecht beantwortet`,
      beside.filter(([, count]) => count).map(([words, count]) => ` · ${words}: ${number(count)}`).join(''), '.'),
    asked.length ? [list, foot] : el('p', { class: 'note' }, log.failed ? 'Kein Thema, das mehr als einmal fehlte.' : 'Bisher wurde keine Frage schlecht beantwortet.'));
}

function row(finding) {
  const { id, code, severity, subject, message, evidence, mend, impact, reach } = finding;
  const live = LIVE.has(code);
  const [first, rest] = live ? [evidence, []] : [evidence.slice(0, 3), evidence.slice(3)];
  const reasons = list => el('ul', { class: 'turned' }, list.map(entry => el('li', null, reason(entry))));
  const name = subject.sections?.length ? subject.sections.map(sheetButton) : said(subject.term ? `„${subject.term}“` : group(subject.group));
  return el('li', null,
    el('div', { class: 'row-head' }, el('span', { class: `tag ${CLASSES[severity]}` }, `${SEVERITIES[severity]}: ${codes[code] ?? code}`),
      el('h3', null, name), live ? el('span', null, `${number(reach)}-mal gefragt`) : null,
      el('span', { class: 'soft', title: 'betroffene Fragen mal Schwere' }, `Gewicht ${number(impact)}`)),
    el('p', null, said(message)),
    first.length ? reasons(first) : null,
    rest.length ? el('details', null, el('summary', null, rest.length === 1 ? '1 weiterer Beleg' : `${rest.length} weitere Belege`), reasons(rest)) : null,
    el('p', null, el('b', null, 'Was tun: '), said(mend.text)),
    // Where the text names the points, they need not stand there twice.
    mend.outline?.length && !mend.text.includes(mend.outline[0]) ? [el('p', null, el('b', null, 'Gliederung:')), el('ul', { class: 'turned' }, mend.outline.map(point => el('li', null, said(point))))] : null,
    mend.group && !mend.text.includes(group(mend.group)) ? el('p', null, el('b', null, 'Gruppe: '), said(group(mend.group))) : null,
    ticket(finding),
    el('p', { class: 'soft' }, 'Kennung: ', el('code', null, said(id))));
}

/** A button that puts the questions of a finding into the catalog; nothing where there are none. */
function ticket({ id }) {
  const { new: added, known } = tickets[id] ?? {};
  if (!added) return known ? el('p', { class: 'soft' }, 'Die Fragen dazu stehen schon im Katalog.') : null;
  const told = el('div', { 'aria-live': 'polite', tabindex: -1 });
  const button = el('button', { type: 'button', onclick: send }, added === 1 ? 'Frage in den Katalog aufnehmen' : `${number(added)} Fragen in den Katalog aufnehmen`);
  async function send() {
    button.disabled = true;
    try {
      fill(told, written(await made('/v1/gaps/promote', told, 'Das Kompendium wird noch durchgesehen', { method: 'POST', body: { finding: id } })));
      tickets[id] = { new: 0, known: added + known };
      button.remove();
    } catch (error) {
      failed(told, error);
      button.disabled = false;
    }
    // The button had the focus.
    told.focus();
  }
  return el('div', { class: 'ticket' }, button, told);
}

/** What was written where, and what happens next. */
function written({ file, opened, guarding, passing, known }) {
  const some = (count, one, many) => (count === 1 ? `Eine Frage ${one}` : `${number(count)} Fragen ${many}`);
  const part = (list, one, many, rest) => (list.length ? el('p', null, some(list.length, one, many), ' ', el('code', null, said(file)), ' (', el('code', null, said(list.join(', '))), `)${rest}`) : null);
  return el('div', { class: 'note done' },
    part(opened, 'steht jetzt als offen in', 'stehen jetzt als offen in', '.'),
    part(guarding, 'steht jetzt in', 'stehen jetzt in', ': Sie werden zu Recht abgelehnt, und das soll so bleiben.'),
    passing.length ? el('p', null, some(passing.length, 'wurde', 'wurden'), ' nicht aufgenommen, denn das Kompendium beantwortet sie schon: ', said(passing.map(question => `„${question}“`).join(', ')), '.') : null,
    known ? el('p', null, `${some(known, 'stand', 'standen')} schon im Katalog.`) : null,
    opened.length ? el('p', null, 'Wie es weitergeht: Der Katalog wird von selbst neu gelesen. Offene Fragen lassen keinen Lauf scheitern. Ist geschrieben, was fehlt, meldet der nächste Lauf auf der Seite ',
      el('a', { href: '/katalog' }, 'Katalog'), ' sie als geschlossen; dann kann ', el('code', null, 'status: open'), ' aus der Datei.') : null);
}

const sheetButton = named => el('button', { type: 'button', class: 'link', onclick: () => open(named.id), title: `${named.id}: Blatt öffnen` }, said(named.title));

/** One piece of evidence, in words. */
function reason(entry) {
  switch (entry.kind) {
    case 'figure': {
      const beside = [entry.usual === undefined ? null : `üblich sind ${number(entry.usual)}`, entry.bound === undefined ? null : `Grenze ${number(entry.bound)}`].filter(Boolean);
      return [said(entry.what), `: ${number(entry.value)}${beside.length ? ` (${beside.join(', ')})` : ''}`];
    }
    case 'question': return [entry.count > 1 ? `${number(entry.count)} × ` : '', el('a', { href: searchFor(entry.text) }, '„', said(entry.text), '“'), ': ', said(entry.outcome)];
    case 'section': return ['„', said(entry.section.title), '“ (', el('code', null, said(entry.section.id)), '): ', said(entry.role)];
    case 'quote': return [el('code', null, said(entry.section)), ': „', said(entry.text), '“'];
    case 'words': return [said(entry.what), ': ', said(entry.words.join(', '))];
    default: return said(JSON.stringify(entry));
  }
}

/** The sheet of a section. */
async function open(id) {
  const close = el('button', { type: 'button', onclick: () => dialog.close() }, 'Schließen');
  const content = el('div', { 'aria-live': 'polite' });
  fill(dialog, el('div', { class: 'sheet' }, el('div', { class: 'sheet-head' }, el('h2', { id: 'blatt-titel' }, said(id)), close), content));
  if (!dialog.open) dialog.showModal();
  try {
    const sheet = await made(`/v1/sections/${encodeURIComponent(id)}/sheet`, content, 'Das Kompendium wird durchgesehen');
    $('#blatt-titel').replaceChildren(said(sheet.section.title));
    fill(content, drawn(sheet));
  } catch (error) {
    failed(content, error);
  }
}

function drawn(sheet) {
  const part = (name, list, draw, none) => (list.length || none
    ? [el('h3', null, name), list.length ? el('ul', null, list.map(entry => el('li', null, draw(entry)))) : el('p', null, none)] : null);
  const question = ({ question, rank, refused, rival }) => [el('a', { href: searchFor(question) }, said(question)), ` – Rang ${rank ?? 'über 10'}${refused ? ', abgelehnt' : ''}`, rival && rank !== 1 ? [', davor: ', said(rival.title)] : null];
  return [
    el('p', null, el('code', null, said(sheet.section.id)), ' · ', said(group(sheet.section.group)), ' · ', el('code', null, said(`${sheet.section.place.file}:${sheet.section.place.line}`)), sheet.updated ? ` · überarbeitet ${day(sheet.updated)}` : null),
    tiles([[number(sheet.words), sheet.usual_words === undefined ? 'Wörter' : `Wörter, üblich ${number(sheet.usual_words)}`],
      ...(sheet.outlier_factor === undefined ? [] : [[number(sheet.outlier_factor), 'Abstand zu anderen (1 ist üblich)']]),
      [number(sheet.first_hits), 'mal erster Treffer']]),
    part('Befunde', sheet.findings, finding => [el('b', { class: CLASSES[finding.severity] }, codes[finding.code] ?? finding.code), ' ', said(finding.message), el('small', null, said(finding.mend.text))], 'Keine.'),
    part('Fragen, die er beantworten soll', sheet.questions, question, 'Keine.'),
    part('Fragen, für die er sonst gefunden wird', sheet.found_for, question),
    part('Nachbarn', sheet.neighbours, near => [sheetButton(near.section), ` ${number(near.similarity)}`]),
    part('Wörter, die zu ihm führen', sheet.leading_words, lead => [said(lead.word), ` ${percent(lead.share)}`]),
    sheet.only_here.length ? [el('h3', null, 'Steht nur hier'), el('p', null, said(sheet.only_here.join(', ')))] : null,
  ];
}

load();
