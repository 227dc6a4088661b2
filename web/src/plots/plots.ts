// Curves over time below the picture. Draws at most two points per pixel column, chosen from all rows in view.
import uPlot from 'uplot';
import { CHUNK } from './column';
import type { FileNode, Joint } from '../data';
import { atLimit, Planes, PLANES, type Plane } from './planes';
import { entriesOf, noiseOf, type Curve, type Names, type Run } from '../runs';
import { button, checkbox, colour, inUnits, make, prefersDark, save, shown } from '../ui';

// `units`: of revolute and of prismatic joints; each gets its own panel.
interface Panel { key: string; title: string; units?: [string, string]; limit?: (joint: Joint) => number[] }

const both = (value: number | null) => (value === null ? [] : [value, -value]);
const range = (joint: Joint) => [joint.lower, joint.upper].filter((value): value is number => value !== null);

// Groups of columns in drawing order; other groups follow, titled with their column names.
const PANELS: Panel[] = [
  { key: 'q', title: 'positions', units: ['rad', 'm'], limit: range },
  { key: 'qd', title: 'velocities', units: ['rad/s', 'm/s'], limit: (joint) => both(joint.velocity) },
  { key: 'tau', title: 'torques', units: ['N m', 'N'], limit: (joint) => both(joint.effort) },
  { key: 'q_err', title: 'tracking error', units: ['rad', 'm'] },
  { key: 'v', title: 'voltages (V)', limit: (joint) => both(joint.voltage) },
  { key: 'i', title: 'currents (A)', limit: (joint) => both(joint.current) },
  { key: 'power', title: 'drive power (W)' },
  { key: 'energy', title: 'energy balance (J)' },
  { key: 'qdd', title: 'accelerations', units: ['rad/s²', 'm/s²'] },
  { key: 'theta', title: 'link angles (rad)' },
  { key: 'u', title: 'speeds (m/s, rad/s)' },
  { key: 'place', title: 'position (m)' },
];
const HIDDEN = new Set(['q_ref', 'qd_ref', 'orientation']);

interface Line { run: Run; curve: Curve; colour: string; dash?: number[] }
interface Drawn { key: string; plot: uPlot; lines: Line[]; factor: number; cursor: HTMLElement; values: HTMLElement[]; hovered: boolean }

const HEIGHT = 132;

// The smallest and largest value in each pixel column, or all rows if there are few.
export function decimate(lines: Line[], low: number, high: number, columns: number): (number | null)[][] {
  const runs = [...new Set(lines.map((line) => line.run))];
  const spans = new Map(runs.map((run) => [run, [Math.max(run.row(low) - 1, 0), Math.min(run.row(high) + 2, run.t.length)]]));
  const rows = Math.max(...[...spans.values()].map(([from, to]) => to - from));
  if (rows <= 2 * columns) {
    const times = [...new Set(runs.flatMap((run) => Array.from(run.t.subarray(...(spans.get(run) as [number, number])))))].sort((a, b) => a - b);
    const index = new Map(times.map((t, i) => [t, i]));
    return [times, ...lines.map(({ run, curve }) => {
      const [from, to] = spans.get(run)!;
      const values: (number | null)[] = new Array(times.length).fill(null);
      for (let i = from; i < to; ++i) values[index.get(run.t[i])!] = curve.values.at(i);
      return values;
    })];
  }
  const width = (high - low) / columns;
  const times = Array.from({ length: 2 * columns }, (_, i) => low + (Math.floor(i / 2) + 0.25 + 0.5 * (i % 2)) * width);
  return [times, ...lines.map(({ run, curve }) => {
    const values: (number | null)[] = new Array(2 * columns).fill(null);
    const [from, to] = spans.get(run)!;
    let part = curve.values.part(Math.floor(from / CHUNK));
    for (let i = from; i < to; ++i) {
      if (i % CHUNK === 0) part = curve.values.part(i / CHUNK);
      const k = Math.floor((run.t[i] - low) / width);
      if (k < 0 || k >= columns) continue;
      const value = part[i % CHUNK], first = values[2 * k];
      values[2 * k] = first === null ? value : Math.min(first, value);
      values[2 * k + 1] = first === null ? value : Math.max(values[2 * k + 1]!, value);
    }
    return values;
  })];
}

const scaled = (data: (number | null)[][], factor: number) => (factor === 1 ? data
  : data.map((column, i) => (i === 0 ? column : column.map((value) => (value === null ? null : value * factor)))));

