// The gizmo at the tool: arrows move it, rings turn it, the arm follows by inverse kinematics.
import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Scene } from './scene';

export class Drag {
  readonly ball = new THREE.Object3D(); // at the tool
  private gizmo: TransformControls;

  // moved: the wanted position in the base frame, m, and while it is turned the wanted rotation, row by row
  constructor(private scene: Scene, moved: (position: number[], rotation: number[] | null) => void) {
    const canvas = scene.holder.querySelector('canvas')!;
    scene.world.add(this.ball);
    this.gizmo = new TransformControls(scene.camera, canvas);
    this.gizmo.setSize(0.55);
    this.gizmo.attach(this.ball);
    this.gizmo.addEventListener('change', () => scene.redraw());
    this.gizmo.addEventListener('dragging-changed', (event) => { scene.controls.enabled = !event.value; });
    this.gizmo.addEventListener('objectChange', () => moved(this.ball.position.toArray(), this.turning ? this.rotation() : null));
    scene.addOverlay(this.gizmo.getHelper());
  }

  get turning(): boolean { return this.gizmo.mode === 'rotate'; }
  get busy(): boolean { return this.gizmo.dragging || this.gizmo.axis !== null; }

  // Between moving and turning.
  toggle(): void {
    this.gizmo.setMode(this.turning ? 'translate' : 'rotate');
    this.gizmo.setSpace(this.turning ? 'local' : 'world');
    this.scene.redraw();
  }

  show(on: boolean): void {
    this.gizmo.enabled = this.gizmo.getHelper().visible = on;
    this.scene.redraw();
  }

  private rotation(): number[] {
    const e = new THREE.Matrix4().makeRotationFromQuaternion(this.ball.quaternion).elements;
    return [e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10]];
  }

  place(position: ArrayLike<number>, R: ArrayLike<number>): void {
    this.ball.position.set(position[0], position[1], position[2]);
    this.ball.quaternion.setFromRotationMatrix(new THREE.Matrix4().set(R[0], R[1], R[2], 0, R[3], R[4], R[5], 0, R[6], R[7], R[8], 0, 0, 0, 0, 1));
  }

  // The tool's position on the screen, in canvas pixels.
  onScreen(): { x: number; y: number } {
    const canvas = this.scene.holder.querySelector('canvas')!;
    const at = this.ball.getWorldPosition(new THREE.Vector3()).project(this.scene.camera);
    return { x: (at.x + 1) / 2 * canvas.clientWidth, y: (1 - at.y) / 2 * canvas.clientHeight };
  }
}
