// „Warum nicht …?“: why a section that somebody expected is not the first hit.
import { $, api, el, failed, figure, fill, group, number, Problem, progress, said } from './gemeinsam.js';

const box = $('#warum');
const place = $('#warum-antwort');
const form = $('#warum-frage');
/** Hits beyond this are not looked at. */
const DEEPEST = 100;
let asked = null;

/** After an answer: the question that is asked about, and sections to choose from. */
export function prepare(answer) {
  asked = answer;
  box.hidden = false;
  fill(place);
  form.abschnitt.value = '';
  fill($('#warum-liste'), answer.hits.slice(1).map(hit => el('option', { value: hit.id }, hit.title)));
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  const id = form.abschnitt.value.trim();
  if (!id || !asked) return;
  try {
    const answer = asked;
    const seen = await found(answer.question, id);
    const more = el('div', { 'aria-live': 'polite' });
    fill(place, explained(answer, seen), more);
    if (seen.first?.id !== seen.section.id) await tried(answer.question, seen.section.id, more);
  } catch (error) {
    failed(place, error);
  }
});

/** Stage by stage, and which small change would make it the first hit; where the key may know. */
async function tried(question, section, more) {
  fill(more, progress('Kleine Änderungen werden ausprobiert', { total: 0 }));
  try {
    const { body } = await api('/v1/explain', { method: 'POST', body: { question, section } });
    const { stages, against, changes, tried } = body.why_not;
    fill(more, el('h3', null, 'Stufe für Stufe'),
      el('ol', { class: 'reasons' }, stages.map(entry => el('li', { class: entry.stage === against ? 'FAIL' : null }, said(entry.german)))),
      el('h3', null, 'Was ihn nach vorn brächte'),
      changes.length ? el('ul', { class: 'reasons' }, changes.map(change => el('li', null, said(change.german))))
        : el('p', null, tried ? `Keine von ${number(tried)} kleinen Änderungen, die ausprobiert wurden.` : 'Ausprobiert wurde nichts.'));
  } catch (error) {
    // A reader's key may not know what stands in the files; what is above is for everybody.
    if (error instanceof Problem && error.code === 'role_too_low') fill(more);
    else failed(more, error);
  }
}

/** The section, its hit among many, and its hit where only its document is searched. */
async function found(question, id) {
  const { body: section } = await api(`/v1/sections/${encodeURIComponent(id)}`);
  const { body: deep } = await api('/v1/explain', { method: 'POST', body: { question, k: DEEPEST } });
  const first = deep.hits[0];
  let hit = deep.hits.find(hit => hit.id === section.id);
  if (hit) return { section, first, hit, deep };
  const filters = { document: section.id.split('#')[0] };
  const { body: within } = await api('/v1/explain', { method: 'POST', body: { question, k: DEEPEST, filters } });
  hit = within.hits.find(hit => hit.id === section.id);
  return { section, first, hit, deep, within: true };
}

function explained(answer, { section, first, hit, deep, within }) {
  if (first && first.id === section.id) {
    return el('p', { class: 'note PASS' }, 'Dieser Abschnitt ist der erste Treffer.');
  }
  const chosen = answer.groups.map(entry => entry.id);
  const reasons = [];
  reasons.push(hit && !within
    ? `Er steht auf Rang ${hit.rank}.`
    : `Er ist nicht unter den ersten ${Math.min(DEEPEST, deep.hits.length)} Treffern.`);
  if (chosen.length && section.group && !chosen.includes(section.group)) {
    reasons.push(['Die Frage wurde ', said(chosen.map(group).join(' und ')), ' zugeordnet, der Abschnitt gehört zu ', said(group(section.group)),
      '. Wörter, die für seine Gruppe zahlen, stehen in rules/groups.yaml.']);
  }
  if (!hit) {
    reasons.push('Auch in seinem eigenen Dokument findet ihn kein Kanal: Kein Wort der Frage steht darin, und die Bedeutung liegt fern.');
  } else {
    const { vector, lexical } = hit.channels;
    const best = first?.channels ?? {};
    if (!lexical) reasons.push('Die Wortsuche findet ihn nicht: Keines der Wörter der Frage steht in ihm. Im Text oder als Synonym (rules/synonyms.yaml) würden sie helfen.');
    else if (best.lexical && lexical.score < best.lexical.score) reasons.push('Er enthält weniger oder weniger seltene Wörter der Frage als der erste Treffer.');
    if (!vector) reasons.push('Die Bedeutungssuche findet ihn nicht.');
    else if (best.vector && vector.score < best.vector.score) reasons.push('Seine Bedeutung liegt der Frage ferner als die des ersten Treffers.');
  }
  return [
    el('p', null, el('b', null, said(section.title)), ' · ', said(group(section.group)), section.place ? [' · ', el('code', null, said(section.place))] : null),
    el('ul', { class: 'reasons' }, reasons.map(reason => el('li', null, reason))),
    first && hit ? compared(first, hit, within) : null,
  ];
}

function compared(first, hit, within) {
  const row = (name, of) => el('tr', null, el('th', { scope: 'row' }, name), el('td', null, of(first)), el('td', null, of(hit)));
  const channel = (found, places) => (found ? figure(found.score, places) : '–');
  const words = found => {
    const sums = new Map();
    for (const { term, score } of found.explanation?.terms ?? []) sums.set(term, (sums.get(term) ?? 0) + score);
    const best = [...sums].filter(([, score]) => score >= 0.05).sort((a, b) => b[1] - a[1]).slice(0, 8);
    return best.length ? said(best.map(([term, score]) => `${term} ${number(score, 1)}`).join(', ')) : '–';
  };
  return el('div', { class: 'wide' }, el('table', { class: 'compared' },
    el('thead', null, el('tr', null, el('td', null), el('th', { scope: 'col' }, 'Erster Treffer: ', said(first.title)), el('th', { scope: 'col' }, 'Erwartet: ', said(hit.title)))),
    el('tbody', null,
      within ? null : row('Gesamt', found => figure(found.score, 3)),
      row('Bedeutung (Kosinus)', found => channel(found.channels.vector, 3)),
      row('Wörter (BM25)', found => channel(found.channels.lexical, 2)),
      row('Wörter, die zählten', words),
      row('Gruppe', found => said(group(found.group))))));
}
