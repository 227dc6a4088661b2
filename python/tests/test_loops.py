# SPDX-License-Identifier: MIT
"""Robots with closed loops."""

import os
import subprocess

import numpy as np
import pytest

import linkwork as lw


@pytest.fixture(scope="module")
def four_bar(root):
    return lw.load(root / "robots/four_bar.yaml")


def test_what_it_is(four_bar):
    assert four_bar.mobility == 1
    assert four_bar.driven == ["crank"]
    assert [row.name for row in four_bar.loop_rows] == ["x", "y", "z", "about x", "about y"]
    assert sum(row.redundant for row in four_bar.loop_rows) == 3
    assert {row.loop for row in four_bar.loop_rows} == {four_bar.loop_rows[0].loop}


def test_both_branches(four_bar):
    found = four_bar.close_loops_all({"crank": 1.0})
    assert found.shape == (2, 3)
    np.testing.assert_allclose(found[:, 0], 1.0, atol=0)
    nearest = four_bar.close_loops({"crank": 1.0})
    assert nearest.closed and nearest.qd is None and nearest.gap < 1e-14
    assert min(np.abs(found - nearest.q).max(axis=1)) < 1e-12
    pins = [four_bar.pose(q, link="coupler").position for q in found]
    np.testing.assert_allclose(pins[0], pins[1], atol=1e-14)  # both are attached to the crank
    assert abs(found[0, 1] - found[1, 1]) > 0.1


def test_as_the_program(four_bar, root):
    state = four_bar.close_loops({"crank": 1.0}, qd={"crank": 2.0}, qdd={"crank": 0.5})
    program = os.environ.get("LINKWORK_PROGRAM")
    if program is None:
        pytest.skip("LINKWORK_PROGRAM is not set")
    out = subprocess.run([program, "close", str(root / "robots/four_bar.yaml"), "--q", "crank=1", "--qd", "2", "--qdd", "0.5",
                          "--format", "csv"], capture_output=True, text=True, check=True).stdout.splitlines()
    row = dict(zip(out[0].split(","), map(float, out[1].split(","))))
    for k in range(3):
        assert state.q[k] == row[f"q{k + 1}"]
        assert state.qd[k] == row[f"qd{k + 1}"]
        assert state.qdd[k] == row[f"qdd{k + 1}"]


def test_dynamics_there_and_back(four_bar):
    state = four_bar.close_loops({"crank": 1.0}, qd={"crank": 2.0})
    qdd, forces = four_bar.forward_closed(state.q, state.qd, {"crank": 3.0})
    assert forces.shape == (5,)
    tau, again = four_bar.inverse_closed(state.q, state.qd, qdd)
    np.testing.assert_allclose(tau, [3.0, 0, 0], atol=1e-10)
    np.testing.assert_allclose(again, forces, atol=1e-9 * np.abs(forces).max())


def test_quaternions(root):
    stewart = lw.load(root / "robots/stewart.yaml")
    assert stewart.mobility == 6 and (stewart.nq, stewart.dof) == (22, 21)
    state = stewart.close_loops({"leg3": 0.05}, qd={"leg1": 0.1})
    assert state.closed and state.q[stewart.position_names.index("leg3")] == 0.05
    assert abs(np.linalg.norm(state.q[-4:]) - 1) < 1e-15
    qdd, _ = stewart.forward_closed(state.q, state.qd)
    assert np.isfinite(qdd).all()


def test_what_is_refused(four_bar, puma):
    with pytest.raises(lw.LinkworkError, match="has no loops"):
        puma.close_loops()
    assert puma.mobility == 6 and puma.loop_rows == []
    with pytest.raises(lw.LinkworkError, match="not closed"):
        four_bar.forward_closed([1.0, 0, 0])
    with pytest.raises(lw.LinkworkError, match="open"):
        four_bar.forward_closed(four_bar.start, [1.0, 1.0, 1.0])
    with pytest.raises(lw.LinkworkError, match="no joint|crank"):
        four_bar.close_loops({"cranck": 1.0})
    with pytest.raises(ValueError, match="finite"):
        four_bar.close_loops({"crank": float("nan")})
    with pytest.raises(ValueError, match="shape"):
        four_bar.close_loops([1.0])


