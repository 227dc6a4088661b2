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
