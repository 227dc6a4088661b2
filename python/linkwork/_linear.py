# SPDX-License-Identifier: MIT
"""Linear state equations around a motion, their eigenvalues, modes and stability."""

import ctypes

import numpy as np

from ._library import Findings, declared, lib, make, numbers, text
from ._registry import unknown
from ._robot import Record, Robot


class Mode(Record):
    """A mode exp(eigenvalue t) shape: eigenvalue (complex, 1/s), frequency (rad/s, undamped), damping (ratio), shape (states)
    and text, which says which joints take part."""


class Linear(Record):
    """xdot = A x + B u around a motion: A (states, states), B (states, inputs), the names of states and inputs, voltages (which
    inputs are voltages), modes (slowest first; without LAPACK None) and stability: 'stable', 'marginal' or 'unstable'."""

    @property
    def eigenvalues(self):
        """All eigenvalues of A, 1/s, pairs written out."""
        pairs = [(mode.eigenvalue, mode.eigenvalue.conjugate()) if mode.eigenvalue.imag else (mode.eigenvalue,)
                 for mode in self.modes]
        return np.array([value for pair in pairs for value in pair])


def _springs(arm, springs):
    found = (declared.lwSpring * max(1, arm.dof))()
    for joint, values in springs.items():
        if joint not in arm._qd_names.places:
            raise unknown(f"joint of {arm.name}", joint, arm.joint_names)
        stiffness, damping = values if isinstance(values, (tuple, list)) else (values, 0.0)
        found[arm._qd_names.places[joint]].stiffness = float(stiffness)
        found[arm._qd_names.places[joint]].damping = float(damping)
    return found


def linearise(self, q, qd=None, qdd=None, *, wrench=None, springs=None, cylinders=None, rotors=False, friction=False,
              motors=False):
    """The linear state equations around a motion at one state, as Linear.

    q, qd, qdd   (n) the motion; the torques that it needs are taken to act
    wrench       (6) on the last link
    springs      {joint: stiffness} or {joint: (stiffness, damping)}, N m/rad and N m s/rad
    cylinders    Cylinders of this robot with closed valves
    rotors, friction, motors   include rotor inertia and viscous friction; inputs are voltages where there is a motor
    """
    definition, kept = lib.lw_linear_def(), []
    definition.rotors, definition.friction, definition.motors = bool(rotors), bool(friction), bool(motors)
    if springs:
        kept.append(_springs(self, springs))
        definition.springs = kept[-1]
    if cylinders is not None:
        definition.cylinders = cylinders._pointer()
    owned, _ = make(lib.lw_linear_create, lib.lw_linear_destroy, self._pointer(), ctypes.byref(definition),
                    kept=(self._model(), cylinders))
    rows = {name: numbers(self._state(name, value), (None,), name) for name, value in
            (("q", q), ("qd", qd), ("qdd", qdd), ("wrench", wrench)) if value is not None}
    size, inputs = lib.lw_linear_states(owned.pointer), lib.lw_model_mobility(self._pointer())
    A, B = np.empty((size, size)), np.empty((size, inputs))
    state = declared.lwStates(**{name: row.ctypes.data for name, row in rows.items()})
    with Findings() as findings:
        findings.require(lib.lw_linear_at(owned.pointer, ctypes.byref(state), A.ctypes.data, B.ctypes.data),
                         f"{self.name}: its inertia matrix is singular there, or a number is not finite")
    states = [text(lib.lw_linear_state_name(owned.pointer, i)) for i in range(size)]
    modes, stability = _modes(owned.pointer, A) if lib.lw_lapack_available() else (None, None)
    found = Linear(A=A, B=B, states=states, voltages=[bool(lib.lw_linear_is_voltage(owned.pointer, k)) for k in range(inputs)],
                   modes=modes, stability=stability)
    owned.close()
    return found


def _modes(linear, A):
    size = len(A)
    modes, shapes, count = (declared.lwMode * size)(), np.empty((size, size, 2)), ctypes.c_int()
    with Findings() as findings:
        findings.require(lib.lw_modes(size, A.ctypes.data, findings.pointer, modes, shapes.ctypes.data,
                                      ctypes.byref(count)))
    words, found = ctypes.create_string_buffer(1000), []
    for mode, shape in zip(modes[:count.value], shapes):
        lib.lw_linear_mode_text(linear, shape.ctypes.data, words, len(words))
        found.append(Mode(eigenvalue=complex(mode.re, mode.im), frequency=mode.frequency, damping=mode.damping,
                          shape=shape[:, 0] + 1j * shape[:, 1], text=text(words.value)))
    return found, text(lib.lw_stability_name(lib.lw_modes_stability(modes, count.value)))


Robot.linearise = linearise
