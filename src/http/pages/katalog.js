import { $, announce, api, choice, el, failed, figure, fill, group, inPieces, moment, number, progress, said, searchFor, tiles, wait } from './gemeinsam.js';
import { quoted } from './hinweise.js';

const going = $('#laeuft');
const place = $('#lauf');
const start = $('#starten');
const which = $('#welcher');
const VERDICTS = { FAIL: 'fehlgeschlagen', WARN: 'mit Warnung', PASS: 'bestanden' };
/** What became of a gap; it is counted by itself and is no verdict on the compendium. */
const TICKETS = { open: 'Lücke, offen', closed: 'Lücke, geschlossen' };
const share = value => `${figure(value * 100, 1)}\u00a0%`;
const METRICS = {
  intent: 'Absicht richtig', 'group@1': 'Gruppe zuerst richtig', 'group@2': 'Gruppe unter zweien', 'r@1': 'richtiger Abschnitt zuerst (R@1)',
  'r@5': 'unter den ersten fünf (R@5)', 'mrr@10': 'mittlerer Kehrrang (MRR@10)', in_parts: 'mehrteilig: alle Teile gefunden',
  answerable_precision: 'zu Recht beantwortet', answerable_recall: 'Beantwortbares beantwortet', refused: 'Abseitiges abgelehnt',
};
let codes = {};

/** Lists the runs, waits for one that is going on, then shows the newest. */
async function load() {
  try {
    let list = (await api('/v1/catalog/runs')).body;
    while (list.running) {
      start.disabled = true;
      // „Noch kein Lauf“ would not be so.
      if (!list.runs.length) fill(place);
      fill(going, progress('Der Katalog läuft', list.running));
      await wait(700);
      list = (await api('/v1/catalog/runs')).body;
    }
    ({ codes } = list);
    start.disabled = list.questions === 0;
    fill(going, list.failed ? el('p', { class: 'note problem', role: 'alert' }, 'Der letzte Lauf kam nicht zu Ende. Meldung: ', quoted(list.failed)) : null);
    which.hidden = list.runs.length < 2;
    fill(which.lauf, list.runs.map(run => el('option', { value: run.id }, `${moment(run.finished)} · ${number(run.summary.all.n)} Fragen`)));
    if (list.runs.length) await show(list.runs[0].id);
    else fill(place, el('p', { class: 'note' }, list.questions === 0
      ? 'Der Katalog hat keine Fragen, die dieser Schlüssel sehen darf.'
      : `Noch kein Lauf. Der Katalog hat ${number(list.questions)} Fragen; ein Lauf stellt sie alle.`));
  } catch (error) {
    fill(going);
    failed(place, error);
  }
}

start.addEventListener('click', async () => {
  start.disabled = true;
  try {
    await api('/v1/catalog/runs', { method: 'POST' });
    await load();
  } catch (error) {
    failed(going, error);
    start.disabled = false;
  }
});
which.lauf.addEventListener('change', () => show(which.lauf.value).catch(error => failed(place, error)));

async function show(id) {
  place.setAttribute('aria-busy', 'true');
  const { body: run } = await api(`/v1/catalog/runs/${id}`);
  place.setAttribute('aria-busy', 'false');
  fill(place, el('p', { class: 'soft' }, `Lauf vom ${moment(run.finished)}.`), figures(run.summary), openQuestions(run), difference(run), questions(run));
  const { verdicts } = run.summary;
  announce(Object.entries(VERDICTS).reverse().map(([verdict, name]) => `${number(verdicts[verdict] ?? 0)} ${name}`).join(', '));
}

function figures({ verdicts, tickets, all, answerable, degraded }) {
  const of = (n, value) => (n ? value : '–');
  const { retrieval } = all;
  return [tiles([
    ...Object.entries(VERDICTS).reverse().map(([verdict, name]) => [number(verdicts[verdict] ?? 0), name, verdict]),
    ...(tickets ? [[number(tickets.open.length), 'Lücken, noch offen'], [number(tickets.closed.length), 'Lücken, geschlossen']] : []),
    [of(retrieval.n, share(retrieval['r@1'])), 'richtiger Abschnitt zuerst'],
    [of(retrieval.n, share(retrieval['r@5'])), 'unter den ersten fünf'],
    [of(all.intent.n, share(all.intent.share)), 'Absicht richtig'],
    [of(all['group@1'].n, share(all['group@1'].share)), 'Gruppe zuerst richtig'],
    ...(answerable ? [[share(answerable.precision), 'zu Recht beantwortet'], [share(answerable.refused), 'Abseitiges abgelehnt']] : []),
  ]),
  degraded ? el('p', { class: 'note' }, 'Nicht alles stand zur Verfügung: ', said(Object.entries(degraded).map(([what, n]) => `${what} bei ${n} Fragen`).join(', '))) : null];
}

