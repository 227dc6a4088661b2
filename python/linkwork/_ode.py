# SPDX-License-Identifier: MIT
"""Integration of y' = f(t, y) with events, by the integrators of the library."""

import ctypes
import dataclasses

import numpy as np

from ._library import constant, declared, encode, lib, make, numbers, real_array, text
from ._registry import unknown
from ._running import Bridge, NumericalError, fill, view

PROGRESS = {value: name[len("LW_PROGRESS_"):].lower().replace("_", " ") for name, value in constant.items()
            if name.startswith("LW_PROGRESS_")}


@dataclasses.dataclass(frozen=True)
class IntegratorMethod:
    """An integrator: its name, alias (or None), source, and orders."""

    name: str
    alias: str
    source: str
    adaptive: bool
    order: int


def integrator_methods():
    """The integrators: name, alias, source, adaptive (tolerances choose the steps) and order."""
    found = (lib.lw_integrator_method(i).contents for i in range(lib.lw_integrator_method_count()))
    return [IntegratorMethod(text(m.name), text(m.alias), text(m.source), bool(m.adaptive), m.order) for m in found]


def integrator_def(method=None, step=None, rtol=None, atol=None, longest=None, budget=None):
    """lwIntegratorDef."""
    definition = lib.lw_integrator_def()
    if method is not None:
        known = [word for entry in integrator_methods() for word in (entry.name, entry.alias) if word]
        if method not in known:
            raise unknown("integrator", method, known)
        definition.method = encode(method)
    elif rtol is not None or atol is not None:
        definition.method = b"dormand-prince"
    if isinstance(budget, str):
        definition.most_seconds, budget = seconds(budget), None
    for name, value in (("step", step), ("relative", rtol), ("absolute", atol), ("longest", longest), ("most_steps", budget)):
        if value is not None:
            if not (np.isfinite(value) and value > 0):
                raise ValueError(f"{name} is {value}, expected a number above 0")
            setattr(definition, name, float(value))
    return definition


def seconds(budget):
    """The seconds of a budget like "60s"."""
    try:
        found = float(budget[:-1]) if budget.endswith("s") else -1.0
    except ValueError:
        found = -1.0
    if not (np.isfinite(found) and found > 0):
        raise ValueError(f"budget is '{budget}', expected a positive number of steps, or of seconds as '60s'")
    return found


def stats_record(stats):
    return {name: getattr(stats, name) for name, *_ in stats._fields_}


class Solution:
    """Result of integrate(): t (m,), y (m, size), events, stats, and stopped, True if an event ended it."""

    def __init__(self, t, y, events, stats, stopped):
        self.t, self.y, self.events, self.stats, self.stopped = t, y, events, stats, stopped

    def __repr__(self):
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "nothing"
        return f"<linkwork.Solution: {len(self.t)} times, {span}, {len(self.events)} events>"


def integrate(rates, y0, times, *, method=None, step=None, rtol=None, atol=None, longest=None, budget=None, events=None, stop_at=()):
    """Integrates y' = rates(t, y) from y0 at times[0], and returns the Solution at all times (increasing, s).

    rates    a Python callable that returns as many numbers as y0 has
    method   a name of integrator_methods(); None: rk4 with fixed steps, or dormand-prince if rtol or atol is given
    step     of the methods with fixed steps, s (1e-3)
    rtol     relative and
    atol     absolute tolerance of the others (1e-9), each one number, or one for each entry of y
    longest  longest step, s
    budget   the most steps (1e10), or the most seconds by the clock: "60s"
    events   a callable events(t, y) that returns numbers; each sign change is recorded as (t, index, rising, y)
    stop_at  indices of the events that end the integration

    Callables are called on a thread of the integration. An exception in one, or Ctrl-C, ends it and is raised.
    """
    start = numbers(np.atleast_1d(real_array(y0, "y0")), (None,), "y0")
    times = numbers(times, (None,), "times")
    if len(times) < 1 or (np.diff(times) <= 0).any():
        raise ValueError("times must increase, and have at least one entry")
    size, bridge = len(start), Bridge()

    def give_rates(_, t, y, out):
        fill(view(out, size), rates(t, view(y, size).copy()), "rates(t, y)")

    callback = declared.lwRates(bridge.guard(give_rates))
    definition, each = integrator_def(method, step, *map(_largest, (rtol, atol)), longest, budget), []
    for name, value in (("relatives", rtol), ("absolutes", atol)):
        if np.ndim(value) > 0:
            each.append(numbers(value, (size,), name[:-1]))
            if not (each[-1] > 0).all():
                raise ValueError(f"{name[:-1]} is {each[-1].min()}, expected numbers above 0")
            setattr(definition, name, each[-1].ctypes.data)
    owned, _ = make(lib.lw_integrator_create, lib.lw_integrator_destroy, ctypes.byref(definition), size, callback, None,
                    kept=(callback,))
    try:
        ends = set(np.atleast_1d(stop_at).astype(int).tolist())
        return bridge.run(lambda: _integrate(owned.pointer, bridge, start, times, events, ends))
    finally:
        owned.close()


def _largest(tolerance):
    return tolerance if np.ndim(tolerance) == 0 else np.max(tolerance)


def _watch(pointer, bridge, events, t0, start):
    first = np.atleast_1d(np.asarray(events(float(t0), start.copy()), np.float64))
    count, size = len(first), len(start)

    def give_values(_, t, y, out):
        fill(view(out, count), np.atleast_1d(events(t, view(y, size).copy())), "events(t, y)")

    watcher = declared.lwEventValues(bridge.guard(give_values))
    if lib.lw_integrator_watch(pointer, count, watcher, None) != 0:
        raise MemoryError("linkwork: out of memory")
    return watcher


def _integrate(pointer, bridge, start, times, events, stop_at):
    watcher = _watch(pointer, bridge, events, times[0], start) if events is not None else None
    y, rows, found = start.copy(), [start.copy()], []
    lib.lw_integrator_start(pointer, times[0], start.ctypes.data)
    lib.lw_integrator_bound(pointer, times[-1])
    stopped = False
    for t in times[1:]:
        while True:
            progress = lib.lw_integrator_advance(pointer, t, y.ctypes.data, ctypes.byref(bridge.stop))
            bridge.reraise()
            if PROGRESS[progress] != "event":
                break
            index = lib.lw_integrator_event(pointer)
            found.append((lib.lw_integrator_time(pointer), index, bool(lib.lw_integrator_event_rising(pointer)), y.copy()))
            if index in stop_at:
                stopped = True
                break
        if PROGRESS[progress] == "stopped":
            break
        if PROGRESS[progress] not in ("arrived", "event"):
            error = NumericalError(f"integration ended at t = {lib.lw_integrator_time(pointer):g} s: {PROGRESS[progress]}")
            error.run = Solution(times[:len(rows)], np.array(rows), found, {}, False)
            raise error
        rows.append(y.copy())
        if stopped:
            times = np.append(times[:len(rows) - 1], lib.lw_integrator_time(pointer))
            break
    del watcher
    return Solution(times[:len(rows)], np.array(rows), found, stats_record(lib.lw_integrator_stats(pointer)), stopped)
