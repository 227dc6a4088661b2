// Opens every shipped robot, snake, scenario and study, and ten URDF robots with meshes, in Chromium and simulates a second of
// it there by a click; what a page cannot show is refused with exit 2. The results are the table in docs/page.md.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertNear, checkPage, folder, refusal, root, startBrowser } from './browser.mjs';
import { meshArm } from './models.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.close());

const files = (where) => readdirSync(join(root, where)).filter((name) => /\.(yaml|urdf)$/.test(name)).sort().map((name) => `${where}/${name}`);
const found = new Map();

const AT = { 'scenarios/hydraulic_cylinders.yaml': 1.1 }; // s, where runs are compared: here the valves close at 1 s

// Simulates some time from the state shown; how many runs there were before.
async function simulate(page, duration) {
  assert.equal(await page.locator('p.bad').count(), 0, 'it opens');
  const before = await page.evaluate(() => linkwork.runs.length);
  await page.evaluate(() => linkwork.stage.playback.pause());
  await page.getByLabel('duration (s)').fill(String(duration));
  await page.getByLabel('simulate from this state (s)').click();
  await page.waitForFunction((count) => linkwork.runs.length > count || document.querySelector('.message.bad'), before, { timeout: 120000 });
  await page.evaluate(() => linkwork.stage.playback.pause());
  assert.equal(await page.locator('.message').textContent(), `simulated ${duration.toFixed(2)} s`);
  return before;
}

for (const file of ['robots', 'robots/snakes', 'scenarios'].flatMap(files)) {
  test(`${file} opens and is simulated`, async () => {
    await checkPage(browser, `shipped_${file.replaceAll('/', '_')}`, [file], async (page) => {
      if (await simulate(page, Math.max(1, AT[file] ?? 0)) === 0) return;
      const [here, recorded] = await page.evaluate((t) => [0, 1].map((k) => {
        const run = linkwork.runs[k], curves = run.groups.get('q').curves;
        return curves.map((curve) => run.between(curve, t));
      }), AT[file] ?? 0.1);
      assertNear(here, recorded, 1e-6, 'as the program simulates it'); // integrators are adaptive, and the program uses FMA
    }, { width: 500, height: 400 });
    found.set(file, 'opens, simulates');
  });
}

for (const file of files('studies')) {
  test(`sample 1 of ${file} opens and is simulated on`, async () => {
    await checkPage(browser, `shipped_${file.replaceAll('/', '_')}`, [file], async (page) => {
      assert.equal(await simulate(page, 1), 1, 'the run of the sample is there');
    }, { width: 500, height: 400, extra: ['--sample', '1'] });
    found.set(file, 'opens, simulates');
  });
}

for (let k = 0; k < 10; ++k) {
  test(`URDF robot ${k + 1} with meshes opens and is simulated`, async () => {
    const { path, links } = meshArm(k);
    await checkPage(browser, `mesh_arm${k}`, [path], async (page) => {
      assert.equal(await page.evaluate(() => linkwork.contents.data.missing_meshes), 0);
      assert.deepEqual(await page.evaluate(() => linkwork.picker.calls.bodies().map((body) => body.geometry.getAttribute('position').count / 3)), Array(links).fill(12));
      await simulate(page, 1);
    }, { width: 500, height: 400 });
  });
}

for (const file of ['parts', 'examples/cycles'].flatMap(files)) {
  test(`${file} is refused`, () => {
    const out = join(folder, 'refused.html'), { status, stderr } = refusal('page', file, '--out', out);
    assert.equal(status, 2, stderr);
    assert.ok(!existsSync(out), 'nothing is written');
    found.set(file, 'refused, exit 2');
  });
}

test('docs/page.md has this table', () => {
  const table = [...found].map(([file, result]) => `| \`${file}\` | ${result} |`).join('\n');
  assert.ok(readFileSync(join(root, 'docs/page.md'), 'utf8').includes(`${table}\n`), `docs/page.md should have\n${table}`);
});
