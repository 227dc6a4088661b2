// Tests what people do on the page with real clicks: look at links, pull them, choose plots, save, change units; that meshes
// have their colours; and that everything can be named, read and reached without a mouse.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkPage, folder, run, settle, startBrowser } from './browser.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.close());
const withPage = (name, inputs, work, size = { width: 1400, height: 900 }) => checkPage(browser, name, inputs, work, size);

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, k >> 1 & 1, k >> 2]);
const FACES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

// A robot of three links: an OBJ cube in the colour of a URDF material, a COLLADA cube in its own, a box in one of the robot.
function colouredRobot() {
  const at = (name) => join(folder, name);
  writeFileSync(at('cube.obj'), [...CORNERS.map((c) => `v ${c.join(' ')}`), ...FACES.map((f) => `f ${f.map((i) => i + 1).join(' ')}`), ''].join('\n'));
  writeFileSync(at('cube.dae'), `<COLLADA><library_effects><effect id="e"><profile_COMMON><technique><lambert><diffuse><color>0 1 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
    <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials><library_geometries><geometry><mesh>
    <source id="p"><float_array id="f">${CORNERS.flat().join(' ')}</float_array><technique_common><accessor source="#f" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices><polylist material="m"><input semantic="VERTEX" source="#v" offset="0"/>
    <vcount>4 4 4 4 4 4</vcount><p>${FACES.flat().join(' ')}</p></polylist></mesh></geometry></library_geometries></COLLADA>`);
  const link = (name, shape) => `<link name="${name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry>${shape}`;
  const joint = (k, parent, child) => `<joint name="j${k}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="0 0 1.2"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="3"/></joint>`;
  writeFileSync(at('coloured.urdf'), `<robot name="coloured"><material name="blue"><color rgba="0 0 1 1"/></material>
    ${link('a', '<mesh filename="cube.obj"/></geometry><material name="own"><color rgba="1 0 0 1"/></material>')}</visual></link>
    ${link('b', '<mesh filename="cube.dae"/></geometry>')}</visual></link>${link('c', '<box size="1 1 1"/></geometry><material name="blue"/>')}</visual></link>
    ${joint(1, 'a', 'b')}${joint(2, 'b', 'c')}</robot>`);
  return at('coloured.urdf');
}

