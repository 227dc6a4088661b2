# SPDX-License-Identifier: MIT
"""Output for notebooks and other packages: tables, pages, data frames."""

import base64
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest

import linkwork as lw
from linkwork._library import lib


@pytest.fixture(scope="module")
def run(root):
    return lw.simulate(root / "scenarios/puma_computed_torque.yaml")


def test_a_run_as_a_data_frame(run):
    pytest.importorskip("pandas", reason="pandas is not installed: no data frames")
    frame = run.to_dataframe()
    assert len(frame) == len(run.t)
    assert list(frame.columns[:2]) == ["t", f"q.{run.q.names[0]}"]
    assert np.array_equal(frame["t"], run.t)
    assert np.array_equal(frame["q.elbow"], run.q["elbow"])
    assert np.array_equal(frame["tau.waist"], run.tau["waist"])
    assert np.array_equal(frame["S"], run.energy["S"])
    assert frame.set_index("t")["q.elbow"].idxmax() == run.t[np.argmax(run.q["elbow"])]


def test_a_run_of_a_snake_as_a_data_frame(root):
    pytest.importorskip("pandas", reason="pandas is not installed: no data frames")
    run = lw.load(root / "robots/snakes/table2_n6.yaml").simulate(0.2, torque="sin(t)/(n-k)")
    frame = run.to_dataframe()
    assert len(frame) == len(run.t)
    assert np.array_equal(frame["kinetic"], run.kinetic) and np.array_equal(frame["u2"], run.u[:, 1])


def test_without_pandas_it_says_so(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pandas"):
        run.to_dataframe()


def test_tables_of_a_notebook(panda, root):
    table = panda._repr_html_()
    assert table.startswith("<table>") and all(name in table for name in panda.joint_names)
    assert "6 links" in lw.load(root / "robots/snakes/table2_n6.yaml")._repr_html_()


@pytest.fixture
def with_page():
    if not lib.lw_page_available():
        pytest.skip("the library was built without the page")


def data_of(page):
    """The page's data: base64, compressed if the program has zlib."""
    packed = base64.b64decode(re.search(r'<script type="application/octet-stream" id="data">([^<]*)<', page.html)[1])
    return zlib.decompress(packed) if packed[:1] == b"\x78" else packed


def test_page_of_a_robot(panda, tmp_path, with_page):
    page = panda.page()
    assert page.html.startswith("<!DOCTYPE html>") and page.html.rstrip().endswith("</html>")
    assert all(name.encode() in data_of(page) for name in panda.joint_names)
    assert page._repr_html_().startswith("<iframe srcdoc=")
    page.save(tmp_path / "arm.html")
    assert (tmp_path / "arm.html").read_text(encoding="utf-8") == page.html


def test_repr_of_a_page_is_one_short_line():
    page = lw.Page("<!DOCTYPE html>" + "x" * 2_000_000, "panda")
    assert repr(page) == "<linkwork.Page of panda, 2.0 MB: save(path) writes it>"
    assert repr(lw.Page("")).startswith("<linkwork.Page, ")


def test_page_of_a_scenario(root, with_page):
    data = data_of(lw.page(root / "scenarios/puma_computed_torque.yaml"))
    assert b"waist" in data and b"elbow" in data and b'"scenario"' in data


def test_pages_need_no_program_and_keep_runs(root, run, monkeypatch, with_page):
    monkeypatch.delenv("LINKWORK_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    data = data_of(run.page())
    assert b"q.elbow" in data and b"PUMA" in data
    snake = lw.load_snake(root / "robots/snakes/table2_n6.yaml")
    moved = snake.simulate(0.2, torque="sin(t)/(n-k)")
    assert b"theta6" in data_of(lw.page(moved)) and b"theta6" not in data_of(snake.page())
    assert set(run.page()._repr_mimebundle_()) == {"text/html", "text/plain"}


def test_pages_keep_meshes(root, with_page):
    arm = lw.load(root / "robots/gripper_arm.urdf")
    assert b'"missing_meshes":0' in data_of(arm.page())


def test_a_library_without_the_page_says_so(panda):
    if lib.lw_page_available():
        pytest.skip("the library was built with the page")
    with pytest.raises(lw.LinkworkError, match="built without the page"):
        panda.page()


def test_page_of_a_missing_file():
    with pytest.raises(FileNotFoundError, match="no-such-file"):
        lw.page("no-such-file.yaml")


def test_runs_as_structured_arrays(run):
    table = run.to_array()
    assert table.shape == run.t.shape and np.array_equal(table["q.elbow"], run.q["elbow"])
