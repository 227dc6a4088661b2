// The pose in which a robot without a run is first seen: bent, not singular, above the ground.
import type { Joint } from './data';
import type { Place, Session } from './library';

const TRIALS = 300, NEARER = 300; // anywhere, then around the best so far

// Pseudo-random numbers in 0..1, the same at every opening.
function sequence(): () => number {
  let state = 11;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

// The links from the base to the tool.
function chainTo(tool: number, parents: number[]): number[] {
  return tool < 0 ? [] : [...chainTo(parents[tool], parents), tool];
}

// How well a pose shows an arm: its tool in front, pointing down and at a middle height, its elbow up, nothing below the
// ground, no joint far from the middle.
function merit(places: Place[], chain: number[], singular: number, far: number, size: number, up: number[], floor: number): number {
  const height = (p: number[]) => (p[0] * up[0] + p[1] * up[1] + p[2] * up[2] - floor) / size, heights = chain.map((i) => height(places[i].p));
  const { p, axis } = places[chain.at(-1)!], out = Math.hypot(p[0], p[1]) / size, turned = Math.abs(Math.atan2(p[1], p[0]));
  const down = axis[0] * up[0] + axis[1] * up[1] + axis[2] * up[2];
  return Math.log(Math.max(singular, 1e-6)) + 8 * Math.min(0, Math.min(...heights) + 0.02) + 1.5 * Math.max(...heights)
    - Math.abs(heights.at(-1)! - 0.3 + Math.min(0, floor / size)) - 2 * Math.abs(out - 0.5) - 0.8 * Math.abs(turned - 0.3) - 0.3 * far - 0.4 * (1 + down);
}

// Arms of a few joints between base and tool get a bent pose; other robots keep that of their file.
export function shownFirst(session: Session, positions: Joint[], parents: number[], tool: number, start: Float64Array, size: number, up: number[], floor: number): Float64Array {
  const chain = chainTo(tool, parents), moved = positions.map((one) => chain.includes(one.index)), count = moved.filter(Boolean).length;
  const bare = start.every((x, k) => x === 0 || x === positions[k].lower || x === positions[k].upper);
  if (session.looped || !bare || count < 2 || count > 8 || positions.length > count + 2 || !positions.every((one) => one.alone)) return start;
  const random = sequence();
  let best = start, most = -Infinity;
  for (let trial = 0; trial < TRIALS + NEARER; ++trial) {
    let far = 0;
    const q = start.map((x, k) => {
      const one = positions[k], most = one.slides ? 0.6 * size : 2.4, low = Math.max(one.lower ?? -most, -most), high = Math.min(one.upper ?? most, most), r = random();
      if (!moved[k]) return x;
      const from = low + (one.slides ? 0.35 : 0.08) * (high - low), width = (one.slides ? 0.5 : 0.84) * (high - low);
      const value = trial < TRIALS ? from + r * width : Math.min(Math.max(best[k] + 0.3 * (r - 0.5) * width, from), from + width);
      if (!one.slides) far += ((value - (one.lower !== null && one.upper !== null ? (low + high) / 2 : 0)) ** 2) / count;
      return value;
    });
    const value = merit(session.links(q), chain, session.singular(q), far, size, up, floor);
    if (value > most) [most, best] = [value, q];
  }
  return best.map((x, k) => (moved[k] ? Math.round(x * (positions[k].slides ? 1000 : 20)) / (positions[k].slides ? 1000 : 20) : x));
}
