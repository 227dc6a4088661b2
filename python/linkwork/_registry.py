# SPDX-License-Identifier: MIT
"""The library's tables of questions and methods."""

import ctypes
import dataclasses
import difflib
import typing

from ._library import constant, lib, text
from ._errors import LinkworkError

INPUTS = ("q", "qd", "qdd", "tau", "wrench")  # in the order of lwStates and of the flags LW_INPUT_..


@dataclasses.dataclass(frozen=True)
class Question:
    """A question about a state of an arm."""

    index: int
    name: str
    symbol: str
    inputs: typing.Tuple[str, ...]
    unit: str
    summary: str
    axes: typing.Tuple[str, ...]
    """Axes of an answer: 'n' for degrees of freedom, or a number."""

    @property
    def attribute(self):
        """Name of the corresponding method of Robot: inverse_derivatives for inverse-derivatives."""
        return self.name.replace("-", "_")

    def shape(self, dof, outputs):
        """Shape of an answer for a robot with dof degrees of freedom."""
        if self.name == "regressor" and dof > 0:
            return (dof, outputs // dof)
        shape = tuple(dof if axis == "n" else int(axis) for axis in self.axes)
        size = 1
        for length in shape:
            size *= length
        return shape if size == outputs else (outputs,)


@dataclasses.dataclass(frozen=True)
class Method:
    """A method of the registry."""

    question: str
    name: str
    aliases: typing.Tuple[str, ...]
    source: str
    order: str
    """How the cost grows with the number of joints: 'n', 'n^2', .."""
    index: int = dataclasses.field(repr=False)
    printed: typing.Optional[dict] = dataclasses.field(repr=False, default=None)
    """The operation count in the literature: mul and add as coefficients of 1, n, n^2, n^3, and source; or None."""


# The answer sizes of robots with 3 and 5 joints show how the size grows with n, and so give the axes of an answer.
_FORMS = [(), ("n",), ("6", "n"), ("n", "n"), ("n", "n", "n"), ("n", "10"), ("6", "n", "n")]


def _outputs(n, question):
    made = ctypes.c_void_p()
    if lib.lw_model_create_generic(n, ctypes.byref(made)) != 0:
        raise MemoryError("linkwork: out of memory")
    count = lib.lw_question_outputs(made, question)
    lib.lw_model_destroy(made)
    return count


def _axes(question):
    """The first of _FORMS that fits both robots; else rows of n, n x n, .. numbers; else a single row."""
    three, five = _outputs(3, question), _outputs(5, question)
    for form in _FORMS[1:]:
        sizes = []
        for n in (3, 5):
            size = 1
            for axis in form:
                size *= n if axis == "n" else int(axis)
            sizes.append(size)
        if sizes == [three, five]:
            return form
    for power in (1, 2, 3):
        if three % 3 ** power == 0 and five % 5 ** power == 0 and three // 3 ** power == five // 5 ** power:
            return (str(three // 3 ** power), *("n",) * power)
    return (str(three),)


def _question(index):
    info = lib.lw_question_info(index).contents
    inputs = tuple(name for bit, name in enumerate(INPUTS) if info.inputs & (1 << bit))
    return Question(index, text(info.name), text(info.symbol), inputs, text(info.unit), text(info.summary), _axes(index))


def _strings(pointer):
    words = []
    while pointer and pointer[len(words)] is not None:
        words.append(text(pointer[len(words)]))
    return tuple(words)


def _method(method, index, question):
    printed = method.printed
    known = None
    if printed.source is not None:
        known = {"mul": list(printed.mul), "add": list(printed.add), "source": text(printed.source)}
    return Method(question, text(method.name), _strings(method.aliases), text(method.source), text(method.order), index,
                  known)


QUESTIONS = {question.name: question for question in map(_question, range(constant["LW_QUESTION_COUNT"]))}


def questions():
    """All questions about a state of an arm, in the library's order."""
    return list(QUESTIONS.values())


def methods(question=None):
    """The methods of the registry: all, or those for one question ('inverse', 'inertia', 'forward', .., 'snake').

    Each has question, name, aliases, source (the paper), order (how its cost grows) and printed (the operation count
    that the literature gives, or None).
    """
    names = list(QUESTIONS)
    found = [lib.lw_method(i).contents for i in range(lib.lw_method_count())]
    arms = [_method(method, i, names[method.question]) for i, method in enumerate(found)]
    snakes = [_method(lib.lw_snake_method(i).contents, i, "snake") for i in range(lib.lw_snake_method_count())]
    if question is not None and question not in [*names, "snake"]:
        raise unknown("question", question, [*names, "snake"])
    return [method for method in arms + snakes if question in (None, method.question)]


def unknown(what, name, known):
    """An error that lists the known names and suggests the nearest."""
    near = difflib.get_close_matches(str(name), known, 1)
    listed = ", ".join(known) if len(known) <= 40 else f"{', '.join(known[:40])}, .."
    return LinkworkError(f"no {what} '{name}'{f', did you mean {near[0]!r}?' if near else ''} There are: {listed}"
                         if near else f"no {what} '{name}', expected one of {listed}")
