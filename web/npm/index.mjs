// SPDX-License-Identifier: MIT
// Dynamics of robots from YAML and URDF files, by the C library as WebAssembly, in node and in browsers.
const BADF = 8, NOENT = 44, NOSYS = 52, ROOT = 3; // ROOT: the descriptor of the only folder
const STATE = ['q', 'qd', 'qdd', 'tau'];
const decoder = new TextDecoder(), encoder = new TextEncoder();

// The only system service that the library needs: files, kept in memory.
class Files {
  texts = new Map();
  open = new Map();
  get view() { return new DataView(this.memory.buffer); }
  name(at, length) { return decoder.decode(new Uint8Array(this.memory.buffer, at, length)); }
  stat(at, bytes) {
    if (!bytes) return NOENT;
    const view = this.view;
    for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true);
    view.setUint8(at + 16, 4);
    view.setBigUint64(at + 32, BigInt(bytes.length), true);
    return 0;
  }
  read(file, vectors, count, result) {
    const from = this.open.get(file), view = this.view;
    if (!from) return BADF;
    let total = 0;
    for (let i = 0; i < count; ++i) {
      const to = view.getUint32(vectors + 8 * i, true), room = view.getUint32(vectors + 8 * i + 4, true);
      const part = from.bytes.subarray(from.at, from.at + room);
      new Uint8Array(this.memory.buffer).set(part, to);
      from.at += part.length;
      total += part.length;
    }
    view.setUint32(result, total, true);
    return 0;
  }
  seek(file, offset, whence, result) {
    const of = this.open.get(file);
    if (!of) return BADF;
    of.at = Number(offset) + [0, of.at, of.bytes.length][whence];
    this.view.setBigUint64(result, BigInt(of.at), true);
    return 0;
  }
  fdstat(file, at) {
    const view = this.view;
    view.setUint8(at, file === ROOT ? 3 : 4);
    view.setUint16(at + 2, 0, true);
    view.setBigUint64(at + 8, 0xffffffffn, true);
    view.setBigUint64(at + 16, 0xffffffffn, true);
    return file === ROOT || this.open.has(file) ? 0 : BADF;
  }
  openPath(path, length, result) {
    const bytes = this.texts.get(this.name(path, length));
    if (!bytes) return NOENT;
    let file = ROOT + 1;
    while (this.open.has(file)) ++file;
    this.open.set(file, { bytes, at: 0 });
    this.view.setUint32(result, file, true);
    return 0;
  }
  imports(names) {
    const none = (a, b) => (this.view.setUint32(a, 0, true), this.view.setUint32(b, 0, true), 0);
    const known = {
      environ_sizes_get: none,
      environ_get: () => 0,
      clock_time_get: (_id, _precision, at) => (this.view.setBigUint64(at, 0n, true), 0),
      fd_prestat_get: (file, at) => (file === ROOT ? none(at, at + 4) || (this.view.setUint32(at + 4, 1, true), 0) : BADF),
      fd_prestat_dir_name: (_file, at) => (this.view.setUint8(at, 0x2f), 0),
      fd_fdstat_get: (file, at) => this.fdstat(file, at),
      fd_filestat_get: (file, at) => this.stat(at, this.open.get(file)?.bytes),
      path_filestat_get: (_file, _flags, path, length, at) => this.stat(at, this.texts.get(this.name(path, length))),
      path_open: (_folder, _look, path, length, _o, _rights, _more, _flags, result) => this.openPath(path, length, result),
      fd_read: (file, vectors, count, result) => this.read(file, vectors, count, result),
      fd_seek: (file, offset, whence, result) => this.seek(file, offset, whence, result),
      fd_close: (file) => (this.open.delete(file) ? 0 : BADF),
    };
    return Object.fromEntries(names.map((name) => [name, known[name] ?? (() => NOSYS)]));
  }
}

let library; // one module for all robots

async function start(bytes) {
  const module = await WebAssembly.compile(bytes), files = new Files();
  const names = WebAssembly.Module.imports(module).map((one) => one.name);
  const { exports: call } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: files.imports(names) });
  files.memory = call.memory;
  call._initialize();
  const text = (at) => {
    const bytes = new Uint8Array(call.memory.buffer, at);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  };
  const questions = new Map();
  for (let i = 0; i < call.question_count(); ++i) questions.set(text(call.question_name(i)), i);
  return { call, files, text, questions };
}

