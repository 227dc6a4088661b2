// Joint positions: the zero position, and quaternions as roll, pitch and yaw for the sliders.
import type { Joint } from './data';

// Indices in q at which quaternions start.
export function quaternions(positions: Joint[]): number[] {
  return positions.flatMap((one, i) => (one.quaternion && (i === 0 || !positions[i - 1].quaternion || positions[i - 1].index !== one.index) ? [i] : []));
}

export function neutral(positions: Joint[]): Float64Array {
  const q = Float64Array.from(positions, (one) => (one.quaternion ? 0 : Math.min(Math.max(0, one.lower ?? 0), one.upper ?? 0)));
  quaternions(positions).forEach((i) => { q[i + 3] = 1; });
  return q;
}

// Positions are interpolated linearly between records, so quaternions must be normalised again.
export function normalize(positions: Joint[], q: Float64Array): Float64Array {
  for (const i of quaternions(positions)) {
    const length = Math.hypot(q[i], q[i + 1], q[i + 2], q[i + 3]);
    for (let k = 0; k < 4 && length > 0; ++k) q[i + k] /= length;
    if (!(length > 0)) q[i + 3] = 1;
  }
  return q;
}

// R = Rz(yaw) Ry(pitch) Rx(roll), the convention of the whole program.
export function rollPitchYaw([x, y, z, w]: ArrayLike<number> & Iterable<number>): [number, number, number] {
  const sine = Math.min(Math.max(2 * (w * y - x * z), -1), 1);
  return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sine), Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
}

export function quaternionOf([roll, pitch, yaw]: number[]): number[] {
  const [cr, cp, cy] = [roll, pitch, yaw].map((angle) => Math.cos(angle / 2));
  const [sr, sp, sy] = [roll, pitch, yaw].map((angle) => Math.sin(angle / 2));
  return [sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy];
}
