# SPDX-License-Identifier: MIT
"""The questions of the registry as methods of Robot: arm.inverse(q, qd, qdd), arm.inertia(q), ..

They are generated from the library's own table, so a new question of the library becomes a method at the next build. The
fast path, contiguous arrays with options that were used before, is one call into C; everything else goes through Robot._ask().
"""

import math

import numpy as np

from . import _native
from ._library import constant
from ._registry import QUESTIONS
from ._robot import METHOD_KINDS, WITH_METHODS, Centroidal, Control, Pose, Robot

ABOUT = {
    "q": "positions (..., nq), rad or m; or a dictionary {joint: value}, zero for joints not named",
    "qd": "velocities (..., n), rad/s or m/s; None: zeros",
    "qdd": "accelerations (..., n), rad/s^2 or m/s^2; None: zeros",
    "tau": "torques or forces of the drives (..., n), N m or N; None: zeros",
    "wrench": "(..., 6) fx fy fz nx ny nz, N and N m, exerted by the environment on the last link, at the origin of its "
              "frame and in its axes",
    "method": "a name or alias of linkwork.methods('KIND'); None: auto, the fastest for this robot",
    "link": "the link whose frame is used, by its name or that of its joint; None: the last",
    "tool": "x y z, or x y z roll pitch yaw, of a frame in that link's frame, m and rad",
    "rotors": "include the inertia of the motors' rotors",
    "refine": "steps of iterative refinement after a factorisation",
    "gravity": "(3) acceleration of gravity in the base frame for this call, m/s^2",
    "payload": "{link: mass} for this call; see replace()",
    "dtype": "float32: computed in single precision; None: float32 if all arrays are, else float64",
    "out": "an array for the result, which is also returned; contiguous doubles are written directly",
    "open_tree": "True: of a robot with closed loops, the answer for its open tree of joints, in which every joint is free",
    "at": "where wrenches act: a list of links, (link, (x, y, z)) or (link, (x, y, z), 'base'), in axes of the link or the base; "
          "wrench then has the shape (..., places, 6)",
    "check": "False: inputs that are not finite give answers that are not finite, instead of ValueError",
}
# Options of a question besides its inputs, with their defaults
OPTIONS = {"method": "None", "link": "None", "tool": "None", "rotors": "False", "refine": "0", "gravity": "None",
           "payload": "None", "dtype": "None", "out": "None", "open_tree": "False", "at": "None", "check": "True"}


def _options(question):
    chosen = dict(OPTIONS)
    if question.name not in METHOD_KINDS:
        del chosen["method"]
    if not question.chooses & constant["LW_CHOOSES_FRAME"]:
        del chosen["link"], chosen["tool"]
    if not question.chooses & constant["LW_CHOOSES_ROTORS"]:
        del chosen["rotors"]
    if not question.chooses & constant["LW_CHOOSES_REFINEMENT"]:
        del chosen["refine"]
    if "wrench" not in question.inputs:
        del chosen["at"]
    if question.takes & constant["LW_TAKES_LOOPS"]:
        del chosen["open_tree"]
    return chosen


def _documentation(question, options):
    shape = ", ".join(["...", *(question.axes or ("numbers",))])
    result = NAMED[question.name][1] if question.name in NAMED else f"{question.symbol} ({shape})"
    lines = [f"{question.summary[0].upper()}{question.summary[1:]}.", "", f"Returns {result}: {question.answer}."]
    if question.formula:
        lines.append(f"{question.formula[0].upper()}{question.formula[1:]}." if "=" not in question.formula else question.formula)
    if len(question.quantities) > 1:
        lines += [f"  {' '.join(quantity.names) or quantity.symbol}: {quantity.meaning}, "
                  f"{' or '.join(dict.fromkeys(quantity.units))}" for quantity in question.quantities]
    lines.append("")
    kind = WITH_METHODS[METHOD_KINDS.get(question.name, 0)]
    for name in [*question.inputs, *options]:
        about = ABOUT[name].replace("KIND", kind)
        lines.append(f"{name:8} {about}")
    lines += ["", "Axes before the last are broadcast as by NumPy; many states are answered in vector lanes and by",
              "Robot.threads threads, with the GIL released. Contiguous doubles are not copied."]
    return "\n".join(lines)


