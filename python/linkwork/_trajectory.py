# SPDX-License-Identifier: MIT
"""Trajectories over time that respect limits."""

import ctypes
import threading

import numpy as np

from ._errors import LinkworkError
from ._library import Closable, constant, declared, doubles, encode, lib, make, numbers, real_array
from ._kinematics import make_workspace
from ._registry import unknown

KINDS = {"cubic": "lw_trajectory_create_cubic", "quintic": "lw_trajectory_create_quintic",
         "trapezoid": "lw_trajectory_create_trapezoid", "s-curve": "lw_trajectory_create_s_curve"}
JOINS = {name[len("LW_JOIN_"):].lower(): value for name, value in constant.items() if name.startswith("LW_JOIN_")}


class Trajectory(Closable):
    """Positions, velocities and accelerations of all joints as functions of time, from t = 0 on.

    trajectory(t) gives (q, qd, qdd) at one time or at an array of times; duration is in s. q has nq entries, with the
    quaternions of ball and floating joints, qd and qdd have dof.
    """

    def __init__(self, owned, dof, names, nq=None):
        self._owned, self.dof, self.nq, self.joint_names = owned, dof, nq or dof, list(names)
        self._recipe = None  # (function, its arguments), to make it again from a pickle
        self._lock = threading.Lock()  # a line computes in its own workspace, which threads must not share

    @property
    def duration(self):
        """Duration, s."""
        return lib.lw_trajectory_duration(self._pointer())

    def __call__(self, t):
        """q, qd and qdd at time t (..., in s): arrays (..., nq) in rad or m, and (..., dof) per s and s^2."""
        times = real_array(t, "t").astype(np.float64)
        if np.isnan(times).any():
            raise ValueError("t is nan, expected numbers")
        rows = [np.empty((times.size, width)) for width in (self.nq, self.dof, self.dof)]
        pointer, places = self._pointer(), [(part.ctypes.data, part.strides[0]) for part in rows]
        with self._lock:
            for i, time in enumerate(times.ravel().tolist()):
                lib.lw_trajectory_at(pointer, time, *(base + i * size for base, size in places))
        return tuple(part.reshape(*times.shape, part.shape[1]) for part in rows)

    def sample(self, dt):
        """t, q, qd, qdd at multiples of dt (s) and at the end."""
        if not (np.isfinite(dt) and dt > 0):
            raise ValueError(f"dt is {dt}, expected a time above 0")
        duration = self.duration
        t = np.append(np.arange(0, duration * (1 - 1e-12), dt), duration)
        return (t, *self(t))

    def __reduce__(self):
        self._pointer()
        return _again, self._recipe

    def __repr__(self):
        if self.closed:
            return "<linkwork.Trajectory, closed>"
        return f"<linkwork.Trajectory: {self.dof} joints, {self.duration:g} s>"


def _again(name, arguments):
    """A Trajectory from what it was made of."""
    return globals()[name](**arguments)


def _recipe(trajectory, name, arguments):
    trajectory._recipe = (name, arguments)
    return trajectory


def _vector(value, dof, what, kept):
    if value is None:
        return None
    array = real_array(value, what)
    array = numbers(np.full(dof, array) if array.ndim == 0 else array, (dof,), what)
    kept.append(array)
    return array.ctypes.data


def plan(arm, waypoints, kind="trapezoid", *, t=None, duration=None, velocity=None, acceleration=None, jerk=None,
         start_velocity=None, end_velocity=None, start_acceleration=None, end_acceleration=None, join="clamped"):
    """A trajectory through waypoints (count, nq), rad or m; each may also be a dictionary {joint: position}.

    kind          'trapezoid' (default; needs acceleration), 's-curve' (needs jerk), 'cubic' or 'quintic'
    t             (count) times of the waypoints, s, for cubic and quintic; None: as short as the limits allow
    duration      of the whole trajectory, s, instead of t
    velocity, acceleration, jerk   limits (n), or one number for all joints, in addition to the robot's; rad or m, s
    start_velocity .. end_acceleration   (n) at start and end, for cubic and quintic
    join          how cubic pieces are joined: 'clamped', 'natural' or 'average'

    Raises LinkworkError with joint and time if it would exceed a limit.
    """
    arguments = dict(locals())
    if kind not in KINDS:
        raise unknown("kind of trajectory", kind, list(KINDS))
    if join not in JOINS:
        raise unknown("join", join, list(JOINS))
    points = [arm._state("q", point) if isinstance(point, dict) else point for point in waypoints]
    q = numbers(np.array([real_array(point, "waypoints") for point in points]), (None, arm.nq), "waypoints")
    kept = [q]
    definition = lib.lw_waypoints_def()
    definition.count, definition.q, definition.join = len(q), q.ctypes.data, JOINS[join]
    if t is not None:
        kept.append(numbers(t, (len(q),), "t"))
        definition.t = kept[-1].ctypes.data
    if duration is not None:
        definition.duration = float(duration)
    given = dict(velocity=velocity, acceleration=acceleration, jerk=jerk, start_velocity=start_velocity,
                 end_velocity=end_velocity, start_acceleration=start_acceleration, end_acceleration=end_acceleration)
    for name, value in given.items():
        setattr(definition, name, _vector(value, arm.dof, name, kept))
    owned, _ = make(getattr(lib, KINDS[kind]), lib.lw_trajectory_destroy, arm._pointer(), ctypes.byref(definition))
    return _recipe(Trajectory(owned, arm.dof, arm.joint_names, arm.nq), "plan", arguments)


