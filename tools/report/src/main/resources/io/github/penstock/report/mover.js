for (const mover of document.querySelectorAll('.mover')) {
  const chart = mover.parentElement.querySelector('svg');
  const line = chart.querySelector('.threshold');
  const range = mover.querySelector('input');
  const places = JSON.parse(mover.dataset.places);
  const show = (place) => {
    range.value = place;
    range.setAttribute('aria-valuetext', places[place][1]);
    line.setAttribute('transform', `translate(0 ${places[place][0]})`);
    mover.querySelector('output').textContent = places[place][1];
  };
  const point = (event) => {
    const box = chart.getBoundingClientRect();
    const y = (event.clientY - box.top) * chart.viewBox.baseVal.height / box.height;
    const distance = (place) => Math.abs(places[place][0] - y);
    show([...places.keys()].reduce((best, place) => distance(place) < distance(best) ? place : best));
  };
  range.addEventListener('input', () => show(range.value));
  chart.addEventListener('pointerdown', point);
  chart.addEventListener('pointermove', (event) => event.buttons === 1 && point(event));
  mover.querySelector('label').hidden = false;
}
