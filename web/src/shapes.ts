// Shapes of links: those of the file or, if it has none, capsules between joints and boxes of equal inertia.
import * as THREE from 'three';
import type { Link, Shape } from './data';

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

function geometry(shape: Shape, bytes: Uint8Array): THREE.BufferGeometry | null {
  const [a, b, c] = shape.size;
  if (shape.kind === 'box') return new THREE.BoxGeometry(a, b, c);
  if (shape.kind === 'sphere') return new THREE.SphereGeometry(a, 32, 20);
  if (shape.kind === 'cylinder') return new THREE.CylinderGeometry(a, a, b, 40).rotateX(Math.PI / 2);
  const solid = solidGeometry(shape.kind, shape.size);
  if (solid) return solid;
  if (shape.offset === undefined) return null;
  const corners = new Float32Array(bytes.slice(shape.offset, shape.offset + 4 * shape.count!).buffer);
  const mesh = new THREE.BufferGeometry();
  mesh.setAttribute('position', new THREE.BufferAttribute(corners, 3));
  mesh.scale(a, b, c);
  mesh.computeVertexNormals();
  return mesh;
}

// The visual shapes, else the collision shapes; nothing if none can be drawn.
export function drawnShapes(link: Link, bytes: Uint8Array, material: THREE.Material): THREE.Object3D[] {
  for (const visual of [true, false]) {
    const found: THREE.Object3D[] = [];
    for (const shape of link.shapes.filter((one) => one.visual === visual)) {
      const form = geometry(shape, bytes);
      if (!form) continue;
      const mesh = new THREE.Mesh(form, material);
      mesh.applyMatrix4(matrixOf(shape.xyz, shape.R));
      found.push(mesh);
    }
    if (found.length > 0) return found;
  }
  return [];
}

// --- substitutes for missing shapes

export function capsule(from: THREE.Vector3, to: THREE.Vector3, radius: number, material: THREE.Material): THREE.Mesh {
  const along = to.clone().sub(from), length = along.length();
  const mesh = new THREE.Mesh(new THREE.CapsuleGeometry(radius, length, 6, 16), material);
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  return mesh;
}

export function equalBox(link: Link, material: THREE.Material): THREE.Mesh | null {
  if (!(link.mass > 0)) return null;
  const { moments, axes } = principal(link.inertia);
  const [x, y, z] = extents(moments, link.mass, 'box').map((half) => 2 * half);
  if (!(x + y + z > 0)) return null;
  const least = (x + y + z) / 60; // keeps a rod of zero width visible
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(Math.max(x, least), Math.max(y, least), Math.max(z, least)), material);
  mesh.applyMatrix4(axes.clone().setPosition(link.com[0], link.com[1], link.com[2]));
  return mesh;
}
