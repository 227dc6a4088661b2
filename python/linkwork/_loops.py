# SPDX-License-Identifier: MIT
"""Robots with closed loops: closes the loops, and computes their dynamics."""

import ctypes
import dataclasses
import math
import threading
import typing

import numpy as np

from ._errors import LinkworkError
from ._library import Findings, OK, address, constant, declared, lib, make, numbers, text
from ._registry import INPUTS, QUESTIONS, formulations, unknown
from ._robot import Robot, count_record, real_array


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


def _formulation(robot, name):
    """The formulation of that name."""
    known = formulations()
    chosen = next((one for one in known if name == one.name or name in one.aliases), None)
    if chosen is None:
        raise unknown("formulation", name, [one.name for one in known])
    return chosen


def formulation_counts(self):
    """Operations of each of formulations() on this robot, as counts() has them."""
    found = []
    for one in formulations():
        count = declared.lwCount()
        if lib.lw_formulation_measure(self._pointer(), one.index, ctypes.byref(count)) != OK:
            raise LinkworkError(f"the formulations do not take {self.name}")
        found.append(count_record(one, count, self.dof))
    return found


def forward_closed(self, q, qd=None, tau=None, *, formulation=None, rotors=False):
    """Accelerations (dof) of the robot with closed loops, and the constraint forces (rows), N and N m.

    q (nq) and qd (dof) must satisfy the loops, as those of close_loops() do. A force acts on the loop's second link, its
    opposite on the first; if rows are redundant, these are the forces with the least sum of squares.

    formulation   a name of formulations(): 'augmented', 'udwadia-kalaba', ..; None: the fastest. Robots with mimic joints,
                  screws, wheels or discs are refused. Of redundant rows some formulations leave out those that depend on others
    rotors        with a formulation: include the inertia of the motors' rotors
    """
    loops = _loops(self)
    positions, velocities, _ = _closed_state(self, loops, q, qd, None)
    efforts = None if tau is None else numbers(self._state("tau", tau), (self.dof,), "tau")
    qdd, forces = np.empty(self.dof), np.zeros(len(self.loop_rows))
    if formulation is not None:
        chosen = _formulation(self, formulation)
        made, _ = make(lib.lw_formulations_create, lib.lw_formulations_destroy, self._pointer(), bool(rotors), kept=(self._model(),))
        lib.lw_formulations_forward(made.pointer, chosen.index, ctypes.byref(_states(q=positions, qd=velocities, tau=efforts)),
                                    address(qdd), address(forces))
        made.close()
        return qdd, forces
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


def _definition(robot, question, method, single, rotors):
    """An lwWorkspaceDef for one question of the tree."""
    definition = lib.lw_workspace_def()
    definition.questions = 1 << question.index
    definition.rotors = bool(rotors)
    definition.precision = constant["LW_PRECISION_SINGLE" if single else "LW_PRECISION_DOUBLE"]
    if method is not None:
        robot._methods(question.name, method)
        name = method.encode()
        if question.name == "forward":  # through an inertia matrix
            definition.inertia = name
        else:
            lib.lw_workspace_def_set_method(ctypes.byref(definition), question.index, name)
    return definition


def _asking(robot, question, method, single, rotors, frame):
    """The lwLoops of this robot and thread for a question."""
    key = ("closed", threading.get_ident(), question.index, method, single, bool(rotors), frame)
    found = robot._solvers.get(key)
    if found is None:
        definition = _definition(robot, question, method, single, rotors)
        found, _ = make(lib.lw_loops_create, lib.lw_loops_destroy, robot._pointer(), ctypes.byref(definition),
                        kept=(robot._model(),))
        if frame is not None:
            chosen = declared.lwFrame(joint=frame[0])
            chosen.xyz[:], chosen.rpy[:] = frame[1:4], frame[4:7]
            with Findings() as findings:
                findings.require(lib.lw_workspace_set_frame(lib.lw_loops_workspace(found.pointer), robot._pointer(),
                                                            ctypes.byref(chosen), findings.pointer))
        robot._solvers[key] = found
    return found


def _of_driven(robot, name, value):
    """An input as an array of all joints, and whether only the driven ones were given: the others are to follow."""
    names = robot._q_names if name == "q" else robot._qd_names
    driven = [k for k, entry in enumerate(names.names) if entry in robot.driven]
    if isinstance(value, dict):
        array = names.array(value, name, robot.name)
        partial = all(k in driven for key in value for k in range(*names.slices[key].indices(len(names.names))))
        if name == "q":
            rest = [k for key, at in names.slices.items() if key not in value for k in range(*at.indices(len(names.names)))]
            array[..., rest] = robot.start[rest]
        return array, partial
    array = real_array(value, name)
    if array.ndim == 0 or array.shape[-1] != len(driven) or len(driven) == len(names.names):
        return robot._state(name, value), False
    whole = np.zeros((*array.shape[:-1], len(names.names)))
    whole[...] = robot.start if name == "q" else 0.0
    whole[..., driven] = array
    return whole, True


