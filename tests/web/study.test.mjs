// The page of a study in Chromium: samples are found under the pointer, chosen by dragging, and opened in 3D.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkPage, folder, refusal, root, rows, run, startBrowser } from './browser.mjs';

const SAMPLES = 64, study = join(folder, 'swing.yaml'), database = join(folder, 'swing.db'), html = join(folder, 'swing.html');
let browser;
before(async () => { makePage(); browser = await startBrowser(); });
after(() => browser?.close());

// The study, its results and the page of these.
function makePage() {
  writeFileSync(study, ['linkwork: 1', 'study: "<b>swing</b>"', `sampling: {method: sobol, samples: ${SAMPLES}, seed: 1}`, 'run:', '  inverse:', `    robot: ${join(root, 'robots/planar2r.yaml')}`,
    '    waypoints: [[0, 0], [1, -1], [0.2, 0.5]]', '    duration: 2', '    dt: 0.01', 'vary:', '  masses: {scale: [links.*.mass], uniform: [0.8, 1.2]}', '  arms: {scale: [links.*.inertia], uniform: [0.9, 1.1]}',
    'measure:', '  peak: {peak: tau1}', ''].join('\n'));
  run('study', study, '--out', database);
  run('study', 'report', database, '--page', html, '--table', 'summary', '--format', 'csv');
}

async function openReport(size, work) {
  const context = await browser.newContext({ viewport: size, colorScheme: size.dark ? 'dark' : 'light' }), page = await context.newPage(), errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => { if (!/^file:/.test(request.url())) errors.push(request.url()); });
  await page.goto(`file://${html}`);
  await work(page);
  assert.deepEqual(errors, []);
  await context.close();
}

const values = (line) => line.locator('td').allTextContents();

test('samples are named under the pointer, chosen by dragging, and named with the command that shows them', async () => {
  const table = rows('study', 'report', database, '--table', 'samples');
  for (const size of [{ width: 1400, height: 900 }, { width: 400, height: 800, dark: true }]) {
    await openReport(size, async (page) => {
      assert.match(await page.locator('#explore > p').textContent(), new RegExp(`^${SAMPLES} of ${SAMPLES} samples`));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing overflows sideways');
      assert.equal(await page.locator('h1 b').count(), 0, 'names are text');
      await page.locator('.scatter').scrollIntoViewIfNeeded();
      const strip = page.locator('.strip', { hasText: 'masses' }).locator('canvas');
      await strip.scrollIntoViewIfNeeded();
      const box = await strip.boundingBox();
      await page.mouse.move(box.x + 0.25 * box.width, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 0.75 * box.width, box.y + 20, { steps: 3 });
      await page.mouse.up();
      const all = table.map((row) => row.masses), [low, high] = [Math.min(...all), Math.max(...all)];
      const inside = all.filter((x) => x >= low + 0.25 * (high - low) && x <= low + 0.75 * (high - low)).length;
      const said = Number((await page.locator('#explore > p').textContent()).split(' ')[0]);
      assert.ok(Math.abs(said - inside) <= 1 && said > 10 && said < 54, `${said} chosen, ${inside} are inside`); // a pixel is 0.5 %
      await page.getByLabel('most masses').fill('0.9');
      await page.getByLabel('most masses').press('Enter');
      assert.ok(Number((await page.locator('#explore > p').textContent()).split(' ')[0]) < said);
      await page.getByRole('button', { name: 'clear ranges' }).click();
      await page.getByLabel('samples; arrow keys').focus();
      for (let k = 0; k < 3; ++k) await page.keyboard.press('ArrowRight');
      const [sample, command, masses] = await values(page.locator('tr.picked'));
      assert.ok(Math.abs(Number(masses) - table.find((row) => row.sample === Number(sample)).masses) < 1e-4);
      assert.match(command, new RegExp(`^linkwork view .*swing.yaml --samples ${SAMPLES} --sample ${sample} `));
    });
  }
});

test('a sample opens in 3D with its robot and its run', async () => {
  for (const k of [0, 7]) {
    const numbers = Object.fromEntries(run('study', study, '--sample', String(k), '--format', 'csv').trim().split('\n').slice(1).map((line) => line.split(',').slice(1)));
    await checkPage(browser, `sample${k}`, [study], async (page) => {
      const [peak, mass] = await page.evaluate(() => [Math.max(...Array.from(linkwork.runs[0].groups.get('tau').curves[0].values.all()).map(Math.abs)), linkwork.contents.data.links[1].mass]);
      assert.ok(Math.abs(peak - numbers.peak) <= 1e-9 * numbers.peak, `${peak}, the program has ${numbers.peak}`);
      assert.ok(Math.abs(mass - 3 * numbers.masses) <= 1e-9, `${mass} kg: 3 kg in the file`);
    }, { extra: ['--sample', String(k)] });
  }
  const { status, stderr } = refusal('page', study, '--sample', String(SAMPLES), '--out', join(folder, 'none.html'));
  assert.equal(status, 2);
  assert.match(stderr, /there is no sample 64/);
});
