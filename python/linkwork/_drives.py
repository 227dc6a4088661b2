# SPDX-License-Identifier: MIT
"""The load of a motion on the drives, and how close it comes to their limits."""

import ctypes

import numpy as np

from ._library import constant, declared, lib, numbers
from ._loops import drive_torques
from ._robot import Record, Robot
from ._running import NamedArray

LOADS = [name[len("LW_LOAD_"):].lower() for name, value in sorted(
    ((n, v) for n, v in constant.items() if n.startswith("LW_LOAD_") and n != "LW_LOAD_COUNT"), key=lambda item: item[1])]


class Load(Record):
    """One load of one joint over a motion: peak (with its sign), peak_time (s), rms, mean, limit, and headroom, the unused
    fraction of the limit: negative if the limit is exceeded, nan if there is none."""


class JointDrive(Record):
    """The loads of one joint: joint, loads {name: Load}, energy (J, net energy from the supply), margin (smallest distance
    from a position limit, rad or m) and margin_time (s)."""


def drives(self, t, q, qd, qdd, *, wrench=None, open_tree=False):
    """The loads of a motion on the drives: t (m,) in s, q (m, nq), qd, qdd (m, n), wrench (m, 6) or (6,), open_tree as for
    inverse().

    Returns (summary, series): a JointDrive for each joint, and {load: (m, n)} over time, with the names of the joints.
    Loads: rigid, rotor and friction torques, their sum torque (N m or N), speed, power (W), and for motors current (A),
    voltage (V) and electric power (W).
    """
    times = numbers(t, (None,), "t")
    if (np.diff(times) <= 0).any():
        raise ValueError("t must increase")
    rows = [numbers(self._state(name, value), (len(times), self.nq if name == "q" else self.dof), name)
            for name, value in (("q", q), ("qd", qd), ("qdd", qdd))]
    rows[1] = _settled(times, *rows[:2])
    own = [lib.lw_model_velocity(self._pointer(), i).other for i in range(self.dof)]
    positions = np.where(np.array(own) < 0, 0.0, rows[0][:, own])  # entries of a quaternion have no limits
    closed = len(self.loop_rows) > 0 and not open_tree
    tau = drive_torques(self, rows, wrench) if closed else self.inverse(*rows, wrench=wrench, open_tree=open_tree)
    series = np.zeros((len(LOADS), len(times), self.dof))
    summary = [_joint_drive(self, k, times, *(row[:, k] for row in (positions, *rows[1:])), tau[:, k], series[:, :, k])
               for k in range(self.dof)]
    return summary, {name: NamedArray(series[i], self.joint_names) for i, name in enumerate(LOADS)}


def _settled(times, q, qd):
    """qd without speeds that are rounding."""
    step = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 0
    rest = lib.lw_rest_speed(np.abs(qd).max(initial=0), np.abs(q).max(initial=0), step)
    return np.where(np.abs(qd) <= rest, 0.0, qd)


def _joint_drive(arm, k, times, q, qd, qdd, tau, series):
    joint = lib.lw_model_joint_def(arm._pointer(), k)
    sizing = declared.lwSizing()
    samples = (declared.lwJointSample * len(times))(*zip(times.tolist(), q.tolist(), qd.tolist(), qdd.tolist(), tau.tolist()))
    rates = (ctypes.c_double * len(times))()
    lib.lw_current_rates(joint, len(times), samples, rates)
    for i, sample in enumerate(samples):
        lib.lw_sizing_take(ctypes.byref(sizing), joint, ctypes.byref(sample), rates[i])
        series[:, i] = sizing.loads[:]
    loads = {name: _load(joint, sizing, i) for i, name in enumerate(LOADS)}
    electric = sizing.sums[LOADS.index("electric")]
    return JointDrive(joint=arm.joint_names[k], loads=loads, energy=electric.positive + electric.negative,
                      margin=sizing.margin, margin_time=sizing.margin_time)


def _load(joint, sizing, i):
    limit, sums = lib.lw_joint_limit(joint, i), sizing.sums[i]
    return Load(peak=sums.peak, peak_time=sums.peak_time, rms=lib.lw_sizing_rms(ctypes.byref(sizing), i),
                mean=lib.lw_sizing_mean(ctypes.byref(sizing), i), limit=limit,
                headroom=1 - abs(sums.peak) / limit if np.isfinite(limit) and limit > 0 else np.nan)


Robot.drives = drives
