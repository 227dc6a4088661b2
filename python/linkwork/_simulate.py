# SPDX-License-Identifier: MIT
"""Simulates an arm over time: from a scenario file, or a robot with Python callables for torques and controllers."""

import ctypes
import os

import numpy as np

from ._library import Closable, Findings, Owned, constant, declared, doubles, encode, lib, make, numbers, text
from ._errors import LinkworkError
from ._ode import integrator_def, stats_record
from ._registry import unknown
from ._robot import AXES, BASE, Record, Robot, model_options
from ._running import Bridge, Columns, NamedArray, NumericalError, distrust, fill, record_times, view
from ._trajectory import Trajectory


def _words(prefix, end=None):
    return {value: name[len(prefix):].lower().replace("_", " ") for name, value in constant.items()
            if name.startswith(prefix) and name != end}


OUTCOMES = _words("LW_OUTCOME_")
FAILED = ("not finite", "step vanished", "chatter", "budget")
NOTES = _words("LW_NOTE_", "LW_NOTE_KIND_COUNT")
CONTROLS = {word.replace(" ", "-"): value for value, word in _words("LW_CONTROL_").items()}
FRICTIONS = {word: value for value, word in _words("LW_FRICTION_MODEL_").items()}
LIMITS = {word: value for value, word in _words("LW_LIMIT_MODE_").items()}
SAMPLES = ("q", "qd", "qdd", "tau", "voltage", "current", "friction")
ENERGIES = ("kinetic", "potential", "work", "S")


class Event(Record):
    """An event during a run: t (s), kind ('upper', 'stick', 'event', ..) and the name of the joint or event."""


class Run(Columns):
    """The recorded result of simulate().

    t          (m,) s
    q qd qdd   (m, n) rad or m, and per s and s^2; run.q["elbow"] is a column
    tau        (m, n) drive torques, N m or N
    voltage current friction   (m, n) V, A, and N m or N
    energy     (m, 4) kinetic, potential, work and S, the error of the energy balance, J; run.energy["S"]
    events     events during the run, as Event objects
    outcome    'arrived', 'condition', 'limit', ..
    audit      steps and evaluations of the integrator, work of drives, friction, stops and loads (J), worst S, its bound,
               and whether the run is trusted
    """

    def __init__(self, name, joint_names, position_names, rows, events, outcome, audit):
        self.name, self.events, self.outcome, self.audit = name, events, outcome, audit
        self._model = None
        self.t = np.array([row[0] for row in rows])
        for i, part in enumerate(SAMPLES):
            names = position_names if part == "q" else joint_names
            values = np.array([row[1][i] for row in rows]).reshape(-1, len(names))
            setattr(self, part, NamedArray(values, names))
        self.energy = NamedArray(np.array([row[2] for row in rows]).reshape(-1, len(ENERGIES)), ENERGIES)

    @property
    def robot(self):
        """The Robot that moved, with what the scenario adds to it; LinkworkError for a run that was pickled."""
        if self._model is None:
            raise LinkworkError("this run was pickled, and no longer has its robot")
        return self._model if isinstance(self._model, Robot) else Robot(Owned(self._model.model, lambda _: None, self._model))

    def __getstate__(self):
        return {**self.__dict__, "_model": None}

    def __len__(self):
        return len(self.t)

    def columns(self):
        """All recorded columns, {name: column}, named as in the program's CSV files."""
        found = {"t": self.t}
        for part in SAMPLES:
            array = getattr(self, part)
            if part in ("voltage", "current") and not np.any(array):
                continue
            found.update({f"{part}.{name}": array[name] for name in array.names})
        found.update({name: self.energy[name] for name in ENERGIES})
        return found

    def plot(self, parts=("q", "qd", "tau"), joints=None, figure=None):
        """Plots parts over time with matplotlib, one panel each, and returns the figure."""
        import matplotlib.pyplot
        figure = figure or matplotlib.pyplot.figure(figsize=(8, 2.2 * len(parts)))
        panels = figure.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
        for panel, part in zip(panels, parts):
            array = getattr(self, part)
            for name in joints or array.names:
                if name in array.names:
                    panel.plot(self.t, array[name], label=name)
            panel.set_ylabel(part)
            panel.grid(True, alpha=0.3)
        panels[0].legend(loc="best", fontsize="small")
        panels[0].set_title(self.name)
        panels[-1].set_xlabel("t, s")
        return figure

    def __repr__(self):
        end = f" to t = {self.t[-1]:g} s" if len(self.t) else ""
        return f"<linkwork.Run '{self.name}': {len(self.t)} records{end}, {len(self.events)} events, {self.outcome}>"


