// Recordings: columns over time, in groups.
import { CHUNK, Column } from './plots/column';
import type { Contents, Joint, Note } from './data';
import type { Library, Sample } from './library';

// quantum: what the values were rounded to when they were stored; 0: they are as recorded.
export interface Curve { name: string; label: string; joint: number; values: Column; quantum: number }
export interface Group { key: string; curves: Curve[] }

export class Run {
  readonly groups = new Map<string, Group>();

  constructor(readonly name: string, readonly t: Float64Array, readonly notes: Note[]) {}

  add(key: string, curve: Curve): void {
    if (!this.groups.has(key)) this.groups.set(key, { key, curves: [] });
    this.groups.get(key)!.curves.push(curve);
  }

  get end(): number { return this.t[this.t.length - 1]; }

  // The last row at or before time t.
  row(t: number): number {
    let low = 0, high = this.t.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Decodes a chunk that playback will need after this row, one in each call.
  prefetch(row: number): void {
    const k = Math.floor(row / CHUNK) + 1;
    if (CHUNK * k >= this.t.length || row % CHUNK < CHUNK / 2) return;
    for (const { curves } of this.groups.values()) {
      const next = curves.find((curve) => !curve.values.has(k));
      if (next) { next.values.part(k); return; }
    }
  }

  // A curve at time t, interpolated linearly between rows.
  between(curve: Curve, t: number): number {
    const i = this.row(t), j = Math.min(i + 1, this.t.length - 1);
    const gap = this.t[j] - this.t[i];
    const part = gap > 0 ? Math.min(Math.max((t - this.t[i]) / gap, 0), 1) : 0;
    return part === 0 ? curve.values.at(i) : curve.values.at(i) * (1 - part) + curve.values.at(j) * part;
  }

  // What the entries of a group were rounded to.
  quanta(key: string, count: number): Float64Array {
    const quanta = new Float64Array(count);
    this.groups.get(key)?.curves.forEach((curve) => { if (curve.joint >= 0 && curve.joint < count) quanta[curve.joint] = curve.quantum; });
    return quanta;
  }

  // Values of a group at time t; null if the run has no such group.
  at(key: string, t: number, count: number): Float64Array | null {
    const group = this.groups.get(key);
    if (!group) return null;
    const values = new Float64Array(count);
    group.curves.forEach((curve) => {
      if (curve.joint >= 0 && curve.joint < count) values[curve.joint] = this.between(curve, t);
    });
    return values;
  }
}

const noise = new WeakMap<Curve, number>();

// What is rounding in a column: values below it read 0.
export function noiseOf(curve: Curve): number {
  if (!noise.has(curve)) noise.set(curve, Math.max(1e-12 * curve.values.size, 1e-20));
  return noise.get(curve)!;
}

const ENERGIES = new Set(['kinetic', 'potential', 'work', 'S']);

// Entries of q, qd and tau have different names for a joint with several degrees of freedom: base.x, base.vx, base.fx.
export interface Names { positions: Joint[]; joints: Joint[] }

export function entriesOf(key: string, names: Names): Joint[] {
  return key === 'q' || key === 'q_ref' ? names.positions : names.joints;
}

function entryNamed(key: string, name: string, names: Names): number {
  const entries = entriesOf(key, names), force = /^(.*\.)([fn])([xyz])$/.exec(name);
  const found = entries.findIndex((one) => one.name === name);
  return found < 0 && force ? entries.findIndex((one) => one.name === `${force[1]}${force[2] === 'f' ? 'v' : 'w'}${force[3]}`) : found;
}

// "qd3" and "qd.elbow" belong to group qd, joint 2; any other column is a group of its own.
function place(name: string, names: Names): { key: string; joint: number } {
  const point = name.indexOf('.');
  if (point > 0) return { key: name.slice(0, point), joint: entryNamed(name.slice(0, point), name.slice(point + 1), names) };
  if (/^r[1-3][1-3]$/.test(name)) return { key: 'orientation', joint: -1 };
  const numbered = /^([A-Za-z_]+)([0-9]+)$/.exec(name);
  if (numbered) return { key: numbered[1], joint: Number(numbered[2]) - 1 };
  if (/^([xyz]|roll|pitch|yaw)$/.test(name)) return { key: /^[xyz]$/.test(name) ? 'place' : 'orientation', joint: -1 };
  return { key: ENERGIES.has(name) ? 'energy' : name, joint: -1 };
}

// Adds the drive power, tau qd, to recordings that lack it.
function derive(run: Run, joints: Joint[]): void {
  const qd = run.groups.get('qd'), tau = run.groups.get('tau');
  if (!qd || !tau || run.groups.has('power')) return;
  for (const force of tau.curves) {
    const speed = qd.curves.find((curve) => curve.joint === force.joint);
    if (!speed) continue;
    const values = force.values.map((value, i) => value * speed.values.at(i), force.values.size * speed.values.size);
    const quantum = force.values.size * speed.quantum + speed.values.size * force.quantum;
    run.add('power', { name: `power${force.joint + 1}`, label: joints[force.joint]?.name ?? force.label, joint: force.joint, values, quantum });
  }
}

export function readRuns(contents: Contents, library: Library): Run[] {
  const names = { joints: contents.data.joints ?? [], positions: contents.data.positions ?? [] };
  return contents.data.runs.map((data) => {
    const decoded = data.columns.map((column) => ({
      name: column.name, quantum: column.quantum,
      values: new Column(data.rows, column.size ?? 0, (k) => {
        const count = Math.min(CHUNK, data.rows - CHUNK * k), from = column.offset + 8 * CHUNK * k;
        return library.decodeColumn(contents.bytes.subarray(from, from + 8 * count), count, column.first, column.quantum);
      }),
    }));
    const run = new Run(data.name, decoded.find((column) => column.name === 't')!.values.all(), data.notes);
    for (const { name, values, quantum } of decoded) {
      if (name === 't') continue;
      const { key, joint } = place(name, names);
      run.add(key, { name, label: entriesOf(key, names)[joint]?.name ?? name, joint, values, quantum });
    }
    derive(run, names.joints);
    return run;
  });
}

// A run made of samples simulated in the page.
export function runOfSamples(name: string, samples: Sample[], notes: Note[], names: Names, reference: (t: number) => Float64Array | null): Run {
  const run = new Run(name, Float64Array.from(samples, (one) => one.t), notes);
  for (const key of ['q', 'qd', 'qdd', 'tau', 'v', 'i'] as const) {
    entriesOf(key, names).forEach((joint, k) => {
      const values = Float64Array.from(samples, (one) => one[key][k]);
      if ((key === 'v' || key === 'i') && values.every((value) => value === 0)) return;
      run.add(key, { name: key + (k + 1), label: joint.name, joint: k, values: Column.of(values), quantum: 0 });
    });
  }
  for (const key of ['kinetic', 'potential', 'work', 'S'] as const) {
    run.add('energy', { name: key, label: key, joint: -1, values: Column.of(Float64Array.from(samples, (one) => one[key])), quantum: 0 });
  }
  addReference(run, names, reference);
  derive(run, names.joints);
  return run;
}

// Adds the controller's reference and the tracking error to a run that lacks them.
export function addReference(run: Run, names: Names, reference: (t: number) => Float64Array | null): void {
  if (run.groups.has('q_ref') || !run.groups.has('q') || !reference(0)) return;
  const rows = Array.from(run.t, (t) => reference(t)!), turns = names.positions.some((one) => one.quaternion);
  for (const curve of run.groups.get('q')!.curves) {
    if (curve.joint < 0) continue;
    const wanted = Float64Array.from(rows, (row) => row[curve.joint]);
    const label = names.positions[curve.joint].name;
    run.add('q_ref', { name: `q_ref${curve.joint + 1}`, label, joint: curve.joint, values: Column.of(wanted), quantum: 0 });
    if (!turns) run.add('q_err', { name: `q_err${curve.joint + 1}`, label, joint: curve.joint, values: Column.of(wanted.map((value, i) => value - curve.values.at(i))), quantum: curve.quantum });
  }
}
