# SPDX-License-Identifier: MIT
"""The questions of the registry as methods of Robot: arm.inverse(q, qd, qdd), arm.inertia(q), ..

They are generated from the library's own table, so a new question of the library becomes a method at the next build. The
fast path, contiguous doubles with default options, is one call into C; everything else goes through Robot._ask().
"""

import numpy as np

from . import _native
from ._library import constant
from ._registry import QUESTIONS
from ._robot import METHOD_KINDS, WITH_METHODS, Pose, Robot

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
    "check": "False: inputs that are not finite give answers that are not finite, instead of ValueError",
}
# Options of a question besides its inputs, with their defaults
OPTIONS = {"method": "None", "link": "None", "tool": "None", "rotors": "False", "refine": "0", "gravity": "None",
           "payload": "None", "dtype": "None", "out": "None", "open_tree": "False", "check": "True"}


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
    if question.takes & constant["LW_TAKES_LOOPS"]:
        del chosen["open_tree"]
    return chosen


def _documentation(question, options):
    shape = ", ".join(["...", *(question.axes or ("numbers",))])
    if question.name == "pose":
        result = "Pose(position (..., 3), rotation (..., 3, 3)); out has 12 entries for each state"
    else:
        result = f"{question.symbol} ({shape})"
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


SOURCE = """
def {name}({signature}):
    if {plain}:
        solver = self._solver
        if solver is not None{sound}:
            try:
                result = solver.answer({index}, {inputs}, out, check)
            except NotFinite as error:
                raise self._not_finite(error, {given}) from None
            if result is not NotImplemented:
                return {result}
    result = self._ask(question, {given}, {rest})
    return {result}
"""


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
    source = SOURCE.format(name=question.attribute, signature=signature, plain=" and ".join(tests), index=question.index,
                           inputs=inputs, given=given, rest=", ".join(f"{name}={name}" for name in options),
                           sound=f" and {question.index} not in self._refused and not self._quaternions" +
                           "".join(f" and type({name}) is not MaskedArray" for name in question.inputs) +
                           (" and not self._inert" if question.chooses & constant["LW_CHOOSES_ROTORS"] else ""),
                           result="_pose(result)" if question.name == "pose" else "result")
    scope = {"question": question, "NotFinite": _native.NotFinite, "_pose": _pose, "MaskedArray": np.ma.MaskedArray}
    exec(source, scope)
    function = scope[question.attribute]
    function.__doc__ = _documentation(question, options)
    function.__qualname__ = f"Robot.{question.attribute}"
    function.__module__ = "linkwork"
    return function


for _question in QUESTIONS.values():
    setattr(Robot, _question.attribute, _make(_question))
