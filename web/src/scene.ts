// The 3D picture: camera, light, ground. Redrawn only when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { prefersDark } from './ui';

export const VIEWS: { [name: string]: [number, number, number] } = {
  'three-quarter': [1, -1.2, 0.75], front: [1, 0, 0], side: [0, -1, 0], top: [0, -1e-3, 1],
};

const FILL = 0.74; // of the picture, by a robot in view

export class Scene {
  readonly world = new THREE.Group(); // base frame, turned so that gravity points down
  readonly camera = new THREE.PerspectiveCamera(30, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private scene = new THREE.Scene();
  private renderer: THREE.WebGLRenderer | null = null;
  private grid: THREE.GridHelper;
  private shadow!: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
  private changed = true;
  private drawn: (() => void) | null = null; // called after a frame
  private fitted: [number, number, number] | undefined; // the view that nobody has turned away from

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
    this.controls.addEventListener('start', () => { this.fitted = undefined; });
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
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    } catch {
      this.holder.append(Object.assign(document.createElement('p'), { className: 'no-webgl', textContent: 'This browser cannot draw in 3D (WebGL is missing or switched off). Plots and numbers still work.' }));
      return;
    }
    this.renderer.debug.checkShaderErrors = false; // asking waits for the driver
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.theme();
    const frame = () => {
      requestAnimationFrame(frame);
      if (!this.changed) return;
      this.changed = false;
      this.renderer!.render(this.scene, this.camera);
      this.drawn?.();
    };
    frame();
  }

  // One key light with a shadow, light from the sky and the ground, and a little from behind.
  private addLight(ground: number): void {
    const s = this.size;
    const sun = new THREE.DirectionalLight(0xfff6ea, 2.4), back = new THREE.DirectionalLight(0xdfe9ff, 0.7);
    sun.position.set(1.1 * s, -1.6 * s, 2.4 * s + ground);
    back.position.set(-2 * s, 1.5 * s, 1.2 * s);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 5;
    sun.shadow.bias = -2e-4;
    sun.shadow.normalBias = 0.006 * s;
    Object.assign(sun.shadow.camera, { left: -1.8 * s, right: 1.8 * s, top: 1.8 * s, bottom: -1.8 * s, near: 0.01 * s, far: 8 * s });
    this.scene.add(sun, sun.target, back, new THREE.HemisphereLight(0xffffff, 0x9aa0a8, 1.1));
  }

  private addGround(ground: number): THREE.GridHelper {
    const step = 10 ** Math.floor(Math.log10(this.size)), cell = this.size / step < 3 ? step / 2 : step, cells = 2 * Math.ceil(2.5 * this.size / cell);
    const grid = new THREE.GridHelper(cells * cell, cells, 0x808890, 0x808890);
    grid.rotation.x = Math.PI / 2;
    grid.position.z = ground;
    Object.assign(grid.material, { transparent: true, opacity: 0.28 });
    this.shadow = new THREE.Mesh(new THREE.PlaneGeometry(14 * this.size, 14 * this.size), new THREE.ShadowMaterial({ opacity: 0.22 }));
    this.shadow.position.z = ground - 1e-3 * this.size;
    this.shadow.receiveShadow = true;
    this.scene.fog = new THREE.Fog(0xffffff, 5 * this.size, 14 * this.size);
    this.scene.add(grid, this.shadow);
    return grid;
  }

  // Things that are not part of the robot.
  addOverlay(object: THREE.Object3D): void {
    this.scene.add(object);
  }

  // The picture as it is seen, with its background, on a canvas of its own.
  picture(): HTMLCanvasElement {
    const canvas = this.holder.querySelector('canvas')!, copy = document.createElement('canvas');
    this.renderer?.render(this.scene, this.camera);
    [copy.width, copy.height] = [canvas.width, canvas.height];
    this.paintOn(copy.getContext('2d')!, canvas);
    return copy;
  }

  private paintOn(context: CanvasRenderingContext2D, canvas: HTMLCanvasElement): void {
    context.fillStyle = `#${this.scene.fog!.color.getHexString()}`;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(canvas, 0, 0);
  }

  // Records what is drawn until the function that it returns is called, which gives the film.
  film(): () => Promise<Blob> {
    const canvas = this.holder.querySelector('canvas')!, copy = this.picture(), context = copy.getContext('2d')!, pieces: Blob[] = [];
    this.drawn = () => this.paintOn(context, canvas);
    const recorder = new MediaRecorder(copy.captureStream(30), { mimeType: 'video/webm', videoBitsPerSecond: 6e6 });
    recorder.ondataavailable = (event) => pieces.push(event.data);
    recorder.start();
    return () => new Promise((done) => {
      this.drawn = null;
      recorder.onstop = () => done(new Blob(pieces, { type: 'video/webm' }));
      recorder.stop();
    });
  }

  showGrid(on: boolean): void {
    this.grid.visible = on;
    this.redraw();
  }

  theme(): void {
    const dark = prefersDark();
    this.scene.fog!.color.set(dark ? 0x191e24 : 0xeef1f4);
    this.shadow.material.opacity = dark ? 0.5 : 0.22;
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
    if (this.fitted) this.fit(this.fitted);
    this.redraw();
  }

  // From a point to a target, as they were.
  look(from: number[], target: number[]): void {
    this.fitted = undefined;
    this.camera.position.fromArray(from);
    this.controls.target.fromArray(target);
    this.controls.update();
    this.redraw();
  }

  // Fits the robot into view, from one of VIEWS or from the current direction: it takes FILL of the height or of the width.
  fit(direction?: [number, number, number]): void {
    const corners: THREE.Vector3[] = [], box = new THREE.Box3();
    this.world.updateMatrixWorld(true);
    this.world.traverseVisible((object) => {
      const mesh = object as THREE.Mesh;
      if (!mesh.isMesh || !mesh.castShadow) return;
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      const { min, max } = mesh.geometry.boundingBox!;
      for (let k = 0; k < 8; ++k) {
        corners.push(new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).applyMatrix4(mesh.matrixWorld));
        box.expandByPoint(corners.at(-1)!);
      }
    });
    if (corners.length === 0) corners.push(new THREE.Vector3(-this.size / 2, 0, 0), new THREE.Vector3(this.size / 2, 0, this.size));
    const target = box.isEmpty() ? new THREE.Vector3() : box.getCenter(new THREE.Vector3());
    const toward = (direction ? new THREE.Vector3(...direction) : this.camera.position.clone().sub(this.controls.target)).normalize();
    const right = new THREE.Vector3().crossVectors(this.camera.up, toward).normalize(), up = new THREE.Vector3().crossVectors(toward, right);
    const tan = Math.tan(this.camera.fov * Math.PI / 360), slopes = [FILL * tan * this.camera.aspect, FILL * tan];
    let distance = 0;
    for (let pass = 0; pass < 4; ++pass) { // perspective: the middle of the picture depends on the distance
      const spans = [right, up].map((axis, k) => {
        const sides = corners.map((corner) => corner.clone().sub(target)).map((at) => ({ side: at.dot(axis), near: at.dot(toward) }));
        const low = Math.max(...sides.map(({ side, near }) => -side / slopes[k] + near)), high = Math.max(...sides.map(({ side, near }) => side / slopes[k] + near));
        target.addScaledVector(axis, (high - low) / 2 * slopes[k]);
        return (low + high) / 2;
      });
      distance = Math.max(...spans, 0.05 * this.size);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(toward, distance);
    this.controls.update();
    this.fitted = direction ?? this.fitted;
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
