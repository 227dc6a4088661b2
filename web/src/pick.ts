// Links in the picture: named on hover, selected by a click, pulled by a force with shift and a drag.
import * as THREE from 'three';
import type { Scene } from './scene';
import { make, shown } from './ui';

export interface PickCalls {
  bodies(): THREE.Mesh[]; // userData.joint: the joint of the link, -1: the base
  title(joint: number): string;
  selected(joint: number | null): void;
  pulled(joint: number, point: number[], force: number[] | null): void; // point and force in the base frame
}

export class Picker {
  readonly arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, 0xd1006c);
  private tip = make('div', { class: 'tip', hidden: true });
  private label = make('div', { class: 'tip', hidden: true });
  private caster = new THREE.Raycaster();
  private from: { x: number; y: number } | null = null;
  private pull: { joint: number; start: THREE.Vector3; plane: THREE.Plane } | null = null;
  private marked: THREE.Mesh | null = null;

  // newtons: the force of an arrow as long as the reach
  constructor(private scene: Scene, private size: number, private newtons: number, private busy: () => boolean, private calls: PickCalls) {
    const canvas = scene.holder.querySelector('canvas')!;
    scene.holder.append(this.tip, this.label);
    this.arrow.visible = false;
    for (const part of [this.arrow.line, this.arrow.cone]) Object.assign(part.material as THREE.Material, { depthTest: false, transparent: true });
    scene.world.add(this.arrow);
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointerup', (event) => this.up(event), { capture: true });
  }

  private aim(event: PointerEvent): THREE.Intersection | null {
    const box = this.scene.holder.getBoundingClientRect();
    this.caster.setFromCamera(new THREE.Vector2(2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height), this.scene.camera);
    return this.caster.intersectObjects(this.calls.bodies(), false)[0] ?? null;
  }

  private put(tip: HTMLElement, event: PointerEvent, text: string): void {
    const box = this.scene.holder.getBoundingClientRect();
    tip.textContent = text;
    tip.style.transform = `translate(${event.clientX - box.left + 14}px, ${event.clientY - box.top + 10}px)`;
    tip.hidden = false;
  }

  private down(event: PointerEvent): void {
    this.from = { x: event.clientX, y: event.clientY };
    const hit = event.shiftKey && !this.busy() ? this.aim(event) : null;
    if (!hit || hit.object.userData.joint < 0) return;
    const facing = this.scene.camera.getWorldDirection(new THREE.Vector3());
    this.pull = { joint: hit.object.userData.joint, start: hit.point, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point) };
    this.scene.controls.enabled = false;
    (event.target as HTMLElement).setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (this.pull) return this.stretch(event);
    if (event.buttons !== 0 || this.busy()) { this.tip.hidden = true; return; }
    const hit = this.aim(event);
    if (hit) this.put(this.tip, event, this.calls.title(hit.object.userData.joint));
    else this.tip.hidden = true;
  }

  private stretch(event: PointerEvent): void {
    const { joint, start, plane } = this.pull!;
    this.aim(event);
    const end = this.caster.ray.intersectPlane(plane, new THREE.Vector3());
    if (!end) return;
    const local = (point: THREE.Vector3) => this.scene.world.worldToLocal(point.clone());
    const from = local(start), way = local(end).sub(from), force = way.clone().multiplyScalar(this.newtons / this.size);
    if (way.length() < 0.01 * this.size) return;
    this.show(from, force);
    this.put(this.label, event, `${shown(Number(force.length().toPrecision(3)))} N`);
    this.calls.pulled(joint, from.toArray(), force.toArray());
  }

  // The arrow of a force at a point, both in the base frame.
  show(point: THREE.Vector3, force: THREE.Vector3): void {
    const length = force.length() * this.size / this.newtons;
    this.arrow.visible = true;
    this.arrow.position.copy(point);
    this.arrow.setDirection(force.clone().normalize());
    this.arrow.setLength(length, Math.min(0.3 * length, 0.06 * this.size), Math.min(0.2 * length, 0.035 * this.size));
    this.scene.redraw();
  }

  private up(event: PointerEvent): void {
    if (this.pull) {
      this.pull = null;
      this.scene.controls.enabled = true;
      return;
    }
    const moved = this.from && Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) > 4;
    if (moved || this.busy()) return;
    const hit = this.aim(event);
    this.select(hit ? hit.object.userData.joint : null);
  }

  select(joint: number | null): void {
    const paint = (mesh: THREE.Mesh | null, on: boolean) => (mesh?.material as THREE.MeshStandardMaterial | undefined)?.emissive.set(on ? 0x1d4f7a : 0);
    paint(this.marked, false);
    this.marked = joint === null ? null : this.calls.bodies().find((mesh) => mesh.userData.joint === joint) ?? null;
    paint(this.marked, true);
    if (joint === null) this.release();
    this.calls.selected(joint);
    this.scene.redraw();
  }

  release(): void {
    this.arrow.visible = false;
    this.label.hidden = true;
    this.calls.pulled(-1, [0, 0, 0], null);
  }
}
