# SPDX-License-Identifier: MIT
"""Every question of the registry, by every method, against the library's own functions and the equations of motion."""

import ctypes

import numpy as np
import pytest

import linkwork as lw
from linkwork import _native
from linkwork._library import declared, lib, make

ROBOTS = ["panda.yaml", "puma560.yaml", "stanford.yaml", "torso.yaml", "gripper_arm.urdf", "planar2r.yaml"]


def states(arm, random, *lead):
    return [random.uniform(-1, 1, (*lead, arm.dof)) for _ in range(3)]


def by_the_library(arm, question, given):
    """Calls lw_answer() directly through ctypes, bypassing the package."""
    workspace, _ = make(lib.lw_workspace_create, lib.lw_workspace_destroy, arm._pointer(), None)
    state = declared.lwStates(**{name: value.ctypes.data for name, value in given.items()})
    out = np.empty(lib.lw_question_outputs(arm._pointer(), question.index))
    lib.lw_answer(arm._pointer(), workspace.pointer, question.index, ctypes.byref(state), out.ctypes.data)
    return out


def flat(answer):
    """The numbers of an answer in the library's order."""
    if isinstance(answer, lw.Pose):
        rotation = answer.rotation.reshape(*answer.position.shape[:-1], 9)
        return np.concatenate([answer.position, rotation], axis=-1).ravel()
    return np.concatenate([flat(part) for part in answer]) if isinstance(answer, tuple) else answer.ravel()


def arrays(answer):
    """The arrays of an answer, also of one with named parts."""
    return [array for part in answer for array in arrays(part)] if isinstance(answer, tuple) else [answer]


@pytest.mark.parametrize("file", ROBOTS)
@pytest.mark.parametrize("question", lw.questions(), ids=lambda question: question.name)
def test_every_question_gives_the_bits_of_the_library(root, random, file, question):
    arm = lw.load(root / "robots" / file)
    if arm.nq != arm.dof:
        pytest.skip("quaternions")
    given = {name: random.uniform(-1, 1, 6 if name == "wrench" else arm.dof) for name in question.inputs}
    answer = getattr(arm, question.attribute)(**given)
    assert np.array_equal(flat(answer), by_the_library(arm, question, given))


@pytest.mark.parametrize("question", lw.questions(), ids=lambda question: question.name)
def test_many_states_are_the_states_one_by_one(panda, random, question):
    lead = (3, 700)  # enough states to use threads
    given = {name: random.uniform(-1, 1, (*lead, 6 if name == "wrench" else panda.dof)) for name in question.inputs}
    ask = getattr(panda, question.attribute)
    many = ask(**given)
    one = ask(**{name: value[2, 345] for name, value in given.items()})
    for whole, part in zip(arrays(many), arrays(one)):
        assert whole.shape == (*lead, *part.shape)
        assert np.array_equal(whole[2, 345], part)


