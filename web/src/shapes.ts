// What links look like: the shapes of the file or, if it has none, a drawing of the arm made of a
// pedestal, housings at the joints along their axes, tapered tubes between them, and a gripper mark.
// Everything of a link becomes one geometry, with a colour at each corner.
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Link, MeshData, Shape } from './data';

export function matrixOf(p: ArrayLike<number>, R: ArrayLike<number>): THREE.Matrix4 {
  return new THREE.Matrix4().set(R[0], R[1], R[2], p[0], R[3], R[4], R[5], p[1], R[6], R[7], R[8], p[2], 0, 0, 0, 1);
}

// --- principal axes, by Jacobi rotations

export interface Principal { moments: number[]; axes: THREE.Matrix4 }

export function principal(I: number[]): Principal {
  const a = [[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]];
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 20; ++sweep) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (a[p][q] === 0) continue;
      const angle = 0.5 * Math.atan2(2 * a[p][q], a[p][p] - a[q][q]);
      const c = Math.cos(angle), s = Math.sin(angle);
      for (let k = 0; k < 3; ++k) [a[k][p], a[k][q]] = [c * a[k][p] + s * a[k][q], c * a[k][q] - s * a[k][p]];
      for (let k = 0; k < 3; ++k) [a[p][k], a[q][k]] = [c * a[p][k] + s * a[q][k], c * a[q][k] - s * a[p][k]];
      for (let k = 0; k < 3; ++k) [v[k][p], v[k][q]] = [c * v[k][p] + s * v[k][q], c * v[k][q] - s * v[k][p]];
    }
  }
  const axes = new THREE.Matrix4().set(v[0][0], v[0][1], v[0][2], 0, v[1][0], v[1][1], v[1][2], 0, v[2][0], v[2][1], v[2][2], 0, 0, 0, 0, 1);
  if (axes.determinant() < 0) axes.multiply(new THREE.Matrix4().makeScale(1, 1, -1));
  return { moments: [a[0][0], a[1][1], a[2][2]], axes };
}

// Half sides of the box, or half axes of the ellipsoid, of a mass with these principal moments.
export function extents(moments: number[], mass: number, kind: 'box' | 'ellipsoid'): number[] {
  const factor = kind === 'box' ? 1.5 : 2.5;
  const [x, y, z] = moments;
  return [y + z - x, x + z - y, x + y - z].map((twice) => Math.sqrt(Math.max(factor * twice / mass, 0)));
}

// --- colours

export const PALETTE = { tube: 0xdde2e8, housing: 0x3d72b4, base: 0x3f464e, gripper: 0x2b3036 };
const BARE = [0xc9d0d8, 0xb7bfc9]; // of shapes without a colour, link by link

// The same colour at all corners; drops what cannot be merged.
export function painted(form: THREE.BufferGeometry, colour: THREE.ColorRepresentation): THREE.BufferGeometry {
  const flat = form.index ? form.toNonIndexed() : form, count = flat.getAttribute('position').count;
  const { r, g, b } = new THREE.Color(colour), colours = new Float32Array(3 * count);
  for (let i = 0; i < count; ++i) colours.set([r, g, b], 3 * i);
  flat.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  for (const name of Object.keys(flat.attributes)) if (!['position', 'normal', 'color'].includes(name)) flat.deleteAttribute(name);
  return flat;
}

// --- shapes of the file

// The other shapes of parts files, in the frames defined in include/linkwork/parts.h.
function solidGeometry(kind: string, [a, b, c, d]: number[]): THREE.BufferGeometry | null {
  const half = Math.PI / 2;
  const upright = (form: THREE.BufferGeometry, height: number) => form.rotateX(half).translate(0, 0, height / 2);
  const extruded = (outline: THREE.Shape, length: number) =>
    new THREE.ExtrudeGeometry(outline, { depth: length, bevelEnabled: false, curveSegments: 32 }).translate(0, 0, -length / 2);
  switch (kind) {
    case 'tube': {
      const ring = new THREE.Shape().absarc(0, 0, a, 0, 2 * Math.PI);
      if (b > 0) ring.holes.push(new THREE.Path().absarc(0, 0, b, 0, 2 * Math.PI));
      return extruded(ring, c);
    }
    case 'semi-cylinder': return extruded(new THREE.Shape().absarc(0, 0, a, 0, Math.PI), b);
    case 'cone': return upright(new THREE.ConeGeometry(a, b, 40), b);
    case 'frustum': return upright(new THREE.CylinderGeometry(b, a, c, 40), c);
    case 'hemisphere': return new THREE.SphereGeometry(a, 32, 16, 0, 2 * Math.PI, 0, half).rotateX(half);
    case 'spherical-shell': return new THREE.SphereGeometry(a, 32, 20);
    case 'triangular-prism': return extruded(new THREE.Shape([new THREE.Vector2(0, 0), new THREE.Vector2(a, 0), new THREE.Vector2(c, b)]), d);
    case 'torus': return new THREE.TorusGeometry(a, b, 20, 48);
    default: return null;
  }
}

