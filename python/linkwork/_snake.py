# SPDX-License-Identifier: MIT
"""Snake robots: links in a row on passive wheels that roll but do not slip sideways."""

import ctypes
import json

import numpy as np

from ._library import (Closable, Findings, LinkworkError, Owned, constant, declared, encode, lib, make, numbers, real_array,
                       text)
from ._ode import PROGRESS, integrator_def, stats_record
from ._registry import methods, unknown
from ._robot import Record, Robot, count_record
from ._running import Bridge, Columns, NamedArray, NumericalError, distrust, fill, record_times, view

# Names of answers, and the shape of each for n links
ANSWERS = {"udot": lambda n: (2,), "V": lambda n: (n,), "omega": lambda n: (n,), "theta_ddot": lambda n: (n,),
           "lambda": lambda n: (n,), "rates": lambda n: (2,), "rates_dot": lambda n: (2,), "M": lambda n: (2, 2),
           "bias": lambda n: (2,), "force": lambda n: (2,), "partial": lambda n: (n, 2), "kinetic": lambda n: (),
           "power": lambda n: ()}


FULL = "lagrange-full"  # the method of runs in all coordinates
LOSSES = ("S", "sideways", "slip_loss", "stop_loss")


class SnakeLink(Record):
    """length (m), mass (kg), inertia (kg m^2), wheel_offset (m, ahead of the middle), friction_limit (N),
    lower and upper (rad): limits of the angle of the joint ahead."""


class SnakeRun(Columns):
    """A snake over time: t (m,), theta (m, n) rad, u (m, 2) in m/s and rad/s, position (m, 2) of the middle of link 1 in m,
    work (m,) of the torques and kinetic energy (m,), J; stats of the integrator, with worst_S, its bound, and whether the run is trusted.

    S (m,) is the energy function of nia2005, J, which stays constant up to integration error. Of runs in all coordinates:
    sideways (m,) is the speed of the axle that slides fastest, m/s, slip_loss and stop_loss (m,) the energy lost by slipping
    wheels and at stops, J; 0 otherwise."""

    def __init__(self, t, theta, u, position, work, kinetic, stats):
        self.t, self.theta, self.u, self.position, self.work, self.kinetic = t, theta, u, position, work, kinetic
        self.stats = stats
        self.S = self.sideways = self.slip_loss = self.stop_loss = np.zeros(len(t))
        self.full = False
        self.robot, self.name = None, "run"

    def columns(self):
        """All columns, {name: column}: t, theta1.., u1, u2, x, y, kinetic, work, S; of runs in all coordinates also sideways,
        slip_loss and stop_loss."""
        columns = {"t": self.t}
        columns.update({name: self.theta[name] for name in self.theta.names})
        columns.update(u1=self.u[:, 0], u2=self.u[:, 1], x=self.position[:, 0], y=self.position[:, 1],
                       kinetic=self.kinetic, work=self.work, S=self.S)
        if self.full:
            columns.update(sideways=self.sideways, slip_loss=self.slip_loss, stop_loss=self.stop_loss)
        return columns

    def __len__(self):
        return len(self.t)

    def __getstate__(self):
        return {**self.__dict__, "robot": None}  # a snake is not pickled with its runs

    def __repr__(self):
        return f"<linkwork.SnakeRun: {len(self.t)} records to t = {self.t[-1]:g} s>"


