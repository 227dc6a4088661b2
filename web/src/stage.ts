// Shared by the pages of arms and snakes: picture, caption, playback, plots, and the state at the cursor.
import type { Contents, FileNode } from './data';
import { Playback } from './playback';
import { Plots } from './plots/plots';
import { entriesOf, noiseOf, type Group, type Names, type Run } from './runs';
import { Scene, VIEWS } from './scene';
import { Rate } from './slices';
import { button, checkbox, inUnits, make, save, shown, units } from './ui';

const UNITS: ['deg' | 'mm', string][] = [['deg', 'degrees'], ['mm', 'millimetres']];

const KEYS: [string, string][] = [['space', 'play or pause'], [', and .', 'previous, next record'], ['Home, End', 'to the start, to the end'], ['f', 'fit the robot into view'],
  ['d', 'light or dark'], ['s', 'simulate from here'], ['r', 'the gizmo turns or moves the tool'], ['shift and drag', 'pulls a link with a force'],
  ['arrows, + and -', 'turn and zoom, in the picture'], ['?', 'these keys']];

export class Stage {
  readonly scene: Scene;
  readonly plots: Plots;
  readonly playback: Playback;
  readonly main = make('main');
  private side = make('div', { class: 'side' });
  private state = make('section', { class: 'state', 'aria-label': 'state at the cursor' });
  private layers = make('div');
  private keys = make('details');
  private bar: HTMLElement | null = null;
  private filming!: HTMLButtonElement;
  private changedUnits: () => void = () => {};
  private runs: Run[] = [];
  private table = new Rate();

  constructor(contents: Contents, private names: Names, size: number, up: number[], ground: number, moved: (t: number) => void) {
    const view = make('div', { class: 'view' });
    this.playback = new Playback((t) => {
      this.plots?.setTime(t);
      if (this.runs[0]) this.runs[0].prefetch(this.runs[0].row(t));
      this.table.run(() => this.showState(t), this.playback?.playing ?? false);
      moved(t);
    });
    const motors = (contents.data.robot?.joints ?? []).map((joint: FileNode) => joint.motor);
    this.plots = new Plots(names, motors, (t) => { this.playback.pause(); this.playback.seek(t); });
    const stage = make('div', { class: 'stage' }, view, this.playback.element);
    this.side.append(this.state, this.plots.element);
    this.main.append(stage, this.splitter(stage), this.side);
    document.body.append(this.main);
    this.scene = new Scene(view, size, up, ground);
    view.append(this.tools(), this.corner(contents));
  }

