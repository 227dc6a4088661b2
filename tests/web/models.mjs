// Robots and recordings made for the tests.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, root, run } from './browser.mjs';

const at = (name) => join(folder, name);

// A closed binary STL: a box with these sides, in mm, its lower end at the origin.
function writeBox(path, x, y, z) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [(k & 1 ? 0.5 : -0.5) * x, (k & 2 ? 0.5 : -0.5) * y, k & 4 ? z : 0]);
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const triangles = faces.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((corner, t) => corner.forEach((c, i) => corners[c].forEach((value, k) => {
    bytes.writeFloatLE(value, 84 + 50 * t + 12 + 12 * i + 4 * k);
  })));
  writeFileSync(path, bytes);
}

// The Panda as URDF, every link with a mesh.
export function pandaWithMeshes(mesh = 'link.stl') {
  const path = at(`panda-${mesh}.urdf`);
  run('convert', 'robots/panda.yaml', path, '--out', at('proof.txt'));
  writeBox(at('link.stl'), 90, 90, 120);
  const visual = '<visual><origin xyz="0 0 -0.06"/><geometry><mesh filename="' + mesh + '" scale="0.001 0.001 0.001"/></geometry></visual>';
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('</inertial>', `</inertial>${visual}`));
  return path;
}

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0.04 * (k & 1), 0.04 * (k >> 1 & 1), 0.2 * (k >> 2)]);
const FACES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
const FORMATS = {
  stl: (path) => writeBox(path, 40, 40, 200),
  obj: (path) => writeFileSync(path, [...CORNERS.map((c) => `v ${c.join(' ')}`), ...FACES.map((f) => `f ${f.map((i) => i + 1).join(' ')}`), ''].join('\n')),
  dae: (path) => writeFileSync(path, `<COLLADA><library_geometries><geometry><mesh>
    <source id="p"><float_array id="f">${CORNERS.flat().join(' ')}</float_array><technique_common><accessor source="#f" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices><polylist><input semantic="VERTEX" source="#v" offset="0"/>
    <vcount>4 4 4 4 4 4</vcount><p>${FACES.flat().join(' ')}</p></polylist></mesh></geometry></library_geometries></COLLADA>`),
};
const KINDS = ['revolute', 'continuous', 'prismatic', 'revolute', 'fixed', 'continuous', 'revolute'];

// The k-th of many URDF arms, every link with a mesh: other joints, axes and formats in each.
export function meshArm(k) {
  const path = at(`mesh_arm${k}.urdf`), count = 2 + k % 5, formats = Object.keys(FORMATS);
  formats.forEach((format) => FORMATS[format](at(`part.${format}`)));
  const link = (i) => { const format = formats[(i + k) % 3], scale = format === 'stl' ? 0.001 : 1; return `<link name="l${i}"><inertial><mass value="${1 + 0.3 * i}"/><origin xyz="0 0 0.1"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="part.${format}" scale="${scale} ${scale} ${scale}"/></geometry></visual></link>`; };
  const joint = (i) => `<joint name="j${i}" type="${KINDS[(i + k) % KINDS.length]}"><parent link="l${i - 1}"/><child link="l${i}"/><origin xyz="0 0 0.2" rpy="0 ${0.1 * k} 0"/>
    <axis xyz="${['1 0 0', '0 1 0', '0 0 1', '0.6 0 0.8'][(i + 2 * k) % 4]}"/><limit lower="-1" upper="1" effort="50" velocity="5"/></joint>`;
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  writeFileSync(path, `<robot name="mesh arm ${k}">${[0, ...numbers].map(link).join('')}${numbers.map(joint).join('')}</robot>`);
  return { path, links: count + 1 };
}

