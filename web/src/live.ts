// The panel beside the picture: a slider for each joint, live numbers, and the settings of a simulation.
import type { Joint, PageData } from './data';
import type { Session } from './library';
import { DRIVES, lawsOf, type Settings } from './scenarios';
import { neutral, quaternionOf, quaternions, rollPitchYaw } from './positions';
import { broken, button, field, inUnits, make, numbersCheck, select, shown, slider, type Check, type Field } from './ui';

// A row and the value it shows: one joint position, or one angle of a quaternion. quantum: of each entry of q, see shown().
interface Control { row: HTMLElement; show(q: ArrayLike<number>, quantum: ArrayLike<number>): void; beyond(q: ArrayLike<number>): boolean }

export interface LiveCalls {
  moved(q: Float64Array): void;
  changed(): void; // settings
  simulate(): void;
  tool(joint: number): void;
}

// What the panel knows of a robot with loops: which joints are driven, and its closed configuration.
export interface Mechanism { looped: boolean; isDriven(joint: number): boolean; start: Float64Array }

interface Motion { session: Session; q: Float64Array; qd: Float64Array; qdd: Float64Array }

type TextSetting = 'torques' | 'kp' | 'kd' | 'payload' | 'gravity' | 'frictionScale' | 'duration';

const CLOSED = 1e-5; // of the reach, or rad: what following joints are shown to
const RANGE = { turns: Math.PI, slides: 1 }; // slider range of joints without limits

export class Live {
  readonly element = make('aside', { class: 'live', 'aria-label': 'live' });
  readonly message = make('p', { class: 'message', role: 'status' });
  private controls: Control[] = [];
  private positions: Joint[];
  q: Float64Array; // shown now
  private numbers = make('table', { class: 'numbers' });
  private summary = make('dl', { class: 'summary' });
  private selected = make('dl', { class: 'summary' });
  private selection: HTMLDetailsElement = make('details', { open: true, hidden: true }, make('summary', {}, 'Link'), this.selected);
  private picked: number | null = null;
  private motion: Motion | null = null;
  private fields: Field[] = [];
  private exact: ArrayLike<number>;
  private weight: number; // N, about

  constructor(private data: PageData, private joints: Joint[], readonly settings: Settings, private mechanism: Mechanism, private size: number, private calls: LiveCalls, extra: HTMLElement[] = []) {
    this.positions = data.positions!;
    this.q = mechanism.start;
    this.exact = new Float64Array(this.positions.length);
    this.weight = 10 * data.links!.reduce((sum, link) => sum + link.mass, 0);
    const simulation = this.simulationSection();
    this.element.append(make('div', { class: 'scroll' }, this.selection, this.jointSection(), this.answerSection(), ...extra, simulation), this.act());
  }

  private move(change: (q: Float64Array) => void): void {
    const q = this.q.slice();
    change(q);
    this.calls.moved(q);
  }

  private positionControl(joint: Joint, k: number): Control {
    const far = joint.slides ? RANGE.slides : RANGE.turns, low = joint.lower ?? -far, high = joint.upper ?? far;
    const one = slider(joint.name, joint.slides ? 'm' : 'rad', low, high, (value) => this.move((q) => { q[k] = value; }));
    return {
      row: one.row, show: (q, quantum) => one.set(q[k], quantum[k]),
      beyond: (q) => (joint.lower !== null && q[k] < joint.lower) || (joint.upper !== null && q[k] > joint.upper),
    };
  }

  // Sliders for roll, pitch and yaw of the quaternion that starts at entry k of q.
  private rotationControls(joint: Joint, k: number): Control[] {
    const name = joint.name.slice(0, joint.name.lastIndexOf('.')), part = (q: ArrayLike<number>) => [q[k], q[k + 1], q[k + 2], q[k + 3]];
    return ['roll', 'pitch', 'yaw'].map((angle, a) => {
      const far = a === 1 ? Math.PI / 2 : Math.PI;
      const one = slider(`${name}.${angle}`, 'rad', -far, far, (value) => this.move((q) => {
        const angles = rollPitchYaw(part(q));
        angles[a] = value;
        q.set(quaternionOf(angles), k);
      }));
      return { row: one.row, show: (q: ArrayLike<number>, quantum: ArrayLike<number>) => one.set(rollPitchYaw(part(q))[a], 2 * quantum[k]), beyond: () => false };
    });
  }

