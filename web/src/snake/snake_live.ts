// The panel of a snake: its posture, its speeds, and the settings of a simulation.
import { SNAKE_DRIVES, type SnakeAnswer, type SnakeState } from './snake_session';
import { button, field, make, numbersCheck, select, shown, slider, type Check, type Field, type Slider } from '../ui';

export interface SnakeSettings { drive: number; law: string; gait: string; duration: string }

export interface SnakeLiveCalls { moved(state: SnakeState): void; gait(): void; simulate(): void }

const MOST_SLIDERS = 100, MOST_ROWS = 24;

export class SnakeLive {
  readonly element = make('aside', { class: 'live', 'aria-label': 'live' });
  readonly message = make('p', { class: 'message', role: 'status' });
  readonly settings: SnakeSettings = { drive: 2, law: 'sin(t)/(n-k)', gait: '0.5, 1.05, 2', duration: '10' };
  private angles: Slider[] = [];
  private speeds: Slider[] = [];
  private fields: Field[] = [];
  private numbers = make('table', { class: 'numbers' });
  private summary = make('dl', { class: 'summary' });

  // form: of each link, see PageData.snake; limits of joint k are those of link k
  constructor(private state: SnakeState, private form: (number | null)[][], private calls: SnakeLiveCalls) {
    const simulation = this.simulationSection();
    this.element.append(make('div', { class: 'scroll' }, this.postureSection(), this.answerSection(), simulation), make('div', { class: 'act' },
      button('simulate from here', 'simulate from this state (s)', () => this.calls.simulate()), this.message));
    this.show(state);
  }

  private change(work: (state: SnakeState) => void): void {
    const next: SnakeState = { ...this.state, theta: this.state.theta.slice(), u: [...this.state.u] };
    work(next);
    this.calls.moved(next);
  }

  // Sliders for the heading of link 1, then for the joints; turning a joint turns all links after it.
  private postureSection(): HTMLElement {
    const section = make('details', { open: true }, make('summary', {}, 'Joints and speeds'));
    const n = Math.min(this.state.theta.length, MOST_SLIDERS);
    for (let k = 0; k < n; ++k) {
      this.angles.push(slider(k === 0 ? 'heading' : `joint ${k}`, 'rad', this.form[k - 1]?.[5] ?? -Math.PI, this.form[k - 1]?.[6] ?? Math.PI, (value) => this.change(({ theta }) => {
        const turn = value - (k === 0 ? theta[0] : theta[k] - theta[k - 1]);
        for (let j = k; j < theta.length; ++j) theta[j] += turn;
      })));
    }
    ['speed u1', 'turn rate u2'].forEach((name, k) => this.speeds.push(slider(name, k === 0 ? 'm/s' : 'rad/s', -2, 2, (value) => this.change(({ u }) => { u[k] = value; }))));
    [...this.angles, ...this.speeds].forEach((one) => section.append(one.row));
    section.append(button('straight', 'straight and at rest', () => this.change((state) => { state.theta.fill(0); state.u = [0, 0]; })));
    section.append(button('start of the gait', 'posture and speeds at the start of the serpenoid gait', () => this.calls.gait()));
    return section;
  }

  private answerSection(): HTMLElement {
    return make('details', { open: true }, make('summary', {}, 'In this state, without torques'), this.summary, this.numbers);
  }

  private simulationSection(): HTMLElement {
    const settings = this.settings;
    const drives = select('driven by', SNAKE_DRIVES as unknown as string[], (i) => { settings.drive = i; });
    drives.list.selectedIndex = settings.drive;
    const text = (label: string, key: 'law' | 'gait' | 'duration', check: Check) => {
      const one = field(label, settings[key], check, (value) => { settings[key] = value; });
      this.fields.push(one);
      return one.row;
    };
    return make('details', { open: true }, make('summary', {}, 'Simulate'), drives, text('torque of joint k (law in t, k, n)', 'law', () => null),
      text('gait: α (rad), β (rad), γ (rad/s)', 'gait', numbersCheck([3])), text('duration (s)', 'duration', numbersCheck([1], 0, true)));
  }

  // Takes the texts of all fields; the first that is refused, with the reason, or null.
  wrong(): string | null {
    return this.fields.map((one) => one.wrong()).find((reason) => reason !== null) ?? null;
  }

  show(state: SnakeState): void {
    this.state = state;
    this.angles.forEach((one, k) => one.set(k === 0 ? state.theta[0] : state.theta[k] - state.theta[k - 1]));
    this.speeds.forEach((one, k) => one.set(state.u[k]));
  }

  answer({ omega, lambda, kinetic }: SnakeAnswer): void {
    const rounding = (values: Float64Array) => 1e-12 * Math.max(...values.map(Math.abs)), noise = [rounding(omega), rounding(lambda)]; // reads 0
    this.summary.replaceChildren(make('dt', {}, 'kinetic energy'), make('dd', {}, `${shown(kinetic)} J`));
    this.numbers.replaceChildren(make('tr', {}, ...['link', 'turn rate', 'wheel force'].map((text) => make('th', {}, text))),
      ...Array.from(omega.slice(0, MOST_ROWS), (value, k) => make('tr', {}, make('td', {}, String(k + 1)), make('td', {}, `${shown(value, noise[0])} rad/s`), make('td', {}, `${shown(lambda[k], noise[1])} N`))));
  }
}
