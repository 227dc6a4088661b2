// Phase planes (speed over position) and torque-speed planes of the joints, with what the motor can do; parts of a run at a
// limit are marked.
import type { FileNode, Joint } from '../data';
import { entriesOf, type Curve, type Names, type Run } from '../runs';
import { colour, inUnits, make, prefersDark, shown } from '../ui';

export const PLANES = { phase: 'phase plane', speed: 'torque over speed' } as const;
export type Plane = keyof typeof PLANES;

const HEIGHT = 170, MOST_POINTS = 4000, LEFT = 52, RIGHT = 8, TOP = 8, BOTTOM = 22, AT = 0.999;

type Range = [number, number];
interface Axes { x: Range; y: Range }

// The largest and smallest torque of the drive of a joint at a speed: by the limits of voltage and current of its motor, through
// gear and efficiency (docs/drives.md, equations 11 and 12), and by the limit of effort. Null: nothing limits it.
export function envelope(joint: Joint, motor: FileNode | undefined, speed: number): Range | null {
  let range: Range | null = null;
  if (motor && (motor.voltage !== undefined || motor.current !== undefined)) {
    const gear = motor.gear ?? 1, K = motor.torque_constant, back = K * gear * speed, V = motor.voltage ?? Infinity, I = motor.current ?? Infinity;
    const low = Math.min(Math.max(-I, (-V - back) / motor.resistance), I), high = Math.max(Math.min(I, (V - back) / motor.resistance), -I);
    const torque = (i: number) => gear * K * i * (i * back >= 0 ? motor.efficiency ?? 1 : 1 / (motor.efficiency ?? 1));
    range = [torque(low), torque(high)].sort((a, b) => a - b) as Range;
  }
  if (joint.effort === null) return range;
  return range ? [Math.max(range[0], -joint.effort), Math.min(range[1], joint.effort)] : [-joint.effort, joint.effort];
}

// The speed beyond which the motor can no longer drive, or the limit of speed of the joint; null: there is none.
function fastest(joint: Joint, motor: FileNode | undefined): number | null {
  const free = motor?.voltage === undefined ? Infinity : motor.voltage / Math.abs(motor.torque_constant * (motor.gear ?? 1));
  const least = Math.min(free, joint.velocity ?? Infinity);
  return Number.isFinite(least) ? least : null;
}

// Whether a row of a run is at a limit of position, speed, effort, voltage or current of a joint: all of them, or that of one group.
// motor: its current is computed from voltage and speed where it was not recorded.
// Null: it never is.
export function atLimit(run: Run, joint: Joint, k: number, only?: string, motor?: FileNode): ((row: number) => boolean) | null {
  const of = (key: string) => (only !== undefined && only !== key ? undefined : run.groups.get(key)?.curves.find((curve) => curve.joint === k)?.values);
  const checks: ((row: number) => boolean)[] = [];
  const most = (key: string, limit: number | null) => {
    const values = of(key);
    if (values && limit !== null && limit > 0 && values.size >= AT * limit) checks.push((row) => Math.abs(values.at(row)) >= AT * limit);
  };
  most('qd', joint.velocity);
  most('tau', joint.effort);
  most('v', joint.voltage);
  most('i', joint.current);
  const v = of('v'), qd = of('qd');
  if (motor && joint.current !== null && v && qd && !of('i')) {
    const K = motor.torque_constant * (motor.gear ?? 1), { current } = joint;
    checks.push((row) => Math.abs(v.at(row) - K * qd.at(row)) >= AT * current * motor.resistance);
  }
  const q = of('q');
  if (q && joint.lower !== null && joint.upper !== null) {
    const near = (1 - AT) * (joint.upper - joint.lower), { lower, upper } = joint;
    if (lower >= 0 || upper <= 0 || q.size >= Math.min(Math.abs(lower + near), Math.abs(upper - near))) checks.push((row) => q.at(row) <= lower + near || q.at(row) >= upper - near);
  }
  return checks.length > 0 ? (row) => checks.some((check) => check(row)) : null;
}

function nice(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count, size = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map((k) => k * size).find((one) => one >= raw)!;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}