class Snake(Closable):
    """A snake of n links, after nia2005: theta (n) are the angles of the links (rad), u = (V_1, theta_1 dot) the speeds
    of link 1 (m/s and rad/s), torque (n - 1) those of the joints (N m)."""

    def __init__(self, owned, diagnostics=(), threads=0):
        self._owned = owned
        self._works = {}
        self.diagnostics = list(diagnostics)
        self.name = text(lib.lw_snake_name(owned.pointer))
        self.n = lib.lw_snake_count(owned.pointer)

    def close(self):
        """Frees the snake. Closing again is allowed."""
        self._works = {}
        self._owned = None

    @property
    def links(self):
        """The links from rear to front, as SnakeLink objects."""
        found = (lib.lw_snake_get(self._pointer(), k) for k in range(self.n))
        return [SnakeLink(**{name: getattr(link, name) for name, *_ in link._fields_}) for link in found]

    @property
    def length(self):
        """Length from end to end, m."""
        return lib.lw_snake_length(self._pointer())

    def _workspace(self, method, single=False):
        """A workspace for this call, and the list to which it is returned after use."""
        known = methods("snake")
        if method is not None and method not in [word for entry in known for word in (entry.name, *entry.aliases)]:
            raise unknown("method for snakes", method, [entry.name for entry in known])
        spare = self._works.setdefault((method, single), [])
        try:
            return spare.pop(), spare
        except IndexError:
            definition = lib.lw_snake_workspace_def()
            if method is not None:
                definition.method = encode(method)
            definition.precision = constant["LW_PRECISION_SINGLE" if single else "LW_PRECISION_DOUBLE"]
            owned, _ = make(lib.lw_snake_workspace_create, lib.lw_snake_workspace_destroy, self._pointer(),
                            ctypes.byref(definition), kept=(self._owned,))
            return owned, spare

    def _rows(self, given):
        arrays = {}
        for name, (value, width) in given.items():
            if value is None:
                continue
            arrays[name] = real_array(value, name)
            if arrays[name].ndim == 0 or arrays[name].shape[-1] != width:
                raise ValueError(f"{name} has the shape {arrays[name].shape}, expected (..., {width}) for {self.n} links")
        lead = Robot._leading(arrays)
        shapes = {name: (*lead, array.shape[-1]) for name, array in arrays.items()}
        rows = {name: numbers(np.broadcast_to(array, shapes[name]), shapes[name], name) for name, array in arrays.items()}
        return rows, lead, arrays

    def motion(self, theta, u=None, torque=None, *, want=("udot",), method=None, dtype=None):
        """Motion of the snake: a record with the wanted ones of

        udot (..., 2) accelerations, V (..., n) speeds of the links along themselves, omega and theta_ddot (..., n), lambda
        (..., n) forces of the wheels on the ground (N), rates and rates_dot (..., 2) of the middle of link 1, M (..., 2, 2),
        bias and force (..., 2), partial (..., n, 2), kinetic (J) and power (W) (...).

        theta (..., n), u (..., 2) and torque (..., n - 1) are broadcast; None: zeros. want='all': everything.
        """
        wanted = list(ANSWERS) if want == "all" else [want] if isinstance(want, str) else list(want)
        for name in wanted:
            if name not in ANSWERS:
                raise unknown("answer about snakes", name, list(ANSWERS))
        rows, lead, arrays = self._rows({"theta": (theta, self.n), "u": (u, 2), "torque": (torque, self.n - 1)})
        result = Robot._result_type(arrays, dtype)
        states = declared.lwSnakeStates(**{name: array.ctypes.data for name, array in rows.items()})
        found = {name: np.empty((*lead, *ANSWERS[name](self.n))) for name in wanted}
        answers = declared.lwSnakeAnswers()
        for name, array in found.items():
            setattr(answers, name, array.ctypes.data)
        workspace, spare = self._workspace(method, result == np.float32)
        count = int(np.prod(lead)) if lead else 1
        if count:
            lib.lw_snake_answer_many(self._pointer(), workspace.pointer, count, ctypes.byref(states), ctypes.byref(answers))
        spare.append(workspace)
        return Record(**{name: array.astype(result, copy=False) for name, array in found.items()})

    def torque(self, theta, u, udot):
        """The torques (n - 1) of least norm that give the accelerations udot (2), the resulting udot, and the rank; if it is
        below 2, not every udot can be reached."""
        theta, u = numbers(theta, (self.n,), "theta"), numbers(u, (2,), "u")
        wanted, out, reached = numbers(udot, (2,), "udot"), np.empty(self.n - 1), np.empty(2)
        workspace, spare = self._workspace(None)
        state = declared.lwSnakeStates(theta=theta.ctypes.data, u=u.ctypes.data)
        rank = lib.lw_snake_torque(self._pointer(), workspace.pointer, ctypes.byref(state), wanted.ctypes.data,
                                   out.ctypes.data, reached.ctypes.data)
        spare.append(workspace)
        return out, reached, rank

    def gait(self, theta, u, phi_ddot, weight=None):
        """The torques (n - 1) that accelerate the joint angles by phi_ddot (n - 1, rad/s^2) as closely as the wheels allow,
        the resulting udot (2), and the rank."""
        theta, u = numbers(theta, (self.n,), "theta"), numbers(u, (2,), "u")
        wanted = numbers(phi_ddot, (self.n - 1,), "phi_ddot")
        weights = None if weight is None else numbers(weight, (self.n - 1,), "weight")
        out, udot = np.empty(self.n - 1), np.empty(2)
        gait = declared.lwSnakeGait(phi_ddot=wanted.ctypes.data, weight=None if weights is None else weights.ctypes.data)
        state = declared.lwSnakeStates(theta=theta.ctypes.data, u=u.ctypes.data)
        workspace, spare = self._workspace(None)
        rank = lib.lw_snake_gait(self._pointer(), workspace.pointer, ctypes.byref(state), ctypes.byref(gait),
                                 out.ctypes.data, udot.ctypes.data)
        spare.append(workspace)
        return out, udot, rank

    def points(self, theta, x=0.0, y=0.0):
        """Rear end, joints and front end (n + 1, 2), m, when the middle of link 1 is at (x, y)."""
        theta, out = numbers(theta, (self.n,), "theta"), np.empty((self.n + 1, 2))
        lib.lw_snake_points(self._pointer(), theta.ctypes.data, float(x), float(y), out.ctypes.data)
        return out

    def beyond(self, theta):
        """The first joint (from 0) whose angle is beyond a limit, or None."""
        found = lib.lw_snake_find_beyond(self._pointer(), numbers(theta, (self.n,), "theta").ctypes.data)
        return None if found < 0 else found

    @property
    def origin(self):
        """Source of the snake's data, or None."""
        return text(lib.lw_snake_origin(self._pointer()))

    def slips(self, forces):
        """True for each wheel (n) that would slip: its force, `lambda` from motion(), exceeds the friction limit."""
        forces, out = numbers(forces, (self.n,), "lambda"), (ctypes.c_bool * self.n)()
        lib.lw_snake_check_slip(self._pointer(), forces.ctypes.data, out)
        return np.array(out)

    def counts(self):
        """Operation counts of each method for udot; see Robot.counts()."""
        records = []
        for entry in methods("snake"):
            count = declared.lwCount()
            with Findings() as findings:
                findings.require(lib.lw_snake_method_measure(self._pointer(), entry.index, ctypes.byref(count)))
            records.append(count_record(entry, count, self.n))
        return records

    def simulate(self, duration, *, torque=None, gait=None, guide=None, theta=None, u=None, x=0.0, y=0.0, record=0.01, method=None,
                 slip=False, stops=False, stabilise=False, rolling_resistance=0.0, integrator=None, step=None, rtol=None, atol=None,
                 budget=None):
        """Simulates the snake over time; returns a SnakeRun.

        torque   a callable torque(t, theta, u) that returns (n - 1) N m, or a law in t, k, n: "sin(t)/(n-k)"; None: none
        gait     (alpha, beta, gamma) in rad, rad, rad/s instead of torques: the joints follow the serpenoid wave
                 phi_k = alpha sin(beta k + gamma t) + steer as closely as the wheels allow; (alpha, beta, gamma, steer,
                 rise) turns, and starts from rest within `rise` seconds
        guide    {"speed": .., "winding": .., "wavelength": ..} and "curvature", "x", "y", "direction" if not 0: torques that
                 guide the head along a winding path; the snake starts on it, at rest, and SnakeRun.error is how far the head
                 is beside the path (m,)
        theta    (n) at the start, rad; None: a zigzag of -30 and 30 degrees, or the start of the gait, with its speeds
        u        (2) at the start, m/s and rad/s; None: 0, or that of the gait
        record   time from one record to the next, s
        method   of methods("snake"), or "lagrange-full": all n + 2 coordinates, as nia2005
        slip, stops   wheels slip where holding would exceed their friction_limit; joints hit inelastic stops. Both run in all
                 coordinates and project the rates onto the constraints of the wheels, as stabilise does
        rolling_resistance   of each wheel, N s/m, a force against its speed; not in all coordinates
        integrator, step, rtol, atol, budget   as for linkwork.integrate()
        """
        if not (np.isfinite(duration) and duration >= 0 and np.isfinite(record) and record > 0):
            raise ValueError("duration and record must be times above 0")
        owned, bridge, begin, drive = self._begin(duration, torque, gait, guide, theta, u, (x, y), method,
                                                 (slip, stops, stabilise, rolling_resistance),
                                                 (integrator, step, rtol, atol, None, budget))
        try:
            found = bridge.run(lambda: self._record(owned.pointer, bridge, *begin, duration, record))
        finally:
            owned.close()
        if guide is not None:
            found.error = np.array([lib.lw_snake_guide_error(drive.pointer, angles.ctypes.data, place.ctypes.data) for angles, place in
                                    zip(np.ascontiguousarray(found.theta), np.ascontiguousarray(found.position))])
        return found

    def _begin(self, duration, torque, gait, guide, theta, u, place, method, wheels, integrator):
        """A run, its bridge, where it begins, and its drive."""
        if sum(given is not None for given in (gait, torque, guide)) > 1:
            raise ValueError("give torque, gait or guide, not both")
        bridge, kept = Bridge(), []
        full = method == FULL
        workspace, _ = self._workspace(None if full else method)
        start, speeds = np.where(np.arange(self.n) % 2, np.pi, -np.pi) / 6, np.zeros(2)
        definition = lib.lw_snake_run_def()
        definition.snake, definition.ws = self._pointer(), workspace.pointer
        self._set_wheels(definition, method, wheels)
        definition.integrator = integrator_def(*integrator)
        definition.integrator.end = duration
        self._set_drive(definition, torque, bridge, kept)
        if gait is not None:
            self._set_serpenoid(definition, gait, workspace, kept)
            lib.lw_serpenoid_start(definition.context, start.ctypes.data, speeds.ctypes.data)
        if guide is not None:
            place = self._set_guide(definition, guide, workspace, kept, start)
        if u is None:
            u = speeds if theta is None else np.zeros(2)
        theta = numbers(start if theta is None else theta, (self.n,), "theta")
        u = numbers(u, (2,), "u")
        beyond = self.beyond(theta) if definition.stops else None
        if beyond is not None:
            raise ValueError(f"theta: joint {beyond + 1} begins at {theta[beyond + 1] - theta[beyond]:g} rad, beyond its limits")
        owned, _ = make(lib.lw_snake_run_create, lib.lw_snake_run_destroy, ctypes.byref(definition),
                        kept=(workspace, self._owned, kept))
        return owned, bridge, (not definition.ws, theta, u, place), kept[-1] if kept else None

    @staticmethod
    def _set_wheels(definition, method, wheels):
        """What wheels and joints do besides rolling; in all coordinates if that needs it."""
        slip, stops, stabilise, resistance = wheels
        if not (np.isfinite(resistance) and resistance >= 0):
            raise ValueError(f"rolling_resistance is {resistance}, expected 0 or more N s/m")
        full = method == FULL or (method is None and (slip or stops or stabilise))
        if not full and (slip or stops or stabilise):
            raise ValueError(f"slip, stops and stabilise need the method '{FULL}', found '{method}'")
        if full and resistance > 0:
            raise ValueError(f"rolling_resistance and the method '{FULL}' exclude each other")
        if full:
            definition.ws = None
        definition.slip, definition.stops, definition.stabilise = bool(slip), bool(stops), bool(stabilise)
        definition.rolling_resistance = float(resistance)

    def _set_guide(self, definition, guide, workspace, kept, start):
        """The library's guide of the head: its function and its context; returns where the snake begins."""
        known = [name for name, *_ in declared.lwSnakeGuide._fields_]
        for name in guide:
            if name not in known:
                raise unknown("number of a guide", name, known)
        path, place = declared.lwSnakeGuide(**{name: float(value) for name, value in guide.items()}), np.zeros(2)
        owned, _ = make(lib.lw_snake_guide_create, lib.lw_snake_guide_destroy, self._pointer(), workspace.pointer,
                        ctypes.byref(path), kept=(workspace, self._owned))
        kept.append(owned)
        definition.drive = ctypes.cast(lib.lw_snake_guide_torques, declared.lwSnakeDrive)
        definition.context = owned.pointer
        lib.lw_snake_guide_start(owned.pointer, start.ctypes.data, place.ctypes.data)
        return tuple(place)

    def _set_serpenoid(self, definition, gait, workspace, kept):
        """The library's serpenoid drive: its function and its context."""
        given = len(gait) if hasattr(gait, "__len__") and len(gait) == 5 else 3
        wave = declared.lwSerpenoid(*numbers(gait, (given,), "gait").tolist())
        made = ctypes.c_void_p()
        if lib.lw_serpenoid_create(self._pointer(), workspace.pointer, ctypes.byref(wave), ctypes.byref(made)) != 0:
            raise MemoryError("linkwork: out of memory")
        owned = Owned(made, lib.lw_serpenoid_destroy, workspace, self._owned)
        kept.append(owned)
        definition.drive = ctypes.cast(lib.lw_serpenoid_torques, declared.lwSnakeDrive)
        definition.context = owned.pointer

    def _set_drive(self, definition, torque, bridge, kept):
        n = self.n

        def give(_, t, theta, u, _place, out):
            fill(view(out, n - 1), torque(t, view(theta, n).copy(), view(u, 2).copy()), "torque(t, theta, u)")

        if callable(torque):
            kept.append(declared.lwSnakeDrive(bridge.guard(give)))
            definition.drive = kept[-1]
        elif torque is not None:
            law, _ = make(lib.lw_law_create, lib.lw_law_destroy, b"torque", encode(torque))
            kept.append(law)
            definition.law = law.pointer

    def _record(self, run, bridge, full, theta, u, place, duration, record):
        angles = theta.copy()
        sample = declared.lwSnakeSample(t=0.0, theta=angles.ctypes.data, x=float(place[0]), y=float(place[1]))
        sample.u[:] = u.tolist()
        lib.lw_snake_run_start(run, ctypes.byref(sample))
        times = record_times(duration, record)
        rows, failed = [], None
        for t in times:
            progress = lib.lw_snake_run_to(run, t, ctypes.byref(sample), ctypes.byref(bridge.stop))
            if PROGRESS[progress] != "arrived":
                failed = PROGRESS[progress]
                break
            rows.append((angles.copy(), sample.u[:], (sample.x, sample.y), sample.work, sample.kinetic,
                         *(getattr(sample, name) for name in LOSSES)))
        found = self._collect(times[:len(rows)], rows, run, full)
        if failed and failed != "stopped":
            error = NumericalError(f"snake {self.name}: {failed} after t = {sample.t:g} s")
            error.run = found
            raise error
        distrust(found.stats)
        return found

    def _collect(self, times, rows, run, full):
        theta = np.array([row[0] for row in rows]).reshape(-1, self.n)
        u = np.array([row[1] for row in rows]).reshape(-1, 2)
        audit = lib.lw_snake_run_audit(run)
        stats = stats_record(audit.steps)
        stats.update({name: getattr(audit, name) for name in ("peak_kinetic", "worst_S", "turnover", "bound", "trusted")})
        names = [f"theta{k + 1}" for k in range(self.n)]
        found = SnakeRun(times, NamedArray(theta, names), u, np.array([row[2] for row in rows]).reshape(-1, 2),
                         np.array([row[3] for row in rows]), np.array([row[4] for row in rows]), stats)
        for k, name in enumerate(LOSSES, 5):
            setattr(found, name, np.array([row[k] for row in rows]))
        found.robot, found.name, found.full = self, self.name, full
        return found

    def to_yaml(self):
        """The snake as the text of a snake file."""
        lines = [f"  - {{length: {link.length!r}, mass: {link.mass!r}, inertia: {link.inertia!r}, wheel_offset: "
                 f"{link.wheel_offset!r}" + (f", friction_limit: {link.friction_limit!r}" if np.isfinite(link.friction_limit) else "")
                 + (f", lower: {link.lower!r}, upper: {link.upper!r}" if np.isfinite([link.lower, link.upper]).all() else "") + "}"
                 for link in self.links]
        return "\n".join(["linkwork: 1", "snake:", f"  name: {json.dumps(self.name)}", "  links:",
                          *(f"  {line}" for line in lines), ""])

    def save(self, path):
        """Writes a snake file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_yaml())

    def __repr__(self):
        if self.closed:
            return "<linkwork.Snake, closed>"
        return f"<linkwork.Snake '{self.name}': {self.n} links, {self.length:g} m>"


class SnakeSimulation(Closable):
    """A run of a snake that goes on step by step: advance(), state(), save(), restore(), copy(). Arguments as for
    Snake.simulate()."""

    def __init__(self, snake, *, torque=None, gait=None, guide=None, theta=None, u=None, x=0.0, y=0.0, method=None,
                 slip=False, stops=False, stabilise=False, rolling_resistance=0.0, integrator=None, step=None, rtol=None, atol=None,
                 budget=None):
        definition = snake._begin(0.0, torque, gait, guide, theta, u, (x, y), method, (slip, stops, stabilise, rolling_resistance),
                                  (integrator, step, rtol, atol, None, budget))
        self._owned, self._bridge, (_, theta, u, place), self._drive = definition
        self.snake, self._theta = snake, theta.copy()
        self._sample = declared.lwSnakeSample(t=0.0, theta=self._theta.ctypes.data, x=float(place[0]), y=float(place[1]))
        self._sample.u[:] = u.tolist()
        lib.lw_snake_run_start(self._owned.pointer, ctypes.byref(self._sample))

    @property
    def t(self):
        """The time reached, s."""
        return lib.lw_snake_run_time(self._pointer())

    def advance(self, t):
        """Goes on to time t, s. Raises NumericalError, with the reason, if the run fails."""
        if not (np.isfinite(t) and t >= self.t):
            raise ValueError(f"t is {t}, expected a time from {self.t:g} s on")
        pointer = self._pointer()
        self._bridge.stop.value = 0
        reached = self._bridge.run(lambda: lib.lw_snake_run_to(pointer, float(t), ctypes.byref(self._sample),
                                                               ctypes.byref(self._bridge.stop)))
        if PROGRESS[reached] not in ("arrived", "stopped"):
            words = ctypes.create_string_buffer(1000)
            lib.lw_snake_run_why(pointer, words, len(words))
            raise NumericalError(f"snake {self.snake.name}: {text(words.value) or PROGRESS[reached]} (after t = {self.t:g} s)")

    def state(self):
        """Record of t, theta (n), u (2), x, y, work, kinetic, S, sideways, slip_loss and stop_loss, as in a SnakeRun."""
        found = self._sample
        return Record(t=found.t, theta=self._theta.copy(), u=np.array(found.u), x=found.x, y=found.y, work=found.work,
                      kinetic=found.kinetic, **{name: getattr(found, name) for name in LOSSES})

    def save(self):
        """The state as bytes: everything from which it goes on."""
        size = lib.lw_snake_run_save(self._pointer(), None, 0)
        state = ctypes.create_string_buffer(size)
        lib.lw_snake_run_save(self._pointer(), state, size)
        return state.raw

    def restore(self, state):
        """Goes back to a saved state; goes on to the last bit."""
        with Findings() as findings:
            findings.require(lib.lw_snake_run_restore(self._pointer(), bytes(state), len(state), findings.pointer))
        self.advance(self.t)

    def copy(self):
        """A copy in the same state, that goes on by itself. The two take turns: they share a workspace."""
        made = ctypes.c_void_p()
        with Findings() as findings:
            findings.require(lib.lw_snake_run_clone(self._pointer(), findings.pointer, ctypes.byref(made)))
        twin = object.__new__(SnakeSimulation)
        twin.__dict__.update(self.__dict__)
        twin._owned, twin._theta = Owned(made.value, lib.lw_snake_run_destroy, self._owned), self._theta.copy()
        twin._sample = declared.lwSnakeSample(theta=twin._theta.ctypes.data)
        twin.advance(twin.t)
        return twin

    def __repr__(self):
        return "<linkwork.SnakeSimulation, closed>" if self.closed else f"<linkwork.SnakeSimulation at t = {self.t:g} s>"


def generic_snake(n):
    """A snake of n links without special values; the same on every machine."""
    if not 2 <= n <= constant["LW_MAX_SNAKE_LINKS"]:
        raise LinkworkError(f"n is {n}, expected 2 to {constant['LW_MAX_SNAKE_LINKS']}")
    owned, _ = make(lib.lw_snake_create_generic, lib.lw_snake_destroy, int(n), diag=False)
    return Snake(owned)


def make_snake(links, name="snake"):
    """A snake of links from rear to front: SnakeLink objects, or dictionaries of their numbers (length, mass, inertia, ..)."""
    definition, rows = lib.lw_snake_def(), (declared.lwSnakeLink * max(1, len(links)))()
    for row, link in zip(rows, links):
        ctypes.memmove(ctypes.byref(row), ctypes.byref(lib.lw_snake_link()), ctypes.sizeof(row))
        for key, value in (link if isinstance(link, dict) else vars(link)).items():
            if key not in vars(SnakeLink) and key not in [field for field, *_ in row._fields_]:
                raise unknown("number of a link", key, [field for field, *_ in row._fields_ if field != "cookie"])
            setattr(row, key, float(value))
    title = encode(name)
    definition.name, definition.count, definition.links = title, len(links), rows
    owned, _ = make(lib.lw_snake_create, lib.lw_snake_destroy, ctypes.byref(definition), None)
    return Snake(owned)
