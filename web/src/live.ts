// The panel beside the picture: a slider for each joint, numbers as they change, and what a simulation is to be like.
import type { Joint, PageData } from './data';
import type { Session } from './library';
import { DRIVES, type Settings } from './scenarios';
import { button, make, numberField, select, shown } from './ui';

interface Slider { bar: HTMLInputElement; number: HTMLInputElement; row: HTMLElement }

export interface LiveCalls {
  moved(q: Float64Array): void;
  changed(): void; // settings
  simulate(): void;
  tool(joint: number): void;
}

const RANGE = { turns: Math.PI, slides: 1 }; // of joints without limits

export class Live {
  readonly element = make('aside', { class: 'live', 'aria-label': 'live' });
  readonly message = make('p', { class: 'message', role: 'status' });
  private sliders: Slider[] = [];
  private numbers = make('table', { class: 'numbers' });
  private summary = make('dl', { class: 'summary' });

  constructor(private data: PageData, private joints: Joint[], readonly settings: Settings, private calls: LiveCalls) {
    this.element.append(this.jointSection(), this.answerSection(), this.simulationSection());
  }

  get q(): Float64Array {
    return Float64Array.from(this.sliders, (one) => Number(one.number.value));
  }

  private jointSection(): HTMLElement {
    const section = make('details', { open: true }, make('summary', {}, 'Joints'));
    this.joints.forEach((joint, k) => {
      const far = joint.slides ? RANGE.slides : RANGE.turns, unit = joint.slides ? 'm' : 'rad';
      const bar = make('input', { type: 'range', min: joint.lower ?? -far, max: joint.upper ?? far, step: 'any', 'aria-label': `${joint.name}, ${unit}` });
      const number = make('input', { type: 'text', inputmode: 'decimal', 'aria-label': `${joint.name}, ${unit}` });
      bar.value = number.value = String(Math.min(Math.max(0, Number(bar.min)), Number(bar.max)));
      bar.addEventListener('input', () => { number.value = bar.value; this.calls.moved(this.q); });
      number.addEventListener('change', () => {
        if (!Number.isFinite(Number(number.value))) number.value = bar.value;
        bar.value = number.value;
        this.calls.moved(this.q);
      });
      const row = make('div', { class: 'slider' }, make('span', { class: 'name', title: joint.name }, joint.name), bar, number, make('span', { class: 'unit' }, unit));
      this.sliders[k] = { bar, number, row };
      section.append(row);
    });
    section.append(button('zero', 'all joints to zero, or the nearest limit', () => {
      this.show(Float64Array.from(this.sliders, (one) => Math.min(Math.max(0, Number(one.bar.min)), Number(one.bar.max))));
      this.calls.moved(this.q);
    }));
    return section;
  }

  private answerSection(): HTMLElement {
    const names = (this.data.links ?? []).slice(1).map((link) => link.name);
    const tool = select('tool', names, (i) => this.calls.tool(i));
    tool.list.selectedIndex = names.length - 1;
    return make('details', { open: true }, make('summary', {}, 'In this position'), tool, this.summary, this.numbers);
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
      friction, text('friction times', 'frictionScale'), text('duration (s)', 'duration'),
      button('simulate from here', 'simulate from this state (s)', () => this.calls.simulate()), this.message);
  }

  // The sliders follow a run.
  show(q: ArrayLike<number>): void {
    this.sliders.forEach((one, k) => {
      one.bar.value = String(q[k]);
      one.number.value = String(q[k]);
      const { lower, upper } = this.joints[k];
      one.row.classList.toggle('beyond', (lower !== null && q[k] < lower) || (upper !== null && q[k] > upper));
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
