// The C library as WebAssembly; its functions are in web/wasm/session.c.
import { bytesOfElement, inflate, type FileNode } from './data';
import { Files } from './wasi';

// Names of the library's questions.
export type Question = 'inverse' | 'forward' | 'inertia' | 'bias' | 'gravity' | 'coriolis' | 'energy' | 'pose' | 'jacobian'
  | 'poses' | 'velocities' | 'accelerations' | 'control';

// In the order of lwNoteKind in include/linkwork/arm.h, worded as in the audit.
export const NOTES = ['lower limit', 'upper limit', 'speed limit', 'effort limit', 'voltage limit', 'current limit',
  'stick', 'slip', 'leave', 'event'];

export const OPEN = 'its loops are open here';

const PLACE = 18; // numbers of a LinkPlace
export interface Place { p: number[]; R: number[]; axis: number[]; anchor: number[] }
export interface Reaction { force: number[]; torque: number[] }

export interface Method { number: number; name: string; question: number }

export interface Sample {
  t: number; kinetic: number; potential: number; work: number; S: number;
  q: Float64Array; qd: Float64Array; qdd: Float64Array; tau: Float64Array;
  v: Float64Array; i: Float64Array; friction: Float64Array;
}

type Exports = { memory: WebAssembly.Memory } & { [name: string]: (...args: number[]) => number };

// For a still, compiles on this thread: the browser takes the still as soon as this thread is idle.
async function compile(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  return location.hash === '#still' ? new WebAssembly.Module(bytes) : WebAssembly.compile(bytes);
}

export class Library {
  private constructor(readonly call: Exports, readonly files: Files) {}

