import { $, announce, api, el, failed, fill, number, Problem, progress, said, wait } from './gemeinsam.js';
import { problem } from './hinweise.js';

const place = $('#zustand');
const told = $('#geladen');
const reload = $('#neu-laden');

async function load() {
  try {
    let ready = (await api('/readyz')).body;
    while (ready.status !== 'ready') {
      fill(place, ready.status === 'building'
        ? el('p', { class: 'going-on', role: 'status' }, el('progress', { max: ready.total, value: ready.done, 'aria-label': 'Index' }), `Der Index wird gebaut: ${number(ready.done)} von ${number(ready.total)} Passagen`)
        : progress('Der Dienst startet', { total: 0 }));
      await wait(1000);
      ready = (await api('/readyz')).body;
    }
    const { body } = await api('/v1/status');
    reload.hidden = false;
    fill(place, problems(body), el('div', { class: 'boxes' }, served(body), model(body), llm(body.llm)));
    announce(body.problems.length ? `${number(body.problems.length)} Probleme in den Dateien.` : body.reload ? 'Probleme in den Dateien.' : 'Alles in Ordnung.');
  } catch (error) {
    failed(place, error);
  }
}

function problems({ problems: list, reload }) {
  if (reload && !list.length) return el('div', { class: 'verdict FAIL' }, el('p', null, el('strong', null, 'Die Dateien haben Probleme. '),
    'Bis sie behoben sind, antwortet der Stand, der zuletzt in Ordnung war. Was zu beheben ist, nennen das Protokoll und ein Schlüssel für alle Zielgruppen.'));
  if (!list.length) return el('div', { class: 'verdict PASS' }, el('p', null, el('strong', null, 'Alles in Ordnung. '), 'Was in den Dateien steht, antwortet.'));
  return el('section', { class: 'verdict FAIL' },
    el('h2', null, list.length === 1 ? 'Ein Problem in den Dateien' : `${number(list.length)} Probleme in den Dateien`),
    el('p', null, `${list.length === 1 ? 'Bis es behoben ist' : 'Bis sie behoben sind'}, antwortet der Stand, der zuletzt in Ordnung war.`),
    el('ul', { class: 'plain problems' }, list.map(problem)));
}

const list = entries => el('dl', null, entries.map(([name, value]) => [el('dt', null, name), el('dd', null, value)]));

function served(body) {
  return el('section', { class: 'box' }, el('h2', null, 'Dienst'), list([
    ['Version', body.version], ['Läuft seit', duration(body.uptime_seconds)], ['Abschnitte', number(body.sections)],
    ['Gruppen', number(body.groups)], ['Absichten', number(body.intents)], ['Regeln', el('a', { href: '/regeln' }, number(body.rules))],
    ['Fragen im Katalog', el('a', { href: '/katalog' }, number(body.questions))], ['In Arbeit', `${number(body.running)} (${number(body.waiting)} warten)`],
  ]));
}

function model({ model }) {
  return el('section', { class: 'box' }, el('h2', null, 'Modell für Bedeutungen'), list([
    ['Name', said(model.name)], ['Zahlen je Vektor', number(model.dimension)], ['Prüfsumme', el('code', null, said(model.digest.slice(0, 16)))],
  ]));
}

function llm(llm) {
  return el('section', { class: 'box' }, el('h2', null, 'llama3 über Ollama'), llm ? list([
    ['Modell', said(llm.name)],
    ['Bereit', llm.ready ? el('span', { class: 'PASS' }, 'ja') : el('span', { class: 'WARN' }, 'nein: Fragen ohne Regel entscheidet der Klassifikator')],
    ['Gefragt', number(llm.asked)], ['Entschieden', number(llm.decided)], ['Zu spät', number(llm.late)], ['Sonst gescheitert', number(llm.failed)],
  ]) : el('p', null, 'Nicht eingerichtet. Fragen, für die es keine Regel gibt, entscheidet der Klassifikator in diesem Dienst.'));
}

function duration(seconds) {
  const units = [[86_400, 'Tag', 'Tagen'], [3600, 'Stunde', 'Stunden'], [60, 'Minute', 'Minuten'], [1, 'Sekunde', 'Sekunden']];
  const [size, one, many] = units.find(([size]) => seconds >= size) ?? units[3];
  const count = Math.floor(seconds / size);
  return `${number(count)} ${count === 1 ? one : many}`;
}

reload.addEventListener('click', async () => {
  reload.disabled = true;
  fill(told, progress('Die Dateien werden gelesen', { total: 0 }));
  try {
    const { body } = await api('/v1/reload', { method: 'POST' });
    fill(told, el('p', { class: 'note' }, `Gelesen: ${number(body.sections)} Abschnitte antworten.`));
  } catch (error) {
    // What is wrong is listed below.
    if (error instanceof Problem && error.code === 'files_invalid') fill(told);
    else failed(told, error);
  }
  reload.disabled = false;
  load();
});

load();
