# SPDX-License-Identifier: MIT
"""Simulates many arms with the same joints, each with its own state, torques or parameters, in SIMD lanes and threads."""

import ctypes
import os
import warnings

import numpy as np

from ._library import Closable, Findings, LinkworkError, declared, encode, lib, make, numbers, real_array
from ._ode import PROGRESS
from ._registry import unknown
from ._robot import Robot, wrench_places
from ._running import Bridge, fill


def _robots(robot, count, payload, gravity):
    """One robot per arm if arrays of parameters are given; None: one robot for all."""
    sizes = [np.asarray(value).shape[0] for value in (payload or {}).values() if np.ndim(value) == 1]
    if gravity is not None and np.ndim(gravity) == 2:
        sizes.append(len(gravity))
    for size in sizes:
        if count is not None and size != count:
            raise ValueError(f"{size} values of a parameter, but {count} arms")
        count = size
    if count is None:
        raise ValueError("count is missing: how many arms?")
    if not sizes:
        same = robot if not payload and gravity is None else robot.replace(payload=payload, gravity=gravity)
        return same, None, count

    def at(value, i, rank):
        return value[i] if np.ndim(value) > rank else value

    many = [robot.replace(payload={link: at(value, i, 0) for link, value in (payload or {}).items()},
                          gravity=None if gravity is None else at(gravity, i, 1)) for i in range(count)]
    return None, many, count


SLICE = 100000  # joint steps between checks for Ctrl-C


