// Builds scenario texts from the panel's settings; the library's readers check them like any file.
import type { FileNode, Joint, PageData } from './data';
import { neutral } from './positions';

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
}

export function settingsOf(data: PageData): Settings {
  return {
    drive: data.scenario ? 4 : 0, torques: '0', kp: '', kd: '', payload: '0', payloadLink: data.links?.at(-1)?.name ?? '',
    gravity: '', friction: data.scenario?.friction ?? 'full', frictionScale: '1', duration: String(data.scenario?.duration ?? 5),
  };
}

const list = (text: string): number[] => text.split(',').map((part) => Number(part.trim()));
const gain = (text: string): number | number[] => (text.includes(',') ? list(text) : Number(text));

function drive(scenario: FileNode, settings: Settings, joints: Joint[]): void {
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
    const laws = settings.torques.split(',').map((law) => law.trim());
    scenario.drives = Object.fromEntries(joints.filter((joint) => joint.alone).map((joint, k) => [joint.name, { torque: laws.length === 1 ? laws[0] : laws[k] ?? '0' }]));
  }
  if (settings.drive === 2) scenario.controller = { kind: 'pd-gravity', kp: gain(settings.kp || '100'), kd: gain(settings.kd || '20') };
  if (settings.drive === 3) scenario.controller = { kind: 'computed-torque', kp: gain(settings.kp || '100'), kd: gain(settings.kd || '20') };
}

export function scenarioFor(data: PageData, settings: Settings): FileNode {
  const rest = Array.from(neutral(data.positions ?? []));
  const own: FileNode = { linkwork: 1, name: data.title, robot: 'robot', limits: 'hold', initial: { q: rest }, integrator: { method: 'dormand-prince', rtol: 1e-8 } };
  const scenario: FileNode = structuredClone(data.scenario ?? own);
  drive(scenario, settings, data.joints ?? []);
  scenario.friction = settings.friction;
  scenario.duration = Number(settings.duration);
  if (settings.gravity) scenario.gravity = list(settings.gravity);
  if (Number(settings.payload) > 0) {
    const load = { link: settings.payloadLink, mass: Number(settings.payload) };
    scenario.payload = scenario.payload ? [].concat(scenario.payload, load as never) : load;
  }
  return scenario;
}

export function robotFor(data: PageData, settings: Settings): FileNode {
  const robot = structuredClone(data.robot!), scale = Number(settings.frictionScale);
  if (scale === 1) return robot;
  for (const joint of robot.joints) {
    for (const key of Object.keys(joint.friction ?? {})) joint.friction[key] *= scale;
  }
  return robot;
}
