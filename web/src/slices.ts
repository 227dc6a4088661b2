// Long work a slice at a time, so that the page stays alive.
const SLICE = 30; // ms

// Calls step(1) .. step(count) until one says false; between slices calls pause(), which says whether to go on. False: it was ended there.
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
