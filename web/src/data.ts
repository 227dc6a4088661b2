// The data that the program put into the page: JSON, and binary data that it refers to. Written by app/page/describe.c.

// Triangles in the binary data: corners of 3 numbers of 16 bits, which stand for low + step n, then 3
// numbers of 32 bits for each triangle.
export interface MeshData { offset: number; vertices: number; triangles: number; low: number[]; step: number; parts: { first: number; color: number[] }[] }

export interface Shape {
  kind: 'box' | 'cylinder' | 'sphere' | 'mesh' | string;
  size: number[];
  xyz: number[];
  R: number[];
  color: number[]; // red, green, blue, opacity; opacity 0: none is given
  mesh?: MeshData;
}

export interface Link {
  name: string;
  mass: number;
  com: number[];
  inertia: number[]; // xx yy zz xy xz yz, about com
  shapes: Shape[];
}

// An entry of q (in `positions`), or of qd, qdd and tau (in `joints`). Quaternions make q longer than qd.
export interface Joint {
  name: string; // of its column: elbow, or base.x for a joint with several degrees of freedom
  index: number; // of its joint in the robot description
  slides: boolean;
  quaternion: boolean; // one of x y z w, in this order
  alone: boolean; // the joint has one degree of freedom
  lower: number | null;
  upper: number | null;
  velocity: number | null;
  effort: number | null;
  voltage: number | null;
  current: number | null;
}

export interface ColumnData { name: string; offset: number; first: number; quantum: number; size: number | null }
export interface Note { t: number; what: string; who: string }
export interface RunData { name: string; rows: number; notes: Note[]; columns: ColumnData[] }

// Scenario and robot files as JSON: their keys are those of docs/formats.md.
export type FileNode = { [key: string]: any };

export interface PageData {
  version: string;
  title: string;
  file: string;
  command: string[];
  source: string | null;
  robot?: FileNode;
  scenario?: FileNode;
  files?: { [name: string]: string };
  parents?: number[];
  joints?: Joint[];
  positions?: Joint[];
  links?: Link[]; // the base first
  snake?: (number | null)[][]; // of each link, as in FIELDS of snake_session.ts; null: not limited
  runs: RunData[];
  bits: number; // kept of each column's range; 0: exact
  missing_meshes: number;
}

export interface Contents { data: PageData; bytes: Uint8Array<ArrayBuffer> }

export function bytesOfElement(id: string): Uint8Array<ArrayBuffer> {
  const text = document.getElementById(id)!.textContent!.trim();
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Decompresses zlib data; returns anything else unchanged.
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if ((bytes[0] & 0x0f) !== 8 || ((bytes[0] << 8) | bytes[1]) % 31 !== 0) return bytes;
  // No Blob here: another process would deliver it, and the browser takes the still as soon as this thread is idle.
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (to) => { to.enqueue(bytes); to.close(); } });
  const reader = source.pipeThrough(new DecompressionStream('deflate')).getReader(), parts: Uint8Array[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => { all.set(part, at); return at + part.length; }, 0);
  return all;
}

export async function readContents(): Promise<Contents> {
  const all = await inflate(bytesOfElement('data'));
  const length = Number(new DataView(all.buffer).getBigUint64(8, true));
  const text = new TextDecoder().decode(all.subarray(16, 16 + length));
  return { data: JSON.parse(text), bytes: all.subarray(16 + Math.ceil(length / 8) * 8) };
}
