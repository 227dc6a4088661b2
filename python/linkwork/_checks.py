# SPDX-License-Identifier: MIT
"""Compares all methods with each other, and checks identities of mechanics, on random states of a robot."""

import dataclasses

import numpy as np

from ._errors import LinkworkError
from ._registry import methods
from ._robot import Robot


@dataclasses.dataclass(frozen=True)
class Check:
    """One check of one method: the largest error over all states, relative to the size of the answer, and its bound."""

    name: str
    question: str
    method: str
    error: float
    bound: float

    @property
    def ok(self):
        """True if the error is within the bound."""
        return bool(self.error <= self.bound)


class Checks(list):
    """The checks of a robot; ok is True if all passed."""

    @property
    def ok(self):
        """True if all checks passed."""
        return all(check.ok for check in self)

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{c.name}</td><td>{c.question}</td><td>{c.method}</td><td>{c.error:.2g}</td>"
                       f"<td>{c.bound:.2g}</td><td>{'ok' if c.ok else 'FAILED'}</td></tr>" for c in self)
        return ("<table><tr><th>check</th><th>question</th><th>method</th><th>error</th><th>bound</th><th></th></tr>"
                f"{rows}</table>")


def _error(found, expected):
    """Largest difference in any state, relative to the largest entry of that state's answer."""
    axes = tuple(range(1, expected.ndim))
    size = np.abs(expected).max(axis=axes, initial=0)
    gap = np.abs(found - expected).max(axis=axes, initial=0)
    return float(np.max(gap / np.where(size > 0, size, 1), initial=0))


def _states(robot, count, seed):
    random = np.random.default_rng(seed)
    low, high = np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi)
    q = robot.neutral() + low + (high - low) * random.random((count, robot.nq)) if robot.nq == robot.dof else None
    if q is None:  # with quaternions: the neutral position
        q = np.tile(robot.neutral(), (count, 1))
    return (q, *(random.uniform(-1, 1, (count, robot.dof)) for _ in range(2)), random.uniform(-1, 1, (count, 6)))


def check(self, states=64, seed=1):
    """Compares the answers of all methods on random states. Returns a list of Check objects; its ok is True if all passed.

    inverse and inertia: each method against the default, relative to the largest entry. Forward dynamics: the residual
    M qdd - (tau - bias + J^T w), relative to the largest torque. Kinetic energy: against qd^T M qd / 2. Bounds grow with
    the number of joints, as rounding errors do.
    """
    if states < 1:
        raise ValueError(f"states is {states}, expected 1 or more")
    q, qd, qdd, wrench = _states(self, int(states), seed)
    bound = 1e-12 * max(1, self.dof)
    found = Checks()
    tau, M = self.inverse(q, qd, qdd, wrench=wrench), self.inertia(q)
    for entry in methods():
        if entry.question == "inverse":
            error = _error(self.inverse(q, qd, qdd, wrench=wrench, method=entry.name), tau)
            found.append(Check("agreement", "inverse", entry.name, error, bound))
        elif entry.question == "inertia":
            found.append(Check("agreement", "inertia", entry.name, _error(self.inertia(q, method=entry.name), M), bound))
        elif entry.question == "forward" and not self._inert:
            _check_forward(self, found, entry.name, (q, qd, qdd, wrench), tau, M, bound)
    kinetic = 0.5 * np.einsum("ki,kij,kj->k", qd, M, qd)
    found.append(Check("kinetic energy", "energy", "", _error(self.energy(q, qd)[:, :1], kinetic[:, None]), bound))
    return found


def _check_forward(robot, found, method, states, tau, M, bound):
    q, qd, qdd, wrench = states
    try:
        answer = robot.forward(q, qd, tau, wrench=wrench, method=method)
    except LinkworkError:
        return  # the method does not support these joints
    residual = np.einsum("kij,kj->ki", M, answer - qdd)
    found.append(Check("equation of motion", "forward", method, _error(tau + residual, tau), bound))


Robot.check = check
