// What all pages share. Texts of the service become text nodes and attributes, never markup: there is
// nothing to be escaped, and nothing that could be forgotten.

const KEY = 'wegweiser-key';
const SVG = 'http://www.w3.org/2000/svg';

/** An element. Attributes that are false or null are left out; `on…` are listeners. */
export function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** A text that somebody wrote: its direction of writing must not turn what stands beside it. */
export const said = text => el('bdi', null, String(text));

/** Replaces what is in an element. */
export function fill(place, ...children) {
  place.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
}

export const $ = (selector, within = document) => within.querySelector(selector);

/** A number as German readers write it. */
export const number = (value, places = 2) =>
  new Intl.NumberFormat('de', { maximumFractionDigits: places }).format(value);
export const percent = share => `${number(share * 100, 1)}\u00a0%`;
/** A figure that others stand beneath: always as many places. */
export const figure = (value, places) =>
  new Intl.NumberFormat('de', { minimumFractionDigits: places, maximumFractionDigits: places }).format(value);
/** A group without its underscores. */
export const group = id => (id ? id.replaceAll('_', ' ') : 'ohne Gruppe');
/** A day; what is none is shown as it stands. */
export const day = text => {
  const date = new Date(text);
  return Number.isNaN(date.valueOf()) ? text : new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
};
/** A moment in the reader's own time. */
export const moment = text =>
  new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));

/** An excerpt: everything but <mark> is escaped in it. */
export function snippet(text) {
  return text.split(/<mark>(.*?)<\/mark>/s).map((part, at) => {
    const plain = unescaped(part);
    return at % 2 ? el('mark', null, plain) : plain;
  });
}

function unescaped(text) {
  const names = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#39;': "'", '&#x27;': "'" };
  return text.replace(/&(?:lt|gt|amp|quot|#39|#x27);/g, name => names[name]);
}

/** What the API answered instead of an answer. */
export class Problem extends Error {
  constructor(body) {
    super(body.detail_de ?? 'Der Dienst hat unverständlich geantwortet.');
    this.code = body.code;
    this.detail = body.detail;
    this.status = body.status;
  }
}

/** Asks the API; asks the reader for a key where one is needed. Gives status and body. */
export async function api(path, { method = 'GET', body, signal } = {}) {
  for (;;) {
    const key = sessionStorage.getItem(KEY);
    const headers = { accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (key) headers.authorization = `Bearer ${key}`;
    let response;
    try {
      response = await fetch(path, {
        method, headers, signal, credentials: 'omit',
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new Problem({ detail_de: 'Der Dienst ist nicht erreichbar.' });
    }
    const text = await response.text();
    let read;
    try { read = JSON.parse(text); } catch { read = {}; }
    if (response.status === 401) {
      if (key && sessionStorage.getItem(KEY) === key) sessionStorage.removeItem(KEY);
      await askForKey(key ? read.detail_de : '');
      continue;
    }
    if (!response.ok && !(response.status === 503 && read.status && !read.code)) throw new Problem(read);
    return { status: response.status, body: read };
  }
}

let asking = null;
/** Asks once, however many requests wait for it. */
function askForKey(reason) {
  asking ??= new Promise((given, refused) => {
    const dialog = $('#schluessel');
    const input = $('input', dialog);
    $('#schluessel-grund').textContent = reason ?? '';
    dialog.returnValue = '';
    dialog.addEventListener('close', () => {
      asking = null;
      const key = input.value.trim();
      input.value = '';
      if (dialog.returnValue !== 'ok' || !key) {
        refused(new Problem({ detail_de: 'Ohne Schlüssel gibt es hier nichts zu sehen. Laden Sie die Seite neu, um einen einzugeben.', code: 'key_missing' }));
        return;
      }
      // A header holds only what a key may consist of.
      sessionStorage.setItem(KEY, key.replace(/[^\x21-\x7e]/g, ''));
      showForget();
      given();
    }, { once: true });
    dialog.showModal();
    input.focus();
  });
  return asking;
}

function showForget() {
  $('#vergessen').hidden = !sessionStorage.getItem(KEY);
}
$('#vergessen').addEventListener('click', () => {
  sessionStorage.removeItem(KEY);
  location.reload();
});
showForget();

/** Shows why something did not work; in words, where it would have been. */
export function failed(place, error) {
  if (error.name === 'AbortError') return;
  if (!(error instanceof Problem)) console.error(error);
  const message = error instanceof Problem ? error.message : 'Auf dieser Seite ist ein Fehler passiert.';
  fill(place, el('p', { class: 'note problem', role: 'alert' }, said(message)));
}

/** Says to a screen reader what has come; whoever sees, sees it. A live region around long results
 * would read all of them aloud. */
export function announce(words) {
  $('#ansage').textContent = words;
}

/** A bar with words; `done` and `total` may be 0, and `waiting` where other work is before it. */
export function progress(words, { done, total, waiting }) {
  if (waiting) words = 'Das wartet noch, bis andere Arbeit getan ist (ein Lauf des Katalogs oder ein Bericht)';
  const bar = total ? el('progress', { max: total, value: done, 'aria-label': words }) : el('progress', { 'aria-label': words });
  return el('p', { class: 'going-on', role: 'status' }, bar, el('span', null, total ? `${words}: ${number(done)} von ${number(total)} Fragen` : `${words} …`));
}

/** Figures with names. */
export const tiles = entries => el('ul', { class: 'tiles' },
  entries.map(([value, name, kind]) => el('li', null, el('b', { class: kind ?? null }, value), el('span', null, name))));

/** A choice; the first, „alle“, is empty. */
export function choice(name, label, options, chosen = '') {
  return el('label', null, label, el('select', { name },
    [['', 'alle'], ...options].map(([value, shown]) => el('option', { value, selected: value === chosen }, shown))));
}

/** A long list, shown in pieces. */
export function inPieces(place, items, draw, piece = 100) {
  let shown = 0;
  const more = el('button', { type: 'button', onclick: next });
  function next() {
    const first = shown;
    const drawn = items.slice(shown, shown + piece).map((item, at) => draw(item, shown + at));
    shown += drawn.length;
    place.append(...drawn);
    const left = items.length - shown;
    more.textContent = `${number(Math.min(left, piece))} weitere von ${number(left)} zeigen`;
    more.hidden = left === 0;
    // Who opened more with the keyboard goes on there.
    if (first && drawn[0]) { drawn[0].tabIndex = -1; drawn[0].focus(); }
  }
  place.replaceChildren();
  next();
  return more;
}

/** Waits, for asking again. */
export const wait = ms => new Promise(done => setTimeout(done, ms));

/** Address of the search page for a question. */
export const searchFor = question => `/?${new URLSearchParams({ frage: question })}`;
