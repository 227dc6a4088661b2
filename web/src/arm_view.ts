// An arm in 3D: its links, and optional layers such as frames and reactions.
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Link } from './data';
import type { Place, Reaction } from './library';
import { ArmDrawing } from './arm_drawing';
import { drawnShapes, drum, edges, painted, PALETTE, equalBox, extents, matrixOf, principal } from './shapes';

export const LAYERS = ['links', 'frames', 'joint axes', 'centres of mass', 'inertia ellipsoids', 'inertia boxes', 'gravity', 'reaction forces', 'reaction torques'] as const;
export type Layer = typeof LAYERS[number];
export const SHOWN_AT_FIRST: Layer[] = ['links', 'gravity'];

export type JointKind = 'turns' | 'slides' | 'ball' | 'free' | 'fixed';

export interface Wheel { at: number[]; axis: number[]; radius: number }

export interface ArmForm {
  links: Link[]; // the base first
  pins: number[][][]; // of each link, where loops hold it
  wheels: Wheel[][]; // of each link
  slim: boolean; // thin links, beside which cylinders and telescopes can be seen
  parents: number[];
  kinds: JointKind[]; // of the joints
  travel: number[]; // of those that slide, m; negative: mostly against the axis
  incomplete: boolean; // meshes are missing
  bytes: Uint8Array;
  rest: Place[]; // at q = 0
  size: number; // m, about the reach
  gravity: number[];
}

interface Body { body: THREE.BufferGeometry; lines: THREE.EdgesGeometry | null }
const bodies = new WeakMap<ArmForm, (Body | null)[]>(); // shared with ghosts

export function wheelForms(wheels: Wheel[]): THREE.BufferGeometry[] {
  return wheels.flatMap(({ at, axis, radius }) => {
    const middle = new THREE.Vector3(...(at as [number, number, number])), along = new THREE.Vector3(...(axis as [number, number, number]));
    return [painted(drum(middle, along, radius, 0.36 * radius), PALETTE.gripper), painted(drum(middle, along, 0.55 * radius, 0.42 * radius), PALETTE.tube)];
  });
}

function withWheels(shapes: THREE.BufferGeometry, wheels: Wheel[]): THREE.BufferGeometry {
  return wheels.length > 0 ? mergeGeometries([shapes, ...wheelForms(wheels)]) : shapes;
}

// What the link of a joint looks like: its shapes, or the drawing of an arm without any.
function formOf(form: ArmForm, joint: number): Body | null {
  if (!bodies.has(form)) {
    const drawing = new ArmDrawing(form), bare = form.links.every((link) => link.shapes.length === 0);
    bodies.set(form, form.links.map((link, i) => {
      const shapes = drawnShapes(link, form.bytes, i), body = shapes ? withWheels(shapes, form.wheels[i]) : (bare || (form.incomplete && link.mass > 0) ? drawing.link(i - 1) : null);
      return body && { body, lines: edges(body) };
    }));
  }
  return bodies.get(form)![joint + 1];
}

export class ArmView {
  readonly group = new THREE.Group();
  readonly bodies: THREE.Mesh[] = []; // userData.joint: the joint of the link, -1: the base
  private frames: THREE.Group[] = []; // the base, then all links
  private layers = new Map<Layer, THREE.Object3D[]>();
  private arrows: { force: THREE.ArrowHelper; torque: THREE.ArrowHelper }[] = [];
  private scale = { force: 0, torque: 0 };

  constructor(private form: ArmForm, private ghost: { colour: number } | null = null) {
    LAYERS.forEach((layer) => this.layers.set(layer, []));
    form.links.forEach((link, i) => this.addLink(link, i - 1));
    if (ghost) return;
    this.addGravity();
    form.parents.forEach(() => this.addArrows());
    LAYERS.forEach((layer) => this.show(layer, SHOWN_AT_FIRST.includes(layer)));
  }

  private material(): THREE.Material {
    if (this.ghost) {
      return new THREE.MeshStandardMaterial({ color: this.ghost.colour, transparent: true, opacity: 0.3, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 4, polygonOffsetUnits: 40 });
    }
    return new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.05, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  }

  private addLink(link: Link, joint: number): void {
    const frame = new THREE.Group(), form = formOf(this.form, joint);
    frame.matrixAutoUpdate = false;
    if (form) {
      const mesh = new THREE.Mesh(form.body, this.material());
      mesh.castShadow = mesh.receiveShadow = !this.ghost;
      mesh.userData.joint = joint;
      this.bodies.push(mesh);
      this.addMark('links', frame, mesh);
      if (form.lines && !this.ghost) this.addMark('links', frame, new THREE.LineSegments(form.lines, new THREE.LineBasicMaterial({ color: 0x1b2026, transparent: true, opacity: 0.35 })));
    }
    if (!this.ghost) this.addMarks(frame, link, joint);
    this.frames.push(frame);
    this.group.add(frame);
  }

  private addMark(layer: Layer, frame: THREE.Object3D, mark: THREE.Object3D): void {
    this.layers.get(layer)!.push(mark);
    frame.add(mark);
  }