def line(arm, q, position, *, rotation=None, keep_orientation=True, speed=None, duration=None, acceleration=None, jerk=None,
         link=None, tool=None):
    """A straight line of the last link's origin (or of the frame given by link and tool) from joint positions q (n) to
    position (3), m, in the base frame.

    rotation          (3, 3) at the end; None: the orientation is kept, or free if keep_orientation is False
    speed, duration   highest speed along the line, m/s, or duration, s: give one of them
    acceleration, jerk   along the line, m/s^2 and m/s^3; None: it starts and ends at full speed
    """
    arguments = dict(locals())
    start = numbers(arm._state("q", q), (arm.nq,), "q")
    definition = lib.lw_line_def()
    definition.q = start.ctypes.data
    definition.position[:] = numbers(position, (3,), "position").tolist()
    orientation = "KEPT" if keep_orientation else "FREE"
    if rotation is not None:
        orientation = "TURNED"
        definition.rotation[:] = numbers(rotation, (3, 3), "rotation").ravel().tolist()
    definition.orientation = constant[f"LW_ORIENTATION_{orientation}"]
    for name, value in (("speed", speed), ("duration", duration), ("acceleration", acceleration), ("jerk", jerk)):
        if value is not None:
            setattr(definition, name, float(value))
    workspace = make_workspace(arm, link, tool)
    owned, _ = make(lib.lw_trajectory_create_line, lib.lw_trajectory_destroy, arm._pointer(), workspace.pointer,
                    ctypes.byref(definition), kept=(workspace, arm._model()))
    return _recipe(Trajectory(owned, arm.dof, arm.joint_names, arm.nq), "line", arguments)


def through(t, q, qd=None, qdd=None, *, joint_names=None, arm=None):
    """A trajectory through samples: t (count) in s, q, qd, qdd (count, n). Segments are quintic if qd and qdd are given,
    cubic if only qd is, and linear otherwise. Limits are not checked. With an arm that has ball or floating joints q is
    (count, nq)."""
    arguments = dict(locals())
    times = numbers(t, (None,), "t")
    q = numbers(q, (len(times), arm.nq if arm else None), "q")
    dof, joint_names = arm.dof if arm else q.shape[1], joint_names or (arm.joint_names if arm else None)
    rows = [None if value is None else numbers(value, (len(times), dof), name) for name, value in (("qd", qd), ("qdd", qdd))]
    definition = declared.lwSamplesDef(model=arm._pointer() if arm else None, dof=dof, count=len(times), t=times.ctypes.data, q=q.ctypes.data,
                                       qd=None if rows[0] is None else rows[0].ctypes.data,
                                       qdd=None if rows[1] is None else rows[1].ctypes.data)
    if len(times) < 1 or (np.diff(times) <= 0).any():
        raise ValueError("t must increase, and have at least one entry")
    owned, _ = make(lib.lw_trajectory_create_samples, lib.lw_trajectory_destroy, ctypes.byref(definition),
                    kept=(arm._model(),) if arm else ())
    made = Trajectory(owned, dof, joint_names or [str(i + 1) for i in range(dof)], q.shape[1])
    return _recipe(made, "through", arguments)


def read_trajectory(path, arm):
    """A trajectory through the samples of a CSV file: t, q1.., and optionally qd1.., qdd1.., or q.NAME..; as through()."""
    owned, _ = make(lib.lw_trajectory_read_file, lib.lw_trajectory_destroy, encode(path), arm._pointer(), kept=(arm._model(),))
    samples = lib.lw_trajectory_samples(owned.pointer)
    count, n = samples.count, arm.dof
    rows = {name: doubles(getattr(samples, name), count, arm.nq if name == "q" else n) if getattr(samples, name) else None
            for name in ("q", "qd", "qdd")}
    return _recipe(Trajectory(owned, n, arm.joint_names, arm.nq), "through", dict(
        t=doubles(samples.t, count), **rows, joint_names=arm.joint_names, arm=arm if arm.nq != n else None))


