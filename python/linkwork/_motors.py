# SPDX-License-Identifier: MIT
"""Motors, friction, springs, laws, converters and schedules by themselves, and what joints transmit over a motion."""

import ctypes

import numpy as np

from ._library import Closable, constant, declared, encode, lib, make, numbers, real_array, text

from ._registry import unknown
from ._robot import Friction, Motor, Record, Robot

BETWEEN = {"held": "LW_BETWEEN_HELD", "linear": "LW_BETWEEN_LINEAR"}
POINT = ("joint_torque", "torque", "speed", "current", "voltage", "power")
COMPONENTS = constant["LW_REACTION_COUNT"]


class MotorPoint(Record):
    """A motor at an instant: joint_torque (N m or N), torque (N m), speed (rad/s), current (A), voltage (V), power (W), and
    limits: a list of 'voltage' and 'current', those that are reached."""


def _struct(kind, record, **more):
    return kind(**{name: getattr(record, name) for name, *_ in kind._fields_ if name in record.__dict__}, **more)


def _point(found):
    limits = [word for word in ("voltage", "current") if found.limits & constant[f"LW_MOTOR_LIMIT_{word.upper()}"]]
    return MotorPoint(**{name: getattr(found, name) for name in POINT}, limits=limits)


def _need(self, qd, tau, current_rate=0.0):
    """What the motor needs to give tau (N m or N) to a joint that moves with qd; current_rate (A/s) matters with inductance."""
    motor = _struct(declared.lwMotor, self, given=True)
    return _point(lib.lw_motor_need(ctypes.byref(motor), float(qd), float(tau), float(current_rate)))


def _drive(self, qd, voltage, current=None):
    """What a voltage does to a joint that moves with qd; it is clipped at the limits. With current (A) given, that of a motor
    with inductance: then (MotorPoint, di/dt in A/s)."""
    motor = _struct(declared.lwMotor, self, given=True)
    if current is None:
        return _point(lib.lw_motor_drive(ctypes.byref(motor), float(qd), float(voltage)))
    rate = ctypes.c_double()
    found = lib.lw_motor_drive_current(ctypes.byref(motor), float(qd), float(voltage), float(current), ctypes.byref(rate))
    return _point(found), rate.value


def _friction(self, qd):
    """The torque of friction on the joint at velocity qd (any shape), N m or N."""
    struct, speeds = _struct(declared.lwFriction, self), real_array(qd, "qd").astype(np.float64)
    found = np.array([lib.lw_friction_torque(ctypes.byref(struct), v) for v in speeds.ravel().tolist()]).reshape(speeds.shape)
    return found if speeds.ndim else float(found)


Motor.need, Motor.drive, Friction.torque = _need, _drive, _friction


class Converter:
    """A converter from digital to analog: samples every period s (0: continuous), 2^bits levels (0: no rounding) from -range to
    range (inf: no saturation)."""

    def __init__(self, period=0.0, bits=0, range=np.inf):
        self._dac = lib.lw_dac_ideal()
        if not (np.isfinite(period) and period >= 0 and 0 <= bits <= 32 and range > 0):
            raise ValueError("expected a period of 0 or more, 0 to 32 bits and a range above 0")
        self._dac.period, self._dac.bits, self._dac.range = float(period), int(bits), float(range)
        self.period, self.bits, self.range = self._dac.period, self._dac.bits, self._dac.range

    def level(self, value):
        """The output for values of any shape."""
        values = real_array(value, "value").astype(np.float64)
        found = np.array([lib.lw_dac_level(ctypes.byref(self._dac), v) for v in values.ravel().tolist()]).reshape(values.shape)
        return found if values.ndim else float(found)

    def __repr__(self):
        return f"Converter(period={self.period:g}, bits={self.bits}, range={self.range:g})"


class Law(Closable):
    """A torque law: an expression in t, k (joint, from 1), n (joints), q and qd. Law("5*sin(t)")(t)."""

    def __init__(self, words):
        self.text = str(words)
        self._owned, _ = make(lib.lw_law_create_joint, lib.lw_law_destroy, b"law", encode(self.text))

    def __call__(self, t, k=1, n=1, q=0.0, qd=0.0):
        """The value at one point."""
        point = declared.lwLawPoint(float(t), float(k), float(n), float(q), float(qd))
        return lib.lw_law_at(self._pointer(), ctypes.byref(point))

    def jet(self, t, k=1, n=1, q=0.0, qd=0.0):
        """Value, first and second derivative in t, exact but for rounding."""
        point, jet = declared.lwLawPoint(float(t), float(k), float(n), float(q), float(qd)), np.empty(3)
        lib.lw_law_jet(self._pointer(), ctypes.byref(point), jet.ctypes.data)
        return jet

    def values(self, t, n):
        """The values (n) for joints 1 .. n at time t; for laws without q and qd."""
        out = np.empty(int(n))
        owned, _ = make(lib.lw_law_create, lib.lw_law_destroy, b"law", encode(self.text))
        lib.lw_law_values(owned.pointer, float(t), int(n), int(n), out.ctypes.data)
        owned.close()
        return out

    def __repr__(self):
        return f"Law({self.text!r})"


