# SPDX-License-Identifier: MIT
"""Robots with closed loops: closes the loops, and computes their dynamics."""

import ctypes
import dataclasses
import threading
import typing

import numpy as np

from ._errors import LinkworkError
from ._library import Findings, OK, address, declared, lib, make, numbers, text
from ._robot import Robot


@dataclasses.dataclass(frozen=True)
class LoopRow:
    """One constraint row of a loop: a direction in which its two frames are held together."""

    loop: str
    name: str
    """"x", "about z", "gear", in the axes of the loop's first frame"""
    turns: bool
    """True: an angle, rad, and a moment, N m; False: a length, m, and a force, N."""
    redundant: bool
    """True if it depends on earlier rows, in the closed configuration of the file."""


@dataclasses.dataclass(frozen=True)
class Closing:
    """A state whose loops are closed, as far as that was possible."""

    q: np.ndarray
    qd: typing.Optional[np.ndarray]
    qdd: typing.Optional[np.ndarray]
    closed: bool
    """True if the gaps are as small as rounding, and the velocities and accelerations exist."""
    gap: float
    """m, the largest remaining gap"""
    angle_gap: float
    """rad"""


def _loops(robot):
    """The library's lwLoops for this robot and thread."""
    robot._pointer()
    if lib.lw_model_loop_count(robot._pointer()) == 0:
        raise LinkworkError(f"{robot.name} has no loops")
    key = ("loops", threading.get_ident())
    found = robot._solvers.get(key)
    if found is None:
        found, _ = make(lib.lw_loops_create, lib.lw_loops_destroy, robot._pointer(), None, kept=(robot._model(),))
        robot._solvers[key] = found
    return found


def _driven(robot, names, given, what, rest):
    """An array, or values by name, with missing names taken from `rest`."""
    if given is None:
        return rest.copy()
    if not isinstance(given, dict):
        return numbers(given, rest.shape, what).copy()
    named = numbers(names.array(given, what, robot.name), rest.shape, what)
    out = rest.copy()
    for name in given:
        out[names.slices[name]] = named[names.slices[name]]
    return out


def close_loops(self, q=None, *, qd=None, qdd=None):
    """Finds the positions of the passive joints from those of the driven ones; returns a Closing.

    q      {joint: position} of driven joints, the others start from the file's configuration; or (nq), in which the
           passive joints are the start of the search. None: the file's configuration
    qd     velocities of the driven joints, by name or as (dof); None: velocities are not computed
    qdd    accelerations likewise

    Damped Newton's method; driven joints do not move. If the loops cannot be closed, q is the closest found.
    """
    loops = _loops(self)
    positions = _driven(self, self._q_names, q, "q", self.start)
    rest = np.zeros(self.dof)
    moves = qd is not None or qdd is not None
    velocities = _driven(self, self._qd_names, qd, "qd", rest)
    accelerations = _driven(self, self._qd_names, qdd, "qdd", rest)
    gap = (ctypes.c_double * 2)()
    status = lib.lw_loops_close(loops.pointer, address(positions), gap)
    if status == OK and moves:
        status = lib.lw_loops_velocity(loops.pointer, address(positions), address(velocities))
    if status == OK and qdd is not None:
        status = lib.lw_loops_acceleration(loops.pointer, address(positions), address(velocities), address(accelerations))
    return Closing(positions, velocities if moves else None, None if qdd is None else accelerations, status == OK,
                   gap[0], gap[1])


def close_loops_all(self, q=None, *, most=None):
    """All positions (found, nq) that close the loops with the driven joints fixed, the closest to q first.

    q as for close_loops(). A four-bar has two; with more passive joints, the search may miss some. most: that many of
    them only, the closest ones.
    """
    if most is not None and not 1 <= most <= 1 << 20:
        raise ValueError(f"most is {most}, expected 1 to {1 << 20}")
    loops = _loops(self)
    positions = _driven(self, self._q_names, q, "q", self.start)
    room = 64 if most is None else int(most)
    while True:
        found = np.empty((room, self.nq))
        count = lib.lw_loops_close_all(loops.pointer, address(positions), room, address(found))
        if most is not None or count < room:
            return found[:count].copy()
        room *= 4