test('meshes of OBJ and COLLADA are drawn in the colours of their files', async () => {
  await withPage('coloured', [colouredRobot()], async (page) => {
    assert.equal(await page.evaluate(() => linkwork.contents.data.missing_meshes), 0);
    const colours = await page.evaluate(() => linkwork.picker.calls.bodies().map((body) => Array.from(body.geometry.getAttribute('color').array.slice(0, 3))));
    assert.deepEqual(colours, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    const triangles = await page.evaluate(() => linkwork.picker.calls.bodies().map((body) => body.geometry.getAttribute('position').count / 3));
    assert.deepEqual(triangles, [12, 12, 12]);
  });
});

test('a link is named, selected and pulled', async () => {
  await withPage('pulled', ['robots/puma560.yaml'], async (page) => {
    const [x, y] = await page.evaluate(() => { // a place well inside the upper arm in the picture, away from the gizmo
      const box = document.querySelector('.view canvas').getBoundingClientRect(), tool = linkwork.drag.onScreen();
      const upper = (px, py) => linkwork.picker.aim({ clientX: px, clientY: py })?.object.userData.joint === 1;
      for (let i = 5; i < 55; ++i) {
        for (let j = 5; j < 55; ++j) {
          const px = box.left + box.width * i / 60, py = box.top + box.height * j / 60;
          const far = Math.hypot(px - box.left - tool.x, py - box.top - tool.y) > 120;
          if (far && [[0, 0], [8, 0], [-8, 0], [0, 8], [0, -8]].every(([dx, dy]) => upper(px + dx, py + dy))) return [px, py];
        }
      }
      return [0, 0];
    });
    await page.mouse.move(x, y);
    const name = await page.locator('.tip:visible').textContent();
    assert.ok(name.length > 2, 'the link under the pointer is named');
    await page.mouse.click(x, y);
    const panel = await page.locator('.live details').first().textContent();
    assert.ok(panel.includes(name.split(' ')[0]), 'the panel shows the link');
    const place = await page.evaluate(() => linkwork.session.links(linkwork.q)[1].p);
    const shown = panel.match(/origin at(\S+), (\S+), (\S+) m/).slice(1).map(Number);
    assert.ok(shown.every((value, k) => Math.abs(value - place[k]) < 1e-5), `${shown}, expected ${place}`);
    assert.match(panel, /velocity0, 0, 0 m\/sangular velocity0, 0, 0 rad\/sacceleration0, 0, 0/);
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 40, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const pull = await page.evaluate(() => linkwork.live.settings.pull);
    assert.ok(Math.hypot(...pull.force) > 1, JSON.stringify(pull));
    assert.match(await page.locator('.message').textContent(), / N on /);
    await page.getByLabel('duration (s)').fill('0.2');
    await page.getByLabel('simulate from this state (s)').click();
    await page.waitForFunction(() => linkwork.runs.length === 1);
    const end = () => page.evaluate(() => linkwork.runs[0].groups.get('q').curves.map((curve) => curve.values.at(-1)));
    const pulled = await end();
    await page.evaluate(() => { linkwork.stage.playback.pause(); linkwork.stage.playback.seek(0); linkwork.picker.select(null); });
    assert.equal(await page.evaluate(() => linkwork.live.settings.pull), null);
    await page.getByLabel('simulate from this state (s)').click();
    await page.waitForFunction(() => linkwork.runs.length === 2);
    assert.notDeepEqual(await end(), pulled, 'the force counts');
  });
});

test('plots are chosen, arranged and saved; units are switched', async () => {
  await withPage('chosen', ['scenarios/puma_pd.yaml'], async (page) => {
    const titles = () => page.locator('.panel h3').allTextContents();
    const before = await titles();
    assert.ok(before.includes('positions (rad)') && !before.some((title) => /accelerations/.test(title)));
    await page.locator('summary', { hasText: 'Quantities' }).click();
    await page.getByRole('checkbox', { name: 'accelerations' }).check();
    assert.ok((await titles()).some((title) => /accelerations/.test(title)));
    await page.locator('.panel h3').nth(1).press('Alt+ArrowUp');
    assert.deepEqual((await titles()).slice(0, 2), [before[1], before[0]]);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByLabel('save the curves shown, in the time span shown, as CSV').click()]);
    const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
    assert.match(lines[0], /^t,qd1,.*q1/);
    assert.equal(lines.length - 1, await page.evaluate(() => linkwork.runs[0].t.length));
    await page.locator('summary', { hasText: 'Units' }).click();
    await page.getByLabel('degrees').check();
    assert.ok((await titles()).includes('positions (deg)'));
    const box = page.getByLabel('elbow, deg').last();
    assert.ok(Math.abs(Number(await box.inputValue()) - 90) < 1e-3, await box.inputValue());
    await page.evaluate(() => linkwork.stage.playback.pause());
    await box.fill('45');
    await box.press('Enter');
    assert.ok(Math.abs(await page.evaluate(() => linkwork.q[2]) - Math.PI / 4) < 1e-15);
    await page.locator('summary', { hasText: 'Save' }).click();
    const [picture] = await Promise.all([page.waitForEvent('download'), page.getByLabel('save the picture as PNG').click()]);
    assert.equal(readFileSync(await picture.path()).subarray(1, 4).toString(), 'PNG');
  });
});

