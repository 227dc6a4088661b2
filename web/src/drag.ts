// Dragging the tool: the pointer moves a ball at the tool in the plane of the screen.
import * as THREE from 'three';
import type { Scene } from './scene';

export class Drag {
  readonly ball: THREE.Mesh;
  private plane = new THREE.Plane();
  private caster = new THREE.Raycaster();
  private active = false;

  // moved: the wanted position in the base frame, m
  constructor(private scene: Scene, size: number, private moved: (position: number[]) => void) {
    this.ball = new THREE.Mesh(new THREE.SphereGeometry(0.03 * size, 20, 14),
      new THREE.MeshBasicMaterial({ color: 0xd55e00, transparent: true, opacity: 0.75, depthTest: false }));
    scene.world.add(this.ball);
    const canvas = scene.holder.querySelector('canvas')!;
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => this.up(), { capture: true });
  }

  place(position: ArrayLike<number>): void {
    this.ball.position.set(position[0], position[1], position[2]);
  }

  // The ball's position on the screen, in canvas pixels.
  onScreen(): { x: number; y: number } {
    const canvas = this.scene.holder.querySelector('canvas')!;
    const at = this.ball.getWorldPosition(new THREE.Vector3()).project(this.scene.camera);
    return { x: (at.x + 1) / 2 * canvas.clientWidth, y: (1 - at.y) / 2 * canvas.clientHeight };
  }

  private aim(event: PointerEvent): void {
    const box = (event.target as HTMLElement).getBoundingClientRect();
    this.caster.setFromCamera(new THREE.Vector2(2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height), this.scene.camera);
  }

  private down(event: PointerEvent): void {
    this.aim(event);
    if (this.caster.intersectObject(this.ball).length === 0) return;
    const facing = this.scene.camera.getWorldDirection(new THREE.Vector3());
    this.plane.setFromNormalAndCoplanarPoint(facing, this.ball.getWorldPosition(new THREE.Vector3()));
    this.active = true;
    this.scene.controls.enabled = false;
    (event.target as HTMLElement).setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (!this.active) return;
    this.aim(event);
    const point = this.caster.ray.intersectPlane(this.plane, new THREE.Vector3());
    if (point) this.moved(this.scene.world.worldToLocal(point).toArray());
  }

  private up(): void {
    this.active = false;
    this.scene.controls.enabled = true;
  }
}
