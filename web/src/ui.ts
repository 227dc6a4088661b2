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

// What angles and lengths are shown in; everything is computed in rad and m.
export const units = { deg: false, mm: false };

// A unit as it is shown, and the factor of values in it: of rad, rad/s, m/s² and the like.
export function inUnits(unit: string): { unit: string; factor: number } {
  if (units.deg && /^rad/.test(unit)) return { unit: unit.replace('rad', 'deg'), factor: 180 / Math.PI };
  if (units.mm && /^m($|\/)/.test(unit)) return { unit: `m${unit}`, factor: 1000 };
  return { unit, factor: 1 };
}

// Hands a file to the browser, which saves it.
export function save(name: string, content: Blob): void {
  const link = make('a', { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
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

// Text as a number, or NaN: decimal, with or without an exponent.
export function numberOf(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : NaN;
}

// Text as numbers separated by commas.
export const numbersOf = (text: string): number[] => text.split(',').map(numberOf);

// Why a text is refused; null: it is not.
export type Check = (text: string) => string | null;

// Numbers of a field: how many, and the least allowed. `above`: the least value itself is refused.
export function numbersCheck(counts: number[], low = -Infinity, above = false): Check {
  const many = counts.some((count) => count > 1) ? `${counts.join(' or ')} numbers` : 'a number';
  const range = low === -Infinity ? '' : above ? ` above ${low}` : ` of ${low} or more`;
  return (text) => {
    const values = numbersOf(text);
    const fits = counts.includes(values.length) && values.every((value) => Number.isFinite(value) && value >= low && !(above && value === low));
    return fits ? null : `'${text}': expected ${many}${range}`;
  };
}

export interface Field { row: HTMLElement; input: HTMLInputElement; wrong(): string | null }

// A labelled text field. A text that is refused is not used: the reason is shown below it until it is mended.
export function field(label: string, value: string, check: Check, change: (text: string) => void): Field {
  let used = value;
  const input = make('input', { type: 'text', spellcheck: 'false', change: () => void wrong() });
  const why = make('small', { class: 'wrong', role: 'alert', hidden: true });
  const wrong = () => {
    const text = input.value.trim(), reason = text === value ? null : check(text); // what a file says, it checks itself
    why.textContent = reason ?? '';
    why.hidden = !reason;
    input.setAttribute('aria-invalid', String(reason !== null));
    if (!reason && text !== used) change(used = text);
    return reason && `${label}: ${reason}`;
  };
  input.value = value;
  return { row: make('div', {}, make('label', { class: 'field' }, make('span', {}, label), input), why), input, wrong };
}

export function button(text: string, title: string, press: () => void): HTMLButtonElement {
  return make('button', { type: 'button', title, 'aria-label': title, click: press }, text);
}

// A name that may be broken behind each of its parts.
export function broken(name: string): (Node | string)[] {
  return name.split(/(?<=[_.\-])/).flatMap((part, i) => (i > 0 ? [make('wbr'), part] : [part]));
}

export interface Slider { bar: HTMLInputElement; number: HTMLInputElement; row: HTMLElement; set(value: number, quantum?: number): void }

// A slider and a text field for one number. The bar holds all its digits, the field those that are read; a text that is
// not a number is not used, and the reason is shown below it.
export function slider(name: string, unit: string, low: number, high: number, changed: (value: number) => void): Slider {
  const check = numbersCheck([1]), mark = make('span', { class: 'unit' });
  const bar = make('input', { type: 'range', min: low, max: high, step: 'any' });
  const number = make('input', { type: 'text', inputmode: 'decimal' });
  const why = make('small', { class: 'wrong', role: 'alert', hidden: true });
  const say = (reason: string | null) => { why.textContent = reason ?? ''; why.hidden = !reason; };
  const set = (value: number, quantum = 0) => {
    const { unit: shownIn, factor } = inUnits(unit);
    if (mark.textContent !== shownIn) {
      mark.textContent = shownIn;
      for (const one of [bar, number]) one.setAttribute('aria-label', shownIn ? `${name}, ${shownIn}` : name);
    }
    bar.value = String(value);
    number.value = shown(value * factor, quantum * factor);
    number.title = `${value * factor} ${shownIn}`;
    say(null);
  };
  set(Math.min(Math.max(0, low), high));
  bar.addEventListener('input', () => changed(Number(bar.value)));
  number.addEventListener('change', () => {
    say(check(number.value.trim()));
    if (why.hidden) changed(numberOf(number.value) / inUnits(unit).factor);
  });
  const row = make('div', { class: 'slider' }, make('span', { class: 'name', title: name }, ...broken(name)), bar, number, mark, why);
  return { bar, number, row, set };
}

// A number as people read it: at most six significant digits, and none below `quantum`, to which it was rounded when it was stored.
export function shown(value: number, quantum = 0): string {
  if (!Number.isFinite(value)) return '-';
  const decimals = quantum > 0 ? Math.floor(-Math.log10(quantum)) : Infinity;
  if (decimals <= 20) value = decimals >= 0 ? Number(value.toFixed(decimals)) : Math.round(value * 10 ** decimals) / 10 ** decimals;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(4).replace(/\.?0+e/, 'e');
  return String(Number(value.toPrecision(6)) + 0);
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
