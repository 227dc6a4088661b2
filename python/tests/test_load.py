# SPDX-License-Identifier: MIT
"""Reads files, and checks the messages about bad ones."""

import numpy as np
import pytest

import linkwork as lw

BAD = """linkwork: 1
name: bad
joints:
  - name: one
    type: revolut
    parent: base
    origin: {xyz: [0, 0, 0]}
    axis: [0, 0, 1]
    link: {mass: -1}
  - name: two
    typ: revolute
"""


def test_every_robot_and_snake_of_the_project(root):
    for path in sorted((root / "robots").glob("*.yaml")) + sorted((root / "robots").glob("*.urdf")):
        arm = lw.load(path)
        assert arm.dof > 0 and len(arm.joint_names) == arm.dof and arm.name
        assert "<table>" in arm._repr_html_()
    for path in sorted((root / "robots/snakes").glob("*.yaml")):
        snake = lw.load(str(path))
        assert snake.n >= 2 and "<table>" in snake._repr_html_()


def test_diagnostics_have_places():
    with pytest.raises(lw.LinkworkError) as caught:
        lw.loads(BAD, name="bad.yaml")
    found = [finding for finding in caught.value.diagnostics if finding.severity == "error"]
    assert len(found) >= 2
    assert all(finding.file == "bad.yaml" and finding.line > 0 and finding.column > 0 for finding in found)
    first = found[0]
    assert f"bad.yaml:{first.line}:{first.column}: error: " in str(caught.value)
    assert first.source is not None


def test_files_that_are_not_there(tmp_path):
    for path in (tmp_path / "none.yaml", tmp_path, str(tmp_path / "none.urdf").encode()):
        with pytest.raises(IsADirectoryError if path == tmp_path else FileNotFoundError):
            lw.load(path)
    for read in (lw.simulate, lw.parts, lw.study, lw.cycle, lw.lint, lw.page, lw.mesh):
        with pytest.raises(FileNotFoundError, match="none.yaml"):
            read(tmp_path / "none.yaml")
    empty = tmp_path / "empty.yaml"
    empty.write_text("")
    with pytest.raises(lw.LinkworkError):
        lw.load(empty)
    with pytest.raises((TypeError, ValueError)):
        lw.load(None)
    with pytest.raises(ValueError):
        lw.load("a\0b")


def test_other_kinds_of_files_are_told_apart(root):
    with pytest.raises(lw.LinkworkError, match="simulate"):
        lw.load(root / "scenarios/puma_pd.yaml")
    with pytest.raises(lw.LinkworkError, match="parts"):
        lw.load(root / "parts/ddarm.yaml")


def test_lint_as_objects(root, tmp_path):
    assert [f for f in lw.lint(root / "robots/panda.yaml") if f.severity == "error"] == []
    path = tmp_path / "bad.yaml"
    path.write_text(BAD)
    found = lw.lint(path)
    assert any(finding.severity == "error" and finding.line == 5 for finding in found)
    more = lw.lint(root / "robots/gripper_arm.urdf", pedantic=True)
    assert len(more) >= len(lw.lint(root / "robots/gripper_arm.urdf"))


def test_options_of_load(root):
    arm = lw.load(root / "robots/puma560.yaml", gravity=(0, 0, 0), payload={"flange_plate": 1.0}, hold={"waist": 0.2})
    assert arm.dof == 5 and not np.any(arm.gravity(np.zeros(5)))
    with pytest.raises(ValueError, match="gravity has the shape"):
        lw.load(root / "robots/puma560.yaml", gravity=(0, 0))
    with pytest.raises(ValueError, match="finite"):
        lw.load(root / "robots/puma560.yaml", gravity=(0, 0, np.nan))


def test_what_a_robot_is_made_of(puma):
    assert [joint.name for joint in puma.joints] == puma.joint_names
    elbow = puma.joints[puma.joint_names.index("elbow")]
    assert elbow.type == "revolute" and elbow.link.mass > 0 and elbow.link.inertia.shape == (3, 3)
    assert elbow.limits.lower < elbow.limits.upper
    assert np.array_equal(puma.lower, [joint.limits.lower for joint in puma.joints])
    assert np.allclose(puma.gravity_vector, (0, 0, -9.81))
    assert elbow.motor is None or elbow.motor.gear != 0
    assert puma.is_serial and puma.file.endswith("puma560.yaml")



def test_type_stubs_name_what_there_is():
    import ast
    import inspect
    import pathlib
    path = pathlib.Path(lw.__file__).with_name("__init__.pyi")
    if not path.exists():
        pytest.skip("a build with sanitizers makes none")
    assert path.with_name("py.typed").exists()
    tree = ast.parse(path.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    values = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert set(lw.__all__) <= set(classes) | functions | values
    robot = {node.name for node in classes["Robot"].body if isinstance(node, ast.FunctionDef)}
    assert {name for name, value in vars(lw.Robot).items() if inspect.isfunction(value) and name[0] != "_"} <= robot
