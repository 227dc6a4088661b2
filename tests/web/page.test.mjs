// Tests the page in Chromium: it opens, plays, computes like the program, shows texts as plain text, and makes no requests.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { assertNear, checkPage, root, rows, run, settle, shots, startBrowser } from './browser.mjs';
import { chain, floatingScenario, HOSTILE, hostileRobot, longRecording, meshChain, pandaWithMeshes, recording } from './models.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.close());

const withPage = (...given) => checkPage(browser, ...given);

// Results of the program without FMA, as WebAssembly computes.
function plainRows(...words) {
  process.env.LINKWORK_ISA = 'baseline';
  try {
    return rows(...words);
  } finally {
    delete process.env.LINKWORK_ISA;
  }
}

// Number of colours in the picture, many more than background and grid have.
const coloursInView = () => {
  const canvas = document.querySelector('.view canvas');
  const copy = document.createElement('canvas');
  copy.width = 200; copy.height = 150;
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0, 200, 150);
  const data = context.getImageData(0, 0, 200, 150).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 3) << 10 | (data[i + 1] >> 3) << 5 | data[i + 2] >> 3);
  return seen.size;
};

// WebGL may draw the picture some frames after the page is ready.
async function assertDrawn(page, least, what) {
  let colours = 0;
  for (const end = Date.now() + 20000; colours <= least && Date.now() < end; await settle(page)) {
    colours = await page.evaluate(coloursInView);
  }
  assert.ok(colours > least, `${what} is not drawn: ${colours} colours, expected more than ${least}`);
}

const Q = [0.1, -0.8, 0.6, 0.3, 0.9, -0.4], QD = [0.5, -0.3, 0.8, 1, -0.6, 0.2], QDD = [1, 0.5, -0.7, 0.4, 0.9, -1.2];
const list = (values) => values.join(',');

test('the page gives the same answers as the program', async () => {
  await withPage('puma', ['robots/puma560.yaml'], async (page) => {
    await assertDrawn(page, 40, 'the robot');
    const ask = (question, state) => page.evaluate(([name, at]) => Array.from(linkwork.session.answer(name, at)), [question, state]);
    const native = (question, ...words) => Object.values(rows(question, 'robots/puma560.yaml', '--q', list(Q), ...words)[0]);
    assertNear(await ask('inverse', { q: Q, qd: QD, qdd: QDD }), native('inverse', '--qd', list(QD), '--qdd', list(QDD)), 1e-13, 'inverse');
    assertNear(await ask('inertia', { q: Q }), native('inertia'), 1e-13, 'inertia');
    assertNear(await ask('gravity', { q: Q }), native('gravity'), 1e-13, 'gravity');
    assertNear(await ask('forward', { q: Q, qd: QD, tau: QDD }), native('forward', '--qd', list(QD), '--tau', list(QDD)), 1e-13, 'forward');
    assertNear(await ask('jacobian', { q: Q }), native('jacobian'), 1e-13, 'jacobian');
    assertNear(await ask('pose', { q: Q }), native('pose').slice(0, 12), 1e-13, 'pose');
    assertNear(await ask('energy', { q: Q, qd: QD }), native('energy', '--qd', list(QD)), 1e-13, 'energy');
  });
});

test('reactions along the axes are the torques of inverse dynamics', async () => {
  for (const robot of ['robots/puma560.yaml', 'robots/stanford.yaml', 'robots/gripper_arm.urdf']) {
    await withPage('reactions', [robot], async (page) => {
      const worst = await page.evaluate(() => {
        const { session } = linkwork, joints = linkwork.contents.data.joints;
        const wave = (f) => joints.map((_, k) => f * Math.sin(1 + 2.3 * k));
        const q = wave(0.3), qd = wave(0.7), qdd = wave(-1.1);
        const tau = session.answer('inverse', { q, qd, qdd }), places = session.links(q), reactions = session.reactions(qd, qdd);
        const size = Math.max(...tau.map(Math.abs));
        const followed = new Set(linkwork.contents.data.robot.joints.filter((joint) => joint.mimic).map((joint) => joint.mimic.joint));
        return Math.max(...joints.filter((joint) => !followed.has(joint.name)).map((joint) => {
          const k = joints.indexOf(joint), { force, torque } = reactions[joint.index], axis = places[joint.index].axis;
          const along = (joint.slides ? force : torque).reduce((sum, value, i) => sum + value * axis[i], 0);
          return Math.abs(along - tau[k]) / size;
        }));
      });
      assert.ok(worst < 1e-12, `${robot}: ${worst}`);
    });
  }
});

