# SPDX-License-Identifier: MIT
"""Runs the recipes of docs/python.md, which are the programs in examples/python."""

import os
import re

import pytest

from conftest import ROOT

RECIPES = re.findall(r"<!-- recipe: ([^\n]*) -->\n```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.DOTALL)
NEEDS = re.compile(r"\(needs (\w+)\)")  # a package besides NumPy


def test_there_are_ten():
    assert len(RECIPES) >= 10


def test_each_is_an_example():
    """Below a line with the licence and one that says what it is; examples/README.md lists all."""
    files = {path.name: path.read_text().split("\n", 2)[2] for path in (ROOT / "examples/python").glob("*.py")}
    listed = set(re.findall(r"\(python/(\w+\.py)\)", (ROOT / "examples/README.md").read_text()))
    assert sorted(files.values()) == sorted(source for _, source in RECIPES)
    assert set(files) == listed


@pytest.mark.parametrize("name, source", RECIPES, ids=[name for name, _ in RECIPES])
def test_recipe(name, source, monkeypatch):
    for package in NEEDS.findall(name):
        pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    assert os.getcwd() == str(ROOT)
    exec(compile(source, f"docs/python.md: {name}", "exec"), {"__name__": "recipe"})