// One plane of one joint on a canvas: what does not move is kept as a picture.
class PlanePlot {
  readonly element: HTMLElement;
  private canvas = make('canvas');
  private still = document.createElement('canvas');
  private axes: Axes = { x: [0, 1], y: [0, 1] };
  private at: (row: number) => boolean;

  constructor(private kind: Plane, private run: Run, private joint: Joint, private motor: FileNode | undefined, private x: Curve, private y: Curve, private seek: (t: number) => void) {
    this.at = atLimit(run, joint, y.joint, undefined, motor) ?? (() => false);
    const [along, up] = this.units();
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `${PLANES[kind]} of ${joint.name}`);
    this.element = make('figure', { class: 'plane' }, make('figcaption', {}, make('b', {}, joint.name), ` ${up.name} (${up.unit}) over ${along.name} (${along.unit})`), this.canvas);
    this.canvas.addEventListener('click', (event) => this.pick(event));
  }

  private units(): { name: string; unit: string; factor: number }[] {
    const base = this.joint.slides ? 'm' : 'rad', speed = { name: 'speed', ...inUnits(`${base}/s`) };
    return this.kind === 'phase' ? [{ name: 'position', ...inUnits(base) }, speed]
      : [speed, { name: this.joint.slides ? 'force' : 'torque', unit: this.joint.slides ? 'N' : 'N m', factor: 1 }];
  }

  private span(curve: Curve, more: number[]): Range {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < curve.values.length; ++i) { const value = curve.values.at(i); if (value < low) low = value; if (value > high) high = value; }
    low = Math.min(low, ...more);
    high = Math.max(high, ...more);
    const pad = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
    return [low - pad, high + pad];
  }

  // Points of the edge of what the drive can do, upper side first.
  private edge(): [number, number][] {
    const most = fastest(this.joint, this.motor) ?? Math.max(...this.span(this.x, [0]).map(Math.abs));
    const upper: [number, number][] = [], lower: [number, number][] = [];
    for (let k = -40; k <= 40; ++k) {
      const range = envelope(this.joint, this.motor, most * k / 40);
      if (!range || !range.every(Number.isFinite)) return [];
      upper.push([most * k / 40, range[1]]);
      lower.unshift([most * k / 40, range[0]]);
    }
    return [...upper, ...lower];
  }

  private place(x: number, y: number): [number, number] {
    const { clientWidth: width } = this.canvas, { axes } = this;
    return [LEFT + (width - LEFT - RIGHT) * (x - axes.x[0]) / (axes.x[1] - axes.x[0]), HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - axes.y[0]) / (axes.y[1] - axes.y[0])];
  }

  draw(t: number): void {
    const width = this.canvas.clientWidth, scale = Math.min(devicePixelRatio, 2);
    if (width === 0) return;
    for (const one of [this.canvas, this.still]) [one.width, one.height] = [width * scale, HEIGHT * scale];
    const edge = this.kind === 'speed' ? this.edge() : [];
    this.axes = { x: this.span(this.x, edge.map(([x]) => x)), y: this.span(this.y, edge.map(([, y]) => y)) };
    const context = this.still.getContext('2d')!, dark = prefersDark();
    context.scale(scale, scale);
    this.drawAxes(context, width, dark);
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP, width - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    context.clip();
    if (edge.length > 0) {
      context.fillStyle = dark ? 'rgba(86,180,233,.14)' : 'rgba(0,114,178,.09)';
      context.strokeStyle = dark ? '#9aa3ad' : '#6b7480';
      context.setLineDash([3, 3]);
      context.beginPath();
      edge.forEach(([x, y]) => context.lineTo(...this.place(x, y)));
      context.closePath();
      context.fill();
      context.stroke();
      context.setLineDash([]);
    }
    this.drawRun(context);
    context.restore();
    this.setTime(t);
  }

  private drawAxes(context: CanvasRenderingContext2D, width: number, dark: boolean): void {
    const [along, up] = this.units(), { x, y } = this.axes;
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = dark ? '#c6ccd3' : '#333a42';
    context.strokeStyle = dark ? '#2c333b' : '#dde2e7';
    context.textAlign = 'center';
    for (const tick of nice(x[0] * along.factor, x[1] * along.factor, width / 90)) {
      const [px] = this.place(tick / along.factor, 0);
      context.beginPath();
      context.moveTo(px, TOP);
      context.lineTo(px, HEIGHT - BOTTOM);
      context.stroke();
      context.fillText(shown(tick, 1e-9 * (x[1] - x[0]) * along.factor), px, HEIGHT - 8);
    }
    context.textAlign = 'right';
    for (const tick of nice(y[0] * up.factor, y[1] * up.factor, 5)) {
      const [, py] = this.place(0, tick / up.factor);
      context.beginPath();
      context.moveTo(LEFT, py);
      context.lineTo(width - RIGHT, py);
      context.stroke();
      context.fillText(shown(tick, 1e-9 * (y[1] - y[0]) * up.factor), LEFT - 5, py + 4);
    }
  }

  // At most so many stretches; one is at a limit if any of its rows is.
  private drawRun(context: CanvasRenderingContext2D): void {
    const rows = this.run.t.length, step = Math.max(1, Math.floor(rows / MOST_POINTS));
    for (let i = 0; i < rows - 1; i += step) {
      const end = Math.min(i + step, rows - 1);
      let limited = false;
      for (let k = i; k <= end && !limited; ++k) limited = this.at(k);
      context.strokeStyle = limited ? '#D55E00' : colour(0);
      context.lineWidth = limited ? 3 : 1.4;
      context.beginPath();
      context.moveTo(...this.place(this.x.values.at(i), this.y.values.at(i)));
      context.lineTo(...this.place(this.x.values.at(end), this.y.values.at(end)));
      context.stroke();
    }
  }

  setTime(t: number): void {
    const context = this.canvas.getContext('2d')!, scale = Math.min(devicePixelRatio, 2);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.still, 0, 0);
    context.scale(scale, scale);
    const [x, y] = this.place(this.run.between(this.x, t), this.run.between(this.y, t));
    context.fillStyle = prefersDark() ? '#ffffff' : '#000000';
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fill();
  }

  // Goes to the row nearest to the pointer.
  private pick(event: MouseEvent): void {
    const box = this.canvas.getBoundingClientRect(), rows = this.run.t.length, step = Math.max(1, Math.floor(rows / MOST_POINTS));
    let best = 0, least = Infinity;
    for (let i = 0; i < rows; i += step) {
      const [x, y] = this.place(this.x.values.at(i), this.y.values.at(i)), far = Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top);
      if (far < least) [least, best] = [far, i];
    }
    this.seek(this.run.t[best]);
  }
}