  // A joint that the loops move.
  private passiveControl(joint: Joint, k: number): Control {
    const value = make('output');
    const mark = make('span', { class: 'unit' });
    const row = make('div', { class: 'slider passive', title: 'follows the driven joints' }, make('span', { class: 'name', title: joint.name }, ...broken(joint.name)), make('span', { class: 'note' }, 'follows'), value, mark);
    const show = (q: ArrayLike<number>, quantum: ArrayLike<number>) => {
      const { unit, factor } = inUnits(joint.quaternion ? '' : joint.slides ? 'm' : 'rad');
      mark.textContent = unit;
      value.textContent = shown(q[k] * factor, Math.max(quantum[k], CLOSED * (joint.slides ? this.size : 1)) * factor);
    };
    return { row, show, beyond: () => false };
  }

  private jointSection(): HTMLElement {
    const section = make('details', { open: true }, make('summary', {}, 'Joints'));
    const turned = quaternions(this.positions);
    this.positions.forEach((joint, k) => {
      if (!this.mechanism.isDriven(joint.index)) this.controls.push(this.passiveControl(joint, k));
      else if (!joint.quaternion) this.controls.push(this.positionControl(joint, k));
      else if (turned.includes(k)) this.controls.push(...this.rotationControls(joint, k));
    });
    this.controls.forEach((control) => section.append(control.row));
    section.append(this.mechanism.looped
      ? button('start', 'the configuration of the file', () => this.move((q) => q.set(this.mechanism.start)))
      : button('zero', 'all joints to zero, or the nearest limit', () => this.move((q) => q.set(neutral(this.positions)))));
    return section;
  }

  private answerSection(): HTMLElement {
    const names = (this.data.links ?? []).slice(1).map((link) => link.name);
    const tool = select('tool', names, (i) => this.calls.tool(i));
    tool.list.selectedIndex = names.length - 1;
    return make('details', { open: true }, make('summary', {}, 'At this configuration'), tool, this.summary, this.numbers);
  }

  private simulationSection(): HTMLElement {
    const settings = this.settings, changed = () => this.calls.changed();
    const optional = (check: Check): Check => (given) => (given === '' ? null : check(given));
    const driven = this.joints.filter((joint) => joint.alone && this.mechanism.isDriven(joint.index)).length;
    const gains = optional(numbersCheck([...new Set([1, this.joints.length])], 0));
    const laws: Check = (given) => {
      const { length } = lawsOf(given);
      return lawsOf(given).every((law) => law !== '') && (length === 1 || length === driven) ? null : `${length} laws, expected one for all joints or ${driven}, separated by commas`;
    };
    const drives = select('driven by', DRIVES.slice(0, this.data.scenario ? 5 : 4) as unknown as string[], (i) => { settings.drive = i; changed(); });
    drives.list.selectedIndex = settings.drive;
    const kinds: Settings['friction'][] = ['full', 'viscous', 'none'];
    const friction = select('friction', kinds, (i) => { settings.friction = kinds[i]; changed(); });
    friction.list.selectedIndex = kinds.indexOf(settings.friction);
    const names = (this.data.links ?? []).slice(1).map((link) => link.name);
    const on = select('on link', names, (i) => { settings.payloadLink = names[i]; changed(); });
    on.list.selectedIndex = names.length - 1;
    return make('details', { open: true }, make('summary', {}, 'Simulate'), drives, this.textField('torques (laws in t, q, qd)', 'torques', laws),
      this.textField('kp', 'kp', gains), this.textField('kd', 'kd', gains), this.textField('payload (kg)', 'payload', numbersCheck([1], 0)), on,
      this.textField('gravity x, y, z (m/s²)', 'gravity', optional(numbersCheck([3]))), friction,
      this.textField('friction scale', 'frictionScale', numbersCheck([1], 0)));
  }

  // Below the panel, always in sight.
  private act(): HTMLElement {
    return make('div', { class: 'act' }, button('simulate from here', 'simulate from this state (s)', () => this.calls.simulate()),
      this.textField('duration (s)', 'duration', numbersCheck([1], 0, true)), this.message);
  }

  private textField(label: string, key: TextSetting, check: Check): HTMLElement {
    const one = field(label, this.settings[key], check, (value) => { this.settings[key] = value; this.calls.changed(); });
    this.fields.push(one);
    return one.row;
  }

  // A link by its joint, -1: the base; null: none.
  select(joint: number | null): void {
    this.picked = joint;
    this.selection.hidden = joint === null;
    this.showSelected();
  }

