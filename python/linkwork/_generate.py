# SPDX-License-Identifier: MIT
"""Generates code for one robot, and compiles and calls it on arrays, or returns it as text."""

import ctypes
import threading

import numpy as np

from . import _native
from ._errors import LinkworkError
from ._library import Closable, constant, declared, encode, lib, make, text
from ._questions import NAMED
from ._registry import INPUTS, QUESTIONS, unknown
from ._robot import Robot
from ._snake import Snake

LANGUAGES = tuple(text(lib.lw_language_name(i)) for i in range(constant["LW_LANGUAGE_COUNT"]))
DEFAULT = ("inverse", "forward", "inertia")
ARGUMENTS = {name[len("LW_GENERATE_ARGUMENT_"):].lower(): value for name, value in constant.items()
             if name.startswith("LW_GENERATE_ARGUMENT_")}
SINES = {name[len("LW_SINES_"):].lower(): value for name, value in constant.items() if name.startswith("LW_SINES_")}


class Generated(Closable):
    """Straight-line code for one robot, compiled for this machine and loaded. Robot.generate() makes one.

    It has the same methods as Robot: code.inverse(q, qd, qdd, out=None, check=True) and so on, without wrenches and with
    the robot's own gravity; arrays, dictionaries, axes, units and errors are as for Robot. Answers differ from Robot's by
    rounding only. float32 inputs give float32 answers, computed in double. Threads may share it; they take turns.

    questions   what it answers
    reasons     {question: why the kernels answer it instead of generated code}; empty if the code was compiled
    operations  {question: {"mul": .., "add": .., "div": .., "sqrt": .., "sines": ..}} in the generated functions
    """

    def __init__(self, arm, questions):
        self._arm = arm
        self._lock = threading.Lock()
        self.questions = questions
        functions = _functions(arm, ",".join(questions))
        self.operations = dict(zip(questions, functions))
        mask = sum(1 << QUESTIONS[name].index for name in questions)
        self._owned, _ = make(lib.lw_model_specialise, lib.lw_specialised_destroy, arm._pointer(), mask, kept=(arm._model(),))
        found = {name: lib.lw_specialised_reason(self._owned.pointer, QUESTIONS[name].index) for name in questions}
        self.reasons = {name: text(reason) for name, reason in found.items() if reason is not None}

    def close(self):
        """Unloads the code once no call uses it any more. Closing again is allowed."""
        self._owned = None

    @property
    def compiled(self):
        """True if generated code answers every question; otherwise `reasons` says why not."""
        return not self.reasons

    def _answer(self, name, given, out, check):
        self._pointer()
        owned, arm, question = self._owned, self._arm, QUESTIONS[name]
        if name not in self.questions:
            raise LinkworkError(f"no code was generated for '{name}', only for {', '.join(self.questions)}")
        arrays = {key: arm._state(key, value) for key, value in given.items() if value is not None}
        wanted, lead = arm._result_type(arrays, None), arm._leading(arrays)
        rows = {key: np.require(np.broadcast_to(array, (*lead, array.shape[-1])), np.float64, ["C", "A"])
                for key, array in arrays.items()}
        arm._check_quaternions(rows.get("q"))
        if check:
            self._refuse_not_finite(rows, given)
        target = arm._target(question, lead, out, list(rows.values()))
        shape = (*lead, *arm._shapes[question.index])
        result = np.empty(shape) if target is None else target
        states = declared.lwStates(**{key: row.ctypes.data for key, row in rows.items()})
        count = int(np.prod(lead, dtype=np.int64))
        if count > 2**31 - 1:
            raise ValueError(f"{count} states at once, expected at most 2147483647")
        with self._lock:
            lib.lw_specialised_answer_many(owned.pointer, question.index, count, ctypes.byref(states), result.ctypes.data)
        if out is None:
            return result if wanted == np.float64 else result.astype(wanted)
        if target is not out:
            out[...] = result
        return out

    def _refuse_not_finite(self, rows, given):
        for name, row in rows.items():
            if not np.isfinite(row).all():
                flat = row.reshape(-1, row.shape[-1])
                state, entry = (int(i) for i in np.argwhere(~np.isfinite(flat))[0])
                raise self._arm._not_finite(_native.NotFinite(INPUTS.index(name), state, entry), given)

    def __repr__(self):
        if self.closed:
            return "<linkwork.Generated, closed>"
        by = "compiled" if self.compiled else f"by the kernels: {next(iter(self.reasons.values()))}"
        return f"<linkwork.Generated for '{self._arm.name}': {', '.join(self.questions)}; {by}>"


SOURCE = """
def {name}(self, {signature}, *, out=None, check=True):
    result = self._answer('{question}', {given}, out, check)
    return {result}
"""


def _make(question):
    inputs = [name for name in question.inputs if name != "wrench"]
    source = SOURCE.format(name=question.attribute, question=question.name,
                           signature=", ".join(name if name == "q" else f"{name}=None" for name in inputs),
                           given="{" + ", ".join(f"'{name}': {name}" for name in inputs) + "}",
                           result="named(result)" if question.name in NAMED else "result")
    scope = {"named": NAMED.get(question.name, (None,))[0]}
    exec(source, scope)
    function = scope[question.attribute]
    function.__doc__ = f"{question.summary}, by generated code; arguments and result as of Robot.{question.attribute}()."
    function.__qualname__ = f"Generated.{question.attribute}"
    function.__module__ = "linkwork"
    return function


