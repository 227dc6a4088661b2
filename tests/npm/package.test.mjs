// SPDX-License-Identifier: MIT
// The npm package as its users have it; tools/npm runs this where the package is installed. LINKWORK_ROBOTS: the folder robots/.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, loadFile, questions, LinkworkError } from 'linkwork';

const robots = process.env.LINKWORK_ROBOTS;
const near = (a, b, most) => assert.ok(Math.abs(a - b) <= most, `${a} is not ${b}`);

test('torques of a PUMA from YAML are those of the README', async () => {
  const arm = await loadFile(`${robots}/puma560.yaml`);
  assert.equal(arm.dof, 6);
  assert.equal(arm.joints[0], 'waist');
  const tau = arm.answer('inverse', { q: [0, 0.1, 0, 0, 0, 0], qdd: [1, 0, 0, 0, 0, 0] });
  [3.1911, -37.5873, -0.733348, 0.00163181, -0.0032507, 3.98002e-5].forEach((x, i) => near(tau[i], x, 5e-5));
  arm.close();
  assert.throws(() => arm.neutral(), LinkworkError);
});

test('forward dynamics of a URDF arm undoes inverse dynamics, M is symmetric', async () => {
  const arm = await loadFile(`${robots}/gripper_arm.urdf`);
  const q = arm.neutral().map((_, i) => 0.3 + 0.1 * i), qd = new Array(arm.dof).fill(0.7);
  const qdd = Array.from({ length: arm.dof }, (_, i) => Math.sin(i + 1));
  const back = arm.answer('forward', { q, qd, tau: arm.answer('inverse', { q, qd, qdd }) });
  back.forEach((x, i) => near(x, qdd[i], 1e-7));
  const M = arm.answer('inertia', { q });
  for (let i = 0; i < arm.dof; ++i) for (let j = 0; j < i; ++j) near(M[i * arm.dof + j], M[j * arm.dof + i], 1e-12);
});

test('a pendulum from text, in closed form: g = -9.81 cos q', async () => {
  const arm = await load('pendulum.yaml', `linkwork: 1
name: pendulum
joints:
  - name: swing
    type: revolute
    axis: [0, 1, 0]
    link: {name: bar, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
`);
  near(arm.answer('gravity', { q: [0.4] })[0], -9.81 * Math.cos(0.4), 1e-12);
  near(arm.answer('inertia', { q: [0.4] })[0], 0.6, 1e-15);
});

test('what is wrong is refused, with its place', async () => {
  await assert.rejects(load('x.yaml', 'linkwork: 1\njoints: 3\n'), (error) => error instanceof LinkworkError && /x\.yaml:2:/.test(error.message));
  await assert.rejects(load('x.urdf', '<robot name="x"><link></robot>'), LinkworkError);
  const arm = await loadFile(`${robots}/puma560.yaml`);
  assert.throws(() => arm.answer('torques'), /no question/);
  assert.throws(() => arm.answer('inverse', { q: [1, 2] }), /q has 2 numbers, expected 6/);
  assert.throws(() => arm.answer('inverse', { q: [1, 2, 3, 4, 5, NaN] }), /finite/);
  assert.throws(() => arm.answer('inverse', { position: [] }), /no input 'position'/);
});

test('closed loops are refused where they would be open', async () => {
  const arm = await loadFile(`${robots}/four_bar.yaml`);
  assert.throws(() => arm.answer('inverse'), LinkworkError);
  assert.equal(arm.answer('energy').length, 2);
});

test('the types name every question of the library', async () => {
  const types = readFileSync(new URL('node_modules/linkwork/index.d.ts', import.meta.url), 'utf8');
  for (const name of await questions()) assert.ok(types.includes(`'${name}'`), name);
});