  // The bar between picture and plots: dragged, or moved by the arrow keys.
  private splitter(stage: HTMLElement): HTMLElement {
    const bar = make('div', { class: 'splitter', role: 'separator', tabindex: 0, 'aria-orientation': 'vertical', 'aria-label': 'width of the picture',
      'aria-valuemin': 20, 'aria-valuemax': 80, 'aria-valuenow': 50 });
    const set = (width: number) => {
      const both = stage.clientWidth + this.side.clientWidth, part = Math.min(Math.max(width / both, 0.2), 0.8);
      this.main.style.setProperty('--picture', `${(part / (1 - part)).toFixed(3)}fr`);
      bar.setAttribute('aria-valuenow', String(Math.round(100 * part)));
    };
    bar.addEventListener('pointerdown', (event) => bar.setPointerCapture(event.pointerId));
    bar.addEventListener('pointermove', (event) => { if (bar.hasPointerCapture(event.pointerId)) set(event.clientX - stage.getBoundingClientRect().left); });
    bar.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -40, ArrowRight: 40 }[event.key];
      if (step) set(stage.clientWidth + step);
      if (step) event.preventDefault();
    });
    return this.bar = bar;
  }

  private tools(): HTMLElement {
    const views = Object.entries(VIEWS).map(([name, direction]) => button(name, `view: ${name}`, () => this.scene.fit(direction)));
    this.layers.append(checkbox('ground grid', true, (on) => this.scene.showGrid(on)));
    return make('div', { class: 'tools' },
      make('details', {}, make('summary', {}, 'View'), make('div', {}, button('fit', 'fit the robot into view (f)', () => this.scene.fit()), ...views)),
      make('details', {}, make('summary', {}, 'Show'), this.layers),
      make('details', {}, make('summary', {}, 'Save'), make('div', {},
        button('picture (PNG)', 'save the picture as PNG', () => this.scene.picture().toBlob((blob) => save('linkwork.png', blob!))),
        this.filming = button('run (WebM)', 'play the run once and save it as WebM', () => void this.film()))),
      make('details', {}, make('summary', {}, 'Units'), make('div', {}, ...UNITS.map(([key, label]) => checkbox(label, false, (on) => {
        units[key] = on;
        this.plots.rebuild();
        this.showState(this.playback.time);
        this.changedUnits();
      })))), this.keyHelp());
  }

  private keyHelp(): HTMLElement {
    this.keys.append(make('summary', {}, 'Keys'), make('dl', {}, ...KEYS.flatMap(([keys, what]) => [make('dt', {}, keys), make('dd', {}, what)])));
    return this.keys;
  }

  // Called when angles or lengths are to be shown in other units.
  whenUnits(change: () => void): void {
    this.changedUnits = change;
  }

  // Plays the run once from its start, and saves what is seen.
  private async film(): Promise<void> {
    const { playback } = this, loop = playback.loop;
    if (this.runs.length === 0 || typeof MediaRecorder === 'undefined') return;
    this.filming.disabled = true;
    playback.pause();
    playback.seek(-Infinity);
    playback.loop = false;
    const end = this.scene.film();
    playback.toggle();
    await new Promise<void>((done) => { playback.ended = done; });
    save('linkwork.webm', await end());
    playback.loop = loop;
    this.filming.disabled = false;
  }

  addLayer(name: string, on: boolean, change: (on: boolean) => void): void {
    this.layers.append(checkbox(name, on, (now) => { change(now); this.scene.redraw(); }));
  }

  private corner(contents: Contents): HTMLElement {
    const { file, version, command, bits, missing_meshes: missing } = contents.data;
    const lines = [file, `linkwork ${version}`, command.join(' ')];
    if (bits > 0) lines.push(`recorded numbers are rounded to ${bits} bits of each column's range`);
    if (missing > 0) lines.push(`${missing} meshes could not be embedded (no STL, OBJ or DAE file, or not found)`);
    return make('div', { class: 'corner' }, ...lines.map((line) => make('div', {}, line)));
  }

  setRuns(runs: Run[]): void {
    this.runs = runs;
    for (const part of [this.playback.element, this.side, this.bar!]) part.hidden = runs.length === 0;
    this.main.classList.toggle('runs', runs.length > 0);
    this.plots.setRuns(runs);
    if (runs.length === 0) return;
    const low = Math.min(...runs.map((run) => run.t[0])), high = Math.max(...runs.map((run) => run.end));
    this.playback.setSpan(low, high, runs[0].t.length > 1 ? (runs[0].end - runs[0].t[0]) / (runs[0].t.length - 1) : 0.01);
  }

  // The row at or before the cursor, as recorded.
  private showState(t: number): void {
    const run = this.runs[0];
    if (!run) return;
    const row = run.row(t), turns = inUnits('rad'), slides = inUnits('m'), fixed: { [key: string]: string } = { tau: 'N m, N', v: 'V', i: 'A', power: 'W', theta: turns.unit, u: 'm/s, rad/s' };
    const rates: { [key: string]: string } = { q: '', q_err: '', q_ref: '', qd: '/s', qd_ref: '/s', qdd: '/s²' };
    const unitOf = (key: string) => (key in rates ? `${turns.unit}${rates[key]}, ${slides.unit}${rates[key]}` : fixed[key] ?? '');
    const groups = [...run.groups.values()].filter((group) => group.curves.some((curve) => curve.joint >= 0)).slice(0, 9);
    const singles = [...run.groups.values()].flatMap((group) => group.curves.filter((curve) => curve.joint < 0));
    const table = (part: Group[]) => {
      const entries = entriesOf(part[0]?.key ?? '', this.names).map((joint) => joint.name);
      const rows = entries.length > 0 ? entries : (part[0]?.curves ?? []).map((curve) => curve.name);
      return make('table', {}, make('tr', {}, make('th', {}, `t = ${shown(run.t[row])} s`), ...part.map((group) => make('th', {}, unitOf(group.key) ? `${group.key} (${unitOf(group.key)})` : group.key))),
        ...rows.slice(0, 16).map((name, k) => make('tr', {}, make('td', {}, name), ...part.map((group) => {
          const curve = group.curves.find((one) => one.joint === k);
          const entry = entriesOf(group.key, this.names)[k], factor = group.key in rates && !entry?.quaternion ? (entry?.slides ? slides : turns).factor : group.key === 'theta' ? turns.factor : 1;
          return make('td', {}, curve ? shown(curve.values.at(row) * factor, Math.max(curve.quantum, noiseOf(curve)) * factor) : '');
        }))));
    };
    // positions get their own table if there are more of them than velocities
    const apart = this.names.positions.length !== this.names.joints.length;
    const own = (group: Group) => apart && entriesOf(group.key, this.names) === this.names.positions;
    const tables = [groups.filter((group) => own(group)), groups.filter((group) => !own(group))].filter((part) => part.length > 0);
    const event = run.notes.filter((note) => note.t <= run.t[row]).pop();
    this.state.replaceChildren(...tables.map(table),
      make('div', { class: 'note' }, event ? `${event.what} ${event.who}   ` : '', singles.slice(0, 16).map((curve) => `${curve.name} ${shown(curve.values.at(row), Math.max(curve.quantum, noiseOf(curve)))}`).join('   ')));
  }

  key(event: KeyboardEvent): boolean {
    const { playback } = this;
    const keys: { [key: string]: () => void } = {
      ' ': () => playback.toggle(), ',': () => playback.move(-1), '.': () => playback.move(1),
      Home: () => playback.seek(-Infinity), End: () => playback.seek(Infinity), f: () => this.scene.fit(), '?': () => { this.keys.open = !this.keys.open; },
    };
    if (event.key === ' ' && (event.target as HTMLElement).tagName === 'BUTTON') return false;
    if (!keys[event.key]) return false;
    keys[event.key]();
    return true;
  }

  theme(): void {
    this.scene.theme();
    this.plots.rebuild();
  }
}