class _Definition:
    """An lwArmDef, its model, and everything that must live as long as its run."""

    def __init__(self, arm, model, names, position_names, duration, record, title, kept):
        self.arm, self.model, self.names, self.position_names = arm, model, names, position_names
        self.duration, self.record, self.title, self.kept = duration, record, title, kept
        self.bridge, self.robot = Bridge(), None

    def event_name(self, which):
        name = text(self.arm.events[which].name)
        return name or f"event {which + 1}"


def _from_scenario(path, options):
    chosen, kept = model_options(**options)
    if isinstance(path, str) and "\n" in path:
        words = path.encode()
        owned, _ = make(lib.lw_scenario_read_text, lib.lw_scenario_destroy, b"scenario", words, len(words), ctypes.byref(chosen))
    else:
        owned, _ = make(lib.lw_scenario_read_file, lib.lw_scenario_destroy, encode(path), ctypes.byref(chosen),
                        what=os.fspath(path))
    scenario = owned.pointer
    arm = declared.lwArmDef()
    ctypes.memmove(ctypes.byref(arm), lib.lw_scenario_arm(scenario), ctypes.sizeof(arm))
    model = lib.lw_scenario_model(scenario)
    from ._robot import _coordinates
    positions, velocities = _coordinates(model, lib.lw_model_robot(model).contents)
    return _Definition(arm, model, [name for _, name in velocities], [name for _, name in positions],
                       lib.lw_scenario_duration(scenario), lib.lw_scenario_record(scenario),
                       text(lib.lw_scenario_name(scenario)), [owned, kept])


def _from_robot(robot):
    arm, begin = lib.lw_arm_def(), robot.neutral()
    arm.model, arm.q = robot._pointer(), begin.ctypes.data
    return _Definition(arm, robot._pointer(), robot.joint_names, robot.position_names, None, 0.01, robot.name,
                       [robot._model(), begin])


def simulate(what, duration=None, *, q=None, qd=None, torques=None, controller=None, kp=None, kd=None, reference=None,
             sensors=None, model=None, drives=None, loads=None, friction=None, limits=None, rotors=None, record=None,
             integrator=None, step=None, rtol=None, atol=None, budget=None, **options):
    """Simulates an arm over time and returns a Run.

    what         a scenario file, the text of one (with a line break), or a Robot
    duration     s; replaces that of a scenario
    q, qd        (n) or {joint: value}, at t = 0
    torques      a callable torques(t, q, qd) that returns (n) N m or N, added to the drives at every evaluation
    controller   'pd-gravity', 'computed-torque' or 'feed-forward', which drives all joints, with the gains kp and kd (n),
                 or one number for all; or a callable controller(t, q, qd) that returns (n) torques
    reference    of the controller: a Trajectory, positions (n), or a callable reference(t) that returns q, qd, qdd
    sensors      what the controller knows: {"offset": .., "scale": .., "velocity_offset": .., "velocity_scale": ..}, each (n) or
                 one number for all, and "seed" for the noise of a scenario's sensors
    model        the Robot that the controller computes with, if it is not the arm itself
    drives       {joint: law} in t, k, n, q, qd: {"elbow": "5*sin(t)"}, N m or N
    loads        {place: wrench} by the environment: a place as in at= of Robot.inverse(), a link, (link, (x, y, z)) or (link,
                 (x, y, z), "base"); a wrench fx fy fz nx ny nz, N and N m, of numbers and laws in t
    friction     'none', 'viscous' or 'full' (default)
    limits       what happens at a position limit: 'note' (default), 'stop' or 'hold'
    rotors       include the inertia of the motors' rotors (default)
    record       time from one record to the next, s
    integrator, step, rtol, atol, budget   as for linkwork.integrate()
    options      of a scenario's robot, as for load(): gravity, strict, ..

    Callables are called on a thread of the run. An exception in one, or Ctrl-C, ends the run and is raised. If the run
    fails, NumericalError is raised, and its `run` holds the records up to there.
    """
    return _run(_define(what, duration, q, qd, torques, (controller, kp, kd, reference, sensors, model), (drives, loads), friction,
                        limits, rotors, record, integrator, step, rtol, atol, budget, options))


