# SPDX-License-Identifier: MIT
"""Answers in 113 bits, and proofs that methods are the same functions."""

import ctypes
import dataclasses
import decimal

import numpy as np

from ._errors import LinkworkError
from ._library import Findings, constant, declared, encode, lib, make, numbers, text
from ._registry import INPUTS, QUESTIONS, unknown
from ._robot import WITH_METHODS, Robot
from ._snake import ANSWERS, Snake


class Exact(np.ndarray):
    """Numbers of 113 bits as the sum of their parts: the last axis has 3, from large to small; [..., 0] is the nearest double.
    text() writes them with 33 digits, decimals() gives decimal.Decimal."""

    def text(self):
        """The numbers as text of 33 significant digits, an array of str without the last axis."""
        words = ctypes.create_string_buffer(constant["LW_QUAD_TEXT"])

        def spell(parts):
            number = declared.lwQuad()
            number.part[:] = parts.tolist()
            lib.lw_quad_text(number, words)
            return words.value.decode()

        return np.array([spell(parts) for parts in np.asarray(self).reshape(-1, 3)], dtype=object).reshape(self.shape[:-1])

    def decimals(self):
        """The numbers as decimal.Decimal, an array of objects without the last axis: the sum of the parts, exactly."""
        with decimal.localcontext() as context:
            context.prec = 1200
            rows = [sum(map(decimal.Decimal, parts)) for parts in np.asarray(self).reshape(-1, 3).tolist()]
        return np.array(rows, dtype=object).reshape(self.shape[:-1])


def exact(self, question, q, qd=None, qdd=None, tau=None, *, wrench=None, method=None, link=None, tool=None, rotors=False,
          open_tree=False):
    """The answer to a question about one state in 113 bits, as Exact: (*answer, 3). The doubles given are taken as they are."""
    if question not in QUESTIONS:
        raise unknown("question", question, list(QUESTIONS))
    asked = QUESTIONS[question]
    self._refuse_untaken(asked, open_tree)
    self._refuse_inert(asked, rotors)
    given = {name: value for name, value in zip(INPUTS, (q, qd, qdd, tau, wrench)) if value is not None}
    for name in given:
        if name not in asked.inputs:
            raise LinkworkError(f"'{question}' does not depend on {name}, only on {', '.join(asked.inputs)}")
    rows = {name: numbers(array, (array.shape[-1],), name) for name, array in
            ((name, self._state(name, value)) for name, value in given.items())}
    self._check_quaternions(rows.get("q"))
    definition, kept = lib.lw_workspace_def(), [encode(name) for name in self._methods(question, method)]
    definition.open_tree, definition.rotors = True, bool(rotors)
    for name, word in zip(WITH_METHODS, kept):
        setattr(definition, name, word)
    owned, _ = make(lib.lw_quad_workspace_create, lib.lw_quad_workspace_destroy, self._pointer(), ctypes.byref(definition),
                    kept=(self._model(),))
    frame = self._frame(link, tool)
    if frame is not None:
        chosen = declared.lwFrame(joint=frame[0])
        chosen.xyz[:], chosen.rpy[:] = frame[1:4], frame[4:7]
        with Findings() as findings:
            findings.require(lib.lw_quad_workspace_set_frame(owned.pointer, ctypes.byref(chosen), findings.pointer))
    out = np.empty((lib.lw_question_outputs(self._pointer(), asked.index), 3))
    state = declared.lwStates(**{name: row.ctypes.data for name, row in rows.items()})
    lib.lw_quad_answer(owned.pointer, asked.index, ctypes.byref(state),
                       ctypes.cast(out.ctypes.data, ctypes.POINTER(declared.lwQuad)))
    owned.close()
    return out.reshape(*self._shapes[asked.index], 3).view(Exact)


def snake_exact(self, theta, u=None, torque=None, *, want="udot", method=None):
    """One answer of motion() about one state in 113 bits, as Exact: (*answer, 3)."""
    if want not in ANSWERS:
        raise unknown("answer about snakes", want, list(ANSWERS))
    widths = {"theta": (theta, self.n), "u": (u, 2), "torque": (torque, self.n - 1)}
    rows = {name: numbers(value, (width,), name) for name, (value, width) in widths.items() if value is not None}
    parts = np.empty((3, *ANSWERS[want](self.n)))
    answers = (declared.lwSnakeAnswers * 3)(*(declared.lwSnakeAnswers(**{want: part.ctypes.data}) for part in
                                              parts.reshape(3, -1)))
    definition, word = lib.lw_snake_workspace_def(), encode(method)
    if word is not None:
        definition.method = word
    state = declared.lwSnakeStates(**{name: row.ctypes.data for name, row in rows.items()})
    with Findings() as findings:
        findings.require(lib.lw_quad_snake_answer(self._pointer(), ctypes.byref(definition), ctypes.byref(state),
                                                  answers, findings.pointer))
    return np.ascontiguousarray(np.moveaxis(parts, 0, -1)).view(Exact)


@dataclasses.dataclass(frozen=True)
class Identity:
    """left = right, evaluated over integers modulo 2^61 - 1 at random points: what it is about, how many numbers were compared
    at how many points, a bound of the degree, and of the probability that a false identity was overlooked; witness and entry
    say where it fails."""

    about: str
    left: str
    right: str
    entries: int
    points: int
    degree: float
    probability: float
    holds: bool
    witness: int
    entry: int


class Proof(list):
    """The identities of a robot or snake; holds is True if all hold, probability bounds that one is false all the same."""

    @property
    def holds(self):
        """True if all identities hold."""
        return all(identity.holds for identity in self)

    @property
    def probability(self):
        """The sum of the probabilities of all identities."""
        return sum(identity.probability for identity in self)


def prove(self, points=1, seed=1):
    """Proves that all methods are the same functions: all identities, as a Proof. docs/proof.md explains it."""
    definition = lib.lw_proof_def()
    definition.points, definition.seed = int(points), int(seed)
    create = lib.lw_proof_create if isinstance(self, Robot) else lib.lw_proof_create_snake
    owned, _ = make(create, lib.lw_proof_destroy, self._pointer(), ctypes.byref(definition), diag=False,
                    what=f"{points} points")
    found = Proof()
    for i in range(lib.lw_proof_count(owned.pointer)):
        identity = lib.lw_proof_identity(owned.pointer, i).contents
        values = {name: getattr(identity, name) for name, *_ in identity._fields_}
        found.append(Identity(**{name: text(value) if isinstance(value, bytes) else value for name, value in values.items()}))
    owned.close()
    return found


Robot.exact, Snake.exact, Robot.prove, Snake.prove = exact, snake_exact, prove, prove