/** Questions that wait for somebody to write what is missing, and those whose wait is over. */
function openQuestions({ summary: { tickets }, questions }) {
  if (!tickets) return null;
  const asked = new Map(questions.map(question => [question.id, question.question]));
  const part = (name, ids) => (ids.length ? el('details', { open: ids.length <= 5 }, el('summary', null, `${name} (${ids.length})`),
    el('ul', { class: 'turned' }, ids.map(id => el('li', null, el('a', { href: searchFor(asked.get(id) ?? '') }, said(asked.get(id) ?? id)), ' ', el('code', null, said(id)))))) : null);
  return el('section', null, el('h2', null, 'Offene Fragen'),
    el('p', null, 'Sie zählen in keiner Kennzahl und lassen keinen Lauf scheitern, bis geschrieben ist, was fehlt.'),
    part('Geschlossen: Sie werden jetzt beantwortet, „status: open“ kann aus der Datei', tickets.closed), part('Noch offen', tickets.open));
}

function difference({ diff, compared_with: before, questions }) {
  if (!diff) return el('section', null, el('h2', null, 'Was sich geändert hat'), el('p', null, 'Das ist der erste Lauf, oder der davor ist nicht mehr da.'));
  const added = Object.keys(diff.new).length;
  const tickets = new Map(questions.map(question => [question.id, question.ticket]));
  const figures = diff.metrics.filter(metric => metric.before !== metric.now);
  const nothing = !diff.worse.length && !diff.better.length && !diff.otherwise.length && !added && !diff.gone.length;
  return el('section', null, el('h2', null, 'Was sich geändert hat'),
    el('p', null, `Gegen den Lauf vom ${moment(before)}: ${nothing ? 'nichts.' : `${diff.worse.length} schlechter, ${diff.better.length} besser, ${diff.otherwise.length} anders entschieden, ${added} neu, ${diff.gone.length} weggefallen.`}`),
    turned('Schlechter', diff.worse, tickets, true), turned('Besser', diff.better, tickets), turned('Anders entschieden', diff.otherwise, tickets),
    diff.causes.length ? el('details', null, el('summary', null, `Woran es hängt (${diff.causes.length})`),
      el('ul', { class: 'turned' }, diff.causes.slice(0, 50).map(cause => el('li', null, said(cause.what), `: entschied ${cause.before} Fragen, jetzt ${cause.now}`)))) : null,
    figures.length ? el('details', null, el('summary', null, `Kennzahlen (${figures.length})`),
      el('ul', { class: 'turned' }, figures.map(({ name, before, now, fell }) => el('li', { class: fell ? 'FAIL' : null },
        `${METRICS[name] ?? name}: ${before === null ? '–' : number(before, 4)} → ${now === null ? '–' : number(now, 4)}`)))) : null);
}

function turned(name, list, tickets, open = false) {
  if (!list.length) return null;
  const place = el('ul', { class: 'rows' });
  const more = inPieces(place, list, ({ question, before, now, reasons, rule, id }) => el('li', null,
    el('div', { class: 'row-head' }, tickets.get(id) ? verdict({ ticket: tickets.get(id) }) : el('span', { class: `tag ${now.verdict}` }, `${VERDICTS[before.verdict]} → ${VERDICTS[now.verdict]}`),
      el('a', { href: searchFor(question) }, said(question)), el('code', null, said(id))),
    el('p', null, `Rang ${before.rank ?? '–'} → ${now.rank ?? '–'}`, before.intent === now.intent ? null : [' · Absicht ', said(`${before.intent} → ${now.intent}`)],
      before.by === now.by ? null : [' · entschieden durch ', said(`${before.by} → ${now.by}`)], rule ? [' · ', el('code', null, said(rule))] : null,
      now.groups.join() === before.groups.join() ? null : [' · Gruppen ', said(`${before.groups.map(group).join(', ') || 'keine'} → ${now.groups.map(group).join(', ') || 'keine'}`)]),
    reasons?.length ? el('p', { class: 'soft' }, 'Neu: ', said(now.codes.map(code => codes[code] ?? code).join(', '))) : null), 25);
  return el('details', { open }, el('summary', null, `${name} (${list.length})`), place, more);
}