def _define(what, duration, q, qd, torques, control, acting, friction, limits, rotors, record, integrator, step, rtol, atol, budget,
            options):
    controller, drives, loads = control[0], *acting
    if isinstance(what, Robot):
        if options:
            raise TypeError(f"a Robot takes no {', '.join(options)}; see Robot.replace()")
        definition = _from_robot(what)
        definition.robot = what
    else:
        definition = _from_scenario(what, options)
    arm, n = definition.arm, len(definition.names)
    if duration is not None:
        definition.duration = float(duration)
    if definition.duration is None or not (np.isfinite(definition.duration) and definition.duration >= 0):
        raise ValueError("duration must be a time, s")
    if record is not None:
        definition.record = float(record)
    if not definition.record > 0:
        raise ValueError(f"record is {definition.record}, expected a time above 0")
    _set_state(definition, what, q, qd)
    _set_integrator(arm, integrator, step, rtol, atol, budget)
    arm.integrator.end = definition.duration
    _set_choice(arm, "friction", friction, FRICTIONS)
    _set_choice(arm, "limits", limits, LIMITS)
    if rotors is not None:
        arm.rotors = bool(rotors)
    if callable(controller):
        if torques is not None:
            raise ValueError("give torques or a callable as controller, not both")
        torques, controller = controller, None
    _set_drives(definition, drives, n)
    _set_controller(definition, controller, *control[1:], n)
    _set_loads(definition, loads)
    _set_torques(definition, torques, n)
    return definition


def _set_state(definition, what, q, qd):
    from ._robot import Names
    for name, value, names in (("q", q, definition.position_names), ("qd", qd, definition.names)):
        if value is None:
            continue
        if isinstance(value, dict):
            neutral = what.neutral() if isinstance(what, Robot) and name == "q" else 0.0
            value = Names([(word, word) for word in names], neutral).array(value, name, definition.title)
        array = numbers(value, (len(names),), name)
        definition.kept.append(array)
        setattr(definition.arm, name, array.ctypes.data)


def _set_integrator(arm, integrator, step, rtol, atol, budget):
    """What is given; the longest step and the budget of a scenario stay."""
    chosen = integrator_def(integrator, step, rtol, atol, budget=budget)
    if step is not None:
        arm.integrator.step = chosen.step
    if budget is not None:
        arm.integrator.most_steps, arm.integrator.most_seconds = chosen.most_steps, chosen.most_seconds
    if integrator is not None or rtol is not None or atol is not None:
        for name in ("method", "step", "relative", "absolute"):
            setattr(arm.integrator, name, getattr(chosen, name))


def _set_choice(arm, name, value, known):
    if value is None:
        return
    if value not in known:
        raise unknown(name, value, list(known))
    setattr(arm, name, known[value])


def _joint_drives(definition, n):
    """A copy of the drives as our own array, including those of the scenario."""
    made = (declared.lwJointDrive * max(1, n))()
    if definition.arm.drives:
        ctypes.memmove(made, definition.arm.drives, n * ctypes.sizeof(declared.lwJointDrive))
    definition.arm.drives = ctypes.cast(made, ctypes.POINTER(declared.lwJointDrive))
    definition.kept.append(made)
    return made


def _set_drives(definition, drives, n):
    if not drives:
        return
    made = _joint_drives(definition, n)
    for joint, law in drives.items():
        if joint not in definition.names:
            raise unknown("joint", joint, definition.names)
        owned, _ = make(lib.lw_law_create_joint, lib.lw_law_destroy, encode(joint), encode(str(law)))
        definition.kept.append(owned)
        made[definition.names.index(joint)] = declared.lwJointDrive(signal=constant["LW_SIGNAL_LAW"], law=owned.pointer)


