# SPDX-License-Identifier: MIT
"""Which parameters torques depend on, motions that excite them, and their estimates from a log."""

import ctypes

import numpy as np

from ._library import Closable, constant, declared, doubles, encode, lib, make, numbers, text
from ._registry import unknown
from ._robot import Record, Robot, model_options
from ._running import NamedArray

TERMS = [text(lib.lw_term_name(i)) for i in range(constant["LW_TERM_COUNT"])]


def _terms(names):
    names = [names] if isinstance(names, str) else names
    for name in names:
        if name not in TERMS:
            raise unknown("term", name, TERMS)
    return sum(1 << TERMS.index(name) for name in names)


class BaseParameter(Record):
    """A combination of the links' parameters that torques depend on: name ("upper_arm.xx - forearm.yy + .."), unit, value by
    the robot's file, column of the regressor that it multiplies, and factors (10 links) of all parameters."""


class BaseParameters(list):
    """The base parameters, as BaseParameter objects: torque is the sum of their columns of the regressor times their values.
    names: of all columns; idle (10 links): parameters that no torque depends on; by_rules, by_rank: the counts of two ways."""


def base_parameters(self):
    """The combinations of the links' mass parameters that torques depend on, as BaseParameters."""
    owned, _ = make(lib.lw_parameters_create, lib.lw_parameters_destroy, self._pointer(), kept=(self._model(),))
    counts, found = lib.lw_parameters_count(owned.pointer), BaseParameters()
    found.by_rules, found.by_rank = counts.by_rules, counts.by_rank
    for i in range(counts.by_rank if counts.by_rules < 0 else counts.by_rules):
        one = lib.lw_parameters_base(owned.pointer, i)
        found.append(BaseParameter(name=text(one.name), unit=text(one.unit), value=one.value, column=one.column,
                                   factors=doubles(one.factors, counts.all)))
    found.names = [text(lib.lw_parameters_name(owned.pointer, i)) for i in range(counts.all)]
    found.idle = np.array([lib.lw_parameters_idle(owned.pointer, i) for i in range(counts.all)])
    owned.close()
    return found


def mass_parameters(self, terms=()):
    """The parameters (10 links + n terms) that the file gives: regressor(q, qd, qdd) @ them are the torques. terms: 'rotor',
    'viscous', 'coulomb' and 'offset', in this order; extended_regressor() has the columns."""
    mask = _terms(terms)
    pi = np.empty(lib.lw_regressor_columns(self._pointer(), mask))
    lib.lw_regressor_parameters(self._pointer(), mask, pi.ctypes.data)
    return pi


def extended_regressor(self, q, qd=None, qdd=None, *, terms=()):
    """regressor() with columns for what drives must supply besides: 'rotor', 'viscous', 'coulomb', 'offset', n of each:
    (..., n, 10 links + n terms)."""
    mask, Y = _terms(terms), self.regressor(q, qd, qdd)
    given = {name: self._state(name, value) for name, value in (("q", q), ("qd", qd), ("qdd", qdd)) if value is not None}
    lead, columns = Y.shape[:-2], lib.lw_regressor_columns(self._pointer(), mask)
    rows = {name: numbers(np.broadcast_to(array, (*lead, array.shape[-1])), (*lead, array.shape[-1]), name).reshape(-1, array.shape[-1])
            for name, array in given.items()}
    flat, out = np.ascontiguousarray(Y).reshape(-1, *Y.shape[-2:]), np.empty((int(np.prod(lead, dtype=np.int64)), self.dof, columns))
    for i in range(len(out)):
        state = declared.lwStates(**{name: row[i].ctypes.data for name, row in rows.items()})
        lib.lw_regressor_extend(self._pointer(), mask, ctypes.byref(state), flat[i].ctypes.data, out[i].ctypes.data)
    return out.reshape(*lead, self.dof, columns)


class Excitation(Closable):
    """A motion that makes identification well conditioned: excitation(t) gives (q, qd, qdd), sample(dt) also t. duration (s);
    before and after: condition numbers of the first motion tried and of this one; parameters: how many it is for; effort:
    largest torque over its limit; height: of the lowest shape above the floor, m."""

    def __init__(self, owned, arm, duration):
        self._owned, self.dof, self.duration = owned, arm.dof, duration
        found = lib.lw_excitation_summary(owned.pointer)
        for name, *_ in found._fields_:
            setattr(self, name, getattr(found, name))

    def __call__(self, t):
        """q, qd and qdd at time t (..., in s): arrays (..., n)."""
        times = np.asarray(t, np.float64)
        rows = np.empty((3, times.size, self.dof))
        for i, time in enumerate(times.ravel().tolist()):
            lib.lw_excitation_at(self._pointer(), time, *(rows[k, i].ctypes.data for k in range(3)))
        return tuple(part.reshape(*times.shape, self.dof) for part in rows)

    def sample(self, dt):
        """t, q, qd, qdd every dt s."""
        if not (np.isfinite(dt) and dt > 0):
            raise ValueError(f"dt is {dt}, expected a time above 0")
        t = dt * np.arange(int(self.duration / dt + 1e-9) + 1)
        return (t, *self(t))


