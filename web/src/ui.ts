// Small page elements. Text from files is set by textContent only: it is data, never markup.

type Attributes = { [name: string]: string | number | boolean | ((event: any) => void) };

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {},
  ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

let next = 0;

export function checkbox(label: string, checked: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const box = make('input', { type: 'checkbox', change: () => change(box.checked) });
  box.checked = checked;
  return make('label', { class: 'check' }, box, label);
}

export function select(label: string, values: string[], change: (index: number) => void): HTMLLabelElement & { list: HTMLSelectElement } {
  const list = make('select', { id: `select${++next}`, change: () => change(list.selectedIndex) });
  values.forEach((value) => list.append(make('option', {}, value)));
  return Object.assign(make('label', { class: 'field' }, make('span', {}, label), list), { list });
}

export function numberField(label: string, value: string, change: (text: string) => void): HTMLLabelElement & { input: HTMLInputElement } {
  const input = make('input', { type: 'text', spellcheck: 'false', change: () => change(input.value) });
  input.value = value;
  return Object.assign(make('label', { class: 'field' }, make('span', {}, label), input), { input });
}

export function button(text: string, title: string, press: () => void): HTMLButtonElement {
  return make('button', { type: 'button', title, 'aria-label': title, click: press }, text);
}

export interface Slider { bar: HTMLInputElement; number: HTMLInputElement; row: HTMLElement; set(value: number): void }

// A slider and a text field for one number; text that is not a number is ignored.
export function slider(name: string, unit: string, low: number, high: number, changed: (value: number) => void): Slider {
  const label = unit ? `${name}, ${unit}` : name;
  const bar = make('input', { type: 'range', min: low, max: high, step: 'any', 'aria-label': label });
  const number = make('input', { type: 'text', inputmode: 'decimal', 'aria-label': label });
  const set = (value: number) => { bar.value = number.value = String(value); };
  set(Math.min(Math.max(0, low), high));
  bar.addEventListener('input', () => { number.value = bar.value; changed(Number(bar.value)); });
  number.addEventListener('change', () => {
    if (number.value.trim() === '' || !Number.isFinite(Number(number.value))) number.value = bar.value;
    bar.value = number.value;
    changed(Number(number.value));
  });
  const row = make('div', { class: 'slider' }, make('span', { class: 'name', title: name }, name), bar, number, make('span', { class: 'unit' }, unit));
  return { bar, number, row, set };
}

// A number as people read it: six significant digits.
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(4);
  return String(Number(value.toPrecision(6)));
}

// Okabe and Ito's colours, which can be told apart with any type of colour vision.
const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#8A7A00', '#7A7A7A'];

export function colour(i: number): string {
  return COLOURS[i % COLOURS.length];
}

export function prefersDark(): boolean {
  const wanted = document.documentElement.dataset.theme;
  return wanted ? wanted === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}