def _gains(definition, value, n, what):
    if value is None:
        return None
    array = numbers(np.broadcast_to(np.asarray(value, np.float64), (n,)), (n,), what)
    definition.kept.append(array)
    return array.ctypes.data


def _set_loads(definition, loads):
    """Adds loads to those of the scenario."""
    if not loads:
        return
    before = definition.arm.load_count
    rows = (declared.lwLoadDef * (before + len(loads)))(*(definition.arm.loads[i] for i in range(before)))
    for load, (place, wrench) in zip(rows[before:], loads.items()):
        link, point, axes = (place, None, None) if isinstance(place, str) else (*place, None, None)[:3]
        joint = ctypes.c_int()
        if lib.lw_model_find_link(definition.model, encode(link), ctypes.byref(joint)) != 0 or joint.value == BASE:
            raise LinkworkError(f"{definition.title} has no link '{link}' that moves, for a load")
        if axes is not None and axes not in AXES:
            raise unknown("axes of loads", axes, list(AXES))
        frame = declared.lwFrame(joint=joint.value)
        frame.xyz[:] = numbers((0, 0, 0) if point is None else point, (3,), f"point of the load on '{link}'").tolist()
        load.frame, load.in_base, load.to = ctypes.pointer(frame), axes == "base", np.inf
        definition.kept.append(frame)
        if len(wrench) != 6:
            raise ValueError(f"the load on '{link}' has {len(wrench)} entries, expected fx fy fz nx ny nz")
        for i, part in enumerate(wrench):
            if isinstance(part, str):
                law, _ = make(lib.lw_law_create, lib.lw_law_destroy, encode(f"load on {link}"), encode(part))
                load.component[i] = law.pointer
                definition.kept.append(law)
            else:
                load.constant[i] = float(numbers(part, (), f"the load on '{link}'"))
    definition.kept.append(rows)
    definition.arm.load_count, definition.arm.loads = len(rows), rows


def _set_sensors(definition, sensors, model, n):
    controller = definition.arm.controller
    if (sensors or model is not None) and controller.kind == CONTROLS["none"]:
        raise ValueError("sensors and model are those of a controller, and there is none")
    known = [name for name, *_ in declared.lwSensorsDef._fields_]
    for name, value in (sensors or {}).items():
        if name not in known:
            raise unknown("property of sensors", name, known)
        setattr(controller.sensors, name, float(value) if name == "seed" else _gains(definition, value, n, name))
    if model is not None:
        definition.kept.append(model._model())
        controller.model = model._pointer()


def _set_controller(definition, controller, kp, kd, reference, sensors, model, n):
    arm = definition.arm
    if controller is not None:
        if controller not in CONTROLS:
            raise unknown("controller", controller, list(CONTROLS))
        arm.controller = declared.lwControllerDef(kind=CONTROLS[controller])
        for drive in _joint_drives(definition, n)[:n]:
            drive.signal = constant["LW_SIGNAL_CONTROL"]
    for name, value in (("kp", kp), ("kd", kd)):
        if value is not None:
            setattr(arm.controller, name, _gains(definition, value, n, name))
    _set_sensors(definition, sensors, model, n)
    if reference is not None:
        if arm.controller.kind == CONTROLS["none"]:
            raise ValueError("reference is given, but no controller follows it")
        _set_reference(definition, reference, len(definition.position_names), n)


def _set_reference(definition, reference, nq, n):
    controller = definition.arm.controller
    if isinstance(reference, Trajectory):
        controller.reference = ctypes.cast(lib.lw_trajectory_at, declared.lwReference)  # the same signature
        controller.context = reference._pointer()
        definition.kept += [reference._owned, reference]
        return
    if callable(reference):
        def give(_, t, q, qd, qdd):
            found = reference(t)
            if not isinstance(found, (tuple, list)) or len(found) != 3:
                raise TypeError("reference(t) must return q, qd and qdd")
            for address, value, what, width in zip((q, qd, qdd), found, ("q", "qd", "qdd"), (nq, n, n)):
                fill(view(address, width), value, f"reference(t): {what}")
    else:
        fixed = numbers(reference, (nq,), "reference")

        def give(_, t, q, qd, qdd):
            view(q, nq)[:] = fixed
            view(qd, n)[:] = 0
            view(qdd, n)[:] = 0
    callback = declared.lwReference(definition.bridge.guard(give))
    definition.kept.append(callback)
    controller.reference, controller.context = callback, None