// The planes that are chosen, of the first run.
export class Planes {
  readonly element = make('div', { class: 'planes' });
  private plots: PlanePlot[] = [];

  constructor(private names: Names, private motors: (FileNode | undefined)[], private seek: (t: number) => void) {}

  // Planes that a run has: of joints with one freedom each, and torques if it has them.
  static of(run: Run | undefined): Plane[] {
    const has = (key: string) => run?.groups.has(key);
    return has('qd') ? [...(has('q') ? ['phase' as const] : []), ...(has('tau') ? ['speed' as const] : [])] : [];
  }

  rebuild(run: Run | undefined, kinds: Plane[], joints: Set<number>, t: number): void {
    this.plots = [];
    this.element.replaceChildren();
    for (const kind of run ? kinds : []) {
      this.names.joints.forEach((joint, k) => {
        if (!joint.alone || !joints.has(joint.index) || this.plots.length >= 16) return;
        const [first, second] = kind === 'phase' ? ['q', 'qd'] : ['qd', 'tau'];
        const x = run!.groups.get(first)?.curves.find((curve) => entriesOf(first, this.names)[curve.joint]?.index === joint.index);
        const y = run!.groups.get(second)?.curves.find((curve) => curve.joint === k);
        if (x && y) this.plots.push(new PlanePlot(kind, run!, joint, this.motors[joint.index], x, y, this.seek));
      });
    }
    this.element.append(...this.plots.map((one) => one.element));
    this.draw(t);
  }

  draw(t: number): void { this.plots.forEach((one) => one.draw(t)); }
  setTime(t: number): void { this.plots.forEach((one) => one.setTime(t)); }
}
