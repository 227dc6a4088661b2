// The page of an arm.
import { ArmView, LAYERS, SHOWN_AT_FIRST, type ArmForm, type JointKind, type Wheel } from './arm_view';
import { cylindersOf, CylinderTable, CylinderView } from './cylinders';
import { Compare } from './compare';
import type { Contents, FileNode, Note, PageData } from './data';
import { Drag } from './drag';
import { NOTES, OPEN, type Library, type Sample, type Session } from './library';
import { Live } from './live';
import { GHOSTS, Page, type PageState } from './page';
import * as THREE from 'three';
import { Picker } from './pick';
import { shownFirst } from './poses';
import { neutral, normalize } from './positions';
import { addReference, readRuns, runOfSamples, type Names, type Run } from './runs';
import { drawnShapes } from './shapes';
import { robotFor, scenarioFor, settingsOf } from './scenarios';
import { Rate } from './slices';
import { Stage } from './stage';

const REFERENCE = 0xe69f00;

// Points of each link (the base first) where loops hold it, in its own frame.
function pinsOf(data: PageData): number[][][] {
  const ends = (data.robot!.loops ?? []).flatMap((loop: FileNode) => [loop.first, loop.second]).filter(Boolean);
  return data.links!.map((link) => ends.filter((end: FileNode) => end.link === link.name).map((end: FileNode) => end.xyz ?? [0, 0, 0]));
}

// Wheels and discs of each link (the base first), in its frame.
function wheelsOf(data: PageData): Wheel[][] {
  return data.links!.map((link) => (data.robot!.rolling ?? []).filter((row: FileNode) => (row.wheel ?? row.disc) === link.name)
    .map((row: FileNode) => ({ at: row.at ?? [0, 0, 0], axis: row.axis, radius: row.radius })));
}

// In a robot that rolls, passive joints between the ground and the first link with a mass are no machine parts.
function groundFreedoms(data: PageData, kinds: JointKind[]): void {
  const ground: boolean[] = [];
  data.parents!.forEach((parent, i) => {
    const moves = Boolean(data.robot!.rolling) && data.robot!.joints[i].passive && (parent < 0 || ground[parent]);
    if (moves) kinds[i] = 'free';
    ground[i] = Boolean(moves) && !(data.links![i + 1].mass > 0);
  });
}

export class ArmPage extends Page<Sample> {
  session: Session;
  q: Float64Array;
  qd: Float64Array;
  readonly stage: Stage;
  readonly live: Live;
  readonly compare: Compare;
  readonly drag: Drag;
  readonly picker: Picker;
  private view: ArmView;
  private cylinders: { view: CylinderView; table: CylinderTable } | null = null;
  private path: THREE.Line | null = null;
  private showPath = true;
  private ghosts: ArmView[] = [];
  private reference: ArmView | null = null;
  private form: ArmForm;
  private tool: number;
  private reacting = { force: false, torque: false };
  private qdd: Float64Array;
  private numbers = new Rate();
  private names: Names;