test('runs simulated in the page equal those of the program', async () => {
  // A falling arm is chaotic: rounding errors grow tenfold every few tenths of a second, so only the start is compared. A
  // controlled arm damps them and is compared to its end. WebAssembly has no FMA, so the program runs without it, too.
  for (const [scenario, until] of [['scenarios/puma_fall.yaml', 0.5], ['scenarios/puma_pd.yaml', Infinity]]) {
    await withPage('simulated', [scenario], async (page) => {
      const native = plainRows('simulate', scenario);
      const found = await page.evaluate(async () => {
        linkwork.stage.playback.seek(0);
        const run = await linkwork.simulate();
        linkwork.stage.playback.pause();
        const q = run.groups.get('q').curves;
        return Array.from(run.t, (t, i) => [t, ...q.map((curve) => curve.values.at(i))]);
      });
      assert.equal(found.length, native.length);
      native.forEach((row, i) => {
        if (row.t <= until) assertNear(found[i], [row.t, ...[1, 2, 3, 4, 5, 6].map((k) => row[`q${k}`])], 1e-13, `${scenario} at ${row.t} s`);
      });
    });
  }
});

test('plays, scrubs, steps, zooms; shows what was recorded', async () => {
  await withPage('run', ['scenarios/puma_computed_torque.yaml'], async (page) => {
    const native = rows('simulate', 'scenarios/puma_computed_torque.yaml');
    const time = () => page.evaluate(() => linkwork.stage.playback.time);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => linkwork.stage.playback.time > 0.3);
    await page.keyboard.press('Space');
    assert.ok((await time()) < 3, 'paused');
    await page.locator('.playback input[type=range]').evaluate((bar) => { bar.value = '2'; bar.dispatchEvent(new Event('input')); });
    assert.equal(await time(), 2);
    const row = native.findIndex((one) => one.t === 2);
    assert.deepEqual(await page.evaluate(() => Array.from(linkwork.q)), [1, 2, 3, 4, 5, 6].map((k) => native[row][`q${k}`]), 'to the last bit');
    await page.keyboard.press('.');
    assert.ok(Math.abs((await time()) - 2.01) < 1e-9);
    await page.keyboard.press('Home');
    assert.equal(await time(), 0);
    const panel = page.locator('[data-panel=q] .u-over');
    const box = await panel.boundingBox();
    await panel.click({ position: { x: box.width / 2, y: 20 } });
    assert.ok(Math.abs((await time()) - 2) < 0.02, 'a click in a plot moves the time');
    await panel.scrollIntoViewIfNeeded();
    const now = await panel.boundingBox();
    await page.mouse.move(now.x + 0.25 * now.width, now.y + 30);
    await page.mouse.down();
    await page.mouse.move(now.x + 0.5 * now.width, now.y + 30, { steps: 4 });
    await page.mouse.up();
    const [low, high] = await page.evaluate(() => linkwork.stage.plots.span);
    assert.ok(Math.abs(low - 1) < 0.05 && Math.abs(high - 2) < 0.05, `zoomed to ${low}..${high}`);
    assert.equal(await page.locator('.panel').count() >= 6, true, 'q qd tau error v power energy');
    await page.evaluate(() => scrollTo(0, 0));
  });
});

