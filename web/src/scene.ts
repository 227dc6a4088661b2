// The 3D picture: camera, light, ground. Redrawn only when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { prefersDark } from './ui';

export const VIEWS: { [name: string]: [number, number, number] } = {
  'three-quarter': [1, -1.2, 0.75], front: [1, 0, 0], side: [0, -1, 0], top: [0, -1e-3, 1],
};

export class Scene {
  readonly world = new THREE.Group(); // base frame, turned so that gravity points down
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private scene = new THREE.Scene();
  private renderer: THREE.WebGLRenderer | null = null;
  private grid: THREE.GridHelper;
  private changed = true;
  private centre = new THREE.Vector3();

  constructor(readonly holder: HTMLElement, private size: number, up: number[], ground: number) {
    const canvas = document.createElement('canvas');
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'the robot in 3D; arrow keys turn the view, + and - zoom');
    holder.append(canvas);
    THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
    this.camera.up.set(0, 0, 1);
    this.camera.near = size / 200;
    this.camera.far = size * 60;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.redraw());
    this.world.quaternion.setFromUnitVectors(new THREE.Vector3(...(up as [number, number, number])), new THREE.Vector3(0, 0, 1));
    this.scene.add(this.world);
    this.addLight(ground);
    this.grid = this.addGround(ground);
    this.start(canvas);
    new ResizeObserver(() => this.resize()).observe(holder);
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  private start(canvas: HTMLCanvasElement): void {
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    } catch {
      this.holder.append(Object.assign(document.createElement('p'), { className: 'no-webgl', textContent: 'This browser cannot draw in 3D (WebGL is missing or switched off). Plots and numbers still work.' }));
      return;
    }
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.theme();
    const frame = () => {
      requestAnimationFrame(frame);
      if (!this.changed) return;
      this.changed = false;
      this.renderer!.render(this.scene, this.camera);
    };
    frame();
  }

  private addLight(ground: number): void {
    const s = this.size;
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(1.2 * s, -0.8 * s, 2.5 * s + ground);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.bias = -1e-4;
    sun.shadow.normalBias = 0.004 * s;
    Object.assign(sun.shadow.camera, { left: -2 * s, right: 2 * s, top: 2 * s, bottom: -2 * s, near: 0.01 * s, far: 8 * s });
    this.scene.add(sun, sun.target, new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.4));
  }

  private addGround(ground: number): THREE.GridHelper {
    const cell = 10 ** Math.floor(Math.log10(this.size)), cells = Math.ceil(4 * this.size / cell);
    const grid = new THREE.GridHelper(cells * cell, cells, 0x888888, 0x888888);
    grid.rotation.x = Math.PI / 2;
    grid.position.z = ground;
    Object.assign(grid.material, { transparent: true, opacity: 0.35 });
    const plane = new THREE.Mesh(new THREE.PlaneGeometry(12 * this.size, 12 * this.size), new THREE.ShadowMaterial({ opacity: 0.25 }));
    plane.position.z = ground - 1e-3 * this.size;
    plane.receiveShadow = true;
    this.scene.add(grid, plane);
    return grid;
  }

  showGrid(on: boolean): void {
    this.grid.visible = on;
    this.redraw();
  }

  theme(): void {
    this.scene.background = new THREE.Color(prefersDark() ? 0x15191e : 0xf4f6f8);
    this.redraw();
  }

  // Replaces the canvas by an image: without a graphics card, Chromium leaves canvases out of its stills.
  freeze(): void {
    if (!this.renderer) return;
    this.resize();
    this.renderer.render(this.scene, this.camera);
    const canvas = this.holder.querySelector('canvas')!;
    const still = Object.assign(document.createElement('img'), { src: canvas.toDataURL(), className: 'frozen', alt: '' });
    canvas.replaceWith(still);
  }

  redraw(): void { this.changed = true; }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!this.renderer || width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  // Fits the robot into view, from one of VIEWS or from the current direction.
  fit(direction?: [number, number, number]): void {
    const box = new THREE.Box3();
    this.world.updateMatrixWorld(true);
    this.world.traverseVisible((object) => {
      const mesh = object as THREE.Mesh;
      if (mesh.isMesh && mesh.castShadow) box.expandByObject(mesh);
    });
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(this.size, this.size, this.size));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const from = direction ? new THREE.Vector3(...direction) : this.camera.position.clone().sub(this.controls.target);
    const half = Math.min(this.camera.fov * Math.PI / 360, Math.atan(Math.tan(this.camera.fov * Math.PI / 360) * this.camera.aspect));
    this.centre.copy(sphere.center);
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(from.normalize(), 1.25 * sphere.radius / Math.sin(half));
    this.controls.update();
    this.redraw();
  }

  private key(event: KeyboardEvent): void {
    const turns: { [key: string]: [number, number] } = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    const offset = this.camera.position.clone().sub(this.controls.target);
    const spherical = new THREE.Spherical().setFromVector3(new THREE.Vector3(offset.x, offset.z, -offset.y));
    if (turns[event.key]) {
      spherical.theta += turns[event.key][0];
      spherical.phi = Math.min(Math.max(spherical.phi + turns[event.key][1], 0.01), Math.PI - 0.01);
    } else if (event.key === '+' || event.key === '=') spherical.radius *= 0.9;
    else if (event.key === '-') spherical.radius /= 0.9;
    else return;
    const moved = new THREE.Vector3().setFromSpherical(spherical);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(moved.x, -moved.z, moved.y));
    this.controls.update();
    event.preventDefault();
    event.stopPropagation();
  }
}