class Fleet(Closable):
    """Simulates arms of one structure side by side, M(q) qdd + C qd + g = tau - viscous qd, with fixed steps.

    robot      a Robot for all arms, or a list of Robots with the same joints, one for each
    count      number of arms; not needed if a list or an array of parameters gives it
    payload    {link: masses}, (count,) or one number, kg: loads that the arms carry
    gravity    (count, 3) or (3), m/s^2
    method     'rk4' (default) or 'kutta3'; step in s
    law        torque of every joint as a law in t, k, n, q, qd
    torques    a callable torques(t, arms, q, qd): numbers of arms (m,), q and qd (m, n), returns (m, n) N m or N; several
               threads call it, and its result must depend on its arguments only
    viscous    include the viscous friction of the joints; rotors: include the inertia of the motors' rotors
    threads    0: all threads of the machine

    The motion of an arm is the same to the last bit whether it runs alone or with others, on any number of threads.
    """

    def __init__(self, robot, count=None, *, payload=None, gravity=None, method="rk4", step=1e-3, law=None, torques=None,
                 viscous=False, rotors=False, fastest=None, threads=0):
        self._robot, self._many = (None, list(robot)) if not isinstance(robot, Robot) else (robot, None)
        if self._many is None:
            self._robot, self._many, count = _robots(robot, count, payload, gravity)
        elif payload or gravity is not None:
            raise ValueError("payload and gravity go with one Robot, not with a list")
        self.count = len(self._many) if self._many is not None else int(count)
        if self.count < 1:
            raise ValueError(f"count is {self.count}, expected 1 or more arms")
        first = self._robot or self._many[0]
        first._require_plain("Fleet")
        self.dof, self.joint_names = first.dof, first.joint_names
        self._bridge, self._kept = Bridge(), []
        definition = self._define(method, step, viscous, rotors, fastest, threads)
        self._set_models(definition)
        self._set_torques(definition, law, torques)
        self._owned, _ = make(lib.lw_fleet_create, lib.lw_fleet_destroy, ctypes.byref(definition),
                              kept=(self._kept, self._robot, self._many))

    def _define(self, method, step, viscous, rotors, fastest, threads):
        definition = lib.lw_fleet_def()
        definition.count, definition.threads = self.count, int(threads)
        if method not in ("rk4", "kutta3"):
            raise unknown("method of fixed steps", method, ["rk4", "kutta3"])
        self._kept.append(encode(method))  # the fleet refers to it
        definition.method, definition.step = self._kept[-1], float(step)
        self._step = definition.step
        definition.viscous, definition.rotors = bool(viscous), bool(rotors)
        if fastest is not None:
            definition.fastest = float(fastest)
        return definition

    def _set_models(self, definition):
        if self._many is None:
            definition.model = self._robot._pointer()
            self._kept.append(self._robot._model())
            return
        pointers = (ctypes.c_void_p * self.count)(*(robot._pointer() for robot in self._many))
        self._kept += [pointers, *(robot._model() for robot in self._many)]
        definition.models = ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p))

    def _set_torques(self, definition, law, torques):
        if law is not None:
            owned, _ = make(lib.lw_law_create_joint, lib.lw_law_destroy, b"law", encode(law))
            self._kept.append(owned)
            definition.law = owned.pointer
        if torques is not None:
            callback = declared.lwFleetTorques(self._bridge.guard(lambda _, block: self._give(block.contents, torques)))
            self._kept.append(callback)
            definition.torques = callback

    def _give(self, block, torques):
        n, m, stride = block.joints, block.count, block.stride

        def rows(address):
            return np.frombuffer((ctypes.c_double * (n * stride)).from_address(address)).reshape(n, stride)[:, :m].T

        arms = np.array((ctypes.c_int * m).from_address(ctypes.cast(block.arm, ctypes.c_void_p).value))
        tau = rows(block.tau)
        made = np.empty((m, n))
        fill(made, torques(block.t, arms, rows(block.q).copy(), rows(block.qd).copy()), "torques(t, arms, q, qd)")
        tau += made

    def _here(self):
        pointer = self._pointer()
        if self._owned.process != os.getpid():
            raise LinkworkError("this Fleet was made before a fork, and its threads are in the parent; make it in the child")
        return pointer

    def _array(self, value, what):
        if value is None:
            return None
        array = real_array(value, what)
        try:
            array = np.ascontiguousarray(np.broadcast_to(array, (self.count, self.dof)), np.float64)
        except ValueError:
            raise ValueError(f"{what} has the shape {array.shape}, expected ({self.count}, {self.dof}): arms and joints "
                             f"{', '.join(self.joint_names)}") from None
        return array

    def start(self, q=None, qd=None, t=0.0):
        """Restarts all arms at time t (s) in the states q and qd: (count, n) or (n,); None: zeros."""
        q, qd = self._array(q, "q"), self._array(qd, "qd")
        status = lib.lw_fleet_start(self._here(), float(t), *(None if a is None else a.ctypes.data for a in (q, qd)))
        if status != 0:
            raise ValueError("q, qd and t must be finite")

    def set_torques(self, tau):
        """Sets the torques from now on, (count, n) or (n,), N m or N; None: zero. Law and callable are added to them."""
        tau = self._array(tau, "tau")
        if lib.lw_fleet_set_torques(self._here(), None if tau is None else tau.ctypes.data) != 0:
            raise ValueError("tau must be finite")

    def set_wrenches(self, wrenches, at=None):
        """Wrenches from now on, (count, places, 6) or (places, 6), N and N m; None: none. at: where they act, a list of link
        names, or (link, (x, y, z)), or (link, (x, y, z), axes) with axes 'link' or 'base'; None: one place, the last link."""
        first = self._robot or self._many[0]
        at = [first.link_names[-1]] if at is None else at
        places = wrench_places(first, at) if wrenches is not None else ()
        array = None
        if wrenches is not None:
            given = real_array(wrenches, "wrenches")
            array = numbers(np.broadcast_to(given, (self.count, len(places), 6)), (self.count, len(places), 6), "wrenches")
        with Findings() as findings:
            findings.require(lib.lw_fleet_set_wrenches(self._here(), len(places), places or None,
                                                       None if array is None else array.ctypes.data, findings.pointer))

    def save(self):
        """The state of all arms as bytes, from which the fleet goes on to the last bit."""
        size = lib.lw_fleet_save(self._here(), None, 0)
        state = ctypes.create_string_buffer(size)
        lib.lw_fleet_save(self._here(), state, size)
        return state.raw

    def restore(self, state):
        """Goes back to a saved state, also that of another fleet of the same definition."""
        with Findings() as findings:
            findings.require(lib.lw_fleet_restore(self._here(), bytes(state), len(state), findings.pointer))

    def advance(self, t):
        """Advances to time t, s; returns how many arms got there. The others have diverged and stay where they were.

        Works in slices of about 0.1 s, whose number of steps depends on the fleet alone. After Ctrl-C, or an exception in
        torques, all arms are at the end of a slice, at Fleet.t, and can continue from there.
        """
        pointer, begin, end = self._here(), self.t, float(t)
        steps = max(1, SLICE // (self.count * max(self.dof, 1)))
        bridge = self._bridge
        bridge.stop.value = 0

        def slices():
            running, k = 0, 1
            while not bridge.stop.value:
                ahead = begin + k * steps * self._step
                last = not ahead < end - 0.5 * self._step  # also if end is NaN
                running = lib.lw_fleet_advance(pointer, end if last else ahead)
                if last:
                    break
                k += 1
            return running

        return bridge.run(slices)

    @property
    def lanes(self):
        """Arms that are computed side by side in one vector."""
        return lib.lw_fleet_lanes(self._here())

    @property
    def threads(self):
        """Threads that it uses."""
        return lib.lw_fleet_threads(self._here())

    @property
    def t(self):
        """Time of all arms that have not diverged, s."""
        return lib.lw_fleet_time(self._here())

    def states(self):
        """q and qd of all arms, (count, n) each."""
        q, qd = np.empty((self.count, self.dof)), np.empty((self.count, self.dof))
        lib.lw_fleet_states(self._here(), q.ctypes.data, qd.ctypes.data)
        return q, qd

    @property
    def progress(self):
        """State of each arm: 'arrived' (running), 'not finite' (diverged) or 'step vanished'."""
        pointer = self._here()
        return [PROGRESS[lib.lw_fleet_arm(pointer, i).progress] for i in range(self.count)]

    @property
    def energy_errors(self):
        """S of each arm, the error of its energy balance, of largest magnitude, and the bound beyond which its run is not to
        be trusted: (count, 2), J."""
        pointer = self._here()
        arms = [lib.lw_fleet_arm(pointer, i) for i in range(self.count)]
        return np.array([(arm.worst_S, arm.bound) for arm in arms])

    def _distrust(self):
        errors = self.energy_errors
        beyond = np.flatnonzero(errors[:, 0] > errors[:, 1])
        if beyond.size:
            worst, bound = errors[beyond[0]]
            warnings.warn(f"{beyond.size} of {self.count} arms are not to be trusted; S of arm {beyond[0]} moved by {worst:.3g} J, "
                          f"beyond its bound of {bound:.3g} J: take shorter steps", RuntimeWarning, stacklevel=3)

    def run(self, duration, record=None):
        """Advances by duration s; returns t (m,), q and qd (m, count, n), every `record` s, or at start and end only.
        Warns if the energy balance of an arm says that its motion is not to be trusted."""
        if not (np.isfinite(duration) and duration > 0):
            raise ValueError(f"duration is {duration}, expected a positive number of s")
        if record is not None and not (np.isfinite(record) and record > 0):
            raise ValueError(f"record is {record}, expected a positive number of s")
        begin = self.t
        steps = max(1, int(round(duration / record))) if record else 1
        times, rows = begin + duration * np.arange(steps + 1) / steps, [self.states()]
        for t in times[1:]:
            self.advance(t)
            rows.append(self.states())
        self._distrust()
        return times, np.array([row[0] for row in rows]), np.array([row[1] for row in rows])

    def __repr__(self):
        return "<linkwork.Fleet, closed>" if self.closed else f"<linkwork.Fleet: {self.count} arms of {self.dof} joints>"
