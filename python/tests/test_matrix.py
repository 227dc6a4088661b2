# SPDX-License-Identifier: MIT
"""Every question of every shipped robot: answered with finite numbers, or refused with the reason."""

import inspect
import pathlib

import numpy as np
import pytest

import linkwork as lw

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted(path for path in (ROOT / "robots").iterdir() if path.suffix in (".yaml", ".urdf"))


def ask(robot, question, **options):
    """The answer at the start of the robot, at rest."""
    return getattr(robot, question.attribute)(robot.start, **options)


def parts(answer):
    """The arrays of an answer, also of one with named parts."""
    return [array for part in answer for array in parts(part)] if isinstance(answer, tuple) else [answer]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_every_question(file):
    robot = lw.load(file)
    for question in lw.questions():
        assert all(np.isfinite(part).all() for part in parts(ask(robot, question))), question.name


@pytest.mark.parametrize("name", ["four_bar", "excavator", "palletizer"])
def test_open_tree_insists(name):
    robot = lw.load(ROOT / f"robots/{name}.yaml")
    for question in lw.questions():
        if "open_tree" in inspect.signature(getattr(robot, question.attribute)).parameters and "n" in question.axes:
            assert ask(robot, question, open_tree=True).shape != ask(robot, question).shape
    _, series = robot.drives([0.0, 1.0], [robot.start] * 2, np.zeros((2, robot.dof)), np.zeros((2, robot.dof)))
    passive = [k for k, name in enumerate(robot.joint_names) if name not in robot.driven]
    assert np.abs(np.asarray(series["torque"])[:, passive]).max() == 0
