# SPDX-License-Identifier: MIT
"""Derivatives of answers in the state and in the robot's constants, exact but for rounding: values and Jacobians as arrays."""

import ctypes

import numpy as np

from ._errors import LinkworkError
from ._library import constant, declared, encode, lib, make, numbers, text
from ._registry import INPUTS, QUESTIONS, unknown
from ._robot import WITH_METHODS, Record, Robot
from ._snake import ANSWERS, Snake

KINDS = [text(lib.lw_parameter_kind_name(i)) for i in range(constant["LW_PARAMETER_KIND_COUNT"])]
SNAKE_KINDS = ("length", "mass", "inertia", "wheel_offset")


class Constant(Record):
    """A constant of a robot: name ("mass", "com.x", "alpha", ..), joint (that carries the link; None for gravity), kind, value
    in its SI unit, and linear: whether torques are linear in it."""


def _all_parameters(robot):
    model = robot._pointer()
    return [lib.lw_parameter_get(model, kind, i) for kind in range(len(KINDS)) for i in range(lib.lw_parameter_count(model, kind))]


def _constant(robot, parameter):
    model, kind = robot._pointer(), KINDS[parameter.kind]
    joint = None if kind == "gravity" else text(robot._description().joints[parameter.joint].name)
    return Constant(name=text(lib.lw_parameter_name(model, parameter)), joint=joint, kind=kind,
                    value=lib.lw_parameter_value(model, parameter), linear=bool(lib.lw_parameter_is_linear(parameter.kind)))


def _spelt(found):
    return found.name if found.joint is None else f"{found.joint}.{found.name}"


def constants(self, kind=None):
    """The constants of the robot in which answers can be differentiated, {"elbow.mass": Constant, "gravity.z": ..}: masses,
    centres of mass, inertias, lengths, angles and gravity; kind: one of these words ('mass', 'com', 'inertia', 'length',
    'angle', 'gravity')."""
    if kind is not None and kind not in KINDS:
        raise unknown("kind of constant", kind, KINDS)
    found = [_constant(self, parameter) for parameter in _all_parameters(self)]
    return {_spelt(one): one for one in found if kind in (None, one.kind)}


def _chosen(robot, names):
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        return names, []
    known = {_spelt(_constant(robot, parameter)): parameter for parameter in _all_parameters(robot)}
    for name in names:
        if name not in known:
            raise unknown(f"constant of {robot.name}", name, list(known))
    return names, [known[name] for name in names]


def _directions(kind, widths):
    """Unit directions in each input in turn, as an array of structs, and the memory they point to."""
    total = sum(widths.values())
    unit, structs, at = np.eye(total), (kind * max(1, total))(), 0
    for name, width in widths.items():
        for k in range(width):
            setattr(structs[at + k], name, unit[at + k, at:].ctypes.data)
        at += width
    return structs, unit, total


def slopes(self, question, q, qd=None, qdd=None, tau=None, *, wrench=None, wrt=None, constants=(), method=None, rotors=False,
           open_tree=False):
    """The answer to a question and its derivatives, in one call: (value, {input: Jacobian}).

    question    'inverse', 'forward', 'pose', .. any of linkwork.questions()
    q, qd, ..   as for the question; axes before the last are broadcast
    wrt         the inputs in which to differentiate: ("q", "qd"); None: all arrays that the question takes and were given
    constants   names of constants(): ["elbow.mass"]; their derivatives are under "constants"

    The value has the shape (..., *answer) and the Jacobian in an input (..., *answer, n): of ball and floating joints in the
    tangent space, as velocities are; of constants (..., *answer, count). Answers of several parts are flat arrays of numbers.
    Numbers with derivatives go through the same kernels, so there are no step sizes.
    """
    if question not in QUESTIONS:
        raise unknown("question", question, list(QUESTIONS))
    asked = QUESTIONS[question]
    given = {name: value for name, value in zip(INPUTS, (q, qd, qdd, tau, wrench)) if value is not None}
    for name in given:
        if name not in asked.inputs:
            raise LinkworkError(f"'{question}' does not depend on {name}, only on {', '.join(asked.inputs)}")
    wrt = [name for name in asked.inputs if name in given] if wrt is None else [wrt] if isinstance(wrt, str) else list(wrt)
    for name in wrt:
        if name not in asked.inputs:
            raise unknown(f"input of {question}", name, list(asked.inputs))
    self._refuse_untaken(asked, open_tree)
    self._refuse_inert(asked, rotors)
    names, parameters = _chosen(self, constants)
    if not (names or method or rotors or wrench is not None) and (open_tree or not len(self.loop_rows)):
        found = _by_questions(self, question, given, wrt, open_tree)
        if found:
            return found
    widths = {name: 6 if name == "wrench" else self.dof for name in wrt}
    if names:
        widths["parameters"] = len(names)
    value, J = _differentiate(self, asked, given, widths, parameters, self._methods(question, method), rotors)
    cuts = np.cumsum(list(widths.values()))[:-1]
    parts = np.split(J, cuts, axis=-1) if widths else []
    return value, {("constants" if name == "parameters" else name): np.ascontiguousarray(part)
                   for name, part in zip(widths, parts)}