test('sliders, the dragged tool and the panel', async () => {
  await withPage('live', ['robots/puma560.yaml'], async (page) => {
    await page.getByLabel('all joints to zero, or the nearest limit').click();
    const slider = page.locator('.slider input[type=range]').nth(1);
    await slider.evaluate((bar) => { bar.value = '-1'; bar.dispatchEvent(new Event('input')); });
    assert.equal(await page.evaluate(() => linkwork.q[1]), -1);
    const [gravity] = rows('gravity', 'robots/puma560.yaml', '--q', '0,-1,0,0,0,0');
    const cell = await page.locator('.numbers tr').nth(2).locator('td').nth(1).textContent();
    assert.ok(Math.abs(parseFloat(cell) - gravity.g2) <= 1e-5 * Math.abs(gravity.g2), `${cell} and ${gravity.g2}`);
    const start = await page.evaluate(() => ({ at: linkwork.drag.onScreen(), q: Array.from(linkwork.q) }));
    const canvas = await page.locator('.view canvas').boundingBox();
    await page.mouse.move(canvas.x + start.at.x, canvas.y + start.at.y);
    await page.mouse.down();
    await page.mouse.move(canvas.x + start.at.x - 60, canvas.y + start.at.y + 40, { steps: 8 });
    await page.mouse.up();
    const dragged = await page.evaluate(() => ({ q: Array.from(linkwork.q), ball: linkwork.drag.ball.position.toArray() }));
    assert.notDeepEqual(dragged.q, start.q, 'the arm follows');
    const pose = rows('pose', 'robots/puma560.yaml', '--q', list(dragged.q))[0];
    assertNear(dragged.ball, [pose.x, pose.y, pose.z], 1e-12, 'the ball is at the tool');
    await page.getByLabel('payload (kg)').fill('5');
    await page.getByLabel('payload (kg)').press('Enter');
    const loaded = await page.evaluate((q) => Array.from(linkwork.session.answer('gravity', { q })), Q);
    const link = (await page.evaluate(() => linkwork.contents.data.links.at(-1).name));
    assertNear(loaded, Object.values(rows('gravity', 'robots/puma560.yaml', '--q', list(Q), '--payload', `${link}=5`)[0]), 1e-13, 'with payload');
    await page.getByLabel('gravity x, y, z (m/s²)').fill('0, 0, nonsense');
    await page.getByLabel('gravity x, y, z (m/s²)').press('Enter');
    assert.match(await page.locator('.wrong:visible').textContent(), /expected 3 numbers/, 'a wrong number is refused with a message');
  });
});

test('the Panda from URDF, with meshes', async () => {
  await withPage('panda', [pandaWithMeshes()], async (page) => {
    const { meshes, missing } = await page.evaluate(() => ({
      meshes: linkwork.contents.data.links.flatMap((link) => link.shapes).filter((shape) => shape.mesh?.triangles === 12).length,
      missing: linkwork.contents.data.missing_meshes,
    }));
    assert.ok(meshes >= 7, `${meshes} meshes`);
    assert.equal(missing, 0);
    await assertDrawn(page, 40, 'the robot');
  });
});

test('meshes that cannot be embedded are reported, and links are still drawn', async () => {
  await withPage('collada', [pandaWithMeshes('link.dae')], async (page) => {
    assert.ok(await page.evaluate(() => linkwork.contents.data.missing_meshes) >= 7);
    assert.match(await page.locator('.corner').textContent(), /meshes could not be embedded \(no STL, OBJ or DAE file, or not found\)/);
    await assertDrawn(page, 40, 'the robot');
  });
});

test('links from a parts file', async () => {
  await withPage('parts', ['robots/ddarm.yaml'], async (page) => {
    const shapes = await page.evaluate(() => linkwork.contents.data.links.flatMap((link) => link.shapes));
    assert.ok(shapes.length > 20 && shapes.some((shape) => shape.kind === 'tube'), `${shapes.length} shapes`);
    await assertDrawn(page, 40, 'the robot');
  });
});

