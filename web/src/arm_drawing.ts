// The drawing of an arm whose links have no shapes, link by link.
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { wheelForms, type ArmForm } from './arm_view';
import { ball, beam, drum, equalBox, gripper, matrixOf, painted, PALETTE, tube } from './shapes';

const vector = (v: ArrayLike<number>) => new THREE.Vector3(v[0], v[1], v[2]);

export class ArmDrawing {
  private radii: number[]; // at each joint, falling from the base outward
  private children: number[][]; // of the base, then of each joint

  constructor(private form: ArmForm) {
    const { rest, parents, size } = form, far = new Array<number>(rest.length).fill(0);
    rest.forEach((place, i) => {
      const from = parents[i] < 0 ? [0, 0, 0] : rest[parents[i]].anchor;
      far[i] = (parents[i] < 0 ? 0 : far[parents[i]]) + Math.hypot(...place.anchor.map((x, k) => x - from[k]));
    });
    const most = Math.max(...far, 1e-9), thin = Math.min(1, 12 / Math.max(rest.length, 1));
    this.radii = far.map((one) => size * (0.058 - 0.032 * one / most) * Math.max(thin, 0.35) * (this.form.slim ? 0.5 : 1));
    this.children = [-1, ...rest.keys()].map((joint) => parents.flatMap((parent, child) => (parent === joint ? [child] : [])));
  }

  // Points and directions of the zero position in the frame of a link.
  private local(joint: number): { point(p: number[]): THREE.Vector3; direction(v: number[]): THREE.Vector3 } {
    const place = joint >= 0 ? this.form.rest[joint] : null;
    const own = place ? matrixOf(place.p, place.R).invert() : new THREE.Matrix4();
    return { point: (p) => vector(p).applyMatrix4(own), direction: (v) => vector(v).transformDirection(own) };
  }

  // Along the axis of the joint, then across to the end, as an arm is built.
  private route(from: THREE.Vector3, axis: THREE.Vector3 | null, to: THREE.Vector3, first: number, last: number): THREE.BufferGeometry[] {
    const least = 0.6 * first, way = to.clone().sub(from), up = axis ? way.dot(axis) : 0;
    if (way.length() < least) return [];
    const corner = axis ? from.clone().addScaledVector(axis, up) : from, across = to.distanceTo(corner);
    if (!axis || Math.abs(up) < least || across < least) return [tube(from, to, first, last)];
    const middle = (first + last) / 2;
    return [tube(from, corner, first, middle), ball(corner, 1.02 * middle), tube(corner, to, middle, last)];
  }

  private pedestal(): THREE.BufferGeometry[] {
    const first = this.children[0].filter((child) => this.form.kinds[child] !== 'free');
    if (first.length === 0) return [];
    const r = Math.max(...first.map((child) => this.radii[child])), origin = new THREE.Vector3(), z = new THREE.Vector3(0, 0, 1);
    const low = first.some((child) => this.form.kinds[child] === 'turns' && vector(this.form.rest[child].anchor).length() < 1.2 * r) ? -2.4 * r : 0; // the housing is above the plate
    const found = [painted(drum(new THREE.Vector3(0, 0, low + 0.2 * r), z, 2.1 * r, 0.4 * r), PALETTE.base)];
    for (const child of first) {
      const to = vector(this.form.rest[child].anchor);
      if (this.form.kinds[child] === 'slides') continue;
      if (to.length() < 1.2 * r) found.push(painted(tube(new THREE.Vector3(0, 0, low), new THREE.Vector3(0, 0, -1.2 * r), 1.6 * r, 1.25 * r), PALETTE.base));
      else found.push(...this.route(origin, z, to, 1.5 * r, 1.15 * r).map((form) => painted(form, PALETTE.base)));
    }
    return found;
  }