export class Plots {
  readonly element = make('section', { class: 'plots', 'aria-label': 'plots' });
  private legend = make('div', { class: 'legend', role: 'group', 'aria-label': 'joints shown in the plots' });
  private holder = make('div', { class: 'panels' });
  private choice = make('div', { class: 'choice' });
  private planes: Planes;
  private chosen = new Set<Plane>();
  private order: string[] = PANELS.map((panel) => panel.key);
  private hidden = new Set<string>(['qdd', 'power', 'place']);
  private drawn: Drawn[] = [];
  private runs: Run[] = [];
  private joints: Joint[]; // one entry of each
  private shown: Set<number>; // index of joints
  private view: [number, number] = [0, 1];
  private time = 0;

  constructor(private names: Names, motors: (FileNode | undefined)[], private seek: (t: number) => void) {
    this.planes = new Planes(names, motors, seek);
    this.joints = names.joints.filter((joint, k) => names.joints.findIndex((one) => one.index === joint.index) === k);
    this.shown = new Set(this.joints.slice(0, 8).map((joint) => joint.index));
    this.element.append(make('div', { class: 'bar' }, make('details', {}, make('summary', {}, 'Quantities'), this.choice),
      button('zoom all', 'show the whole time span (also by a double click)', () => this.zoom(...this.whole())),
      button('CSV', 'save the curves shown, in the time span shown, as CSV', () => save('linkwork.csv', new Blob([this.csv()], { type: 'text/csv' })))), this.legend, this.holder, this.planes.element);
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  setRuns(runs: Run[]): void {
    this.runs = runs;
    this.view = this.whole();
    this.rebuild();
  }

  private whole(): [number, number] {
    return [Math.min(...this.runs.map((run) => run.t[0])), Math.max(...this.runs.map((run) => run.end))];
  }

  private addLegend(): void {
    this.legend.replaceChildren();
    this.joints.forEach((joint, k) => {
      const chip = make('button', { type: 'button', class: 'chip', 'aria-pressed': String(this.shown.has(joint.index)), click: () => {
        if (!this.shown.delete(joint.index)) this.shown.add(joint.index);
        this.rebuild();
      } }, joint.alone ? joint.name : joint.name.slice(0, joint.name.lastIndexOf('.')));
      chip.style.setProperty('--chip', colour(this.names.joints.length === this.joints.length ? k : 7));
      this.legend.append(chip);
    });
    this.runs.slice(1).forEach((run, i) => this.legend.append(make('span', { class: 'note' }, `${i + 1 === 1 ? 'dashed' : 'dotted'}: ${run.name}`)));
  }

  rebuild(): void {
    this.drawn.forEach((one) => one.plot.destroy());
    this.drawn = [];
    this.holder.replaceChildren();
    this.addLegend();
    this.planes.rebuild(this.runs[0], Planes.of(this.runs[0]).filter((one) => this.chosen.has(one)), this.shown, this.time);
    if (this.runs.length === 0) return;
    const known = new Set(this.order);
    for (const key of this.runs.flatMap((run) => [...run.groups.keys()])) if (!known.has(key) && !HIDDEN.has(key)) known.add(key);
    this.order = [...known];
    this.addChoice();
    for (const key of this.order) if (!this.hidden.has(key)) this.addPanels(PANELS.find((panel) => panel.key === key) ?? { key, title: key });
    this.zoom(...this.view);
  }

  private addChoice(): void {
    const there = this.order.filter((key) => this.lines(key).length > 0);
    this.choice.replaceChildren(...there.map((key) => checkbox(PANELS.find((panel) => panel.key === key)?.title ?? key, !this.hidden.has(key), (on) => {
      if (on) this.hidden.delete(key);
      else this.hidden.add(key);
      this.rebuild();
    })), ...Planes.of(this.runs[0]).map((plane) => checkbox(PLANES[plane], this.chosen.has(plane), (on) => {
      if (on) this.chosen.add(plane);
      else this.chosen.delete(plane);
      this.rebuild();
    })));
  }

  // Panels are arranged by dragging their titles, or by alt and the arrow keys on a title.
  private arranges(title: HTMLElement, key: string): void {
    const moveTo = (other: string, after: boolean) => {
      if (other === key) return;
      const rest = this.order.filter((one) => one !== key);
      rest.splice(rest.indexOf(other) + (after ? 1 : 0), 0, key);
      this.order = rest;
      this.rebuild();
      this.holder.querySelector<HTMLElement>(`[data-panel="${key}"] h3`)?.focus();
    };
    Object.assign(title, { draggable: true, tabIndex: 0, title: 'drag to arrange, or alt and the arrow keys' });
    title.addEventListener('dragstart', (event) => event.dataTransfer!.setData('text/plain', key));
    title.addEventListener('keydown', (event) => {
      const shownKeys = [...new Set(this.drawn.map((one) => one.key))], i = shownKeys.indexOf(key) + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0);
      if (!event.altKey || i === shownKeys.indexOf(key) || !shownKeys[i]) return;
      event.preventDefault();
      event.stopPropagation();
      moveTo(shownKeys[i], event.key === 'ArrowDown');
    });
    const panel = title.parentElement!.parentElement!;
    panel.addEventListener('dragover', (event) => event.preventDefault());
    panel.addEventListener('drop', (event) => {
      event.preventDefault();
      const from = event.dataTransfer!.getData('text/plain'), box = panel.getBoundingClientRect();
      if (!this.order.includes(from) || from === key) return;
      const rest = this.order.filter((one) => one !== from);
      rest.splice(rest.indexOf(key) + (event.clientY > box.top + box.height / 2 ? 1 : 0), 0, from);
      this.order = rest;
      this.rebuild();
    });
  }

