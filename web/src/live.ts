// The panel beside the picture: a slider for each joint, live numbers, and the settings of a simulation.
import type { Joint, PageData } from './data';
import type { Session } from './library';
import { DRIVES, type Settings } from './scenarios';
import { neutral, quaternionOf, quaternions, rollPitchYaw } from './positions';
import { button, make, numberField, select, shown, slider, type Slider } from './ui';

// A slider and the value it shows: one joint position, or one angle of a quaternion.
interface Control { slider: Slider; show(q: ArrayLike<number>): void; beyond(q: ArrayLike<number>): boolean }

export interface LiveCalls {
  moved(q: Float64Array): void;
  changed(): void; // settings
  simulate(): void;
  tool(joint: number): void;
}

const RANGE = { turns: Math.PI, slides: 1 }; // slider range of joints without limits

export class Live {
  readonly element = make('aside', { class: 'live', 'aria-label': 'live' });
  readonly message = make('p', { class: 'message', role: 'status' });
  private controls: Control[] = [];
  private positions: Joint[];
  q: Float64Array; // shown now
  private numbers = make('table', { class: 'numbers' });
  private summary = make('dl', { class: 'summary' });

  constructor(private data: PageData, private joints: Joint[], readonly settings: Settings, private calls: LiveCalls) {
    this.positions = data.positions!;
    this.q = neutral(this.positions);
    this.element.append(this.jointSection(), this.answerSection(), this.simulationSection());
  }

  private move(change: (q: Float64Array) => void): void {
    const q = this.q.slice();
    change(q);
    this.show(q);
    this.calls.moved(q);
  }

  private positionControl(joint: Joint, k: number): Control {
    const far = joint.slides ? RANGE.slides : RANGE.turns, low = joint.lower ?? -far, high = joint.upper ?? far;
    const one = slider(joint.name, joint.slides ? 'm' : 'rad', low, high, (value) => this.move((q) => { q[k] = value; }));
    return {
      slider: one, show: (q) => one.set(q[k]),
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
      return { slider: one, show: (q: ArrayLike<number>) => one.set(rollPitchYaw(part(q))[a]), beyond: () => false };
    });
  }

  private jointSection(): HTMLElement {
    const section = make('details', { open: true }, make('summary', {}, 'Joints'));
    const turned = quaternions(this.positions);
    this.positions.forEach((joint, k) => {
      if (!joint.quaternion) this.controls.push(this.positionControl(joint, k));
      else if (turned.includes(k)) this.controls.push(...this.rotationControls(joint, k));
    });
    this.controls.forEach((control) => section.append(control.slider.row));
    section.append(button('zero', 'all joints to zero, or the nearest limit', () => this.move((q) => q.set(neutral(this.positions)))));
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
    const text = (label: string, key: 'torques' | 'kp' | 'kd' | 'payload' | 'gravity' | 'frictionScale' | 'duration') =>
      numberField(label, settings[key], (value) => { settings[key] = value.trim(); changed(); });
    const drives = select('driven by', DRIVES.slice(0, this.data.scenario ? 5 : 4) as unknown as string[], (i) => { settings.drive = i; changed(); });
    drives.list.selectedIndex = settings.drive;
    const kinds: Settings['friction'][] = ['full', 'viscous', 'none'];
    const friction = select('friction', kinds, (i) => { settings.friction = kinds[i]; changed(); });
    friction.list.selectedIndex = kinds.indexOf(settings.friction);
    const names = (this.data.links ?? []).slice(1).map((link) => link.name);
    const on = select('on link', names, (i) => { settings.payloadLink = names[i]; changed(); });
    on.list.selectedIndex = names.length - 1;
    return make('details', { open: true }, make('summary', {}, 'Simulate'), drives, text('torques (laws in t, q, qd)', 'torques'),
      text('kp', 'kp'), text('kd', 'kd'), text('payload (kg)', 'payload'), on, text('gravity x, y, z (m/s²)', 'gravity'),
      friction, text('friction scale', 'frictionScale'), text('duration (s)', 'duration'),
      button('simulate from here', 'simulate from this state (s)', () => this.calls.simulate()), this.message);
  }

  // Sets the sliders to the state of a run.
  show(q: Float64Array): void {
    this.q = q;
    this.controls.forEach((control) => {
      control.show(q);
      control.slider.row.classList.toggle('beyond', control.beyond(q));
    });
  }

  answer(session: Session, q: Float64Array): void {
    const n = this.joints.length, gravity = session.answer('gravity', { q }), inertia = session.answer('inertia', { q });
    const pose = session.answer('pose', { q });
    this.numbers.replaceChildren(make('tr', {}, ...['joint', 'gravity', 'inertia'].map((text) => make('th', {}, text))),
      ...this.joints.slice(0, 24).map((joint, k) => make('tr', {}, make('td', {}, joint.name),
        make('td', {}, `${shown(gravity[k])} ${joint.slides ? 'N' : 'N m'}`), make('td', {}, `${shown(inertia[k * n + k])} ${joint.slides ? 'kg' : 'kg m²'}`))));
    const entries: [string, string][] = [
      ['tool at', `${shown(pose[0])}, ${shown(pose[1])}, ${shown(pose[2])} m`],
      ['reach', `${shown(Math.hypot(pose[0], pose[1], pose[2]))} m from the base`],
      ['smallest singular value', shown(session.singular(q))],
    ];
    this.summary.replaceChildren(...entries.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  }
}
