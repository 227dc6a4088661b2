// Tests the panel of the page with real clicks and keys: fields are checked, numbers are shown as they are, loops stay closed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertNear, checkPage, folder, rows, startBrowser } from './browser.mjs';

const MECHANISMS = ['delta', 'excavator', 'four_bar', 'palletizer', 'stewart'];

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.close());
const SMALL = { width: 900, height: 700 };
const withPage = (name, inputs, work) => checkPage(browser, name, inputs, work, SMALL);

// Types a text into a field as a person does, and leaves it.
async function type(page, label, text) {
  const field = page.getByLabel(label, { exact: true }).last();
  await field.click();
  await field.press('Control+a');
  await field.press('Delete');
  await page.keyboard.type(text);
  await field.press('Tab');
}

const press = (page) => page.getByLabel('simulate from this state (s)').click();
const runsOf = (page) => page.evaluate(() => linkwork.runs.length);
const cells = (page) => page.locator('.numbers tr').allTextContents();

// Numbers of all sizes, the same in every run.
function seeded(seed) {
  let state = seed;
  return () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
}

test('a field refuses a wrong text beside it, and nothing runs with it', async () => {
  await withPage('fields', ['robots/planar2r.yaml'], async (page) => {
    const before = await cells(page);
    const wrong = [['payload (kg)', '-5', /expected a number of 0 or more/], ['payload (kg)', 'heavy', /'heavy'/],
      ['duration (s)', 'abc', /'abc': expected a number above 0/], ['duration (s)', '0', /above 0/], ['duration (s)', '', /above 0/],
      ['kp', '-1', /of 0 or more/], ['kd', '1, 2, 3', /1 or 2 numbers/], ['gravity x, y, z (m/s²)', '0, 0', /3 numbers/],
      ['friction scale', '1e', /a number of 0 or more/], ['torques (laws in t, q, qd)', 'sin(t), 0, 0', /3 laws, expected one for all joints or 2/]];
    for (const [label, text, reason] of wrong) {
      const field = page.getByLabel(label, { exact: true }).last(), good = await field.inputValue();
      await type(page, label, text);
      assert.equal(await page.locator('.wrong:visible').count(), 1, `${label} ${text}`);
      assert.match(await page.locator('.wrong:visible').textContent(), reason);
      const [at, message] = [await field.boundingBox(), await page.locator('.wrong:visible').boundingBox()];
      assert.ok(Math.abs(message.y - at.y - at.height) < 30, 'the message is beside the field');
      await press(page);
      assert.match(await page.locator('.message').textContent(), reason, 'said beside the button, too');
      assert.equal(await runsOf(page), 0, `${label} ${text}: nothing runs`);
      assert.deepEqual(await cells(page), before, `${label} ${text}: is not used`);
      await type(page, label, good);
      assert.equal(await page.locator('.wrong:visible').count(), 0, `${label}: mended`);
    }
    await type(page, 'payload (kg)', '3');
    assert.notDeepEqual(await cells(page), before, 'a payload counts');
    await type(page, 'duration (s)', '0.2');
    await press(page);
    await page.waitForFunction(() => linkwork.runs.length === 1);
    await page.evaluate(() => linkwork.stage.playback.pause());
    assert.equal(await page.evaluate(() => linkwork.runs[0].end), 0.2);
  });
});

test('torque laws are split only at commas between them', async () => {
  await withPage('laws', ['robots/planar2r.yaml'], async (page) => {
    await page.getByLabel('driven by').selectOption('torques');
    await type(page, 'duration (s)', '0.1');
    for (const [text, first] of [['(2), 0', 2], ['3*(1+cos(0)), -1', 6]]) {
      await type(page, 'torques (laws in t, q, qd)', text);
      const count = await runsOf(page);
      await press(page);
      await page.waitForFunction((n) => linkwork.runs.length > n, count);
      await page.evaluate(() => linkwork.stage.playback.pause());
      assert.equal(await page.evaluate(() => linkwork.runs[0].groups.get('tau').curves[0].values.at(0)), first);
    }
    await type(page, 'torques (laws in t, q, qd)', '(1, 2), 0'); // two laws; the library says what is wrong in the first
    assert.equal(await page.locator('.wrong:visible').count(), 0);
    assert.match(await page.locator('.message').textContent(), /',' is not expected here/);
  });
});