def _pose(numbers):
    return Pose(numbers[..., :3], numbers[..., 3:].reshape(*numbers.shape[:-1], 3, 3))


def _centroidal(numbers):
    return Centroidal(*(numbers[..., 3 * k:3 * k + 3] for k in range(len(Centroidal._fields))))


def _control(numbers):
    n = math.isqrt(numbers.shape[-1] - 2) - 4  # n^2 + 8 n + 18 numbers
    bias, gravity, rate, pose, jacobian, inertia = np.split(numbers, np.cumsum((n, n, 6, 12, 6 * n)), axis=-1)
    before = numbers.shape[:-1]
    return Control(bias, gravity, rate, _pose(pose), jacobian.reshape(*before, 6, n), inertia.reshape(*before, n, n))


# Answers that are returned as named tuples, with their documentation
NAMED = {
    "pose": (_pose, "Pose(position (..., 3), rotation (..., 3, 3)); out has 12 entries for each state"),
    "poses": (_pose, "Pose(position (..., joints, 3), rotation (..., joints, 3, 3)), whose matrix is (..., joints, 4, 4); out "
                     "has 12 entries for each joint"),
    "centroidal": (_centroidal, "Centroidal(com, momentum, angular_momentum, momentum_rate, angular_momentum_rate), each (..., "
                                "3); out has 15 entries for each state"),
    "control": (_control, "Control(bias (..., n), gravity (..., n), jacobian_rate (..., 6), pose, jacobian (..., 6, n), inertia "
                          "(..., n, n)); out has n^2 + 8 n + 18 entries for each state"),
}


# The fast path: a solver of the default options, or one that the general path has made before for these options. It takes
# contiguous arrays of double or of float; _retry() converts lists and dictionaries for it.
SOURCE = """
def {name}({signature}):
    if {plain}:
        solver = self._plain[{index}]
    else:
        solver = {choice}
    if solver is not None:
        try:
            result = solver.answer({index}, {inputs}, out, check)
            if result is NotImplemented:
                result = self._retry(solver, {index}, {given}, ({chosen}), out, check)
        except NotFinite as error:
            raise self._not_finite(error, {given}) from None
        if result is not NotImplemented:
            if dtype is not None and out is None:
                result = result.astype(dtype, copy=False)
            return {result}
    result = self._ask(question, {given}, {rest})
    return {result}
"""
CHOICES = ("method", "link", "tool", "rotors", "refine", "gravity", "payload", "dtype", "open_tree")


def _make(question):
    options = _options(question)
    positional = [name for name in question.inputs if name != "wrench"]
    keywords = [name for name in question.inputs if name == "wrench"]
    signature = ", ".join(["self", *(f"{name}{'' if name == 'q' else '=None'}" for name in positional), "*",
                           *(f"{name}=None" for name in keywords), *(f"{name}={value}" for name, value in options.items())])
    tests = [f"{name} is None" if value == "None" else f"not {name}" for name, value in options.items()
             if name not in ("out", "check")]
    inputs = ", ".join(name if name in question.inputs else "None" for name in ("q", "qd", "qdd", "tau", "wrench"))
    given = "{" + ", ".join(f"'{name}': {name}" for name in question.inputs) + "}"
    chosen = ", ".join(name if name in options else OPTIONS[name] for name in CHOICES)
    source = SOURCE.format(name=question.attribute, signature=signature, plain=" and ".join(tests), index=question.index,
                           inputs=inputs, given=given, rest=", ".join(f"{name}={name}" for name in options), chosen=chosen,
                           choice=f"self._chosen({question.index}, {chosen})" + (" if at is None else None" if "at" in options else ""),
                           result="named(result)" if question.name in NAMED else "result")
    scope = {"question": question, "NotFinite": _native.NotFinite, "named": NAMED.get(question.name, (None,))[0]}
    exec(source, scope)
    function = scope[question.attribute]
    function.__doc__ = _documentation(question, options)
    function.__qualname__ = f"Robot.{question.attribute}"
    function.__module__ = "linkwork"
    return function


for _question in QUESTIONS.values():
    setattr(Robot, _question.attribute, _make(_question))