const CREASE = Math.cos(35 * Math.PI / 180); // faces that meet at a larger angle have an edge between them

// Corners with the normals of the faces around them that continue their own.
function creased(points: Float32Array, index: Uint32Array): THREE.BufferGeometry {
  const count = index.length / 3, normals = new Float32Array(index.length), lengths = new Float32Array(count);
  for (let t = 0; t < count; ++t) {
    const [a, b, c] = [0, 1, 2].map((i) => 3 * index[3 * t + i]);
    const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    normals[3 * t] = x; normals[3 * t + 1] = y; normals[3 * t + 2] = z;
    lengths[t] = Math.hypot(x, y, z) || 1;
  }
  const first = new Uint32Array(points.length / 3 + 1), faces = new Uint32Array(index.length);
  for (const vertex of index) ++first[vertex + 1];
  for (let i = 1; i < first.length; ++i) first[i] += first[i - 1];
  const next = first.slice();
  index.forEach((vertex, corner) => { faces[next[vertex]++] = Math.floor(corner / 3); });
  const places = new Float32Array(3 * index.length), directions = new Float32Array(3 * index.length);
  index.forEach((vertex, corner) => {
    const own = Math.floor(corner / 3);
    let x = 0, y = 0, z = 0;
    for (let k = first[vertex]; k < first[vertex + 1]; ++k) {
      const f = faces[k], dot = normals[3 * f] * normals[3 * own] + normals[3 * f + 1] * normals[3 * own + 1] + normals[3 * f + 2] * normals[3 * own + 2];
      if (dot < CREASE * lengths[f] * lengths[own]) continue;
      x += normals[3 * f]; y += normals[3 * f + 1]; z += normals[3 * f + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    for (let k = 0; k < 3; ++k) places[3 * corner + k] = points[3 * vertex + k];
    directions[3 * corner] = x / length; directions[3 * corner + 1] = y / length; directions[3 * corner + 2] = z / length;
  });
  return new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(places, 3)).setAttribute('normal', new THREE.BufferAttribute(directions, 3));
}

// A mesh with the colour of its shape, else with its own.
function meshGeometry(mesh: MeshData, shape: Shape, bytes: Uint8Array, bare: number): THREE.BufferGeometry {
  const corners = new Uint16Array(bytes.slice(mesh.offset, mesh.offset + 6 * mesh.vertices).buffer), points = new Float32Array(corners.length);
  const start = mesh.offset + Math.ceil(6 * mesh.vertices / 4) * 4, index = new Uint32Array(bytes.slice(start, start + 12 * mesh.triangles).buffer);
  corners.forEach((corner, i) => { points[i] = (mesh.low[i % 3] + mesh.step * corner) * shape.size[i % 3]; });
  if (shape.size[0] * shape.size[1] * shape.size[2] < 0) for (let i = 0; i < index.length; i += 3) [index[i], index[i + 1]] = [index[i + 1], index[i]];
  const form = painted(creased(points, index), colourOf(shape, bare)), colours = form.getAttribute('color') as THREE.BufferAttribute;
  if (shape.color[3] > 0) return form;
  mesh.parts.forEach((part, k) => {
    const [r, g, b, opacity] = part.color, { r: x, g: y, b: z } = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
    const end = mesh.parts[k + 1]?.first ?? mesh.triangles;
    for (let i = 3 * part.first; opacity > 0 && i < 3 * end; ++i) colours.setXYZ(i, x, y, z);
  });
  return form;
}

function colourOf(shape: Shape, bare: number): THREE.Color {
  const [r, g, b, opacity] = shape.color;
  return opacity > 0 ? new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace) : new THREE.Color(bare);
}

function geometry(shape: Shape, bytes: Uint8Array, bare: number): THREE.BufferGeometry | null {
  const [a, b, c] = shape.size, colour = colourOf(shape, bare);
  if (shape.mesh) return meshGeometry(shape.mesh, shape, bytes, bare);
  const form = shape.kind === 'box' ? new THREE.BoxGeometry(a, b, c) : shape.kind === 'sphere' ? new THREE.SphereGeometry(a, 32, 20)
    : shape.kind === 'cylinder' ? new THREE.CylinderGeometry(a, a, b, 40).rotateX(Math.PI / 2) : solidGeometry(shape.kind, shape.size);
  return form && painted(form, colour);
}