def _by_questions(arm, question, given, wrt, open_tree):
    """Derivatives of torques and accelerations by the questions about them, which take many states at a time; None: of others."""
    if question not in ("inverse", "forward") or not wrt:
        return None
    value = getattr(arm, question)(*(given.get(name) for name in ("q", "qd")), given.get("qdd" if question == "inverse" else "tau"),
                                   open_tree=open_tree)
    lead, J = value.shape[:-1], {}
    q, qd = arm._state("q", given["q"]), given.get("qd")
    if question == "inverse":
        last, by_last = "qdd", lambda: arm.inertia(q, open_tree=open_tree)
        both = arm.inverse_derivatives(q, qd, given.get("qdd"), open_tree=open_tree) if {"q", "qd"} & set(wrt) else None
    else:
        last, by_last = "tau", lambda: arm.inertia_inverse(q, open_tree=open_tree)
        both = arm.forward_derivatives(q, qd, given.get("tau"), open_tree=open_tree) if {"q", "qd"} & set(wrt) else None
    for name in wrt:
        found = by_last() if name == last else both[..., ("q", "qd").index(name), :, :]
        J[name] = np.array(np.broadcast_to(found, (*lead, arm.dof, arm.dof)))
    return value, J


def _differentiate(arm, asked, given, widths, parameters, methods, rotors):
    arrays = {name: arm._state(name, value) for name, value in given.items()}
    lead = arm._leading(arrays)
    rows = {name: numbers(np.broadcast_to(array, (*lead, array.shape[-1])), (*lead, array.shape[-1]), name)
            for name, array in arrays.items()}
    arm._check_quaternions(rows.get("q"))
    definition = lib.lw_workspace_def()
    definition.open_tree, definition.rotors = True, bool(rotors)
    kept = [encode(name) for name in methods]
    for name, word in zip(WITH_METHODS, kept):
        setattr(definition, name, word)
    listed = (declared.lwParameter * max(1, len(parameters)))(*parameters)
    owned, _ = make(lib.lw_differentiator_create, lib.lw_differentiator_destroy, arm._pointer(), ctypes.byref(definition),
                    listed, len(parameters), kept=(arm._model(),))
    directions, unit, total = _directions(declared.lwTangent, widths)
    count, outputs = int(np.prod(lead, dtype=np.int64)), lib.lw_question_outputs(arm._pointer(), asked.index)
    value, J = np.empty((count, outputs)), np.empty((count, total, outputs))
    state = declared.lwStates()
    bases = [(name, row.ctypes.data, 8 * row.shape[-1]) for name, row in rows.items()]
    for i in range(count):
        for name, base, size in bases:
            setattr(state, name, base + i * size)
        lib.lw_differentiate(owned.pointer, asked.index, ctypes.byref(state), directions, total,
                             value.ctypes.data + i * 8 * outputs, J.ctypes.data + i * 8 * outputs * total)
    owned.close()
    del unit, kept
    shape = arm._shapes[asked.index]
    return value.reshape(*lead, *shape), np.moveaxis(J, 1, 2).reshape(*lead, *shape, total)


def snake_slopes(self, theta, u=None, torque=None, *, want="udot", wrt=("theta", "u", "torque"), constants=(), method=None):
    """Derivatives of one answer of motion() at one state: (value, {input: Jacobian}).

    wrt         inputs: "theta", "u", "torque"
    constants   kinds: "length", "mass", "inertia", "wheel_offset", each for all links: Jacobians (*answer, n)
    """
    if want not in ANSWERS:
        raise unknown("answer about snakes", want, list(ANSWERS))
    sizes = {"theta": self.n, "u": 2, "torque": self.n - 1}
    for name in wrt:
        if name not in sizes:
            raise unknown("input of a snake", name, list(sizes))
    for name in constants:
        if name not in SNAKE_KINDS:
            raise unknown("kind of constant of a snake", name, list(SNAKE_KINDS))
    rows = {name: numbers(value, (sizes[name],), name) for name, value in (("theta", theta), ("u", u), ("torque", torque))
            if value is not None}
    widths = {name: sizes[name] for name in wrt} | {name: self.n for name in constants}
    total, shape = sum(widths.values()), ANSWERS[want](self.n)
    unit, directions, at = np.eye(max(1, total)), (declared.lwSnakeTangent * max(1, total))(), 0
    for name, width in widths.items():
        for k in range(width):
            place = unit[at + k, at:].ctypes.data
            if name in sizes:
                setattr(directions[at + k], name, place)
            else:
                directions[at + k].parameters[SNAKE_KINDS.index(name)] = place
        at += width
    J = np.empty((total, int(np.prod(shape))))
    definition, answers = lib.lw_snake_workspace_def(), declared.lwSnakeAnswers(**{want: J.ctypes.data})
    word = encode(method)
    if word is not None:
        definition.method = word
    state = declared.lwSnakeStates(**{name: row.ctypes.data for name, row in rows.items()})
    self._succeed(lib.lw_snake_differentiate(self._pointer(), ctypes.byref(definition), ctypes.byref(state),
                                             directions, total, ctypes.byref(answers)))
    value = getattr(self.motion(theta, u, torque, want=want, method=method), want)
    parts = np.split(np.moveaxis(J.reshape(total, *shape), 0, -1), np.cumsum(list(widths.values()))[:-1], axis=-1)
    return value, {name: np.ascontiguousarray(part) for name, part in zip(widths, parts)}


def _succeed(self, status):
    if status != 0:
        raise LinkworkError(text(lib.lw_status_text(status)))


Robot.constants, Robot.slopes, Snake.slopes, Snake._succeed = constants, slopes, snake_slopes, _succeed