def _complete(robot, loops, row, partial, takes_qdd):
    """Positions, velocities and accelerations of passive joints where only driven ones are given."""
    status = OK
    if "q" in partial:
        status = lib.lw_loops_close(loops.pointer, address(row["q"]), None)
    if status == OK and "qd" in partial:
        status = lib.lw_loops_velocity(loops.pointer, address(row["q"]), address(row["qd"]))
    if status == OK and takes_qdd and ("qdd" in partial or ("qdd" not in row and "qd" in row)):
        row.setdefault("qdd", np.zeros(robot.dof))
        still = row.get("qd", np.zeros(robot.dof))
        status = lib.lw_loops_acceleration(loops.pointer, address(row["q"]), address(still), address(row["qdd"]))
    if status != OK:
        raise LinkworkError(f"{robot.name}: no motion of the passive joints closes the loops with these driven ones")


def _ask_closed(self, question, given, out=None, dtype=None, method=None, link=None, tool=None, rotors=False,
                places=None):
    """Answers with closed loops, one state after the other: about the speeds of the driven joints, Robot.speeds.

    Inputs have all joints, in a closed state, or the driven ones alone.
    """
    found = {name: (value if places is not None else self._state(name, value), False) if name == "wrench" else _of_driven(self, name, value)
             for name, value in given.items() if value is not None}
    arrays = {name: array for name, (array, _) in found.items()}
    partial = {name for name, (_, alone) in found.items() if alone}
    wanted = self._result_type(arrays, dtype)
    lead = self._leading(arrays)
    rows = {name: np.broadcast_to(array, (*lead, array.shape[-1])).reshape(-1, array.shape[-1]).astype(np.float64)
            for name, array in arrays.items()}
    self._check_quaternions(rows["q"])
    loops = _asking(self, question, method, wanted == np.float32, rotors, self._frame(link, tool))
    with Findings() as findings:
        findings.require(lib.lw_loops_set_wrench_places(loops.pointer, 0 if places is None else len(places), places,
                                                        findings.pointer), self.name)
    size = lib.lw_loops_outputs(self._pointer(), question.index)
    shape = question.shape(self.mobility, self._definition.count, size)
    if math.prod(shape) != size:  # derivatives of a robot that rolls: by all positions (m, n), then by the speeds (m, m)
        shape = (size,)
    result = np.empty((len(rows["q"]), size))
    for k in range(len(result)):
        _answer_row(self, loops, question, {name: array[k].copy() for name, array in rows.items()}, partial, result[k])
    result = result.reshape(*lead, *shape).astype(wanted)
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(f"out has the shape {out.shape}, expected {result.shape} for {question.name}")
    out[...] = result
    return out


def _answer_row(robot, loops, question, row, partial, out):
    _complete(robot, loops, row, partial, "qdd" in question.inputs)
    state = _states(**{name: row.get(name) for name in INPUTS})
    answer = np.empty(out.shape)
    with Findings() as findings:
        findings.require(lib.lw_loops_check(loops.pointer, address(row["q"]), address(row.get("qd")), address(row.get("qdd")),
                                            findings.pointer), robot.name)
        findings.require(lib.lw_loops_answer(loops.pointer, question.index, ctypes.byref(state), address(answer),
                                             findings.pointer), robot.name)
    out[...] = answer


def drive_torques(robot, rows, wrench):
    """Rigid-body torques (m, dof) of closed states q, qd, qdd (m, dof) as the drives meet them: lw_loops_drive_torques()."""
    loops = _loops(robot)
    pushes = None if wrench is None else np.broadcast_to(robot._state("wrench", wrench), (len(rows[0]), 6))
    tau, work = np.empty((len(rows[0]), robot.dof)), np.empty(2 * robot.dof)
    for k in range(len(tau)):
        q, qd, qdd = _closed_state(robot, loops, *(row[k] for row in rows))
        push = None if pushes is None else np.ascontiguousarray(pushes[k], np.float64)
        with Findings() as findings:
            findings.require(lib.lw_loops_drive_torques(loops.pointer, ctypes.byref(_states(q=q, qd=qd, qdd=qdd, wrench=push)),
                                                        address(work), tau[k].ctypes.data), robot.name)
    return tau