// A free-flying robot whose arm is driven: q has 13 entries, qd 12.
export function floatingScenario() {
  const path = at('floating.yaml');
  writeFileSync(path, ['linkwork: 1', 'name: a robot in space', `robot: ${join(root, 'robots/free_flyer.yaml')}`, 'duration: 4', 'record: 0.05',
    'initial: {q: [0.1, 0.2, 0.3, 0, 0.6, 0, 0.8, 0.1, 0.4, -0.6, 0.2, 0.5, 0], qd: [0.1, 0, 0, 0.02, 0.1, 0.05, 0, 0, 0, 0, 0, 0]}',
    'drives:', '  shoulder_pitch: {torque: 4*sin(t)}', '  elbow: {torque: -3*cos(2*t)}', ''].join('\n'));
  return path;
}

export const HOSTILE = '</script><img src=x onerror=alert(1)>';

export function hostileRobot() {
  const path = at('hostile.yaml');
  const text = readFileSync(join(root, 'robots/planar2r.yaml'), 'utf8').replace(/^name:.*$/m, `name: ${JSON.stringify(HOSTILE)}`);
  const source = text.includes('\nsource:') ? text : text.replace(/^name:.*$/m, (line) => `${line}\nsource: ${JSON.stringify(HOSTILE)}`);
  writeFileSync(path, source);
  return path;
}

// A chain of 100 joints.
export function chain(count) {
  const path = at(`chain${count}.yaml`);
  const joints = Array.from({ length: count }, (_, i) => `  - {name: j${i + 1}, type: revolute, alpha: ${i % 2 ? -1.2 : 1.2}, a: 0.05, d: 0, link: {mass: 0.2, com: [0.025, 0, 0], inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0]}}`);
  writeFileSync(path, ['linkwork: 1', `name: chain of ${count}`, 'joints:', ...joints, ''].join('\n'));
  return path;
}

// A chain of links with meshes, as URDF, and a recording of it.
export function meshChain(count, rows) {
  const path = at(`mesh_chain${count}.urdf`), csv = at(`mesh_chain${count}.csv`);
  writeBox(at('link.stl'), 30, 30, 60);
  const link = (k) => `<link name="l${k}"><inertial><mass value="0.2"/><origin xyz="0 0 0.03"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="link.stl" scale="0.001 0.001 0.001"/></geometry></visual></link>`;
  const joint = (k) => `<joint name="j${k}" type="revolute"><parent link="l${k - 1}"/><child link="l${k}"/><origin xyz="0 0 0.06" rpy="0 0 ${k % 2 ? 1.2 : -1.2}"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="100" velocity="10"/></joint>`;
  const numbers = Array.from({ length: count }, (_, k) => k + 1);
  writeFileSync(path, `<robot name="mesh chain">${[0, ...numbers].map(link).join('')}${numbers.map(joint).join('')}</robot>`);
  const lines = [['t', ...numbers.map((k) => `q${k}`), ...numbers.map((k) => `qd${k}`)].join()];
  for (let i = 0; i < rows; ++i) lines.push([i * 0.02, ...numbers.map((k) => (0.05 * Math.sin(0.02 * i + k)).toFixed(6)), ...numbers.map((k) => (0.05 * Math.cos(0.02 * i + k)).toFixed(6))].join());
  writeFileSync(csv, `${lines.join('\n')}\n`);
  return [path, csv];
}

// A smooth recording of the PUMA with as many columns as simulate writes.
export function longRecording(rows) {
  const path = at(`long${rows}.csv`);
  const groups = ['q', 'qd', 'qdd', 'tau'];
  const names = ['t', ...groups.flatMap((group) => [1, 2, 3, 4, 5, 6].map((k) => group + k)), 'kinetic', 'potential', 'work', 'S'];
  const lines = [names.join(',')];
  for (let i = 0; i < rows; ++i) {
    const t = i * 1e-3;
    const values = names.slice(1).map((_, c) => Math.sin((0.3 + 0.11 * c) * t + c) * (1 + 0.2 * c) + 0.1 * Math.cos(7.3 * t + 2 * c));
    lines.push([t, ...values].join(','));
  }
  writeFileSync(path, lines.join('\n') + '\n');
  return path;
}

export function recording(name, ...words) {
  const path = at(name);
  run(...words, '--out', path);
  return path;
}