async function own() {
  const url = new URL('linkwork.wasm', import.meta.url);
  if (url.protocol !== 'file:') return (await fetch(url)).arrayBuffer();
  return (await import('node:fs/promises')).readFile(url);
}

export class LinkworkError extends Error {}

// Reads a robot from text: YAML, JSON, URDF or MJCF by the end of the name. files: texts or bytes that it names, by path.
export async function load(name, text, files = {}) {
  const { call, files: store, text: textAt } = await (library ??= own().then(start));
  for (const [path, content] of [...Object.entries(files), [name, text]])
    store.texts.set(path.replace(/^\//, ''), typeof content === 'string' ? encoder.encode(content) : content);
  const path = encoder.encode(`/${name.replace(/^\//, '')}\0`), at = call.take_memory(path.length);
  new Uint8Array(call.memory.buffer, at, path.length).set(path);
  const handle = call.robot_open(at);
  call.give_memory(at);
  store.texts.clear();
  if (!handle) throw new LinkworkError(textAt(call.session_message()));
  return new Robot(await library, handle);
}

// In node: reads a file and, if it names others, what is in `files`.
export async function loadFile(path, files) {
  const { readFile } = await import('node:fs/promises');
  return load(path.split(/[\\/]/).pop(), await readFile(path, 'utf8'), files);
}

export async function questions() {
  return [...(await (library ??= own().then(start))).questions.keys()];
}

export class Robot {
  #library;
  #handle;
  #room = 0;
  #memory = 0;

  constructor(library, handle) {
    const { call, text } = library;
    this.#library = library;
    this.#handle = handle;
    this.name = text(call.robot_name(handle));
    this.dof = call.robot_dof(handle);
    this.nq = call.robot_nq(handle);
    this.joints = Array.from({ length: call.robot_joints(handle) }, (_, i) => text(call.robot_joint_name(handle, i)));
  }

  // Memory of count numbers, which stays for the next call.
  #take(count) {
    const { call } = this.#library;
    if (count > this.#room) {
      call.give_memory(this.#memory);
      this.#memory = call.take_memory(8 * count);
      this.#room = count;
      if (!this.#memory) throw new LinkworkError('out of memory');
    }
    return this.#memory;
  }

  #open() {
    if (!this.#handle) throw new LinkworkError('the robot is closed');
    return this.#handle;
  }

  neutral() {
    const at = this.#take(Math.max(this.nq, 1));
    this.#library.call.robot_neutral(this.#open(), at);
    return new Float64Array(this.#library.call.memory.buffer, at, this.nq).slice();
  }

  // The answer to a question, "inverse", with SI units and radians; what is left out of the state is 0, of q: neutral.
  answer(question, state = {}) {
    const { call, questions, text } = this.#library, handle = this.#open(), index = questions.get(question);
    if (index === undefined) throw new LinkworkError(`no question '${question}'; there are ${[...questions.keys()].join(', ')}`);
    const outputs = call.robot_outputs(handle, index);
    if (outputs < 0) throw new LinkworkError(text(call.session_message()));
    const sizes = [this.nq, this.dof, this.dof, this.dof, 6], inputs = sizes.reduce((a, b) => a + b);
    const given = new Float64Array(inputs);
    given.set(this.neutral());
    for (const name of Object.keys(state))
      if (!STATE.includes(name) && name !== 'wrench') throw new LinkworkError(`no input '${name}'; there are q, qd, qdd, tau, wrench`);
    for (let part = 0, from = 0; part < 5; from += sizes[part++]) {
      const name = STATE[part] ?? 'wrench', numbers = state[name];
      if (numbers === undefined) continue;
      if (numbers.length !== sizes[part]) throw new LinkworkError(`${name} has ${numbers.length} numbers, expected ${sizes[part]}`);
      given.set(numbers, from);
      if (given.subarray(from, from + sizes[part]).some((x) => !Number.isFinite(x))) throw new LinkworkError(`${name}: not all are finite numbers`);
    }
    const at = this.#take(inputs + outputs);
    new Float64Array(call.memory.buffer, at, inputs).set(given);
    call.robot_answer(handle, index, at, at + 8 * inputs);
    return new Float64Array(call.memory.buffer, at + 8 * inputs, outputs).slice();
  }

  close() {
    this.#library.call.robot_close(this.#handle);
    this.#library.call.give_memory(this.#memory);
    this.#handle = this.#memory = this.#room = 0;
  }
}
