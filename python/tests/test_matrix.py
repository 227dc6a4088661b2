# SPDX-License-Identifier: MIT
"""Every question of every shipped robot: answered with finite numbers, or refused with the reason."""

import pathlib

import numpy as np
import pytest

import linkwork as lw

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted(path for path in (ROOT / "robots").iterdir() if path.suffix in (".yaml", ".urdf"))
WITH_LOOPS = {"pose", "poses", "energy"}


def ask(robot, question, **options):
    """The answer at the start of the robot, at rest."""
    return getattr(robot, question.attribute)(robot.start, **options)


def refused(robot, question):
    if len(robot.loop_rows) > 0 and question.name not in WITH_LOOPS:
        return "closed loop"
    return None


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_every_question(file):
    robot = lw.load(file)
    for question in lw.questions():
        why = refused(robot, question)
        if why is None:
            answer = ask(robot, question)
            assert all(np.isfinite(part).all() for part in (answer if question.name == "pose" else [answer])), question.name
            continue
        with pytest.raises(lw.LinkworkError, match="closed loop"):
            ask(robot, question)


@pytest.mark.parametrize("name", ["four_bar", "excavator", "palletizer"])
def test_open_tree_insists(name):
    robot = lw.load(ROOT / f"robots/{name}.yaml")
    for question in lw.questions():
        if refused(robot, question) is not None:
            with pytest.raises(lw.LinkworkError, match="closed loop"):
                ask(robot, question)
            assert np.isfinite(ask(robot, question, open_tree=True)).all(), question.name
    with pytest.raises(lw.LinkworkError):
        robot.drives([0.0, 1.0], [robot.start] * 2, np.zeros((2, robot.dof)), np.zeros((2, robot.dof)))
