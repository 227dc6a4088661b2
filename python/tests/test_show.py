# SPDX-License-Identifier: MIT
"""Output for notebooks and other packages: tables, pages, data frames."""

import base64
import os
import re
import shutil
import subprocess
import sys
import zlib

import numpy as np
import pytest

import linkwork as lw


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


def program_with_page(root, folder):
    program = os.environ.get("LINKWORK_PROGRAM") or shutil.which("linkwork")
    if not program:
        pytest.skip("the program linkwork is not there")
    tried = subprocess.run([program, "page", root / "robots/planar2r.yaml", "--out", folder / "tried.html"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if tried.returncode and "built without the page" in tried.stderr:
        pytest.skip("the program was built without the page")
    return program


def data_of(page):
    """The page's data: base64, compressed if the program has zlib."""
    packed = base64.b64decode(re.search(r'<script type="application/octet-stream" id="data">([^<]*)<', page.html)[1])
    return zlib.decompress(packed) if packed[:1] == b"\x78" else packed


def test_page_of_a_robot(panda, root, tmp_path):
    program_with_page(root, tmp_path)
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


def test_page_of_a_scenario(root, tmp_path):
    program_with_page(root, tmp_path)
    data = data_of(lw.page(root / "scenarios/puma_computed_torque.yaml"))
    assert b"waist" in data and b"elbow" in data


def test_page_without_a_program(panda, monkeypatch):
    monkeypatch.delenv("LINKWORK_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(lw.LinkworkError, match="LINKWORK_PROGRAM"):
        panda.page()


def test_page_of_a_missing_file(root, tmp_path):
    program_with_page(root, tmp_path)
    with pytest.raises(lw.LinkworkError, match="no-such-file"):
        lw.page("no-such-file.yaml")
