// The pose in which a robot without a run is first seen: bent, not singular, above the ground.
import type { Joint } from './data';
import type { Place, Session } from './library';

const TRIALS = 160;

// Pseudo-random numbers in 0..1, the same at every opening.
function sequence(): () => number {
  let state = 11;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

// How well a pose shows a serial arm: its tool in front and at a middle height, nothing below the ground, joints not far turned.
function merit(places: Place[], singular: number, q: Float64Array, positions: Joint[], size: number, up: number[]): number {
  const height = (p: number[]) => (p[0] * up[0] + p[1] * up[1] + p[2] * up[2]) / size, low = Math.min(...places.map(({ p }) => height(p)));
  const { p } = places.at(-1)!, out = Math.hypot(p[0], p[1]) / size, turned = Math.abs(Math.atan2(p[1], p[0]));
  const far = positions.reduce((sum, one, k) => sum + (one.slides ? 0 : q[k] * q[k]), 0) / positions.length;
  const down = (places.at(-1)!.axis[0] * up[0] + places.at(-1)!.axis[1] * up[1] + places.at(-1)!.axis[2] * up[2]);
  return Math.log(Math.max(singular, 1e-6)) + 8 * Math.min(0, low + 0.02) - Math.abs(height(p) - 0.3) - 2 * Math.abs(out - 0.5) - 0.4 * Math.abs(turned - 0.3) - 0.35 * far - 0.5 * Math.abs(Math.abs(down) > 0.3 ? 1 + down : 0.5);
}

// Serial arms of a few joints get a bent pose; other robots keep that of their file.
export function shownFirst(session: Session, positions: Joint[], parents: number[], start: Float64Array, size: number, up: number[]): Float64Array {
  const serial = parents.every((parent, i) => parent === i - 1) && positions.length <= 8 && positions.length >= 2 && positions.every((one) => one.alone);
  if (!serial || session.looped || start.some((x, k) => x !== 0 && x !== positions[k].lower && x !== positions[k].upper)) return start;
  const random = sequence();
  let best = start, most = -Infinity;
  for (let trial = 0; trial < TRIALS; ++trial) {
    const q = Float64Array.from(positions, (one) => {
      const far = one.slides ? 0.6 * size : 2, low = Math.max(one.lower ?? -far, -far), high = Math.min(one.upper ?? far, far), r = random();
      return one.slides ? low + (0.35 + 0.5 * r) * (high - low) : low + (0.08 + 0.84 * r) * (high - low);
    });
    const value = merit(session.links(q), session.singular(q), q, positions, size, up);
    if (value > most) [most, best] = [value, q];
  }
  return best.map((x, k) => (positions[k].slides ? Math.round(1000 * x) / 1000 : Math.round(x * 20) / 20));
}