def test_beyond_reach(root):
    """An excavator whose cylinder would have to be longer than its stroke allows."""
    robot = lw.load(root / "robots/excavator.yaml")
    driven = robot.driven[0]
    state = robot.close_loops({driven: robot.start[robot.position_names.index(driven)] + 5.0})
    assert not state.closed and state.gap > 1e-3


def test_questions_are_about_the_driven_joints(four_bar):
    robot = four_bar
    whole = robot.close_loops({"crank": 1.0}, qd={"crank": 2.0}, qdd={"crank": 0.5})
    assert robot.speeds == ["crank"]
    for state in ([1.0], {"crank": 1.0}, whole.q):
        assert robot.inertia(state) == pytest.approx(0.0545672098503, rel=1e-11)
    torque = robot.inverse(whole.q, whole.qd, whole.qdd)
    assert robot.inverse([1.0], [2.0], [0.5]) == pytest.approx(torque, rel=1e-12)
    assert torque == pytest.approx(robot.inverse_closed(whole.q, whole.qd, whole.qdd)[0][:1], rel=1e-12)
    assert robot.inertia([1.0])[0] * 0.5 + robot.bias([1.0], [2.0]) == pytest.approx(torque, rel=1e-12)
    assert robot.forward([1.0], [2.0], torque) == pytest.approx(0.5, rel=1e-10)
    assert robot.gravity([[1.0], [1.1], [1.2]]).shape == (3, 1)
    with pytest.raises(lw.LinkworkError, match="not closed"):
        robot.gravity([1.0, 0.0, 0.0])


@pytest.mark.parametrize("name", ["four_bar", "palletizer", "delta", "stewart"])
def test_formulations_side_by_side(root, name):
    """Each gives the accelerations of the others, and forces that balance them."""
    robot = lw.load(root / f"robots/{name}.yaml")
    state = robot.close_loops(robot.start, qd=np.full(robot.dof, 0.3))
    tau = np.linspace(-1, 1, robot.dof)
    expected = robot.forward_closed(state.q, state.qd, tau)[0]
    assert len(lw.formulations()) >= 7
    for one in lw.formulations():
        qdd, forces = robot.forward_closed(state.q, state.qd, tau, formulation=one.name)
        assert qdd == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(expected).max()), one.name
        assert forces.shape == (len(robot.loop_rows),) and np.abs(forces).max() > 0
    counts = robot.formulation_counts()
    assert [count["method"] for count in counts] == [one.name for one in lw.formulations()]
    assert all(count["mul"] > 0 for count in counts)


def test_formulations_that_are_not(four_bar, panda):
    with pytest.raises(ValueError, match="augmented"):
        four_bar.forward_closed(four_bar.start, formulation="augmentd")
    with pytest.raises(lw.LinkworkError, match="loops"):
        panda.forward_closed(np.zeros(7), formulation="augmented")


def test_stiffness_of_springs_in_passive_joints(four_bar):
    """Against differences of the springs' torques on the crank."""
    k = np.array([0.0, 3.0, 5.0])

    def springs(crank):
        q = four_bar.close_loops({"crank": crank}).q
        return q, -k * (q - 0.2)

    h, (q, tau) = 1e-5, springs(1.0)
    found = four_bar.loop_stiffness(q, tau, np.diag(k))
    on_crank = [four_bar.to_speeds(*springs(1.0 + d)) for d in (-h, h)]
    assert found.shape == (1, 1) and found[0] == pytest.approx(-(on_crank[1] - on_crank[0]) / (2 * h), rel=1e-7)
