// The page of a snake: its run on the ground.
import type { Contents } from './data';
import type { Library } from './library';
import { readRuns, type Run } from './runs';
import { VIEWS } from './scene';
import { SnakeView } from './snake_view';
import { Stage } from './stage';

export class SnakePage {
  readonly stage: Stage;
  readonly runs: Run[];
  private views: SnakeView[] = [];

  constructor(contents: Contents, library: Library) {
    const form = contents.data.snake!;
    this.runs = readRuns(contents, library);
    const length = form.reduce((sum, link) => sum + link[0], 0);
    this.stage = new Stage(contents, [], length, [0, 0, 1], 0, (t) => this.show(t));
    (this.runs.length > 0 ? this.runs : [null]).forEach((run) => {
      const view = new SnakeView(form), x = run?.groups.get('place')?.curves;
      const path = ['x', 'y'].map((name) => x?.find((curve) => curve.name === name)?.values);
      if (path[0] && path[1]) view.addPath(path[0], path[1]);
      this.views.push(view);
      this.stage.scene.world.add(view.group);
    });
    this.views[0].place(new Float64Array(form.length), 0, 0);
    this.stage.setRuns(this.runs);
    this.stage.scene.fit(VIEWS['three-quarter']);
    if (location.hash === '#still') this.stage.scene.freeze();
  }

  private show(t: number): void {
    this.views.forEach((view, i) => {
      const run = this.runs[i], theta = run?.at('theta', t, 100000);
      const place = run?.groups.get('place')?.curves, row = run?.row(t) ?? 0;
      const at = (name: string) => place?.find((curve) => curve.name === name)?.values[row] ?? 0;
      if (theta) view.place(theta, at('x'), at('y'));
    });
    this.stage.scene.redraw();
  }

  key(event: KeyboardEvent): boolean { return this.stage.key(event); }
  theme(): void { this.stage.theme(); }
}