def _speeds(self):
    """Names of the entries of qd that answers with closed loops are about: those of the driven joints, as far as they are
    independent. All of them for robots without loops."""
    return [self.joint_names[lib.lw_model_speed(self._pointer(), k)] for k in range(self.mobility)]


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


def loop_gap(self, q):
    """How open the loops are at q (nq): the largest length (m) and the largest angle (rad)."""
    loops, gap = _loops(self), (ctypes.c_double * 2)()
    lib.lw_loops_gap(loops.pointer, address(numbers(self._state("q", q), (self.nq,), "q")), gap)
    return gap[0], gap[1]


def project(self, q, qd=None):
    """q (nq) and qd (n) changed as little as possible so that the loops are closed; for states that are nearly closed. Returns
    q, or (q, qd) with qd."""
    loops, q = _loops(self), numbers(self._state("q", q), (self.nq,), "q").copy()
    qd = None if qd is None else numbers(self._state("qd", qd), (self.dof,), "qd").copy()
    lib.lw_loops_project(loops.pointer, address(q), address(qd))
    return q if qd is None else (q, qd)


def singular(self, q):
    """How near q is to a singular position of the loops (0: singular, 1: as in the file), and the name of the row of
    Robot.loop_rows that no longer holds by itself; inf and None for robots without loops."""
    loops, row = _loops(self), ctypes.c_int(-1)
    value = lib.lw_loops_singular(loops.pointer, address(numbers(self._state("q", q), (self.nq,), "q")), ctypes.byref(row))
    return value, self.loop_rows[row.value] if 0 <= row.value < len(self.loop_rows) else None


def balance(self, q, load):
    """Torques (n), zero at joints that are not driven, that balance a load (n: torques that a motion needs of all joints,
    friction and rotors included), and the forces in the cuts (rows)."""
    loops, rows = _loops(self), lib.lw_model_loop_rows(self._pointer())
    tau, forces = np.empty(self.dof), np.empty(rows)
    with Findings() as findings:
        findings.require(lib.lw_loops_balance(loops.pointer, address(numbers(self._state("q", q), (self.nq,), "q")),
                                              address(numbers(self._state("tau", load), (self.dof,), "load")), address(tau),
                                              address(forces)), self.name)
    return tau, forces


def to_speeds(self, q, full):
    """Forces of the speeds (mobility, ..) from torques of all joints, or what they are linear in: full (n,) or (n, columns)."""
    loops, full = _loops(self), np.asarray(full, np.float64)
    rows = numbers(full.reshape(self.dof, -1), (self.dof, None), "full")
    out = np.empty((self.mobility, rows.shape[1]))
    with Findings() as findings:
        findings.require(lib.lw_loops_to_speeds(loops.pointer, address(numbers(self._state("q", q), (self.nq,), "q")),
                                                rows.shape[1], address(rows), address(out), findings.pointer), self.name)
    return out.reshape(self.mobility, *full.shape[1:])


def loop_stiffness(self, q, tau, K):
    """Stiffness (mobility, mobility) against motions of the speeds, from torques tau (n) of the joints and their stiffness
    K (n, n) = -d tau/dq against motions of all joints: N^T K N less what N's own change makes of tau."""
    loops = _asking(self, QUESTIONS["inverse-derivatives"], None, False, False, None)
    out = np.empty((self.dof, self.dof))
    with Findings() as findings:
        findings.require(lib.lw_loops_stiffness(loops.pointer, address(numbers(self._state("q", q), (self.nq,), "q")),
                                                address(numbers(self._state("tau", tau), (self.dof,), "tau")),
                                                address(numbers(K, (self.dof, self.dof), "K")), address(out), findings.pointer), self.name)
    own = [self.joint_names.index(name) for name in self.speeds]
    return out[np.ix_(own, own)]


Robot.loop_stiffness = loop_stiffness
Robot.loop_gap, Robot.project, Robot.singular, Robot.balance, Robot.to_speeds = loop_gap, project, singular, balance, to_speeds
Robot.close_loops, Robot.close_loops_all = close_loops, close_loops_all
Robot.forward_closed, Robot.inverse_closed, Robot.formulation_counts = forward_closed, inverse_closed, formulation_counts
Robot.start, Robot.loop_rows = property(_start), property(_loop_rows)
Robot.mobility, Robot.driven, Robot.speeds = property(_mobility), property(_driven_names), property(_speeds)
Robot._ask_closed = _ask_closed