test('revolute and prismatic joints have separate axes', async () => {
  const run1 = recording('stanford.csv', 'plan', 'robots/stanford.yaml', '--from', '0,0,0.4,0,0,0', '--to', '1,1,0.7,0,1,0', '--duration', '2', '--format', 'csv');
  await withPage('stanford', ['robots/stanford.yaml', run1], async (page) => {
    const titles = await page.locator('.panel h3').allTextContents();
    for (const title of ['positions (rad)', 'positions (m)', 'velocities (rad/s)', 'velocities (m/s)']) assert.ok(titles.includes(title), `${title} in ${titles}`);
    assert.ok(!titles.some((title) => / or /.test(title)), String(titles));
  });
});

test('a snake and its path', async () => {
  const run1 = recording('snake.csv', 'snake', 'simulate', 'robots/snakes/table2_n6.yaml', '--duration', '4', '--torque-law', 'sin(t)/(n-k)', '--format', 'csv');
  await withPage('snake', ['robots/snakes/table2_n6.yaml', run1], async (page) => {
    await page.evaluate(() => linkwork.stage.playback.seek(2));
    await settle(page);
    await assertDrawn(page, 20, 'the snake');
  });
});

test('a snake simulated in the page equals that of the program', async () => {
  const snake = 'robots/snakes/table2_n6.yaml', columns = ['t', 'theta1', 'theta6', 'u1', 'u2', 'x', 'y', 'kinetic', 'work'];
  await withPage('snake_live', [snake], async (page) => {
    const simulate = (drive) => page.evaluate(async (kind) => {
      Object.assign(linkwork.live.settings, { drive: kind, duration: '3' });
      const run = await linkwork.simulate();
      linkwork.stage.playback.pause();
      const curves = [...run.groups.values()].flatMap((group) => group.curves);
      return Array.from(run.t, (t, i) => ({ t, ...Object.fromEntries(curves.map((curve) => [curve.name, curve.values.at(i)])) }));
    }, drive);
    const compare = (found, native, what) => {
      assert.equal(found.length, native.length);
      native.forEach((row, i) => assertNear(columns.map((name) => found[i][name]), columns.map((name) => row[name]), 1e-12, `${what} at ${row.t} s`));
    };
    compare(await simulate(2), plainRows('snake', 'simulate', snake, '--duration', '3', '--gait', 'serpenoid:0.5,1.05,2'), 'gait');
    await page.getByLabel('straight and at rest').click();
    await page.getByLabel('joint 2, rad').first().evaluate((bar) => { bar.value = '0.5'; bar.dispatchEvent(new Event('input')); });
    assert.deepEqual(await page.evaluate(() => Array.from(linkwork.state.theta)), [0, 0, 0.5, 0.5, 0.5, 0.5]);
    await page.evaluate(() => { linkwork.live.settings.law = '0.1*sin(t)/(n-k)'; linkwork.goLive({ ...linkwork.state, x: 0, y: 0 }); });
    compare(await simulate(1), plainRows('snake', 'simulate', snake, '--duration', '3', '--torque-law', '0.1*sin(t)/(n-k)', '--theta0', '0,0,0.5,0.5,0.5,0.5'), 'law');
    await page.evaluate(async () => { linkwork.live.settings.law = 'sin('; await linkwork.simulate(); });
    assert.match(await page.locator('.message').textContent(), /torque law:1:5: error/, 'a wrong law is refused with a message');
    assert.equal(await page.evaluate(() => linkwork.runs.length), 2);
    await assertDrawn(page, 20, 'the snake');
  });
});

