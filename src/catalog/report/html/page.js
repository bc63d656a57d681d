const filters = document.querySelector('form');
const rows = Array.from(document.querySelectorAll('#fragen tbody tr'));
const texts = rows.map(row => row.textContent.toLowerCase());
function filter() {
  const { wort, urteil, befund, stufe, gruppe } = Object.fromEntries(new FormData(filters));
  const word = wort.trim().toLowerCase();
  let shown = 0;
  rows.forEach((row, at) => {
    const { verdict, codes, tier, group } = row.dataset;
    const fits = (!urteil || verdict === urteil) && (!befund || codes.split(' ').includes(befund))
      && (!stufe || tier === stufe) && (!gruppe || group === gruppe) && texts[at].includes(word);
    row.hidden = !fits;
    shown += fits;
  });
  filters.querySelector('output').textContent = `${shown} von ${rows.length} Fragen`;
}
filters.addEventListener('input', filter);
filters.addEventListener('submit', event => event.preventDefault());
filter();