test('phase planes and torque over speed show the run, the envelope of the motor, and where a limit is reached', async () => {
  const robot = join(folder, 'motor.yaml'), scenario = join(folder, 'motor_run.yaml');
  writeFileSync(robot, ['linkwork: 1', 'name: motor', 'joints:', '  - name: hub', '    type: revolute', '    axis: [0, 0, 1]',
    '    limits: {lower: -100, upper: 100, velocity: 60, effort: 50}',
    '    motor: {resistance: 2, torque_constant: 0.1, gear: 10, voltage: 24, current: 8, efficiency: 0.8}',
    '    link: {mass: 1, com: [0, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}', ''].join('\n'));
  writeFileSync(scenario, ['linkwork: 1', 'name: run up', 'robot: motor.yaml', 'duration: 2', 'record: 0.01', 'drives: {hub: {voltage: 24}}', ''].join('\n'));
  await withPage('planes', [scenario], async (page) => {
    assert.equal(await page.locator('.plane').count(), 0);
    await page.locator('summary', { hasText: 'Quantities' }).click();
    await page.getByRole('checkbox', { name: 'phase plane' }).check();
    await page.getByRole('checkbox', { name: 'torque over speed' }).check();
    assert.equal(await page.locator('.plane').count(), 2);
    const corners = await page.evaluate(() => linkwork.stage.plots.planes.plots[1].edge());
    const of = (speed) => corners.filter(([w]) => Math.abs(w - speed) < 1e-9).map(([, torque]) => torque);
    // 24 V: no load at 24 / (0.1 10) = 24 rad/s; at rest 24 / 2 = 12 A, limited to 8 A: 8 N m, no power, so with the efficiency
    assert.ok(Math.abs(Math.max(...corners.map(([w]) => w)) - 24) < 1e-12);
    assert.deepEqual(of(24).map((torque) => Number(torque.toFixed(9)) + 0), [0, -10]); // braking: the gear adds its losses
    assert.ok(Math.abs(of(12)[0] - 0.8 * 6) < 1e-9, 'half the speed: (24 - 12) / 2 = 6 A');
    assert.equal(await page.evaluate(() => linkwork.stage.plots.planes.plots[1].at(0)), true, 'the run begins at the limit of current');
    assert.deepEqual(await page.evaluate(() => [60, 150].map((row) => linkwork.stage.plots.planes.plots[1].at(row))), [true, true], 'and stays at that of voltage');
    const before = await page.evaluate(() => { linkwork.stage.playback.pause(); return linkwork.stage.playback.time; });
    await page.locator('.plane canvas').first().click({ position: { x: 200, y: 40 } });
    assert.notEqual(await page.evaluate(() => linkwork.stage.playback.time), before, 'a click goes to the nearest row');
  });
});

test('cylinders are drawn between their pins, with stroke, force and pressure; wheels roll on the ground', async () => {
  const states = join(folder, 'held.csv');
  writeFileSync(states, `t,${['q', 'qd', 'qdd'].flatMap((key) => [1, 2, 3, 4, 5].map((k) => key + k)).join()}\n${[0, 1].map((t) => `${t},0.1,0.9,-1.4,0.4,0.2,${Array(10).fill(0).join()}\n`).join('')}`);
  const wanted = run('drives', 'robots/hydraulic5.yaml', '--in', states, '--cylinders', '--format', 'csv').trim().split('\n').map((line) => line.split(','));
  await withPage('cylinders', ['robots/hydraulic5.yaml'], async (page) => {
    await page.evaluate(() => linkwork.goLive(Float64Array.from([0.1, 0.9, -1.4, 0.4, 0.2])));
    const table = await page.evaluate(() => [...linkwork.cylinders.table.element.querySelectorAll('tr')].slice(1).map((row) => [...row.cells].map((cell) => cell.textContent)));
    const column = (row, name) => Number(row[wanted[0].indexOf(name)]), near = (text, value) => assert.ok(Math.abs(parseFloat(text) - value) <= 1e-3 * Math.abs(value), `${text}, the program has ${value}`);
    assert.deepEqual(table.map((row) => row[0]), wanted.slice(1).map((row) => row[0]));
    table.forEach((row, i) => { near(row[1], column(wanted[i + 1], 'stroke_least')); near(row[2], column(wanted[i + 1], 'force_peak')); near(row[3], column(wanted[i + 1], 'pressure_peak') / 1e5); });
    const ends = await page.evaluate(() => linkwork.cylinders.view.parts.map(({ barrel, rod }) => [barrel, rod].map((mesh) => mesh.matrix.elements.slice(12, 15))));
    table.forEach((row, i) => { // from the pin of the barrel to the rod's inner end
      const far = Math.hypot(...ends[i][0].map((x, k) => x - ends[i][1][k]));
      assert.ok(Math.abs(far - parseFloat(row[1])) < 1e-3, `${far}`);
    });
  });
  await withPage('wheels', ['robots/mobile_arm.yaml'], async (page) => {
    const low = await page.evaluate(() => linkwork.picker.calls.bodies().filter((body) => /wheel/.test(linkwork.contents.data.links[body.userData.joint + 1].name)).map((body) => {
      body.geometry.computeBoundingBox();
      const { min, max } = body.geometry.boundingBox;
      return [body.parent.matrix.elements[14], max.z - min.z, max.y - min.y];
    }));
    assert.equal(low.length, 2);
    for (const [height, high, wide] of low) assert.ok(Math.abs(height - 0.1) < 1e-9 && Math.abs(high - 0.2) < 1e-3 && wide < 0.1, `${[height, high, wide]}`);
  });
});

