// Puts the page together: data, library, picture, playback, plots, live.
import { readContents, type Contents } from './data';
import { ArmPage } from './arm_page';
import { SnakePage } from './snake/snake_page';
import { Library } from './library';
import { make } from './ui';

function header(contents: Contents): HTMLElement {
  const { title, source } = contents.data;
  return make('header', {}, make('h1', {}, title), make('div', { class: 'origin' }, source ?? ''),
    make('button', { type: 'button', title: 'switch between light and dark (d)', click: () => toggleTheme() }, '◐'));
}

function toggleTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  document.dispatchEvent(new Event('themechange'));
}

async function main(): Promise<void> {
  const contents = await readContents();
  document.title = contents.data.title;
  if (location.hash === '#still') document.documentElement.classList.add('still');
  const library = await Library.load();
  document.body.append(header(contents));
  const page = contents.data.snake ? new SnakePage(contents, library) : new ArmPage(contents, library);
  document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test((event.target as HTMLElement).tagName) && (event.target as HTMLInputElement).type !== 'range';
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'd') toggleTheme();
    else if (!page.key(event)) return;
    event.preventDefault();
  });
  document.addEventListener('themechange', () => page.theme());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => page.theme());
  Object.assign(window, { linkwork: page }); // for tests and for the curious
  document.documentElement.dataset.ready = 'true';
}

main().catch((error) => {
  document.body.append(make('p', { class: 'message bad' }, `This page could not be opened: ${error instanceof Error ? error.message : error}`));
  throw error;
});
