# SPDX-License-Identifier: MIT
"""Hydraulic cylinders between two points of a robot: moment arms, forces, oil, sizing."""

import ctypes
import threading

import numpy as np

from ._errors import LinkworkError
from ._library import Closable, Findings, declared, encode, lib, make, numbers, text
from ._robot import Record, Robot

NUMBERS = ("bore", "rod", "stroke", "closed_length", "pressure", "flow", "bulk_modulus", "dead_volume", "hose_volume",
           "hose_modulus", "back_pressure", "damping", "rod_modulus")


class CylinderDef(Record):
    """A cylinder: name, start and end ((link or None for the base, (x, y, z))), and bore, rod, stroke, closed_length (m),
    pressure, back_pressure, bulk_modulus, hose_modulus, rod_modulus (Pa), flow (m^3/s), dead_volume, hose_volume (m^3) and
    damping (N s/m); what is not given has the library's default."""

    def _struct(self):
        made, kept = lib.lw_cylinder_def(), [encode(self.name)]
        made.name = kept[0]
        for pin, (link, at) in ((getattr(made, "from"), self.start), (made.to, self.end)):
            kept.append(encode(link))
            pin.link = kept[-1]
            pin.at[:] = numbers(at, (3,), f"a pin of {self.name}").tolist()
        for name in NUMBERS:
            if name in self.__dict__:
                setattr(made, name, float(self.__dict__[name]))
        return made, kept

    def _checked(self):
        made, kept = self._struct()
        with Findings() as findings:
            findings.require(lib.lw_cylinder_check(ctypes.byref(made), findings.pointer), self.name)
        return made, kept

    def area(self, chamber):
        """Area of chamber 0 (behind the piston) or 1 (with the rod), m^2."""
        return lib.lw_cylinder_area(ctypes.byref(self._checked()[0]), _chamber(chamber))

    def compliance(self, chamber, s):
        """How much oil enters a chamber per pressure at stroke s, m^3/Pa."""
        return lib.lw_cylinder_compliance(ctypes.byref(self._checked()[0]), _chamber(chamber), float(s))

    def stiffness(self, s):
        """Stiffness of the piston at stroke s with closed valves, N/m."""
        return lib.lw_cylinder_stiffness(ctypes.byref(self._checked()[0]), float(s))

    def pressures(self, force):
        """Pressures (2) of the chambers that give the force (N), Pa."""
        out = np.empty(2)
        lib.lw_cylinder_pressures(ctypes.byref(self._checked()[0]), float(force), out.ctypes.data)
        return out

    def flow_at(self, speed):
        """Flow into the chamber that fills at this speed of the piston, m^3/s."""
        return lib.lw_cylinder_flow(ctypes.byref(self._checked()[0]), float(speed))

    def buckling(self, s):
        """Force at which the rod buckles at stroke s, N."""
        return lib.lw_cylinder_buckling(ctypes.byref(self._checked()[0]), float(s))

    def buckling_length(self, force, safety=1.0):
        """Length from pin to pin at which a push (N) has this safety against buckling, m."""
        return lib.lw_cylinder_buckling_length(ctypes.byref(self._checked()[0]), float(force), float(safety))

    def closed_oil(self, s, stroke, pressure):
        """Record of pressures (2, Pa), force (N) and energy (J) at stroke s, after the valves closed at `stroke` with
        `pressure` (2)."""
        made, kept = self._checked()
        oil = declared.lwClosedOil(stroke=float(stroke))
        oil.pressure[:] = numbers(pressure, (2,), "pressure").tolist()
        words, out = (ctypes.byref(made), ctypes.byref(oil), float(s)), np.empty(2)
        lib.lw_closed_oil_pressures(*words, out.ctypes.data)
        return Record(pressures=out, force=lib.lw_closed_oil_force(*words), energy=lib.lw_closed_oil_energy(*words))


def _chamber(chamber):
    if chamber not in (0, 1):
        raise ValueError(f"chamber is {chamber}, expected 0 or 1")
    return int(chamber)


def _definition(struct):
    pins = {name: (text(pin.link), tuple(pin.at)) for name, pin in (("start", getattr(struct, "from")), ("end", struct.to))}
    return CylinderDef(name=text(struct.name), **pins, **{name: getattr(struct, name) for name in NUMBERS})