// The shapes of a link as one geometry; null if it has none.
export function drawnShapes(link: Link, bytes: Uint8Array, i: number): THREE.BufferGeometry | null {
  const forms = link.shapes.flatMap((shape) => {
    const form = geometry(shape, bytes, BARE[i % 2]);
    return form ? [form.applyMatrix4(matrixOf(shape.xyz, shape.R))] : [];
  });
  return forms.length > 0 ? mergeGeometries(forms) : null;
}

// --- drawings of links without shapes

const UP = new THREE.Vector3(0, 1, 0); // along which three.js makes cylinders

// Between two points, with a radius at each end.
export function tube(from: THREE.Vector3, to: THREE.Vector3, first: number, last: number, sides = 28): THREE.BufferGeometry {
  const along = to.clone().sub(from), turn = new THREE.Quaternion().setFromUnitVectors(UP, along.clone().normalize());
  return new THREE.CylinderGeometry(last, first, along.length(), sides).applyMatrix4(
    new THREE.Matrix4().compose(from.clone().addScaledVector(along, 0.5), turn, new THREE.Vector3(1, 1, 1)));
}

// A drum around an axis, with chamfered ends.
export function drum(middle: THREE.Vector3, axis: THREE.Vector3, radius: number, length: number): THREE.BufferGeometry {
  const h = length / 2, c = Math.min(0.18 * radius, 0.3 * h);
  const outline = [[0, -h], [radius - c, -h], [radius, c - h], [radius, h - c], [radius - c, h], [0, h]].map(([x, y]) => new THREE.Vector2(x, y));
  const form = new THREE.LatheGeometry(outline, 36).toNonIndexed();
  form.computeVertexNormals();
  smoothAround(form);
  return form.applyMatrix4(new THREE.Matrix4().compose(middle, new THREE.Quaternion().setFromUnitVectors(UP, axis.clone().normalize()), new THREE.Vector3(1, 1, 1)));
}

// Normals of a lathe without seams between its sides: those of its outline, turned around y.
function smoothAround(form: THREE.BufferGeometry): void {
  const place = form.getAttribute('position'), normal = form.getAttribute('normal');
  for (let i = 0; i < place.count; ++i) {
    const out = Math.hypot(place.getX(i), place.getZ(i)), level = normal.getY(i), flat = Math.sqrt(Math.max(0, 1 - level * level));
    if (out > 1e-9) normal.setXYZ(i, flat * place.getX(i) / out, level, flat * place.getZ(i) / out);
  }
}

export function ball(middle: THREE.Vector3, radius: number): THREE.BufferGeometry {
  return new THREE.SphereGeometry(radius, 28, 18).translate(middle.x, middle.y, middle.z);
}

// A box between two points, square across.
export function beam(from: THREE.Vector3, to: THREE.Vector3, width: number): THREE.BufferGeometry {
  const along = to.clone().sub(from), turn = new THREE.Quaternion().setFromUnitVectors(UP, along.clone().normalize());
  return new THREE.BoxGeometry(width, along.length(), width).applyMatrix4(
    new THREE.Matrix4().compose(from.clone().addScaledVector(along, 0.5), turn, new THREE.Vector3(1, 1, 1)));
}

// A palm and two fingers that point along a direction.
export function gripper(at: THREE.Vector3, along: THREE.Vector3, size: number): THREE.BufferGeometry[] {
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.clone().normalize());
  const place = new THREE.Matrix4().compose(at, turn, new THREE.Vector3(1, 1, 1));
  const box = (x: number, y: number, z: number, dx: number, dz: number) => new THREE.BoxGeometry(x, y, z).translate(dx, 0, dz).applyMatrix4(place);
  const finger = (side: number) => box(0.2 * size, 0.34 * size, 0.9 * size, side * 0.42 * size, 0.75 * size);
  return [box(1.1 * size, 0.5 * size, 0.3 * size, 0, 0.15 * size), finger(-1), finger(1)];
}

// A box with the inertia of a link, no larger than `most`.
export function equalBox(link: Link, most: number): THREE.BufferGeometry | null {
  if (!(link.mass > 0)) return null;
  const { moments, axes } = principal(link.inertia);
  const sides = extents(moments, link.mass, 'box').map((half) => Math.min(2 * half, most));
  const least = (sides[0] + sides[1] + sides[2]) / 60; // keeps a rod of zero width visible
  if (!(least > 0)) return null;
  const [x, y, z] = sides.map((side) => Math.max(side, least));
  return new THREE.BoxGeometry(x, y, z).applyMatrix4(axes.clone().setPosition(link.com[0], link.com[1], link.com[2]));
}

// The edges of a geometry that are to be seen; null if it is too large for them to be looked for.
export function edges(form: THREE.BufferGeometry): THREE.EdgesGeometry | null {
  return form.getAttribute('position').count > 30000 ? null : new THREE.EdgesGeometry(form, 40);
}
