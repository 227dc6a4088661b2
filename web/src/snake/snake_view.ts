// A snake on its wheels, and the path of its first link.
import * as THREE from 'three';

export class SnakeView {
  readonly group = new THREE.Group();
  private links: THREE.Group[] = [];
  readonly length: number;

  constructor(private form: number[][], private ghost: { colour: number } | null = null) {
    this.length = form.reduce((sum, link) => sum + link[0], 0);
    const width = 0.12 * this.length / form.length + 0.004 * this.length;
    const paint = (colour: number) => new THREE.MeshStandardMaterial(ghost ? { color: ghost.colour, transparent: true, opacity: 0.35, depthWrite: false } : { color: colour, roughness: 0.6 });
    form.forEach(([length, offset], k) => {
      const link = new THREE.Group();
      const material = paint(k === form.length - 1 ? 0xd55e00 : 0x8fa3b5), wheel = paint(0x333333);
      const body = new THREE.Mesh(new THREE.CapsuleGeometry(0.7 * width, length, 6, 16).rotateZ(Math.PI / 2), material);
      body.position.z = 1.6 * width;
      link.add(body);
      for (const side of [-1, 1]) {
        const disc = new THREE.Mesh(new THREE.CylinderGeometry(width, width, 0.35 * width, 24), wheel);
        disc.position.set(offset, side * 1.2 * width, width);
        link.add(disc);
      }
      link.traverse((object) => { object.castShadow = !ghost; });
      this.links.push(link);
      this.group.add(link);
    });
  }

  // Directions of all links, and the middle of the first one.
  place(theta: ArrayLike<number>, x: number, y: number): void {
    const first = this.form[0][0] / 2;
    let px = x - first * Math.cos(theta[0]), py = y - first * Math.sin(theta[0]);
    this.links.forEach((link, k) => {
      const half = this.form[k][0] / 2, c = Math.cos(theta[k]), s = Math.sin(theta[k]);
      link.position.set(px + half * c, py + half * s, 0);
      link.rotation.z = theta[k];
      px += 2 * half * c;
      py += 2 * half * s;
    });
  }

  addPath(x: Float64Array, y: Float64Array): void {
    const step = Math.max(1, Math.floor(x.length / 5000));
    const points: THREE.Vector3[] = [];
    for (let i = 0; i < x.length; i += step) points.push(new THREE.Vector3(x[i], y[i], 0.002 * this.length));
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: this.ghost?.colour ?? 0x0072b2 }));
    this.group.add(line);
  }

  dispose(): void {
    this.group.traverse((object) => {
      const mesh = object as THREE.Mesh;
      mesh.geometry?.dispose();
      if (mesh.material) ([] as THREE.Material[]).concat(mesh.material).forEach((material) => material.dispose());
    });
    this.group.removeFromParent();
  }
}