def _set_torques(definition, torques, n):
    if torques is None:
        return
    nq = len(definition.position_names)

    def give(_, t, q, qd, tau):
        fill(view(tau, n), torques(t, view(q, nq).copy(), view(qd, n).copy()), "torques(t, q, qd)")

    callback = declared.lwArmTorques(definition.bridge.guard(give))
    definition.kept.append(callback)
    definition.arm.torques = callback


def _run(definition):
    bridge = definition.bridge
    with Findings() as findings:
        made = ctypes.c_void_p()
        status = lib.lw_arm_run_create(ctypes.byref(definition.arm), findings.pointer, ctypes.byref(made))
        try:
            bridge.reraise()
            findings.require(status, definition.title)
            return bridge.run(lambda: _record(definition, made.value))
        finally:
            lib.lw_arm_run_destroy(made)


def _sample(run, n, nq):
    sample = lib.lw_arm_run_sample(run)
    arrays = [doubles(getattr(sample, part), nq if part == "q" else n) for part in SAMPLES]
    return sample.t, arrays, [getattr(sample, name) for name in ENERGIES]


def _record(definition, run):
    n, nq, bridge = len(definition.names), len(definition.position_names), definition.bridge
    rows, outcome = [], "arrived"
    for t in record_times(definition.duration, definition.record).tolist():
        outcome = OUTCOMES[lib.lw_arm_run_advance(run, t, ctypes.byref(bridge.stop))]
        if outcome == "stopped" or outcome in FAILED:
            break
        rows.append(_sample(run, n, nq))
        if outcome != "arrived":
            break
    found = Run(definition.title, definition.names, definition.position_names, rows, _events(definition, run), outcome,
                _audit(run))
    found._model = definition.robot or definition
    if bridge.error is None and outcome in FAILED:
        error = NumericalError(f"{definition.title}: {_why(run, outcome)} (after t = {lib.lw_arm_run_time(run):g} s)")
        error.run = found
        raise error
    distrust(found.audit)
    return found


def _why(run, outcome):
    words = ctypes.create_string_buffer(1000)
    lib.lw_arm_run_why(run, words, len(words))
    return ("the budget is used up: " if outcome == "budget" else "") + text(words.value)


def _events(definition, run):
    audit = lib.lw_arm_run_audit(run)
    notes = ctypes.cast(audit.notes, ctypes.POINTER(declared.lwNote))
    found = []
    for i in range(audit.note_count):
        kind = NOTES[notes[i].kind]
        name = definition.event_name(notes[i].which) if kind == "event" else definition.names[notes[i].which]
        found.append(Event(t=notes[i].t, kind=kind, name=name))
    return found


def _audit(run):
    audit = lib.lw_arm_run_audit(run)
    record = stats_record(audit.steps)
    record.update({name: getattr(audit, name) for name in
                   ("events", "samples", "peak_kinetic", "worst_S", "turnover", "bound", "trusted", "drive_work", "friction_work", "stop_work", "load_work")})
    return record


def _own(made, definition):
    return Owned(made.value, lib.lw_arm_run_destroy, definition, definition.kept)