function questions({ questions }) {
  const gaps = Object.entries(TICKETS).filter(([ticket]) => questions.some(question => question.ticket === ticket));
  const own = new Set(questions.flatMap(question => question.findings.map(finding => finding.code)));
  const known = Object.entries(codes).filter(([code]) => own.has(code));
  const form = el('form', { class: 'filters' },
    el('label', null, 'Suchen', el('input', { name: 'wort', type: 'search', placeholder: 'Wort, Kennung, Abschnitt' })),
    choice('urteil', 'Urteil', [...Object.entries(VERDICTS), ...gaps]),
    choice('befund', 'Befund', known.map(([code, name]) => [code, `${code}: ${name}`])),
    choice('stufe', 'Stufe', [...new Set(questions.map(question => question.tier))].sort().map(tier => [tier, tier])),
    choice('gruppe', 'Gruppe', [...new Set(questions.map(question => question.expected_group).filter(Boolean))].sort().map(id => [id, group(id)])),
    el('output', { 'aria-live': 'polite' }));
  const list = el('ul', { class: 'rows' });
  const foot = el('div');
  const texts = questions.map(question => [question.id, question.question, ...question.expected, question.intent, question.first?.section, question.rule?.id].join('\n').toLowerCase());
  const order = { FAIL: 0, open: 1, WARN: 2, closed: 3, PASS: 4 };
  function filter() {
    const { wort, urteil, befund, stufe, gruppe } = Object.fromEntries(new FormData(form));
    const word = wort.trim().toLowerCase();
    const fits = questions.filter((question, at) => (!urteil || label(question) === urteil) && (!befund || question.findings.some(finding => finding.code === befund))
      && (!stufe || question.tier === stufe) && (!gruppe || question.expected_group === gruppe) && texts[at].includes(word));
    fits.sort((a, b) => order[label(a)] - order[label(b)]);
    fill(foot, inPieces(list, fits, row));
    $('output', form).textContent = `${number(fits.length)} von ${number(questions.length)} Fragen`;
  }
  form.addEventListener('input', filter);
  form.addEventListener('submit', event => event.preventDefault());
  filter();
  return el('section', null, el('h2', null, 'Fragen'), form, list, foot);
}

/** A verdict, or what became of a gap. */
const label = ({ verdict, ticket }) => ticket ?? verdict;

const verdict = question => el('span', { class: `tag ${question.ticket ? question.ticket.toUpperCase() : question.verdict}` }, TICKETS[question.ticket] ?? VERDICTS[question.verdict]);

function row(question) {
  const { findings, expected, any, rank, first } = question;
  return el('li', null,
    el('div', { class: 'row-head' }, verdict(question),
      el('a', { href: searchFor(question.question), title: 'In der Suche ansehen' }, said(question.question)), el('span', { class: 'soft' }, said(question.tier))),
    el('p', null, expected.length ? ['Erwartet: ', el('code', null, said(expected.join(question.in_parts ? ' und ' : ' oder '))), ` · Rang ${rank ?? 'über 10'}`] : any ? 'Erwartet: irgendein Abschnitt' : 'Erwartet: Ablehnung',
      first && rank !== 1 ? [' · Erster: ', el('code', null, said(first.section))] : null),
    findings.length ? el('ul', { class: 'plain' }, findings.map(finding)) : null,
    el('p', { class: 'soft' }, el('code', null, said(question.id)), ' · ', said(`${question.place.file}:${question.place.line}`)));
}

function finding({ code, rival, rule, misled_by: misled }) {
  return el('li', null, el('b', { class: code.startsWith('F') ? 'FAIL' : 'WARN' }, code), ' ', codes[code] ?? '',
    rival ? el('small', null, 'Rivale: ', said(`${rival.section} (${number(rival.score)})`)) : null,
    rule ? el('small', null, 'Regel ', el('a', { href: `/regeln?regel=${encodeURIComponent(rule.id)}` }, said(rule.id)), ' (', said(rule.place), ') traf „', said(rule.matched), '“') : null,
    misled?.length ? el('small', null, 'irreführend: ', said(misled.map(payment => `„${payment.what}“ ${payment.amount > 0 ? '+' : ''}${number(payment.amount, 1)}`).join(', '))) : null);
}

load();
