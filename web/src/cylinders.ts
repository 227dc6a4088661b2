// Hydraulic cylinders: drawn between their pins, with stroke, force and pressure.
import * as THREE from 'three';
import type { FileNode, Link, PageData } from './data';
import type { Place, Session } from './library';
import { painted, PALETTE, tube } from './shapes';
import { inUnits, make, shown } from './ui';

const SHARE = 0.9; // of the retracted length is barrel

interface Pin { link: number; at: number[] } // of the joint's link, -1: the base
interface Cylinder { name: string; from: Pin; to: Pin; bore: number; rod: number; stroke: number; closed: number; back: number }

export function cylindersOf(data: PageData): Cylinder[] {
  const pin = (node: FileNode): Pin => ({ link: node.link ? data.links!.findIndex((link: Link) => link.name === node.link) - 1 : -1, at: node.at ?? [0, 0, 0] });
  return (data.robot!.cylinders ?? []).map((node: FileNode) => ({
    name: node.name, from: pin(node.from), to: pin(node.to), bore: node.bore, rod: node.rod, stroke: node.stroke, closed: node.closed_length, back: node.back_pressure ?? 0,
  }));
}

function pinAt({ link, at }: Pin, places: Place[]): number[] {
  if (link < 0) return at;
  const { p, R } = places[link];
  return [0, 1, 2].map((k) => p[k] + R[3 * k] * at[0] + R[3 * k + 1] * at[1] + R[3 * k + 2] * at[2]);
}

function lengthOf(one: Cylinder, places: Place[]): number {
  const from = pinAt(one.from, places), to = pinAt(one.to, places);
  return Math.hypot(...to.map((x, k) => x - from[k]));
}

export class CylinderView {
  readonly group = new THREE.Group();
  private parts: { barrel: THREE.Mesh; rod: THREE.Mesh }[];

  // size: m, about the reach of the robot
  constructor(private cylinders: Cylinder[], size: number) {
    const up = (length: number, radius: number, colour: number) => {
      const mesh = new THREE.Mesh(painted(tube(new THREE.Vector3(), new THREE.Vector3(0, length, 0), radius, radius), colour),
        new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.35, metalness: 0.3 }));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.matrixAutoUpdate = false;
      this.group.add(mesh);
      return mesh;
    };
    this.parts = cylinders.map((one) => ({
      barrel: up(SHARE * one.closed, Math.max(0.6 * one.bore, 0.006 * size), PALETTE.base),
      rod: up(one.closed, Math.max(0.5 * one.rod, 0.003 * size), 0xd7dce2),
    }));
  }

  place(places: Place[]): void {
    this.cylinders.forEach((one, i) => {
      const from = new THREE.Vector3(...(pinAt(one.from, places) as [number, number, number])), to = new THREE.Vector3(...(pinAt(one.to, places) as [number, number, number]));
      const along = to.clone().sub(from).normalize(), turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along), one1 = new THREE.Vector3(1, 1, 1);
      this.parts[i].barrel.matrix.compose(from, turn, one1);
      this.parts[i].rod.matrix.compose(to.addScaledVector(along, -one.closed), turn, one1);
      for (const mesh of [this.parts[i].barrel, this.parts[i].rod]) mesh.matrixWorldNeedsUpdate = true;
    });
  }
}

// Of each cylinder its stroke and, where it alone moves one joint, the force that gives the joint's torque and the pressure for it.
export class CylinderTable {
  readonly element = make('details', { open: true }, make('summary', {}, 'Cylinders'));
  private table = make('table', { class: 'numbers' });

  constructor(private cylinders: Cylinder[], private dofs: number[]) { // of the description's joint of each entry of qd
    this.element.append(this.table);
  }

  // tau: of the joints; the positions q have an entry for each joint with one freedom
  show(session: Session, q: Float64Array, tau: ArrayLike<number> | null): void {
    const EPS = 1e-6, { unit, factor } = inUnits('m'), here = session.links(q), lengths = this.cylinders.map((one) => lengthOf(one, here));
    const arms = this.dofs.map((_, j) => { // of each joint, for all cylinders: dL/dq
      if (q.length !== this.dofs.length) return [];
      const moved = q.slice();
      moved[j] += EPS;
      const places = session.links(moved);
      return this.cylinders.map((one, i) => { const arm = (lengthOf(one, places) - lengths[i]) / EPS; return Math.abs(arm) < 1e-6 ? 0 : arm; });
    });
    const row = (tag: 'th' | 'td', ...cells: string[]) => make('tr', {}, ...cells.map((cell) => make(tag, {}, cell)));
    this.table.replaceChildren(row('th', 'cylinder', `stroke, ${unit}`, 'force, N', 'bar'), ...this.cylinders.map((one, i) => {
      const moves = arms.flatMap((arm, j) => (arm[i] ? [j] : [])), alone = moves.length === 1 && arms[moves[0]].filter((arm) => arm !== 0).length === 1;
      const force = alone && tau ? tau[moves[0]] / arms[moves[0]][i] : NaN;
      const areas = [one.bore ** 2, one.bore ** 2 - one.rod ** 2].map((d2) => Math.PI / 4 * d2), [pushing, other] = force >= 0 ? areas : [areas[1], areas[0]];
      return row('td', one.name, `${shown(Number(((lengths[i] - one.closed) * factor).toPrecision(4)))} of ${shown(one.stroke * factor)}`, shown(Number(force.toPrecision(5))), shown(Number(((Math.abs(force) + one.back * other) / pushing / 1e5).toPrecision(4))));
    }));
  }
}
