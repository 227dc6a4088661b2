// Runs long computations in short slices, so that the page stays responsive.
const SLICE = 30; // ms

// Calls step(1) .. step(count) until one returns false, and pause() between slices. Returns false if pause() did.
export async function inSlices(count: number, step: (k: number) => boolean, pause: () => boolean): Promise<boolean> {
  let since = performance.now();
  for (let k = 1; k <= count && step(k); ++k) {
    if (performance.now() - since < SLICE) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (!pause()) return false;
    since = performance.now();
  }
  return true;
}

// Work that is repeated while something moves: it is left out so often that it takes at most a thirteenth of the time, and done
// once more for the last state.
export class Rate {
  private due = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  run(work: () => void, limited: boolean): void {
    const begin = performance.now();
    clearTimeout(this.timer);
    if (limited && begin < this.due) {
      this.timer = setTimeout(() => this.run(work, false), this.due - begin);
      return;
    }
    work();
    const end = performance.now();
    this.due = end + 12 * (end - begin);
  }
}
