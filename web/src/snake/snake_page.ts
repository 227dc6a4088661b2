// The page of a snake: its runs on the ground, its state by sliders, simulation from there.
import { Column } from '../plots/column';
import type { Contents } from '../data';
import type { Library } from '../library';
import { GHOSTS, Page } from '../page';
import { readRuns, Run } from '../runs';
import { SnakeLive } from './snake_live';
import { SnakeSession, type SnakeSample, type SnakeState } from './snake_session';
import { SnakeView } from './snake_view';
import { Stage } from '../stage';
import { numbersOf } from '../ui';

const RECORD = 0.01; // s

export class SnakePage extends Page<SnakeSample> {
  readonly stage: Stage;
  readonly session: SnakeSession;
  readonly live: SnakeLive;
  state: SnakeState;
  private form: number[][];
  private views: SnakeView[] = [];
  private current = 0; // number of the last simulation started

  constructor(contents: Contents, library: Library) {
    super();
    this.form = contents.data.snake! as number[][];
    this.session = new SnakeSession(library, contents.data);
    this.runs = readRuns(contents, library);
    this.state = { theta: new Float64Array(this.form.length), u: [0, 0], x: 0, y: 0 };
    this.live = new SnakeLive(this.state, contents.data.snake!, { moved: (state) => this.goLive(state), gait: () => this.toGait(), simulate: () => void this.simulate() });
    const length = this.form.reduce((sum, link) => sum + link[0], 0);
    this.stage = new Stage(contents, { joints: [], positions: [] }, length, [0, 0, 1], 0, (t) => this.showTime(t));
    this.stage.main.append(this.live.element);
    this.setRuns(this.runs);
    if (this.runs.length === 0 && !this.toGait()) this.goLive(this.state);
    this.open();
  }

  protected setRuns(runs: Run[]): void {
    this.runs = runs;
    this.views.forEach((view) => view.dispose());
    this.views = (runs.length > 0 ? runs : [null]).map((run, i) => {
      const view = new SnakeView(this.form, i > 0 ? { colour: GHOSTS[(i - 1) % GHOSTS.length] } : null), place = run?.groups.get('place')?.curves;
      const path = ['x', 'y'].map((name) => place?.find((curve) => curve.name === name)?.values.all());
      if (path[0] && path[1]) view.addPath(path[0], path[1]);
      this.stage.scene.world.add(view.group);
      return view;
    });
    this.stage.setRuns(runs);
  }

  private stateOf(run: Run, t: number): SnakeState | null {
    const theta = run.at('theta', t, this.form.length), u = run.at('u', t, 2), place = run.groups.get('place')?.curves ?? [];
    const between = (name: string) => {
      const curve = place.find((one) => one.name === name);
      return curve ? run.between(curve, t) : 0;
    };
    return theta && { theta, u: [u?.[0] ?? 0, u?.[1] ?? 0], x: between('x'), y: between('y') };
  }

  private show(state: SnakeState): void {
    this.state = state;
    this.views[0].place(state.theta, state.x, state.y);
    this.live.show(state);
    this.live.answer(this.session.answer(state));
    this.stage.scene.redraw();
  }

  private showTime(t: number): void {
    this.views.forEach((view, i) => {
      const state = this.runs[i] ? this.stateOf(this.runs[i], t) : null;
      if (state && i > 0) view.place(state.theta, state.x, state.y);
      if (state && i === 0) this.show(state);
    });
  }

  // --- live

  goLive(state: SnakeState): void {
    this.stage.playback.pause();
    this.show(state);
  }

  // Sets the drive chosen in the panel; if it is refused, returns false and the panel says why.
  private drive(kind: number): boolean {
    const { law, gait } = this.live.settings;
    return this.attempt(() => this.session.drive(kind, law, kind === 2 ? numbersOf(gait) : [0, 0, 0]));
  }

  private toGait(): boolean {
    if (!this.drive(2)) return false;
    this.goLive({ ...this.session.start(), x: this.state.x, y: this.state.y });
    return true;
  }

  async simulate(): Promise<Run | null> {
    const mine = ++this.current, wrong = this.live.wrong(), { drive, duration: wanted } = this.live.settings, duration = Number(wanted);
    if (wrong) this.say(wrong, true);
    if (wrong || !this.drive(drive)) return null;
    this.stage.playback.pause();
    if (!this.attempt(() => this.session.begin(this.state))) return null;
    const found = await this.record(this.session, duration, Math.max(1, Math.round(duration / RECORD)), () => mine === this.current);
    return found && this.keep(found.outcome === 0 ? found.samples : found.samples.slice(0, -1), found.outcome === 0); // the last is not finite
  }

  private keep(samples: SnakeSample[], arrived: boolean): Run {
    const run = new Run(this.nextTitle(), Float64Array.from(samples, (one) => one.t), []);
    const add = (key: string, name: string, joint: number, value: (one: SnakeSample) => number) =>
      run.add(key, { name, label: name, joint, values: Column.of(Float64Array.from(samples, value)), quantum: 0 });
    this.form.forEach((_, k) => add('theta', `theta${k + 1}`, k, (one) => one.theta[k]));
    add('u', 'u1', 0, (one) => one.u[0]);
    add('u', 'u2', 1, (one) => one.u[1]);
    add('place', 'x', -1, (one) => one.x);
    add('place', 'y', -1, (one) => one.y);
    for (const key of ['kinetic', 'work', 'S'] as const) add('energy', key, -1, (one) => one[key]);
    this.say(arrived ? `simulated ${run.end.toFixed(2)} s` : `the motion is no longer finite after t = ${run.end.toFixed(4)} s`, !arrived);
    return this.play(run);
  }
}
