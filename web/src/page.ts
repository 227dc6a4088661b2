// What the pages of arms and snakes share: runs in the picture, simulation from the state shown, messages, keys.
import { Run } from './runs';
import { VIEWS } from './scene';
import { inSlices } from './slices';
import type { Stage } from './stage';

export const GHOSTS = [0xd55e00, 0x009e73, 0xcc79a7];

// A run of the library: advance() returns 0 if t was reached.
export interface Runner<S> { advance(t: number): number; sample(): S }

export interface PageState { camera: number[]; target: number[]; time: number; theme: string; q: number[] }

export abstract class Page<S extends { t: number }> {
  abstract readonly stage: Stage;
  abstract readonly live: { readonly message: HTMLElement };
  abstract simulate(): Promise<Run | null>;
  protected abstract setRuns(runs: Run[]): void;
  runs: Run[] = [];
  private simulated = 0;

  protected say(text: string, bad = false): void {
    this.live.message.textContent = text;
    this.live.message.classList.toggle('bad', bad);
  }

  // Does the work, or says why it was refused.
  protected attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), true);
      return false;
    }
  }

  // After the runs are set: looks at all, and holds a still.
  protected open(): void {
    this.stage.scene.fit(VIEWS['three-quarter']);
    if (location.hash !== '#still') return;
    if (this.runs.length > 0) this.stage.playback.seek(this.runs[0].t[0] + 0.35 * (this.runs[0].end - this.runs[0].t[0]));
    this.stage.scene.freeze();
  }

  // The samples of a run that has begun, and its outcome, in short slices so that the page stays responsive; null if
  // another one has taken its place.
  protected async record(runner: Runner<S>, duration: number, count: number, current: () => boolean): Promise<{ samples: S[]; outcome: number } | null> {
    const samples = [runner.sample()];
    let outcome = 0;
    const finished = await inSlices(count, (k) => {
      outcome = runner.advance(duration * k / count);
      samples.push(runner.sample());
      return outcome === 0;
    }, () => {
      this.say(`simulated ${samples.at(-1)!.t.toFixed(2)} s of ${duration} s`);
      return current();
    });
    return finished ? { samples, outcome } : null;
  }

  protected nextTitle(): string {
    return `simulated here, ${++this.simulated}`;
  }

  // Shows a new run before those that there are, and plays it.
  protected play(run: Run): Run {
    this.setRuns([run, ...this.runs].slice(0, 4));
    this.stage.playback.seek(run.t[0]);
    this.stage.playback.toggle();
    return run;
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== 's') return this.stage.key(event);
    void this.simulate();
    return true;
  }

  // What is kept when the page is loaded again because its files have changed.
  kept(): PageState {
    const { camera, controls } = this.stage.scene;
    return { camera: camera.position.toArray(), target: controls.target.toArray(), time: this.stage.playback.time, theme: document.documentElement.dataset.theme ?? '', q: [] };
  }

  restore(state: PageState): void {
    if (state.theme) document.documentElement.dataset.theme = state.theme;
    document.dispatchEvent(new Event('themechange'));
    this.stage.scene.look(state.camera, state.target);
    if (this.runs.length > 0) this.stage.playback.seek(state.time);
  }

  theme(): void { this.stage.theme(); }
}
