// `linkwork view` in Chromium: the page is loaded again in the same view when its file changes, and what is wrong is said.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { folder, linkwork, root, startBrowser } from './browser.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.close());

test('view loads the page again when its file changes', async (context) => {
  const doctor = spawnSync(linkwork, ['doctor', '--format', 'csv'], { encoding: 'utf8' }).stdout;
  if (!/^live page,(yes|true)/m.test(doctor)) return context.skip('built without libmicrohttpd');
  const file = join(folder, 'viewed.yaml');
  writeFileSync(file, readFileSync(join(root, 'robots/planar2r.yaml')));
  const child = spawn(linkwork, ['view', file], { env: { ...process.env, BROWSER: '', DISPLAY: '', WAYLAND_DISPLAY: '' } });
  const ended = new Promise((done) => child.on('exit', done));
  const page = await browser.newPage(), errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  try {
    const address = await new Promise((done) => child.stdout.once('data', (data) => done(String(data).trim())));
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
    await page.goto(address);
    await page.waitForFunction(() => document.title === 'planar 2R');
    await page.frames()[1].evaluate(() => { linkwork.goLive(Float64Array.from([0.3, 0.4])); linkwork.stage.scene.look([3, 3, 3], [0, 0, 1]); });
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^name:.*$/m, 'name: renamed'));
    await page.waitForFunction(() => document.title === 'renamed');
    const kept = await page.frames()[1].evaluate(() => [Array.from(linkwork.q), linkwork.stage.scene.controls.target.toArray()]);
    assert.deepEqual(kept, [[0.3, 0.4], [0, 0, 1]]);
    writeFileSync(file, `${readFileSync(file, 'utf8')}nonsense: 1\n`);
    await page.locator('#wrong', { hasText: "unknown key 'nonsense'" }).waitFor();
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
    await page.locator('#wrong', { hasText: 'has ended' }).waitFor();
    assert.deepEqual(errors, []);
  } finally {
    child.kill('SIGKILL');
    await page.close();
  }
});
