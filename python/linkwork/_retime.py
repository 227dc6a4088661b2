# SPDX-License-Identifier: MIT
"""The fastest motion along a path, and work cycles."""

import ctypes

import numpy as np

from ._errors import LinkworkError
from ._library import Closable, Owned, constant, declared, encode, lib, make, numbers, text
from ._registry import unknown
from ._robot import Record, Robot
from ._trajectory import Trajectory

LIMITS = [text(lib.lw_limit_word(i)) for i in range(constant["LW_LIMIT_COUNT"])]
SHAPES = {"straight": "LW_CYCLE_SHAPE_STRAIGHT", "spline": "LW_CYCLE_SHAPE_SPLINE"}


class FastestMotion(Closable):
    """A motion along a path that no limit lets be faster: motion(t) gives (q, qd, qdd). duration (s); bound: no motion on the
    grid is faster (s); excess: the largest relative excess of a limit between its points; local: jerk was limited, so it is a
    local optimum. motion.at(t) also has torques and the limit that is nearest."""

    def __init__(self, owned, arm, result, *kept):
        self._owned, self._arm, self._kept = owned, arm, kept
        self.dof, self.joint_names = arm.dof, arm.joint_names
        self.duration, self.bound, self.excess, self.local = result.time, result.bound, result.excess, bool(result.local)

    def at(self, t):
        """Record of s, sd, sdd (path parameter and rates), q, qd, qdd, tau (n), limit (its kind, or 'none'), place (whose it
        is) and margin (1 - load / limit) at time t, s."""
        rows = np.empty((4, max(self._arm.nq, self.dof)))
        point = declared.lwRetimePoint(**{name: rows[k].ctypes.data for k, name in enumerate(("q", "qd", "qdd", "tau"))})
        lib.lw_retime_at(self._pointer(), float(t), ctypes.byref(point))
        q, qd, qdd, tau = (row[:self.dof].copy() for row in rows)
        return Record(s=point.s, sd=point.sd, sdd=point.sdd, q=q, qd=qd, qdd=qdd, tau=tau, limit=LIMITS[point.limit.kind],
                      place=_place(self._arm, point.limit), margin=point.margin)

    def __call__(self, t):
        """q, qd and qdd at time t (..., in s): arrays (..., n)."""
        times = np.asarray(t, np.float64)
        rows, point = np.empty((3, times.size, self.dof)), declared.lwRetimePoint()
        for i, time in enumerate(times.ravel().tolist()):
            point.q, point.qd, point.qdd = (rows[k, i].ctypes.data for k in range(3))
            lib.lw_retime_at(self._pointer(), time, ctypes.byref(point))
        return tuple(part.reshape(*times.shape, self.dof) for part in rows)

    @property
    def times(self):
        """Times of the grid points, s."""
        return np.array([lib.lw_retime_time(self._pointer(), i) for i in range(lib.lw_retime_points(self._pointer()))])

    def sample(self, dt):
        """t, q, qd, qdd at multiples of dt (s) and at the end."""
        if not (np.isfinite(dt) and dt > 0):
            raise ValueError(f"dt is {dt}, expected a time above 0")
        t = np.append(np.arange(0, self.duration * (1 - 1e-12), dt), self.duration)
        return (t, *self(t))

    def slow(self, factor):
        """Slows the motion down: it takes factor times as long, 1 or more."""
        result = declared.lwRetimeResult()
        status = lib.lw_retime_slow(self._pointer(), float(factor), ctypes.byref(result))
        if status != 0:
            raise LinkworkError(_why(self._arm, status, result))
        self.duration = result.time

    def __repr__(self):
        return "<linkwork.FastestMotion, closed>" if self.closed else f"<linkwork.FastestMotion: {self.dof} joints, {self.duration:g} s>"


def _place(arm, place):
    kind = LIMITS[place.kind]
    if place.index < 0 or kind in ("none", "force", "flow"):
        return None if place.index < 0 else f"cylinder {place.index + 1}"
    return text(arm._description().joints[place.index].name) if kind == "reaction" else arm.joint_names[place.index]


def _why(arm, status, result):
    if result.cannot_hold >= 0:
        return f"the drives of {arm.name} cannot hold it at s = {result.cannot_hold:g} of the path: {LIMITS[result.hold.kind]}"
    if result.stuck >= 0:
        first, second = (f"{LIMITS[place.kind]} of {_place(arm, place) or 'the tool'}" for place in result.clash)
        return f"there is no motion within the limits of {arm.name} at s = {result.stuck:g} of the path: {first} against {second}"
    return f"no motion of {arm.name} was found: {text(lib.lw_status_text(status))}"


def _limits(arm, definition, given, tool_speed, tool_acceleration, tool, reserve, reactions, cylinders, grid, kept):
    for name, value in given.items():
        if value is not None:
            kept.append(numbers(np.broadcast_to(np.asarray(value, np.float64), (arm.dof,)), (arm.dof,), name))
            setattr(definition, name, kept[-1].ctypes.data)
    for name, value in (("tool_speed", tool_speed), ("tool_acceleration", tool_acceleration), ("reserve", reserve)):
        if value is not None:
            setattr(definition, name, float(value))
    if grid is not None:
        definition.grid = int(grid)
    if tool is not None:
        frame = arm._frame(None, tool)
        made = declared.lwFrame(joint=frame[0])
        made.xyz[:], made.rpy[:] = frame[1:4], frame[4:7]
        kept.append(made)
        definition.tool = ctypes.pointer(made)
    if reactions:
        listed = (declared.lwReactionLimit * len(reactions))(*(
            declared.lwReactionLimit(joint=arm._link_index(joint), force=float(force), moment=float(moment))
            for joint, (force, moment) in reactions.items()))
        kept.append(listed)
        definition.reaction_count, definition.reactions = len(listed), listed
    if cylinders is not None:
        definition.cylinders = cylinders._pointer()
        kept.append(cylinders)


