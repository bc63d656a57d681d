// The compendium as a drawing: a mark a section, its colour and shape the group.
import { el, group, said, svg } from './gemeinsam.js';

/** Shapes of the groups around 0: colour alone would not do for everybody. What is beyond the last shares it. */
const SHAPES = [
  ['circle', { r: 8 }], ['rect', { x: -7, y: -7, width: 14, height: 14 }], ['path', { d: 'M0-9 9 7H-9Z' }], ['path', { d: 'M0-10 10 0 0 10-10 0Z' }],
  ['path', { d: 'M0 9 9-7H-9Z' }], ['path', { d: 'M-3-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z' }], ['path', { d: 'M-9-4 0-10 9-4 6 8H-6Z' }], ['circle', { r: 4 }],
];
const OTHER = SHAPES.length - 1;
const RINGS = { error: ['FAIL', 16, 2], warning: ['WARN', 16, 1], hint: ['HINT', 13, 0] };

/** A figure, and a way to let only some sections stand out. `open` hears the id of a chosen section. */
export function map(points, codes, groups, open) {
  const shape = id => { const at = groups.indexOf(id); return at < 0 || at > OTHER ? OTHER : at; };
  const draw = at => svg(SHAPES[at][0], { ...SHAPES[at][1], class: `c${at}` });
  // What has findings is drawn last, above the rest, the worst on top.
  const order = point => (point.severity ? RINGS[point.severity][2] : -1);
  const marks = [...points].sort((a, b) => order(a) - order(b)).map(point => {
    const words = [point.title, group(point.group), ...(point.codes ?? []).map(code => codes[code] ?? code)].join(' · ');
    const ring = point.severity ? svg('circle', { class: `ring ${RINGS[point.severity][0]}`, r: RINGS[point.severity][1] }) : null;
    const chosen = () => open(point.id);
    return svg('g', {
      class: 'mark', 'data-id': point.id, role: 'button', 'aria-label': words, transform: `translate(${point.x.toFixed(1)} ${point.y.toFixed(1)})`,
      // Only what has findings can be reached with the keyboard: there is something to do there.
      tabindex: point.severity ? 0 : -1, onclick: chosen,
      onkeydown: event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); chosen(); } },
    }, svg('title', null, words), ring, draw(shape(point.group)));
  });
  const entry = (at, name) => el('li', null, svg('svg', { viewBox: '-11 -11 22 22', 'aria-hidden': 'true' }, draw(at)), said(name));
  const legend = groups.slice(0, OTHER).map((id, at) => entry(at, group(id)));
  if (groups.length > OTHER) legend.push(entry(OTHER, 'weitere Gruppen'));
  else if (points.some(point => !point.group)) legend.push(entry(OTHER, 'ohne Gruppe'));
  const figure = el('figure', { class: 'map' },
    el('figcaption', null, 'Jedes Zeichen ist ein Abschnitt; was sich ähnelt, liegt beieinander. Abstände zwischen Haufen sagen wenig. Ein Ring zeigt einen Befund; Anklicken öffnet das Blatt.'),
    el('ul', { class: 'legend' }, legend),
    svg('svg', { viewBox: '0 0 1000 1000', role: 'group', 'aria-label': 'Karte der Abschnitte' }, marks));
  return {
    figure,
    choose: ids => marks.forEach(mark => mark.classList.toggle('faint', ids !== null && !ids.has(mark.dataset.id))),
  };
}
