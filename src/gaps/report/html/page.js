const form = document.querySelector('form');
const rows = Array.from(document.querySelectorAll('#luecken tbody tr'));
const marks = Array.from(document.querySelectorAll('.mark'));
const texts = rows.map(row => row.textContent.toLowerCase());
const lines = text => text ? text.split('\n') : [];
let chosen = null;
function filter() {
  if (!form) return;
  const { wort, schwere, befund, gruppe } = Object.fromEntries(new FormData(form));
  const word = wort.trim().toLowerCase();
  const ids = new Set();
  let shown = 0;
  rows.forEach((row, at) => {
    const { severity, code, groups } = row.dataset;
    const own = lines(row.dataset.ids);
    const fits = (!schwere || severity === schwere) && (!befund || code === befund)
      && (!gruppe || lines(groups).includes(gruppe)) && texts[at].includes(word)
      && (!chosen || own.includes(chosen));
    row.hidden = !fits;
    if (fits) { shown += 1; own.forEach(id => ids.add(id)); }
  });
  const all = !word && !schwere && !befund && !gruppe && !chosen;
  marks.forEach(mark => {
    mark.classList.toggle('faint', !all && !ids.has(mark.dataset.id));
    mark.classList.toggle('chosen', mark.dataset.id === chosen);
  });
  form.querySelector('output').textContent = `${shown} von ${rows.length} Befunden`;
}
function choose(mark) {
  if (mark.getAttribute('role') !== 'button') return;
  chosen = chosen === mark.dataset.id ? null : mark.dataset.id;
  filter();
  const first = chosen && rows.find(row => !row.hidden);
  if (first) first.scrollIntoView({ block: 'center' });
}
marks.forEach(mark => {
  mark.addEventListener('click', () => choose(mark));
  mark.addEventListener('keydown', event => {
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(mark); }
    if (event.key === 'Escape' && chosen) choose(mark);
  });
});
if (form) {
  form.addEventListener('input', filter);
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('reset', () => { chosen = null; setTimeout(filter); });
}
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(box => { box.open = true; }));
filter();