def _fastest(arm, definition, path, ends, *kept):
    owned, _ = make(lib.lw_retime_create, lib.lw_retime_destroy, arm._pointer(), ctypes.byref(definition),
                    kept=(arm._model(), kept))
    result = declared.lwRetimeResult(stuck=-1, cannot_hold=-1)
    status = lib.lw_retime(owned.pointer, path, ctypes.byref(ends), ctypes.byref(result))
    if status != 0:
        raise LinkworkError(_why(arm, status, result))
    return FastestMotion(owned, arm, result, *kept)


def fastest(arm, path, *, shape="straight", closed=False, start=0.0, end=0.0, velocity=None, acceleration=None, jerk=None,
            heat=None, tool_speed=None, tool_acceleration=None, tool=None, reserve=None, reactions=None, cylinders=None, grid=None):
    """The fastest motion along a path within the limits of joints, motors, tool and bearings.

    path         a Trajectory, whose time is the path parameter, gives one FastestMotion; waypoints (count, n) give a list of
                 them, one for each section between stops
    shape        of the path through waypoints: 'straight', with stops where the direction changes, or 'spline'
    closed       the path of a Trajectory is closed: both ends have the same speed, as high as possible
    start, end   speeds along the path of a Trajectory at its ends, 1/s
    velocity, acceleration, jerk   (n) limits besides the robot's; with jerk the motion is a local optimum
    heat         (n) weights of the motors' heat, 1/A^2: least is then the duration plus the integrals of weight times current^2
    tool_speed, tool_acceleration   m/s and m/s^2 of the point tool (x y z, or with r p y) on the last link
    reserve      fraction of efforts, voltages and currents that is not used
    reactions    {joint: (force, moment)} that it may transmit, N and N m
    cylinders    Cylinders of the robot, whose force and flow are limits
    grid         intervals of the path, 1000
    """
    if shape not in SHAPES:
        raise unknown("shape", shape, list(SHAPES))
    definition, kept = lib.lw_retime_def(), []
    _limits(arm, definition, dict(velocity=velocity, acceleration=acceleration, jerk=jerk, heat=heat), tool_speed, tool_acceleration, tool,
            reserve, reactions, cylinders, grid, kept)
    if isinstance(path, Trajectory):
        ends = declared.lwRetimeEnds(start=float(start), end=float(end), closed=bool(closed))
        return _fastest(arm, definition, path._pointer(), ends, path, path._owned, kept)
    q = numbers(np.array([arm._state("q", point) for point in path]), (None, arm.nq), "path")
    waypoints = lib.lw_waypoints_def()
    waypoints.count, waypoints.q = len(q), q.ctypes.data
    owned, _ = make(lib.lw_cycle_create_waypoints, lib.lw_cycle_destroy, arm._pointer(), ctypes.byref(waypoints),
                    constant[SHAPES[shape]], kept=(arm._model(), q))
    return [_fastest(arm, definition, section.path, section.ends, owned, kept) for section in _sections(owned)]


def _sections(owned):
    return [lib.lw_cycle_section(owned.pointer, k).contents for k in range(lib.lw_cycle_count(owned.pointer))]


class Section(Record):
    """From one stop of a cycle to the next: motion (FastestMotion), wait before it and dwell after it (s), robot (with what it
    carries) and moves (count)."""


class Cycle(Record):
    """A work cycle, each section as fast as its limits allow: name, sections, duration (s, waits and dwells included)."""


def cycle(what, arm=None, *, velocity=None, acceleration=None, jerk=None, heat=None, reserve=None, cylinders=None, grid=None):
    """Reads a cycle file, plans its paths and makes every section as fast as its limits allow: a Cycle.

    what   a path, or the text of a file (with a line break)
    arm    the robot; None: that of the key 'robot'
    """
    model = None if arm is None else arm._pointer()
    if isinstance(what, str) and "\n" in what:
        words = what.encode()
        owned, _ = make(lib.lw_cycle_read_text, lib.lw_cycle_destroy, b"cycle", words, len(words), model, kept=(arm,))
    else:
        owned, _ = make(lib.lw_cycle_read_file, lib.lw_cycle_destroy, encode(what), model, kept=(arm,))
    definition, kept, sections = lib.lw_cycle_limits(owned.pointer), [], []
    for section in _sections(owned):
        robot = _robot_of(owned, section.model)
        _limits(robot, definition, dict(velocity=velocity, acceleration=acceleration, jerk=jerk, heat=heat), None, None, None, reserve, None,
                cylinders, grid, kept)
        motion = _fastest(robot, definition, section.path, section.ends, owned, kept)
        sections.append(Section(motion=motion, wait=section.wait, dwell=section.dwell, robot=robot, moves=section.move_count))
    duration = sum(section.motion.duration + section.wait + section.dwell for section in sections)
    return Cycle(name=text(lib.lw_cycle_name(owned.pointer)), sections=sections, duration=duration)


def _robot_of(cycle_owned, model):
    """A Robot for a model that belongs to the cycle."""
    return Robot(Owned(model, lambda _: None, cycle_owned))