for _question in QUESTIONS.values():
    setattr(Generated, _question.attribute, _make(_question))


def _definition(questions, language="c", method="best", single=False, lanes=1, name="arm", file=None, tests=0):
    definition = lib.lw_generate_def()
    found = lib.lw_language_find(encode(language))
    if found < 0:
        raise unknown("language", language, list(LANGUAGES))
    definition.questions, definition.method, definition.language = encode(questions), encode(method), found
    definition.precision = constant["LW_PRECISION_SINGLE" if single else "LW_PRECISION_DOUBLE"]
    definition.lanes, definition.name, definition.file, definition.test_states = int(lanes), encode(name), encode(file), int(tests)
    return definition


def _choose(definition, arguments, sincos, fma, symbols, casadi):
    for word in [arguments] if isinstance(arguments, str) else arguments:
        if word not in ARGUMENTS:
            raise unknown("argument of generated functions", word, list(ARGUMENTS))
        definition.arguments |= ARGUMENTS[word]
    if casadi:
        definition.arguments |= constant["LW_GENERATE_ARGUMENT_CASADI"]
    if sincos not in SINES:
        raise unknown("source of sines and cosines", sincos, list(SINES))
    definition.sines, definition.fused, definition.symbols = SINES[sincos], bool(fma), bool(symbols)


def _generated(arm, definition):
    owned, _ = make(lib.lw_generate if isinstance(arm, Robot) else lib.lw_generate_snake, lib.lw_generated_destroy, arm._pointer(), ctypes.byref(definition))
    return owned


def _functions(arm, questions):
    """Operation counts of each generated function; raises an error if the generator refuses."""
    owned = _generated(arm, _definition(questions))
    found = []
    for i in range(lib.lw_generated_functions(owned.pointer)):
        count = lib.lw_generated_count(owned.pointer, i)
        found.append({"mul": count.mul, "add": count.add, "div": count.div, "sqrt": count.sqrt,
                      "sines": lib.lw_generated_sines(owned.pointer, i)})
    owned.close()
    return found


def generate(self, *questions):
    """Generates code for this robot, compiles it with the machine's C compiler, loads it and returns a Generated.

    questions  names such as "inverse", "inertia"; default: inverse, inertia, and forward unless a joint moves no inertia

    Takes about a second. Tries $CC, clang, gcc and cc; if none of them works, the kernels answer, and Generated.reasons
    says why. Robots with more than 64 moving joints are refused.
    """
    chosen = tuple(dict.fromkeys(questions)) or tuple(name for name in DEFAULT if name != "forward" or not self._inert)
    for name in chosen:
        if name not in QUESTIONS:
            raise unknown("question", name, list(QUESTIONS))
        self._refuse_inert(QUESTIONS[name], False)
    return Generated(self, chosen)


def source(self, question="inverse", *, language="c", method="best", single=False, lanes=1, name="arm", tests=0, arguments=(),
           sincos="math", fma=False, symbols=False, casadi=False):
    """Straight-line code for this robot as text, {file name: text}, as written by `linkwork generate`.

    question  "inverse", or several: commas separate functions, and questions joined by + share one function:
              "inverse,inertia+bias"
    language  c (with a header), python, matlab, javascript, rust or latex
    method    a method of the question, or "best": the one with the fewest operations for this robot
    single    single precision, in C and Rust only
    lanes     number of states per call, 1, 2, 4, 8 or 16; C only
    name      prefix of functions and files
    tests     number of states in a test program in C; 0: no test program
    arguments   that functions have besides the state: "wrench", "gravity", "payload"
    sincos      where sines come from: "math", "given" (by the caller) or "vector" (C only)
    fma         fused multiply-adds, for targets that have them; C and Rust only
    symbols     the robot's numbers as letters: m_1, l_1, I_1zz; latex only
    casadi      the functions that CasADi's external() calls, with sparsity and Jacobian; C only
    """
    definition = _definition(question, language, method, single, lanes, name, name if language == "c" else None, tests)
    _choose(definition, arguments, sincos, fma, symbols, casadi)
    owned = _generated(self, definition)
    files = {f"{name}{text(lib.lw_generated_suffix(owned.pointer, i))}": text(lib.lw_generated_text(owned.pointer, i))
             for i in range(lib.lw_generated_files(owned.pointer))}
    owned.close()
    return files


def snake_source(self, question="forward", *, language="c", single=False, lanes=1, name="snake", tests=0, sincos="math", fma=False,
                 symbols=False, casadi=False):
    """Straight-line code for this snake as text, {file name: text}; question: forward (udot), inverse (torques), or others of
    motion(). Options as for Robot.source()."""
    return source(self, question, language=language, single=single, lanes=lanes, name=name, tests=tests, sincos=sincos, fma=fma,
                  symbols=symbols, casadi=casadi)


Robot.generate, Robot.source, Snake.source = generate, source, snake_source