test('joint boxes show whole numbers', async () => {
  await withPage('boxes', ['robots/planar2r.yaml'], async (page) => {
    const label = await page.locator('.slider input[type=text]').first().getAttribute('aria-label');
    const box = page.locator('.slider input[type=text]').first(), random = seeded(31);
    const values = [-1.134e-16, 0.1, -0.30000000000000004, 1e-300, 0, 1.23456789e-5];
    for (let k = 0; k < 12; ++k) values.push((random() < 0.5 ? -1 : 1) * random() * 10 ** Math.round(30 * random() - 20));
    for (const value of values) {
      await type(page, label, String(value));
      assert.equal(await page.evaluate(() => linkwork.q[0]), value, 'the joint has all digits');
      const text = await box.inputValue();
      assert.ok(Math.abs(Number(text) - value) <= 6e-5 * Math.abs(value), `${value} reads ${text}`);
      assert.ok(await box.evaluate((input) => input.scrollWidth <= input.clientWidth), `${text} is cut off`);
    }
    await type(page, label, '-1.134e-16');
    assert.equal(await box.inputValue(), '-1.134e-16');
    await type(page, label, 'abc');
    assert.match(await page.locator('.wrong:visible').textContent(), /'abc': expected a number/);
    assert.equal(await page.evaluate(() => linkwork.q[0]), -1.134e-16, 'the joint stays');
  });
});

