# SPDX-License-Identifier: MIT
"""Positions and the tangent space: integrate, difference, normalise, rates."""

import numpy as np

from ._library import Findings, lib, numbers
from ._robot import Robot


def _each(arm, call, given, width):
    """Calls call(model, *row addresses, out) for each state of the broadcast arrays."""
    arrays = {name: arm._state(kind, value) for name, (kind, value) in given.items()}
    for name in ("q", "q0", "q1"):
        arm._check_quaternions(arrays.get(name))
    lead = arm._leading(arrays)
    rows = [numbers(np.broadcast_to(array, (*lead, array.shape[-1])), (*lead, array.shape[-1]), name).reshape(-1, array.shape[-1])
            for name, array in arrays.items()]
    out, model = np.empty((int(np.prod(lead, dtype=np.int64)), width)), arm._pointer()
    for i in range(len(out)):
        call(model, *(row.ctypes.data + i * row.strides[0] for row in rows), out.ctypes.data + i * 8 * width)
    return out.reshape(*lead, width)


def integrate(self, q, v):
    """The positions (..., nq) that the step v (..., n) leads to from q (..., nq): q + v where joints have one freedom; floating
    and ball joints move in the tangent space. For small steps v = qd dt."""
    return _each(self, lib.lw_model_integrate, {"q": ("q", q), "v": ("qd", v)}, self.nq)


def difference(self, q0, q1):
    """The step v (..., n) from q0 to q1 (..., nq): integrate(q0, v) is q1. Rotations go the shorter way."""
    return _each(self, lib.lw_model_difference, {"q0": ("q", q0), "q1": ("q", q1)}, self.dof)


def normalise(self, q):
    """q (..., nq) with every quaternion of length 1."""
    array = self._state("q", q)
    out = numbers(array, (None,) * array.ndim, "q").copy()
    rows = out.reshape(-1, self.nq)
    for i in self._quaternions:
        if not (np.linalg.norm(rows[:, i:i + 4], axis=1) > 1e-8).all():
            raise ValueError(f"q: the quaternion in entries {i} to {i + 3} is zero and has no direction")
    for i in range(len(rows)):
        lib.lw_model_normalize(self._pointer(), rows.ctypes.data + i * 8 * self.nq)
    return out


def rates(self, q, qd):
    """The time derivatives (..., nq) of q at the velocities qd (..., n)."""
    return _each(self, lib.lw_model_rates, {"q": ("q", q), "qd": ("qd", qd)}, self.nq)


def velocities_of(self, q, qdot):
    """The velocities qd (..., n) that belong to time derivatives qdot (..., nq) of q: the inverse of rates()."""
    return _each(self, lib.lw_model_velocities, {"q": ("q", q), "qdot": ("q", qdot)}, self.dof)


def check_positions(self, q):
    """Raises LinkworkError, with the joint, unless the positions (nq) are finite and quaternions have length 1."""
    row = np.ascontiguousarray(self._state("q", q), np.float64)
    if row.shape != (self.nq,):
        raise ValueError(f"q has the shape {row.shape}, expected ({self.nq},)")
    with Findings() as findings:
        findings.require(lib.lw_model_check_positions(self._pointer(), row.ctypes.data, findings.pointer), self.name)


Robot.integrate, Robot.difference, Robot.normalise = integrate, difference, normalise
Robot.rates, Robot.velocities_of, Robot.check_positions = rates, velocities_of, check_positions
