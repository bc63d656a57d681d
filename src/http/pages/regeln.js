import { $, announce, api, choice, el, failed, fill, inPieces, number, percent, progress, said, searchFor } from './gemeinsam.js';
import { quoted } from './hinweise.js';

const place = $('#regeln');
const form = $('#probieren');
const tried = $('#probiert');
const STATES = { used: 'entscheidet Fragen', shadowed: 'verdeckt', idle: 'trifft keine Frage' };

const state = rule => (rule.won ? 'used' : rule.shadowed ? 'shadowed' : 'idle');

async function load() {
  fill(place, progress('Die Regeln werden gezählt', { total: 0 }));
  try {
    const { body } = await api('/v1/rules');
    show(body);
  } catch (error) {
    failed(place, error);
  }
}

function show({ questions, decided, rules }) {
  const wanted = new URL(location.href).searchParams.get('regel') ?? '';
  const filters = el('form', { class: 'filters' },
    el('label', null, 'Suchen', el('input', { name: 'wort', type: 'search', value: wanted, placeholder: 'Kennung, Muster, Grund' })),
    choice('absicht', 'Absicht', [...new Set(rules.map(rule => rule.intent))].sort().map(id => [id, id])),
    choice('stand', 'Stand', Object.entries(STATES)),
    el('label', null, 'Ordnung', el('select', { name: 'ordnung' }, el('option', { value: '' }, 'wie in der Datei'), el('option', { value: 'won' }, 'meiste Entscheidungen'), el('option', { value: 'lost' }, 'am öftesten unterlegen'))),
    el('output', { 'aria-live': 'polite' }));
  const list = el('ul', { class: 'rows' });
  const foot = el('div');
  const texts = rules.map(rule => [rule.id, rule.intent, rule.pattern, rule.unless, rule.reason].join('\n').toLowerCase());
  function filter() {
    const { wort, absicht, stand, ordnung } = Object.fromEntries(new FormData(filters));
    const word = wort.trim().toLowerCase();
    const fits = rules.filter((rule, at) => (!absicht || rule.intent === absicht) && (!stand || state(rule) === stand) && texts[at].includes(word));
    if (ordnung) fits.sort((a, b) => b[ordnung] - a[ordnung]);
    fill(foot, inPieces(list, fits, row));
    $('output', filters).textContent = `${number(fits.length)} von ${number(rules.length)} Regeln`;
  }
  filters.addEventListener('input', filter);
  filters.addEventListener('submit', event => event.preventDefault());
  const shadowed = rules.filter(rule => rule.shadowed).length;
  fill(place, el('p', null, questions
    ? `${number(decided)} von ${number(questions)} Fragen des Katalogs (${percent(decided / questions)}) entscheidet eine Regel. ${hidden(shadowed)}`
    : 'Der Katalog hat keine Fragen; gezählt wurde nichts.'), filters, list, foot);
  filter();
}

function hidden(count) {
  if (!count) return 'Keine Regel ist verdeckt.';
  return count === 1 ? 'Eine Regel ist verdeckt: Sie trifft Fragen, aber immer hat eine andere Vorrang.'
    : `${number(count)} Regeln sind verdeckt: Sie treffen Fragen, aber immer hat eine andere Vorrang.`;
}

function row(rule) {
  const against = Object.entries(rule.lost_to ?? {}).sort((a, b) => b[1] - a[1]);
  return el('li', null,
    el('div', { class: 'row-head' }, el('b', null, said(rule.id)), el('span', null, '→ ', el('code', null, said(rule.intent))),
      el('span', { class: `tag ${rule.shadowed ? 'WARN' : rule.won ? 'PASS' : 'HINT'}` }, STATES[state(rule)]),
      el('span', { class: 'soft' }, `entscheidet ${number(rule.won)} · unterliegt ${number(rule.lost)} · abgehalten ${number(rule.vetoed)} · Vorrang ${rule.priority}`)),
    el('p', null, el('code', null, said(rule.pattern)), rule.unless ? [el('br'), 'aber nicht: ', el('code', null, said(rule.unless))] : null),
    el('p', { class: 'soft' }, said(rule.reason), ' · ', el('code', null, said(rule.place)), ' · liest ', rule.scope === 'core' ? 'den Kern' : 'die ganze Frage'),
    against.length ? el('p', { class: 'soft' }, 'Vorrang hatten: ', against.slice(0, 5).map(([id, n], at) => [at ? ', ' : '', said(id), ` (${n})`])) : null,
    el('button', { type: 'button', onclick: () => take(rule), 'aria-label': `Muster von ${rule.id} probieren` }, 'Muster probieren'));
}

/** Puts the pattern of a rule into the form. */
function take(rule) {
  form.pattern.value = rule.pattern;
  form.unless.value = rule.unless ?? '';
  form.scope.value = rule.scope;
  form.scrollIntoView({ block: 'center' });
  form.requestSubmit();
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  const { pattern, unless, scope } = Object.fromEntries(new FormData(form));
  fill(tried, progress('Das Muster wird probiert', { total: 0 }));
  try {
    const { body } = await api('/v1/rules/try', { method: 'POST', body: { pattern, unless: unless || null, scope } });
    const list = el('ul', { class: 'rows' });
    const more = inPieces(list, body.matches, match, 25);
    fill(tried, el('p', { class: 'note', id: 'trifft' }, `Trifft ${number(body.matched)} von ${number(body.questions)} Fragen${body.vetoed ? `; ${number(body.vetoed)} weitere hält „aber nicht“ ab` : ''}.`,
      body.matches.length < body.matched ? ` Gezeigt sind die ersten ${number(body.matches.length)}.` : ''), list, more);
    announce($('#trifft').textContent);
  } catch (error) {
    // Why a pattern is none is said in English only.
    const [, field, reason] = /`(pattern|unless)`: (.*)$/s.exec(error.detail ?? '') ?? [];
    if (!reason) return failed(tried, error);
    fill(tried, el('p', { class: 'note problem', role: 'alert' }, field === 'pattern' ? 'Das Muster gilt nicht. ' : 'Das Muster für „Aber nicht, wenn“ gilt nicht. ', 'Meldung: ', quoted(reason)));
  }
});

function match({ question, read, matched, expected, decided, rule }) {
  const at = read.indexOf(matched);
  const marked = matched && at >= 0 ? [read.slice(0, at), el('mark', null, matched), read.slice(at + matched.length)] : read;
  const wrong = expected && decided && expected !== decided;
  return el('li', null, el('div', { class: 'row-head' }, el('a', { href: searchFor(question) }, said(question))),
    el('p', null, el('bdi', null, marked)),
    el('p', { class: wrong ? 'WARN' : 'soft' }, 'Erwartet: ', said(expected ?? 'nicht gesagt'), ' · jetzt: ', said(decided ? `${decided} durch ${rule}` : 'keine Regel')));
}

load();
