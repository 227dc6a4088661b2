// Opens every shipped robot, snake and scenario in Chromium and simulates it there by a click; what a page cannot show is
// refused with exit 2. The results are the table in docs/page.md.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertNear, checkPage, folder, refusal, root, startBrowser } from './browser.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.close());

const files = (where) => readdirSync(join(root, where)).filter((name) => /\.(yaml|urdf)$/.test(name)).sort().map((name) => `${where}/${name}`);
const found = new Map();

// of simulations, where 0.1 s is too short to see what the scenario is about: here the valves close at 1 s
const DURATIONS = { 'scenarios/hydraulic_cylinders.yaml': 1.1 };

for (const file of ['robots', 'robots/snakes', 'scenarios'].flatMap(files)) {
  test(`${file} opens and is simulated`, async () => {
    await checkPage(browser, `shipped_${file.replaceAll('/', '_')}`, [file], async (page) => {
      assert.equal(await page.locator('p.bad').count(), 0, 'it opens');
      const before = await page.evaluate(() => linkwork.runs.length), duration = DURATIONS[file] ?? 0.1;
      await page.getByLabel('duration (s)').fill(String(duration));
      await page.getByLabel('simulate from this state (s)').click();
      await page.waitForFunction((count) => linkwork.runs.length > count || document.querySelector('.message.bad'), before, { timeout: 60000 });
      await page.evaluate(() => linkwork.stage.playback.pause());
      assert.equal(await page.locator('.message').textContent(), `simulated ${duration.toFixed(2)} s`);
      if (before === 0) return;
      const [here, recorded] = await page.evaluate((t) => [0, 1].map((k) => {
        const run = linkwork.runs[k], curves = run.groups.get('q').curves;
        return curves.map((curve) => run.between(curve, t));
      }), duration);
      assertNear(here, recorded, 1e-6, 'as the program simulates it'); // integrators are adaptive, and the program uses FMA
    }, { width: 500, height: 400 });
    found.set(file, 'opens, simulates');
  });
}

for (const file of ['studies', 'parts', 'examples/cycles'].flatMap(files)) {
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