  // What turns or slides with the joint.
  private housing(joint: number, at: THREE.Vector3, axis: THREE.Vector3): THREE.BufferGeometry[] {
    const r = this.radii[joint], kind = this.form.kinds[joint];
    if (kind === 'turns') return [painted(drum(at, axis, 1.2 * r, 2.7 * r), PALETTE.housing), painted(drum(at, axis, 0.62 * r, 2.95 * r), PALETTE.gripper)];
    if (kind === 'ball') return [painted(ball(at, 1.35 * r), PALETTE.housing)];
    if (kind !== 'slides') return [];
    const back = Math.sign(this.form.travel[joint]) * Math.min(Math.abs(this.form.travel[joint]), 0.5 * this.form.size) || r;
    return [painted(beam(at.clone().addScaledVector(axis, -back), at.clone().addScaledVector(axis, Math.sign(back) * r), 1.3 * r), PALETTE.tube)];
  }

  // The sleeve in which a child slides stays with its parent.
  private sleeves(joint: number): THREE.BufferGeometry[] {
    const { point, direction } = this.local(joint);
    return this.children[joint + 1].filter((child) => this.form.kinds[child] === 'slides').map((child) => {
      const at = point(this.form.rest[child].anchor), axis = direction(this.form.rest[child].axis), r = this.radii[child];
      return painted(beam(at.clone().addScaledVector(axis, -1.6 * r), at.clone().addScaledVector(axis, 0.2 * r), 2.4 * r), PALETTE.housing);
    });
  }

  private tip(joint: number, from: THREE.Vector3, axis: THREE.Vector3): THREE.BufferGeometry[] {
    const link = this.form.links[joint + 1], r = this.radii[joint], com = vector(link.com), origin = new THREE.Vector3();
    const end = origin.distanceTo(from) > 1.2 * r ? origin : com.distanceTo(from) > 1.2 * r && link.mass > 0 ? com : from;
    const ahead = com.clone().sub(from).dot(axis), down = this.local(joint).direction(this.form.gravity);
    const side = Math.abs(ahead) > 1e-3 * this.form.size ? Math.sign(ahead) : down.dot(axis) < -0.5 ? -1 : 1;
    const along = end === from ? axis.clone().multiplyScalar(side) : end.clone().sub(from).normalize();
    const start = end === from ? from.clone().addScaledVector(along, 1.5 * r) : end;
    const parts = end === from ? [] : this.route(from, null, end, 0.8 * r, 0.65 * r).map((form) => painted(form, PALETTE.tube));
    parts.push(painted(drum(start, along, 0.8 * r, 0.4 * r), PALETTE.housing));
    return [...parts, ...gripper(start.clone().addScaledVector(along, 0.2 * r), along, 1.3 * r).map((form) => painted(form, PALETTE.gripper))];
  }

  // The link of a joint, -1: the base; null: there is nothing to be drawn.
  link(joint: number): THREE.BufferGeometry | null {
    const { rest, pins, kinds, links } = this.form, { point, direction } = this.local(joint);
    const parts = [...this.sleeves(joint), ...wheelForms(this.form.wheels[joint + 1])];
    if (joint < 0) parts.push(...this.pedestal());
    else if (this.form.wheels[joint + 1].length === 0) {
      const from = point(rest[joint].anchor), axis = direction(rest[joint].axis), r = this.radii[joint], free = kinds[joint] === 'free';
      const body = free ? equalBox(links[joint + 1], 0.5 * this.form.size) : null;
      if (body) parts.push(painted(body, PALETTE.tube));
      parts.push(...this.housing(joint, from, axis));
      const along = kinds[joint] === 'turns' || kinds[joint] === 'slides' ? axis : null;
      for (const child of this.children[joint + 1]) {
        if (kinds[child] !== 'free') parts.push(...this.route(from, along, point(rest[child].anchor), 0.85 * r, 0.85 * this.radii[child]).map((form) => painted(form, PALETTE.tube)));
      }
      for (const pin of pins[joint + 1]) {
        parts.push(...this.route(from, null, vector(pin), 0.7 * r, 0.6 * r).map((form) => painted(form, PALETTE.tube)), painted(ball(vector(pin), 0.8 * r), PALETTE.housing));
      }
      if (this.children[joint + 1].length === 0 && pins[joint + 1].length === 0 && !free) parts.push(...this.tip(joint, from, axis));
    }
    return parts.length > 0 ? mergeGeometries(parts) : null;
  }
}
