/** Dynamics of robots from YAML, JSON, URDF and MJCF files. SI units and radians. */

export type Question = 'inverse' | 'forward' | 'inertia' | 'bias' | 'gravity' | 'coriolis' | 'energy' | 'pose' | 'poses' | 'jacobian'
  | 'jacobian-rate' | 'reactions' | 'gibbs' | 'centroidal' | 'control' | 'regressor' | 'velocities' | 'accelerations'
  | 'inverse-derivatives' | 'forward-derivatives' | 'inertia-inverse' | 'coriolis-matrix';

/** What a question reads. What is left out is 0; a missing q is the neutral position. */
export interface State {
  /** (nq) rad or m, and quaternions x y z w */
  q?: ArrayLike<number>;
  /** (dof) rad/s or m/s */
  qd?: ArrayLike<number>;
  /** (dof) rad/s^2 or m/s^2 */
  qdd?: ArrayLike<number>;
  /** (dof) N m or N */
  tau?: ArrayLike<number>;
  /** (6) of the environment on the last link: N, N m */
  wrench?: ArrayLike<number>;
}

/** Why a file, a question or a state was refused; of files with line and column. */
export class LinkworkError extends Error {}

export class Robot {
  readonly name: string;
  readonly dof: number;
  readonly nq: number;
  readonly joints: string[];
  neutral(): Float64Array;
  /** Numbers in the order of the C library: matrices row by row. */
  answer(question: Question, state?: State): Float64Array;
  /** Frees its memory. */
  close(): void;
}

/** Reads a robot from text; the name says the format. files: what it names, by path. */
export function load(name: string, text: string, files?: Record<string, string | Uint8Array>): Promise<Robot>;
/** The same from a file, in node. */
export function loadFile(path: string, files?: Record<string, string | Uint8Array>): Promise<Robot>;
export function questions(): Promise<Question[]>;