test('a robot on a floating base', async () => {
  const scenario = floatingScenario();
  await withPage('floating', [scenario], async (page) => {
    const native = plainRows('simulate', scenario), names = Array.from({ length: 13 }, (_, k) => `q${k + 1}`);
    const found = await page.evaluate(async () => {
      linkwork.stage.playback.seek(0);
      const run = await linkwork.simulate();
      linkwork.stage.playback.pause();
      return Array.from(run.t, (t, i) => run.groups.get('q').curves.map((curve) => curve.values.at(i)));
    });
    assert.equal(found.length, native.length);
    native.forEach((row, i) => assertNear(found[i], names.map((name) => row[name]), 1e-12, `at ${row.t} s`));
    await page.evaluate(() => linkwork.stage.playback.seek(2.017));
    assert.ok(Math.abs(await page.evaluate(() => Math.hypot(...linkwork.q.slice(3, 7))) - 1) < 1e-15, 'a unit quaternion between records');
    const turn = page.getByLabel('base.pitch, rad').first();
    await turn.evaluate((bar) => { bar.value = '0.4'; bar.dispatchEvent(new Event('input')); });
    const q = await page.evaluate(() => Array.from(linkwork.q));
    assert.ok(Math.abs(Number(await turn.inputValue()) - 0.4) < 1e-9);
    const ask = (question, state) => page.evaluate(([name, at]) => Array.from(linkwork.session.answer(name, at)), [question, state]);
    const qd = q.slice(1).map((value) => 0.3 - value);
    for (const [question, state, words] of [['inertia', { q }, []], ['pose', { q }, []], ['bias', { q, qd }, ['--qd', list(qd)]]]) {
      const wanted = Object.values(rows(question, 'robots/free_flyer.yaml', '--q', list(q), ...words)[0]);
      const answer = await ask(question, state);
      assertNear(answer, wanted.slice(0, answer.length), 1e-13, question);
    }
    const before = (await ask('pose', { q })).slice(0, 3), goal = [before[0] + 0.1, before[1], before[2] - 0.1];
    assert.ok(await page.evaluate((to) => linkwork.follow(to), goal) < 1e-9, 'the tool follows');
    await assertDrawn(page, 40, 'the robot');
  });
});

test('two runs compared, dark theme', async () => {
  const first = recording('pd.csv', 'simulate', 'scenarios/puma_pd.yaml', '--format', 'csv');
  const second = recording('ct.csv', 'simulate', 'scenarios/puma_computed_torque.yaml', '--format', 'csv');
  await withPage('compared', ['robots/puma560.yaml', first, second], async (page) => {
    await page.evaluate(() => linkwork.stage.playback.seek(1.5));
    assert.equal(await page.evaluate(() => linkwork.runs.length), 2);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(15, 19, 23)');
  }, { dark: true });
});

test('names are text, never markup', async () => {
  await withPage('hostile', [hostileRobot()], async (page) => {
    assert.equal(await page.locator('h1').textContent(), HOSTILE);
    assert.equal(await page.title(), HOSTILE);
    assert.equal(await page.locator('img').count(), 0);
  });
});

test('at 400 pixels nothing overflows sideways', async () => {
  await withPage('narrow', ['scenarios/puma_pd.yaml'], async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 400);
  }, { width: 400, height: 800 });
});

