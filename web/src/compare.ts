// Two methods of the library answer the same question about the state shown, side by side.
import type { Joint } from './data';
import type { Library, Method, Session } from './library';
import { make, select, shown } from './ui';

const QUESTIONS = ['inverse', 'forward', 'inertia'] as const;
const WANTED = [['newton-euler', 'lagrange-uicker-kahn'], ['articulated-body', 'composite-body'], ['composite-body', 'walker-orin-3']];
const SLICE = 2; // ms of computing for the time of a method

export class Compare {
  readonly element: HTMLDetailsElement;
  private question = 0;
  private methods: Method[][];
  private chosen = [0, 1]; // of the methods of the question
  private lists = make('div');
  private table = make('table', { class: 'numbers' });
  private costs: string[] = ['', ''];
  private state: { session: Session; q: Float64Array; qd: Float64Array; qdd: Float64Array } | null = null;

  constructor(library: Library, private joints: Joint[]) {
    const all = library.methods();
    this.methods = QUESTIONS.map((name) => all.filter((one) => one.question === library.question(name)));
    const list = select('question', ['torques (inverse)', 'accelerations without torques (forward)', 'inertia matrix, diagonal'], (i) => this.ask(i));
    this.element = make('details', { toggle: () => this.again(true) }, make('summary', {}, 'Compare methods'), list, this.lists, this.table);
    this.ask(0);
  }

  private ask(question: number): void {
    const methods = this.methods[question];
    this.question = question;
    this.chosen = WANTED[question].map((name, k) => { const found = methods.findIndex((one) => one.name === name); return found < 0 ? k : found; });
    this.lists.replaceChildren(...['first', 'second'].map((which, k) => {
      const one = select(`${which} method`, methods.map((method) => method.name), (i) => { this.chosen[k] = i; this.again(true); });
      one.list.selectedIndex = this.chosen[k];
      return one;
    }));
    this.again(true);
  }

  show(session: Session, q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.state = { session, q, qd, qdd };
    this.again(false);
  }

  private again(timed: boolean): void {
    if (!this.element?.open || !this.state) return;
    const { session, q, qd, qdd } = this.state, n = this.joints.length, chosen = this.chosen.map((i) => this.methods[this.question][i]);
    const tau = new Float64Array(n);
    const answer = (slot: number, times: number) => session.byMethod(slot, chosen[slot].number, times, QUESTIONS[this.question], { q, qd, qdd, tau });
    const [first, second] = [0, 1].map((slot) => answer(slot, 1));
    if (!first || !second) {
      this.table.replaceChildren(make('tr', {}, make('td', {}, `${chosen[first ? 1 : 0].name} cannot answer this for this robot`)));
      return;
    }
    if (timed) this.costs = [0, 1].map((slot) => this.cost((times) => answer(slot, times)));
    const entry = (values: Float64Array, k: number) => values[this.question === 2 ? k * n + k : k];
    const size = Math.max(...this.joints.map((_, k) => Math.abs(entry(first, k))), 1e-300);
    const row = (tag: 'th' | 'td', ...cells: string[]) => make('tr', {}, ...cells.map((cell) => make(tag, {}, cell)));
    const units = (joint: Joint) => [joint.slides ? 'N' : 'N m', joint.slides ? 'm/s²' : 'rad/s²', joint.slides ? 'kg' : 'kg m²'][this.question];
    this.table.replaceChildren(row('th', 'joint', 'first', 'second', 'difference'), ...this.joints.slice(0, 24).map((joint, k) => {
      const [a, b] = [entry(first, k), entry(second, k)];
      return row('td', `${joint.name}, ${units(joint)}`, shown(a, 1e-12 * size), shown(b, 1e-12 * size), a === b ? '0' : (a - b).toExponential(1));
    }), row('td', 'time here', ...this.costs, ''));
  }

  // The time of one answer in this browser: the shortest of five slices.
  private cost(work: (times: number) => unknown): string {
    let times = 1, least = Infinity;
    const slice = () => { const from = performance.now(); work(times); return performance.now() - from; };
    while (slice() < SLICE && times < 1e6) times *= 4;
    for (let k = 0; k < 5; ++k) least = Math.min(least, slice());
    return `${shown(Number((1000 * least / times).toPrecision(2)))} µs`;
  }
}
