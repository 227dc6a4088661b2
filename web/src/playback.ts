// Time: play, pause, scrub, speed, loop, step. Real time by default.
import { button, checkbox, make, select, shown } from './ui';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];

export class Playback {
  readonly element = make('section', { class: 'playback', 'aria-label': 'playback' });
  time = 0;
  playing = false;
  speed = 1;
  loop = true;
  ended: () => void = () => {}; // called when a run has been played to its end
  private low = 0;
  private high = 1;
  private step = 0.01;
  private last = 0;
  private bar = make('input', { type: 'range', min: 0, max: 1, step: 'any', 'aria-label': 'time', input: () => this.seek(Number(this.bar.value)) });
  private clock = make('output', { class: 'clock' });
  private play = button('▶', 'play or pause (space)', () => this.toggle());

  constructor(private moved: (t: number) => void) {
    const speed = select('speed', SPEEDS.map((one) => `${one}×`), (i) => { this.speed = SPEEDS[i]; });
    speed.list.selectedIndex = SPEEDS.indexOf(1);
    this.element.append(
      button('|◀', 'to the start (Home)', () => this.seek(this.low)), button('◁', 'previous record (,)', () => this.move(-1)),
      this.play, button('▷', 'next record (.)', () => this.move(1)), this.bar, this.clock, speed,
      checkbox('loop', this.loop, (on) => { this.loop = on; }));
    requestAnimationFrame((now) => this.frame(now));
  }

  setSpan(low: number, high: number, step: number): void {
    this.low = low;
    this.high = high > low ? high : low + 1e-9;
    this.step = step;
    this.bar.min = String(low);
    this.bar.max = String(this.high);
    this.seek(Math.min(Math.max(this.time, low), high));
  }

  seek(t: number): void {
    this.time = Math.min(Math.max(t, this.low), this.high);
    this.bar.value = String(this.time);
    this.clock.textContent = `t = ${this.time.toFixed(3)} s of ${shown(this.high)} s`;
    this.moved(this.time);
  }

  move(steps: number): void {
    this.pause();
    this.seek(this.low + (Math.round((this.time - this.low) / this.step) + steps) * this.step);
  }

  toggle(): void {
    if (this.playing) { this.pause(); return; }
    if (this.time >= this.high) this.seek(this.low);
    this.playing = true;
    this.last = 0;
    this.play.textContent = '❚❚';
  }

  pause(): void {
    this.playing = false;
    this.play.textContent = '▶';
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    if (!this.playing) return;
    const passed = this.last > 0 ? Math.min((now - this.last) / 1000, 0.25) : 0;
    this.last = now;
    let t = this.time + passed * this.speed;
    if (t >= this.high) {
      if (this.loop) t = this.low;
      else { t = this.high; this.pause(); this.ended(); }
    }
    this.seek(t);
  }
}