test('100 joints and 100,000 rows', async () => {
  const file = longRecording(100000);
  await withPage('long', ['robots/puma560.yaml', file], async (page, opened) => {
    assert.ok(statSync(opened.file).size < 10e6, `${statSync(opened.file).size} bytes`);
    const stored = await page.evaluate(() => linkwork.runs[0].groups.get('q').curves[2].values.at(77777));
    const t = 77777e-3, c = 2; // the formula of models.mjs
    const exact = Math.sin((0.3 + 0.11 * c) * t + c) * (1 + 0.2 * c) + 0.1 * Math.cos(7.3 * t + 2 * c);
    const bits = await page.evaluate(() => linkwork.contents.data.bits);
    assert.ok(Math.abs(stored - exact) <= 4 * 2 ** -bits, `${stored - exact} with ${bits} bits`);
    // a quantity that is not plotted is decoded where the cursor is, and ahead of it while playing
    const decoded = () => page.evaluate(() => linkwork.runs[0].groups.get('qdd').curves.map((curve) => curve.values.decoded));
    assert.deepEqual(new Set(await decoded()), new Set([1]), 'one chunk of two');
    await page.evaluate(() => { for (let k = 0; k < 40; ++k) linkwork.stage.playback.seek(60 + k * 0.01); });
    assert.deepEqual(new Set(await decoded()), new Set([2]), 'the next chunk is decoded before it is needed');
    const seam = await page.evaluate(() => [65535, 65536].map((row) => linkwork.runs[0].groups.get('qdd').curves[0].values.at(row)));
    seam.forEach((value, k) => { const t = (65535 + k) * 1e-3, c = 12; assert.ok(Math.abs(value - Math.sin((0.3 + 0.11 * c) * t + c) * (1 + 0.2 * c) - 0.1 * Math.cos(7.3 * t + 2 * c)) < 8 * 2 ** -bits, 'at the seam of two chunks'); });
    await page.evaluate(() => linkwork.stage.plots.zoom(50, 50.05));
    const points = await page.evaluate(() => document.querySelectorAll('[data-panel=q] canvas').length);
    assert.equal(points, 1);
  });
  await withPage('chain', [chain(100)], async (page) => {
    const times = await page.evaluate(() => new Promise((done) => {
      let count = 0, scripts = 0;
      const begin = performance.now();
      const frame = () => {
        const from = performance.now();
        linkwork.goLive(Float64Array.from({ length: 100 }, (_, k) => 0.05 * Math.sin(count / 9 + k)));
        scripts += performance.now() - from;
        if (++count < 10) requestAnimationFrame(frame);
        else done([scripts / count, (performance.now() - begin) / count]);
      };
      frame();
    }));
    console.log(`100 joints: ${times[0].toFixed(1)} ms of scripts in ${times[1].toFixed(0)} ms per frame, software WebGL`);
  });
});

test('a frame of 100 joints with meshes takes at most 8 ms of our own', async () => {
  await withPage('mesh_chain', meshChain(100, 400), async (page) => {
    assert.equal(await page.evaluate(() => linkwork.contents.data.missing_meshes), 0);
    const times = await page.evaluate(() => { // without the browser's drawing, which is done by software here
      const { playback } = linkwork.stage, found = [];
      playback.pause();
      playback.seek(0);
      playback.playing = true; // frames are made here, one after the other
      for (let k = 0; k < 300; ++k) {
        const from = performance.now();
        playback.seek(0.02 * k);
        found.push(performance.now() - from);
      }
      playback.pause();
      return found.sort((a, b) => a - b);
    });
    console.log(`100 joints with meshes: ${times[150].toFixed(2)} ms of scripts per frame, median of 300; worst ${times[299].toFixed(1)} ms`);
    assert.ok(times[150] <= 8, `${times[150]} ms`);
    await page.waitForTimeout(1000);
    assert.ok(Math.abs(await page.evaluate(() => linkwork.live.q[0]) - 0.05 * Math.sin(0.02 * 299 + 1)) < 1e-5, 'the panel ends with the last state');
  });
});

test('a still, and refusals', async () => {
  const png = join(shots, 'still.png');
  run('page', 'scenarios/puma_pd.yaml', '--png', png);
  const page = await browser.newPage();
  await page.setContent(`<img src="data:image/png;base64,${readFileSync(png).toString('base64')}">`);
  const [width, height, colours, blue] = await page.evaluate(async () => {
    const image = document.querySelector('img');
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const data = context.getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
    let blue = 0;
    for (let i = 0; i < data.length; i += 4) {
      seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
      blue += data[i] === 0 && data[i + 1] === 0x72 && data[i + 2] === 0xb2;
    }
    return [canvas.width, canvas.height, seen.size, blue];
  });
  await page.close();
  assert.ok(width >= 800 && height >= 500, `${width} x ${height}`);
  assert.ok(colours > 200, `${colours} colours: the arm is shaded`);
  assert.ok(blue > 100, `${blue} pixels in the colour of the first joint's curves`);
  assert.throws(() => run('page', 'robots/puma560.yaml'), /needs --out/);
  assert.throws(() => run('page', 'robots/puma560.yaml', 'robots/panda.yaml', '--out', '-'), /one robot/);
});