OPTIONS = [{"method": "rnea"}, {"gravity": (0, 0, -1.62)}, {"gravity": np.array([1.0, 0, -9])}, {"payload": {"link7": 2}},
           {"payload": {"link7": (2, [0, 0, 0.1])}}, {"method": "kane", "gravity": [0, 0, -3.7]}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_calls_with_options_do_not_depend_on_earlier_ones(root, random, options):
    """The solver of the first call serves the next ones, whatever they give and whatever was asked between."""
    arm, other = (lw.load(root / "robots" / "panda.yaml") for _ in range(2))
    link = arm.link_names[6]
    options = {name: {link: value["link7"]} if name == "payload" else value for name, value in options.items()}
    q, qd, qdd = states(arm, random)
    first = arm.inverse(q, qd, qdd, **options)
    plain = arm.inverse(q, qd, qdd)
    single = [x.astype(np.float32) for x in (q, qd, qdd)]
    floats = [arm.inverse(*single, **options) for _ in range(2)]
    for given in ((q, qd, qdd), (q.tolist(), tuple(qd), qdd), (dict(zip(arm.joint_names, q.tolist())), qd, qdd)):
        assert np.array_equal(arm.inverse(*given, **options), first)
    assert np.array_equal(arm.inverse(q, qd, qdd), plain) and not np.array_equal(plain, first)
    assert floats[0].dtype == floats[1].dtype == np.float32 and np.array_equal(*floats)
    assert np.array_equal(floats[0], other.inverse(*single, **options))
    assert np.allclose(floats[0], first, rtol=0, atol=1e-4 * np.abs(first).max())


def test_frames_of_the_fast_path(panda, random):
    q = random.uniform(-1, 1, panda.dof)
    for link in panda.link_names * 2:
        for tool in (None, (0, 0, 0.1), [0.1, 0, 0, 0, 0.2, 0]):
            pose = panda.pose(q, link=link, tool=tool)
            assert np.array_equal(pose.position, panda.pose(q[None, ::-1][:, ::-1], link=link, tool=tool).position[0])
    matrices = panda.poses(q).matrix
    assert matrices.shape == (len(panda.joints), 4, 4)
    for joint, matrix in zip(panda.joints, matrices):
        assert np.allclose(matrix, panda.pose(q, link=joint.link.name).matrix, rtol=0, atol=1e-14)
    named = panda.frames(np.stack([q, q]), ["joint5", "link2"])
    assert np.array_equal(named.matrix[1], matrices[[panda.link_names.index("link5"), panda.link_names.index("link2")]])
    with pytest.raises(ValueError, match="is the base"):
        panda.frames(q, ["link2", "base"])


def test_control_has_the_parts_of_other_questions(panda, random):
    q, qd, _ = states(panda, random, 4)
    found = panda.control(q, qd, link="hand" if "hand" in panda.link_names else None)
    link = {"link": "hand"} if "hand" in panda.link_names else {}
    for part, expected in ((found.bias, panda.bias(q, qd)), (found.gravity, panda.gravity(q)),
                           (found.jacobian_rate, panda.jacobian_rate(q, qd, **link)[..., 6:]),
                           (found.pose.matrix, panda.pose(q, **link).matrix),
                           (found.jacobian, panda.jacobian(q, **link)), (found.inertia, panda.inertia(q))):
        assert part.shape == expected.shape
        assert np.allclose(part, expected, rtol=0, atol=1e-13 * max(1, np.abs(expected).max()))


def test_centroidal_names_its_parts(panda, random):
    q, qd, qdd = states(panda, random, 4)
    found = panda.centroidal(q, qd, qdd)
    mass = sum(joint.link.mass for joint in panda.joints)
    step = 1e-6
    moved = panda.centroidal(q + step * qd, qd, qdd).com - panda.centroidal(q - step * qd, qd, qdd).com
    assert found.momentum.shape == (4, 3)
    assert np.allclose(found.momentum, mass * moved / (2 * step), rtol=0, atol=1e-7 * mass)


@pytest.mark.parametrize("file", ROBOTS + ["free_flyer.yaml"])
def test_random_positions_are_within_limits(root, file):
    arm = lw.load(root / "robots" / file)
    q = arm.random(200, seed=3)
    assert q.shape == (200, arm.nq) and arm.random(seed=1).shape == (arm.nq,)
    assert np.all(q >= arm.lower) and np.all(q <= arm.upper) and np.ptp(q, axis=0).min() > 0.01
    assert np.array_equal(q, arm.random(200, seed=3))
    assert np.all(np.isfinite(arm.gravity(q)))


def test_the_equation_of_motion(panda, random):
    q, qd, qdd = states(panda, random, 50)
    w = random.uniform(-10, 10, (50, 6))
    pose = panda.pose(q)
    M, b, J = panda.inertia(q), panda.bias(q, qd), panda.jacobian(q)
    world = np.concatenate([np.einsum("kij,kj->ki", pose.rotation, part) for part in (w[:, :3], w[:, 3:])], axis=1)
    tau = np.einsum("kij,kj->ki", M, qdd) + b - np.einsum("kji,kj->ki", J, world)
    assert np.allclose(tau, panda.inverse(q, qd, qdd, wrench=w), rtol=0, atol=1e-12 * np.abs(tau).max())
    assert np.allclose(panda.bias(q, qd), panda.gravity(q) + panda.coriolis(q, qd), rtol=0, atol=1e-12 * np.abs(b).max())
    kinetic = 0.5 * np.einsum("ki,kij,kj->k", qd, M, qd)
    assert np.allclose(panda.energy(q, qd)[:, 0], kinetic, rtol=1e-12)
    assert np.allclose(panda.forward(q, qd, tau, wrench=w), qdd, rtol=0, atol=1e-9)  # error grows with the condition of M


def test_the_jacobian_is_the_slope_of_the_pose(puma, random):
    q, h = random.uniform(-1, 1, 6), 1e-6
    slopes = [(puma.pose(q + h * e).position - puma.pose(q - h * e).position) / (2 * h) for e in np.eye(6)]
    assert np.allclose(puma.jacobian(q)[:3].T, slopes, atol=1e-8)  # h^2 and rounding / h


@pytest.mark.parametrize("method", lw.methods(), ids=lambda method: f"{method.question}-{method.name}")
def test_every_method_and_alias(panda, random, method):
    if method.question == "snake":
        snake = lw.generic_snake(4)
        theta, u, T = random.uniform(-1, 1, 4), random.uniform(-1, 1, 2), random.uniform(-1, 1, 3)
        assert np.allclose(snake.motion(theta, u, T, method=method.name).udot, snake.motion(theta, u, T).udot, rtol=1e-9)
        return
    if method.question not in ("inverse", "inertia", "forward"):
        pytest.skip("a question with one method")
    q, qd, x = states(panda, random, 5)
    given = (q,) if method.question == "inertia" else (q, qd, x)
    ask = getattr(panda, method.question)
    expected = ask(*given)
    for name in (method.name, *method.aliases):
        assert np.allclose(ask(*given, method=name), expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_methods_that_do_not_exist_are_named(panda):
    with pytest.raises(lw.LinkworkError, match="did you mean 'rnea'"):
        panda.inverse(np.zeros(7), method="rnae")
    with pytest.raises(lw.LinkworkError, match="one method only"):
        panda._methods("pose", "rnea")
    assert panda.method("forward") == "articulated-body"
    assert panda.method("inverse", "rnea") == "newton-euler"


def test_gravity_payload_and_held_joints(panda, random):
    q = random.uniform(-1, 1, 7)
    moon = (0, 0, -1.62)
    assert np.allclose(panda.gravity(q, gravity=moon), panda.gravity(q) * 1.62 / 9.81)
    assert np.allclose(panda.replace(gravity=moon).gravity(q), panda.gravity(q, gravity=moon))
    link = panda.link_names[-1]
    heavy = panda.replace(payload={link: (2.0, (0, 0, 0.1))})
    expected = panda.gravity(q) + panda.jacobian(q, tool=(0, 0, 0.1))[:3].T @ np.array([0, 0, 2 * 9.81])
    assert np.allclose(heavy.gravity(q), expected)
    assert np.allclose(panda.gravity(q, payload={link: (2.0, (0, 0, 0.1))}), expected)
    held = panda.replace(hold={"joint3": 0.4})
    assert held.dof == 6 and "joint3" not in held.joint_names
    rest = [i for i in range(7) if i != 2]
    q[2] = 0.4
    assert np.allclose(held.inertia(q[rest]), panda.inertia(q)[np.ix_(rest, rest)])
    with pytest.raises(lw.LinkworkError, match="did you mean 'joint3'"):
        panda.replace(hold={"joint_3": 0})


def test_links_and_tools(panda, random):
    q = random.uniform(-1, 1, 7)
    assert np.allclose(panda.pose(q, link="joint1").position, panda.pose(np.zeros(7), link="joint1").position)
    tool = panda.pose(q, tool=(0, 0, 0.1))
    plain = panda.pose(q)
    assert np.allclose(tool.position, plain.position + plain.rotation @ [0, 0, 0.1])
    with pytest.raises(lw.LinkworkError, match="no link of"):
        panda.pose(q, link="hnad")


def test_single_precision(panda, random):
    q, qd, qdd = states(panda, random, 10)
    single = panda.inverse(q, qd, qdd, dtype=np.float32)
    assert single.dtype == np.float32
    assert np.allclose(single, panda.inverse(q, qd, qdd), rtol=0, atol=1e-4)
    same = panda.inverse(*(a.astype(np.float32) for a in (q, qd, qdd)))
    assert same.dtype == np.float32
    mixed = panda.inverse(q.astype(np.float32), qd)
    assert mixed.dtype == np.float64
    with pytest.raises(TypeError, match="float32 or float64"):
        panda.inverse(q, dtype=np.int32)


def test_names_instead_of_positions(puma):
    q = np.zeros(6)
    q[puma.joint_names.index("elbow")] = 0.3
    assert np.array_equal(puma.inverse({"elbow": 0.3}), puma.inverse(q))
    many = puma.gravity({"elbow": np.linspace(0, 1, 5), "waist": 0.1})
    assert many.shape == (5, 6)
    with pytest.raises(lw.LinkworkError, match="did you mean 'elbow'"):
        puma.inverse({"elbwo": 0.3})


def test_counts_are_those_of_the_library(puma):
    found = {(c["question"], c["method"]): c for c in puma.counts()}
    rnea = found["inverse", "newton-euler"]
    assert rnea["mul"] > 0 and rnea["executed_mul"] >= rnea["mul"]
    general = lw.generic(6).counts("inverse", "newton-euler")[0]
    assert general["printed"]["mul"] == pytest.approx(150 * 6 - 48)


def test_checks_hold_and_can_fail(panda):
    checks = panda.check(16)
    assert checks.ok and len(checks) > 20
    worse = type(checks)([*checks, type(checks[0])("x", "inverse", "x", 1.0, 0.5)])
    assert not worse.ok


def test_reading_the_documentation():
    text = lw.Robot.inverse.__doc__
    for word in ("N m", "rad/s^2", "wrench", "base frame", "float32"):
        assert word in text
    for question in lw.questions():
        assert getattr(lw.Robot, question.attribute).__doc__


def test_floating_bases_have_quaternions(root, random):
    arm = lw.load(root / "robots/panda.yaml", floating=True)
    assert (arm.nq, arm.dof) == (14, 13) and arm.position_names[6] == "base.qw" and arm.neutral()[6] == 1
    q = arm._state("q", {"base": (0, 0, 1, 0, 0, 0, 1), "joint2": 0.3})
    assert np.array_equal(arm.inverse({"base.z": 1, "joint2": 0.3}), arm.inverse(q))
    many = arm.inertia(np.tile(q, (3, 1)))
    assert many.shape == (3, 13, 13) and np.allclose(many, np.swapaxes(many, 1, 2))
    assert arm.check(4).ok
    with pytest.raises(lw.LinkworkError, match="quaternions"):
        lw.Fleet(arm, 2)
    with pytest.raises(ValueError, match="no value for 'joint7'"):
        arm.inverse(np.zeros(13))


def test_questions_of_a_floating_robot(root, random):
    """Every question and inverse kinematics for a robot with more positions than velocities."""
    arm = lw.load(root / "robots/free_flyer.yaml")
    for question in lw.questions():
        given = {name: random.uniform(-1, 1, 6 if name == "wrench" else arm.dof) for name in question.inputs}
        given["q"] = arm.neutral()
        try:
            answer = getattr(arm, question.attribute)(**given)
        except lw.LinkworkError as error:
            assert "joints" in str(error)  # the message says why
            continue
        assert np.array_equal(flat(answer), by_the_library(arm, question, given))
    found = arm.ik([1, 0.5, 2], rpy=[0.1, 0.2, 0.3])
    assert found.reached and found.q.shape == (13,)
    assert np.allclose(arm.pose(found.q).position, [1, 0.5, 2], atol=1e-9)
    with pytest.raises(lw.LinkworkError, match="quaternions"):
        lw.Fleet(arm, 2)


def test_rotations_of_many_states_are_converted_in_one_call(panda, random, monkeypatch):
    calls = []
    convert = _native.convert_rotations
    monkeypatch.setattr(_native, "convert_rotations", lambda *arrays: (calls.append(len(arrays[0])), convert(*arrays))[1])
    q = random.uniform(-2, 2, (4, 5, panda.dof))
    pose = panda.pose(q)
    rpy, quaternion = pose.rpy, pose.quaternion
    assert calls == [20, 20] and rpy.shape == (4, 5, 3) and quaternion.shape == (4, 5, 4)
    for at in np.ndindex(4, 5):
        one, out = np.ascontiguousarray(pose.rotation[at]), np.empty(4)
        lib.lw_rotation_to_rpy(one.ctypes.data, out.ctypes.data)
        assert np.array_equal(rpy[at], out[:3])
        lib.lw_rotation_to_quaternion(one.ctypes.data, out.ctypes.data)
        assert np.array_equal(quaternion[at], out)
    assert lw.Pose(pose.position[:0], pose.rotation[:0]).rpy.shape == (0, 5, 3)
    with pytest.raises(TypeError, match="3 or 4 numbers"):
        convert(np.zeros((2, 9)), np.zeros((2, 5)))


def test_names_of_questions_are_identifiers():
    for question in lw.questions():
        assert question.attribute.isidentifier()
        assert question.summary.split()[0].lower() in getattr(lw.Robot, question.attribute).__doc__.lower()


def test_gait_of_a_snake(root):
    snake = lw.load(root / "robots/snakes/table2_n6.yaml")
    run = snake.simulate(5, gait=(0.5, 1.05, 2))
    wave = 0.5 * np.sin(1.05 * np.arange(1, 6) + 2 * run.t[:, None])
    assert np.abs(np.diff(run.theta, axis=1) - wave).max() < 0.05
    assert run.t[-1] == 5
    turning = snake.simulate(10, gait=(0.5, 1.05, 2, 0.1, 2))
    assert not turning.u[0].any() and turning.theta[-1].mean() > 0.5
    with pytest.raises(ValueError, match="not both"):
        snake.simulate(1, gait=(0.5, 1, 2), torque="1")


def test_derivatives_and_regressor(root, random):
    arm = lw.load(root / "robots/panda.yaml")
    q, qd, qdd = random.uniform(-1, 1, (3, arm.dof))
    step = 1e-6
    derivatives = arm.inverse_derivatives(q, qd, qdd)
    assert derivatives.shape == (2, arm.dof, arm.dof)
    for k in range(arm.dof):
        away = step * np.eye(arm.dof)[k]
        by_q = (arm.inverse(q + away, qd, qdd) - arm.inverse(q - away, qd, qdd)) / (2 * step)
        by_qd = (arm.inverse(q, qd + away, qdd) - arm.inverse(q, qd - away, qdd)) / (2 * step)
        np.testing.assert_allclose(derivatives[0][:, k], by_q, atol=1e-7)  # truncation h^2 and rounding / h
        np.testing.assert_allclose(derivatives[1][:, k], by_qd, atol=1e-7)
    np.testing.assert_allclose(arm.inertia_inverse(q) @ arm.inertia(q), np.eye(arm.dof), atol=1e-12)
    np.testing.assert_allclose(arm.coriolis_matrix(q, qd) @ qd, arm.coriolis(q, qd), atol=1e-12)
    rows = arm.regressor(np.stack([q, q]), qd, qdd)
    assert rows.shape == (2, arm.dof, 10 * len(arm.link_names))
    heavier = arm.replace(payload={arm.link_names[-1]: 1.0})
    np.testing.assert_allclose(heavier.inverse(q, qd, qdd) - arm.inverse(q, qd, qdd), rows[0][:, -10], atol=1e-12)


def test_drives_of_a_motion(puma):
    t = np.array([0, 0.1, 0.3, 0.35, 0.6])
    q, qdd, qd = np.zeros((5, 6)), np.ones((5, 6)), np.zeros((5, 6))
    qd[:, 1] = [0, 0.3, 0.4, -0.2, 0.1]
    summary, series = puma.drives(t, q, qd, qdd)
    assert not series["friction"][:, 0].any()
    np.testing.assert_array_equal(series["torque"], series["rigid"] + series["rotor"] + series["friction"])
    assert [joint.loads["torque"].peak for joint in summary] == [max(column, key=abs) for column in series["torque"].T.tolist()]
    again = puma.drives(t, q, np.where(qd == 0, 1e-16, qd), qdd)[1]  # rounding of joints that stand
    assert all(np.array_equal(series[name], again[name]) for name in series)