test('numbers of large recordings show only digits that were stored', async () => {
  // a column from -8000 to 8000 of noise, in which some values are short decimals
  const path = join(folder, 'noisy.csv'), random = seeded(8), count = 62000, columns = 28, plain = [0.1, -0.25, 1234.5, 0.001, 7, 3e-7];
  const names = ['q', 'qd', 'qdd', 'tau'].flatMap((group) => [1, 2, 3, 4, 5, 6].map((k) => group + k)).concat('kinetic', 'potential', 'work', 'S');
  const lines = [`t,${names}`];
  for (let i = 0; i < count; ++i) {
    const values = Array.from({ length: columns }, () => (16000 * (random() - 0.5)).toPrecision(12));
    if (i < plain.length) values.fill(String(plain[i]));
    lines.push(`${i / 1000},${values}`);
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  await withPage('noisy', ['robots/puma560.yaml', path], async (page) => {
    const bits = await page.evaluate(() => linkwork.contents.data.bits), quantum = 16384 * 2 ** -bits;
    assert.ok(bits >= 28 && bits < 40, `${bits} bits`);
    for (let i = 0; i < plain.length; ++i) {
      await page.evaluate((t) => linkwork.stage.playback.seek(t), (i + 0.5) / 1000);
      const text = await page.locator('.state table').first().locator('tr').nth(1).locator('td').nth(4).textContent(); // tau1
      assert.ok(Math.abs(Number(text) - plain[i]) <= quantum, `${plain[i]} reads ${text}`);
      if (Math.abs(plain[i]) >= 0.1) assert.equal(Number(text), plain[i], `${plain[i]} reads ${text}`);
    }
  });
});

test('the panel of a snake checks its fields, and its sliders end at the stops', async () => {
  await withPage('snake_fields', ['robots/snakes/uneven5.yaml'], async (page) => {
    const stop = 70 * Math.PI / 180, bar = page.getByLabel('joint 1, rad').first();
    assert.deepEqual([Number(await bar.getAttribute('min')), Number(await bar.getAttribute('max'))], [-stop, stop]);
    for (const [label, text, good, reason] of [['duration (s)', 'abc', '0.1', /'abc': expected a number above 0/],
      ['gait: α (rad), β (rad), γ (rad/s)', '0.5, 1', '0.5, 1.05, 2', /expected 3 numbers/]]) {
      await type(page, label, text);
      assert.match(await page.locator('.wrong:visible').textContent(), reason);
      await press(page);
      assert.match(await page.locator('.message').textContent(), reason);
      assert.equal(await runsOf(page), 0, 'nothing runs');
      await type(page, label, good);
    }
    await press(page);
    await page.waitForFunction(() => linkwork.runs.length === 1);
  });
});

test('loops are closed from the start, and stay so', async () => {
  for (const name of MECHANISMS) {
    const robot = `robots/${name}.yaml`;
    await withPage(`closed_${name}`, [robot], async (page) => {
      const { driven, names, passive } = await page.evaluate(() => {
        const { session } = linkwork, joints = linkwork.contents.data.joints;
        return { driven: joints.flatMap((joint, k) => (session.isDriven(joint.index) ? [k] : [])), names: joints.map(({ name }) => name),
          passive: document.querySelectorAll('.slider.passive').length };
      });
      const sliders = await page.locator('.slider input[type=range]').count();
      assert.ok(driven.length > 0 && passive > 0);
      assert.equal(sliders, driven.length, 'sliders for driven joints only');
      // from the start to 30 random positions of the driven joints, closed wherever they can be
      const states = await page.evaluate((indices) => {
        let state = 5;
        const random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
        const { session } = linkwork, positions = linkwork.contents.data.positions, found = [];
        for (let k = 0; k < 30; ++k) {
          const q = linkwork.q.slice();
          positions.forEach((one, i) => {
            const far = one.slides ? 0.3 : 2, low = one.lower ?? q[i] - far, high = one.upper ?? q[i] + far;
            if (k > 0 && session.isDriven(one.index) && !one.quaternion) q[i] = low + random() * (high - low);
          });
          linkwork.moveTo(q);
          found.push({ q: Array.from(linkwork.q), hold: session.hold(linkwork.q) });
        }
        return found.map(({ q, hold }) => ({ q, hold: typeof hold === 'string' ? hold : indices.map((k) => hold[k]) }));
      }, driven);
      // the program refuses states that are not closed to 1e-6
      const file = join(folder, `${name}.csv`), held = states.filter(({ hold }) => typeof hold !== 'string');
      assert.ok(held.length >= 20, `${held.length} of ${states.length} states are held`);
      const heads = held[0].q.map((_, k) => `q${k + 1}`);
      assert.ok(states.every(({ hold }) => !/open/.test(hold)), 'a loop is open');
      writeFileSync(file, [heads, ...held.map(({ q }) => q)].map((row) => row.join(',')).join('\n') + '\n');
      const native = rows('inverse', robot, '--in', file);
      held.forEach(({ hold }, i) => assertNear(hold, driven.map((k) => native[i][`tau.${names[k]}`]), 1e-8, `${name}, state ${i}`));
      await page.getByLabel('the configuration of the file').click();
      assert.match((await cells(page))[0], /driven joint/);
      assert.equal((await cells(page)).length, 1 + driven.length);
      await page.locator('.tools details').nth(1).click();
      assert.equal(await page.getByLabel('reaction forces').count(), 0, 'no reactions of the open tree');
    });
  }
});

test('the crank of the four-bar, by keyboard and by mouse', async () => {
  await withPage('four_bar', ['robots/four_bar.yaml'], async (page) => {
    await type(page, 'crank, rad', '0.5');
    const q = await page.evaluate(() => Array.from(linkwork.q));
    assert.equal(q[0], 0.5);
    const wanted = rows('inverse', 'robots/four_bar.yaml', '--q', q.join(','))[0]['tau.crank'];
    const text = (await cells(page))[1];
    assert.ok(Math.abs(parseFloat(text.replace('crank', '')) - wanted) <= 1e-5 * Math.abs(wanted), `${text}, the program has ${wanted}`);
    await page.locator('.live select').first().selectOption('coupler');
    const at = await page.evaluate(() => linkwork.drag.onScreen()), canvas = await page.locator('.view canvas').boundingBox();
    await page.mouse.move(canvas.x + at.x, canvas.y + at.y);
    await page.mouse.down();
    await page.mouse.move(canvas.x + at.x - 30, canvas.y + at.y - 20, { steps: 4 });
    const near = await page.evaluate(() => Array.from(linkwork.q));
    await page.mouse.move(canvas.x + 5, canvas.y + 5, { steps: 4 }); // where the tool cannot get
    await page.mouse.up();
    rows('inverse', 'robots/four_bar.yaml', '--q', near.join(',')); // throws if the loop is open
    const dragged = await page.evaluate(() => Array.from(linkwork.q));
    assert.notDeepEqual(dragged, q, 'the mechanism follows the pointer');
    rows('inverse', 'robots/four_bar.yaml', '--q', dragged.join(','));
  });
});

test('a recording of a mechanism plays, and is simulated on from there', async () => {
  await withPage('four_bar_fall', ['scenarios/four_bar_fall.yaml'], async (page) => {
    const native = rows('simulate', 'scenarios/four_bar_fall.yaml');
    await page.evaluate(() => linkwork.stage.playback.seek(2));
    const row = native.find((one) => one.t === 2);
    assert.deepEqual(await page.evaluate(() => Array.from(linkwork.q)), [row.q1, row.q2, row.q3]);
    await page.evaluate(() => linkwork.stage.playback.seek(0));
    await type(page, 'duration (s)', '1');
    await press(page);
    await page.waitForFunction(() => linkwork.runs.length === 2);
    const q = await page.evaluate(() => linkwork.runs[0].groups.get('q').curves.map((curve) => curve.values.at(-1)));
    const then = native.find((one) => one.t === 1);
    assertNear(q, [then.q1, then.q2, then.q3], 1e-7, 'after 1 s'); // both to 1e-10, steps are not the same
  });
});