  // The curves shown of the first run, in the time span shown, in SI units.
  csv(): string {
    const run = this.runs[0], lines = this.drawn.flatMap((one) => one.lines).filter((line) => line.run === run);
    const rows = [['t', ...lines.map(({ curve }) => curve.name)].join(',')];
    for (let i = 0; i < run.t.length; ++i) {
      if (run.t[i] >= this.view[0] && run.t[i] <= this.view[1]) rows.push([run.t[i], ...lines.map(({ curve }) => curve.values.at(i))].join(','));
    }
    return `${rows.join('\n')}\n`;
  }

  private lines(key: string): Line[] {
    return this.runs.flatMap((run, r) => (run.groups.get(key)?.curves ?? [])
      .filter((curve) => curve.joint < 0 || this.joints.length === 0 ? true : this.shown.has(entriesOf(key, this.names)[curve.joint]?.index ?? -1))
      .slice(0, 32)
      .map((curve, i) => ({ run, curve, colour: colour(curve.joint >= 0 ? curve.joint : i), dash: [undefined, [6, 4], [2, 3]][Math.min(r, 2)] })));
  }

  private unitOf(panel: Panel, entry: Joint | undefined): string {
    if (!panel.units) return '';
    return entry?.quaternion ? '1' : panel.units[entry?.slides ? 1 : 0];
  }

  // One panel for each unit, so that rad and m, N m and N never share an axis.
  private addPanels(panel: Panel): void {
    const entries = entriesOf(panel.key, this.names), lines = this.lines(panel.key);
    const unitOf = (line: Line) => this.unitOf(panel, entries[line.curve.joint]);
    for (const unit of new Set(lines.map(unitOf))) this.addPanel(panel, unit, lines.filter((line) => unitOf(line) === unit));
  }