class Cylinders(Closable):
    """The cylinders of a robot: names, and definitions (CylinderDef). Robot.cylinders() makes it; threads take turns."""

    def __init__(self, owned, arm):
        self._owned, self._arm, self._lock = owned, arm, threading.Lock()
        count = lib.lw_cylinders_count(owned.pointer)
        self.definitions = [_definition(lib.lw_cylinders_get(owned.pointer, k).contents) for k in range(count)]
        self.names = [one.name for one in self.definitions]

    def __len__(self):
        return len(self.names)

    def _positions(self, q):
        return numbers(self._arm._state("q", q), (self._arm.nq,), "q")

    def pose(self, q):
        """Record at q (nq) of length (count, m, pin to pin), arms (count, n: moment arms) and ends (count, 2, 3: the pins in the
        base frame, m)."""
        count, row = len(self), self._positions(q)
        length, arms, ends = np.empty(count), np.empty((count, self._arm.dof)), np.empty((count, 2, 3))
        with self._lock:
            lib.lw_cylinders_pose(self._pointer(), row.ctypes.data, length.ctypes.data, arms.ctypes.data, ends.ctypes.data)
        return Record(length=length, arms=arms, ends=ends)

    def forces(self, q, tau):
        """The forces (count, N) that give the torques tau (n) at q as nearly as possible, and what is left (n)."""
        arms, tau = self.pose(q).arms, numbers(self._arm._state("tau", tau), (self._arm.dof,), "tau")
        force, rest = np.empty(len(self)), np.empty(self._arm.dof)
        with self._lock:
            lib.lw_cylinders_forces(self._pointer(), arms.ctypes.data, tau.ctypes.data, force.ctypes.data, rest.ctypes.data)
        return force, rest

    def stiffness(self, q, force=None):
        """Stiffness (n, n) at the joints with all valves closed, N m/rad, under forces (count, N); None: 0."""
        self._arm._require_plain("stiffness()")
        row, K = self._positions(q), np.empty((self._arm.dof, self._arm.dof))
        pushes = None if force is None else numbers(force, (len(self),), "force")
        with self._lock:
            lib.lw_cylinders_stiffness(self._pointer(), row.ctypes.data, None if pushes is None else pushes.ctypes.data,
                                       K.ctypes.data)
        return K

    def close_valves(self, q, tau):
        """Closes all valves at q, where the torques tau (n) act; returns what the cylinders cannot hold (n)."""
        row, rest = self._positions(q), np.empty(self._arm.dof)
        tau = numbers(self._arm._state("tau", tau), (self._arm.dof,), "tau")
        with self._lock, Findings() as findings:
            findings.require(lib.lw_cylinders_close(self._pointer(), row.ctypes.data, tau.ctypes.data, rest.ctypes.data,
                                                    findings.pointer))
        self._shut = True
        return rest

    def closed_torque(self, q, qd=None):
        """Record of tau (n), force (count, N) and energy (J) of the closed cylinders at q and qd, after close_valves()."""
        if not getattr(self, "_shut", False):
            raise LinkworkError("the valves are open: call close_valves() first")
        row, tau, force = self._positions(q), np.empty(self._arm.dof), np.empty(len(self))
        qd = numbers(np.zeros(self._arm.dof) if qd is None else self._arm._state("qd", qd), (self._arm.dof,), "qd")
        with self._lock:
            lib.lw_cylinders_closed_torque(self._pointer(), row.ctypes.data, qd.ctypes.data, tau.ctypes.data, force.ctypes.data)
            energy = lib.lw_cylinders_closed_energy(self._pointer(), row.ctypes.data)
        return Record(tau=tau, force=force, energy=energy)

    def sizing(self, t, q, qd, qdd, *, wrench=None):
        """What a motion demands: {cylinder: Record} of force, push, pressure, speed, flow, power, shortest, longest, buckling and
        softest, each (value, time), and beyond: the limit that is exceeded, or None."""
        times, arm = numbers(t, (None,), "t"), self._arm
        rows = [numbers(arm._state(name, value), (len(times), width), name) for name, value, width in
                (("q", q, arm.nq), ("qd", qd, arm.dof), ("qdd", qdd, arm.dof))]
        tau, sums = arm.inverse(*rows, wrench=wrench), [declared.lwCylinderSizing() for _ in self.names]
        structs = [one._struct() for one in self.definitions]
        for i, time in enumerate(times.tolist()):
            pose, (force, _) = self.pose(rows[0][i]), self.forces(rows[0][i], tau[i])
            for k, sizing in enumerate(sums):
                lib.lw_cylinder_sizing_add(ctypes.byref(sizing), ctypes.byref(structs[k][0]), time, pose.length[k],
                                           float(pose.arms[k] @ rows[1][i]), force[k])
        return {name: _sizing(sizing, structs[k][0]) for k, (name, sizing) in enumerate(zip(self.names, sums))}

    def __repr__(self):
        return "<linkwork.Cylinders, closed>" if self.closed else f"<linkwork.Cylinders: {', '.join(self.names) or 'none'}>"


def _sizing(sizing, struct):
    peaks = {name: (getattr(sizing, name).value, getattr(sizing, name).t) for name, *_ in sizing._fields_ if name != "count"}
    return Record(**peaks, beyond=text(lib.lw_cylinder_sizing_beyond(ctypes.byref(sizing), ctypes.byref(struct))))


def cylinders(self, definitions=None):
    """The hydraulic cylinders of the robot, as Cylinders: those of its file; or of a list of CylinderDef, or of a text with the
    key `cylinders` as in a robot file."""
    if isinstance(definitions, str):
        words = definitions.encode()
        arguments = (lib.lw_cylinders_read_text, lib.lw_cylinders_destroy, b"cylinders", words, len(words), self._pointer())
    elif definitions is not None:
        made = [one._struct() for one in definitions]
        listed = (declared.lwCylinderDef * max(1, len(made)))(*(struct for struct, _ in made))
        arguments = (lib.lw_cylinders_create, lib.lw_cylinders_destroy, self._pointer(), len(made), listed)
    elif self.file is None:
        raise LinkworkError(f"{self.name} was not read from a file: give its cylinders")
    else:
        arguments = (lib.lw_cylinders_read_file, lib.lw_cylinders_destroy, encode(self.file), self._pointer())
    owned, _ = make(*arguments, kept=(self._model(),))
    return Cylinders(owned, self)


Robot.cylinders = cylinders
