# SPDX-License-Identifier: MIT
"""The notebooks are their scripts, which run, and the outputs in them are what comes out today."""

import importlib.machinery
import importlib.util
import json
import re

import numpy as np
import pytest

from conftest import ROOT

FOLDER = ROOT / "python/notebooks"
NAMES = ["first_hour", "sizing_a_drive", "identification", "fastest_motion", "snakes"]
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


@pytest.fixture(scope="module")
def tool():
    loader = importlib.machinery.SourceFileLoader("notebooks", str(ROOT / "tools/notebooks"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("notebooks", loader))
    loader.exec_module(module)
    return module


def stored(name):
    return json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))


def source(cell):
    return "".join(cell["source"])


def printed(cell):
    return "".join("".join(output["text"]) for output in cell.get("outputs", ()) if output["output_type"] == "stream")


def test_there_are_five():
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted(NAMES) == sorted(path.stem for path in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_its_script_with_outputs(name, tool):
    script = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    cells = stored(name)["cells"]
    assert [(cell["cell_type"], source(cell)) for cell in cells] == tool.cells(script)
    assert sum(bool(cell.get("outputs")) for cell in cells) >= 3
    assert not [output for cell in cells for output in cell.get("outputs", ()) if output["output_type"] == "error"]


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_those_of_today(name, tool, capsys):
    """Runs the cells in one namespace, without Jupyter; numbers may differ by the rounding of what is printed."""
    names = {"__name__": "notebook"}
    for number, cell in enumerate(stored(name)["cells"]):
        if cell["cell_type"] == "code":
            exec(compile(source(cell), f"{name}.ipynb, cell {number}", "exec"), names)
            now, then = capsys.readouterr().out, printed(cell)
            assert NUMBER.sub("#", now).split() == NUMBER.sub("#", then).split(), f"cell {number}: see tools/notebooks"
            assert np.allclose([float(word) for word in NUMBER.findall(now)], [float(word) for word in NUMBER.findall(then)],
                               rtol=2e-3, atol=2e-3), f"cell {number}: see tools/notebooks"


def shown(cells):
    """What each cell shows: the kinds of its outputs, and their types for the browser."""
    return [[(output["output_type"], *sorted(output.get("data", ()))) for output in cell.get("outputs", ())] for cell in cells]


@pytest.mark.parametrize("name", NAMES)
def test_jupyter_executes_a_notebook(name, tool):
    pytest.importorskip("nbclient", reason="Jupyter is not installed")
    pytest.importorskip("ipykernel", reason="Jupyter has no kernel for Python")
    made = tool.execute(tool.notebook((FOLDER / f"{name}.py").read_text(encoding="utf-8")))
    kinds = shown(made.cells)
    assert kinds == shown(stored(name)["cells"])
    if name == "first_hour":
        assert "image/svg+xml" in str(kinds) and "text/html" in str(kinds)
