import { $, announce, api, el, failed, figure, fill, group, number, percent, said, snippet } from './gemeinsam.js';
import { note } from './hinweise.js';
import { prepare } from './warum.js';

const place = $('#antwort');
const form = $('#frage');
let running = null;

const SOURCES = {
  rule: 'eine Regel',
  llm: 'llama3',
  classifier: 'der Klassifikator',
  default: 'niemand: keine Regel traf, und kein anderer war sicher',
};
const REASONS = { word: 'Wort', phrase: 'Wendung', bias: 'Absicht', negated: 'verneint' };

async function ask(question) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  place.setAttribute('aria-busy', 'true');
  try {
    const { body } = await api('/v1/explain', { method: 'POST', body: { question }, signal });
    fill(place, verdict(body), routing(body), hits(body));
    prepare(body);
    announce(`${$('.verdict p', place).textContent} ${number(body.hits.length)} Treffer.`);
  } catch (error) {
    failed(place, error);
    $('#warum').hidden = true;
  } finally {
    if (!signal.aborted) place.setAttribute('aria-busy', 'false');
  }
}

/** Whether there is an answer, in words. */
function verdict({ answerable, confidence, degraded, warnings, similar_identifiers: similar }) {
  const share = confidence === undefined ? '' : ` (${percent(confidence)})`;
  let words = 'Ob das eine Antwort ist, lässt sich mit einem Suchkanal allein nicht sagen.';
  let kind = 'WARN';
  if (answerable === true) {
    kind = confidence >= 0.6 ? 'PASS' : 'WARN';
    const sure = confidence >= 0.85 ? 'sehr wahrscheinlich' : confidence >= 0.6 ? 'wahrscheinlich' : 'vielleicht';
    words = `Das Kompendium beantwortet die Frage, und ${sure} steht die Antwort im ersten Treffer${share}.`;
  } else if (answerable === false) {
    kind = 'FAIL';
    words = `Das Kompendium beantwortet diese Frage wohl nicht${share}. Darunter steht nur, was ihr am nächsten kommt.`;
  }
  const names = { vector: 'die Bedeutungssuche', lexical: 'die Wortsuche', llm: 'llama3' };
  return el('div', { class: `verdict ${kind}` },
    el('p', null, el('strong', null, answerable === false ? 'Keine Antwort. ' : answerable ? 'Beantwortbar. ' : ''), words),
    degraded?.length ? el('p', { class: 'WARN' }, `Ohne ${degraded.map(name => names[name] ?? name).join(' und ')} beantwortet.`) : null,
    warnings?.length ? el('p', null, 'Nicht berücksichtigt: ', said(warnings.map(warning => warning.value).join(', '))) : null,
    similar?.length ? el('p', null, 'Ähnliche Bezeichnungen im Kompendium: ', said(similar.join(', '))) : null);
}

/** How and where was searched, and who decided it. */
function routing({ intent, groups, prefix, trace }) {
  const won = trace.rules.find(rule => rule.outcome === 'won');
  const others = trace.rules.filter(rule => rule.outcome !== 'won');
  const intentBox = el('section', { class: 'box' }, el('h2', null, 'Absicht'),
    el('p', { class: 'big' }, el('code', null, said(intent.id)), intent.also?.length ? [' und ', el('code', null, said(intent.also.join(', ')))] : null),
    el('p', null, 'Entschieden hat ', SOURCES[intent.source] ?? intent.source,
      won ? [' ', el('a', { href: `/regeln?regel=${encodeURIComponent(won.id)}` }, said(won.id))] : ` (${percent(intent.confidence)} sicher)`, '.'),
    won ? el('p', null, 'Sie traf „', said(won.matched), '“ und steht in ', el('code', null, said(won.place)), '.') : null,
    trace.classifier?.length ? el('ul', { class: 'plain' }, trace.classifier.slice(0, 3).map(guess => el('li', null, said(guess.id), ` ${percent(guess.confidence)}`))) : null,
    others.length ? el('details', null, el('summary', null, `${others.length} ${others.length === 1 ? 'weitere Regel' : 'weitere Regeln'}`),
      el('ul', { class: 'plain' }, others.map(rule => el('li', null, said(rule.id), rule.outcome === 'lost' ? ' unterlag' : ' wurde durch ihr „unless“ abgehalten', el('small', null, said(rule.place)))))) : null,
    read(trace));
  const paid = trace.groups.filter(entry => entry.paid.length);
  const best = new Set(groups.map(entry => entry.id));
  const groupBox = el('section', { class: 'box' }, el('h2', null, 'Gruppen'),
    paid.length ? el('ol', { class: 'groups' }, paid.map(entry => el('li', { class: best.has(entry.id) ? 'chosen' : null },
      el('b', null, said(group(entry.id))), ` ${number(entry.score, 1)}`,
      el('ul', { class: 'paid' }, entry.paid.map(payment => el('li', { class: payment.reason },
        said(payment.what), el('small', null, `${REASONS[payment.reason] ?? payment.reason} ${payment.amount > 0 ? '+' : ''}${number(payment.amount, 1)}`)))))))
      : el('p', null, 'Kein Wort der Frage spricht für eine Gruppe; gesucht wurde überall.'),
    el('p', { class: 'soft' }, prefix ? ['Präfix: ', el('code', null, said(prefix))] : 'Ohne Präfix.'));
  const parts = [...(trace.parts ?? []), ...(trace.items ?? [])];
  return [el('div', { class: 'boxes' }, intentBox, groupBox),
    parts.length ? el('section', { class: 'box' }, el('h2', null, 'Teile der Frage'),
      el('ul', { class: 'plain' }, parts.map(part => el('li', null, said(part.question), el('small', null, said([part.intent?.id, ...part.groups.map(group)].filter(Boolean).join(' · '))))))) : null,
    trace.notes?.length ? el('p', { class: 'soft' }, trace.notes.map(note)) : null];
}