  static async load(): Promise<Library> {
    const module = await compile(await inflate(bytesOfElement('wasm')));
    const files = new Files();
    const names = WebAssembly.Module.imports(module).map((one) => one.name);
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: files.imports(names) });
    const call = instance.exports as unknown as Exports;
    files.memory = call.memory;
    call._initialize();
    return new Library(call, files);
  }

  take(count: number): number {
    const at = this.call.take_memory(8 * Math.max(count, 1));
    if (!at) throw new Error('out of memory');
    return at;
  }

  give(at: number): void {
    this.call.give_memory(at);
  }

  numbers(at: number, count: number): Float64Array {
    return new Float64Array(this.call.memory.buffer, at, count);
  }

  text(at: number): string {
    const bytes = new Uint8Array(this.call.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  decodeColumn(planes: Uint8Array, rows: number, first: number, quantum: number): Float64Array {
    const from = this.take(rows), to = this.take(rows);
    new Uint8Array(this.call.memory.buffer, from, 8 * rows).set(planes);
    this.call.column_decode(from, rows, first, quantum, to);
    const values = this.numbers(to, rows).slice();
    this.give(from);
    this.give(to);
    return values;
  }

  // Calls a function with a string that is freed after the call.
  withText<T>(text: string, work: (at: number) => T): T {
    const bytes = new TextEncoder().encode(`${text}\0`), at = this.take(Math.ceil(bytes.length / 8));
    new Uint8Array(this.call.memory.buffer, at, bytes.length).set(bytes);
    try {
      return work(at);
    } finally {
      this.give(at);
    }
  }

  // The library's message about the last file, law or run that failed.
  refusal(): Error {
    return new Error(this.text(this.call.session_message()));
  }

  question(name: Question): number {
    return this.withText(name, (at) => this.call.question_find(at));
  }

  // The methods of the registry.
  methods(): Method[] {
    const found: Method[] = [];
    for (let number = 0, at = this.call.method_name(0); at; at = this.call.method_name(++number)) {
      found.push({ number, name: this.text(at), question: this.call.method_question(number) });
    }
    return found;
  }

  // Opens a scenario; throws the reader's message if it is refused.
  open(scenario: FileNode, robot: FileNode, files: { [name: string]: string }): Session {
    for (const [name, text] of Object.entries(files)) this.files.put(name, text);
    this.files.put('robot', JSON.stringify(robot));
    this.files.put('scenario', JSON.stringify(scenario));
    const handle = this.withText('scenario', (path) => this.call.session_open(path));
    if (!handle) throw this.refusal();
    return new Session(this, handle);
  }
}

// A scenario with its model: answers all questions about one robot.
export class Session {
  readonly looped: boolean; // the robot has closed loops
  readonly dof: number;
  readonly nq: number;
  readonly count: number;
  private questions = new Map<Question, number>();
  private at: { [name: string]: number } = {};
  private room: number; // numbers of an answer

  constructor(private readonly library: Library, private readonly handle: number) {
    this.looped = library.call.session_has_loops(handle) !== 0;
    this.dof = library.call.session_dof(handle);
    this.nq = library.call.session_nq(handle);
    this.count = library.call.session_count(handle);
    this.room = Math.max(this.dof * this.dof, 6 * this.dof, 12, this.nq + 6 * this.dof + 5, 6 * this.count, 3000);
    for (const name of ['q', 'qd', 'qdd', 'tau']) this.at[name] = library.take(this.nq);
    this.at.pose = library.take(12);
    this.at.out = library.take(this.room);
  }

  close(): void {
    this.library.call.session_close(this.handle);
    for (const at of Object.values(this.at)) this.library.give(at);
  }

  private put(name: string, values?: ArrayLike<number>): number {
    const to = this.library.numbers(this.at[name], name === 'pose' ? 12 : name === 'q' ? this.nq : this.dof);
    if (values) to.set(values);
    else to.fill(0);
    return this.at[name];
  }

  private out(count: number): Float64Array {
    return this.library.numbers(this.at.out, count).slice();
  }

  private makeRoom(question: number): void {
    const outputs = this.library.call.session_outputs(this.handle, question);
    if (outputs <= this.room) return;
    this.library.give(this.at.out);
    this.at.out = this.library.take(outputs);
    this.room = outputs;
  }

  answer(question: Question, state: { q: ArrayLike<number>; qd?: ArrayLike<number>; qdd?: ArrayLike<number>; tau?: ArrayLike<number> }): Float64Array {
    if (!this.questions.has(question)) {
      this.questions.set(question, this.library.question(question));
    }
    const number = this.questions.get(question)!;
    this.makeRoom(number);
    this.library.call.session_answer(this.handle, number, this.put('q', state.q), this.put('qd', state.qd),
      this.put('qdd', state.qdd), this.put('tau', state.tau), this.at.out);
    return this.out(this.library.call.session_outputs(this.handle, number));
  }

  // The answer of one method, computed as often as told; null: it cannot be asked of this robot.
  byMethod(slot: number, method: number, times: number, question: Question, state: { q: ArrayLike<number>; qd: ArrayLike<number>; qdd: ArrayLike<number>; tau: ArrayLike<number> }): Float64Array | null {
    const done = this.library.call.session_by_method(this.handle, slot, method, times, this.put('q', state.q), this.put('qd', state.qd),
      this.put('qdd', state.qdd), this.put('tau', state.tau), this.at.out);
    return done ? this.out(this.library.call.session_outputs(this.handle, this.library.question(question))) : null;
  }

  links(q: ArrayLike<number>): Place[] {
    const at = this.library.call.session_links(this.handle, this.put('q', q));
    const all = this.library.numbers(at, PLACE * this.count);
    return Array.from({ length: this.count }, (_, i) => {
      const one = Array.from(all.subarray(PLACE * i, PLACE * (i + 1)));
      return { p: one.slice(0, 3), R: one.slice(3, 12), axis: one.slice(12, 15), anchor: one.slice(15, 18) };
    });
  }

  // For the links of the last call of links().
  reactions(qd: ArrayLike<number>, qdd: ArrayLike<number>): Reaction[] {
    this.library.call.session_reactions(this.handle, this.put('qd', qd), this.put('qdd', qdd), this.at.out);
    const all = this.out(6 * this.count);
    return Array.from({ length: this.count }, (_, i) => ({
      force: Array.from(all.subarray(6 * i, 6 * i + 3)), torque: Array.from(all.subarray(6 * i + 3, 6 * i + 6)),
    }));
  }

  setTool(joint: number): void {
    this.library.call.session_tool(this.handle, joint);
  }

  singular(q: ArrayLike<number>): number {
    return this.library.call.session_singular(this.handle, this.put('q', q));
  }

  // Inverse kinematics: joint positions that bring the tool there, or as close as possible.
  reach(position: number[], rotation: ArrayLike<number> | null, q: ArrayLike<number>): { q: Float64Array; distance: number } {
    const target = this.put('pose', [...position, ...(rotation ? Array.from(rotation) : new Array(9).fill(0))]);
    const from = this.put('q', q);
    const distance = this.library.call.session_reach(this.handle, target, rotation ? target + 24 : 0, from);
    return { q: this.library.numbers(from, this.nq).slice(), distance };
  }

  // Whether a joint of the description is driven: all are in a robot without loops.
  isDriven(joint: number): boolean {
    return this.library.call.session_is_driven(this.handle, joint) !== 0;
  }

  // The file's configuration with its loops closed.
  start(): Float64Array {
    this.library.call.session_start(this.handle, this.at.q);
    return this.library.numbers(this.at.q, this.nq).slice();
  }

  // The closed configuration in which the driven joints are as in q, or as far as they get on the way from `from`.
  follow(from: ArrayLike<number>, q: ArrayLike<number>): { q: Float64Array; arrived: boolean } {
    const to = this.put('q', q);
    this.library.numbers(this.at.out, this.nq).set(from);
    const part = this.library.call.session_follow(this.handle, this.at.out, to);
    return { q: this.library.numbers(to, this.nq).slice(), arrived: part >= 1 };
  }

  // Torques of the drives that hold a robot with loops at rest; a sentence if there are none.
  hold(q: ArrayLike<number>): Float64Array | string {
    const found = this.library.call.session_hold(this.handle, this.put('q', q), this.at.tau);
    if (found > 0) return this.library.numbers(this.at.tau, this.dof).slice();
    return found < 0 ? 'its drives cannot hold it here' : OPEN;
  }

  // The controller's reference, or null.
  reference(t: number): Float64Array | null {
    const follows = this.library.call.session_reference(this.handle, t, this.at.q, this.at.qd, this.at.qdd);
    return follows ? this.library.numbers(this.at.q, this.nq).slice() : null;
  }

  duration(): number { return this.library.call.session_duration(this.handle); }
  record(): number { return this.library.call.session_record(this.handle); }

  begin(state?: { q: ArrayLike<number>; qd: ArrayLike<number> }): void {
    const q = state ? this.put('q', state.q) : 0, qd = state ? this.put('qd', state.qd) : 0;
    if (!this.library.call.run_begin(this.handle, q, qd)) throw this.library.refusal();
  }

  // 0: reached t; any other value: the run has ended.
  advance(t: number): number {
    return this.library.call.run_advance(this.handle, t);
  }

  sample(): Sample {
    this.library.call.run_sample(this.handle, this.at.out);
    const n = this.dof, first = 5 + this.nq, all = this.out(first + 6 * n);
    const part = (k: number) => all.slice(first + (k - 1) * n, first + k * n);
    const [t, kinetic, potential, work, S] = all;
    return { t, kinetic, potential, work, S, q: all.slice(5, first), qd: part(1), qdd: part(2), tau: part(3), v: part(4), i: part(5), friction: part(6) };
  }

  notes(): { t: number; kind: number; which: number }[] {
    const count = Math.min(this.library.call.run_notes(this.handle, 0, 1000, this.at.out), 1000);
    const all = this.out(3 * count);
    return Array.from({ length: count }, (_, i) => ({ t: all[3 * i], kind: all[3 * i + 1], which: all[3 * i + 2] }));
  }
}
