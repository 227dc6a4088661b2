// Drives Debian's Chromium with playwright-core, and runs the program that makes the pages.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const { chromium } = createRequire(join(root, 'web/'))('playwright-core');

export const linkwork = process.env.LINKWORK ?? join(root, 'build/release/bin/linkwork');
export const folder = mkdtempSync(join(tmpdir(), 'linkwork-web-'));
export const shots = process.env.SHOTS ?? join(root, 'build/log/web');
mkdirSync(shots, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const FLAGS = ['--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

function browserPath() {
  const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
  if (!found) throw new Error('Chromium is not installed');
  return found;
}

// Runs the program and returns its standard output.
export function run(...words) {
  return execFileSync(linkwork, words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
}

// Exit code and standard error of the program.
export function refusal(...words) {
  const { status, stderr } = spawnSync(linkwork, words, { cwd: root, encoding: 'utf8' });
  return { status, stderr };
}

// The rows of a csv answer, as objects of numbers.
export function rows(...words) {
  const [header, ...lines] = run(...words, '--format', 'csv').trim().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((text, i) => [names[i], Number(text)])));
}

export async function startBrowser() {
  return chromium.launch({ executablePath: browserPath(), args: FLAGS });
}

// Makes a page of the inputs and opens it. Collects network requests and console errors.
export async function openPage(browser, inputs, { width = 1280, height = 900, dark = false, extra = [] } = {}) {
  const file = join(folder, `page-${Math.random().toString(36).slice(2)}.html`);
  run('page', ...inputs, ...extra, '--out', file);
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  const errors = [], requests = [];
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url()); });
  page.on('dialog', (dialog) => { errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true' || document.querySelector('p.bad'), null, { timeout: 20000 });
  await settle(page);
  return { page, file, errors, requests, close: () => context.close() };
}

// Waits for two frames, after which everything is drawn.
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// Opens a page, runs a test on it, and checks that there were no errors and no network requests.
export async function checkPage(browser, name, inputs, work, options) {
  const opened = await openPage(browser, inputs, options);
  try {
    await work(opened.page, opened);
    await settle(opened.page);
    await opened.page.screenshot({ path: join(shots, `${name}.png`) });
    assert.deepEqual(opened.errors, [], 'errors in the console');
    assert.deepEqual(opened.requests, [], 'network requests');
  } finally {
    await opened.close();
  }
}

// Relative to the largest entry: rounding differs from the native build, which uses FMA and other orders.
export function assertNear(found, wanted, bound, what) {
  const size = Math.max(...wanted.map(Math.abs), 1e-300);
  assert.equal(found.length, wanted.length, what);
  found.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) <= bound * size, `${what}[${i}]: ${value}, the program has ${wanted[i]}`));
}