  private showSelected(): void {
    if (this.picked === null) return;
    const link = this.data.links![this.picked + 1], list = (values: number[], unit: string) => `${values.map((value) => shown(value)).join(', ')} ${unit}`;
    const entries: [string, string][] = [['name', link.name], ['mass', `${shown(link.mass)} kg`], ['centre of mass', list(link.com, 'm')],
      ['inertia xx yy zz', list(link.inertia.slice(0, 3), 'kg m²')], ['inertia xy xz yz', list(link.inertia.slice(3), 'kg m²')]];
    this.positions.forEach((one, k) => {
      if (one.index !== this.picked) return;
      const { unit, factor } = inUnits(one.quaternion ? '' : one.slides ? 'm' : 'rad'), value = (x: number | null) => (x === null ? '∞' : shown(x * factor));
      entries.push([`joint ${one.name}`, `${value(this.q[k])} ${unit}`]);
      if (one.lower !== null || one.upper !== null) entries.push(['limits', `${one.lower === null ? '-' : ''}${value(one.lower)} to ${value(one.upper)} ${unit}`]);
      if (one.velocity !== null) entries.push(['fastest', `${value(one.velocity)} ${unit}/s`]);
      if (one.effort !== null) entries.push(['strongest', `${shown(one.effort)} ${one.slides ? 'N' : 'N m'}`]);
    });
    entries.push(...this.motionOf(this.picked));
    this.selected.replaceChildren(...entries.flatMap(([name, text]) => [make('dt', {}, name), make('dd', {}, text)]));
  }

  // Of the link that a joint carries: where its origin is and how it moves, in the base frame.
  private motionOf(joint: number): [string, string][] {
    if (joint < 0 || !this.motion) return [];
    const { session, ...state } = this.motion, near = 1e-12 * this.size;
    const parts = (all: Float64Array, from: number, unit: string) => `${[0, 1, 2].map((k) => shown(all[from + k], near)).join(', ')} ${unit}`;
    const velocities = session.answer('velocities', state), accelerations = session.answer('accelerations', state);
    const origin: [string, string] = ['origin at', parts(session.answer('poses', state), 12 * joint, 'm')];
    if (!Number.isFinite(velocities[6 * joint])) return [origin]; // closed loops
    return [origin, ['velocity', parts(velocities, 6 * joint, 'm/s')], ['angular velocity', parts(velocities, 6 * joint + 3, 'rad/s')],
      ['acceleration', parts(accelerations, 6 * joint, 'm/s²')], ['angular acceleration', parts(accelerations, 6 * joint + 3, 'rad/s²')]];
  }

  // Takes the texts of all fields; the first that is refused, with the reason, or null.
  wrong(): string | null {
    return this.fields.map((one) => one.wrong()).find((reason) => reason !== null) ?? null;
  }

  // Sets the sliders to a state. quantum: what each entry of q was rounded to.
  show(q: Float64Array, quantum: ArrayLike<number> = this.exact): void {
    this.q = q;
    this.controls.forEach((control) => {
      control.show(q, quantum);
      control.row.classList.toggle('beyond', control.beyond(q));
    });
  }

  private row(tag: 'th' | 'td', ...cells: string[]): HTMLElement {
    return make('tr', {}, ...cells.map((cell) => make(tag, {}, cell)));
  }

  answer(motion: Motion): void {
    this.motion = motion;
    this.showSelected();
    const { session, q } = motion, n = this.joints.length, first = this.joints.slice(0, 24), { unit, factor } = inUnits('m'), effort = (joint: Joint) => (joint.slides ? 'N' : 'N m');
    const all = session.answer(session.looped ? 'pose' : 'control', { q }), pose = all.subarray(session.looped ? 0 : 2 * n + 6), near = (session.looped ? CLOSED : 1e-12) * this.size, noise = 1e-12 * this.size * this.weight; // rounding errors read 0
    const entries: [string, string][] = [
      ['tool at', `${[0, 1, 2].map((k) => shown(pose[k] * factor, near * factor)).join(', ')} ${unit}`],
      ['reach', `${shown(Math.hypot(pose[0], pose[1], pose[2]) * factor)} ${unit} from the base`],
    ];
    if (session.looped) { // answers of the tree, which loops change, are not shown
      const hold = session.hold(q), driven = first.map((joint, k) => ({ joint, k })).filter(({ joint }) => session.isDriven(joint.index));
      this.numbers.replaceChildren(this.row('th', 'driven joint', 'holding torque'), ...(typeof hold === 'string' ? [this.row('td', hold, '')]
        : driven.map(({ joint, k }) => this.row('td', joint.name, `${shown(hold[k], noise)} ${effort(joint)}`))));
    } else {
      const gravity = all.subarray(n, 2 * n), inertia = all.subarray(8 * n + 18);
      this.numbers.replaceChildren(this.row('th', 'joint', 'gravity', 'inertia'), ...first.map((joint, k) =>
        this.row('td', joint.name, `${shown(gravity[k], noise)} ${effort(joint)}`, `${shown(inertia[k * n + k])} ${joint.slides ? 'kg' : 'kg m²'}`)));
      entries.push(['smallest singular value', shown(session.singular(q), near)]);
    }
    this.summary.replaceChildren(...entries.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  }
}