def _closed_state(robot, loops, q, qd, qdd):
    """The arrays of a state; LinkworkError if its loops are open, or its motion would open them."""
    positions = numbers(robot._state("q", q), (robot.nq,), "q")
    rates = [None if value is None else numbers(robot._state(name, value), (robot.dof,), name)
             for name, value in (("qd", qd), ("qdd", qdd))]
    with Findings() as findings:
        findings.require(lib.lw_loops_check(loops.pointer, address(positions), *map(address, rates), findings.pointer),
                         robot.name)
    return (positions, *rates)


def _states(**arrays):
    """An lwStates of these arrays, which the caller must keep alive."""
    return declared.lwStates(**{name: address(array) for name, array in arrays.items() if array is not None})


def forward_closed(self, q, qd=None, tau=None):
    """Accelerations (dof) of the robot with closed loops, and the constraint forces (rows), N and N m.

    q (nq) and qd (dof) must satisfy the loops, as those of close_loops() do. A force acts on the loop's second link, its
    opposite on the first; if rows are redundant, these are the forces with the least sum of squares.
    """
    loops = _loops(self)
    positions, velocities, _ = _closed_state(self, loops, q, qd, None)
    efforts = None if tau is None else numbers(self._state("tau", tau), (self.dof,), "tau")
    qdd, forces = np.empty(self.dof), np.empty(len(self.loop_rows))
    lib.lw_loops_forward(loops.pointer, ctypes.byref(_states(q=positions, qd=velocities, tau=efforts)), address(qdd),
                         address(forces))
    return qdd, forces


def inverse_closed(self, q, qd=None, qdd=None):
    """Torques (dof) of the driven joints for a motion with closed loops, 0 elsewhere, and the constraint forces (rows).

    If more joints are driven than necessary, the torques with the least sum of squares. LinkworkError if the
    driven joints cannot give the motion.
    """
    loops = _loops(self)
    positions, velocities, accelerations = _closed_state(self, loops, q, qd, qdd)
    tau, forces = np.empty(self.dof), np.empty(len(self.loop_rows))
    states = _states(q=positions, qd=velocities, qdd=accelerations)
    with Findings() as findings:
        findings.require(lib.lw_loops_inverse(loops.pointer, ctypes.byref(states), address(tau), address(forces)), self.name)
    return tau, forces


def _start(self):
    """The configuration of the file (nq), with its loops closed."""
    q = np.empty(self.nq)
    lib.lw_model_start(self._pointer(), address(q))
    return q


def _loop_rows(self):
    """The rows of all loops, as LoopRow."""
    model, robot = self._pointer(), self._description()
    rows = (lib.lw_model_loop_row(model, i) for i in range(lib.lw_model_loop_rows(model)))
    return [LoopRow(text(robot.loops[row.loop].name), text(row.name), bool(row.turns), bool(row.redundant)) for row in rows]


def _mobility(self):
    """Degrees of freedom with closed loops: dof minus the rank of the rows in the file's closed configuration."""
    return lib.lw_model_mobility(self._pointer())


def _driven_names(self):
    """Names of the driven entries of qd; all of them for robots without loops."""
    return [name for i, name in enumerate(self.joint_names) if lib.lw_model_is_driven(self._pointer(), i)]


Robot.close_loops, Robot.close_loops_all = close_loops, close_loops_all
Robot.forward_closed, Robot.inverse_closed = forward_closed, inverse_closed
Robot.start, Robot.loop_rows = property(_start), property(_loop_rows)
Robot.mobility, Robot.driven = property(_mobility), property(_driven_names)