/** What the rules read; a long question is not repeated unasked. */
function read({ core, profile }) {
  const words = ['Die Regeln lasen: „', said(core), '“. Profil: ', said(profile), '.'];
  return core.length <= 200 ? el('p', { class: 'soft' }, words)
    : el('details', null, el('summary', null, `Was die Regeln lasen (${number(core.length)} Zeichen)`), el('p', { class: 'soft' }, words));
}

function hits({ hits, trace }) {
  if (!hits.length) return el('p', { class: 'note' }, 'Kein Treffer.');
  return el('section', null, el('h2', null, `${hits.length} Treffer`),
    trace.fusion ? el('p', { class: 'soft' }, `Gewicht der Kanäle: Bedeutung ${percent(trace.fusion.vector)}, Wörter ${percent(trace.fusion.lexical)}.`) : null,
    el('ol', { class: 'hits' }, hits.map(hit)));
}

function hit(hit) {
  const { vector, lexical } = hit.channels;
  return el('li', { class: 'hit' },
    el('h3', null, el('span', { class: 'rank', 'aria-label': `Rang ${hit.rank}` }, hit.rank), ' ', said(hit.title)),
    el('p', { class: 'where' }, hit.path.length ? [said(hit.path.join(' › ')), ' · '] : null, hit.path.at(-1) === group(hit.group) ? null : [said(group(hit.group)), ' · '], el('code', null, said(hit.id)),
      hit.found_for ? [' · für ', said(hit.found_for)] : null),
    el('p', { class: 'snippet' }, el('bdi', null, snippet(hit.snippet))),
    el('table', { class: 'channels' },
      el('caption', { class: 'hidden' }, 'Was die Kanäle sagen'),
      el('thead', null, el('tr', null, el('th', { scope: 'col' }, 'Gesamt'), el('th', { scope: 'col' }, 'Bedeutung'), el('th', { scope: 'col' }, 'Wörter'))),
      el('tbody', null, el('tr', null, el('td', null, figure(hit.score, 3)), el('td', null, channel(vector, 3)), el('td', null, channel(lexical, 2))))),
    terms(hit.explanation?.terms),
    hit.neighbours?.length ? el('p', { class: 'soft' }, 'Daneben: ', said(hit.neighbours.map(near => near.title).join(' · '))) : null);
}

const channel = (found, places) => (found ? `Rang ${found.rank} · ${figure(found.score, places)}` : 'nicht gefunden');

/** The words that paid in the keyword search. */
export function terms(list) {
  if (!list?.length) return null;
  const sums = new Map();
  for (const { term, score } of list) sums.set(term, (sums.get(term) ?? 0) + score);
  // What is shown as 0 did not count.
  const best = [...sums].filter(([, score]) => score >= 0.05).sort((a, b) => b[1] - a[1]).slice(0, 8);
  if (!best.length) return null;
  return el('p', { class: 'soft terms' }, 'Wörter, die zählten: ', best.map(([term, score], at) => [at ? ', ' : '', said(term), ` ${number(score, 1)}`]));
}

form.addEventListener('submit', event => {
  event.preventDefault();
  const question = form.frage.value.trim();
  if (!question) return;
  const address = new URL(location.href);
  address.searchParams.set('frage', question);
  history.pushState(null, '', address);
  ask(question);
});

function fromAddress() {
  const question = new URL(location.href).searchParams.get('frage') ?? '';
  form.frage.value = question;
  if (question.trim()) ask(question);
  else { fill(place); $('#warum').hidden = true; }
}
addEventListener('popstate', fromAddress);
fromAddress();
if (!form.frage.value) form.frage.focus();
