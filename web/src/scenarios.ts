// Builds scenario texts from the panel's settings; the library's readers check them like any file.
import type { FileNode, Joint, PageData } from './data';
import { neutral } from './positions';
import { numberOf, numbersOf } from './ui';

export const DRIVES = ['nothing (zero torque)', 'torques', 'PD + gravity, holding position', 'computed torque, holding position', 'the scenario’s drives'] as const;

export interface Settings {
  drive: number; // index in DRIVES
  torques: string; // laws for each joint, separated by commas
  kp: string; // gains, one for all joints or one each; empty: the scenario's
  kd: string;
  payload: string; // kg
  payloadLink: string;
  gravity: string; // x, y, z in m/s^2; empty: the robot's
  friction: 'full' | 'viscous' | 'none';
  frictionScale: string;
  duration: string; // s
  pull: { link: string; point: number[]; force: number[] } | null; // point in the frame of the link, force in the base frame, N
}

export function settingsOf(data: PageData): Settings {
  return {
    drive: data.scenario ? 4 : 0, torques: '0', kp: '', kd: '', payload: '0', payloadLink: data.links?.at(-1)?.name ?? '',
    gravity: '', friction: data.scenario?.friction ?? 'full', frictionScale: '1', duration: String(data.scenario?.duration ?? 5), pull: null,
  };
}

// Laws separated by commas; those within brackets belong to a law.
export function lawsOf(text: string): string[] {
  const laws = [''];
  let depth = 0;
  for (const sign of text) {
    if ('(['.includes(sign)) ++depth;
    if (')]'.includes(sign)) --depth;
    if (sign === ',' && depth <= 0) laws.push('');
    else laws[laws.length - 1] += sign;
  }
  return laws.map((law) => law.trim());
}

const gain = (text: string): number | number[] => (text.includes(',') ? numbersOf(text) : numberOf(text));

function drive(scenario: FileNode, settings: Settings, driven: Joint[]): void {
  if (settings.drive === 4) {
    if (scenario.controller) {
      if (settings.kp) scenario.controller.kp = gain(settings.kp);
      if (settings.kd) scenario.controller.kd = gain(settings.kd);
    }
    return;
  }
  delete scenario.drives;
  delete scenario.controller;
  delete scenario.events;
  delete scenario.wrench;
  if (settings.drive === 1) {
    const laws = lawsOf(settings.torques);
    scenario.drives = Object.fromEntries(driven.map((joint, k) => [joint.name, { torque: laws.length === 1 ? laws[0] : laws[k] }]));
  }
  if (settings.drive === 2) scenario.controller = { kind: 'pd-gravity', kp: gain(settings.kp || '100'), kd: gain(settings.kd || '20') };
  if (settings.drive === 3) scenario.controller = { kind: 'computed-torque', kp: gain(settings.kp || '100'), kd: gain(settings.kd || '20') };
}

// The joints that laws drive: in a robot with loops, those that no loop moves.
export function scenarioFor(data: PageData, settings: Settings, isDriven = (_joint: number) => true): FileNode {
  const looped = Boolean(data.robot!.loops), rest = Array.from(neutral(data.positions ?? []));
  const own: FileNode = { linkwork: 1, name: data.title, robot: 'robot', integrator: { method: 'dormand-prince', rtol: 1e-8 } };
  if (!looped) Object.assign(own, { limits: 'hold', initial: { q: rest } });
  const scenario: FileNode = structuredClone(data.scenario ?? own);
  drive(scenario, settings, (data.joints ?? []).filter((joint) => joint.alone && isDriven(joint.index)));
  scenario.friction = settings.friction;
  if (settings.duration !== String(scenario.duration)) scenario.duration = numberOf(settings.duration);
  if (settings.gravity) scenario.gravity = numbersOf(settings.gravity);
  if (settings.pull) scenario.wrench = [].concat(scenario.wrench ?? [], { ...settings.pull, frame: 'base' } as never);
  if (numberOf(settings.payload) > 0) {
    const load = { link: settings.payloadLink, mass: numberOf(settings.payload) };
    scenario.payload = scenario.payload ? [].concat(scenario.payload, load as never) : load;
  }
  return scenario;
}

export function robotFor(data: PageData, settings: Settings): FileNode {
  const robot = structuredClone(data.robot!), scale = numberOf(settings.frictionScale);
  if (scale === 1) return robot;
  for (const joint of robot.joints) {
    for (const key of Object.keys(joint.friction ?? {})) joint.friction[key] *= scale;
  }
  return robot;
}