  private addPanel(panel: Panel, unit: string, lines: Line[]): void {
    const limited = this.joints.filter((joint) => panel.limit && this.shown.has(joint.index) && this.unitOf(panel, joint) === unit);
    const limits = [...new Set(limited.flatMap((joint) => panel.limit!(joint)))];
    const active = this.atLimits(panel, lines);
    const text = prefersDark() ? '#c6ccd3' : '#333a42', grid = prefersDark() ? '#2c333b' : '#dde2e7';
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, size: 5 } };
    const cursor = make('div', { class: 'now' }), { unit: shownIn, factor } = inUnits(unit);
    const name = panel.key === 'tau' && unit === 'N' ? 'forces' : panel.title;
    const values = lines.map((line) => Object.assign(make('span', {}), { style: `--chip: ${line.colour}` }));
    const title = make('h3', {}, shownIn ? `${name} (${shownIn})` : name);
    const frame = make('figure', { class: 'panel', 'data-panel': panel.key }, make('div', { class: 'head' }, title, make('div', { class: 'values' }, ...values)));
    this.holder.append(frame);
    this.arranges(title, panel.key);
    const drawn: Drawn = { key: panel.key, plot: null as never, lines, factor, cursor, values, hovered: false };
    const plot = drawn.plot = new uPlot({
      width: Math.max(this.element.clientWidth - 16, 240), height: HEIGHT, pxAlign: 0, legend: { show: false },
      cursor: { sync: { key: 'linkwork', setSeries: false, filters: { pub: (type: string) => type === 'mousemove' || type === 'mouseleave' } }, drag: { x: true, y: false, setScale: false } },
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 24 }, { ...axis, size: 56, space: 22 }],
      series: [{}, ...lines.map((line) => ({ stroke: line.colour, width: 1.5, dash: line.dash, spanGaps: true, points: { show: false } }))],
      hooks: {
        drawSeries: [], draw: [(u) => this.drawMarks(u, limits.map((limit) => limit * factor), active)],
        setCursor: [(u) => {
          drawn.hovered = u.cursor.idx !== null && u.cursor.idx !== undefined && (u.cursor.left ?? -1) >= 0;
          this.showValues(drawn, drawn.hovered ? u.posToVal(u.cursor.left!, 'x') : this.time);
        }],
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          this.zoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
      },
    }, [[0, 1], ...lines.map(() => [null, null])] as uPlot.AlignedData, frame);
    plot.over.append(cursor);
    plot.over.addEventListener('click', (event) => {
      this.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    });
    plot.over.addEventListener('dblclick', () => this.zoom(...this.whole()));
    this.drawn.push(drawn);
  }

  // The rows at or before time t, beside the title.
  private showValues({ lines, values, factor }: Drawn, t: number): void {
    lines.forEach(({ run, curve }, i) => {
      const label = this.runs.length > 1 ? `${curve.label} · ${this.runs.indexOf(run) + 1}` : curve.label;
      values[i].textContent = `${label} ${shown(curve.values.at(run.row(t)) * factor, Math.max(curve.quantum, noiseOf(curve)) * factor)}`;
    });
  }

  // The time spans of the first run in which one of the lines is at its limit.
  private atLimits(panel: Panel, lines: Line[]): [number, number][] {
    const run = this.runs[0], spans: [number, number][] = [];
    for (const { curve } of panel.limit ? lines.filter((line) => line.run === run) : []) {
      const joint = entriesOf(panel.key, this.names)[curve.joint];
      if (!joint) continue;
      const at = atLimit(run, joint, curve.joint, panel.key);
      for (let i = 0, from = -1; at && i <= run.t.length; ++i) {
        const now = i < run.t.length && at(i);
        if (now && from < 0) from = i;
        if (!now && from >= 0) { spans.push([run.t[from], run.t[i - 1]]); from = -1; }
      }
    }
    return spans.slice(0, 10000);
  }

  // Draws limits as dashed lines, the times at which they are reached as bars at the upper edge, and events as marks at the lower one.
  private drawMarks(u: uPlot, limits: number[], active: [number, number][]): void {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = prefersDark() ? '#9aa3ad' : '#6b7480';
    ctx.setLineDash([2, 4]);
    for (const limit of limits) {
      const y = u.valToPos(limit, 'y', true);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.fillStyle = '#D55E00';
    for (const [from, to] of active) {
      const x = u.valToPos(from, 'x', true);
      ctx.fillRect(x - 1, bbox.top, u.valToPos(to, 'x', true) - x + 2, 4 * devicePixelRatio);
    }
    for (const note of this.runs.flatMap((run) => run.notes)) {
      const x = u.valToPos(note.t, 'x', true), y = bbox.top + bbox.height;
      ctx.beginPath();
      ctx.moveTo(x - 4, y);
      ctx.lineTo(x + 4, y);
      ctx.lineTo(x, y - 8);
      ctx.fill();
    }
    ctx.restore();
  }

  // Shows this time span in all panels, redrawn from all rows in it.
  zoom(low: number, high: number): void {
    const [first, last] = this.whole();
    this.view = [Math.max(low, first), Math.min(high, last)];
    if (!(this.view[1] > this.view[0])) this.view = [first, last > first ? last : first + 1];
    for (const { plot, lines, factor } of this.drawn) {
      plot.batch(() => {
        plot.setData(scaled(decimate(lines, this.view[0], this.view[1], Math.max(Math.floor(plot.bbox.width / devicePixelRatio), 100)), factor) as uPlot.AlignedData, false);
        plot.setScale('x', { min: this.view[0], max: this.view[1] });
      });
    }
    this.setTime(this.time);
  }

  get span(): [number, number] { return this.view; }

  setTime(t: number): void {
    this.time = t;
    for (const one of this.drawn) {
      const { plot, cursor } = one, x = plot.valToPos(t, 'x');
      if (!one.hovered) this.showValues(one, t);
      cursor.style.transform = `translateX(${x}px)`;
      cursor.hidden = !(x >= 0 && x <= plot.over.clientWidth);
    }
    this.planes.setTime(t);
  }

  private resize(): void {
    const width = Math.max(this.element.clientWidth - 16, 240);
    for (const { plot } of this.drawn) if (plot.width !== width) plot.setSize({ width, height: HEIGHT });
    if (this.drawn.length > 0) this.zoom(...this.view);
    this.planes.draw(this.time);
  }
}