class Simulation(Closable):
    """A run that goes on step by step: advance(), state(), save(), restore(), copy(). Arguments as for simulate()."""

    def __init__(self, what, duration=None, *, q=None, qd=None, torques=None, controller=None, kp=None, kd=None, reference=None,
                 sensors=None, model=None, drives=None, loads=None, friction=None, limits=None, rotors=None, integrator=None,
                 step=None, rtol=None, atol=None, budget=None, **options):
        definition = _define(what, duration, q, qd, torques, (controller, kp, kd, reference, sensors, model), (drives, loads), friction,
                             limits, rotors, None, integrator, step, rtol, atol, budget, options)
        made = ctypes.c_void_p()
        with Findings() as findings:
            status = lib.lw_arm_run_create(ctypes.byref(definition.arm), findings.pointer, ctypes.byref(made))
            definition.bridge.reraise()
            findings.require(status, definition.title)
        self._definition, self._owned = definition, _own(made, definition)
        self.joint_names, self.name = list(definition.names), definition.title

    @property
    def t(self):
        """The time reached, s."""
        return lib.lw_arm_run_time(self._pointer())

    def advance(self, t):
        """Goes on to time t, s; returns the outcome: 'arrived', 'condition', 'limit', .. Raises NumericalError if it fails."""
        if not (np.isfinite(t) and t >= self.t):
            raise ValueError(f"t is {t}, expected a time from {self.t:g} s on")
        pointer, bridge = self._pointer(), self._definition.bridge
        bridge.stop.value = 0
        outcome = OUTCOMES[bridge.run(lambda: lib.lw_arm_run_advance(pointer, float(t), ctypes.byref(bridge.stop)))]
        if outcome in FAILED:
            raise NumericalError(f"{self.name}: {_why(pointer, outcome)} (after t = {self.t:g} s)")
        return outcome

    def state(self):
        """Record of t, q, qd, qdd, tau, voltage, current, friction and energy, as in a Run; voltage and current are nan for
        joints without a motor that is driven by them."""
        definition, pointer = self._definition, self._pointer()
        t, arrays, energy = _sample(pointer, len(definition.names), len(definition.position_names))
        values = dict(zip(SAMPLES, arrays))
        for name, has in (("voltage", lib.lw_arm_run_has_voltage), ("current", lib.lw_arm_run_has_current)):
            values[name] = np.array([value if has(pointer, k) else np.nan for k, value in enumerate(values[name])])
        return Record(t=t, **values, energy=dict(zip(ENERGIES, energy)))

    @property
    def events(self):
        """Events so far, as Event objects."""
        return _events(self._definition, self._pointer())

    @property
    def audit(self):
        """Steps, work and worst S so far, as Run.audit."""
        return _audit(self._pointer())

    def tally(self, kind, joint):
        """How often a note of that kind ('upper', 'stick', ..) happened to a joint, and when first: (count, t)."""
        kinds = {word: value for value, word in NOTES.items()}
        if kind not in kinds or joint not in self.joint_names:
            raise unknown("kind of event" if kind not in kinds else "joint", kind if kind not in kinds else joint,
                          list(kinds) if kind not in kinds else self.joint_names)
        found = lib.lw_arm_run_tally(self._pointer(), kinds[kind], self.joint_names.index(joint))
        return found.count, found.first

    def stable_step(self):
        """Record of step (s: the longest stable fixed step here; inf: no limit is known), and the joint that moves most in the
        mode that needs it."""
        found = declared.lwStableStep()
        if lib.lw_arm_run_stable_step(self._pointer(), ctypes.byref(found)) != 0:
            raise MemoryError("linkwork: out of memory")
        return Record(step=found.step, joint=self.joint_names[found.joint] if found.joint >= 0 else None)

    def save(self):
        """The state as bytes: everything from which it goes on. What callables keep is theirs."""
        size = lib.lw_arm_run_save(self._pointer(), None, 0)
        state = ctypes.create_string_buffer(size)
        lib.lw_arm_run_save(self._pointer(), state, size)
        return state.raw

    def restore(self, state):
        """Goes back to a saved state, also that of another Simulation of the same definition; goes on to the last bit."""
        with Findings() as findings:
            findings.require(lib.lw_arm_run_restore(self._pointer(), bytes(state), len(state), findings.pointer), self.name)

    def copy(self):
        """A copy in the same state, that goes on by itself."""
        made = ctypes.c_void_p()
        with Findings() as findings:
            findings.require(lib.lw_arm_run_clone(self._pointer(), findings.pointer, ctypes.byref(made)), self.name)
        twin = object.__new__(Simulation)
        twin._definition, twin._owned = self._definition, _own(made, self._definition)
        twin.joint_names, twin.name = self.joint_names, self.name
        return twin

    def __repr__(self):
        return "<linkwork.Simulation, closed>" if self.closed else f"<linkwork.Simulation '{self.name}' at t = {self.t:g} s>"
