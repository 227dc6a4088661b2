# SPDX-License-Identifier: MIT
"""The type stubs: mypy --strict accepts the recipes and refuses mistakes."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import linkwork as lw
from test_docs import NEEDS, RECIPES

MYPY = [sys.executable, "-m", "mypy"]

PATHS = """import numpy as np
import linkwork as lw

arm = lw.load("x.yaml")
duration: float = lw.fastest(arm, arm.random(3, seed=np.random.default_rng(1)), heat=[0.1])[0].duration
lw.fastest(arm, [[0.0], [1.0]])
lw.simulate(arm, 1, budget="60s", loads={"hand": [0, 0, "sin(t)", 0, 0, 0]}, controller="computed-torque", sensors={"offset": 0.1}, model=arm)
print(lw.load_snake("s.yaml").simulate(1, slip=True).slip_loss, arm.frames(arm.random(), ["hand"]).matrix, arm.source(casadi=True)["arm.c"])
"""
MISTAKES = {
    "a misspelt argument": 'import linkwork as lw\narm = lw.load("x.yaml")\narm.inverse(qq=3)\n',
    "a method of another class": 'import linkwork as lw\nlw.load("x.yaml").motion([0.0])\n',
    "the fields of a named tuple": 'import linkwork as lw\nlw.generic(3).pose([0.0, 0, 0]).positions\n',
    "a number for a robot": 'import linkwork as lw\nlw.plan(3, [[0.0]])\n',
    "the type of a result": 'import linkwork as lw\nx: int = lw.simulate("x.yaml")\n',
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """mypy's messages about all files, {file: [line]}."""
    stubs = pathlib.Path(lw.__file__).with_name("__init__.pyi")
    if shutil.which("mypy") is None and subprocess.run([*MYPY, "--version"], capture_output=True).returncode != 0:
        pytest.skip("mypy is not installed")
    if not stubs.exists():
        pytest.skip("a build with sanitizers makes no stubs")
    folder = tmp_path_factory.mktemp("types")
    for i, (name, source) in enumerate(RECIPES):
        if NEEDS.findall(name) in ([], ["matplotlib"]):  # other packages have stubs of their own, or none
            (folder / f"recipe_{i}.py").write_text(source)
    (folder / "recipe_paths.py").write_text(PATHS)
    for i, source in enumerate(MISTAKES.values()):
        (folder / f"mistake_{i}.py").write_text(source)
    (folder / "path").mkdir()  # mypy refuses site-packages itself
    (folder / "path/linkwork").symlink_to(stubs.parent)
    command = MYPY if subprocess.run([*MYPY, "--version"], capture_output=True).returncode == 0 else ["mypy"]
    found = subprocess.run([*command, "--strict", "--cache-dir", str(folder / "cache"), *sorted(map(str, folder.glob("*.py")))],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
                           env={**os.environ, "MYPYPATH": str(folder / "path")})
    assert found.stdout.splitlines()[-1].startswith("Found "), found.stdout  # the mistakes, at least
    return found.stdout.splitlines()


def test_recipes_are_typed(checked):
    assert [line for line in checked if "error" in line and "mistake_" not in line and not line.startswith("Found ")] == []


@pytest.mark.parametrize("what", list(MISTAKES))
def test_mistakes_are_found(checked, what):
    number = list(MISTAKES).index(what)
    assert any(line.startswith(f"mistake_{number}.py") and "error" in line for line in checked)