test('two methods answer the same question side by side', async () => {
  await withPage('methods', ['robots/panda.yaml'], async (page) => {
    await page.locator('summary', { hasText: 'Compare methods' }).click();
    const rows = () => page.evaluate(() => [...document.querySelectorAll('.live details[open] .numbers tr')].map((row) => [...row.cells].map((cell) => cell.textContent)).filter((row) => row.length === 4));
    for (const question of ['torques (inverse)', 'accelerations without torques (forward)', 'inertia matrix, diagonal']) {
      await page.getByLabel('question').selectOption(question);
      const [head, ...body] = await rows();
      assert.deepEqual(head, ['joint', 'first', 'second', 'difference']);
      assert.equal(body.length, 8, 'seven joints, and the time');
      const largest = Math.max(...body.slice(0, 7).map((row) => Math.abs(parseFloat(row[1]))));
      for (const row of body.slice(0, 7)) assert.ok(Math.abs(Number(row[3])) <= 1e-10 * largest, row.join());
      assert.match(body[7][1], /µs$/);
    }
    await page.getByLabel('question').selectOption('torques (inverse)');
    const gravity = await page.evaluate(() => Array.from(linkwork.session.answer('gravity', { q: linkwork.q })));
    const shown = (await rows()).slice(1, 8).map((row) => parseFloat(row[1]));
    shown.forEach((value, k) => assert.ok(Math.abs(value - gravity[k]) <= 1e-5 * Math.abs(gravity[k]) + 1e-9, `joint ${k + 1} at rest`));
  });
});

test('nothing essential is below the fold at 1400 x 900, and the picture stays in sight on a phone', async () => {
  await withPage('fold', ['scenarios/puma_pd.yaml'], async (page) => {
    for (const what of ['.view canvas', '.playback', '.panel', '.act button', '.slider']) {
      const box = await page.locator(what).first().boundingBox();
      assert.ok(box.y >= 0 && box.y + Math.min(box.height, 100) <= 900, `${what} at ${box.y}`);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), 900, 'the page does not scroll');
  });
  await withPage('phone', ['scenarios/puma_pd.yaml'], async (page) => {
    const slider = await page.locator('.slider').first().boundingBox(), plot = await page.locator('.panel').first().boundingBox();
    assert.ok(slider.y < plot.y, 'sliders come before plots');
    await page.evaluate(() => scrollTo(0, 1500));
    await settle(page);
    const view = await page.locator('.view').boundingBox();
    assert.ok(view.y >= -1 && view.y < 50, `pinned at ${view.y}`);
  }, { width: 400, height: 800 });
});

// WCAG 2: relative luminance and contrast.
const contrast = () => {
  const style = getComputedStyle(document.documentElement), channel = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (name) => {
    const hex = style.getPropertyValue(name).trim().slice(1);
    return [0, 2, 4].map((k) => channel(parseInt(hex.slice(k, k + 2), 16) / 255)).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  };
  const found = {};
  for (const text of ['--text', '--soft', '--accent', '--bad']) {
    for (const back of ['--back', '--panel']) {
      const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
      found[`${text} on ${back}`] = (a + 0.05) / (b + 0.05);
    }
  }
  return found;
};

test('everything has a name, can be read, and is reached by the keyboard', async () => {
  for (const dark of [false, true]) {
    await withPage(`access_${dark}`, ['scenarios/puma_pd.yaml'], async (page) => {
      const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, summary, [role=separator], canvas[tabindex]')]
        .filter((one) => !(one.getAttribute('aria-label') || one.labels?.[0]?.textContent.trim() || one.textContent.trim())).map((one) => one.outerHTML));
      assert.deepEqual(nameless, []);
      const found = await page.evaluate(contrast);
      for (const [pair, ratio] of Object.entries(found)) assert.ok(ratio >= 4.5, `${pair}: ${ratio.toFixed(2)}`);
      const reached = new Set();
      for (let k = 0; k < 60; ++k) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(() => `${document.activeElement.tagName} ${document.activeElement.className} ${document.activeElement.getAttribute('aria-label') ?? ''}`));
      }
      for (const what of [/^CANVAS/, /play or pause/, /separator|splitter/, /waist/, /^H3/]) assert.ok([...reached].some((one) => what.test(one)), `${what} in ${[...reached]}`);
    }, { width: 1400, height: 900, dark });
  }
});