class Schedule(Closable):
    """Values over time: rows, held or joined by straight lines, constant before the first and after the last.

    times, values  (rows,) s and (rows, width); or times is the path of a CSV file with columns t, v1.. (symbol v)
    between        'held' or 'linear'
    names          of the columns; for a file they may be column names, "v.elbow"
    """

    def __init__(self, times, values=None, *, between="held", symbol="v", names=None, width=None, partial=False):
        if between not in BETWEEN:
            raise unknown("way between rows", between, list(BETWEEN))
        words = [encode(name) for name in names or ()]
        listed = (ctypes.c_char_p * max(1, len(words)))(*words)
        definition = declared.lwScheduleDef(symbol=encode(symbol), partial=bool(partial), between=constant[BETWEEN[between]])
        if words:
            definition.names = listed
        if values is None:
            definition.width = int(width or len(words) or 1)
            call = (lib.lw_schedule_read_file, encode(times), ctypes.byref(definition))
            if isinstance(times, str) and "\n" in times:
                data = times.encode()
                call = (lib.lw_schedule_read_text, b"schedule", data, len(data), ctypes.byref(definition))
        else:
            t = numbers(times, (None,), "times")
            rows = numbers(np.atleast_2d(np.asarray(values, np.float64).T).T, (len(t), None), "values")
            definition.width = rows.shape[1]
            call = (lib.lw_schedule_create, ctypes.byref(definition), len(t), t.ctypes.data, rows.ctypes.data)
        self._owned, _ = make(call[0], lib.lw_schedule_destroy, *call[1:])
        self.width, self.rows = lib.lw_schedule_width(self._owned.pointer), lib.lw_schedule_rows(self._owned.pointer)
        self.between = "linear" if lib.lw_schedule_between(self._owned.pointer) else "held"
        self.present = [bool(lib.lw_schedule_has(self._owned.pointer, k)) for k in range(self.width)]

    def __call__(self, t):
        """The values (..., width) at times t (...)."""
        times = real_array(t, "t").astype(np.float64)
        out = np.empty((times.size, self.width))
        for i, time in enumerate(times.ravel().tolist()):
            lib.lw_schedule_values(self._pointer(), time, out[i].ctypes.data)
        return out.reshape(*times.shape, self.width)

    def next(self, t):
        """The time of the first row after t; inf: none."""
        return lib.lw_schedule_next(self._pointer(), float(t))

    def __repr__(self):
        return "<linkwork.Schedule, closed>" if self.closed else f"<linkwork.Schedule: {self.rows} rows of {self.width}>"



def joint_loads(self, t, q, qd, qdd, *, wrench=None, open_tree=False):
    """The largest forces and moments that the joints transmit over a motion: {joint: {"rfx": Record, .., "rf", "rn"}} with peak
    (N or N m, with its sign), peak_time (s), rms and unit; t (m,) increasing, q, qd, qdd (m, ..)."""
    times = numbers(t, (None,), "t")
    if (np.diff(times) <= 0).any():
        raise ValueError("t must increase")
    answers = np.ascontiguousarray(self.reactions(q, qd, qdd, wrench=wrench, open_tree=open_tree), np.float64)
    answers = numbers(answers, (len(times), *answers.shape[1:]), "q")
    owned, _ = make(lib.lw_loads_create, lib.lw_loads_destroy, self._pointer(), kept=(self._model(),), diag=False)
    for time, row in zip(times.tolist(), answers):
        lib.lw_loads_add(owned.pointer, time, row.ctypes.data)
    found = {text(self._description().joints[i].name): {_component(c): _load(owned.pointer, i, c) for c in range(COMPONENTS)}
             for i in range(lib.lw_model_joint_count(self._pointer()))}
    owned.close()
    return found


def _component(component):
    return text(lib.lw_reaction_name(component))


def _load(loads, joint, component):
    total = lib.lw_loads_sum(loads, joint, component).contents
    return Record(peak=total.peak, peak_time=total.peak_time, rms=lib.lw_loads_rms(loads, joint, component),
                  unit=text(lib.lw_reaction_unit(component)))


Robot.joint_loads = joint_loads
