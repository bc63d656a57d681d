import { $, announce, api, day, el, failed, fill, group, said } from './gemeinsam.js';

const place = $('#abschnitt');

/** One section, as a citation leads to it: this page and what it shows have the same address. */
async function load() {
  try {
    const { body } = await api(location.pathname);
    document.title = `${body.title} · Wegweiser`;
    const path = body.path.join(' › ');
    const about = [path, body.group && group(body.group) !== path && group(body.group), body.updated && `Stand ${day(body.updated)}`];
    fill(place,
      el('h1', null, said(body.title)),
      el('p', { class: 'soft' }, said(about.filter(Boolean).join(' · '))),
      body.text.split(/\n{2,}/).map(paragraph => el('p', { class: 'reading' }, said(paragraph))));
    announce(body.title);
  } catch (error) {
    failed(place, error);
  }
}

load();
