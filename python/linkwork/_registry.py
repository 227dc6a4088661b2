# SPDX-License-Identifier: MIT
"""The library's tables of questions and methods."""

import ctypes
import dataclasses
import difflib
import typing

from ._library import constant, lib, text
from ._errors import LinkworkError

INPUTS = ("q", "qd", "qdd", "tau", "wrench")  # in the order of lwStates and of the flags LW_INPUT_..


SHAPE = "LW_QUANTITY_SHAPE_"
SHAPES = {value: name[len(SHAPE):].lower() for name, value in constant.items() if name.startswith(SHAPE)}


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A part of an answer."""

    symbol: str
    shape: str
    """'numbers', 'vector' (n), 'square' (n, n), 'rows' (.., n), 'joints' (joints, ..) or 'parameters' (n, joints, ..)."""
    names: typing.Tuple[str, ...]
    """Names of its numbers, rows or components."""
    units: typing.Tuple[str, ...]
    """Units, for joints that turn first."""
    meaning: str


@dataclasses.dataclass(frozen=True)
class Question:
    """A question about a state of an arm."""

    index: int
    name: str
    symbol: str
    inputs: typing.Tuple[str, ...]
    summary: str
    answer: str
    """What the answer is, with units."""
    formula: typing.Optional[str]
    quantities: typing.Tuple[Quantity, ...]
    methods: int
    """Index of the question whose methods answer it."""
    takes: int = 0
    """Kinds of robot that it can be asked of: the flags LW_TAKES_.."""
    chooses: int = 0
    """What can be chosen about the answer: the flags LW_CHOOSES_.."""

    @property
    def attribute(self):
        """Name of the corresponding method of Robot: inverse_derivatives for inverse-derivatives."""
        return self.name.replace("-", "_")

    @property
    def unit(self):
        """Units of the answer."""
        return " | ".join(dict.fromkeys(unit for quantity in self.quantities for unit in quantity.units))

    @property
    def axes(self):
        """Axes of an answer: 'n' for degrees of freedom, 'joints' for those of the file, or a number; () if its quantities
        differ in shape."""
        shapes = {quantity.shape for quantity in self.quantities}
        count = str(sum(len(quantity.names) for quantity in self.quantities))
        several = (str(len(self.quantities)),) if len(self.quantities) > 1 else ()
        known = {"numbers": (count,), "vector": ("n",), "square": (*several, "n", "n"), "rows": (count, "n"),
                 "joints": ("joints", count), "links": ("joints", count), "parameters": ("n", f"{count} joints")}
        return known[shapes.pop()] if len(shapes) == 1 else ()

    def shape(self, dof, joints, outputs):
        """Shape of an answer for a robot with dof degrees of freedom and as many joints in its file."""
        lengths = {"n": dof, "joints": joints, "10 joints": 10 * joints}
        return tuple(lengths[axis] if axis in lengths else int(axis) for axis in self.axes) or (outputs,)


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


def _names(pointer, count):
    return tuple(text(pointer[k]) for k in range(count))


def _quantity(quantity):
    shape, count = SHAPES[quantity.shape], quantity.count
    units = {"numbers": 1, "vector": 2, "square": 4, "rows": 2, "joints": count, "links": count, "parameters": 2 * count}[shape]
    return Quantity(text(quantity.symbol), shape, _names(quantity.names, count), _names(quantity.units, units),
                    text(quantity.meaning))


def _quantities(pointer):
    found = []
    while pointer[len(found)].symbol is not None:
        found.append(pointer[len(found)])
    return tuple(_quantity(quantity) for quantity in found if not quantity.is_form)


def _question(index):
    info = lib.lw_question_info(index).contents
    inputs = tuple(name for bit, name in enumerate(INPUTS) if info.inputs & (1 << bit))
    formula = text(info.formula) if info.formula is not None else None
    return Question(index, text(info.name), text(info.symbol), inputs, text(info.summary), text(info.answer), formula,
                    _quantities(info.quantities), info.methods, info.takes, info.chooses)


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


def formulations():
    """Formulations of forward dynamics with closed loops, side by side: Methods for forward_closed(formulation=..)."""
    return [_method(lib.lw_formulation(i).contents, i, "forward") for i in range(lib.lw_formulation_count())]


def unknown(what, name, known):
    """An error that lists the known names and suggests the nearest."""
    near = difflib.get_close_matches(str(name), known, 1)
    listed = ", ".join(known) if len(known) <= 40 else f"{', '.join(known[:40])}, .."
    return LinkworkError(f"no {what} '{name}'{f', did you mean {near[0]!r}?' if near else ''} There are: {listed}"
                         if near else f"no {what} '{name}', expected one of {listed}")