  private addMarks(frame: THREE.Group, link: Link, joint: number): void {
    const size = this.form.size;
    const front = (material: THREE.Material) => Object.assign(material, { depthTest: false, transparent: true });
    const axes = new THREE.AxesHelper(0.12 * size);
    front(axes.material as THREE.Material);
    this.addMark('frames', frame, axes);
    if (joint >= 0) {
      const rest = this.form.rest[joint], own = matrixOf(rest.p, rest.R).invert();
      const points = [-0.15, 0.15].map((s) => new THREE.Vector3(...rest.anchor.map((x, k) => x + s * size * rest.axis[k]) as [number, number, number]).applyMatrix4(own));
      const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), front(new THREE.LineDashedMaterial({ color: 0x0072b2, dashSize: 0.02 * size, gapSize: 0.012 * size })));
      line.computeLineDistances();
      this.addMark('joint axes', frame, line);
    }
    if (!(link.mass > 0)) return;
    const [x, y, z] = link.com;
    const ball = new THREE.Mesh(new THREE.SphereGeometry(0.016 * size, 16, 12), front(new THREE.MeshBasicMaterial({ color: 0xe69f00 })));
    ball.position.set(x, y, z);
    this.addMark('centres of mass', frame, ball);
    const { moments, axes: turn } = principal(link.inertia);
    const [a, b, c] = extents(moments, link.mass, 'ellipsoid').map((half) => Math.max(half, 1e-4 * size));
    const shell = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), new THREE.MeshBasicMaterial({ color: 0xcc79a7, wireframe: true, transparent: true, opacity: 0.5 }));
    shell.applyMatrix4(turn.clone().setPosition(x, y, z).multiply(new THREE.Matrix4().makeScale(a, b, c)));
    this.addMark('inertia ellipsoids', frame, shell);
    const box = equalBox(link, 0.5 * size);
    if (box) this.addMark('inertia boxes', frame, new THREE.Mesh(box, new THREE.MeshStandardMaterial({ color: 0xc9b28a, transparent: true, opacity: 0.45 })));
  }

  private addGravity(): void {
    const g = new THREE.Vector3(...(this.form.gravity as [number, number, number]));
    if (g.length() === 0) return;
    const at = new THREE.Vector3(-0.55 * this.form.size, 0.55 * this.form.size, 0).addScaledVector(g.clone().normalize(), -0.4 * this.form.size);
    this.addMark('gravity', this.group, new THREE.ArrowHelper(g.clone().normalize(), at, 0.25 * this.form.size, 0x009e73));
  }

  private addArrows(): void {
    const up = new THREE.Vector3(0, 0, 1), at = new THREE.Vector3();
    const force = new THREE.ArrowHelper(up, at, 1, 0xd55e00), torque = new THREE.ArrowHelper(up, at, 1, 0x56b4e9);
    for (const arrow of [force, torque]) {
      for (const part of [arrow.line, arrow.cone]) Object.assign(part.material as THREE.Material, { depthTest: false, transparent: true });
    }
    this.arrows.push({ force, torque });
    this.addMark('reaction forces', this.group, force);
    this.addMark('reaction torques', this.group, torque);
  }

  show(layer: Layer, on: boolean): void {
    this.layers.get(layer)!.forEach((object) => { object.visible = on; });
  }

  place(places: Place[]): void {
    this.frames.slice(1).forEach((frame, i) => {
      frame.matrix.copy(matrixOf(places[i].p, places[i].R));
      frame.matrixWorldNeedsUpdate = true;
    });
  }

  // Scales arrows so that the largest reaction so far is 0.4 of the reach long; returns the force and torque of that length.
  react(places: Place[], reactions: Reaction[]): { force: number; torque: number } {
    const length = (v: number[]) => Math.hypot(v[0], v[1], v[2]);
    for (const one of reactions) {
      this.scale.force = Math.max(this.scale.force, length(one.force));
      this.scale.torque = Math.max(this.scale.torque, length(one.torque));
    }
    reactions.forEach((one, i) => {
      for (const kind of ['force', 'torque'] as const) {
        const arrow = this.arrows[i][kind], size = length(one[kind]), drawn = 0.4 * this.form.size * size / (this.scale[kind] || 1);
        arrow.position.set(...(places[i].anchor as [number, number, number]));
        if (drawn < 1e-6 * this.form.size) { arrow.setLength(1e-9, 1e-9, 1e-9); continue; }
        arrow.setDirection(new THREE.Vector3(...(one[kind] as [number, number, number])).divideScalar(size));
        arrow.setLength(drawn, Math.min(0.3 * drawn, 0.05 * this.form.size), Math.min(0.2 * drawn, 0.03 * this.form.size));
      }
    });
    return this.scale;
  }

  dispose(): void {
    this.group.traverse((object) => {
      const mesh = object as THREE.Mesh;
      if (!this.bodies.includes(mesh)) mesh.geometry?.dispose(); // those are shared
      if (mesh.material) ([] as THREE.Material[]).concat(mesh.material).forEach((material) => material.dispose());
    });
    this.group.removeFromParent();
  }
}
