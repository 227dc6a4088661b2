// A snake in the C library; its functions are in web/wasm/snake_session.c.
import type { PageData } from '../data';
import type { Library } from '../library';

export const SNAKE_DRIVES = ['nothing (zero torque)', 'a torque law', 'a serpenoid gait'] as const;

export interface SnakeState { theta: Float64Array; u: [number, number]; x: number; y: number }
export interface SnakeSample extends SnakeState { t: number; kinetic: number; work: number; S: number }
export interface SnakeAnswer { omega: Float64Array; lambda: Float64Array; kinetic: number }

const FIELDS = ['length', 'wheel_offset', 'mass', 'inertia', 'friction_limit', 'lower', 'upper'];

export class SnakeSession {
  readonly count: number;
  private handle: number;
  private theta: number;
  private out: number;

  constructor(private library: Library, data: PageData) {
    const links = data.snake!.map((values) => Object.fromEntries(values.flatMap((value, i) => (value === null ? [] : [[FIELDS[i], value]]))));
    library.files.put('snake', JSON.stringify({ linkwork: 1, snake: { name: data.title, links } }));
    this.handle = library.withText('snake', (path) => library.call.snake_open(path));
    if (!this.handle) throw library.refusal();
    this.count = library.call.snake_count(this.handle);
    this.theta = library.take(this.count);
    this.out = library.take(2 * this.count + 8);
  }

  private put(theta: ArrayLike<number>): number {
    this.library.numbers(this.theta, this.count).set(theta);
    return this.theta;
  }

  // Sets the drive of later runs; throws the library's message if a law is refused.
  drive(kind: number, law: string, gait: number[]): void {
    const [alpha, beta, gamma] = gait;
    const taken = this.library.withText(law, (text) => this.library.call.snake_drive(this.handle, kind, text, alpha, beta, gamma));
    if (!taken) throw this.library.refusal();
  }

  // Posture and speeds at the start of a gait.
  start(): SnakeState {
    this.library.call.snake_start(this.handle, this.out);
    const all = this.library.numbers(this.out, this.count + 2).slice();
    return { theta: all.slice(2), u: [all[0], all[1]], x: 0, y: 0 };
  }

  // Angular velocities, wheel forces at zero torque, kinetic energy.
  answer(state: SnakeState): SnakeAnswer {
    const kinetic = this.library.call.snake_answer(this.handle, this.put(state.theta), state.u[0], state.u[1], this.out);
    const all = this.library.numbers(this.out, 2 * this.count).slice();
    return { omega: all.slice(0, this.count), lambda: all.slice(this.count), kinetic };
  }

  begin(state: SnakeState): void {
    const { theta, u, x, y } = state;
    if (!this.library.call.snake_begin(this.handle, this.put(theta), u[0], u[1], x, y)) throw this.library.refusal();
  }

  // 0: reached t; any other value: the run has ended.
  advance(t: number): number {
    return this.library.call.snake_advance(this.handle, t);
  }

  sample(): SnakeSample {
    this.library.call.snake_sample(this.handle, this.out);
    const [t, u1, u2, x, y, kinetic, work, S] = this.library.numbers(this.out, 8);
    return { t, u: [u1, u2], x, y, kinetic, work, S, theta: this.library.numbers(this.out + 64, this.count).slice() };
  }
}
