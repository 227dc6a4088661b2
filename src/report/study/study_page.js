// Samples of a study: a scatter plot of any two columns and a histogram of each; ranges are dragged in them, and what is
// within all ranges is counted and listed. Everything is in the page; it loads nothing.
(() => {
  const data = JSON.parse(document.getElementById('samples').textContent), { columns, first, points } = data;
  const MARGIN = { left: 62, right: 10, top: 10, bottom: 34 }, BARS = 24, LISTED = 12;
  const home = document.getElementById('explore'), ranges = columns.map(() => null); // of a column: [low, high]
  const shown = (x) => (x === null || !Number.isFinite(x) ? '-' : String(Number(x.toPrecision(5))));
  const make = (tag, attributes, ...children) => {
    const one = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) typeof value === 'function' ? one.addEventListener(name, value) : one.setAttribute(name, value);
    one.append(...children);
    return one;
  };
  const ends = columns.map(({ values }) => {
    let low = Infinity, high = -Infinity;
    for (const x of values) if (x !== null) { low = Math.min(low, x); high = Math.max(high, x); }
    if (!(low <= high)) [low, high] = [0, 1];
    const pad = high > low ? 0 : 0.5 * Math.abs(low) || 1;
    return [low - pad, high + pad];
  });
  const count = columns[0].values.length, axes = { x: 0, y: Math.min(first, columns.length - 1) };
  const within = (k, range, c) => !range || (columns[c].values[k] !== null && columns[c].values[k] >= range[0] && columns[c].values[k] <= range[1]);
  const chosen = () => Array.from({ length: count }, (_, k) => k).filter((k) => ranges.every((range, c) => within(k, range, c)));
  const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let picked = null, selection = new Set();

  const tip = make('div', { class: 'tip', role: 'status' }), listed = make('div', { class: 'scroll' }), told = make('p', { role: 'status' });
  const canvas = make('canvas', { class: 'scatter', role: 'img', tabindex: 0, 'aria-label': 'samples; arrow keys go from sample to sample' });
  const place = (c, x, length, from, to) => from + (to - from) * (x - ends[c][0]) / (ends[c][1] - ends[c][0]);
  const spot = (k) => {
    const { clientWidth: width, clientHeight: height } = canvas, [x, y] = [columns[axes.x].values[k], columns[axes.y].values[k]];
    return x === null || y === null ? null : [place(axes.x, x, width, MARGIN.left, width - MARGIN.right), place(axes.y, y, height, height - MARGIN.bottom, MARGIN.top)];
  };
  const sharp = (one) => {
    const scale = Math.min(devicePixelRatio, 2), context = one.getContext('2d');
    [one.width, one.height] = [one.clientWidth * scale, one.clientHeight * scale];
    context.scale(scale, scale);
    context.font = '11px system-ui, sans-serif';
    return context;
  };

  function drawScatter(box) {
    const context = sharp(canvas), { clientWidth: width, clientHeight: height } = canvas;
    context.strokeStyle = ink('--soft');
    context.strokeRect(MARGIN.left, MARGIN.top, width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom);
    context.fillStyle = ink('--text');
    for (let i = 0; i <= 4; i += width < 500 ? 2 : 1) {
      const along = (c) => ends[c][0] + (ends[c][1] - ends[c][0]) * i / 4;
      context.textAlign = i === 0 ? 'left' : i === 4 ? 'right' : 'center';
      context.fillText(shown(along(axes.x)), place(axes.x, along(axes.x), width, MARGIN.left, width - MARGIN.right), height - MARGIN.bottom + 14);
      context.textAlign = 'right';
      context.fillText(shown(along(axes.y)), MARGIN.left - 6, place(axes.y, along(axes.y), height, height - MARGIN.bottom, MARGIN.top + 4) + 4);
    }
    context.textAlign = 'center';
    context.fillText(columns[axes.x].name, 0.5 * (MARGIN.left + width), height - 4);
    for (const inside of [false, true]) {
      context.fillStyle = ink(inside ? '--median' : '--edge');
      for (let k = 0; k < count; ++k) {
        const at = selection.has(k) === inside && spot(k);
        if (at) { context.beginPath(); context.arc(at[0], at[1], 3, 0, 7); context.fill(); }
      }
    }
    const at = picked === null ? null : spot(picked);
    context.lineWidth = 2;
    context.strokeStyle = ink('--low');
    if (at) { context.beginPath(); context.arc(at[0], at[1], 6, 0, 7); context.stroke(); }
    if (box) context.strokeRect(...box);
  }

  const strips = columns.map((column, c) => {
    const bars = make('canvas', { role: 'img', 'aria-label': `histogram of ${column.name}` });
    const inputs = ['least', 'most'].map((end, side) => make('input', { type: 'text', inputmode: 'decimal', 'aria-label': `${end} ${column.name}`, change: (event) => {
      const given = event.target.value.trim() === '' ? null : Number(event.target.value), range = [...(ranges[c] ?? [-Infinity, Infinity])];
      range[side] = given === null ? (side ? Infinity : -Infinity) : given;
      event.target.setAttribute('aria-invalid', String(Number.isNaN(range[side])));
      if (Number.isNaN(range[side])) return;
      ranges[c] = range.some(Number.isFinite) ? range : null;
      update();
    } }));
    dragged(bars, (from, to, wide) => {
      const value = (px) => ends[c][0] + (ends[c][1] - ends[c][0]) * Math.min(Math.max(px / bars.clientWidth, 0), 1);
      ranges[c] = wide ? [value(Math.min(from[0], to[0])), value(Math.max(from[0], to[0]))] : null;
      update();
    });
    const draw = () => {
      const context = sharp(bars), { clientWidth: width, clientHeight: height } = bars, counts = [new Array(BARS).fill(0), new Array(BARS).fill(0)];
      column.values.forEach((x, k) => {
        if (x === null) return;
        const bin = Math.min(Math.floor(BARS * (x - ends[c][0]) / (ends[c][1] - ends[c][0])), BARS - 1);
        ++counts[0][bin];
        if (selection.has(k)) ++counts[1][bin];
      });
      const most = Math.max(...counts[0], 1);
      counts.forEach((one, inside) => one.forEach((n, i) => {
        context.fillStyle = ink(inside ? '--median' : '--edge');
        context.fillRect(i * width / BARS, height - height * n / most, width / BARS - 1, height * n / most);
      }));
      inputs.forEach((input, side) => { const end = ranges[c]?.[side]; input.value = Number.isFinite(end) ? shown(end) : ''; input.placeholder = shown(ends[c][side]); });
    };
    return { draw, element: make('figure', { class: 'strip' }, make('figcaption', {}, column.name), bars, make('div', {}, ...inputs)) };
  });

  // Calls back with both ends of a drag in pixels, and whether it is one rather than a click; `moving` on the way.
  function dragged(one, done, moving = () => {}) {
    let from = null;
    const at = (event) => { const box = one.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    one.addEventListener('pointerdown', (event) => { from = at(event); one.setPointerCapture(event.pointerId); });
    one.addEventListener('pointermove', (event) => { if (from) moving(from, at(event)); });
    one.addEventListener('pointerup', (event) => {
      const to = at(event), start = from;
      from = null;
      if (start) done(start, to, Math.abs(to[0] - start[0]) > 4);
    });
  }

  const nearest = (x, y) => {
    let best = null, least = 20;
    for (let k = 0; k < count; ++k) {
      const at = spot(k), far = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (far < least) [best, least] = [k, far];
    }
    return best;
  };
  canvas.addEventListener('pointermove', (event) => {
    const box = canvas.getBoundingClientRect(), k = nearest(event.clientX - box.left, event.clientY - box.top);
    tip.textContent = k === null ? '' : `sample ${data.samples[k]}: ${[axes.x, axes.y].map((c) => `${columns[c].name} ${shown(columns[c].values[k])}`).join(', ')}`;
  });
  canvas.addEventListener('pointerleave', () => { tip.textContent = ''; });
  dragged(canvas, (from, to, wide) => {
    const { clientWidth: width, clientHeight: height } = canvas;
    const back = (c, px, a, b) => ends[c][0] + (ends[c][1] - ends[c][0]) * Math.min(Math.max((px - a) / (b - a), 0), 1);
    const range = (c, i, a, b) => [back(c, from[i], a, b), back(c, to[i], a, b)].sort((p, q) => p - q);
    if (!wide) picked = nearest(...to);
    if (wide) ranges[axes.x] = range(axes.x, 0, MARGIN.left, width - MARGIN.right);
    if (wide) ranges[axes.y] = range(axes.y, 1, height - MARGIN.bottom, MARGIN.top);
    update();
  }, (from, to) => drawScatter([from[0], from[1], to[0] - from[0], to[1] - from[1]]));
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], among = [...selection];
    if (!step || among.length === 0) return;
    event.preventDefault();
    picked = among[(among.indexOf(picked) + step + among.length) % among.length];
    update();
  });

  function list() {
    const rows = [...(picked === null ? [] : [picked]), ...[...selection].filter((k) => k !== picked)].slice(0, LISTED);
    const copy = (text) => make('button', { type: 'button', title: text, 'aria-label': `copy: ${text}`, click: () => navigator.clipboard?.writeText(text) }, 'copy');
    const open = (k) => [make('code', {}, `${data.open} --sample ${data.samples[k]}`), ' ', copy(`${data.open} --sample ${data.samples[k]}`)];
    listed.replaceChildren(make('table', {}, make('tr', {}, make('th', {}, 'sample'), ...(data.open ? [make('th', {}, 'in 3D')] : []), ...columns.map((one) => make('th', {}, one.name))),
      ...rows.map((k) => make('tr', k === picked ? { class: 'picked' } : {}, make('td', {}, String(data.samples[k])), ...(data.open ? [make('td', { class: 'text' }, ...open(k))] : []),
        ...columns.map((one) => make('td', {}, shown(one.values[k])))))));
  }

  function update() {
    selection = new Set(chosen());
    const share = count > 0 ? (100 * selection.size / count).toFixed(1) : '0';
    told.textContent = `${selection.size} of ${count} samples (${share} %) are within the ranges${count < points ? `; the page holds the first ${count} of ${points}` : ''}.`;
    draw();
    list();
  }
  function draw() { drawScatter(); strips.forEach((one) => one.draw()); }

  const select = (label, key) => {
    const list = make('select', { change: () => { axes[key] = list.selectedIndex; draw(); } }, ...columns.map((one) => make('option', {}, one.name)));
    list.selectedIndex = axes[key];
    return make('label', {}, `${label} `, list);
  };
  const clear = make('button', { type: 'button', click: () => { ranges.fill(null); picked = null; update(); } }, 'clear ranges');
  const dark = make('button', { type: 'button', title: 'switch between light and dark', 'aria-label': 'switch between light and dark', click: () => {
    const root = document.documentElement, now = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    root.dataset.theme = now === 'dark' ? 'light' : 'dark';
    draw();
  } }, '◐');
  home.append(make('div', { class: 'bar-row' }, select('across', 'x'), select('up', 'y'), clear, dark, tip), canvas, told, make('div', { class: 'strips' }, ...strips.map((one) => one.element)), listed);
  new ResizeObserver(draw).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  update();
})();