  constructor(readonly contents: Contents, private library: Library) {
    super();
    const { data } = contents, joints = data.joints!;
    const settings = settingsOf(data);
    this.session = library.open(scenarioFor(data, settings), robotFor(data, settings), data.files ?? {});
    this.tool = this.session.count - 1;
    this.names = { joints, positions: data.positions! };
    this.q = this.session.looped ? this.session.start() : neutral(data.positions!);
    this.qd = new Float64Array(joints.length);
    this.qdd = new Float64Array(joints.length);
    this.runs = readRuns(contents, library);
    if (data.scenario) this.runs.forEach((run) => addReference(run, this.names, (t) => this.session.reference(t)));
    this.form = this.formOf();
    const driven = (joint: number) => this.session.isDriven(joint);
    const up = this.form.gravity.some((x) => x !== 0) ? this.form.gravity.map((x) => -x / Math.hypot(...this.form.gravity)) : [0, 0, 1];
    if (this.runs.length === 0) this.q = shownFirst(this.session, data.positions!, data.parents!, this.tool, this.q, this.form.size, up, this.floor(up));
    this.compare = new Compare(library, joints);
    const cylinders = cylindersOf(data), table = new CylinderTable(cylinders, joints.map((joint) => joint.index));
    this.live = new Live(data, joints, settings, { looped: this.session.looped, isDriven: driven, start: this.q }, this.form.size, {
      moved: (q) => this.moveTo(q), changed: () => this.reopen(), simulate: () => void this.simulate(),
      tool: (joint) => { this.tool = joint; this.session.setTool(joint); this.tracePath(); this.show(this.q, this.qd, this.qdd); },
    }, [...(cylinders.length > 0 ? [table.element] : []), ...(this.session.looped ? [] : [this.compare.element])]);
    this.view = new ArmView(this.form);
    if (cylinders.length > 0) this.cylinders = { view: new CylinderView(cylinders, this.form.size), table };
    this.stage = new Stage(contents, this.names, this.form.size, up, this.ground(up), (t) => this.showTime(t));
    this.stage.main.append(this.live.element);
    this.stage.scene.world.add(this.view.group);
    if (this.cylinders) this.stage.scene.world.add(this.cylinders.view.group);
    this.drag = new Drag(this.stage.scene, (position, rotation) => this.follow(position, rotation));
    const weight = 9.81 * data.links!.reduce((sum, link) => sum + link.mass, 0);
    this.picker = new Picker(this.stage.scene, this.form.size, Math.max(weight, 1), () => this.drag.busy, {
      bodies: () => this.view.bodies, title: (joint) => this.titleOf(joint), selected: (joint) => this.live.select(joint),
      pulled: (joint, point, force) => this.pull(joint, point, force),
    });
    this.stage.whenUnits(() => this.show(this.q, this.qd, this.qdd));
    // reactions are those of the tree: with loops, the forces in the cuts are missing in them
    const layers = LAYERS.filter((layer) => !(this.session.looped && layer.startsWith('reaction')));
    for (const layer of layers) this.stage.addLayer(layer, SHOWN_AT_FIRST.includes(layer), (on) => this.showLayer(layer, on));
    this.stage.addLayer('gizmo at the tool', true, (on) => this.drag.show(on));
    this.stage.addLayer('path of the tool', true, (on) => { this.showPath = on; if (this.path) this.path.visible = on; });
    this.stage.addLayer('ghosts', true, (on) => this.ghostList().forEach((ghost) => { ghost.group.visible = on; }));
    this.setRuns(this.runs);
    if (this.runs.length === 0) this.goLive(this.live.q);
    if (location.hash === '#still') this.drag.show(false);
    this.open();
  }

  private formOf(): ArmForm {
    const { data, bytes } = this.contents, rest = this.session.links(this.q);
    const reach = new Array<number>(rest.length).fill(0);
    const parents = data.parents!;
    rest.forEach((place, i) => {
      const from = parents[i] < 0 ? [0, 0, 0] : rest[parents[i]].p;
      reach[i] = (parents[i] < 0 ? 0 : reach[parents[i]]) + Math.hypot(...place.p.map((x, k) => x - from[k]));
      const link = data.links![i + 1];
      if (link.mass > 0) reach[i] = Math.max(reach[i], (parents[i] < 0 ? 0 : reach[parents[i]]) + Math.hypot(...link.com));
    });
    const gravity = data.scenario?.gravity ?? data.robot!.gravity ?? [0, 0, -9.81];
    const size = Math.max(...reach, 1e-3), of = (joint: number) => data.joints!.filter((one) => one.index === joint);
    const kinds = rest.map((_, i): JointKind => {
      const entries = of(i);
      return entries.length === 1 ? (entries[0].slides ? 'slides' : 'turns') : entries.length === 0 ? 'fixed' : entries.length <= 3 ? 'ball' : 'free';
    });
    const travel = rest.map((_, i) => {
      const lower = of(i)[0]?.lower ?? 0, upper = of(i)[0]?.upper ?? 0.4 * size;
      return (lower + upper < 0 ? -1 : 1) * Math.min(upper - lower, 0.5 * size);
    });
    groundFreedoms(data, kinds);
    return { links: data.links!, pins: pinsOf(data), wheels: wheelsOf(data), slim: Boolean(data.robot!.cylinders) || (this.session.looped && kinds.includes('slides')), parents, kinds, travel, incomplete: data.missing_meshes > 0, bytes, rest, size, gravity };
  }

  // The lowest point of the base, where it has shapes, along `up`.
  private floor(up: number[]): number {
    const place = drawnShapes(this.form.links[0], this.form.bytes, 0)?.getAttribute('position');
    let least = 0;
    for (let i = 0; place && i < place.count; ++i) least = Math.min(least, place.getX(i) * up[0] + place.getY(i) * up[1] + place.getZ(i) * up[2]);
    return least;
  }