def excite(self, duration=None, *, harmonics=None, velocity=None, acceleration=None, tries=None, seed=None):
    """A motion to record for identify(), as an Excitation: Fourier series of the joints within all limits, above the floor.

    duration      s; default 20
    harmonics     sines and cosines of each joint; default 10
    velocity, acceleration   (n) limits besides those of the robot
    tries, seed   motions that are tried (500); the same seed gives the same motion
    """
    definition, kept = lib.lw_excite_def(), []
    for name, value in (("duration", duration), ("harmonics", harmonics), ("tries", tries), ("seed", seed)):
        if value is not None:
            setattr(definition, name, value)
    for name, value in (("velocity", velocity), ("acceleration", acceleration)):
        if value is not None:
            kept.append(numbers(np.broadcast_to(np.asarray(value, np.float64), (self.dof,)), (self.dof,), name))
            setattr(definition, name, kept[-1].ctypes.data)
    owned, _ = make(lib.lw_excite, lib.lw_excitation_destroy, self._pointer(), ctypes.byref(definition), kept=(self._model(),))
    return Excitation(owned, self, definition.duration)


class Estimate(Record):
    """A number that the log determines: name, unit, file (by the description), value (by least squares), error (standard error)
    and possible (in the physically consistent robot)."""


class Identified(Record):
    """The result of identify(): estimates (list of Estimate), correlation (count, count) of their errors, fit and joints (how
    it went, {joint: Record}), robot (physically consistent, with its friction and motors) and t, measured and predicted:
    torques over time, filtered; samples from fit.fitted on were held back."""


def identify(self, t, q=None, tau=None, *, qd=None, qdd=None, current=None, viscous=False, coulomb=False, offset=False,
             rotors=False, cutoff=None, unexplained=None, held_back=None):
    """Identifies the robot's parameters from a log of its motion, as Identified.

    t, q, tau    (m,) s in equal steps, (m, nq) positions and (m, n) torques; or t is the path of a CSV file
    qd, qdd      (m, n); None: made from q
    current      (m, n) A, instead of tau
    viscous, coulomb, offset, rotors   estimate these of every joint, too
    cutoff       Hz, of the zero-phase filter; None: by standard errors
    unexplained  largest part of a torque that may stay unexplained, 0.2; inf: any
    held_back    part of the log that tests the result, 0.25
    """
    definition = lib.lw_identify_def()
    definition.viscous, definition.coulomb, definition.offset, definition.rotors = map(bool, (viscous, coulomb, offset, rotors))
    for name, value in (("cutoff", cutoff), ("unexplained", unexplained), ("held_back", held_back)):
        if value is not None:
            setattr(definition, name, float(value))
    if q is None:
        log, _ = make(lib.lw_log_read_file, lib.lw_log_destroy, encode(t), self._pointer())
        data = lib.lw_log_data(log.pointer)
        definition.current = not data.contents.tau
    else:
        data, log = _log(self, t, dict(q=q, qd=qd, qdd=qdd, tau=tau, current=current))
        definition.current = tau is None
    owned, findings = make(lib.lw_identify, lib.lw_identified_destroy, self._pointer(), data, ctypes.byref(definition),
                           kept=(self._model(), log))
    found = _identified(self, owned.pointer)
    found.diagnostics = findings
    owned.close()
    return found


def _log(arm, t, given):
    times = numbers(t, (None,), "t")
    kept = {"t": times}
    for name, value in given.items():
        if value is not None:
            kept[name] = numbers(value, (len(times), arm.nq if name == "q" else arm.dof), name)
    data = declared.lwLogDef(count=len(times), **{name: array.ctypes.data for name, array in kept.items()})
    return ctypes.pointer(data), kept


def _fields(struct):
    return Record(**{name: getattr(struct, name) for name, *_ in struct._fields_})


def _identified(arm, result):
    count, series = lib.lw_identified_count(result), lib.lw_identified_series(result)
    estimates = []
    for i in range(count):
        one = lib.lw_identified_estimate(result, i)
        estimates.append(Estimate(name=text(one.name), unit=text(one.unit), file=one.file, value=one.value, error=one.error,
                                  possible=one.possible))
    correlation = np.array([[lib.lw_identified_correlation(result, i, j) for j in range(count)] for i in range(count)])
    options, _ = model_options(allow_bad_inertia=True, allow_inert=True)
    owned, _ = make(lib.lw_model_create, lib.lw_model_destroy, lib.lw_identified_robot(result), ctypes.byref(options))
    shape = (series.count, arm.dof)
    return Identified(estimates=estimates, correlation=correlation.reshape(count, count),
                      fit=_fields(lib.lw_identified_fit(result)),
                      joints={name: _fields(lib.lw_identified_joint(result, i)) for i, name in enumerate(arm.joint_names)},
                      robot=Robot(owned, (), arm._threads), t=doubles(series.t, series.count),
                      measured=NamedArray(doubles(series.measured, *shape), arm.joint_names),
                      predicted=NamedArray(doubles(series.predicted, *shape), arm.joint_names))


Robot.base_parameters, Robot.mass_parameters, Robot.extended_regressor = base_parameters, mass_parameters, extended_regressor
Robot.excite, Robot.identify = excite, identify