  // Puts the ground below everything: at the height of the base, or at the lowest point of the robot at the start and in its runs.
  private ground(up: number[]): number {
    const boxes = this.view.bodies.map((body) => { body.geometry.computeBoundingBox(); return body.geometry.boundingBox!; });
    const low = (q: ArrayLike<number>) => {
      this.view.place(this.session.links(q));
      return Math.min(...this.view.bodies.flatMap((body, i) => [0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
        const { min, max } = boxes[i];
        const at = new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).applyMatrix4(body.parent!.matrix);
        return at.x * up[0] + at.y * up[1] + at.z * up[2];
      })));
    };
    let least = low(this.q);
    for (const run of this.runs) {
      for (let k = 0; k <= 40; ++k) {
        const q = this.positionsOf(run, 'q', run.t[0] + (run.end - run.t[0]) * k / 40);
        if (q) least = Math.min(least, low(q));
      }
    }
    return least < -1e-3 * this.form.size ? least : 0;
  }

  private titleOf(joint: number): string {
    const { links, robot } = this.contents.data, name = links![joint + 1].name, of = joint >= 0 ? robot!.joints[joint]?.name : '';
    return of && of !== name ? `${name} (joint ${of})` : name;
  }

  // A force on a link, from now on in simulations; null: none.
  private pull(joint: number, point: number[], force: number[] | null): void {
    const settings = this.live.settings, had = settings.pull;
    settings.pull = null;
    if (force) {
      const { p, R } = this.session.links(this.q)[joint], d = point.map((x, k) => x - p[k]);
      const local = [0, 1, 2].map((k) => R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2]);
      settings.pull = { link: this.contents.data.links![joint + 1].name, point: local, force };
      this.say(`a force of ${Math.hypot(...force).toPrecision(3)} N on ${settings.pull.link} acts in simulations; a click on the ground removes it`);
    } else if (had) this.say('');
  }

  // The way of the tool in the first run.
  private tracePath(): void {
    this.path?.geometry.dispose();
    this.path?.removeFromParent();
    this.path = null;
    const run = this.runs[0];
    if (!run?.groups.has('q')) return;
    const points = Array.from({ length: 401 }, (_, k) => {
      const { p } = this.session.links(this.positionsOf(run, 'q', run.t[0] + (run.end - run.t[0]) * k / 400)!)[this.tool];
      return new THREE.Vector3(p[0], p[1], p[2]);
    });
    this.path = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: 0xd1006c }));
    this.path.visible = this.showPath;
    this.stage.scene.world.add(this.path);
  }

  private positionsOf(run: Run, key: 'q' | 'q_ref', t: number): Float64Array | null {
    const q = run.at(key, t, this.names.positions.length);
    return q && normalize(this.names.positions, q);
  }

  private ghostList(): ArmView[] {
    return this.reference ? [...this.ghosts, this.reference] : this.ghosts;
  }

  protected setRuns(runs: Run[]): void {
    this.runs = runs;
    this.ghostList().forEach((ghost) => ghost.dispose());
    this.ghosts = runs.slice(1).filter((run) => run.groups.has('q')).map((_, i) => new ArmView(this.form, { colour: GHOSTS[i % GHOSTS.length] }));
    this.reference = runs[0]?.groups.has('q_ref') ? new ArmView(this.form, { colour: REFERENCE }) : null;
    this.ghostList().forEach((ghost) => this.stage.scene.world.add(ghost.group));
    this.tracePath();
    this.stage.setRuns(runs);
  }

  private showLayer(layer: typeof LAYERS[number], on: boolean): void {
    this.view.show(layer, on);
    if (layer === 'reaction forces') this.reacting.force = on;
    if (layer === 'reaction torques') this.reacting.torque = on;
    this.show(this.q, this.qd, this.qdd);
  }

  private show(q: Float64Array, qd: Float64Array, qdd: Float64Array, quantum?: ArrayLike<number>, tau?: ArrayLike<number> | null): void {
    const places = this.session.links(q);
    this.q = q;
    this.qd = qd;
    this.qdd = qdd;
    this.view.place(places);
    if (this.reacting.force || this.reacting.torque) this.view.react(places, this.session.reactions(qd, qdd));
    this.drag.place(places[this.tool].p, places[this.tool].R);
    this.numbers.run(() => this.showNumbers(q, qd, qdd, quantum, tau), this.stage.playback.playing);
    this.cylinders?.view.place(places);
    this.stage.scene.redraw();
  }

  private showNumbers(q: Float64Array, qd: Float64Array, qdd: Float64Array, quantum?: ArrayLike<number>, tau?: ArrayLike<number> | null): void {
    this.live.show(q, quantum);
    this.live.answer({ session: this.session, q, qd, qdd });
    this.compare.show(this.session, q, qd, qdd);
    this.cylinders?.table.show(this.session, q, tau ?? (this.session.looped ? null : this.session.answer('inverse', { q, qd, qdd })));
  }

  private showTime(t: number): void {
    if (!this.view) return;
    const n = this.qd.length, run = this.runs[0], q = run ? this.positionsOf(run, 'q', t) : null;
    if (!run || !q) return;
    const zeros = new Float64Array(n);
    this.show(q, run.at('qd', t, n) ?? zeros, run.at('qdd', t, n) ?? zeros, run.quanta('q', q.length), run.at('tau', t, n));
    const others = this.runs.slice(1).filter((one) => one.groups.has('q'));
    this.ghosts.forEach((ghost, i) => ghost.place(this.session.links(this.positionsOf(others[i], 'q', t)!)));
    this.reference?.place(this.session.links(this.positionsOf(run, 'q_ref', t)!));
  }

  // --- live

  // Moves the joints; loops stay closed: those that are not driven follow, as far as they can.
  moveTo(wanted: Float64Array): void {
    if (!this.session.looped) return this.goLive(wanted);
    const { q, arrived } = this.session.follow(this.from(), wanted);
    this.goLive(q);
    this.say(arrived ? '' : 'the loops cannot be closed further on', !arrived);
  }

  private closed(q: Float64Array): boolean {
    return this.session.hold(q) !== OPEN;
  }

  // The configuration that motions begin at: that shown, or the file's if loops are open in a recording.
  private from(): Float64Array {
    return this.session.looped && !this.closed(this.q) ? this.session.start() : this.q;
  }

  goLive(q: Float64Array): void {
    this.stage.playback.pause();
    const zeros = new Float64Array(this.qd.length);
    this.show(q, zeros, zeros); // at rest: reactions to gravity only
  }

  follow(position: number[], rotation: number[] | null = null): number {
    this.session.setTool(this.tool);
    const found = this.session.reach(position, rotation, this.from());
    if (!this.session.looped || this.closed(found.q)) this.goLive(found.q);
    return found.distance;
  }

  reopen(): boolean {
    const { data } = this.contents, settings = this.live.settings, driven = (joint: number) => this.session.isDriven(joint);
    return this.attempt(() => {
      const session = this.library.open(scenarioFor(data, settings, driven), robotFor(data, settings), data.files ?? {});
      this.session.close();
      this.session = session;
      this.session.setTool(this.tool);
      this.show(this.q, this.qd, this.qdd);
      this.say('');
    });
  }

  // Of a page that is about to be loaded again, for `linkwork view`.
  kept(): PageState {
    return { ...super.kept(), q: this.runs.length > 0 ? [] : Array.from(this.q) };
  }

  restore(state: PageState): void {
    super.restore(state);
    if (state.q.length === this.q.length && this.runs.length === 0) this.moveTo(Float64Array.from(state.q));
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== 'r') return super.key(event);
    this.drag.toggle();
    return true;
  }

  // Runs the panel's scenario from the state shown.
  async simulate(): Promise<Run | null> {
    const wrong = this.live.wrong();
    if (wrong) this.say(wrong, true);
    if (wrong || !this.reopen()) return null;
    this.stage.playback.pause();
    const session = this.session, duration = session.duration(), count = Math.max(1, Math.round(duration / session.record()));
    if (!this.attempt(() => session.begin({ q: this.q, qd: this.qd }))) return null;
    const found = await this.record(session, duration, count, () => this.session === session); // false if settings were changed meanwhile
    return found && this.keep(found.samples, found.outcome);
  }

  private keep(samples: Sample[], outcome: number): Run {
    const joints = this.contents.data.joints!, events = this.contents.data.scenario?.events ?? [];
    const notes: Note[] = this.session.notes().map((note) => ({
      t: note.t, what: NOTES[note.kind], who: (NOTES[note.kind] === 'event' ? events[note.which]?.name : joints[note.which]?.name) ?? '',
    }));
    const run = runOfSamples(this.nextTitle(), samples, notes, this.names, (t) => this.session.reference(t));
    this.say(outcome === 0 ? `simulated ${samples.at(-1)!.t.toFixed(2)} s` : `the run ended at t = ${samples.at(-1)!.t.toFixed(4)} s`, outcome > 3);
    return this.play(run);
  }
}
